"""Hands messages in, and says what is wrong with how they end; whatever it did is undone."""

import unicodedata
from pathlib import Path
from time import process_time

from pbem.mail.message import InboundMessage, parse
from pbem.match.match import Match
from pbem.running.service import Service
from pbem.storage.database import Database
from rules.position import Entry
from tests.corpus.tables import Table, settings
from tests.corpus.templates import Case
from tests.support.club import OPERATOR
from tests.support.fakes import FakeClock, FakeDice

_ENDINGS = ("accepted", "rejected", "discarded", "failed")


class Judge:
    """The service of the corpus, to which spoiled messages are handed."""

    def __init__(self, directory: Path, tables: dict[str, Table]) -> None:
        self._directory = directory
        self._store = Database(settings(directory).database_url)
        with self._store.reading() as tx:
            self._plies = {table.number: len(_record(tx.matches.get(table.number))) for table in tables.values()}

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    def findings(self, raw: bytes, *, silent: bool = False) -> list[str]:
        """Return what is wrong with the end of a message; ``silent``: no move can have been written in it."""
        with self._store.rehearsal() as rehearsed:
            service = Service(settings(self._directory), rehearsed, clock=FakeClock(), dice=FakeDice(9))
            started = process_time()
            try:
                arrival = service.hand_in(raw)
            except Exception as bug:  # which is just what must not happen
                return [f"{type(bug).__name__}: {bug}"]
            seconds = process_time() - started
            message = arrival.message
            with rehearsed.reading() as tx:
                played = [
                    entry.text
                    for number, ply in self._plies.items()
                    for entry in _record(tx.matches.get(number))[ply:]
                    if entry.seat is not None
                ]
        wrong = []
        if message.status not in _ENDINGS:
            wrong.append(f"an ending of no name: {message.status}")
        if message.status == "failed" and message.reason not in ("unreadable", "too_large"):
            wrong.append(f"failed: {message.reason}")
        if message.status in ("discarded", "failed") and any(
            mail.recipient != OPERATOR and mail.recipient == message.sender for mail in arrival.outbound
        ):
            wrong.append("answered what needs no answer")
        if seconds > 1:
            wrong.append(f"took {seconds:.1f} seconds")
        wrong += [f"made up {move}" for move in played[:1] if message.status != "accepted" or not _stands(move, raw)]
        if silent and played:
            wrong.append(f"nobody wrote {played[0]}")
        return wrong


def silent(one: Case) -> bool:
    """Return whether all moves in a message stand in the notice that it quotes, or in nothing that is ever shown."""
    kinds = ("gmail-empty", "outlook", "notice-alone", "marked-and", "notice-with", "linked")
    return one.group == "nothing_new" and "disorder" not in one.name and any(kind in one.name for kind in kinds)


def _record(match: Match | None) -> tuple[Entry, ...]:
    """Return a match's entries."""
    assert match is not None
    return match.record


def _stands(move: str, raw: bytes) -> bool:
    """Return whether every word of a move stands in one line of the message, or in its subject."""
    message = parse(raw)
    lines = [*_shown(message), message.subject]
    return any(all(word in line for word in move.split()) for line in map(_folded, lines))  # “I 5” is i5, too


def _shown(message: InboundMessage) -> list[str]:
    """Return the lines of all that a message may show."""
    return [line for text in (message.text, *message.texts) for line in text.splitlines()]


def _folded(line: str) -> str:
    """Return a line in small letters, without spaces, what is not seen, and what may part a letter from its number."""
    plain = unicodedata.normalize("NFKC", line).lower()
    return "".join(
        char for char in plain if unicodedata.category(char) not in ("Cf", "Cc", "Mn", "Zs") and char not in ".:_–-"
    )
