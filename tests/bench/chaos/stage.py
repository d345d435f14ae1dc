"""What a season is played on: the servers, the service, the network between them, the disk, and the players."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from shutil import rmtree
from signal import SIGKILL

from pbem.storage.database import Database
from tests.bench.chaos.books import count_waiting
from tests.bench.chaos.disk import Disk
from tests.bench.chaos.ledger import Books
from tests.bench.chaos.outlet import Journal
from tests.bench.chaos.players import Players
from tests.bench.chaos.season import ADDRESS, SECRET, Planned, open_season
from tests.bench.chaos.servers import ImapServer, ServiceServer, SmtpServer
from tests.bench.chaos.switches import Switch, Switches
from tests.bench.chaos.wire import Wire
from tests.e2e.program import without_settings
from tests.e2e.real.certificates import Authority
from tests.e2e.real.dovecot import Dovecot
from tests.support.postgresql import PostgreSqlServer

SPEED = 120
"""How many times as fast the clock of the service goes: five minutes, after which it sends again, are 2.5 seconds."""

LOOK_SECONDS = 0.02
"""How often the players look whether an email has come."""

_AT_ONCE = 40  # matches
_QUIET_SECONDS = 1.0
_GAP = 0.2  # seconds


@dataclass
class Ground:
    """A directory in which seasons are played, with the database that each begins with.

    It is the file ``blank``, or with ``postgresql`` the database of that name on this server. So many ``connections``
    carry emails; None: as many as the program makes.
    """

    home: Path
    planned: Sequence[Planned]
    seed: int
    certificate: Path
    disk: Disk
    postgresql: PostgreSqlServer | None
    connections: int | None

    @property
    def blank(self) -> Path:
        """The file with the database that each season begins with."""
        return self.home / "blank.db"

    def copy(self, name: str) -> str:
        """Return the URL of a new database like that."""
        if self.postgresql:
            self.postgresql.copy("blank", name)
            return self.postgresql.url(name)
        return f"sqlite:///{shutil.copy(self.blank, self.disk.directory / f'{name}.db')}"


@contextmanager
def prepare(
    seed: int, matches: int, most: int | None = None, *, postgresql: bool = False, connections: int | None = None
) -> Iterator[Ground]:
    """Yield the ground for seasons of so many matches, with ``most`` so many moves each."""
    home = Path(tempfile.mkdtemp(prefix="pbem-"))
    home.chmod(0o755)  # the users of the servers have to enter it
    disk = Disk(home / "disk")
    server = PostgreSqlServer(home / "postgresql") if postgresql else None
    try:
        (home / "authority").mkdir()
        certificate = Authority(home / "authority").certificate("localhost")
        url = f"sqlite:///{home / 'blank.db'}"
        if server:
            server.start()
            server.create("blank")
            url = server.url("blank")
        database = Database(url)
        database.upgrade()
        planned = open_season(database, datetime.now(UTC), seed, matches, most)
        database.drop_traces()
        database.close()
        yield Ground(home, planned, seed, certificate, disk, server, connections)
    finally:
        if server:
            server.stop()
        disk.remove()
        rmtree(home)


@dataclass
class Stage:
    """Everything that runs while a season is played."""

    url: str
    log: Path
    players: Players
    journal: Journal
    service: ServiceServer
    imap: ImapServer
    smtp: SmtpServer
    postgresql: PostgreSqlServer | None
    wires: dict[str, Wire]
    disk: Disk
    switches: Switches

    @classmethod
    @asynccontextmanager
    async def set_up(cls, ground: Ground, name: str) -> AsyncIterator["Stage"]:
        """Start the servers and the service, in a directory of its own."""
        place = ground.home / name
        place.mkdir()
        switches_file, journal_file = place / "switches", place / "journal"
        switches = Switches.make(switches_file)
        journal_file.touch()
        dovecot = Dovecot(place / "imap", [ADDRESS], ground.certificate)
        smtp = SmtpServer(journal_file, switches_file)
        chance = Random(f"{ground.seed} wires")
        wires = {"IMAP": Wire(dovecot.port, chance), "SMTP": Wire(smtp.port, chance)}
        if ground.postgresql:
            wires["PostgreSQL"] = Wire(ground.postgresql.port, chance)
        for wire in wires.values():
            await wire.start()
        url, began = await asyncio.to_thread(ground.copy, name), time.time()
        environment = {key: value for key, value in without_settings().items() if key.startswith("LC")}
        environment |= {
            "PBEM_ADDRESS": ADDRESS,
            "PBEM_SECRET": SECRET,
            "PBEM_DATABASE_URL": (ground.postgresql.url(name, wires["PostgreSQL"].port) if ground.postgresql else url),
            "PBEM_IMAP_URL": dovecot.imap_url(ADDRESS).replace(f":{dovecot.port}/", f":{wires['IMAP'].port}/"),
            "PBEM_SMTP_URL": f"smtp://127.0.0.1:{wires['SMTP'].port}"
            + (f"?connections={ground.connections}" if ground.connections else ""),
            "PBEM_SALT_HOURS": "0",
            "PBEM_POLL_SECONDS": "1",
        }

        def order() -> dict[str, object]:
            switches[Switch.DEATH] = 0
            return {
                "directory": str(place),
                "environment": environment,
                "log": str(place / "log"),
                "began": began,
                "speed": SPEED,
                "switches": str(switches_file),
            }

        environment["NOTIFY_SOCKET"] = str(place / "notify")
        service = ServiceServer(order, place / "notify")
        players = Players(ground.planned, ground.seed, _AT_ONCE, lambda raw: dovecot.put(ADDRESS, raw), _GAP)
        try:
            dovecot.start()
            smtp.start()
            await service.start()
            yield cls(
                url,
                place / "log",
                players,
                Journal(journal_file),
                service,
                ImapServer(dovecot),
                smtp,
                ground.postgresql,
                wires,
                ground.disk,
                switches,
            )
        finally:
            await service.end()
            smtp.stop()
            await asyncio.to_thread(dovecot.stop, SIGKILL)
            for wire in wires.values():
                await wire.stop()

    async def keep_reading(self) -> None:
        """Let the players read and answer, for ever."""
        while True:
            self.players.read(self.journal)
            await asyncio.sleep(LOOK_SECONDS)

    async def settle(self, expected: Books | None, patience: float, reading: "asyncio.Task[None]") -> str:
        """Wait until nothing waits any more, at most so long; return what is missing, nothing in the end."""
        deadline = time.monotonic() + patience
        count, since = -1, time.monotonic()
        missing = "everything"
        while time.monotonic() < deadline:
            if reading.done():
                reading.result()
            if count != len(self.players.arrived):
                count, since = len(self.players.arrived), time.monotonic()
            missing = self._missing(expected)
            if not missing and time.monotonic() - since > _QUIET_SECONDS:
                if not (waiting := await asyncio.to_thread(count_waiting, self.url)):
                    return ""
                missing = f"{waiting} messages wait"
            await asyncio.sleep(0.1)
        return missing

    def _missing(self, expected: Books | None) -> str:
        """Return what has not come yet."""
        if expected is None:
            return "" if self.players.are_done else "some matches are not over"
        missing = len(expected.outbound.keys() - self.players.known)
        return f"{missing} emails have not come" if missing else ""
