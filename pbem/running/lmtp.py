"""LMTP (RFC 2033): a mail server hands emails to the running service, which stores each before it says so."""

import asyncio
import logging
import os
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import ConfigError, PbemError
from pbem.log.logbook import event
from pbem.mail.headers import domain_of
from pbem.ports import Fetched
from pbem.running.service import Service
from pbem.settings.lmtp_place import LmtpPlace, read_lmtp_place
from pbem.sizes import HEAD, LARGEST

log = logging.getLogger("pbem")

_SECONDS = 300  # for a client to go on (RFC 5321, 4.5.3.2.7)
_MOST_CONNECTIONS, _MOST_RECIPIENTS = 10, 100
_LARGEST_TAKEN = 10 * LARGEST  # of what is over LARGEST the head is kept, as from a mailbox, and its sender is told
_AT_ONCE, _LONGEST_LINE = 65_536, 4096
_END = b"\r\n.\r\n"
_PATH = re.compile(rb"(?i)(?:FROM|TO):[ ]?<([!-;=?-~]{0,254})>(?: (.*))?")
_SIZE = re.compile(rb"(?i)(?:.* )?SIZE=(\d{1,20})(?: .*)?")


@asynccontextmanager
async def open_lmtp(service: Service, hurry: Callable[[], None]) -> AsyncIterator[None]:
    """Take emails at ``lmtp_listen`` meanwhile, if that is set; ``hurry`` is called when one waits to be processed.

    Raise ConfigError if nothing can listen there.
    """
    place = read_lmtp_place(service.settings.lmtp_listen)
    if place is None:
        yield
        return
    listener = _listen(place)
    talks: set[asyncio.Task[None]] = set()

    def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(_Talk(service, hurry, reader, writer).hold(len(talks) >= _MOST_CONNECTIONS))
        talks.add(task)
        task.add_done_callback(talks.discard)

    start = asyncio.start_unix_server if place.path else asyncio.start_server
    server = await start(meet, sock=listener)
    try:
        yield
    finally:
        server.close()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        _remove(place)


def _remove(place: LmtpPlace) -> None:
    """Remove the socket at a path, if there is one."""
    if place.path and Path(place.path).is_socket():
        Path(place.path).unlink()


def _listen(place: LmtpPlace) -> socket.socket:
    """Return a socket that listens; one with a path has its mode from its first moment on."""
    if not place.path:
        listener = socket.socket(socket.AF_INET6 if ":" in place.host else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        address: str | tuple[str, int] = (place.host, place.port)
    else:
        listener, address = socket.socket(socket.AF_UNIX), place.path
    mask = os.umask(0o777 & ~place.mode)
    try:
        _remove(place)  # left by a service that was killed: the lock says that no other one runs
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise ConfigError(f"Nothing can listen at {place}, as lmtp_listen says: {error.strerror or error}.") from None
    finally:
        os.umask(mask)
    return listener


@dataclass
class _Talk:
    """A conversation with a mail server: at present an email from ``sender`` for ``recipients``.

    ``ahead`` are bytes that were read, and not yet looked at.
    """

    service: Service
    hurry: Callable[[], None]
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    greeted: bool = False
    sender: str | None = None
    recipients: list[str] = field(default_factory=list)
    ahead: bytes = b""

    async def hold(self, crowded: bool) -> None:
        """Talk until one of the two ends it; with too many others it ends at once, for the server to come again."""
        host = domain_of(self.service.settings.address) or "localhost"
        try:
            self._say("421 4.3.2 Too many connections" if crowded else f"220 {host} LMTP pbem")
            while not crowded and await self._answer_next(host):
                pass
            await self.writer.drain()
        except (TimeoutError, ConnectionError, EOFError):
            pass  # nothing counts of an email that breaks off
        finally:
            self.writer.close()

    def _say(self, *lines: str) -> None:
        """Say something; of several lines, each is an answer of its own."""
        self.writer.writelines(line.encode("ascii", "replace") + b"\r\n" for line in lines)

    async def _answer_next(self, host: str) -> bool:
        """Answer the next command; return False after the last one."""
        await self.writer.drain()
        line = await self._read_line()
        verb, _, rest = line.partition(b" ")
        match verb.upper():
            case b"LHLO" if rest.strip():
                self._begin_anew(greeted=True)
                self._say(f"250-{host}", "250-PIPELINING", "250-ENHANCEDSTATUSCODES", "250-8BITMIME")
                self._say(f"250 SIZE {_LARGEST_TAKEN}")
            case b"MAIL":
                self._say(self._begin_email(rest))
            case b"RCPT":
                self._say(self._add_recipient(rest))
            case b"DATA":
                await self._take_email()
            case b"RSET":
                self._begin_anew(greeted=self.greeted)
                self._say("250 2.0.0 Forgotten")
            case b"NOOP":
                self._say("250 2.0.0 Fine")
            case b"VRFY":
                self._say("252 2.5.2 Send it, and see")
            case b"QUIT":
                self._say("221 2.0.0 Goodbye")
                return False
            case _:
                self._say("500 5.5.2 Not understood")
        return True

    def _begin_anew(self, *, greeted: bool) -> None:
        """Forget the email that was begun."""
        self.greeted, self.sender, self.recipients = greeted, None, []

    def _begin_email(self, rest: bytes) -> str:
        """Note the envelope sender, and return the answer."""
        found = _PATH.fullmatch(rest)
        if not self.greeted or self.sender is not None:
            return "503 5.5.1 Not now"
        if found is None or not rest.upper().startswith(b"FROM"):
            return "501 5.1.7 No sender such as FROM:<ann@example.org>"
        size = _SIZE.fullmatch(found[2] or b"")
        if size and int(size[1]) > _LARGEST_TAKEN:
            return "552 5.3.4 Too large"
        self.sender = found[1].decode("ascii")
        return "250 2.1.0 Sender noted"

    def _add_recipient(self, rest: bytes) -> str:
        """Note a recipient, and return the answer: who is for us is the mail server's decision."""
        found = _PATH.fullmatch(rest)
        if self.sender is None:
            return "503 5.5.1 Not now"
        if found is None or not found[1] or not rest.upper().startswith(b"TO"):
            return "501 5.1.3 No recipient such as TO:<games@example.org>"
        if len(self.recipients) >= _MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients at once"
        self.recipients.append(found[1].decode("ascii"))
        return "250 2.1.5 Recipient noted"

    async def _take_email(self) -> None:
        """Read the email, store it once for each recipient, and answer for each (RFC 2033, 4.2)."""
        if not self.recipients:
            self._say("503 5.5.1 No recipients")
            return
        self._say("354 Go on, and end with a dot")
        await self.writer.drain()
        fetched = await self._read_email()
        for recipient in self.recipients:
            self._say(self._store(fetched, recipient) if fetched else "552 5.3.4 Too large")
        if fetched:
            self.hurry()
        self._begin_anew(greeted=True)

    async def _read_email(self) -> Fetched | None:
        """Return the email, without the dots that were added (RFC 5321, 4.5.2); None where it is far too large."""
        pieces, size = list[bytes](), 0
        read = b"\r\n" + self.ahead  # what begins with a dot does so after the end of a line
        while (end := read.find(_END)) < 0:
            piece, read = read[: 1 - len(_END)], read[1 - len(_END) :] + await self._read()
            if size <= LARGEST:
                pieces.append(piece)
            size += len(piece)
        pieces.append(read[: end + 2])
        size += end
        self.ahead = read[end + len(_END) :]
        if size > _LARGEST_TAKEN:
            return None
        raw = b"".join(pieces).replace(b"\r\n.", b"\r\n")[2:]
        return Fetched(raw) if size <= LARGEST else Fetched(raw[:HEAD], whole=False)

    async def _read_line(self) -> bytes:
        """Return the next line, without its end; raises EOFError for one that is too long."""
        while (end := self.ahead.find(b"\n")) < 0:
            if len(self.ahead) > _LONGEST_LINE:
                raise EOFError
            self.ahead += await self._read()
        line, self.ahead = self.ahead[:end], self.ahead[end + 1 :]
        return line.rstrip(b"\r")

    async def _read(self) -> bytes:
        """Return what comes next; raises EOFError at the end."""
        async with asyncio.timeout(_SECONDS):
            read = await self.reader.read(_AT_ONCE)
        if not read:
            raise EOFError
        return read

    def _store(self, fetched: Fetched, recipient: str) -> str:
        """Store the email as it came for one recipient, and return the answer: 4xx keeps it at the mail server."""
        envelope = f"Return-Path: <{self.sender}>\r\nDelivered-To: {recipient}\r\n".encode("ascii")
        try:
            self.service.receive([Fetched(envelope + fetched.raw, fetched.whole)])
        except (PbemError, OSError) as error:
            why = error if isinstance(error, PbemError) else type(error).__name__  # others may quote what was sent
            log.warning("an email by LMTP was not stored: %s", why, extra=event("lmtp_refused"))
            return "451 4.3.0 Not stored now: come again"
        except Exception:
            log.exception("an email by LMTP met a bug", extra=event("lmtp_bug"))
            return "451 4.3.0 Not stored now: come again"
        return "250 2.0.0 Stored"
