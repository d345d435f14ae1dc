"""The operator's command line: ``pbem --help`` lists the commands.

Exit codes follow sysexits.h, as a mail server's pipe expects them; ``pbem.errors`` lists them.
"""

import logging
import sys
from collections.abc import Sequence
from functools import cache, partial
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.group import Commands, SectionedGroup
from pbem.cli.output import warn
from pbem.errors import PbemError
from pbem.log.logbook import Line
from pbem.log.redaction import Redacting

__all__ = ["build_command", "main"]

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
        passwords = [urlsplit(url).password or "" for url in urls] + [hook.url for hook in settings.webhooks]
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


_COMMANDS = Commands(
    {
        "Start": {
            "play": "start.play.play",
            "demo": "start.setup.demo",
            "init": "start.setup.init",
            "login": "start.login.login",
            "doctor": "doctor.command.doctor",
            "run": "start.setup.run",
            "worker": "start.worker.worker",
            "take-over": "start.take_over.take_over",
            "trust-clock": "start.trust_clock.trust_clock",
        },
        "Keep and check": {
            "archive": "start.setup.archive",
            "backup": "keep.backup.backup",
            "export": "matches.matches.export",
            "verify": "keep.verify.verify",
            "report": "keep.report.report",
            "db": "start.setup.database",
        },
        "Matches and players": {
            "open": "matches.matches.open_match",
            "matches": "matches.matches.list_matches",
            "show": "matches.matches.show",
            "offers": "matches.offers.list_offers",
            "private": "matches.matches.make_private",
            "players": "people.players.list_players",
            "block": "people.blocking.block",
            "unblock": "people.blocking.unblock",
            "blocked": "people.blocking.list_blocked",
            "forget": "people.player.forget",
            "player": "people.player.player",
        },
        "What the operator decides": {
            "clock": "matches.clock.show_clock",
            "extend": "matches.clock.extend",
            "pause": "matches.clock.pause",
            "adjudicate": "matches.rulings.adjudicate",
            "void": "matches.rulings.void",
            "replace": "matches.rulings.replace",
            "resend": "matches.rulings.resend",
            "rewind": "matches.rulings.rewind",
            "settle": "matches.rulings.settle",
        },
        "Email": {
            "receive": "email.receive.receive",
            "poll": "email.outbound.poll",
            "deliver": "email.outbound.deliver",
            "broadcast": "email.broadcast.broadcast",
            "inbound": "email.inbound.inbound",
            "outbound": "email.outbound.outbound",
        },
    }
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; an error that the operator can put right is one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Characters that the locale does not know, such as typographic quotes, become question marks.
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(errors="replace")
    try:
        build_command()(arguments, prog_name="pbem")
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
def build_command() -> Any:
    """Return the command that reads the whole command line."""
    command: Any = typer.main.get_command(app)
    command.commands = _COMMANDS
    return command


def _say_error(sentence: str) -> None:
    """Print the sentence of an error on one line; servers, files and messages may have written in it."""
    warn(" ".join(sentence.split()))
