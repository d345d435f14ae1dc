"""A process killed while due things are done loses none of them and does none twice."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from pbem.due.outages import RECEIVES, SENDS
from pbem.running.service import WAYPOINTS
from tests.support.club import Club, make_club, next_due, settings_in
from tests.support.examples import THOROUGH
from tests.support.fakes import FakeClock
from tests.support.mails import read
from tests.support.running import Kill, state

LATER, CLAIM = timedelta(days=3), timedelta(hours=1)
COMMIT = "commit"
PLACES = (*WAYPOINTS, COMMIT)
CONTROLS = (
    {"days": "3", "flag": "forfeit"},  # lost
    {"days": "3"},  # flagged: the player takes no days by themselves
    {"days": "3"},  # a day is used up
    {"days": "5"},  # a reminder
    {"days": "36h"},  # void: nobody has moved
    {"days": "3"},  # paused just then
)
FLAGGED, PAUSED, UNMOVED = 1, 5, 4


@dataclass(frozen=True)
class Morning:
    """A database when much is due at once, a message that waits, and what is kept when nothing goes wrong."""

    before: Path
    raw: list[bytes]
    undisturbed: dict[str, object]
    passed: dict[str, int]


async def _pass(club: Club, raw: list[bytes]) -> None:
    """Do everything there is to do, and once more when nobody is sending any longer."""
    club.mailbox.messages = list(raw)
    for _ in range(2):
        await club.service.poll()
        await club.service.deliver()
        club.clock.advance(CLAIM)


@contextmanager
def _watched(at: Callable[[str], None]) -> Iterator[None]:
    """Call ``at`` before every commit."""

    def before_commit(connection: object) -> None:
        at(COMMIT)

    event.listen(Engine, "commit", before_commit)
    try:
        yield
    finally:
        event.remove(Engine, "commit", before_commit)


def _kept(club: Club) -> dict[str, object]:
    """Return all that is kept of matches, emails, clocks, and what happened to them, and what is due."""
    with club.service.database.reading() as tx:
        matches = tx.matches.all()
        clocks = [(match.clock, match.ruling, [player.calendar for player in match.players]) for match in matches]
        logs = [tx.clocks.log(match.id) for match in matches]
        due = next_due(tx, club.clock.now())
    return state(club) | {"clocks": clocks, "logs": logs, "due": due}


@pytest.fixture(scope="module")
def morning(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Morning:
    """Six matches in which something is due, or has just been agreed, at the same moment."""
    directory = tmp_path_factory.mktemp("morning")
    passed = dict.fromkeys(PLACES, 0)

    def at(here: str) -> None:
        passed[here] += 1

    club = make_club(settings_in(directory, blank_database), at=at)
    for number, control in enumerate(CONTROLS):
        club.open(
            "pipline", (f"Ann{number} <ann{number}@a.example>", f"Bob{number} <bob{number}@b.example>"), **control
        )
        if number != UNMOVED:
            club.reply(0, "c3", match=number + 1)
    with club.service.database.transaction() as tx:
        careful = tx.players.find(f"bob{FLAGGED}@b.example")
        assert careful is not None
        tx.players.set_calendar(careful, replace(careful.calendar, automatic=False), club.clock.now())
    asyncio.run(club.service.deliver())
    club.reply(0, "pause 4d", match=PAUSED + 1)
    raw = [club.answer(club.newest(1, PAUSED + 1), "pause 1d")]  # three days later, so the same pause
    asyncio.run(club.service.deliver())
    club.clock.advance(LATER)
    with club.service.database.transaction() as tx:
        for name in (RECEIVES, SENDS):  # as it has done all the time
            tx.heartbeats.beat(name, club.clock.now() - timedelta(minutes=1))
    before = directory / "before.db"
    club.service.database.copy_to(before)
    passed.update(dict.fromkeys(PLACES, 0))
    with _watched(at):
        asyncio.run(_pass(club, raw))
    undisturbed = _kept(club)
    club.service.database.close()
    return Morning(before, raw, undisturbed, passed)


def _due_clock() -> FakeClock:
    """Return a clock that shows the moment at which much is due."""
    clock = FakeClock()
    clock.advance(LATER)
    return clock


def test_much_happens_when_nothing_goes_wrong(morning: Morning) -> None:
    """A match is lost, one flagged, one void, one paused, a day is used up, and one reminder goes out."""
    logs = morning.undisturbed["logs"]
    assert isinstance(logs, list)
    happened = {entry.kind for log in logs for entry in log}
    assert {"flagged", "automatic_day", "voided", "paused"} <= happened
    mails = morning.undisturbed["outbound"]
    assert isinstance(mails, list)
    assert [kind for _, kind, _, _ in mails].count("reminder") == 1
    assert {status for *_, status in mails} == {"sent"}
    assert all(morning.passed.values())


@pytest.mark.parametrize("place", PLACES)
def test_a_crash_loses_nothing_that_is_due_and_does_nothing_twice(
    morning: Morning, tmp_path: Path, new_club: Callable[..., Club], place: str
) -> None:
    """Killed at any point or before any commit, and started again, the service ends where an undisturbed one ends."""
    for count in range(1, morning.passed[place] + 1, 1 if THOROUGH else 5):
        shutil.copy(morning.before, tmp_path / "pbem.db")
        _compare(morning, new_club, place, count)


def _compare(morning: Morning, new_club: Callable[..., Club], place: str, count: int) -> None:
    """Kill a service where it comes by a place for the ``count``th time, and compare what the next one makes of it."""
    came_by = 0

    def at(here: str) -> None:
        nonlocal came_by
        came_by += here == place
        if here == place and came_by == count:
            raise Kill

    crashing = new_club(at=at, clock=_due_clock())
    with _watched(at), pytest.raises(Kill):
        asyncio.run(_pass(crashing, morning.raw))
    crashing.service.database.close()
    restarted = new_club(clock=_due_clock(), courier=crashing.courier)
    asyncio.run(_pass(restarted, morning.raw))
    assert _kept(restarted) == morning.undisturbed, (place, count)
    restarted.service.database.close()
    sent = [str(read(mail)["Message-ID"]) for _, mail in restarted.courier.carried]
    assert len(sent) - len(set(sent)) <= 1
