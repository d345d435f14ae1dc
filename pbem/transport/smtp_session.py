"""What is said over an open connection to an SMTP server: one transaction after the other (RFC 5321, 3.3)."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aiosmtplib import (
    SMTP,
    SMTPDataError,
    SMTPException,
    SMTPReadTimeoutError,
    SMTPRecipientRefused,
    SMTPResponse,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

from pbem.transport.network import one_line
from pbem.transport.smtp_answers import CLOSING, OUT_OF_STEP

LONGEST_ANSWER = 300.0
"""Seconds that a server may take for an answer (RFC 5321, 4.5.3.2), but for the next two."""

_FOR_DATA, _FOR_END = 120.0, 600.0
_FOR_RESET = 30.0  # nothing depends on it but the connection
_LONGEST_REPLY = 32_768  # bytes
_LINE = re.compile(rb"[1-5][0-9]{2}(?:[ -].*)?", re.DOTALL)
_NOT_UNDERSTOOD = {500, 501, 502, OUT_OF_STEP}


class OutOfStep(SMTPException):
    """The server may not bear that commands are sent together, though it offers it; it has taken nothing."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A command of a transaction, the first digit of the answer with which it goes on, and what another answer is."""

    command: bytes
    digit: int
    seconds: float
    refusal: Callable[[int, str], SMTPResponseException]


class Session(asyncio.Protocol):
    """A connection that aiosmtplib has opened, and over which it says nothing more.

    Its ``sendmail`` goes through each email twice and waits for each answer, which takes as long as all else in
    sending, and tells neither where a connection was lost nor 2yz from 250. ``timeout`` in seconds is for each answer,
    instead of the times of the RFC. Whatever is said raises SMTPResponseException for a refusal, after which the
    server has been told to begin anew, and another SMTPException or an OSError when the connection is of no more use.

    ``has_named``: the server took the sender, and may have heard of the recipient.
    """

    def __init__(self, client: SMTP, timeout: float | None = None) -> None:
        transport = client.transport
        if not isinstance(transport, asyncio.Transport) or transport.is_closing():
            raise SMTPServerDisconnected("Connection lost")
        self._transport, self._timeout = transport, timeout
        self._takes_size, self._takes_8bit, self.takes_together = map(
            client.supports_extension, ("size", "8bitmime", "pipelining")
        )
        self._received = bytearray()
        self._waiter: asyncio.Future[None] | None = None
        self._is_lost = False
        self._loss: Exception | None = None
        self._writes = self._has_content = self.has_named = False
        transport.set_write_buffer_limits(0)  # so that what has left us is known
        transport.set_protocol(self)

    @property
    def is_open(self) -> bool:
        """Whether the connection can be used; one on which the server says what nobody asked for cannot."""
        return not self._is_lost and not self._received and not self._transport.is_closing()

    @property
    def is_unknown(self) -> bool:
        """Whether the server may have the whole email, and has not said what becomes of it."""
        return self._has_content and not self._writes

    async def hand_over(self, sender: str, recipient: str, raw: bytes, *, together: bool = False) -> None:
        """Hand one email over; ``together``: with its commands in one go (RFC 2920). Raise OutOfStep for that alone."""
        self.has_named = self._has_content = False
        options = f" SIZE={len(raw)}" if self._takes_size else ""
        options += " BODY=8BITMIME" if self._takes_8bit and not raw.isascii() else ""
        steps = (_sender_step(sender, options), _recipient_step(recipient), _DATA)
        if together:
            await self._go_together(steps)
        else:
            for step in steps:
                await self._go(step)
                self.has_named = True
        self._has_content = True
        self._transport.write(_to_content(raw))
        reply = await self._hear(_FOR_END)
        self._has_content = reply.code // 100 not in (2, 4, 5)
        await self._judge(reply, _END)

    async def name_sender(self, sender: str) -> None:
        """Begin a transaction."""
        await self._go(_sender_step(sender, ""))

    async def name_recipient(self, recipient: str) -> None:
        """Name a recipient in a transaction."""
        await self._go(_recipient_step(recipient))

    async def reset(self) -> None:
        """Let the server begin anew; where it does not, the connection ends.

        What is said next on it would be refused for what came before.
        """
        try:
            self._transport.write(b"RSET\r\n")
            if (await self._hear(_FOR_RESET)).code // 100 == 2:
                return
        except (SMTPException, OSError):
            pass
        self.close()

    async def quit(self, seconds: float) -> None:
        """End the connection politely, but within so many seconds."""
        self._transport.write(b"QUIT\r\n")
        await self._hear(seconds)

    def close(self) -> None:
        """End the connection; what has not left us by now never does, and nobody waits for a server that reads no more.

        Otherwise an email that counts as not taken would still go out.
        """
        if self._writes:
            self._transport.abort()
        else:
            self._transport.close()

    async def _go(self, step: _Step) -> None:
        """Take one step, and judge the answer."""
        self._transport.write(step.command)
        await self._judge(await self._hear(step.seconds), step)

    async def _go_together(self, steps: Sequence[_Step]) -> None:
        """Take several steps at once; when all answers are there, judge the first one that is no consent."""
        self._transport.write(b"".join(step.command for step in steps))
        refused: tuple[SMTPResponse, _Step] | None = None
        try:
            for step in steps:
                reply = await self._hear(step.seconds)
                if refused is None and reply.code // 100 != step.digit:
                    refused = reply, step
                self.has_named |= refused is None
                if reply.code == CLOSING:
                    break
        except (SMTPException, OSError) as error:
            raise OutOfStep(str(error)) from error
        if refused is None:
            return
        if refused[0].code in _NOT_UNDERSTOOD and refused[1] is not steps[0]:
            raise OutOfStep(refused[0].message)
        if reply.code // 100 == _DATA.digit:  # it waits for an email to nobody
            self.close()
        await self._judge(*refused)

    async def _judge(self, reply: SMTPResponse, step: _Step) -> None:
        """Raise what an answer means by its first digit, unless the step is done with it."""
        digit = reply.code // 100
        if digit == step.digit:
            return
        if reply.code == CLOSING:
            self.close()
        if digit in (4, 5):
            await self.reset()
            raise step.refusal(reply.code, reply.message)
        raise SMTPException(f"it answers {one_line(f'{reply.code} {reply.message}')}, which makes no sense")

    async def _hear(self, seconds: float) -> SMTPResponse:
        """Return the next answer, for which the server may take so many seconds."""
        if reply := self._take_reply():
            return reply
        try:
            async with asyncio.timeout(self._timeout or seconds):
                while (reply := self._take_reply()) is None:
                    if self._is_lost or self._transport.is_closing():
                        raise SMTPServerDisconnected("Connection lost") from self._loss
                    self._waiter = asyncio.get_running_loop().create_future()
                    await self._waiter
                return reply
        except TimeoutError:
            raise SMTPReadTimeoutError("No answer in time") from None

    def _take_reply(self) -> SMTPResponse | None:
        """Return the first answer in what was received, once it is whole (RFC 5321, 4.2)."""
        start, words = 0, []
        while (end := self._received.find(b"\n", start)) >= 0:
            line = bytes(self._received[start:end]).rstrip()
            if not _LINE.fullmatch(line):
                raise SMTPException(f"it answers “{one_line(line)}”, which makes no sense")
            start = end + 1
            words.append(line[4:].strip())
            if line[3:4] != b"-":
                del self._received[:start]
                return SMTPResponse(int(line[:3]), b"\n".join(words).decode("utf-8", "surrogateescape"))
        if len(self._received) > _LONGEST_REPLY:
            raise SMTPException("its answer has no end")
        return None

    def _wake(self) -> None:
        """Let whoever waits for an answer look again."""
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Keep what the server says."""
        self._received += data
        self._wake()

    def eof_received(self) -> None:
        """Note that the server says nothing more; the connection ends."""
        self._is_lost = True
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        """Note that the connection is no more, and why."""
        self._is_lost, self._loss = True, error
        self._wake()

    def pause_writing(self) -> None:
        """Note that something is left to be written."""
        self._writes = True

    def resume_writing(self) -> None:
        """Note that all has been written."""
        self._writes = False


_DATA = _Step(b"DATA\r\n", 3, _FOR_DATA, SMTPDataError)
_END = _Step(b".\r\n", 2, _FOR_END, SMTPDataError)


def _sender_step(sender: str, options: str) -> _Step:
    """Return the step that names the envelope sender."""
    command = _to_line(f"MAIL FROM:<{sender}>{options}")
    return _Step(command, 2, LONGEST_ANSWER, lambda code, words: SMTPSenderRefused(code, words, sender))


def _recipient_step(recipient: str) -> _Step:
    """Return the step that names a recipient."""
    command = _to_line(f"RCPT TO:<{recipient}>")
    return _Step(command, 2, LONGEST_ANSWER, lambda code, words: SMTPRecipientRefused(code, words, recipient))


def _to_line(command: str) -> bytes:
    """Return the line of a command; raise ValueError for what would be another one behind it."""
    if not (command.isascii() and command.isprintable()):
        raise ValueError(f"{command!a} is no command")
    return command.encode() + b"\r\n"


def _to_content(raw: bytes) -> bytes:
    """Return an email as it goes out: its lines end with CRLF, a dot in front is doubled, and one dot ends it."""
    content = b"\r\n".join(raw.splitlines())
    stuffed = (b"." if content.startswith(b".") else b"") + content.replace(b"\r\n.", b"\r\n..")
    return stuffed + b"\r\n.\r\n"
