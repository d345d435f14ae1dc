"""The command itself: every check in its order, and a line for each."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.doctor.budget import check_budget, suggest_budget
from pbem.cli.doctor.delivery import check_delivery
from pbem.cli.doctor.door import check_door
from pbem.cli.doctor.messages import check_messages
from pbem.cli.doctor.running import check_copies, check_service
from pbem.cli.doctor.senders import check_senders
from pbem.cli.doctor.waiting import find_stranded, find_waiting
from pbem.cli.doctor.webhooks import check_webhooks
from pbem.cli.finding import Finding
from pbem.cli.keep.disk import check_disk
from pbem.cli.output import load_settings, make_printable, make_service, now, open_database, open_service, print_json
from pbem.cli.servers import check_archive, check_mailbox, check_owner, check_sending
from pbem.cli.start.file_modes import check_modes
from pbem.errors import BadInput, Busy, ConfigError, PbemError

if TYPE_CHECKING:
    from pbem.settings.model import Settings
    from pbem.storage.database import Database
    from pbem.storage.transaction import Transaction

_MOST_DAMAGES = 5  # that are shown
_READ_DATABASE = frozenset(
    {"messages", "service", "disk", "backups", "matches", "senders", "delivery", "budget", "webhooks"}
)
_NOT_LOOKED_AT = Finding("", notes=("Not looked at, since the database can’t be read.",))
_NO_OPERATOR = (
    "No operator is set in pbem.toml: nobody is told of forged messages and bugs, and players can’t reach you."
)
_NO_ABOUT = (
    "Players can’t see who runs this service: write a text file about it, with your rules of conduct, and name it in"
    " about_file."
)
_STARTING: dict[str, str] = {
    "members": "players alone, among themselves",
    "invited": "players, and whom they have invited",
    "anybody": "anybody who signs up",
}


def doctor(
    context: typer.Context,
    lines: Annotated[
        list[str] | None,
        typer.Argument(metavar="LINE", help="Only these lines, such as: database service.", show_default=False),
    ] = None,
    mail: Annotated[
        bool,
        typer.Option(
            "--mail",
            help="Also send the service an email, see how it arrives, and try the page that unsubscribes (a minute).",
        ),
    ] = False,
    dns: Annotated[
        bool, typer.Option("--dns", help="Also look up what your domain says about senders: SPF, DMARC, MX.")
    ] = False,
    webhooks: Annotated[
        bool, typer.Option("--webhooks", help="Also call each webhook, and go on with one that was given up.")
    ] = False,
    tell: Annotated[
        bool, typer.Option("--tell", help="Also let the operator’s daily email say what is wrong, if anything is.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check everything the service needs, and say what is wrong and what to do.

    Lines with ✗ are faults, and lead to exit code 1; lines with – are for information.
    """
    import asyncio

    from pbem.cli.doctor.domain import look_at_domain
    from pbem.cli.doctor.probe import check_own_mail

    settings = load_settings(context)
    checks: list[tuple[str, Callable[[], Finding | str]]] = [
        ("settings", lambda: _check_settings(settings)),
        ("database", lambda: _in_database(context, lambda _: "its tables have the right version")),
        ("messages", lambda: _reading(context, lambda tx: check_messages(tx, now()))),
        ("service", lambda: _in_database(context, lambda database: check_service(database, now()))),
        ("files", lambda: check_modes(settings)),
        ("disk", lambda: _in_database(context, lambda database: check_disk(settings, database))),
        ("backups", lambda: _in_database(context, lambda database: check_copies(database.file, now()))),
        ("matches", lambda: _in_database(context, lambda database: _check_matches(database, settings))),
        ("senders", lambda: _reading(context, lambda tx: check_senders(tx, settings))),
        ("delivery", lambda: _reading(context, lambda tx: check_delivery(tx, now()))),
        ("mailbox", lambda: _check_mailbox(context, settings)),
        ("sending", lambda: asyncio.run(check_sending(settings))),
    ]
    if settings.smtp_budget:
        checks.append(("budget", lambda: _reading(context, lambda tx: check_budget(tx, settings, now()))))
    if settings.archive_dir:
        checks.append(("archive", lambda: check_archive(Path(settings.archive_dir))))
    if settings.webhooks:
        checks.append(("webhooks", lambda: _in_database(context, partial(check_webhooks, settings, call=webhooks))))
    usual = len(checks)
    if mail:
        checks.append(("own mail", lambda: asyncio.run(check_own_mail(settings))))
        if settings.unsubscribe_listen:
            checks.append(("door", lambda: check_door(settings)))
    if dns:
        checks.append(("domain", lambda: look_at_domain(settings.address)))
    if unknown := set(lines or ()) - {name for name, _ in checks}:
        known = ", ".join(name for name, _ in checks)
        raise BadInput(f"There is no line “{min(unknown)}”: choose from {known}; --mail adds own mail, --dns domain.")
    asked = {*(lines or ()), *(name for name, _ in checks[usual:]), *(["webhooks"] if webhooks else [])}
    found: dict[str, Finding] = {}
    for name, check in checks:
        if lines and name not in asked:
            continue
        unread = name in _READ_DATABASE and "database" in found and found["database"].faults
        found[name] = _NOT_LOOKED_AT if unread else _carry_out(check)
        if not json:
            _print_finding(name, found[name])
    if json:
        print_json([_finding_object(name, one) for name, one in found.items()])
    if tell:
        _tell_operator(context, found)
    if any(one.faults for one in found.values()):
        raise typer.Exit(1)


def _tell_operator(context: typer.Context, found: dict[str, Finding]) -> None:
    """Have the daily email tell what is wrong, except for messages, of which it tells by itself."""
    from pbem.due.reports import keep_findings
    from pbem.pipeline.act import Act

    faults = {name: " ".join(one.faults) for name, one in found.items() if name != "messages"}
    with open_service(context, "operator") as service, service.database.transaction() as tx:
        keep_findings(Act(tx, service.site, now()), faults)


def _carry_out(check: Callable[[], Finding | str]) -> Finding:
    """Return what a check finds; what keeps it from looking is a fault."""
    try:
        found = check()
    except (PbemError, OSError) as error:
        return Finding("", (str(error),))
    return found if isinstance(found, Finding) else Finding(found)


def _finding_object(name: str, found: Finding) -> dict[str, object]:
    """Return the JSON object of what a check finds; it tells that all is well only where it is."""
    sound = _is_sound(found)
    return {"check": name, "sound": sound, **asdict(found), "told": found.told if sound else ""}


def _is_sound(found: Finding) -> bool:
    """Return whether all is well: a check that wasn’t made tells nothing."""
    return bool(found.told) and not found.faults


def _print_finding(name: str, found: Finding) -> None:
    """Print a line for each fault, or for what is well, and for each note."""
    for mark, sentences in (
        ("✗", found.faults or ()),
        ("✓", (found.told,) if _is_sound(found) else ()),
        ("–", found.notes),
    ):
        for sentence in sentences:
            typer.echo(f"{mark} {name:<9} {make_printable(sentence)}")


def _check_settings(settings: "Settings") -> Finding:
    """Check that the settings are there without which nothing works."""
    from pbem.version import describe_extra, installed

    settings.require("address", "secret")
    notes: tuple[str, ...] = () if settings.operator else (_NO_OPERATOR,)
    try:
        notes = (*notes, *(() if settings.read_about() else (_NO_ABOUT,)))
    except OSError as error:
        return Finding("", (f"The file {settings.about_file} about the host can’t be read: {error.strerror}.",))
    starting = f"matches are started by email by {_STARTING[settings.new_matches]}"
    told = f"the service is {settings.name} <{settings.address}>, by pbem {installed()}; {starting}"
    if settings.robots != "off":
        slow = f"plain Python, thirty times slower than with {describe_extra('robots')}"
        told += f"; robots think in {'machine code' if find_spec('numba') else slow}"
    return Finding(told, notes=(*notes, *suggest_budget(settings)))


def _in_database(context: typer.Context, check: "Callable[[Database], Finding | str]") -> Finding | str:
    """Return what a check finds in the database."""
    with open_database(context) as database:
        return check(database)


def _reading(context: typer.Context, check: "Callable[[Transaction], Finding | str]") -> Finding | str:
    """Return what a check finds in a transaction."""
    with open_database(context) as database, database.reading() as tx:
        return check(tx)


def _check_matches(database: "Database", settings: "Settings") -> Finding:
    """Check the file of the database, that every running match replays to what lists tell of it; who is waited for."""
    from pbem.storage.damage import list_damage

    if damages := list_damage(database):
        more = (f"And {len(damages) - _MOST_DAMAGES} more.",) if len(damages) > _MOST_DAMAGES else ()
        return Finding("", (*damages[:_MOST_DAMAGES], *more))
    with database.reading() as tx:
        running = tx.matches.count(running=True)
        waiting = (*find_stranded(tx, settings), *find_waiting(tx, now()))
    told = f"{running:,} running, and all of them replay" if running else "none are running, and nothing is damaged"
    return Finding(told, notes=waiting)


def _check_mailbox(context: typer.Context, settings: "Settings") -> Finding | str:
    """Check that the mailbox can be read, and is that of this database, as far as there is one."""
    import asyncio

    try:
        with open_database(context) as database:
            return asyncio.run(check_owner(make_service(settings, database)))
    except (ConfigError, Busy):  # as the line about the database tells; the mailbox may be there even so
        return asyncio.run(check_mailbox(settings))
