"""Commands about emails that go out, and the single passes of reading and sending."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.inbound import inbound
from pbem.cli.output import (
    Context,
    Json,
    Limit,
    Number,
    Raw,
    check_status,
    found,
    moment,
    print_bytes,
    print_field,
    print_json,
    print_table,
    printable,
    seated,
)
from pbem.cli.receive import receive
from pbem.errors import BadInput, TransientFailure

if TYPE_CHECKING:
    from pbem.pipeline import DeliveryReport
    from pbem.service import Service
    from pbem.storage import OutboundRecord

_LINE = "The mail line"
_STATUS = ("queued", "sent", "refused")

Status = Annotated[str | None, typer.Option("--status", help=f"Only those {', '.join(_STATUS)}.")]

outbound = typer.Typer(no_args_is_help=True, help="Mails that go out: queued, sent, or refused for good.")


def add_to(app: typer.Typer) -> None:
    """Add these commands to ``app``."""
    app.command("receive", rich_help_panel=_LINE)(receive)
    app.command("poll", rich_help_panel=_LINE)(poll)
    app.command("deliver", rich_help_panel=_LINE)(deliver)
    app.add_typer(inbound, name="inbound", rich_help_panel=_LINE)
    app.add_typer(outbound, name="outbound", rich_help_panel=_LINE)


def poll(context: typer.Context) -> None:
    """Read the mailbox once and settle what is new."""
    obj: Context = context.obj
    with obj.service("imap_url") as service:
        count = asyncio.run(_polled(service))
    typer.echo(f"{count} new letter{'' if count == 1 else 's'}.")


def deliver(context: typer.Context) -> None:
    """Send once what is due."""
    obj: Context = context.obj
    with obj.service("smtp_url") as service:
        done = asyncio.run(_delivered(service))
    typer.echo(f"{done.sent} sent, {done.deferred} put off, {done.refused} refused.")
    if done.deferred or done.refused:
        raise TransientFailure("Not everything was sent: “pbem outbound list” shows why.")


@outbound.command("list")
def list_outbound(context: typer.Context, status: Status = None, limit: Limit = 50, json: Json = False) -> None:
    """List emails, the newest first."""
    check_status(status, _STATUS)
    with context.obj.database() as database, database.reading() as tx:
        mails = tx.outbound.latest(status=status, limit=limit)
    if json:
        print_json([_mail_object(mail) for mail in mails])
        return
    rows = [
        [str(one.id), moment(one.created_at), one.status, one.recipient, one.subject, str(one.attempts), one.error]
        for one in mails
    ]
    print_table("mails", ["id", "made (UTC)", "status", "to", "subject", "attempts", "error"], rows)


@outbound.command("show")
def show_outbound(context: typer.Context, number: Number, raw: Raw = False, json: Json = False) -> None:
    """Show one email, and its text as the player gets it."""
    from pbem.mail import parse

    with context.obj.database() as database, database.reading() as tx:
        mail = found(tx.outbound.get(number), "mail", number, "outbound")
        content = tx.outbound.raw(number)
        place = seated(tx, mail.match, mail.seat)
    if raw:
        print_bytes(content)
        return
    if json:
        print_json(_mail_object(mail))
        return
    print_field("mail", f"{mail.id}, {mail.status}: {mail.kind}")
    for name, value in [
        ("to", mail.recipient),
        ("subject", mail.subject),
        ("match", place),
        ("answers", f"letter {mail.inbound}" if mail.inbound else ""),
        ("made", f"{moment(mail.created_at)} UTC"),
        ("sent", f"{moment(mail.sent_at)} UTC" if mail.sent_at else ""),
        ("next attempt", f"{moment(mail.due_at)} UTC" if mail.status == "queued" else ""),
        ("attempts", mail.attempts),
        ("error", mail.error),
        ("message id", mail.message_id),
    ]:
        if value:
            print_field(name, value)
    typer.echo(f"\n{printable(parse(content).text)}")


@outbound.command("retry")
def retry_outbound(context: typer.Context, number: Number) -> None:
    """Send an email again that was refused or put off: at the next delivery."""
    obj: Context = context.obj
    with obj.service() as service, service.database.transaction() as tx:
        mail = found(tx.outbound.get(number), "mail", number, "outbound")
        if mail.status == "sent":
            raise BadInput(f"Mail {number} was sent at {moment(mail.sent_at)} UTC already.")
        tx.outbound.requeue(number, service.clock.now())
    typer.echo(f"Mail {number} is due now: “pbem run” (or “pbem deliver”) sends it.")


async def _polled(service: "Service") -> int:
    """Poll once, over a connection of its own."""
    from pbem.transport import ImapMailbox

    service.connect(mailbox=ImapMailbox(service.settings.imap_url))
    try:
        return await service.poll()
    finally:
        await service.disconnect()


async def _delivered(service: "Service") -> "DeliveryReport":
    """Deliver once, over a connection of its own."""
    from pbem.transport import SmtpCourier

    service.connect(courier=SmtpCourier(service.settings.smtp_url))
    try:
        return await service.deliver()
    finally:
        await service.disconnect()


def _mail_object(mail: "OutboundRecord") -> dict[str, Any]:
    """Return an email as JSON has it."""
    return {
        "id": mail.id,
        "status": mail.status,
        "kind": mail.kind,
        "to": mail.recipient,
        "subject": mail.subject,
        "match": mail.match,
        "seat": mail.seat,
        "letter": mail.inbound,
        "attempts": mail.attempts,
        "error": mail.error,
        "made_at": mail.created_at,
        "due_at": mail.due_at if mail.status == "queued" else None,
        "sent_at": mail.sent_at,
        "message_id": mail.message_id,
    }
