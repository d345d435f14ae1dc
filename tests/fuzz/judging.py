"""Hands letters in, and says what is wrong with how they end; whatever it did is undone."""

import unicodedata
from pathlib import Path
from time import process_time

from pbem.letter import Letter, open_letter
from pbem.match import Match
from pbem.service import Service
from pbem.store import Store
from rules import Entry
from tests.letters.tables import Table, settings
from tests.letters.templates import Case
from tests.support.club import OPERATOR
from tests.support.fakes import FakeClock, FakeDice

_ENDINGS = ("accepted", "rejected", "discarded", "failed")


class Judge:
    """The service of the corpus, to which spoiled letters are handed."""

    def __init__(self, directory: Path, tables: dict[str, Table]) -> None:
        self._directory = directory
        self._store = Store(settings(directory).database_url)
        with self._store.reading() as work:
            self._plies = {table.number: len(_record(work.match(table.number))) for table in tables.values()}

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    def findings(self, raw: bytes, *, silent: bool = False) -> list[str]:
        """Return what is wrong with the end of a letter; ``silent``: no move can have been written in it."""
        with self._store.rehearsal() as rehearsed:
            service = Service(settings(self._directory), rehearsed, clock=FakeClock(), dice=FakeDice(9))
            started = process_time()
            try:
                arrival = service.hand_in(raw)
            except Exception as bug:  # which is just what must not happen
                return [f"{type(bug).__name__}: {bug}"]
            seconds = process_time() - started
            letter = arrival.letter
            with rehearsed.reading() as work:
                played = [
                    entry.text
                    for number, ply in self._plies.items()
                    for entry in _record(work.match(number))[ply:]
                    if entry.seat is not None
                ]
        wrong = []
        if letter.status not in _ENDINGS:
            wrong.append(f"an ending of no name: {letter.status}")
        if letter.status == "failed" and letter.reason not in ("unreadable", "too_large"):
            wrong.append(f"failed: {letter.reason}")
        if letter.status in ("discarded", "failed") and any(
            mail.recipient != OPERATOR and mail.recipient == letter.sender for mail in arrival.mails
        ):
            wrong.append("answered what needs no answer")
        if seconds > 1:
            wrong.append(f"took {seconds:.1f} seconds")
        wrong += [f"made up {move}" for move in played[:1] if letter.status != "accepted" or not _stands(move, raw)]
        if silent and played:
            wrong.append(f"nobody wrote {played[0]}")
        return wrong


def silent(one: Case) -> bool:
    """Tell whether all moves in a letter stand in the notice that it quotes, or in nothing that is ever shown."""
    kinds = ("gmail-empty", "outlook", "notice-alone", "marked-and", "notice-with", "linked")
    return one.group == "nothing_new" and "disorder" not in one.name and any(kind in one.name for kind in kinds)


def _record(match: Match | None) -> tuple[Entry, ...]:
    """Return a match's entries."""
    assert match is not None
    return match.record


def _stands(move: str, raw: bytes) -> bool:
    """Tell whether every word of a move stands in one line of the letter, or in its subject."""
    letter = open_letter(raw)
    lines = [*_shown(letter), letter.subject]
    return any(all(word in line for word in move.split()) for line in map(_folded, lines))  # “I 5” is i5, too


def _shown(letter: Letter) -> list[str]:
    """Return the lines of all that a letter may show."""
    return [line for text in (letter.text, *letter.texts) for line in text.splitlines()]


def _folded(line: str) -> str:
    """Return a line in small letters, without spaces, what is not seen, and what may part a letter from its number."""
    plain = unicodedata.normalize("NFKC", line).lower()
    return "".join(
        char for char in plain if unicodedata.category(char) not in ("Cf", "Cc", "Mn", "Zs") and char not in ".:_–-"
    )
