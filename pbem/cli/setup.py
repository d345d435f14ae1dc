"""Commands to set the service up, run it, look after it, and try it out."""

import logging
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.group import SectionedGroup
from pbem.cli.modes import find_open_places
from pbem.cli.output import load_settings, open_service
from pbem.errors import BadInput, PbemError, Unavailable

if TYPE_CHECKING:
    from pbem.ports import Mailbox
    from pbem.service import Service

_SERVERS_OF_THE_DEMO = frozenset({"aiosmtpd", "proxyprotocol", "pymap", "pysasl"})

database = typer.Typer(cls=SectionedGroup, no_args_is_help=True, rich_markup_mode=None, help="The database.")


def demo(
    play: Annotated[bool, typer.Option("--play", help="Take a seat: read your email here, type your answer.")] = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="Keep the servers up, so that any email program can take part.")
    ] = False,
    game: Annotated[
        str | None, typer.Option("--game", metavar="KEY", help="With --play: which game, zipline unless you say.")
    ] = None,
) -> None:
    """Play whole matches through real mail servers on this machine; needs no settings."""
    from pbem.match import find_game
    from rules import GAMES

    try:
        from pbem.demo import run as run_demo
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in _SERVERS_OF_THE_DEMO:
            raise
        raise Unavailable(
            "The demo needs mail servers that are not installed here: run “make demo” in a checkout of this project,"
            " or install pbem[demo] instead of pbem."
        ) from missing

    if play and stay:
        raise BadInput("Use either --play or --stay, not both.")
    if game and not play:
        raise BadInput("--game goes with --play: it says which game you want to play.")
    found = find_game("zipline" if game is None else game)
    if found is None:
        raise BadInput(f"There is no game “{game}”; choose one of {', '.join(GAMES)}.")
    raise typer.Exit(run_demo(play=play, game=found.key, stay=stay))


def init(
    context: typer.Context,
    address: Annotated[
        str | None, typer.Argument(help="The address that players write to: games@example.org. [env: PBEM_ADDRESS]")
    ] = None,
) -> None:
    """Write a first pbem.toml and create the database."""
    from pbem.mail import normal_address
    from pbem.settings import FILE, initial_text, load
    from pbem.storage import Database

    file: Path = context.obj or Path(FILE)
    if file.exists():
        raise BadInput(f"{file} already exists; nothing was changed.")
    wanted = normal_address(address) if address is not None else load().address
    if not wanted:
        raise BadInput("Which address do players write to? Run “pbem init games@example.org”, with yours.")
    file.touch(mode=0o600, exist_ok=False)
    try:
        file.write_text(initial_text(wanted), encoding="utf-8")
        database = Database(load(file).database_url)
        database.close_files()
        database.upgrade()
        database.close()
    except (PbemError, OSError):
        file.unlink()  # so that the next try finds nothing in its way
        raise
    typer.echo(f"Wrote {file} and created the database.")
    typer.echo(f"Next: fill in imap_url and smtp_url in {file}, then run “pbem doctor”.")


def run(
    context: typer.Context,
    no_mailbox: Annotated[
        bool, typer.Option("--no-mailbox", help="Read no mailbox: all emails come through “pbem receive”.")
    ] = False,
) -> None:
    """Serve: read the mailbox, play the moves, send the notices, write the archive, until told to stop."""
    import asyncio

    from pbem.scheduler import exclusive_lock
    from pbem.transport import ImapMailbox, SmtpCourier

    logging.getLogger("pbem").setLevel(logging.INFO)
    with open_service(context, *([] if no_mailbox else ["imap_url"]), "smtp_url") as service:
        if faults := list(find_open_places(service.settings)):
            logging.getLogger("pbem").warning(" ".join(faults))
        url = service.settings.imap_url
        mailbox, watch = (None, None) if no_mailbox else (ImapMailbox(url), ImapMailbox(url))
        service.connect(mailbox=mailbox, courier=SmtpCourier(service.settings.smtp_url))
        with exclusive_lock(service.database.file):
            asyncio.run(_serve(service, watch))


def archive(context: typer.Context) -> None:
    """Write the archive's pages of all matches that have changed."""
    with open_service(context, "archive_dir") as service:
        count = service.write_archive(_show_progress)
        typer.echo(f"{count} page{'' if count == 1 else 's'} written to {service.settings.archive_dir}.")


def _show_progress(done: int, total: int) -> None:
    """Keep a line of the terminal up to date, which vanishes at the end; without a terminal, print nothing."""
    if sys.stderr.isatty():
        typer.echo(f"\r{done:,} of {total:,} matches" if done < total else "\r\x1b[K", nl=False, err=True)


@database.command("upgrade")
def upgrade(
    context: typer.Context,
    existing: Annotated[
        bool, typer.Option("--existing", help="Create nothing: refuse a database that is missing or empty.")
    ] = False,
) -> None:
    """Bring the tables to the version this program needs; a copy is made first, and nothing in them is lost."""
    from pbem.storage import Database
    from rules.text import listed

    database = Database(load_settings(context).database_url)
    try:
        if existing:
            database.require_tables()
        closed = database.close_files()
        copy = database.upgrade()
    finally:
        database.close()
    if closed:
        typer.echo(f"Other users of this machine could read {listed(path.name for path in closed)}; now they can't.")
    if copy:
        typer.echo(f"A copy of the old database is in {copy}.")
    typer.echo("The database is up to date.")


async def _serve(service: "Service", watch: "Mailbox | None") -> None:
    """Run the ticks until a signal asks to stop."""
    import asyncio

    from pbem import scheduler

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    typer.echo(f"Serving {service.settings.address}. Stop with Ctrl-C.")
    try:
        await scheduler.run(service, watch, stop)
    finally:
        await service.disconnect()
