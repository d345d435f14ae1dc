"""Runs the answers of a file through the real line, each in a match of its own, and judges what became of them."""

import re
import shutil
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.running.service import Arrival, Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from rules.position import Seat
from tests.support.club import ADDRESS, OPERATOR, PLAYERS, SECRET
from tests.support.fakes import FakeClock, FakeDice
from tests.support.mails import html_of, message, read, text_of

_WORDS = re.compile(r"(say|team):|salt ")


@dataclass(frozen=True)
class Answer:
    """What somebody wrote, and what is right: to carry out ``done``, or, where it is ``unclear``, to ask.

    What is unclear only for its private words has both: its move may be made without them. ``words`` says whether
    words must be passed on with the move, and ``private`` is a fragment that no opponent may read.
    """

    name: str
    setting: str
    category: str
    language: str
    text: str
    done: tuple[str, ...]
    unclear: bool
    words: bool
    private: str


@dataclass(frozen=True)
class Result:
    """What became of an answer: the commands carried out, words left out, and the mails that it led to."""

    answer: Answer
    status: str
    reason: str
    commands: tuple[str, ...]
    passed_on: bool
    leaked: bool
    answered: bool

    @property
    def right(self) -> bool:
        """Whether just what was wanted was done: the commands, or none, and then the writer was told why."""
        if not self.commands:
            return self.answer.unclear and self.answered
        return self.commands == self.answer.done

    @property
    def wrong(self) -> bool:
        """Whether something was carried out that was not wanted; a part of what was wanted is wrong, too."""
        return bool(self.commands) and not self.right

    @property
    def words_lost(self) -> bool:
        """Whether the move was made, but the words that belong to it were not passed on."""
        return self.answer.words and self.right and not self.passed_on


def read_answers(path: Path) -> tuple[Mapping[str, Any], list[Answer]]:
    """Return the settings of a file by name, and its answers."""
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    answers = [
        Answer(
            f"{path.stem} {number:03}",
            one["setting"],
            one["category"],
            one["language"],
            one["text"].strip("\n"),
            tuple(one.get("done", ())),
            one.get("asked", False),
            one.get("words", False),
            one.get("private", ""),
        )
        for number, one in enumerate(given["answer"], start=1)
    ]
    return given["settings"], answers


class Table:
    """One setting: a match played so far in a database of its own, and who is to answer which notice."""

    def __init__(self, directory: Path, blank_database: Path, name: str, setting: Mapping[str, Any]) -> None:
        path = directory / f"{name}.db"
        shutil.copy(blank_database, path)
        self.settings = Settings(address=ADDRESS, secret=SECRET, operator=OPERATOR, database_url=f"sqlite:///{path}")
        self.database = Database(self.settings.database_url)
        service = self._service(self.database, setting.get("lots", 1))
        match = service.open(setting["game"], PLAYERS[: setting["seats"]], setting.get("options", {}))
        if match.awaits_seeds:
            for seat in range(setting["seats"]):
                self._play(service, seat, "ready")
        for text in setting["record"]:
            self._play(service, self._to_act(self.database), text)
        self.writer = self._to_act(self.database)
        self._head = self._head_of_reply(self.database, self.writer)
        with self.database.reading() as tx:
            found = tx.matches.get(1, comments=True)
        assert found is not None
        self.match = found
        side = found.position.side(self.writer)
        self._opponents = {found.players[seat].email for seat in range(len(found.players)) if seat not in side}

    def answer(self, one: Answer) -> Result:
        """Return what becomes of an answer; nothing of it stays."""
        with self.database.rehearsal() as rehearsed:
            arrival = self._hand_in(self._service(rehearsed, 1), self._head, one.text)
            with rehearsed.reading() as tx:
                after = tx.matches.get(1, comments=True)
                read_by_opponents = [
                    read(tx.outbound.raw(mail.id)) for mail in arrival.outbound if mail.recipient in self._opponents
                ]
        assert after is not None
        said = [comment.text for comment in after.comments[len(self.match.comments) :] if not comment.to_side]
        leaks = [*said, *(part(mail) for mail in read_by_opponents for part in (text_of, html_of))]
        carried_out = tuple(command for command in arrival.message.commands if not _WORDS.match(command))
        own = [new.text for new in after.record[self.match.ply :] if new.seat == self.writer]
        assert carried_out or not own, (one.name, own)
        return Result(
            one,
            arrival.message.status,
            arrival.message.reason or "",
            carried_out,
            bool(said),
            bool(one.private) and any(_plain(one.private) in _plain(text) for text in leaks),
            any(mail.recipient == self.match.players[self.writer].email for mail in arrival.outbound),
        )

    def _service(self, database: Database, lots: int) -> Service:
        return Service(self.settings, database, clock=FakeClock(), dice=FakeDice(lots), budget=60)

    def _to_act(self, database: Database) -> Seat:
        with database.reading() as tx:
            match = tx.matches.get(1)
        assert match is not None
        assert isinstance(match.to_act, int), match.to_act
        return match.to_act

    def _play(self, service: Service, seat: Seat, text: str) -> None:
        arrival = self._hand_in(service, self._head_of_reply(service.database, seat), text)
        assert arrival.message.status == "accepted", (text, arrival.message.reason, arrival.message.detail)

    def _hand_in(self, service: Service, head: dict[str, str], text: str) -> Arrival:
        return service.hand_in(message(text, **head))

    def _head_of_reply(self, database: Database, seat: Seat) -> dict[str, str]:
        """Return the headers with which a seat answers the newest notice to it."""
        with database.reading() as tx:
            newest = next(mail for mail in tx.outbound.latest(limit=1000) if mail.seat == seat)
            notice = read(tx.outbound.raw(newest.id))
        return {
            "From": PLAYERS[seat],
            "To": str(notice["Reply-To"]),
            "Subject": f"Re: {notice['Subject']}",
            "Message_ID": f"<reply-to-{newest.id}@players.example>",
            "In_Reply_To": str(notice["Message-ID"]),
            "Content_Type": "text/plain; charset=utf-8",
            "Content_Transfer_Encoding": "8bit",
        }


@contextmanager
def laid(directory: Path, blank_database: Path, settings: Mapping[str, Any]) -> Iterator[Mapping[str, Table]]:
    """Yield the table of each setting, played so far in ``directory``."""
    tables = {name: Table(directory, blank_database, name, setting) for name, setting in settings.items()}
    try:
        yield tables
    finally:
        for table in tables.values():
            table.database.close()


def measure(path: Path, directory: Path, blank_database: Path) -> list[Result]:
    """Return what becomes of each answer of a file."""
    settings, answers = read_answers(path)
    with laid(directory, blank_database, settings) as tables:
        return [tables[one.setting].answer(one) for one in answers]


def misses(results: Iterable[Result]) -> list[str]:
    """Return a line for each clear answer that is not carried out, and for each whose words are lost."""
    missed = [one for one in results if not one.answer.unclear and (not one.right or one.words_lost)]
    return [f"{'words lost: ' if one.right else ''}{_on_one_line(one.answer.text)}" for one in missed]


def faults(results: Iterable[Result]) -> Iterator[str]:
    """Yield a line for each answer that is wrongly carried out, and for each whose private words leak."""
    for one in results:
        if one.wrong:
            yield f"{' | '.join(one.commands)} <- {_on_one_line(one.answer.text)}\n"
        elif one.leaked:
            yield f"leaks: {_on_one_line(one.answer.text)}\n"


def report(results: list[Result]) -> str:
    """Return the figures by category and by language, and everything that went wrong with its text."""
    parts = [
        _table("category", results, lambda one: one.category),
        _table("language", results, lambda one: one.language),
    ]
    lists = {
        "wrongly carried out": [one for one in results if one.wrong],
        "private words leaked": [one for one in results if one.leaked],
        "clear, not carried out": [one for one in results if not one.answer.unclear and not one.commands],
        "words lost": [one for one in results if one.words_lost],
        "unclear, neither played nor answered": [
            one for one in results if one.answer.unclear and not one.commands and not one.answered
        ],
    }
    for title, found in lists.items():
        parts.append("\n".join([f"{title}: {len(found)}", *map(_line, found)]))
    return "\n\n".join(parts) + "\n"


def _table(title: str, results: list[Result], key: Callable[[Answer], str]) -> str:
    """Return the figures, a row for each value of ``key``."""
    rows = [f"{title:<24}{'clear':>8}{'done':>8}{'unclear':>10}{'asked':>8}{'wrong':>8}{'leaked':>8}"]
    for name in [*sorted({key(one.answer) for one in results}), "all"]:
        group = [one for one in results if name in ("all", key(one.answer))]
        clear = [one for one in group if not one.answer.unclear]
        unclear = [one for one in group if one.answer.unclear]
        figures = (len(clear), sum(one.right for one in clear), len(unclear), sum(one.right for one in unclear))
        faults = (sum(one.wrong for one in group), sum(one.leaked for one in group))
        widths = (8, 8, 10, 8, 8, 8)
        rows.append(
            f"{name:<24}"
            + "".join(f"{value:>{width}}" for value, width in zip((*figures, *faults), widths, strict=True))
        )
    return "\n".join(rows)


def _line(one: Result) -> str:
    answer = one.answer
    wanted = " | ".join(answer.done) or "asked"
    got = " | ".join(one.commands) or one.reason or one.status
    return f"  {answer.name} {answer.setting} [{answer.category}] {_on_one_line(answer.text)}\n      {wanted} -> {got}"


def _on_one_line(text: str) -> str:
    return " / ".join(text.split("\n"))


def _plain(text: str) -> str:
    return " ".join(text.replace("&#39;", "'").replace("&amp;", "&").split()).casefold()
