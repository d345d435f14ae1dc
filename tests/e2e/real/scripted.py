"""An SMTP server that says at each step what it was told to."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from tests.e2e.real.listener import Listener

HANG_UP, SILENCE = "hang up", "silence"
"""Instead of an answer: the connection ends, or nothing is ever said."""

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
    """Takes every email, except that ``answers`` are what it says at these of the ``STEPS``."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        super().__init__()
        self.answers = dict(answers)
        self.heard: list[bytes] = []

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer line by line until somebody ends it; ``heard`` are the emails, whatever was answered to them."""
        step = "connect"
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                answer = self.answers.get(step, _USUAL.get(step, "502 5.5.2 what?"))
                if answer == HANG_UP:
                    break
                if answer != SILENCE:
                    writer.write(f"{answer}\r\n".encode())
                if step == "QUIT":
                    break
                if step == "DATA" and answer.startswith("354"):
                    self.heard.append(await reader.readuntil(b"\r\n.\r\n"))
                    step = "end"
                elif line := await reader.readline():
                    step = (line.decode().upper().split() or [""])[0]
                else:
                    break
