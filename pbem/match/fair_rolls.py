"""Fair rolls by commit and reveal: every roll follows from a secret, whose hash is published before the first roll.

The secret is published after the match. A roll is computed as HMAC-SHA-256 (RFC 2104), with the secret as key, of

    match:ply:what:k
    1:seed of seat 1
    3:seed of seat 3

read as a big-endian number of 256 bits. That number modulo the faces is the value less one. The attempt ``k`` counts
from 0: a number so high that it would favour small values is skipped. ``ply`` is the number of entries before the
roll. A seat without a player seed has no line. Secret and text are encoded as UTF-8; a line feed separates lines.

What a robot thinks after ``ply`` entries begins with such a number, too, modulo 2^63, of ``match:ply:robot:seat``
alone: it may think before players have sent their seeds.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from rules.errors import InvalidRecord, RulesError, quote
from rules.game import advance
from rules.games import GAMES
from rules.position import Chance, Seat
from rules.record import Record

_NUMBERS = 2**256
_SEEDS = 2**63
_NUMBER = re.compile(r"\d{1,18}", re.ASCII)  # Python refuses to read very long ones, with an error of its own
LONGEST_SEED = 200
"""Characters that a player seed may have."""


@dataclass(frozen=True)
class FairRolls:
    """The source of all rolls of one match; ``seeds`` are the player seeds by seat, without empty ones."""

    match: int
    secret: str = field(repr=False)
    seeds: Mapping[Seat, str]

    def value(self, ply: int, chance: Chance) -> int:
        """Return the value of the roll after ``ply`` entries, from 1 to the number of faces."""
        seed_lines = "".join(f"\n{seat + 1}:{seed}" for seat, seed in sorted(self.seeds.items()) if seed)
        limit = _NUMBERS - _NUMBERS % chance.faces
        for attempt in count():
            text = f"{self.match}:{ply}:{chance.what}:{attempt}{seed_lines}"
            number = int.from_bytes(hmac.digest(self.secret.encode(), text.encode(), "sha256"), "big")
            if number < limit:
                return number % chance.faces + 1
        raise AssertionError("unreachable")

    def thought_seed(self, ply: int, seat: Seat) -> int:
        """Return what a robot at ``seat`` begins to think with after ``ply`` entries: a number below 2^63.

        It says nothing about rolls to come: each is another HMAC.
        """
        text = f"{self.match}:{ply}:robot:{seat + 1}"
        return int.from_bytes(hmac.digest(self.secret.encode(), text.encode(), "sha256"), "big") % _SEEDS


def commitment(secret: str) -> str:
    """Return the commitment to a secret: its SHA-256 in 64 hexadecimal digits, published before the first roll."""
    return hashlib.sha256(secret.encode()).hexdigest()


def clean_seed(text: str) -> str:
    """Return a player seed as it is used and published: on one line, without anything like an address."""
    printable = "".join(char if char.isprintable() and char != "@" else " " for char in text)
    return " ".join(printable.split())[:LONGEST_SEED].rstrip()


def fair_rolls_of(record: Record) -> FairRolls | None:
    """Return the source of the rolls of ``record``, from its notes; None for a record without a secret.

    Raise InvalidRecord when the notes contradict each other.
    """
    if not (secret := record.notes.get("secret")):
        return None
    if record.notes.get("commitment") != commitment(secret):
        raise InvalidRecord(
            "commitment_mismatch", "The SHA-256 of the line “secret: …” is not what the line “commitment: …” says."
        )
    number = number_of(record)
    seeds = {seat: record.notes.get(f"salt {seat + 1}", "") for seat in range(record.seats)}
    return FairRolls(number, secret, seeds)


def number_of(record: Record) -> int:
    """Return the number of the match that ``record`` tells. Raise InvalidRecord if there is none."""
    number = record.notes.get("match", "")
    if not number:
        raise InvalidRecord("match_number_missing", "The line “match: …” with the number of the match is missing.")
    if not _NUMBER.fullmatch(number):
        raise InvalidRecord(
            "no_match_number", f"The line “match: …” says {quote(number)}, which is no number of a match."
        )
    return int(number)


def verify_rolls(record: Record) -> int | None:
    """Recompute every roll of a record, and return their number; None for a record without a secret.

    Raise InvalidRecord, with its line, for the first wrong roll or illegal entry.
    """
    if (rolls := fair_rolls_of(record)) is None:
        return None
    verified = 0
    for ply, chance, recorded in _replay_rolls(record):
        if recorded != str(value := rolls.value(ply, chance)):
            line = record.lines[ply] if record.lines else None
            where = f"Line {line}, entry {ply + 1}," if line else f"Entry {ply + 1}"
            sentence = f"{where} is wrong: the lot “{chance.what}” fell on {value}, not on {quote(recorded)}."
            raise InvalidRecord("wrong_roll", sentence, ply=ply, line=line)
        verified += 1
    return verified


def rolls_in(record: Record) -> list[tuple[int, Chance]]:
    """Return every roll of a record with its ply. Raise InvalidRecord for an illegal entry."""
    return [(ply, chance) for ply, chance, _ in _replay_rolls(record)]


def _replay_rolls(record: Record) -> Iterator[tuple[int, Chance, str]]:
    """Replay a record and yield each roll: its ply, its chance node, and the recorded value."""
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
