"""The page about an operator's day: its commands are carried out, and it shows what they print, word for word.

``--update`` writes the answers anew. Times, sizes and the like differ from day to day, and are compared as
if they didn't.
"""

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from socket import gethostname

import psycopg
import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxSet

from pbem.demo.servers import DemoServers
from tests.e2e.messages import reply
from tests.e2e.program import GAMES, PATIENCE, PBEM, Player, Postbox, tag_of, text_of, without_settings
from tests.support.postgresql import PostgreSqlServer

pytestmark = pytest.mark.slow("runs the program as people do")

PAGE = Path(__file__).resolve().parents[2] / "docs" / "operators-day.md"
HOME = "/var/lib/pbem"
PLAYERS = {name: f"{name}@example.net" for name in ("ann", "bob", "carl")}
_NONE_QUEUED = "SELECT CASE count(*) WHEN 0 THEN 1 ELSE 0 END FROM outbound WHERE status = 'queued'"
PHONE = "bob@phone.example"
VARYING = [
    (r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\+00:00)?(?: UTC)?", "[a time]"),
    (r"\b\d{8}-\d{6}\b", "[a time]"),
    (r"(?<=pbem 1\.0\.0)\.post\d+", ""),
    (r"\b[\d.,]+ (?:kB|MB|GB)\b", "[a size]"),
    (r"about [\d,]+ days|for years", "[long]"),
    (r"within \d+ s\b", "within [a few] s"),
    (r"\b[\d,]+ rows", "[some] rows"),
    (r"\b\d{4}-\d\d-\d\d\b", "[a day]"),
    (r"\b\d{1,2} [A-Z][a-z]{2}\b", "[a day]"),
    (r"\b\d\d:\d\d UTC\b", "[a time]"),
    (r" {2,}", "  "),
    (r"─+", "─"),
]


class Provider(DemoServers):
    """Servers whose SMTP side has enough of us while ``limit`` says so, or ``hangs_up`` instead of its answer."""

    limit = ""
    hangs_up = False

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - as there
        """Take an email, or say that it was too many."""
        answer = self.limit or await super().handle_DATA(server, session, envelope)
        if self.hangs_up:
            assert server.transport is not None
            server.transport.abort()  # type: ignore[attr-defined]
        return answer

    async def move_mailbox(self, address: str, messages: Sequence[tuple[bytes, str]]) -> None:
        """Put all messages of a mailbox into a new one, in which they have other numbers."""
        await self.hang_up()
        self._mailboxes[address] = MailboxSet()
        self._config.set_cache[address] = self._mailboxes[address], FilterSet()
        for raw, recipient in messages:
            await self.deliver(raw, recipient)


class Machine:
    """The machine of the page: what a shell would do, with ``systemctl`` and ``journalctl`` for its one service."""

    def __init__(self, home: Path, servers: Provider, postbox: Postbox, postgresql: PostgreSqlServer) -> None:
        self.home, self.servers, self._postbox = home, servers, postbox
        self._postgresql = f"127.0.0.1:{postgresql.port}"
        self.players = {name: Player(address, servers, postbox) for name, address in PLAYERS.items()}
        self.environment = without_settings() | {
            "PATH": f"{PBEM.parent}:{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "COLUMNS": "120",
        }
        self.log = home.parent / "log"
        self._process: asyncio.subprocess.Process | None = None
        self._worker: asyncio.subprocess.Process | None = None
        self._written: list[tuple[bytes, str]] = []

    async def carry_out(self, command: str) -> str:
        """Return what a command prints, with the paths and names of the page."""
        words = command.split()
        if words[:2] == ["ssh", "attic"]:
            await self._start_worker()
            return ""
        if words[:2] == ["systemctl", "start"]:
            await self._start()
            return ""
        if words[:2] == ["systemctl", "stop"]:
            await self.stop()
            return ""
        if words[0] == "journalctl":
            assert self._process is not None
            await asyncio.wait_for(self._process.wait(), PATIENCE)
            return self._as_on_the_page(self.log.read_text().splitlines()[-1] + "\n")
        real = command.replace("db.example.org", self._postgresql)
        shell = await asyncio.create_subprocess_exec(
            "bash", "-c", real, cwd=self.home, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        out, _ = await asyncio.wait_for(shell.communicate(), PATIENCE)
        if words[:3] == ["pbem", "inbound", "retry"]:
            await self._reach(_NONE_QUEUED, 1)  # the clock of whoever is to move runs once they are told
        return self._as_on_the_page(out.decode())

    async def happen(self, what: str) -> None:
        """Let something happen that no command of the operator does."""
        name, _, words = what.partition(": ")
        if name in self.players:
            await self._answer(self.players[name], words)
        elif name == "bob's phone":
            await self._answer(self.players["bob"], words, sender=PHONE)
        elif name == "the two servers":
            self._fill_in()
        elif name == "the provider":
            if words == "moves the mailbox":
                await self.servers.move_mailbox(GAMES, self._written)
            elif words == "hangs up after each email":
                await self._reach(_NONE_QUEUED, 1)
                self.servers.hangs_up = True
            elif words == "takes email again":
                self.servers.limit, self.servers.hangs_up = "", False
                # As if the time had passed after which they are tried again.
                with closing(sqlite3.connect(self.home / "pbem.db", timeout=PATIENCE)) as connection, connection:
                    connection.execute("UPDATE outbound SET due_at = created_at WHERE status = 'queued'")
                await self._reach(_NONE_QUEUED, 1)
            else:
                await self._reach(_NONE_QUEUED, 1)
                self.servers.limit = words
        else:
            raise AssertionError(f"nothing is known of “{what}”")

    async def stop(self) -> None:
        """End the service, if it runs."""
        process, self._process = self._process, None
        await _end(process)

    async def leave(self) -> None:
        """End all that runs."""
        worker, self._worker = self._worker, None
        await _end(worker)
        await self.stop()

    async def _start(self) -> None:
        """Start the service, and wait until it has read and sent what there is."""
        await self.stop()
        with self.log.open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                PBEM, "run", cwd=self.home, env=self.environment | {"PBEM_POLL_SECONDS": "1"}, stdout=log, stderr=log
            )
        async with asyncio.timeout(PATIENCE):
            while b"Serving" not in self.log.read_bytes():
                assert self._process.returncode is None, self.log.read_text()
                await asyncio.sleep(0.05)
        await self._reach("SELECT count(settled_at) FROM inbound", len(self._written))
        await self._reach("SELECT count(*) FROM heartbeat", 2)
        await self._reach(_NONE_QUEUED, 1)

    async def _start_worker(self) -> None:
        """Start a worker, and wait until it has said that it is there."""
        with (self.home.parent / "worker").open("wb") as log:
            self._worker = await asyncio.create_subprocess_exec(
                PBEM, "worker", cwd=self.home, env=self.environment, stdout=log, stderr=log
            )
        await self._reach("SELECT count(*) FROM worker", 1)

    async def _answer(self, player: Player, words: str, sender: str = "") -> None:
        """Let a player answer their newest email, and wait until the answer has had its effect."""
        if self._process is not None and not (self.servers.limit or self.servers.hangs_up):
            await self._reach(_NONE_QUEUED, 1)
        while len(player.mails) < max(self._postbox.count(player.address), 1):
            await player.read()
        notice = player.mails[-1]
        raw = reply(
            sender or player.address,
            str(notice["Reply-To"]),
            words,
            message_id=f"<{len(self._written) + 1}@example.net>",
            quoted=text_of(notice),
            In_Reply_To=str(notice["Message-ID"]),
        )
        self._written.append((raw, GAMES.replace("@", f"+{tag_of(notice)}@")))
        await self.servers.deliver(*self._written[-1])
        if self._process is None:
            return
        await self._reach("SELECT count(settled_at) FROM inbound", len(self._written))
        if self._worker:
            await self._reach("SELECT max(processed) FROM worker", 1)
        if not (self.servers.limit or self.servers.hangs_up):
            await self._reach(_NONE_QUEUED, 1)
        else:
            await self._reach("SELECT count(*) > 0 AND min(error) <> '' FROM outbound WHERE status = 'queued'", 1)

    async def _reach(self, question: str, least: int) -> None:
        """Wait until the database answers a question with so much."""
        async with asyncio.timeout(PATIENCE):
            while self._ask(question) < least:  # noqa: ASYNC110 - another process writes it
                await asyncio.sleep(0.05)

    def _ask(self, question: str) -> int:
        """Return what the database of the service answers."""
        url = re.findall(r'^database_url = "(.*)"$', (self.home / "pbem.toml").read_text(), re.MULTILINE)[0]
        if url.startswith("postgresql"):
            with psycopg.connect(url) as server:
                found = server.execute(question.encode()).fetchone()
        else:
            with closing(sqlite3.connect(f"file:{self.home}/pbem.db?mode=ro", uri=True)) as file:
                found = file.execute(question).fetchone()
        assert found
        return int(found[0])

    def _fill_in(self) -> None:
        """Put the URLs of both servers, and the operator, into the settings."""
        file = self.home / "pbem.toml"
        known = {"imap_url": self.servers.imap_url(GAMES), "smtp_url": f"{self.servers.smtp_url}?connections=1"}
        known["operator"] = "you@example.net"
        text = file.read_text()
        for name, value in known.items():
            text = re.sub(rf'^{name} = "".*$', f'{name} = "{value}"', text, flags=re.MULTILINE)
        file.write_text(text)

    def _as_on_the_page(self, text: str) -> str:
        """Return what a command printed as a machine like that of the page would print it."""
        imap, smtp = (re.findall(r":\d+", url)[-1] for url in (self.servers.imap_url(GAMES), self.servers.smtp_url))
        text = text.replace(str(self.home), HOME).replace(f" on {gethostname()}", " on games")
        text = text.replace(self._postgresql, "db.example.org")
        text = re.sub(rf"\b{re.escape(gethostname())}:\d+", "attic:4711", text)
        return text.replace(f"127.0.0.1{imap}", "imap.example.org:993").replace(
            f"127.0.0.1{smtp}", "smtp.example.org:465"
        )


async def _end(process: asyncio.subprocess.Process | None) -> None:
    """Tell a process to end, if there is one, and wait for that."""
    if process is not None:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.wait(), PATIENCE)


def alike(text: str) -> str:
    """Return a text with the same words for all that differs from day to day."""
    for pattern, words in VARYING:
        text = re.sub(pattern, words, text)
    return "\n".join(line.rstrip() for line in text.splitlines())


@pytest.fixture
async def machine(tmp_path: Path, postgresql: PostgreSqlServer) -> AsyncIterator[Machine]:
    """A machine with a mailbox at a provider, a PostgreSQL server, and three people with email programs."""
    postbox = Postbox()
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    postgresql.create("pbem")
    servers = Provider([GAMES, *PLAYERS.values(), PHONE], on_mail=postbox)
    async with servers:
        machine = Machine(home, servers, postbox, postgresql)
        try:
            yield machine
        finally:
            await machine.leave()


async def test_an_operator_s_day_is_what_the_page_shows(machine: Machine, request: pytest.FixtureRequest) -> None:
    """Each command prints what stands below it; what happens meanwhile stands in remarks that readers don't see."""
    written: list[str] = []
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    shown, number = False, 0
    while number < len(lines):
        line = lines[number]
        number += 1
        written.append(line)
        if line.startswith("```"):
            shown = line == "```console"
        elif found := re.fullmatch(r"<!-- (.*) -->", line):
            print(line)  # shown where it fails
            await machine.happen(found[1])
        elif shown and line.startswith("$ "):
            expected = []
            while not lines[number].startswith(("$ ", "```")):
                expected.append(lines[number])
                number += 1
            print(line)
            printed = (await machine.carry_out(line[2:])).rstrip("\n")
            answer = [one.rstrip() for one in printed.splitlines()]
            same = alike("\n".join(answer)) == alike("\n".join(expected))
            if request.config.getoption("--update"):
                written += expected if same else answer
            else:
                assert alike("\n".join(answer)) == alike("\n".join(expected)), line
                written += expected
    if request.config.getoption("--update"):
        PAGE.write_text("\n".join(written) + "\n", encoding="utf-8")
