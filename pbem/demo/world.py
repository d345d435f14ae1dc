"""The world of the demo: two mail servers, the service with its scheduler, and the players at their mailboxes."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pbem import scheduler
from pbem.demo.players import Player
from pbem.demo.script import Person
from pbem.demo.servers import DemoServers
from pbem.errors import BadInput
from pbem.logbook import event
from pbem.match import Match
from pbem.ports import Dice, Thinker
from pbem.service import Service
from pbem.settings import Settings
from pbem.storage import Database
from pbem.system import SecretSource, SystemClock
from pbem.transport import ImapMailbox, SmtpCourier

log = logging.getLogger("pbem")

ADDRESS = "games@pbem.example"


@dataclass(frozen=True)
class World:
    """Servers, service, and players by the keys that the script uses; the archive is written to ``archive``."""

    archive: Path
    servers: DemoServers
    service: Service
    players: dict[str, Player]

    def open_match(self, game: str, seats: Sequence[str], options: Mapping[str, object], robots: int = 0) -> Match:
        """Open a match between players of this world; behind them so many robots have seats."""
        people = [self.players[seat].person for seat in seats]
        seated = [*(f"{person.name} <{person.address}>" for person in people), *["robot:1"] * robots]
        return self.service.open(game, seated, dict(options))


@asynccontextmanager
async def open_world(
    directory: Path,
    people: Mapping[str, Person],
    on_mail: Callable[[str, str, bytes], None] | None = None,
    dice: Dice | None = None,
    thinker: Thinker | None = None,
) -> AsyncIterator[World]:
    """Start everything in ``directory``, and stop all of it; raise BadInput if the directory was used before.

    ``on_mail`` is called with sender, recipient and bytes of every email that has come in by SMTP. With a ``thinker``
    robots may have seats.
    """
    file, archive = directory / "pbem.db", directory / "archive"
    if file.exists():
        raise BadInput(f"{directory} holds matches already; the demonstration needs a directory of its own.")
    archive.mkdir(parents=True, exist_ok=True)
    async with DemoServers([ADDRESS, *(person.address for person in people.values())], on_mail=on_mail) as servers:
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
        mailbox, courier = ImapMailbox(settings.imap_url), SmtpCourier(settings.smtp_url)
        service = Service(
            settings,
            database,
            clock=SystemClock(),
            dice=dice or SecretSource(),
            mailbox=mailbox,
            courier=courier,
            thinker=thinker,
        )
        players = {
            key: Player(person, imap_url=servers.imap_url(person.address), smtp_url=servers.smtp_url)
            for key, person in people.items()
        }
        stop = asyncio.Event()
        serving = asyncio.create_task(scheduler.run(service, ImapMailbox(settings.imap_url), stop))
        reading = [asyncio.create_task(player.read()) for player in players.values()]
        try:
            yield World(archive, servers, service, players)
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
