"""The mailbox at a real Dovecot: nothing is lost and nothing applied twice, whatever the server does meanwhile."""

import asyncio
import re
import signal
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.errors import LoginRefused, MailboxLost
from tests.e2e.messages import reply
from tests.e2e.program import PATIENCE, pbem, serving
from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.line import ANN, BOB, GAMES, Line, answer, call, settled
from tests.e2e.real.tap import Tap

pytestmark = pytest.mark.slow("needs real mail servers")

MANY = 2_000


def note(number: int, body: str = "Can anybody take part?", **headers: str) -> bytes:
    """Return a message from a stranger."""
    sender = f"stranger{number}@elsewhere.example"
    return reply(sender, GAMES, body, message_id=f"<{number}@elsewhere.example>", **headers)


@pytest.mark.parametrize("how", ["told", "lost", "lost meanwhile"])
async def test_a_mailbox_that_is_numbered_anew_is_read_on(line: Line, how: str) -> None:
    """When a server gives its messages new numbers, those read before are known and the new one is read."""
    dovecot = line.dovecot
    dovecot.renumber(GAMES, 1)  # else the next number is the same, if it is given in the same second
    line.service.open("pipline", [ANN, BOB], {"size": 5})
    dovecot.put(GAMES, line.answer(ANN, "c3"), note(1))
    assert await line.service.poll() == 2
    dovecot.put(GAMES, line.answer(BOB, "take"))
    if how == "told":
        dovecot.renumber(GAMES, 4711)
    elif how == "lost meanwhile":
        dovecot.forget_numbers(GAMES)
    else:
        dovecot.stop(signal.SIGKILL)
        dovecot.forget_numbers(GAMES)
        dovecot.start()
    assert await line.poll() == 1
    # Who is there while the numbers get lost may give the old ones again.
    assert how == "lost meanwhile" or dovecot.uidvalidity(GAMES) != 1
    assert line.moves() == ["c3", "take"]
    assert [message.status for message in line.messages()] == ["accepted", "rejected", "accepted"]
    dovecot.put(GAMES, line.answer(ANN, "b1"))
    assert await line.poll() == 1
    assert await line.poll() == 0


async def test_a_mailbox_that_was_emptied_and_made_anew_is_read_from_its_beginning(line: Line) -> None:
    """A message counts whose number in the new mailbox is one that another message had in the old.

    So does one in a restored mailbox, under the numbers and the UIDVALIDITY of before; and what lies behind a message
    that the server cannot open, which is read when it can.
    """
    line.service.open("pipline", [ANN, BOB], {"size": 5})
    line.dovecot.put(GAMES, note(1), note(2), line.answer(ANN, "c3"))
    assert await line.service.poll() == 3
    line.dovecot.make_anew(GAMES)
    line.dovecot.put(GAMES, line.answer(BOB, "take"), note(3))
    assert await line.poll() == 2
    assert line.moves() == ["c3", "take"]

    uidvalidity = line.dovecot.uidvalidity(GAMES)
    line.dovecot.make_anew(GAMES)
    line.dovecot.put(GAMES, line.answer(ANN, "b1"))
    line.dovecot.renumber(GAMES, uidvalidity)
    assert await line.poll() == 1
    assert line.moves() == ["c3", "take", "b1"]

    line.dovecot.put(GAMES, note(4))
    line.dovecot.close_newest(GAMES)
    line.dovecot.put(GAMES, line.answer(BOB, "d2"))
    assert await line.poll() == 1
    assert line.moves() == ["c3", "take", "b1", "d2"]
    with line.service.database.reading() as tx:
        assert len(tx.unread.all()) == 1
    line.dovecot.open_all(GAMES)
    assert await line.poll() == 1
    with line.service.database.reading() as tx:
        assert tx.unread.all() == []


async def test_thousands_of_messages_wait(dovecot: Dovecot, environment: dict[str, str], tmp_path: Path) -> None:
    """Old mail is passed over at first contact, as much as there may be; of new mail not one message is left out."""
    long_ago = datetime.now(UTC) - timedelta(days=10)
    dovecot.put(GAMES, *(note(number) for number in range(MANY)), at=long_ago)
    await pbem(tmp_path, environment, "init", GAMES)
    notice = await opened(tmp_path, environment)
    first = await call(tmp_path, environment, "poll")
    assert (first.code, first.out, first.err) == (0, "0 new messages.\n", "")
    assert first.seconds < 20

    away = [note(number, "I am away.", Auto_Submitted="auto-replied") for number in range(MANY, 2 * MANY - 1)]
    dovecot.put(GAMES, *away, answer(notice, "c3"))
    second = await call(tmp_path, environment, "poll")
    assert (second.code, second.out) == (0, f"{MANY} new messages.\n")
    assert second.megabytes < 200
    assert "c3" in await pbem(tmp_path, environment, "export", "1")
    kept = await pbem(tmp_path, environment, "inbound", "list", "--limit", "100000", "--status", "discarded", "--json")
    assert kept.count('"reason": "automatic"') == MANY - 1
    mails = await pbem(tmp_path, environment, "outbound", "list", "--limit", "100000", "--json")
    assert "elsewhere.example" not in mails
    assert (await call(tmp_path, environment, "poll")).out == "0 new messages.\n"


async def test_an_oversized_message_is_read_in_part(line: Line) -> None:
    """Of 30 MB only the head is fetched; a player is told that it was too much, and the line goes on."""
    line.service.open("pipline", [ANN, BOB], {"size": 5})
    assert await line.service.poll() == 0
    picture = b"QUJD" * 19 + b"\r\n"
    huge = line.answer(ANN, "c3").rstrip() + b"\r\n" + picture * (30_000_000 // len(picture))
    stranger = note(1).rstrip() + b"\r\n" + picture * (30_000_000 // len(picture))
    line.dovecot.put(GAMES, huge, stranger, line.answer(ANN, "b2"))
    assert await line.service.poll() == 3
    await line.service.disconnect()
    first, second, third = line.messages()
    assert (first.status, first.reason) == ("rejected", "too_large")
    assert (second.status, third.status) == ("rejected", "accepted")
    assert line.moves() == ["b2"]
    with line.service.database.reading() as tx:
        assert [len(tx.inbound.raw(message.id)) <= 200_000 for message in line.messages()] == [True] * 3
    await asyncio.to_thread(line.dovecot.stop)
    sent = sum(int(count) for count in re.findall(r"imap\(.* out=(\d+)", line.dovecot.log()))
    assert 0 < sent < 1_000_000


async def test_a_wrong_password_is_told_and_tried_again(
    line: Line, environment: dict[str, str], tmp_path: Path
) -> None:
    """A command ends with 77 and says why; the service stays, tries ever less often, and works when it may again."""
    dovecot = line.dovecot
    environment |= {"PBEM_POLL_SECONDS": "1"}
    await pbem(tmp_path, environment, "init", GAMES)
    notice = await opened(tmp_path, environment)
    dovecot.set_password(GAMES, "another")
    with pytest.raises(LoginRefused, match=r"refuses the login of games@example\.org"):
        await line.service.poll()
    refused = await call(tmp_path, environment, "poll")
    assert refused.code == 77
    assert re.fullmatch(r"pbem: The mail server \S+ refuses the login of games@example.org: .*\.\n", refused.err)
    complaint = r"The mail server \S+ refuses the login of \S+: .*\. Trying again in \d+ seconds\."
    async with serving(
        tmp_path, environment, complains=rf".* WARNING (put_off task=\w+|server_fails): (poll: {complaint}|deliver: .*)"
    ):
        before = dovecot.log().count("auth failed")
        await asyncio.sleep(6)
        async with asyncio.timeout(PATIENCE):
            while dovecot.log().count("auth failed") - before < 3:  # noqa: ASYNC110 - another process asks
                await asyncio.sleep(0.1)
        assert dovecot.log().count("auth failed") - before <= 8
        dovecot.set_password(GAMES, dovecot.password)
        dovecot.put(GAMES, answer(notice, "c3"))
        await settled(tmp_path, 1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_a_server_that_goes_down_in_the_middle_of_a_message(line: Line, number: signal.Signals) -> None:
    """What was on its way when the server went down is fetched again, and each message is read once."""
    line.service.open("pipline", [ANN, BOB], {"size": 5})
    attachment = b"QUJD" * 19 + b"\r\n"
    async with Tap(line.dovecot.port) as tap:
        line.read_through(tap.port)
        assert await line.service.poll() == 0
        line.dovecot.put(GAMES, line.answer(ANN, "c3"))
        line.dovecot.put(GAMES, *(note(message, "A picture") + attachment * 100_000 for message in range(4)))
        tap.after(2_000_000, lambda: line.dovecot.stop(number))
        if number == signal.SIGKILL:
            with pytest.raises(MailboxLost, match="it has closed the connection"):
                await line.service.poll()
        else:
            with suppress(MailboxLost):  # who is asked to end may well finish what he says
                await line.service.poll()
        line.dovecot.start()
        await line.poll()
        assert await line.poll() == 0
        await line.service.disconnect()
    assert [message.status for message in line.messages()] == ["accepted"] + ["rejected"] * 4
    assert line.moves() == ["c3"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_a_server_that_goes_down_while_we_listen(
    dovecot: Dovecot, environment: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    """A message that comes when the server is back is read within seconds, without a poll of its own being due."""
    environment |= {"PBEM_POLL_SECONDS": "3600"}
    await pbem(tmp_path, environment, "init", GAMES)
    notice = await opened(tmp_path, environment)
    complaint = (
        r".* WARNING (put_off task=\w+|server_fails): (poll|deliver): .*(No connection to the|The mail server) .*"
    )
    async with serving(tmp_path, environment, complains=complaint):
        dovecot.put(GAMES, answer(notice, "What a fine game!"))
        await settled(tmp_path, 1)
        await asyncio.to_thread(dovecot.stop, number)
        await asyncio.to_thread(dovecot.start)
        dovecot.put(GAMES, answer(notice, "c3"))
        await settled(tmp_path, 2)
    assert "c3" in await pbem(tmp_path, environment, "export", "1")


async def test_a_clock_of_the_machine_that_is_set_back_stops_nothing(
    dovecot: Dovecot, environment: dict[str, str], tmp_path: Path
) -> None:
    """An hour back, as the C library tells it: a move that comes then is read and answered within seconds."""
    environment |= {"PBEM_POLL_SECONDS": "2"}
    await pbem(tmp_path, environment, "init", GAMES)
    notice = await opened(tmp_path, environment)
    offset = tmp_path / "offset"
    offset.write_text("+3h")
    wrong = {"LD_PRELOAD": _find_faketime(), "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1"}
    wrong["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"  # as with a real clock
    # Nothing listens for what is sent.
    complains = r".* WARNING (clock_set seconds=-3[56]\d\d: .*|(put_off|clock_was_wrong|outage)\b.*)"
    async with serving(tmp_path, environment | wrong, complains=complains) as service:
        await _says(service, rb" attempted ")  # so it has begun, and knows the clock
        offset.write_text("+2h")
        await _says(service, rb" clock_set ")
        dovecot.put(GAMES, answer(notice, "c3"))
        await settled(tmp_path, 1)
        await _says(service, rb" attempted .*kind=your_turn")


async def _says(service: asyncio.subprocess.Process, pattern: bytes) -> None:
    """Wait for a line in the log of a service."""
    assert service.stderr is not None
    lines: list[bytes] = []
    try:
        async with asyncio.timeout(PATIENCE):
            while not (lines and re.search(pattern, lines[-1])):
                lines.append(await service.stderr.readline())
    except TimeoutError:
        pytest.fail(f"no line has {pattern!r} in {b''.join(lines).decode()}")


def _find_faketime() -> str:
    """Return the library of Debian's package faketime."""
    (found,) = Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
    return str(found)


async def opened(directory: Path, environment: dict[str, str]) -> bytes:
    """Open a match and return its first notice."""
    await pbem(directory, environment, "open", "pipline", ANN, BOB)
    return (await pbem(directory, environment, "outbound", "show", "1", "--raw")).encode()
