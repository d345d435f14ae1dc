"""The command itself: every check in its order, and a line for each."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.disk import check_room
from pbem.cli.doctor.messages import (
    count_blocked,
    find_behind,
    find_discarded,
    find_failed,
    find_held,
    find_refused,
    find_stuck,
    find_unreachable,
    find_unread,
)
from pbem.cli.doctor.servers import check_archive, check_mailbox, check_sending
from pbem.cli.doctor.waiting import find_outage, find_waiting
from pbem.cli.modes import check_modes
from pbem.cli.output import load_settings, make_printable, open_database
from pbem.errors import BadInput, PbemError

if TYPE_CHECKING:
    from pbem.settings import Settings

_BELOW = "\n" + " " * 12
_MOST_DAMAGES = 5  # that are shown


def doctor(
    context: typer.Context,
    mail: Annotated[
        bool,
        typer.Option("--mail", help="Also send the service an email, and see how it arrives (takes a minute)."),
    ] = False,
) -> None:
    """Check everything the service needs, and say what is wrong and what to do.

    Lines with ✗ are faults, and lead to exit code 1; lines with – are for information.
    """
    import asyncio

    from pbem.cli.doctor.probe import check_own_mail

    settings = load_settings(context)
    checks: list[tuple[str, Callable[[], str]]] = [
        ("settings", lambda: _check_settings(settings)),
        ("database", lambda: _check_database(context)),
        ("files", lambda: check_modes(settings)),
        ("disk", lambda: check_room(context)),
        ("matches", lambda: _check_matches(context)),
        ("senders", lambda: _check_senders(context, settings)),
        ("mailbox", lambda: asyncio.run(check_mailbox(settings))),
        ("sending", lambda: asyncio.run(check_sending(settings))),
    ]
    if settings.archive_dir:
        checks.append(("archive", lambda: check_archive(Path(settings.archive_dir))))
    if mail:
        checks.append(("own mail", lambda: asyncio.run(check_own_mail(settings))))
    sound = True
    for name, check in checks:
        try:
            typer.echo(f"✓ {name:<9} {make_printable(check())}")
        except (PbemError, OSError) as error:
            sound = False
            typer.echo(f"✗ {name:<9} {make_printable(str(error))}")
    if not sound:
        raise typer.Exit(1)


def _check_settings(settings: "Settings") -> str:
    """Check that the settings are there without which nothing works."""
    settings.require("address", "secret")
    return f"the service is {settings.address}"


def _check_database(context: typer.Context) -> str:
    """Check the tables, and that no row in them waits for a person."""
    from pbem.system import SystemClock

    now = SystemClock().now()
    with open_database(context) as database, database.reading() as tx:
        faults = [*find_failed(tx), *find_refused(tx), *find_behind(tx), *find_stuck(tx), *find_unreachable(tx)]
        known = [*find_held(tx, now), *find_unread(tx, now), *find_discarded(tx, now), *count_blocked(tx)]
    notes = "".join(f"\n– messages  {note}" for note in known)
    if faults:
        raise BadInput(_BELOW.join(faults) + notes)
    return f"the version is right; no message failed, no email was refused or came back{notes}"


def _check_matches(context: typer.Context) -> str:
    """Check the file of the database, and that every running match replays to what lists tell of it."""
    from pbem.storage import list_damage
    from pbem.system import SystemClock

    with open_database(context) as database:
        if found := list_damage(database):
            more = [f"And {len(found) - _MOST_DAMAGES} more."] if len(found) > _MOST_DAMAGES else []
            raise BadInput(_BELOW.join([*found[:_MOST_DAMAGES], *more]))
        now = SystemClock().now()
        with database.reading() as tx:
            running = tx.matches.count(running=True)
            known = [*find_waiting(tx, now), *find_outage(tx, now)]
    notes = "".join(f"\n– matches   {note}" for note in known)
    told = f"{running:,} running, and all of them replay" if running else "none are running, and nothing is damaged"
    return f"{told}{notes}"


def _check_senders(context: typer.Context, settings: "Settings") -> str:
    """Check whether the mail server says who really sent a message, and what the settings make of it."""
    from pbem.cli.doctor.senders import check_senders

    with open_database(context) as database, database.reading() as tx:
        return check_senders(tx, settings)
