"""An SMTP server that says at each step what it was told to."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from tests.e2e.real.listener import Listener

HANG_UP, SILENCE = "hang up", "silence"
"""Instead of an answer: the connection ends, or nothing is ever said."""

PIPELINING = {"EHLO": "250-localhost\r\n250-PIPELINING\r\n250 8BITMIME"}
"""The answers of a server that takes commands together."""

_USUAL = {
    "connect": "220 ready",
    "EHLO": "250-localhost\r\n250-AUTH PLAIN\r\n250 8BITMIME",
    "AUTH": "235 2.7.0 welcome",
    "MAIL": "250 2.1.0 fine",
    "RCPT": "250 2.1.5 fine",
    "DATA": "354 go on",
    "end": "250 2.0.0 taken",
    "RSET": "250 2.0.0 forgotten",
    "QUIT": "221 2.0.0 bye",
}
STEPS = ("connect", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "end")


class ScriptedServer(Listener):
    """Takes every email, except that ``answers`` are what it says at these of the ``STEPS``.

    Several answers to a step are pieces of one, which come one after the other. ``forgets``: what comes behind a
    command, before that is answered, gets lost.
    """

    def __init__(self, answers: Mapping[str, str | Sequence[str]], *, forgets: bool = False) -> None:
        super().__init__()
        self.answers, self._forgets = dict(answers), forgets
        self.heard: list[bytes] = []
        self.talks = 0
        self.packets: list[bytes] = []

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer line by line until somebody ends it; ``heard`` are the emails, whatever was answered to them.

        ``packets`` are what came at once, ``talks`` counts whoever called.
        """
        self.talks += 1
        step, buffer = "connect", b""
        with suppress(ConnectionError):
            while True:
                answer = self.answers.get(step, _USUAL.get(step, "502 5.5.2 what?"))
                if isinstance(answer, str):
                    answer = [answer if answer in (HANG_UP, SILENCE) else f"{answer}\r\n"]
                for piece in answer:
                    if piece == HANG_UP:
                        return
                    if piece != SILENCE:
                        writer.write(piece.encode())
                        await asyncio.sleep(0)
                if step == "QUIT":
                    break
                reads_email = step == "DATA" and "".join(answer).startswith("354")
                end = b"\r\n.\r\n" if reads_email else b"\n"
                while end not in buffer:
                    if not (packet := await reader.read(65536)):
                        return
                    self.packets.append(packet)
                    buffer += packet
                said, _, buffer = buffer.partition(end)
                if reads_email:
                    self.heard.append(said + end)
                    step = "end"
                else:
                    step = (said.decode().upper().split() or [""])[0]
                if self._forgets:
                    buffer = b""
