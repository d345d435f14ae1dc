"""What the tests share: the service over its real ports, players who answer, and the command as a process."""

import asyncio
import re
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from pbem.errors import MailboxLost
from pbem.ports import Courier
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from pbem.storage.messages.records import InboundRecord, OutboundRecord
from pbem.transport.imap import ImapMailbox
from tests.e2e.messages import reply
from tests.e2e.program import PBEM, tag_of, text_of
from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.place import PATIENCE
from tests.support.fakes import FakeClock, FakeDice

GAMES, ANN, BOB = (f"{name}@example.org" for name in ("games", "ann", "bob"))
ADDRESSES = [GAMES, ANN, BOB]


@dataclass
class Line:
    """A service on a database of its own, which reads a mailbox at ``dovecot`` and sends by ``courier``."""

    service: Service
    clock: FakeClock
    dovecot: Dovecot

    @classmethod
    def over(cls, dovecot: Dovecot, courier: Courier, database: Path) -> "Line":
        """Build it; its clock stands at the present time, since the server's clock goes."""
        settings = Settings(
            address=GAMES,
            secret=f"the secret of {database}",  # and so Message-IDs of its own
            operator="operator@example.org",
            database_url=f"sqlite:///{database}",
        )
        clock = FakeClock(datetime.now(UTC).replace(microsecond=0))
        service = Service(
            settings,
            Database(settings.database_url),
            clock=clock,
            dice=FakeDice(),
            mailbox=ImapMailbox(dovecot.imap_url(GAMES), timeout=PATIENCE),
            courier=courier,
        )
        return cls(service, clock, dovecot)

    def read_through(self, port: int) -> None:
        """Read the mailbox through another port, before it has been read at all."""
        url = self.dovecot.imap_url(GAMES).replace(f":{self.dovecot.port}/", f":{port}/")
        self.service.connect(mailbox=ImapMailbox(url, timeout=PATIENCE))

    async def poll(self) -> int:
        """Read what is new, with a second connection if the first is lost; returns how many messages were new."""
        with suppress(MailboxLost):
            return await self.service.poll()
        return await self.service.poll()

    def messages(self) -> list[InboundRecord]:
        """Return what has come in, the oldest first."""
        with self.service.database.reading() as tx:
            return tx.inbound.latest(limit=100_000)[::-1]

    def mails(self) -> list[OutboundRecord]:
        """Return what was written, the oldest first."""
        with self.service.database.reading() as tx:
            return tx.outbound.latest(limit=100_000)[::-1]

    def moves(self, number: int = 1) -> list[str]:
        """Return the texts of a match's record."""
        with self.service.database.reading() as tx:
            match = tx.matches.get(number)
        assert match is not None
        return [entry.text for entry in match.record]

    def answer(self, player: str, body: str) -> bytes:
        """Return a message that answers the latest email to a player."""
        newest = next(mail for mail in reversed(self.mails()) if mail.recipient == player)
        with self.service.database.reading() as tx:
            notice = tx.outbound.raw(newest.id)
        return answer(notice, body)


def answer(notice: bytes, body: str) -> bytes:
    """Return a message that answers an email of ours as a simple email program does."""
    mail: EmailMessage = message_from_bytes(notice, policy=policy.default)
    name = re.sub(r"\W+", "-", f"{body[:20]} {mail['Message-ID']}").strip("-")
    return reply(
        str(mail["To"]),
        GAMES.replace("@", f"+{tag_of(mail)}@"),
        body,
        message_id=f"<{name}@example.org>",
        quoted=text_of(mail),
        In_Reply_To=str(mail["Message-ID"]),
    )


@dataclass(frozen=True)
class Outcome:
    """How a call of the command ended; ``megabytes`` is the most memory it was seen to hold."""

    code: int
    out: str
    err: str
    seconds: float
    megabytes: float


async def call(directory: Path, environment: dict[str, str], *arguments: str, patience: float = 120) -> Outcome:
    """Call the command as a process and return how it went, whatever that was."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    process = await asyncio.create_subprocess_exec(
        PBEM, *arguments, cwd=directory, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    watching = asyncio.create_task(_most_memory(process.pid))
    out, err = await asyncio.wait_for(process.communicate(), patience)
    assert process.returncode is not None
    found = Outcome(process.returncode, out.decode(), err.decode(), loop.time() - began, await watching)
    print(f"pbem {' '.join(arguments)}: {found.seconds:.1f} s, {found.megabytes:.0f} MB", file=sys.stderr)
    return found


async def settled(directory: Path, count: int) -> None:
    """Wait until so many messages have come to their end in the database of a service that runs."""
    counting = "SELECT count(settled_at) FROM inbound"
    with closing(sqlite3.connect(f"file:{directory / 'pbem.db'}?mode=ro", uri=True)) as connection:
        async with asyncio.timeout(PATIENCE):
            while connection.execute(counting).fetchone()[0] < count:  # noqa: ASYNC110 - another process settles
                await asyncio.sleep(0.02)


async def _most_memory(pid: int) -> float:
    """Return the most memory, in megabytes, that a process is seen to hold until it ends."""
    status, most = Path(f"/proc/{pid}/status"), 0.0
    with suppress(OSError):
        while found := re.search(r"VmHWM:\s+(\d+) kB", await asyncio.to_thread(status.read_text)):
            most = int(found[1]) / 1000
            await asyncio.sleep(0.05)
    return most
