"""The operator's command line: ``pbem --help`` lists the commands.

Exit codes follow sysexits.h, as a mail server's pipe expects them; ``pbem.errors`` lists them.
"""

import logging
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.doctor.command import doctor
from pbem.cli.email import inbound, outbound
from pbem.cli.email.broadcast import broadcast
from pbem.cli.email.receive import receive
from pbem.cli.group import SectionedGroup
from pbem.cli.keep.backup import backup
from pbem.cli.keep.report import report
from pbem.cli.keep.verify import verify
from pbem.cli.matches import clock, matches, offers, rulings
from pbem.cli.output import warn
from pbem.cli.people import blocking, player, players
from pbem.cli.start import setup
from pbem.cli.start.login import login
from pbem.cli.start.play import play
from pbem.cli.start.take_over import take_over
from pbem.cli.start.trust_clock import trust_clock
from pbem.cli.start.worker import worker
from pbem.errors import PbemError
from pbem.log.logbook import Line
from pbem.log.redaction import Redacting

__all__ = ["app", "main"]

app = typer.Typer(
    name="pbem",
    cls=SectionedGroup,
    help="Board games by email: players press Reply and type the move.\n\n"
    "New here? Try `pbem demo`. Hosting? `pbem init games@example.org`, fill in pbem.toml, `pbem doctor`, "
    "then `pbem open zipline ann@… bob@…` and `pbem run`.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _print_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from pbem.version import installed

        typer.echo(f"pbem {installed()}")
        raise typer.Exit


def _load_log_settings(config: Path | None) -> tuple[list[str], str]:
    """Return the secrets that the log leaves out wherever they stand, and its format; none where no settings are."""
    from urllib.parse import unquote, urlsplit

    from pbem.settings.loading import load

    try:
        settings = load(config)
        urls = (settings.imap_url, settings.smtp_url, settings.database_url)
        passwords = [urlsplit(url).password or "" for url in urls]
    except (PbemError, ValueError):
        return [], "text"
    return [settings.secret, *passwords, *map(unquote, passwords)], settings.log_format


@app.callback()
def start_log(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option("--config", envvar="PBEM_CONFIG", readable=False, help="The settings file, if not ./pbem.toml."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log every step to standard error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options that stand before every command, and start the log."""
    known = cache(partial(_load_log_settings, config))  # for the first line, since most commands write none
    log = logging.StreamHandler(sys.stderr)
    log.addFilter(Redacting(lambda: known()[0]))
    log.setFormatter(Line(lambda: known()[1]))
    logging.basicConfig(handlers=[log], level=logging.INFO if verbose else logging.WARNING)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs every pattern that it tries
    context.obj = config


_PANELS: dict[str, dict[str, Callable[..., None]]] = {
    "Start": {
        "play": play,
        "demo": setup.demo,
        "init": setup.init,
        "login": login,
        "doctor": doctor,
        "run": setup.run,
        "worker": worker,
        "take-over": take_over,
        "trust-clock": trust_clock,
    },
    "Keep and check": {
        "archive": setup.archive,
        "backup": backup,
        "export": matches.export,
        "verify": verify,
        "report": report,
    },
    "Matches and players": {
        "open": matches.open_match,
        "matches": matches.list_matches,
        "show": matches.show,
        "offers": offers.list_offers,
        "private": matches.make_private,
        "players": players.list_players,
        "block": blocking.block,
        "unblock": blocking.unblock,
        "blocked": blocking.list_blocked,
        "forget": player.forget,
    },
    "What the operator decides": {
        "clock": clock.show_clock,
        "extend": clock.extend,
        "pause": clock.pause,
        "adjudicate": rulings.adjudicate,
        "void": rulings.void,
        "replace": rulings.replace,
        "resend": rulings.resend,
        "rewind": rulings.rewind,
        "settle": rulings.settle,
    },
    "Email": {"receive": receive, "poll": outbound.poll, "deliver": outbound.deliver, "broadcast": broadcast},
}
for panel, commands in _PANELS.items():
    for name, command in commands.items():
        own = matches.OpenCommand if command is matches.open_match else None
        app.command(name, cls=own, rich_help_panel=panel)(command)
app.add_typer(player.player, name="player", rich_help_panel="Matches and players")
app.add_typer(setup.database, name="db", rich_help_panel="Keep and check")
app.add_typer(inbound.inbound, name="inbound", rich_help_panel="Email")
app.add_typer(outbound.outbound, name="outbound", rich_help_panel="Email")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; an error that the operator can put right is one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Characters that the locale does not know, such as typographic quotes, become question marks.
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(errors="replace")
    try:
        _build_command()(arguments, prog_name="pbem")
    except SystemExit as end:
        raise SystemExit(64 if end.code == 2 else end.code) from None  # typer's own code for a mistyped command
    except PbemError as error:
        _say_error(str(error))
        raise SystemExit(error.exit_code) from None
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        _say_error(f"{error.strerror or error}{where}")
        raise SystemExit(74) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


@cache
def _build_command() -> Callable[..., object]:
    """Return the command that reads the whole command line; to make it takes longer than most commands do."""
    return typer.main.get_command(app)


def _say_error(sentence: str) -> None:
    """Print the sentence of an error on one line; servers, files and messages may have written in it."""
    warn(" ".join(sentence.split()))
