"""The program run as a command, and players with email programs, on whatever mail servers there are."""

import asyncio
import imaplib
import os
import re
import signal
import smtplib
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from tests.e2e.messages import reply

GAMES = "games@example.org"
PBEM = Path(sys.executable).with_name("pbem")
PATIENCE = 90  # seconds for what takes few: machines are busy at times
"""Seconds after which an email, or the end of a process, is given up."""


class MailServers(Protocol):
    """Where players read and write their mail."""

    @property
    def password(self) -> str:
        """Everybody's password."""
        ...

    @property
    def smtp_url(self) -> str:
        """Where to send mail; no login is needed."""
        ...

    def imap_url(self, address: str) -> str:
        """Return where ``address`` reads its mail."""
        ...


class Bell(Protocol):
    """Whoever knows when mail has come."""

    async def reaches(self, recipient: str, count: int) -> None:
        """Wait until so many emails have come for ``recipient``."""
        ...


class Postbox:
    """Tells when mail has come in, and for whom."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._news = asyncio.Condition()
        self._telling: set[asyncio.Task[None]] = set()

    def __call__(self, _sender: str, recipient: str, _raw: bytes) -> None:
        """Note an email; the servers call this."""
        self._counts[recipient] = self._counts.get(recipient, 0) + 1
        task = asyncio.get_running_loop().create_task(self._tell())
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    def count(self, recipient: str) -> int:
        """Return how many emails have come for ``recipient``."""
        return self._counts.get(recipient, 0)

    async def reaches(self, recipient: str, count: int) -> None:
        """Wait until so many emails have come for ``recipient``."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: self._counts.get(recipient, 0) >= count)

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()


class Player:
    """Somebody with an email program: reads by IMAP, writes by SMTP, and quotes what he answers."""

    def __init__(self, address: str, servers: MailServers, bell: Bell) -> None:
        self.address = address
        self.mails: list[EmailMessage] = []
        self._servers = servers
        self._bell = bell
        self._written = 0

    async def read(self) -> str:
        """Wait for the next mail and return its text."""
        await self._bell.reaches(self.address, len(self.mails) + 1)
        self.mails.append(await asyncio.to_thread(self._fetch, len(self.mails) + 1))
        return text_of(self.mails[-1])

    async def answer(self, body: str) -> None:
        """Answer the latest email."""
        await asyncio.to_thread(self._send, body)

    def _fetch(self, number: int) -> EmailMessage:
        url = urlsplit(self._servers.imap_url(self.address))
        with imaplib.IMAP4(str(url.hostname), url.port or 0, timeout=PATIENCE) as client:
            client.login(self.address, self._servers.password)
            client.select("INBOX")
            _, answer = client.fetch(str(number), "(RFC822)")
        assert isinstance(answer[0], tuple)
        return message_from_bytes(answer[0][1], policy=policy.default)

    def _send(self, body: str) -> None:
        notice = self.mails[-1]
        self._written += 1
        message_id = str(notice["Message-ID"])
        raw = reply(
            self.address,
            str(notice["Reply-To"]),
            body,
            message_id=f"<{self._written}.{self.address}>",
            quoted=text_of(notice),
            In_Reply_To=message_id,
            References=f"{notice['References'] or ''} {message_id}".strip(),
        )
        url = urlsplit(self._servers.smtp_url)
        with smtplib.SMTP(str(url.hostname), url.port or 0, timeout=PATIENCE) as client:
            client.sendmail(self.address, [GAMES.replace("@", "+" + tag_of(notice) + "@")], raw)


def tag_of(notice: EmailMessage) -> str:
    """Return the reply token in the Reply-To of a notice."""
    found = re.search(r"\+([^@]+)@", str(notice["Reply-To"]))
    assert found is not None
    return found[1]


def text_of(mail: EmailMessage) -> str:
    """Return the text part of an email."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


async def pbem(directory: Path, environment: dict[str, str], *arguments: str) -> str:
    """Call the command, which must do and complain of nothing; returns what it printed."""
    process = await asyncio.create_subprocess_exec(
        PBEM, *arguments, cwd=directory, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert (process.returncode, err.decode()) == (0, ""), arguments
    return out.decode()


@asynccontextmanager
async def serving(
    directory: Path, environment: dict[str, str], *, number: signal.Signals = signal.SIGTERM, complains: str = ""
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run ``pbem run``, and end it with a signal, which it must take for what it is.

    ``complains`` is a pattern of what each line on standard error may be.
    """
    process = await asyncio.create_subprocess_exec(
        PBEM, "run", cwd=directory, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        yield process
        process.send_signal(number)
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    except BaseException:
        if process.returncode is None:
            process.kill()
        out, err = await process.communicate()
        print(out.decode(), err.decode())
        raise
    assert process.returncode == 0
    assert out.decode() == f"Serving {GAMES}. Stop with Ctrl-C.\n"
    complaints = [line for line in err.decode().splitlines() if " INFO " not in line]
    assert all(re.fullmatch(complains, line) for line in complaints), err.decode()


def without_settings() -> dict[str, str]:
    """Return the environment without any setting of pbem."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}


async def play(players: list[Player]) -> None:
    """Play the match, everybody reading one email after every move."""
    ann, bob, carl = players
    everybody = [await player.read() for player in players]
    assert all("[pbem 1]" in str(player.mails[0]["Subject"]) for player in players)
    assert ann.mails[0]["X-Pbem-Turn"] == "yes"

    await ann.answer("c3\nGood luck to everybody.")
    everybody = [await player.read() for player in players]
    assert ["Good luck to everybody." in text for text in everybody] == [True, True, True]
    await bob.answer("take")
    everybody = [await player.read() for player in players]
    assert all("white" in text for text in everybody)

    # A typo is answered to its sender alone, and the answer can be answered.
    await carl.answer("c3")
    await carl.read()
    assert carl.mails[-1]["X-Pbem-Kind"] == "move_rejected"
    await carl.answer("team: I go along the first row.\na1")
    everybody = [await player.read() for player in players]
    assert ["I go along the first row." in text for text in everybody] == [True, False, True]

    for player, move in [(ann, "b1"), (bob, "c4"), (carl, "c1"), (ann, "d1"), (bob, "b4"), (carl, "e1")]:
        await player.answer(move)
        everybody = [await player.read() for player in players]
    assert [player.mails[-1]["X-Pbem-Kind"] for player in players] == ["match_over"] * 3
    assert "Ann and Carl won" in " ".join(everybody[1].split())
    for player in players:
        # One thread, so that an email program shows the match as one conversation.
        assert {str(mail["References"] or mail["Message-ID"]).split()[0] for mail in player.mails} == {
            str(player.mails[0]["Message-ID"])
        }
        assert all(mail["Auto-Submitted"] == "auto-generated" for mail in player.mails)
    assert not any("along the first row" in text_of(mail) for mail in bob.mails)
