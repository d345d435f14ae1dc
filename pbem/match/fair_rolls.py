"""Fair rolls: every value follows from a secret promised before the first roll and published after the match.

Value ``k`` is the attempt that counts: HMAC-SHA-256, with the secret as key, of the text

    match:ply:what:k
    1:words of seat 1
    3:words of seat 3

read as a number of 256 bits, big end first; modulo the number of faces it gives the value less one. Numbers so high
that they would favour small values are passed over, and ``k`` counts on from 0. ``ply`` is the number of entries
before the roll; seats that gave no words have no line; secret and text are taken as UTF-8, lines end in one line feed.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from rules import GAMES, Chance, InvalidRecord, Record, RulesError, Seat, advance
from rules.errors import quote

_NUMBERS = 2**256
LONGEST_SEED = 200
"""Characters a player's own words for the rolls may have."""


@dataclass(frozen=True)
class FairRolls:
    """Where the rolls of one match come from; ``seeds`` are the players' own words, by seat, empty ones left out."""

    match: int
    secret: str = field(repr=False)
    seeds: Mapping[Seat, str]

    def value(self, ply: int, chance: Chance) -> int:
        """Return the value of the roll that comes after ``ply`` entries, in 1…faces."""
        own = "".join(f"\n{seat + 1}:{words}" for seat, words in sorted(self.seeds.items()) if words)
        limit = _NUMBERS - _NUMBERS % chance.faces
        for attempt in count():
            text = f"{self.match}:{ply}:{chance.what}:{attempt}{own}"
            number = int.from_bytes(hmac.digest(self.secret.encode(), text.encode(), "sha256"), "big")
            if number < limit:
                return number % chance.faces + 1
        raise AssertionError("unreachable")


def commitment(secret: str) -> str:
    """Return what is published before the first roll: the SHA-256 of the secret, 64 hexadecimal digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def clean_seed(text: str) -> str:
    """Return a player's words as they are mixed in and published: on one line, without anything like an address."""
    shown = "".join(char if char.isprintable() and char != "@" else " " for char in text)
    return " ".join(shown.split())[:LONGEST_SEED].rstrip()


def fair_rolls_of(record: Record) -> FairRolls | None:
    """Return where the rolls of ``record`` come from, by its notes; None where it holds no secret.

    Raises InvalidRecord when the notes contradict each other.
    """
    if not (secret := record.notes.get("secret")):
        return None
    if record.notes.get("commitment") != commitment(secret):
        raise InvalidRecord(
            "commitment_mismatch", "The SHA-256 of the line “secret: …” is not what the line “commitment: …” says."
        )
    number = record.notes.get("match", "")
    if not (number.isascii() and number.isdigit()):
        raise InvalidRecord("match_number_missing", "The line “match: …” with the number of the match is missing.")
    seeds = {seat: record.notes.get(f"salt {seat + 1}", "") for seat in range(record.seats)}
    return FairRolls(int(number), secret, seeds)


def verify_rolls(record: Record) -> int | None:
    """Recompute every lot of a record; return how many there are, all of them right; None when it holds no secret.

    Raises InvalidRecord with the line of the first entry that is wrong, be it a roll or what does not follow.
    """
    if (lots := fair_rolls_of(record)) is None:
        return None
    right = 0
    for ply, chance, announced in _steps(record):
        if announced != str(value := lots.value(ply, chance)):
            line = record.lines[ply] if record.lines else None
            where = f"Line {line}, entry {ply + 1}," if line else f"Entry {ply + 1}"
            sentence = f"{where} is wrong: the lot “{chance.what}” fell on {value}, not on {quote(announced)}."
            raise InvalidRecord("wrong_roll", sentence, ply=ply, line=line)
        right += 1
    return right


def rolls_in(record: Record) -> list[tuple[int, Chance]]:
    """Return every lot of a record that replays, with its ply; raises InvalidRecord."""
    return [(ply, chance) for ply, chance, _ in _steps(record)]


def _steps(record: Record) -> Iterator[tuple[int, Chance, str]]:
    """Yield ply, lot and what it is said to have fallen on, each before the record goes on from it."""
    position = GAMES[record.game].restore(record.seats, record.options)
    for ply, entry in enumerate(record.entries):
        if isinstance(awaited := position.to_act, Chance) and entry.seat is None:
            yield ply, awaited, entry.text
        try:
            position = advance(position, entry)
        except RulesError as error:
            where = f"Line {record.lines[ply]}, entry {ply + 1}" if record.lines else f"Entry {ply + 1}"
            raise InvalidRecord(
                "entry_refused", f"{where}, does not follow from what stands before it: {error}", ply=ply
            ) from error
