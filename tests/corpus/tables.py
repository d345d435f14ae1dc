"""The matches that the messages of the corpus belong to: always the same ones, with the same notices and tokens."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from pbem.mail.message import InboundMessage, parse
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from rules.games import GAMES
from rules.position import Seat
from tests.support.club import ADDRESS, OPERATOR, PLAYERS, SECRET
from tests.support.fakes import FakeClock, FakeDice

REMARK = "Now it gets tight on the left. I thought you would play c8, or h8 with a little luck"
"""What Ann wrote with the move that Bob is to answer: tempting when it comes back as a quotation."""

# The first one named writes the messages, unless a message says otherwise.
_OPENED: dict[str, tuple[str, int, dict[str, object]]] = {
    "zipline": ("zipline", 3, {"size": 9}),
    "snipsnip": ("snipsnip", 2, {"board": "equi-3-5"}),
    "pippip": ("pippip", 2, {}),
    "auction": ("pipline", 2, {"size": 9}),
    "pipelines": ("pipelines", 2, {"size": 7}),
    "over": ("zipline", 2, {"size": 7}),
    "lots": ("pippip", 2, {}),
}
_PLAYED: dict[str, tuple[str, ...]] = {
    "zipline": ("d8 b4", "g6", "take", "c5", "d6", "c6", f"e7\n{REMARK}"),
    "snipsnip": ("b3",),
    "pippip": ("", ""),
    "auction": (),
    "pipelines": ("", "", ""),
    "over": ("resign",),
    "lots": (),
}


@dataclass(frozen=True)
class Table:
    """One of the matches: its number, who writes the messages, and the emails to each seat, oldest first."""

    number: int
    writer: Seat
    mails: dict[Seat, tuple[InboundMessage, ...]]


def settings(directory: Path) -> Settings:
    """Return the settings of the service that the messages are written to, its database in ``directory``."""
    database = f"sqlite:///{directory / 'pbem.db'}"
    return Settings(address=ADDRESS, secret=SECRET, operator=OPERATOR, database_url=database)


def service(directory: Path) -> Service:
    """Return that service."""
    return Service(settings(directory), Database(settings(directory).database_url), clock=FakeClock(), dice=FakeDice(9))


def lay(blank_database: Path, directory: Path) -> dict[str, Table]:
    """Open the matches in a copy of ``blank_database``, play them so far, and return them by name."""
    shutil.copy(blank_database, directory / "pbem.db")
    served = service(directory)
    tables = {name: _laid(served, name, number) for number, name in enumerate(_OPENED, start=1)}
    served.database.close()
    return tables


def _laid(served: Service, name: str, number: int) -> Table:
    """Open one match and play it so far."""
    key, seats, options = _OPENED[name]
    match = served.open(key, PLAYERS[:seats], options)
    assert match.id == number
    if match.awaits_seeds and _PLAYED[name]:
        for seat in range(seats):
            _reply(served, number, seat, "ready", f"{name}-ready-{seat}")
    for count, words in enumerate(_PLAYED[name]):
        with served.database.reading() as tx:
            now = tx.matches.get(number)
        assert now is not None
        assert isinstance(now.to_act, int)
        _reply(served, number, now.to_act, words or now.position.prompt().example, f"{name}-{count}")
    return table(served, number)


def table(served: Service, number: int) -> Table:
    """Return a match of a service as it stands."""
    with served.database.reading() as tx:
        match = tx.matches.get(number)
        assert match is not None
        mails = {
            seat: tuple(
                parse(tx.outbound.raw(mail.id))
                for mail in reversed(tx.outbound.latest(limit=1000))
                if (mail.match, mail.seat) == (number, seat)
            )
            for seat in range(len(match.players))
        }
    return Table(number, match.to_act if isinstance(match.to_act, int) else 0, mails)


def _reply(served: Service, number: int, seat: Seat, words: str, name: str) -> None:
    """Let a seat answer the newest email to it."""
    with served.database.reading() as tx:
        mail = next(mail for mail in tx.outbound.latest(limit=1000) if (mail.match, mail.seat) == (number, seat))
        notice = parse(tx.outbound.raw(mail.id))
    head = (
        f"From: {PLAYERS[seat]}\nTo: {notice.header('Reply-To')}\nSubject: Re: x\nMessage-ID: <{name}@earlier.example>"
    )
    arrival = served.hand_in(f"{head}\n\n{words}\n".encode())
    assert arrival.message.status == "accepted", (name, arrival.message.reason, arrival.message.detail)


_missing = set(GAMES) - {key for key, _, _ in _OPENED.values()}
assert not _missing, f"add {_missing} at the ends of _OPENED and _PLAYED, which number the matches"
