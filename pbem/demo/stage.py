"""The stage of the demonstration: two mail servers, the service with its own ticks, and the players at the door."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pbem import scheduler
from pbem.demo.players import Player
from pbem.demo.script import Person
from pbem.demo.servers import DemoServers
from pbem.errors import BadInput
from pbem.match import Match
from pbem.ports import Dice
from pbem.service import Service
from pbem.settings import Settings
from pbem.storage import Database
from pbem.system import SecretSource, SystemClock
from pbem.transport import ImapMailbox, SmtpCourier

log = logging.getLogger("pbem")

ADDRESS = "games@pbem.example"

OnMail = Callable[[str, str, bytes], None]


@dataclass(frozen=True)
class Stage:
    """What plays together; ``players`` by the first names in lower case that the script uses."""

    directory: Path
    servers: DemoServers
    service: Service
    players: dict[str, Player]

    @property
    def archive(self) -> Path:
        """Where the archive is written."""
        return self.directory / "archive"

    def open(self, game: str, seats: Sequence[str], options: dict[str, object]) -> Match:
        """Open a match between players of the stage."""
        named = [f"{self.players[seat].name} <{self.players[seat].address}>" for seat in seats]
        return self.service.open(game, named, options)

    def matches(self) -> list[Match]:
        """Return the matches as they stand, with what was said in them."""
        with self.service.database.reading() as tx:
            return tx.matches.all(comments=True)


@asynccontextmanager
async def stage(
    directory: Path, cast: dict[str, Person], on_mail: OnMail | None = None, dice: Dice | None = None
) -> AsyncIterator[Stage]:
    """Set the stage in ``directory`` and clear away all but its files; raises BadInput when it was used before."""
    file = _fresh_database(directory)
    addresses = [ADDRESS, *(person.address for person in cast.values())]
    async with DemoServers(addresses, on_mail=on_mail) as servers:
        # Built without validation, which would also read the environment: the operator's settings are not ours.
        settings = Settings.model_construct(
            address=ADDRESS,
            database_url=f"sqlite:///{file}",
            imap_url=servers.imap_url(ADDRESS),
            smtp_url=servers.smtp_url,
            secret=secrets.token_urlsafe(32),
            archive_dir=str(directory / "archive"),
            poll_seconds=1,
        )
        database = Database(settings.database_url)
        database.upgrade()
        service = Service(
            settings,
            database,
            clock=SystemClock(),
            dice=dice or SecretSource(),
            mailbox=ImapMailbox(settings.imap_url),
            courier=SmtpCourier(settings.smtp_url),
        )
        players = {
            key: Player(
                person.name,
                person.address,
                person.habits,
                imap_url=servers.imap_url(person.address),
                smtp_url=servers.smtp_url,
            )
            for key, person in cast.items()
        }
        stop = asyncio.Event()
        serving = asyncio.create_task(scheduler.run(service, ImapMailbox(settings.imap_url), stop))
        reading = [asyncio.create_task(player.read()) for player in players.values()]
        try:
            yield Stage(directory, servers, service, players)
        finally:
            stop.set()
            for task in reading:
                task.cancel()
            for error in await asyncio.gather(serving, *reading, return_exceptions=True):
                if isinstance(error, Exception):
                    log.error("the demonstration lost a part of itself", exc_info=error)
            for player in players.values():
                await player.close()
            await service.close()


def _fresh_database(directory: Path) -> Path:
    """Return where the database will lie; raises BadInput when one is there."""
    file = directory / "pbem.db"
    if file.exists():
        raise BadInput(f"{directory} holds matches already; the demonstration needs a directory of its own.")
    directory.mkdir(parents=True, exist_ok=True)
    return file
