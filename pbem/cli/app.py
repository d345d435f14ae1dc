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
    "New here? Try `pbem demo`. Hosting? `pbem init` asks for what it needs, `pbem doctor` says what is wrong; "
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
            "play": (
                "start.play.play",
                "Play a match against robots here in the terminal: no email, no settings; on a small board, unless "
                "you choose one.",
            ),
            "demo": (
                "start.setup.demo",
                "Play whole matches through real mail servers on this machine; needs no settings.",
            ),
            "init": (
                "start.setup.init",
                "Ask a few questions, try the answers, write a first pbem.toml, and create the database.",
            ),
            "login": (
                "start.login.login",
                "Log in once at a provider whose mail servers take no passwords; then print access tokens for pbem "
                "run.",
            ),
            "doctor": (
                "doctor.command.doctor",
                "Check everything the service needs, and say what is wrong and what to do.",
            ),
            "run": (
                "start.setup.run",
                "Serve: read the mailbox, play the moves, send the notices, write the archive, until told to stop.",
            ),
            "worker": (
                "start.worker.worker",
                "Process messages beside “pbem run”, on as many machines as you like, until told to stop (PostgreSQL).",
            ),
            "take-over": (
                "start.take_over.take_over",
                "Give the mailbox to this database, whichever other one has read it so far.",
            ),
            "trust-clock": (
                "start.trust_clock.trust_clock",
                "Say that the clock of this machine is right, after it has jumped: what was put off happens now.",
            ),
        },
        "Keep and check": {
            "archive": ("start.setup.archive", "Write the archive's pages of all matches that have changed."),
            "backup": (
                "keep.backup.backup",
                "Write a consistent copy of the database, while the service goes on, and check it.",
            ),
            "export": (
                "matches.matches.export",
                "Print the record of a match as text, complete enough to replay it, and signed; or everything that "
                "is public.",
            ),
            "verify": (
                "keep.verify.verify",
                "Check a record: replay its moves, work out its rolls again, check its signature, and list what to "
                "compare.",
            ),
            "report": (
                "keep.report.report",
                "Let programs play a game against themselves, and write a page on how it is: length, balance, "
                "strength and more.",
            ),
            "db": ("start.setup.database", "The database."),
        },
        "Matches and players": {
            "open": (
                "matches.matches.open_match",
                "Open a match and queue its first notices, or all matches of a table.",
            ),
            "matches": ("matches.matches.list_matches", "List matches, the newest first."),
            "show": ("matches.matches.show", "Show a match: its board, its players and its moves."),
            "offers": (
                "matches.offers.list_offers",
                "List invitations and offers, the newest first: who proposes what, to whom, and who has answered.",
            ),
            "private": (
                "matches.matches.make_private",
                "Hide a match: the archive lists it nowhere, and only those who know the address of its page find it.",
            ),
            "players": (
                "people.players.list_players",
                "List players and their addresses, the newest first, and the addresses from which email comes back.",
            ),
            "ratings": (
                "people.ratings.list_ratings",
                "List the ratings of all games, the highest first, as they follow from all rated matches.",
            ),
            "block": (
                "people.blocking.block",
                "Block an address, all addresses of a player, or a domain: what comes from there is neither read nor "
                "answered.",
            ),
            "unblock": (
                "people.blocking.unblock",
                "Lift the block of an address, of all addresses of a player, or of a domain.",
            ),
            "blocked": (
                "people.blocking.list_blocked",
                "List the addresses and domains that are blocked, and whose they are.",
            ),
            "ladder": (
                "clubs.ladder.ladder",
                "Ladders: look at them, open some under other names, and decide what players can't.",
            ),
            "league": (
                "clubs.league.league",
                "Leagues: open them, look at them, and decide what players can't; none of it is needed as a rule.",
            ),
            "forget": ("people.player.forget", "Erase who a player is: name, addresses, words, emails."),
            "player": (
                "people.player.player",
                "Change a player: rename them, change their addresses, merge two who are one person.",
            ),
        },
        "What the operator decides": {
            "clock": (
                "matches.clock.show_clock",
                "Show the clock of a match and what happened to it, or set a new time control, with which everybody "
                "begins anew.",
            ),
            "extend": ("matches.clock.extend", "Give a player of a match more time, or take it back."),
            "pause": (
                "matches.clock.pause",
                "Stop the clock of a match for some time, or end such a pause; moves can be made meanwhile.",
            ),
            "adjudicate": ("matches.rulings.adjudicate", "Decide a match: say who has won it, or that it is a draw."),
            "void": ("matches.rulings.void", "Call a match off, so that it counts for nobody."),
            "replace": (
                "matches.rulings.replace",
                "Let another player have the seat of one who can't go on; the same with both names takes it back.",
            ),
            "resend": (
                "matches.rulings.resend",
                "Send a player the board of a match again, as it stands: they have lost the email, or it never came.",
            ),
            "rewind": (
                "matches.rulings.rewind",
                "Take entries of a match back, resignations and lost time included, or put them back.",
            ),
            "settle": (
                "matches.rulings.settle",
                "Note that what a player has told you is settled: neither “pbem doctor” nor an email names it any "
                "more.",
            ),
        },
        "Email": {
            "receive": ("email.receive.receive", "Take in raw emails from files or standard input, as polling does."),
            "poll": ("email.outbound.poll", "Read the mailbox once and process the new messages."),
            "deliver": ("email.outbound.deliver", "Send the emails that are due, once."),
            "broadcast": (
                "email.broadcast.broadcast",
                "Write to all players of running matches: each gets an email of their own, after those about turns.",
            ),
            "inbound": (
                "email.inbound.inbound",
                "Messages that came in: received, accepted, rejected, discarded, failed, unread, and why.",
            ),
            "outbound": ("email.outbound.outbound", "Emails that go out: queued, sent, refused, unknown."),
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
