"""The door of one-click unsubscribing: who presses its button is unsubscribed, and nobody else gets in by it."""

import asyncio
import logging
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import pytest

from pbem.errors import Busy, ConfigError
from pbem.running import scheduler
from pbem.running.scheduler import unsubscribe
from pbem.settings.model import Settings
from pbem.transport.door import Rate, Take, open_door
from tests.support.club import Club
from tests.support.doors import SOON, until

CLICK = b"List-Unsubscribe=One-Click"
OK = b"HTTP/1.1 200 OK"


@pytest.fixture
def club(new_club: Callable[..., Club], settings: Settings) -> Club:
    """Return a club with a door and a match, which takes email from proven senders alone."""
    settings.unsubscribe_listen, settings.archive_url = "127.0.0.1:9465", "https://games.example.org/pbem/"
    settings.authserv_id, settings.authentication = "mx.play.example", "required"
    club = new_club()
    club.open()
    return club


def page_of(club: Club, seat: int) -> str:
    """Return the address of the page that email programs post to for the latest email to a seat."""
    found = re.fullmatch(r"<mailto:.*>, <(https://.*)>", str(club.newest(seat)["List-Unsubscribe"]))
    assert found
    assert club.newest(seat)["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return found[1]


def token_of(club: Club, seat: int) -> str:
    """Return the reply token in that address."""
    return page_of(club, seat).partition("?tag=")[2]


@asynccontextmanager
async def opened(club: Club, *, take: Take | None = None, seconds: float = 10) -> AsyncIterator[int]:
    """Open the door meanwhile, and yield its port."""
    take = take or partial(unsubscribe, club.service, lambda: None)
    async with open_door("127.0.0.1:0", club.service.site, take, seconds) as port:
        yield port


async def ask(port: int, url: str, *, method: str = "POST", body: bytes = CLICK, headers: str = "") -> bytes:
    """Return what the door answers."""
    headers = headers or f"Content-Length: {len(body)}\r\n"
    return await send(port, f"{method} {url} HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode() + body)


async def send(port: int, raw: bytes) -> bytes:
    """Return what the door answers to these bytes, after which more may come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(raw)
        async with asyncio.timeout(10):
            return await reader.read()
    except ConnectionError:  # where it has closed before it has read everything
        return b""
    finally:
        writer.close()


def stored(club: Club) -> int:
    """Return how many messages have come in; all of them are processed by then."""
    club.service.process_waiting()
    with club.service.database.reading() as tx:
        return len(tx.inbound.latest())


def is_muted(club: Club, seat: int = 0) -> bool:
    """Return whether a player is unsubscribed."""
    return club.match().players[seat].preferences.muted


async def test_a_click_does_what_the_email_does(club: Club) -> None:
    """Through the same stages, where senders must be proven too; the others hear of it, and it is answered once."""
    assert page_of(club, 0).startswith("https://games.example.org/pbem/unsubscribe?tag=1.")
    async with opened(club) as port:
        answer = await ask(port, f"/unsubscribe?tag={token_of(club, 0)}")
    assert answer.startswith(OK)
    assert b"If that email was to you, no more comes." in answer
    assert stored(club) == 1
    assert (is_muted(club), is_muted(club, 1)) == (True, False)
    with club.service.database.reading() as tx:
        (message,) = tx.inbound.latest()
        assert [entry.kind for entry in tx.clocks.log(1)] == ["unsubscribed"]
    assert (message.status, message.sender, message.commands) == ("accepted", "ann@a.example", ("unsubscribe",))
    assert [mail.recipient for mail in club.queued(kind="unsubscribe")] == ["ann@a.example"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b'--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n', ""),
        (b"1a\r\n" + CLICK + b"\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n"),
    ],
)
async def test_a_click_comes_in_any_encoding(club: Club, body: bytes, headers: str) -> None:
    """RFC 8058 has two for the body, and a proxy may send it in chunks."""
    async with opened(club) as port:
        assert (await ask(port, f"/x/unsubscribe?tag={token_of(club, 0)}", body=body, headers=headers)).startswith(OK)
    assert stored(club) == 1
    assert is_muted(club)


async def test_a_scanner_that_opens_every_link_unsubscribes_nobody(club: Club) -> None:
    """It gets the page with the button; nor does one that posts nothing, or uses another method."""
    async with opened(club) as port:
        url = f"/unsubscribe?tag={token_of(club, 0)}"
        page = await ask(port, url, method="GET", body=b"")
        assert page.startswith(OK)
        assert b'<button name="List-Unsubscribe" value="One-Click">' in page
        assert await ask(port, url, body=b"") == page
        assert (await ask(port, url, method="HEAD", body=b"")).startswith(OK)
        for method in ("PUT", "DELETE", "OPTIONS"):
            assert (await ask(port, url, method=method)).startswith(b"HTTP/1.1 405 ")
    assert stored(club) == 0
    assert not is_muted(club)


async def test_a_forged_or_an_old_token_does_nothing_and_the_answer_tells_nobody(club: Club) -> None:
    """Made up, of another seat, match or ply, revoked by its player, or none at all: all answers are alike."""
    token = token_of(club, 0)
    start, mac = token.rsplit(".", 1)
    proven = "mx.play.example; dmarc=pass header.from=b.example"
    assert club.reply(1, "new address", Authentication_Results=proven).message.status == "accepted"
    before = stored(club)
    forged = ["", "x", f"{start}.{'a' * 10}", f"1.0.1.{mac}", f"2.0.0.{mac}", f"1.7.0.{mac}", f"{token}a", "9" * 500]
    with club.service.database.reading() as tx:
        first = next(mail for mail in reversed(tx.outbound.latest()) if mail.recipient == "bob@b.example")
        revoked = first.message_id[1:].rpartition(".")[0]
    async with opened(club) as port:
        answers = {await ask(port, f"/unsubscribe?tag={one}") for one in (*forged, revoked)}
        assert stored(club) == before
        assert answers == {await ask(port, f"/unsubscribe?tag={token}")}
    assert (stored(club), is_muted(club), is_muted(club, 1)) == (before + 1, True, False)


async def test_a_replayed_click_brings_no_second_email(club: Club) -> None:
    """However often it comes, its player hears of it once; when they want email again, the button works again."""
    url = f"/unsubscribe?tag={token_of(club, 0)}"
    async with opened(club) as port:
        for _ in range(3):
            await ask(port, url)
        assert stored(club) == 1
        for _ in range(3):
            await ask(port, url)
        assert (stored(club), len(club.queued(kind="unsubscribe"))) == (1, 1)
        with club.service.database.transaction() as tx:
            tx.players.set_preference(club.match().players[0], "muted", False)
        club.clock.advance(timedelta(minutes=1))
        await ask(port, url)
    assert stored(club) == 2
    assert is_muted(club)


async def test_slow_clients_keep_nobody_out_for_long(club: Club) -> None:
    """Slowloris: a byte now and then ends with the time of a whole request; meanwhile no more are let in."""
    async with opened(club, seconds=0.3) as port:
        slow = [await asyncio.open_connection("127.0.0.1", port) for _ in range(50)]
        assert await ask(port, "/", method="GET", body=b"") == b""
        for reader, writer in slow:
            writer.write(b"POST /unsubscribe HTTP/1.1\r\nX: ")
            with suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()
        half = await ask(port, "/", body=b"List-", headers="Content-Length: 26\r\n")
        assert half == b""
        assert (await ask(port, "/", method="GET", body=b"")).startswith(OK)


async def test_what_is_too_long_or_no_request_breaks_nothing(club: Club) -> None:
    """A header without end, a body without end, an address without end, garbage."""
    async with opened(club, seconds=0.5) as port:
        assert await send(port, b"POST / HTTP/1.1\r\n" + b"X: y\r\n" * 5000) == b""
        assert await send(port, b"\x16\x03\x01\x02\x00\r\n\r\n") != OK
        await ask(port, "/", body=b"x" * 200_000, headers="Content-Length: 999999999\r\n")
        await ask(port, "/?tag=" + token_of(club, 0) + "&" + "x" * 3000)
        assert (await ask(port, "/", method="GET", body=b"")).startswith(OK)
    assert stored(club) == 0


def test_ten_thousand_clicks_a_minute_cost_little() -> None:
    """One client presses sixty times, all together six hundred; in the next minute everybody may again."""
    rate = Rate()
    assert sum(rate.allows("192.0.2.1", 60 + count / 200) for count in range(10_000)) == Rate.MOST_OF_ONE
    assert rate.allows("2001:db8::1", 119)
    assert sum(rate.allows(f"192.0.2.{count}", 119) for count in range(10_000)) == Rate.MOST_OF_ALL - 61
    assert not rate.allows("2001:db8::2", 119)
    assert rate.allows("192.0.2.1", 120)


async def test_a_client_who_clicks_too_often_keeps_out_no_other(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The web server says who it is, at the end of what the client says itself; a minute is the same for all."""
    monkeypatch.setattr("pbem.transport.door.time", SimpleNamespace(monotonic=lambda: 0.0))
    url, names = f"/unsubscribe?tag={token_of(club, 0)}", f"Content-Length: {len(CLICK)}\r\nX-Forwarded-For: "
    async with opened(club) as port:
        flood = [await ask(port, "/", headers=f"{names}{n}, 192.0.2.9\r\n") for n in range(Rate.MOST_OF_ONE + 1)]
        assert flood[-1].startswith(b"HTTP/1.1 429 ")
        assert flood[-2].startswith(OK)
        assert (await ask(port, url, headers=f"{names}192.0.2.9, 2001:db8::1\r\n")).startswith(OK)
    assert stored(club) == 1


@pytest.mark.parametrize("error", [Busy("It is in use."), OSError(28, "No space left"), RuntimeError("a bug")])
async def test_no_token_gets_into_the_log(club: Club, error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """Nor an address; what can't be stored is not said to be, so that the email program tries again."""

    def fail(url: str) -> None:
        assert token in url
        raise error

    caplog.set_level(logging.DEBUG)
    token = token_of(club, 0)
    async with opened(club, take=fail) as port:
        assert (await ask(port, f"/unsubscribe?tag={token}")).startswith(b"HTTP/1.1 503 ")
    assert caplog.records
    async with opened(club) as port:
        await ask(port, f"/unsubscribe?tag={token}")
    assert stored(club) == 1
    assert token not in caplog.text
    assert "ann@" not in caplog.text


async def test_the_running_service_carries_a_click_out_at_once(club: Club) -> None:
    """It need not wait for the next poll of the mailbox."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"/unsubscribe?tag={token_of(club, 0)}"
    club.service.settings.unsubscribe_listen = f"127.0.0.1:{port}"
    stop = asyncio.Event()
    run = asyncio.create_task(scheduler.run(club.service, None, stop))
    await until(lambda: is_open(port))
    assert (await ask(port, url)).startswith(OK)
    await until(lambda: is_muted(club))
    stop.set()
    await asyncio.wait_for(run, SOON)
    assert not is_open(port)


def is_open(port: int) -> bool:
    """Return whether something listens there."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


async def test_a_place_where_nothing_can_listen_is_told(club: Club) -> None:
    """Without a place there is no door."""
    async with opened(club) as port:
        with pytest.raises(ConfigError, match=r"^Nothing can listen at 127\.0\.0\.1:\d+, as unsubscribe_listen says: "):
            async with open_door(f"127.0.0.1:{port}", club.service.site, lambda url: None):
                pass
    async with open_door("", club.service.site, lambda url: None) as none:
        assert none == 0
