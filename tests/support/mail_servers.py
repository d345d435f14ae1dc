"""Mail servers that answer as a test wants them to, and what is read from a mailbox."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.demo.servers import DemoServers
from pbem.errors import PbemError
from pbem.ports import Batch, Cursor
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier

GAMES = "games@pbem.example"
ANN = "ann@pbem.example"
TODAY = datetime.now(UTC).date() - timedelta(days=1)  # a test may run over midnight, or west of Greenwich


def message(number: int, body: bytes = b"Hello.\r\n") -> bytes:
    """Return a small message, recognisable by its number."""
    return b"From: ann@pbem.example\r\nSubject: letter %d\r\n\r\n" % number + body


async def everything(mailbox: ImapMailbox, cursor: Cursor | None = None) -> list[Batch]:
    """Return all that is new after ``cursor``."""
    return [batch async for batch in mailbox.batches(cursor, TODAY)]


async def start(mailbox: ImapMailbox) -> Cursor:
    """Return where the mailbox ends now."""
    [batch] = [batch async for batch in mailbox.batches(None, None)]
    assert batch.messages == ()
    return batch.cursor


def raws(batches: list[Batch]) -> list[bytes]:
    """Return the messages themselves, without their cursors."""
    return [fetched.raw for batch in batches for fetched in batch.messages]


async def waiting_in(mailbox: ImapMailbox) -> asyncio.Task[bool]:
    """Return a waiting of a minute that has come as far as IDLE."""
    waiting = asyncio.ensure_future(mailbox.wait(60))
    async with asyncio.timeout(5):
        # Nothing but aioimaplib's own event tells that the server has agreed to IDLE.
        while mailbox._client is None or not mailbox._client.protocol._idle_event.is_set():  # noqa: ASYNC110
            await asyncio.sleep(0)
    return waiting


async def inbox(servers: DemoServers, address: str) -> list[bytes]:
    """Return all messages of ``address``."""
    mailbox = ImapMailbox(servers.imap_url(address))
    messages = [fetched.raw async for batch in mailbox.batches(None, TODAY) for fetched in batch.messages]
    await mailbox.close()
    return messages


class ScriptedImap:
    """An IMAP server that knows nothing but the answers it is given, by a word of the command.

    ``%`` that begins a line stands for the tag of the command (RFC 3501, 2.2.1); of several answers the last is
    repeated. A line without anything on it is heard as ``an empty line``. ``hang up`` is no answer, but
    the end of the connection.
    """

    def __init__(self, **answers: str | list[str]) -> None:
        self.heard: list[str] = []
        self.answers: dict[str, str | list[str]] = {
            "CAPABILITY": "* CAPABILITY IMAP4rev1\n% OK",
            "EXAMINE": "* 2 EXISTS\n* OK [UIDVALIDITY 7]\n% OK",
            "LOGOUT": "* BYE\n% OK",
            "greeting": "* OK ready",
            **answers,
        }

    def _answer(self, command: str) -> str:
        answer = next((self.answers[word] for word in self.answers if word in command), "% OK")
        if isinstance(answer, list):
            return answer.pop(0) if len(answer) > 1 else answer[0]
        return answer

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tag, command = "*", "greeting"
        while True:
            lines = re.sub("(?m)^%", tag, self._answer(command)).split("\n")
            if lines == ["hang up"]:
                writer.close()
                return
            writer.writelines(line.encode() + b"\r\n" for line in lines)
            line = b""
            with suppress(ConnectionError):
                line = await reader.readline()
            if not line:
                return
            said = line.decode().strip()
            if " " not in said:  # no command, but what one goes on with
                command = said or "an empty line"
            else:
                tag, _, command = said.partition(" ")
            self.heard.append(command)

    @asynccontextmanager
    async def serving(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
        """Serve on a free port of loopback and yield it."""
        talks: list[tuple[asyncio.Task[None], asyncio.StreamWriter]] = []

        def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            talks.append((asyncio.ensure_future(self._talk(reader, writer)), writer))

        server = await asyncio.start_server(meet, "127.0.0.1", 0, ssl=tls)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for task, writer in talks:
                writer.close()
                with suppress(ConnectionError):
                    await writer.wait_closed()
                await asyncio.wait([task])
            await server.wait_closed()


class FaultyImap(ScriptedImap):
    """An IMAP server with a mailbox, whose messages are found by their UIDs, and with what is wrong about some.

    ``faults`` are answers to a FETCH that asks for one of these messages, for its content alone: ``NO``, ``BAD``,
    ``hang up``, ``silence``; or what stands in the place of its content: ``NIL``, a quoted string, ``nothing`` for a
    response that is left out, ``gone`` for a message removed just then, a number for so many bytes of it. Unless
    ``spares_facts`` a size can't be asked for either; it is told as so much larger as the ``estimate`` says. Once it
    ``is_missing``, there is no such mailbox. ``arrivals`` are those of messages that did not come when all others
    ``arrived``.
    """

    def __init__(self, messages: dict[int, bytes], **faults: str) -> None:
        super().__init__()
        self.messages = messages
        self.faults = {int(uid.strip("_")): fault for uid, fault in faults.items()}
        self.spares_facts, self.estimate, self.is_missing = True, 0, False
        self.uidvalidity, self.uidnext = 7, max(messages, default=0) + 1
        self.arrived, self.arrivals = "20-Nov-2026 18:30:00 +0000", dict[int, str]()

    def _answer(self, command: str) -> str:
        words = command.split()
        if words[0] == "EXAMINE":
            if self.is_missing:
                return "% NO [NONEXISTENT] Mailbox doesn't exist."
            numbers = f"* OK [UIDVALIDITY {self.uidvalidity}]\n* OK [UIDNEXT {self.uidnext}]"
            return f"* {len(self.messages)} EXISTS\n{numbers}\n% OK"
        if words[:2] == ["UID", "SEARCH"]:
            found = self.messages if words[2] == "OR" else self._choose(words[3])
            return f"* SEARCH {' '.join(map(str, found))}\n% OK"
        return (
            self._fetch(command, self._choose(words[2])) if words[:2] == ["UID", "FETCH"] else super()._answer(command)
        )

    def _choose(self, wanted: str) -> list[int]:
        """Return the UIDs among those wanted; the last one is always among ``n:*``."""
        last, chosen = max(self.messages, default=0), set[int]()
        for first, to_last, _ in (one.partition(":") for one in wanted.split(",")):
            chosen |= set(range(min(int(first), last), last + 1)) if to_last else {int(first)}
        return sorted(chosen & self.messages.keys())

    def _fetch(self, command: str, uids: list[int]) -> str:
        if "BODY" not in command and self.spares_facts:
            told = (
                f"UID {uid} RFC822.SIZE {len(self.messages[uid]) + self.estimate}"
                f' INTERNALDATE "{self.arrivals.get(uid, self.arrived)}"'
                for uid in uids
            )
            return "".join(f"* 1 FETCH ({one})\n" for one in told) + "% OK"
        for uid in uids:
            if (fault := self.faults.get(uid)) in ("NO", "BAD", "hang up", "silence"):
                return {"hang up": fault, "silence": "* OK Still here"}.get(fault, f"% {fault} Not this one.")
        answers = (self._hand_out(uid, self.faults.get(uid, ""), command) for uid in uids)
        return "".join(answers) + "% OK"

    def _hand_out(self, uid: int, fault: str, command: str) -> str:
        raw = self.messages[uid]
        if fault == "gone":
            del self.messages[uid]
        if fault in ("nothing", "gone"):
            return ""
        if fault == "NIL" or fault.startswith('"'):
            return f"* 1 FETCH (UID {uid} BODY[] {fault})\n"
        if fault and "]<" not in command:
            raw = raw[: int(fault)]
        elif "]<" in command:  # what comes behind
            raw = raw[int(command.partition("]<")[2].partition(".")[0]) :][:1]
        return f"* 1 FETCH (UID {uid} BODY[] {{{len(raw)}}}\n{raw.decode().replace(chr(13), '')})\n"


MAIL = b"From: games@pbem.example\r\nTo: ann@pbem.example\r\nSubject: Your move\r\n\r\nd4\r\n"


class Postmaster:
    """An SMTP server that takes every email, except where it was given another answer to a command.

    It talks to ``most`` clients at once. ``disliked`` are answers to envelope senders, at the step ``judges_at``:
    ``MAIL``, ``RCPT`` or ``DATA``; the null sender is ``<>``, and ``+`` stands for all addresses with one in them.
    """

    def __init__(self, **answers: str) -> None:
        self.answers = answers
        self.most = 100
        self.disliked: dict[str, str] = {}
        self.judges_at = "MAIL"
        self.hangs_up = False
        self.senders: list[str] = []
        self.taken: list[bytes] = []
        self.connections = 0
        self.logins = 0
        self._talks: list[SMTP] = []

    async def handle_EHLO(  # noqa: N802 - aiosmtpd finds it by this name
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """Welcome a client, unless there are too many."""
        session.host_name = hostname
        talking = [talk for talk in self._talks if talk.transport is not None]
        return responses if server in talking[: self.most] else ["421 4.7.0 Too many connections."]

    async def handle_MAIL(  # noqa: N802 - as above
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take every sender, if not told otherwise."""
        refusal = self._judge("MAIL", address)
        if refusal and self.hangs_up:
            assert server.transport is not None
            asyncio.get_running_loop().call_soon(server.transport.close)
        if refusal:
            return refusal
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return self.answers.get("MAIL", "250 OK")

    async def handle_RCPT(  # noqa: N802 - as above
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take every recipient, if not told otherwise."""
        if refusal := self._judge("RCPT", envelope.mail_from or "<>"):
            return refusal
        envelope.rcpt_tos.append(address)
        return self.answers.get("RCPT", "250 OK")

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above
        """Keep the email, if not told otherwise."""
        sender = envelope.mail_from or "<>"
        answer = self._judge("DATA", sender) or self.answers.get("DATA", "250 OK")
        if answer == "hang up":
            assert server.transport is not None
            server.transport.abort()  # type: ignore[attr-defined]
        elif answer == "250 OK":
            self.taken.append(envelope.original_content or b"")
            self.senders.append(sender)
        return answer

    async def handle_RSET(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above
        """Begin anew, if not told otherwise."""
        answer = self.answers.get("RSET", "250 OK")
        if answer == "silence":
            await asyncio.Event().wait()
        return answer

    def _judge(self, step: str, sender: str) -> str | None:
        """Return the answer to an envelope sender at a step, if it is one that is not liked there."""
        return self.disliked.get("+" if "+" in sender else sender or "<>") if step == self.judges_at else None

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: LoginPassword
    ) -> AuthResult:
        self.logins += 1
        if "AUTH" in self.answers:
            return AuthResult(success=False, handled=False, message=self.answers["AUTH"])
        return AuthResult(success=login == LoginPassword(b"games", b"s:cret"), handled=False)

    @asynccontextmanager
    async def serving(self, tls: ssl.SSLContext | None = None, **settings: Any) -> AsyncIterator[int]:
        """Serve on a free port of loopback and yield it."""
        loop = asyncio.get_running_loop()

        def meet() -> SMTP:
            self.connections += 1
            authenticator = self._authenticate
            talk = SMTP(self, hostname="localhost", loop=loop, authenticator=authenticator, **settings)
            self._talks.append(talk)
            return talk

        server = await loop.create_server(meet, "127.0.0.1", 0, ssl=tls)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for talk in self._talks:
                if talk.transport is not None:
                    talk.transport.close()
            conversations = [talk._handler_coroutine for talk in self._talks if talk._handler_coroutine]
            await asyncio.gather(*conversations, return_exceptions=True)
            await server.wait_closed()


async def failure(courier: SmtpCourier, recipient: str = ANN) -> PbemError:
    """Send an email that will not be taken and return why; whatever is said is one sentence."""
    with pytest.raises(PbemError) as caught:
        await courier.send(GAMES, recipient, MAIL)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert "s:cret" not in str(caught.value)
    return caught.value
