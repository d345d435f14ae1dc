"""Two services with one mailbox, as processes at a real Dovecot: the second stops, until it is given the mailbox."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.e2e.program import pbem, serving
from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.line import ANN, BOB, GAMES, answer, call, settled

pytestmark = pytest.mark.slow("needs real mail servers")


@pytest.fixture
async def machines(environment: dict[str, str], tmp_path: Path) -> list[Path]:
    """Two directories, each with settings and a database of its own."""
    made = [tmp_path / "old", tmp_path / "new"]
    for directory in made:
        directory.mkdir()
        await pbem(directory, environment, "init", GAMES)
    return made


async def test_a_second_service_stops_and_says_so(
    dovecot: Dovecot, environment: dict[str, str], machines: list[Path]
) -> None:
    """``run`` and ``poll`` end with 78 before they answer anything, and ``doctor`` says the same; the first goes on."""
    old, new = machines
    await pbem(old, environment, "open", "pipline", ANN, BOB)
    notice = (await pbem(old, environment, "outbound", "show", "1", "--raw")).encode()
    complaint = r".* WARNING put_off task=deliver: .*"  # nothing listens where it should send
    async with serving(old, environment, complains=complaint):
        await _has_note(dovecot)
        dovecot.put(GAMES, answer(notice, "c3"))
        for command in ("run", "poll"):
            refused = await call(new, environment, command)
            assert (refused.code, refused.out) == (78, "")
            lines = [line for line in refused.err.splitlines() if " INFO " not in line]
            assert len(lines) == 1
            assert re.fullmatch(rf"pbem: The mailbox \S+ is read by {old}/pbem\.db on \S+ since .*", lines[0])
        found = await call(new, environment, "doctor")
        assert f"✗ mailbox   The mailbox {GAMES}@127.0.0.1:{dovecot.port}/INBOX is read by {old}/pbem.db" in found.out
        await settled(old, 1)
    assert "c3" in await pbem(old, environment, "export", "1")
    assert await pbem(new, environment, "inbound", "list") == "No messages.\n"
    assert "✓ mailbox " in (await call(old, environment, "doctor")).out


async def test_the_mailbox_is_taken_over_on_purpose(
    dovecot: Dovecot, environment: dict[str, str], machines: list[Path]
) -> None:
    """Only with a yes; then the other service is the one that stops. The mailbox itself has only what arrived."""
    old, new = machines
    assert (await call(old, environment, "poll")).code == 0
    unsure = await call(new, environment, "take-over")
    assert (unsure.code, unsure.out) == (64, "")
    told = await pbem(new, environment, "take-over", "--yes")
    assert re.fullmatch(
        rf"The mailbox \S+ is this database’s now\.\nWhat reads it now, {old}/pbem\.db on \S+, stops .*\n", told
    )
    assert (await call(new, environment, "poll")).code == 0
    assert (await call(old, environment, "poll")).code == 78
    assert dovecot.messages(GAMES) == []
    seen = dovecot.admin("fetch", "-u", GAMES, "flags hdr.subject", "mailbox", "pbem-owner", "all")
    assert seen.count("\\Seen") == 1
    assert "please leave this note here" in seen


async def test_of_two_services_that_start_together_one_serves(
    dovecot: Dovecot, environment: dict[str, str], machines: list[Path]
) -> None:
    """Whichever it is; afterwards there is one note, and it is that of whoever serves."""
    polls = await asyncio.gather(*(call(directory, environment, "poll") for directory in machines))
    assert sorted(poll.code for poll in polls) == [0, 78]
    assert dovecot.admin("fetch", "-u", GAMES, "uid", "mailbox", "pbem-owner", "all").count("uid:") == 1
    again = [(await call(directory, environment, "poll")).code for directory in machines]
    assert again == [poll.code for poll in polls]


async def _has_note(dovecot: Dovecot) -> None:
    """Wait until a service has put its note into the mailbox."""
    async with asyncio.timeout(20):
        # Only the server tells, and it announces nothing.
        while "pbem-owner" not in await asyncio.to_thread(dovecot.admin, "mailbox", "list", "-u", GAMES):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
