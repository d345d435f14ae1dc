"""A connection to an IMAP server (RFC 3501): made when it is needed, and made anew after a loss."""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from aioimaplib.aioimaplib import IMAP4, NONAUTH, SELECTED, CommandTimeout, Response, quoted

from pbem.errors import ConfigError, LoginRefused, MailboxLost, PbemError
from pbem.transport.fetch_answers import find_number
from pbem.transport.imap_token import log_in_with_token
from pbem.transport.network import is_loopback, one_line, reason
from pbem.transport.token import TokenCommand

T = TypeVar("T")

# Codes of refusals that pass, and have nothing to do with the command (RFC 5530).
_PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")
_BAD_URL = (
    "The IMAP URL must look like imaps://user:password@host:port/FOLDER, "
    "with special characters percent-encoded (@ is %40, / is %2F, : is %3A)."
)
_NO_FOLDER = (
    " If it was renamed or removed, write the name of the one that takes its place at the end of imap_url, and start"
    " pbem again; what that one holds is read from the day of our first email on."
)


@dataclass(frozen=True, slots=True)
class Folder:
    """The state of an open folder; ``uidnext`` is None where the server does not predict the next UID."""

    uidvalidity: int
    uidnext: int | None
    exists: int


class ImapConnection:
    """A folder on an IMAP server, opened read-only; connects when needed, and again after a loss.

    ``url`` is ``imap[s]://user:password@host:port/FOLDER``, its parts percent-encoded, the folder INBOX
    unless given and written as the server writes it (modified UTF-7); without TLS only on loopback.
    ``token`` is a command that prints an access token, with which it logs in instead of a password.
    ``timeout`` is the longest silence in seconds. Raises ConfigError for a url that will not do.
    """

    def __init__(self, url: str, *, token: str = "", timeout: float = 30) -> None:
        try:
            parts = urlsplit(url)
            self._host = parts.hostname or ""
            self._port = parts.port or (143 if parts.scheme == "imap" else 993)
        except ValueError:
            raise ConfigError(_BAD_URL) from None  # its text could show the password
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._folder = unquote(parts.path.strip("/")) or "INBOX"
        if parts.scheme not in ("imap", "imaps") or not self._host or parts.query or parts.fragment:
            raise ConfigError(_BAD_URL)
        if not self._user or re.search(r"[\0\r\n]", self._user + self._password):
            raise ConfigError(_BAD_URL)
        if not re.fullmatch(r"[ -~]+", self._folder):
            raise ConfigError(_BAD_URL)
        self._tls = parts.scheme == "imaps"
        if not self._tls and not is_loopback(self._host):
            raise ConfigError(
                f"The IMAP URL for {self._host} must begin with imaps://, so that nobody listens in. imap:// is for a"
                " server on this machine: imap://games:password@localhost:143/INBOX."
            )
        self._place = f"{self._host}:{self._port}"
        self._token = TokenCommand(token, "imap_token") if token else None
        self._timeout = timeout
        self._client: IMAP4 | None = None
        self._gone: asyncio.Future[str] | None = None
        self._lock = asyncio.Lock()

    @property
    def name(self) -> str:
        """User, host, port and folder."""
        return f"{self._user}@{self._place}/{self._folder}"

    async def close(self) -> None:
        """Log out, politely but within a second; never raises. A later call connects again."""
        with suppress(Exception):
            if self._client is not None and not self._lock.locked():
                async with self._lock, asyncio.timeout(1):
                    await self._ask(self._client.logout())
        self._drop()

    async def request(self, command: Callable[[IMAP4], Awaitable[Response]]) -> Response:
        """Carry out a command, and return what the server answers, a refusal too, unless that will pass.

        Raise MailboxLost and LoginRefused. What ``batches`` is in the middle of must have ended.
        """
        async with self._lock:
            answer = await self._ask(command(await self._connect()))
            if answer.result != "OK" and any(code in quote_answer(answer).upper() for code in _PASSING):
                self._require_ok(answer, MailboxLost, "puts it off")
            return answer

    async def can(self, capability: str) -> bool:
        """Return whether the server says that it can do something. Raise MailboxLost and LoginRefused."""
        async with self._lock:
            return capability in (await self._connect()).protocol.capabilities

    async def open(self, folder: str, *, change: bool) -> bool:
        """Open another folder, quoted as a command wants it; return whether there is one. Raises as ``request``."""
        answer = await self.request(lambda client: client.select(folder) if change else client.examine(folder))
        if self._client is not None and answer.result == "OK":
            self._client.protocol.state = SELECTED
        return bool(answer.result == "OK")

    async def examine(self) -> Folder:
        """Open the folder read-only, and return its state. Raise MailboxLost, LoginRefused, ConfigError for none."""
        async with self._lock:
            client = await self._connect()
            answer = await self._ask(client.examine(quoted(self._folder)))
            self._require_ok(answer, ConfigError, f"does not open the mailbox {self._folder}", _NO_FOLDER)
            client.protocol.state = SELECTED  # aioimaplib believes that only SELECT does this
            text = b"\n".join(answer.lines)
        uidvalidity, uidnext = find_number(rb"\[UIDVALIDITY (\d+)\]", text), find_number(rb"\[UIDNEXT (\d+)\]", text)
        if uidvalidity is None:
            raise ConfigError(f"The mail server {self._place} does not number its messages (no UIDVALIDITY).")
        return Folder(uidvalidity, uidnext, find_number(rb"(?m)^(\d+) EXISTS", text) or 0)

    async def search(self, criteria: str) -> list[int]:
        """Return the UIDs of the messages in the open folder that meet ``criteria``, in order. Raise MailboxLost."""
        lines = await self._carry_out("SEARCH", lambda client: client.uid_search(criteria, charset=None))
        return sorted({int(uid) for line in lines if re.fullmatch(rb"[\d ]*", line) for uid in line.split()})

    async def fetch(self, uids: Sequence[int], item: str) -> list[bytes]:
        """Return the lines of the server's answer to FETCH, literals as bytearray.

        Raise MailboxLost, also where the server refuses it: the connection is then given up.
        """
        wanted = ",".join(map(str, uids))
        return await self._carry_out("FETCH", lambda client: client.uid("FETCH", wanted, f"(UID {item})"))

    async def _carry_out(self, name: str, command: Callable[[IMAP4], Awaitable[Response]]) -> list[bytes]:
        """Carry out a command on the open folder; return the answer's lines, literals as bytearray."""
        async with self._lock:
            answer = await self._ask(command(self._current_client()))
            self._require_ok(answer, MailboxLost, f"does not carry out {name}")
            lines: list[bytes] = answer.lines[:-1]
            return lines

    def _current_client(self) -> IMAP4:
        """Return the connection on which the folder is open; a new one would have none open."""
        if self._client is None:
            raise self._drop_and_explain("it was given up meanwhile")
        return self._client

    async def _connect(self) -> IMAP4:
        """Return the connection, logged in; make it when there is none or it has broken."""
        if self._client is not None and self._gone is not None and not self._gone.done():
            return self._client
        self._drop()
        try:
            return await self._open(await self._token.token() if self._token else "")
        except LoginRefused:
            if self._token is None or not self._token.drop_refused():
                raise
            return await self._open(await self._token.token())

    async def _open(self, token: str) -> IMAP4:
        """Return a new connection, logged in with the token, or with the password if it is empty."""
        self._gone = gone = asyncio.get_running_loop().create_future()

        # Without these two a command would wait for an answer that never comes.
        def lost(error: Exception | None) -> None:
            if not gone.done():
                gone.set_result("it has closed the connection")

        async def welcome(line: bytes) -> None:
            try:
                await aioimaplib_welcome(line)
            except Exception:
                if not gone.done():
                    gone.set_result(f"it does not welcome us: {one_line(line)}")

        self._client = client = IMAP4(
            self._host,
            self._port,
            timeout=self._timeout,
            conn_lost_cb=lost,
            ssl_context=ssl.create_default_context() if self._tls else None,
        )
        aioimaplib_welcome, client.protocol.welcome = client.protocol.welcome, welcome
        # With a timeout of our own: aioimaplib's never ends when the server falls silent after its first line.
        await self._ask(client.wait_hello_from_server(), self._timeout)
        if client.get_state() == NONAUTH:
            if token:
                answer = await self._ask(log_in_with_token(client, self._user, token), self._timeout)
            else:
                answer = await self._ask(client.login(quoted(self._user), self._password))
            self._require_ok(answer, LoginRefused, f"refuses the login of {self._user}")
        # Asked for anew, as aioimaplib misreads the list that comes with the login.
        await self._ask(asyncio.wait_for(client.protocol.capability(), self._timeout))
        return client

    async def _ask(self, asking: Awaitable[T], seconds: float | None = None) -> T:
        """Await an answer; any error meanwhile, cancellation too, ends the connection."""
        task = asyncio.ensure_future(asking)
        gone = self._gone or asyncio.get_running_loop().create_future()
        ends: set[asyncio.Future[Any]] = {task, gone}
        try:
            await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise ConnectionError(gone.result()) if gone.done() else TimeoutError
        except Exception as error:  # aioimaplib lets through any error within it
            # Texts of other errors may contain the login command.
            words = "it does not answer" if isinstance(error, CommandTimeout) else reason(error)
            raise self._drop_and_explain(words or "it answers in a way that is not understood") from None
        except asyncio.CancelledError:
            self._drop()
            raise
        finally:
            task.cancel()

    def _require_ok(self, answer: Response, kind: type[PbemError], what: str, advice: str = "") -> None:
        """Raise ``kind`` for a refusal, with what may help, or MailboxLost for one that will pass."""
        if answer.result == "OK":
            return
        words = quote_answer(answer)
        if any(code in words.upper() for code in _PASSING):
            kind, advice = MailboxLost, ""
        if kind is not ConfigError:  # a server may stay in trouble for as long as the connection lasts
            self._drop()
        raise kind(f"The mail server {self._place} {what}: {words}.{advice}")

    def _drop_and_explain(self, reason: str) -> MailboxLost:
        """Drop the connection, and return the error to raise."""
        self._drop()
        return MailboxLost(f"No connection to the mail server {self._place}: {reason}.")

    def _drop(self) -> None:
        """End the connection at once, if there is one."""
        client, self._client = self._client, None
        if client is not None:
            for task in client.protocol.tasks:
                task.cancel()
            if client.protocol.transport is not None:
                client.protocol.transport.abort()


def quote_answer(answer: Response) -> str:
    """Return the server's own words, which may tell the operator what is wrong."""
    return one_line(bytes(answer.lines[-1])) if answer.lines else "no reason given"
