"""The world of the demo: two mail servers, the service with its scheduler, and the players at their mailboxes."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pbem.demo.patience import NO_LIMIT, Patience
from pbem.demo.players import Player
from pbem.demo.script import Person
from pbem.demo.servers import DemoServers
from pbem.errors import BadInput, Busy
from pbem.log.logbook import event
from pbem.match.match import Match
from pbem.ports import Answer, Dice, Problem, Review, Thinker
from pbem.running import scheduler
from pbem.running.machine import SecretSource, SystemClock
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier

log = logging.getLogger("pbem")

ADDRESS = "games@pbem.example"
_AGAIN_SECONDS = 0.1


@dataclass(frozen=True)
class _Busy:
    """A thinker; however long it thinks, that is no silence."""

    thinker: Thinker
    patience: Patience

    async def think(self, problem: Problem) -> Answer:
        """Return what a robot plays. Raise ThoughtLost."""
        with self.patience.busy():
            return await self.thinker.think(problem)

    async def review(self, problem: Problem, seat: int, others: Sequence[int] = ()) -> Review:
        """Return what is to be said of the moves of a seat. Raise ThoughtLost."""
        with self.patience.busy():
            return await self.thinker.review(problem, seat, others)


@dataclass(frozen=True)
class World:
    """Servers, service, and players by the keys that the script uses; the archive is written to ``archive``."""

    archive: Path
    patience: Patience
    servers: DemoServers
    service: Service
    players: dict[str, Player]

    def open_match(self, game: str, seats: Sequence[str], options: Mapping[str, object], robots: int = 0) -> Match:
        """Open a match between players of this world; behind them so many robots have seats."""
        people = [self.players[seat].person for seat in seats]
        seated = [*(f"{person.name} <{person.address}>" for person in people), *["robot:1"] * robots]
        return self.service.open(game, seated, dict(options))

    async def write_archive(self) -> None:
        """Write all pages; whatever the scheduler writes at present is finished first."""
        with self.patience.awaiting("the pages of the archive"):
            while True:
                with suppress(Busy):
                    self.service.write_archive()
                    self.patience.mark()
                    return
                await asyncio.sleep(_AGAIN_SECONDS)


@asynccontextmanager
async def open_world(
    directory: Path,
    people: Mapping[str, Person],
    patience: Patience,
    on_mail: Callable[[str, str, bytes], None] = lambda sender, recipient, raw: None,
    dice: Dice | None = None,
    thinker: Thinker | None = None,
) -> AsyncIterator[World]:
    """Start everything in ``directory``, and stop all of it; raise BadInput if the directory was used before.

    ``on_mail`` is called with sender, recipient and bytes of every email that has come in by SMTP, which is marked in
    ``patience`` before. With a ``thinker`` robots may have seats.
    """

    def note(sender: str, recipient: str, raw: bytes) -> None:
        patience.mark()
        on_mail(sender, recipient, raw)

    file, archive = directory / "pbem.db", directory / "archive"
    if file.exists():
        raise BadInput(f"{directory} holds matches already; the demonstration needs a directory of its own.")
    archive.mkdir(parents=True, exist_ok=True)
    async with DemoServers([ADDRESS, *(person.address for person in people.values())], on_mail=note) as servers:
        # Built without validation, which would also read the environment: the operator's settings are not ours.
        settings = Settings.model_construct(
            address=ADDRESS,
            database_url=f"sqlite:///{file}",
            imap_url=servers.imap_url(ADDRESS),
            smtp_url=servers.smtp_url,
            secret=secrets.token_urlsafe(32),
            archive_dir=str(archive),
            poll_seconds=1,
        )
        database = Database(settings.database_url)
        database.upgrade()
        mailbox = ImapMailbox(settings.imap_url, timeout=NO_LIMIT)
        service = Service(
            settings,
            database,
            clock=SystemClock(),
            dice=dice or SecretSource(),
            mailbox=mailbox,
            courier=SmtpCourier(settings.smtp_url, timeout=NO_LIMIT),
            thinker=thinker and _Busy(thinker, patience),
        )
        players = {
            key: Player(person, patience, imap_url=servers.imap_url(person.address), smtp_url=servers.smtp_url)
            for key, person in people.items()
        }
        stop = asyncio.Event()
        watching = ImapMailbox(settings.imap_url, timeout=NO_LIMIT)
        serving = asyncio.create_task(scheduler.run(service, watching, stop))
        reading = [asyncio.create_task(player.read()) for player in players.values()]
        try:
            yield World(archive, patience, servers, service, players)
        finally:
            stop.set()
            for task in reading:
                task.cancel()
            for error in await asyncio.gather(serving, *reading, return_exceptions=True):
                if isinstance(error, Exception):
                    log.error("a part of the demonstration failed", exc_info=error, extra=event("demo_failed"))
            for player in players.values():
                await player.close()
            await service.close()
