"""Commands to set the service up, run it, look after it, and try it out."""

import logging
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.group import make_group
from pbem.cli.output import counted, load_settings, open_database, open_service
from pbem.cli.start.file_modes import find_open_places
from pbem.errors import BadInput, LoginRefused, PbemError, Served, Unavailable
from pbem.log.logbook import event

if TYPE_CHECKING:
    from rich.progress import TaskID

    from pbem.cli.start.archive_preview import ArchiveServer
    from pbem.ports import Mailbox
    from pbem.running.service import Service

_STANDBY_SECONDS, _FIRST_LOOK_SECONDS = 2, 30
_SERVERS_OF_THE_DEMO = frozenset({"aiosmtpd", "proxyprotocol", "pymap", "pysasl"})

database = make_group("The database.")


def demo(
    play: Annotated[bool, typer.Option("--play", help="Take a seat by email, against a robot.")] = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="Keep the servers up, so that any email program can take part.")
    ] = False,
    game: Annotated[
        str | None, typer.Option("--game", metavar="KEY", help="With --play: which game, zipline unless you say.")
    ] = None,
) -> None:
    """Play whole matches through real mail servers on this machine; needs no settings."""
    from pbem.match.game_names import find_game
    from rules.games import GAMES

    try:
        from pbem.demo.main import run as run_demo
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
    ask: Annotated[
        bool | None,
        typer.Option(
            "--ask/--no-ask", help="Ask for the servers and try them; on a terminal it does unless told not to."
        ),
    ] = None,
) -> None:
    """Ask a few questions, try the answers, write a first pbem.toml, and create the database."""
    from pbem.mail.headers import normal_address
    from pbem.settings.initial import initial_text
    from pbem.settings.loading import load
    from pbem.settings.model import FILE
    from pbem.storage.database import Database

    file: Path = context.obj or Path(FILE)
    if file.exists():
        raise BadInput(f"{file} already exists; nothing was changed.")
    wanted = normal_address(address) if address is not None else load().address
    asking = sys.stdin.isatty() and sys.stdout.isatty() if ask is None else ask
    if not wanted and not asking:
        raise BadInput("Which address do players write to? Run “pbem init games@example.org”, with yours.")
    known = _ask(wanted) if asking else {"address": wanted}
    file.touch(mode=0o600, exist_ok=False)
    try:
        file.write_text(initial_text(**known), encoding="utf-8")
        database = Database(load(file).database_url)
        database.close_files()
        database.upgrade()
        database.close()
    except (PbemError, OSError):
        file.unlink()  # so that the next try finds nothing in its way
        raise
    typer.echo(f"Wrote {file} and created the database.")
    open_ones = [name for name in ("imap_url", "smtp_url") if not known.get(name)]
    if open_ones:
        typer.echo(f"Next: fill in {' and '.join(open_ones)} in {file}, then run “pbem doctor”.")
    else:
        typer.echo("Next: “pbem doctor --mail” sends the service an email of its own, and sees how it arrives.")


def _ask(address: str) -> dict[str, str]:
    """Ask for the settings, the ``address`` too if it is empty, and try them; return them by name."""
    import asyncio

    from pbem.cli.servers import check_mailbox, check_sending
    from pbem.cli.start.init_questions import Trial, ask
    from pbem.settings.loading import settings_of
    from pbem.settings.secret import make_secret

    return ask(
        address,
        make_secret(),
        Trial(
            lambda values: asyncio.run(check_mailbox(settings_of(values))),
            lambda values: asyncio.run(check_sending(settings_of(values))),
        ),
    )


def run(
    context: typer.Context,
    no_mailbox: Annotated[
        bool, typer.Option("--no-mailbox", help="Read no mailbox: all emails come through “pbem receive”, or by LMTP.")
    ] = False,
) -> None:
    """Serve: read the mailbox, play the moves, send the notices, write the archive, until told to stop."""

    from pbem.running.machine import settle
    from pbem.running.metrics import serve_metrics
    from pbem.running.scheduler import exclusive_lock
    from pbem.running.thinker import ProcessThinker
    from pbem.transport.imap import ImapMailbox
    from pbem.transport.notes import ImapNotes
    from pbem.transport.smtp import FEWER_CONNECTIONS, USUAL_CONNECTIONS, SmtpCourier
    from pbem.version import installed

    logging.getLogger("pbem").setLevel(logging.INFO)
    logging.getLogger("pbem").info("this is pbem %s", installed(), extra=event("version"))
    with open_service(context, *([] if no_mailbox else ["imap_url"]), "smtp_url") as service:
        if faults := list(find_open_places(service.settings)):
            logging.getLogger("pbem").warning(" ".join(faults), extra=event("open_places"))
        settings = service.settings
        mailbox, watch = (
            None if no_mailbox else ImapMailbox(settings.imap_url, token=settings.imap_token) for _ in range(2)
        )
        usual = FEWER_CONNECTIONS if service.database.is_shared else USUAL_CONNECTIONS
        courier = SmtpCourier(settings.smtp_url, token=settings.smtp_token, usual=usual)
        service.connect(mailbox=mailbox, courier=courier, thinker=ProcessThinker(settings.robot_seconds))
        if mailbox is not None:
            service.own(ImapNotes(mailbox))
        settle()
        with exclusive_lock(service.database.file), serve_metrics(service):
            _serve_alone(service, watch)


def archive(
    context: typer.Context,
    serve: Annotated[
        bool,
        typer.Option("--serve", help="Then serve it to this machine alone, and write what changes."),
    ] = False,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            show_default=False,
            help="With --serve: on which port; any free one unless you say.",
        ),
    ] = 0,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Make it of what “pbem export --all” wrote; it has to be empty."),
    ] = None,
) -> None:
    """Write the archive's pages of all matches that have changed."""
    if port and not serve:
        raise BadInput("--port goes with --serve: it says on which port the archive is served.")
    if source:
        _rebuild_archive(Path(load_settings(context, "archive_dir").archive_dir), source)
        return
    from pbem.running.machine import settle

    with open_service(context, "archive_dir") as service:
        server = _make_server(service, port) if serve else None  # a port in use is told before the work is done
        settle()
        with _show_progress() as on_progress:
            count = service.write_archive(on_progress)
        typer.echo(f"{count} page{'' if count == 1 else 's'} written to {service.settings.archive_dir}.")
        if server:
            _serve_archive(service, server)


def _rebuild_archive(directory: Path, source: Path) -> None:
    """Write the archive that a file tells. Raise BadInput where there is something already."""
    from pbem.archive.whole import rebuild

    if directory.exists() and any(directory.iterdir()):
        raise BadInput(f"{directory} isn’t empty: say in archive_dir, or PBEM_ARCHIVE_DIR, where the archive is to be.")
    with source.open(encoding="utf-8") as lines:
        typer.echo(f"{counted(rebuild(lines, directory), 'file', 'files')} written to {directory}.")


def _make_server(service: "Service", port: int) -> "ArchiveServer":
    """Return a server of the archive on a port. Raise BadInput for one that cannot be used."""
    from pbem.cli.start.archive_preview import ArchiveServer

    return ArchiveServer(Path(service.settings.archive_dir), port)


def _serve_archive(service: "Service", server: "ArchiveServer") -> None:
    """Serve the archive to this machine, and write anew what changes, until Ctrl-C."""
    from pbem.cli.start.archive_preview import HOST, follow

    typer.echo(f"Look at http://{HOST}:{server.server_address[1]}/ – open pages follow the matches. Stop with Ctrl-C.")
    for number in (signal.SIGINT, signal.SIGTERM):  # the first is ignored in what a shell starts in the background
        signal.signal(number, signal.default_int_handler)
    try:
        server.watch(follow(service))
    except KeyboardInterrupt:
        typer.echo("\nStopped: nobody can look at the archive here any more.")


@contextmanager
def _show_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar on the terminal, which vanishes at the end; without a terminal, print nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        tasks: dict[str, TaskID] = {}

        def show(phase: str, done: int, total: int) -> None:
            if phase not in tasks:
                tasks[phase] = bar.add_task(phase.capitalize(), total=None)
            bar.update(tasks[phase], completed=done, total=total)

        yield show


@database.command("upgrade")
def upgrade(
    context: typer.Context,
    existing: Annotated[
        bool, typer.Option("--existing", help="Create nothing: refuse a database that is missing or empty.")
    ] = False,
) -> None:
    """Bring the tables to the version this program needs; a copy is made first, and nothing in them is lost."""
    from pbem.running.scheduler import exclusive_lock
    from pbem.storage.database import Database
    from rules.text import listed

    database = Database(load_settings(context).database_url)
    with ExitStack() as stopped:
        stopped.callback(database.close)
        if existing:
            database.require_tables()
        closed = database.close_files()
        if database.is_behind:  # a program of the old version that goes on would take its own statements for bugs
            stopped.enter_context(exclusive_lock(database.file))
            stopped.enter_context(database.serving(alone=True))
        copy = database.upgrade()
    if closed:
        typer.echo(f"Other users of this machine could read {listed(path.name for path in closed)}; now they can't.")
    if copy:
        typer.echo(f"A copy of the old database is in {copy}.")
    typer.echo("The database is up to date.")


@database.command("move")
def move(
    context: typer.Context,
    url: Annotated[
        str,
        typer.Argument(
            envvar="PBEM_TARGET_URL", help="Where to: postgresql://user:password@host/name, or sqlite:///file.db."
        ),
    ],
) -> None:
    """Copy the whole database into another one, which is empty: from a file to a server, or back."""
    from pbem.running.scheduler import exclusive_lock

    with open_database(context) as source, exclusive_lock(source.file), source.serving(alone=True):
        counts = source.move_to(url)
    rows = sum(counts.values())
    matches = counted(counts["match"], "match", "matches")
    typer.echo(f"All is in the other database now: {rows:,} rows, among them {matches}.")
    typer.echo("Next: set database_url to it, then “pbem take-over” gives it the mailbox.")
    typer.echo("The old database stays as it is; keep it until all is well.")


def _serve_alone(service: "Service", watch: "Mailbox | None") -> None:
    """Serve until told to stop; while another process serves the database on its server, stand by."""
    import asyncio

    from pbem.running.watchman import tell_systemd

    told = False
    while True:
        try:
            with service.database.serving() as check_lock:
                asyncio.run(_serve(service, watch, check_lock))
            return
        except Served:
            if not told:
                logging.getLogger("pbem").info(
                    "another process serves the database: standing by until it ends", extra=event("standing_by")
                )
                tell_systemd("READY=1")
            told = True
        tell_systemd("WATCHDOG=1")
        time.sleep(_STANDBY_SECONDS)


async def _serve(service: "Service", watch: "Mailbox | None", check_lock: Callable[[], None]) -> None:
    """Run the ticks until a signal asks to stop."""
    import asyncio

    from pbem.running import scheduler

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    with suppress(Unavailable, LoginRefused, TimeoutError):  # the ticks try again, and do nothing before
        async with asyncio.timeout(_FIRST_LOOK_SECONDS):  # nothing checks the lock meanwhile
            await service.require_mailbox()
    typer.echo(f"Serving {service.settings.address}. Stop with Ctrl-C.")
    try:
        await scheduler.run(service, watch, stop, check_lock=check_lock)
    finally:
        await service.disconnect()
