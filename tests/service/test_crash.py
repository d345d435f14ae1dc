"""A process killed at any point loses nothing and repeats nothing."""

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.running.service import WAYPOINTS
from tests.support.club import Club, make_club, settings_in
from tests.support.fakes import FakeClock
from tests.support.mails import read
from tests.support.running import Kill, state


@dataclass(frozen=True)
class Evening:
    """A database before some messages arrive, these messages, and all that is kept when nothing went wrong."""

    before: Path
    raw: list[bytes]
    undisturbed: dict[str, object]


async def _pass(club: Club, raw: list[bytes]) -> None:
    """Let messages arrive, and do everything there is to do."""
    club.mailbox.messages = list(raw)
    await club.service.poll()
    await club.service.deliver()


@pytest.fixture(scope="module")
def evening(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """An evening on which nothing goes wrong."""
    directory = tmp_path_factory.mktemp("evening")
    club = make_club(settings_in(directory, blank_database))
    club.open()
    wanted = ((0, "help"), (0, "c3\nhello"), (1, "show"), (1, "say: hm"), (0, "c4"))
    raw = [club.answer(club.newest(seat), text) for seat, text in wanted]
    asyncio.run(club.service.deliver())
    before = directory / "before.db"
    club.service.database.copy_to(before)
    asyncio.run(_pass(club, raw))
    undisturbed = state(club)
    club.service.database.close()
    return Evening(before, raw, undisturbed)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("waypoint", WAYPOINTS)
async def test_a_crash_loses_nothing_and_repeats_nothing(
    evening: Evening, tmp_path: Path, new_club: Callable[..., Club], waypoint: str, count: int
) -> None:
    """Killed at any point and started again, the service ends where an undisturbed one ends.

    At most one email is sent twice, and the Message-ID tells it.
    """
    shutil.copy(evening.before, tmp_path / "pbem.db")
    passed = 0

    def at(here: str) -> None:
        nonlocal passed
        passed += here == waypoint
        if here == waypoint and passed == count:
            raise Kill

    crashing = new_club(at=at)
    with pytest.raises(Kill):
        await _pass(crashing, evening.raw)
    crashing.service.database.close()
    restarted = new_club(clock=FakeClock(), courier=crashing.courier)
    restarted.clock.advance(timedelta(minutes=60))
    await _pass(restarted, evening.raw)
    assert state(restarted) == evening.undisturbed
    sent = [str(read(mail)["Message-ID"]) for _, mail in restarted.courier.carried]
    assert len(sent) - len(set(sent)) <= 1
    assert len(set(sent)) == len([mail for mail in restarted.queued() if mail.inbound])
