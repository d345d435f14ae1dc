"""The command that checks everything the service needs, and says what is wrong and what to do."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pbem.cli.disk import check_room
from pbem.cli.output import format_time, load_settings, make_printable, open_database
from pbem.errors import BadInput, PbemError

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.settings import Settings
    from pbem.storage import Transaction

_MOST = 1000  # rows that are counted: an operator who has more of them knows it
_MANY_ATTEMPTS = 5  # which take about a quarter of an hour; greylisting ends sooner
_LONGEST_ERROR = 150  # characters
_BELOW = "\n" + " " * 12


def doctor(context: typer.Context) -> None:
    """Check everything the service needs, and say what is wrong and what to do.

    Lines with ✗ are faults, and lead to exit code 1; lines with – are for information.
    """
    import asyncio

    settings = load_settings(context)
    checks: list[tuple[str, Callable[[], str]]] = [
        ("settings", lambda: _check_settings(settings)),
        ("database", lambda: _check_database(context)),
        ("disk", lambda: check_room(context)),
        ("mailbox", lambda: asyncio.run(_check_mailbox(settings))),
        ("sending", lambda: asyncio.run(_check_sending(settings))),
    ]
    if settings.archive_dir:
        checks.append(("archive", lambda: _check_archive(Path(settings.archive_dir))))
    sound = True
    for name, check in checks:
        try:
            typer.echo(f"✓ {name:<9} {check()}")
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
        faults = [*_find_failed(tx), *_find_refused(tx), *_find_stuck(tx), *_find_unreachable(tx)]
        notes = "".join(f"\n– messages  {note}" for note in _find_held(tx, now))
    if faults:
        raise BadInput(_BELOW.join(faults) + notes)
    return f"of the right version; no message failed, no email was refused or came back{notes}"


def _find_failed(tx: "Transaction") -> Iterator[str]:
    """Yield a sentence if messages met a bug."""
    from pbem.pipeline import UNREADABLE

    failed = [message for message in tx.inbound.latest(status="failed", limit=_MOST) if message.reason != UNREADABLE]
    if failed:
        yield (
            f"Messages that have failed: {len(failed)}; “pbem inbound list --status failed” shows them,"
            f" “pbem inbound show {failed[0].id}” what the latest has met. Nothing is lost: when the bug is mended,"
            f" “pbem inbound retry {failed[0].id}” carries it out."
        )


def _find_refused(tx: "Transaction") -> Iterator[str]:
    """Yield a sentence if emails were refused for good, answers to strangers excepted: their address may be false."""
    refused = [email for email in tx.outbound.latest(status="refused", limit=_MOST) if email.kind != "unknown_sender"]
    if refused:
        yield (
            f"Emails that cannot be sent: {len(refused)}; “pbem outbound list --status refused” shows them and why."
            f" When the cause is mended, “pbem outbound retry {refused[0].id}” sends the latest again."
        )


def _find_stuck(tx: "Transaction") -> Iterator[str]:
    """Yield a sentence if emails have been tried often, and wait for the next attempt."""
    stuck = [email for email in tx.outbound.stuck(_MANY_ATTEMPTS, _MOST) if email.kind != "unknown_sender"]
    if stuck:
        latest = max(stuck, key=lambda email: email.due_at)
        error = latest.error.rstrip(".")
        error = error if len(error) <= _LONGEST_ERROR else f"{error[:_LONGEST_ERROR].rstrip()}…"
        yield (
            f"Emails tried {_MANY_ATTEMPTS} times or more, and not sent yet: {len(stuck)}. The latest, to"
            f" {latest.recipient}: {error}. They are tried for five days; when the cause is mended,"
            f" “pbem outbound retry {latest.id}” and “pbem deliver” send it at once."
        )


def _find_unreachable(tx: "Transaction") -> Iterator[str]:
    """Yield a sentence for every player of a running match whose email comes back."""
    waited_for = {player.email for match in tx.matches.all(running=True) for player in match.players}
    for one in tx.players.bouncing():
        if one.unreachable and one.email in waited_for:
            yield (
                f"Email to {one.email} comes back ({one.times}, last on {format_time(one.last)[:10]}):"
                " the player does not get the notices."
            )


def _find_held(tx: "Transaction", now: "datetime") -> Iterator[str]:
    """Yield a sentence if messages are held until their players answer a question: that is no fault."""
    from pbem.pipeline import ANSWERABLE, ASKING, HELD

    held = [
        message
        for message in tx.inbound.latest(status="rejected", limit=_MOST)
        if message.reason == HELD
        and message.received_at > now - ANSWERABLE
        and any(email.kind == ASKING for email in tx.outbound.caused_by(message.id))
    ]
    if held:
        yield (
            f"{len(held)} held, from an address that is no player's, until the player whose reply it seems to be says"
            f" that it is; “pbem inbound show {held[0].id}” shows the latest. There is nothing for you to do."
        )


async def _check_mailbox(settings: "Settings") -> str:
    """Check that the mailbox can be read."""
    from pbem.transport import ImapMailbox

    settings.require("imap_url")
    box = ImapMailbox(settings.imap_url)
    try:
        await box.wait(0)
    finally:
        await box.close()
    return f"{box.name} can be read"


async def _check_sending(settings: "Settings") -> str:
    """Check that the server lets us send."""
    from pbem.transport import SmtpCourier

    settings.require("smtp_url", "address")
    courier = SmtpCourier(settings.smtp_url)
    try:
        await courier.check(settings.address)
    finally:
        await courier.close()
    return "the server lets us in"


def _check_archive(directory: Path) -> str:
    """Check that pages can be written."""
    nearest = next(place for place in (directory, *directory.resolve().parents) if place.exists())
    if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
        raise BadInput(f"{directory} cannot be written to.")
    return f"{directory} can be written to"
