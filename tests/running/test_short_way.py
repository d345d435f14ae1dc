"""An email from a pipe is handed to the running service: it is stored before the client goes, whatever goes wrong."""

import asyncio
import os
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pbem.running.intake import open_intake
from pbem.running.service import Service
from pbem.running.short_way import find_socket, hand_over, socket_beside
from pbem.settings.loading import load
from pbem.sizes import LARGEST
from pbem.storage.database import Database
from tests.support.doors import RAW, SOON, make_service, mode_of_socket, recipients_of_run

OTHER = RAW.replace(b"<1@", b"<2@")


@pytest.fixture
async def service(directory: Path, blank_database: Path) -> AsyncIterator[Service]:
    """Give a service over a database in a file, without connections."""
    made = make_service(directory, blank_database)
    yield made
    await made.close()


def _socket_of(service: Service) -> str:
    """Return the path of the socket of a service."""
    return socket_beside(str(service.database.file))


def _has_socket(service: Service) -> bool:
    """Return whether there is something at the path of the socket of a service."""
    return os.path.lexists(_socket_of(service))


def _statuses(service: Service) -> list[str]:
    """Return the statuses of the messages that have come in, the oldest first."""
    with service.database.reading() as tx:
        return [message.status for message in tx.inbound.latest()][::-1]


async def _hand(raw: bytes, service: Service, *, seconds: float = SOON, owner: int | None = None) -> bool:
    """Hand an email over as the client does, in another thread."""
    return await asyncio.to_thread(hand_over, raw, _socket_of(service), seconds=seconds, owner=owner)


@asynccontextmanager
async def _listening(service: Service) -> AsyncIterator[list[str]]:
    """Let a service listen; the list grows whenever an email waits to be processed."""
    hurried: list[str] = []
    async with open_intake(service, lambda: hurried.append("now")):
        yield hurried


async def _answer_to(sent: bytes, service: Service) -> bytes:
    """Return what the service answers to bytes after which nothing more comes."""
    reader, writer = await asyncio.open_unix_connection(_socket_of(service))
    writer.write(sent)
    writer.write_eof()
    try:
        async with asyncio.timeout(SOON):
            return await reader.read()
    except ConnectionResetError:  # it has closed before it has read everything
        return b""
    finally:
        writer.close()


async def test_an_email_handed_over_is_stored_and_then_processed(service: Service) -> None:
    """The client learns that it is stored, and the service is told to process it without delay."""
    async with _listening(service) as hurried:
        assert await _hand(RAW, service)
        assert await _hand(OTHER, service)
    assert _statuses(service) == ["received", "received"]
    assert hurried == ["now", "now"]
    assert await service.poll() == 0  # there is no mailbox, and nothing to fetch
    assert _statuses(service) == ["rejected", "rejected"]


async def test_a_large_email_is_handed_over_whole(service: Service) -> None:
    """An email of the largest size, many times a buffer, arrives byte by byte."""
    raw = RAW + b"x" * (LARGEST - len(RAW))
    async with _listening(service):
        assert await _hand(raw, service)
    with service.database.reading() as tx:
        assert tx.inbound.raw(1) == raw


async def test_the_same_email_twice_counts_once(service: Service) -> None:
    """A mail server that delivers again is told that all is well, and nothing is done."""
    async with _listening(service):
        assert await _hand(RAW, service)
        assert await _hand(RAW, service)
    assert len(_statuses(service)) == 1


async def test_a_stranger_on_the_machine_cannot_connect(service: Service) -> None:
    """Whatever the umask, the socket is open to its own user alone."""
    mode = await mode_of_socket(_listening(service), _socket_of(service))
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600


async def test_a_socket_that_a_stranger_made_gets_no_email(service: Service) -> None:
    """In a directory where others can write, they could take emails, and answer that these were stored."""
    async with _listening(service):
        assert not await _hand(RAW, service, owner=os.geteuid() + 1)
    assert _statuses(service) == []


async def test_an_oversized_email_is_not_taken(service: Service) -> None:
    """Neither does the client send one, nor does the service wait for the bytes of one that is announced."""
    async with _listening(service):
        assert not await _hand(b"x" * (LARGEST + 1), service)
        assert await _answer_to(b"%d\nFrom:" % (LARGEST + 1), service) == b""
    assert _statuses(service) == []


@pytest.mark.parametrize(
    "sent",
    [b"", b"\n", b"-1\n", b"ten\n", b"\xff\xfe\n", b"GET / HTTP/1.0\r\n\r\n", b"1" * 5000 + b"\n", b"9" * 200_000],
    ids=["nothing", "a blank line", "a negative size", "a word", "bytes", "a web browser", "a long size", "no end"],
)
async def test_garbage_is_not_answered_and_breaks_nothing(service: Service, sent: bytes) -> None:
    """What does not begin with a size is no email; the next one is taken as ever."""
    async with _listening(service):
        assert await _answer_to(sent, service) == b""
        assert _statuses(service) == []
        assert await _hand(RAW, service)


async def test_an_email_that_breaks_off_leaves_nothing(service: Service) -> None:
    """A client that is killed while it sends has not delivered a part: the mail server sends the whole again."""
    async with _listening(service):
        assert await _answer_to(b"%d\n%b" % (len(RAW), RAW[:-1]), service) == b""
        assert _statuses(service) == []
        assert await _hand(RAW, service)
    with service.database.reading() as tx:
        assert tx.inbound.raw(1) == RAW


async def test_a_client_that_sends_nothing_keeps_no_other_waiting(service: Service) -> None:
    """A connection without an email, or with half of one, is passed over."""
    async with _listening(service):
        _, idle = await asyncio.open_unix_connection(_socket_of(service))
        _, slow = await asyncio.open_unix_connection(_socket_of(service))
        slow.write(b"1000\nFrom:")
        await slow.drain()
        assert await _hand(RAW, service)
        idle.close()
        slow.close()


async def test_a_service_killed_between_storing_and_answering_leads_to_a_duplicate(
    directory: Path, blank_database: Path
) -> None:
    """The client hears nothing and takes the email in itself: it is processed, once."""

    def die(waypoint: str) -> None:
        if waypoint == "received":
            raise RuntimeError

    dying, living = make_service(directory, blank_database, die), make_service(directory, blank_database)
    async with _listening(dying) as hurried:
        assert not await _hand(RAW, dying)
    assert _statuses(living) == ["received"]
    assert hurried == []
    assert not living.hand_in(RAW).duplicate  # stored before, processed now
    assert living.hand_in(RAW).duplicate
    assert _statuses(living) == ["rejected"]
    await dying.close()
    await living.close()


async def test_a_service_that_does_not_answer_is_given_up(service: Service) -> None:
    """A stuck service takes the connection and never answers: the client does not wait for ever."""
    with socket.socket(socket.AF_UNIX) as stuck:
        stuck.bind(_socket_of(service))
        stuck.listen()
        assert not await _hand(RAW, service, seconds=0.05)


async def test_what_a_killed_service_has_left_is_in_nobody_s_way(service: Service) -> None:
    """A socket on which nobody listens is refused at once, and the next service puts its own there."""
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(_socket_of(service))
    assert not await _hand(RAW, service)
    async with _listening(service):
        assert await _hand(RAW, service)
    assert not _has_socket(service)
    assert not await _hand(RAW, service)


async def test_a_path_too_long_for_a_socket_is_no_fault(directory: Path, blank_database: Path) -> None:
    """Such a service runs without a socket, and the client notices that."""
    below = directory / ("d" * 120)
    below.mkdir()
    service = make_service(below, blank_database)
    async with _listening(service):
        assert not await _hand(RAW, service)
    await service.close()


async def test_a_service_without_a_mailbox_answers_what_is_handed_over(service: Service) -> None:
    """Behind a pipe alone, the scheduler processes an email and sends the answer at once."""
    recipients = await recipients_of_run(service, _socket_of(service), lambda: _hand(RAW, service))
    assert recipients == ["stranger@example.org"]


PLACES = {
    "nothing set": ("", {}, None),
    "in the file": ("database_url = 'sqlite:///a.db'", {}, None),
    "absolute": ("database_url = 'sqlite:////tmp/a.db'", {}, None),
    "above": ("database_url = 'sqlite:///../a b.db'", {}, None),
    "the environment comes first": ("database_url = 'sqlite:///a.db'", {"PBEM_DATABASE_URL": "sqlite:///b.db"}, None),
    "the same in both": ("", {"PBEM_DATABASE_URL": "sqlite:///there.db"}, "home/other.toml"),
    "in small letters": ("", {"pbem_database_url": "sqlite:///b.db"}, None),
    "empty": ("database_url = 'sqlite:///a.db'", {"PBEM_DATABASE_URL": ""}, None),
    "a file elsewhere": ("", {}, "home/other.toml"),
    "elsewhere, by the environment": ("", {"PBEM_CONFIG": "home/other.toml"}, None),
}


@pytest.mark.parametrize(("text", "environment", "config"), PLACES.values(), ids=list(PLACES))
def test_the_client_finds_the_socket_where_the_service_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, environment: dict[str, str], config: str | None
) -> None:
    """The client reads no more of the settings than it needs, and comes to the same database."""
    _write_settings(tmp_path, monkeypatch, text)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    named = config or environment.get("PBEM_CONFIG")
    database = Database(load(Path(named) if named else None).database_url)
    found = find_socket(config)
    assert found is not None
    assert Path(found).resolve() == Path(socket_beside(str(database.file))).resolve()
    database.close()


def _write_settings(directory: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Write a settings file to the working directory, and another one to a directory below it."""
    for name in [name for name in os.environ if name.upper().startswith("PBEM_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(directory)
    (directory / "home").mkdir()
    (directory / "home" / "other.toml").write_text("database_url = 'sqlite:///there.db'")
    (directory / "pbem.toml").write_text(text)


@pytest.mark.parametrize(
    ("text", "config"),
    [
        ("database_url = 'postgresql://host/name'", None),
        ("database_url = 'sqlite:///file:a.db?mode=ro&uri=true'", None),
        ("database_url = 'sqlite:///a%20b.db'", None),
        ("database_url = 'sqlite://'", None),
        ("database_url = 7", None),
        ("database_url =", None),
        ("", "missing.toml"),
        ("", "home"),
    ],
)
def test_where_the_client_cannot_tell_it_hands_nothing_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, config: str | None
) -> None:
    """Another kind of database, or settings that are wrong: the ordinary way knows, or says what is wrong."""
    _write_settings(tmp_path, monkeypatch, text)
    assert find_socket(config) is None
