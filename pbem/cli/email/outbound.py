"""Commands about emails that go out, and the single passes of reading and sending."""

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pbem.cli import output
from pbem.cli.email.selection import OfMatch, OfPlayer, Selection, Since
from pbem.cli.group import make_group
from pbem.cli.lists import All, Before, Limit, Page, by_status, check_status, print_list
from pbem.cli.output import Json, Number, Numbers, Raw, open_database, open_service
from pbem.errors import BadInput, TransientFailure

if TYPE_CHECKING:
    from pbem.running.service import Service
    from pbem.storage.messages.records import DamagedRecord, OutboundRecord

T = TypeVar("T")

_STATUSES = ("queued", "sent", "refused", "unknown")

outbound = make_group(f"Emails that go out: {', '.join(_STATUSES)}.")


def poll(context: typer.Context) -> None:
    """Read the mailbox once and process the new messages."""
    import asyncio

    from pbem.transport.imap import ImapMailbox
    from pbem.transport.notes import ImapNotes

    with open_service(context, "imap_url") as service:
        mailbox = ImapMailbox(service.settings.imap_url, token=service.settings.imap_token)
        service.connect(mailbox=mailbox)
        service.own(ImapNotes(mailbox))
        count = asyncio.run(_run_once(service, service.poll()))
    typer.echo(f"{count} new message{'' if count == 1 else 's'}.")


def deliver(context: typer.Context) -> None:
    """Send the emails that are due, once."""
    import asyncio

    from pbem.transport.smtp import SmtpCourier

    with open_service(context, "smtp_url") as service:
        service.connect(courier=SmtpCourier(service.settings.smtp_url, token=service.settings.smtp_token))
        done = asyncio.run(_run_once(service, service.deliver()))
    unknown = f", {done.unknown} unknown" if done.unknown else ""
    typer.echo(f"{done.sent} sent, {done.deferred} postponed, {done.refused} refused{unknown}.")
    if done.put_off:
        until = output.format_time_utc(done.put_off.until)
        window, emails = done.put_off.window, done.put_off.emails
        typer.echo(f"Waiting for the budget, until {until} or longer: {emails} ({window} are sent).")
    if done.deferred or done.refused or done.unknown:
        raise TransientFailure("Not everything was sent: “pbem outbound list” shows why.")


async def _run_once(service: "Service", run: Awaitable[T]) -> T:
    """Await one pass of the service, then end its connections; return what the pass returns."""
    try:
        return await run
    finally:
        await service.disconnect()


@outbound.command("list")
def list_outbound(
    context: typer.Context,
    status: Annotated[str | None, by_status(_STATUSES)] = None,
    player: OfPlayer = None,
    match: OfMatch = None,
    since: Since = None,
    limit: Limit = None,
    before: Before = None,
    everything: All = False,
    json: Json = False,
) -> None:
    """List emails, the newest first.

    Example: `pbem outbound list --player ann --since 2026-05-01 --status refused`
    """
    check_status(status, _STATUSES)
    selection = Selection(status, player, match, since)
    page = Page(limit, before, everything, json)
    with open_database(context) as database:
        with database.reading() as tx:
            conditions = selection.conditions(tx, output.now())

        def listed(**which: Any) -> Sequence["OutboundRecord | DamagedRecord"]:
            with database.reading() as tx:
                return tx.outbound.listed(**which)

        found, has_older = page.read_on(listed, **conditions)
        print_list(
            found,
            "emails",
            _outbound_object,
            ["id", ("made (UTC)", "made_at"), "status", "to", "subject", "attempts", "error"],
            json=json,
            has_older=has_older,
            command=f"outbound list{selection.options}",
        )


@outbound.command("show")
def show_outbound(context: typer.Context, number: Number, raw: Raw = False, json: Json = False) -> None:
    """Show one email, and its text as the player gets it."""
    from pbem.mail.message import parse

    with open_database(context) as database, database.reading() as tx:
        email = output.require_row(tx.outbound.get(number), "email", number, "outbound list")
        content = tx.outbound.raw(number)
        place = output.describe_place(tx, email.match, email.seat)
    if raw and not email.has_bytes:
        raise BadInput(_describe_gone(email))
    if raw:
        output.print_bytes(content)
        return
    if json:
        output.print_json(_outbound_object(email))
        return
    output.print_fields(
        [
            ("email", f"{email.id}, {email.status}: {email.kind}"),
            ("to", email.recipient),
            ("subject", email.subject),
            ("match", place),
            ("answers", f"message {email.inbound}" if email.inbound else ""),
            ("made", output.format_time_utc(email.created_at)),
            ("sent", output.format_time_utc(email.sent_at)),
            ("next attempt", output.format_time_utc(email.due_at) if email.status == "queued" else ""),
            ("attempts", email.attempts),
            ("error", email.error),
            ("message id", email.message_id),
        ]
    )
    typer.echo(f"\n{output.make_printable(parse(content).text) if email.has_bytes else _describe_gone(email)}")


@outbound.command("retry")
def retry_outbound(context: typer.Context, numbers: Numbers) -> None:
    """Send emails again that were refused, postponed or are unknown; without their bytes, the match as it stands."""
    with open_service(context) as service:
        for number in numbers:
            output.print_text(_retry(service, number))


def _retry(service: "Service", number: int) -> str:
    """Let an email be sent again; return a sentence about it. Raise BadInput for one that can't be."""
    from pbem.running.operator_rulings import send_present

    with service.database.transaction() as tx:
        email = output.require_row(tx.outbound.get(number), "email", number, "outbound list")
        if email.kept and email.status == "sent":
            again = (
                "" if email.seat is None else f"; “pbem resend {email.match} {email.seat + 1}” sends the board again"
            )
            raise BadInput(f"Email {number} was already sent at {output.format_time_utc(email.sent_at)}{again}.")
        if email.has_bytes:
            tx.outbound.requeue(number, service.clock.now())
            return f"Email {number} is due now: “pbem run” (or “pbem deliver”) sends it."
    if email.match is None or email.seat is None:
        raise BadInput(f"Email {number} belongs to no match, so that it cannot be made again.")
    name = send_present(service, email.match, email.seat).name
    return f"{_describe_gone(email)} {name} gets the board of match {email.match} as it is now."


@outbound.command("drop")
def drop_outbound(context: typer.Context, numbers: Numbers) -> None:
    """Give refused or unknown emails up: they won't be sent again, and “pbem doctor” names them no more."""
    told = []
    with open_service(context) as service, service.database.transaction() as tx:
        for number in numbers:
            email = output.require_row(tx.outbound.get(number), "email", number, "outbound list")
            if not tx.outbound.drop(number):
                raise BadInput(f"Email {number} is {email.status}{'' if email.kept else ', and its bytes are gone'}.")
            told.append(f"Email {number} to {email.recipient} is given up.")
    output.print_text(*told)


def _describe_gone(email: "OutboundRecord") -> str:
    """Return a sentence about the bytes of an email that are not kept any more."""
    ended = output.format_time_utc(email.sent_at or email.due_at)
    return f"The bytes of email {email.id}, {email.status} at {ended}, are gone: keep_outbound_days says for how long."


def _outbound_object(email: "OutboundRecord") -> dict[str, Any]:
    """Return the JSON object of an email."""
    return {
        "id": email.id,
        "status": email.status,
        "kind": email.kind,
        "to": email.recipient,
        "subject": email.subject,
        "match": email.match,
        "seat": email.seat,
        "letter": email.inbound,
        "attempts": email.attempts,
        "error": email.error,
        "made_at": email.created_at,
        "due_at": email.due_at if email.status == "queued" else None,
        "sent_at": email.sent_at,
        "message_id": email.message_id,
        "kept": email.kept,
    }
