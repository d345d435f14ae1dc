"""Commands about messages that came in."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

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
    seated,
)
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.storage import InboundRecord, Transaction

_STATUS = ("received", "accepted", "rejected", "discarded", "failed")
_MOST_LINES = 20
_HIDDEN = "…"

Status = Annotated[str | None, typer.Option("--status", help=f"Only those {', '.join(_STATUS)}.")]

inbound = typer.Typer(no_args_is_help=True, help="Letters that came in: what became of each, and why.")


@inbound.command("list")
def list_inbound(context: typer.Context, status: Status = None, limit: Limit = 50, json: Json = False) -> None:
    """List messages, the newest first."""
    check_status(status, _STATUS)
    with context.obj.database() as database, database.reading() as tx:
        messages = tx.inbound.latest(status=status, limit=limit)
    if json:
        print_json([_letter_object(message) for message in messages])
        return
    rows = [
        [
            str(one.id),
            moment(one.received_at),
            one.status,
            _short(one),
            one.sender or "",
            str(one.match or ""),
            one.subject,
        ]
        for one in messages
    ]
    print_table("letters", ["id", "received (UTC)", "status", "reason", "from", "match", "subject"], rows)


@inbound.command("show")
def show_inbound(context: typer.Context, number: Number, raw: Raw = False, json: Json = False) -> None:
    """Show one message: what was read in it, what became of it, and why."""
    from pbem.cli.reasons import meaning

    obj: Context = context.obj
    with obj.database() as database, database.reading() as tx:
        message = found(tx.inbound.get(number), "letter", number, "inbound")
        content, _ = tx.inbound.raw(number)
        if raw:
            print_bytes(content)
            return
        answers = tx.outbound.caused_by(number)
        interpret = _written(tx, message, content, obj.settings().address)
        place = seated(tx, message.match, message.seat)
    if json:
        print_json(_letter_object(message) | {"written": interpret, "mails": [mail.id for mail in answers]})
        return
    print_field("letter", f"{message.id}, {message.status}{f': {_short(message)}' if message.reason else ''}")
    print_field("meaning", meaning(message))
    for name, value in [
        ("detail", message.detail),
        ("received", f"{moment(message.received_at)} UTC"),
        ("settled", f"{moment(message.settled_at)} UTC" if message.settled_at else ""),
        ("from", message.sender or _claimed(content)),
        ("subject", message.subject),
        ("match", place),
        ("written", "\n".join(interpret)),
        ("carried out", "\n".join(message.commands)),
        ("mails", "\n".join(f"{mail.id} {mail.kind} to {mail.recipient}, {mail.status}" for mail in answers)),
        ("identity", message.identity),
    ]:
        if value:
            print_field(name, value)


@inbound.command("retry")
def retry_inbound(context: typer.Context, number: Number) -> None:
    """Settle a message anew that failed, was discarded or rejected."""
    obj: Context = context.obj
    with obj.service() as service:
        with service.database.transaction() as tx:
            message = found(tx.inbound.get(number), "letter", number, "inbound")
            if not tx.inbound.requeue(number) and message.status != "received":
                raise BadInput(f"Letter {number} was accepted: to carry it out again would be to play twice.")
        service.process(number)
        with service.database.reading() as tx:
            message = found(tx.inbound.get(number), "letter", number, "inbound")
    done = "; ".join(message.commands) if message.status == "accepted" else _short(message)
    typer.echo(f"Letter {number}: {message.status} {done}".rstrip(" .") + ".")
    if message.status != "accepted":
        typer.echo(f"“pbem inbound show {number}” tells more.")


def _short(message: "InboundRecord") -> str:
    """Return the reason of a message in a few words; what a bug says is long."""
    return f"{message.reason[:60]}{_HIDDEN if len(message.reason) > 60 else ''}"


def _letter_object(message: "InboundRecord") -> dict[str, Any]:
    """Return a message as JSON has it."""
    return {
        "id": message.id,
        "status": message.status,
        "reason": message.reason,
        "detail": message.detail,
        "from": message.sender,
        "subject": message.subject,
        "match": message.match,
        "seat": message.seat,
        "commands": list(message.commands),
        "received_at": message.received_at,
        "settled_at": message.settled_at,
        "identity": message.identity,
    }


def _claimed(content: bytes) -> str:
    """Return what stands in From where that names nobody, or not one person."""
    from pbem.mail import Unreadable, parse

    try:
        claims = parse(content).headers("From")
    except Unreadable:
        return ""
    return " and ".join(f"“{claim[:200]}”" for claim in claims[:3])


def _written(tx: "Transaction", message: "InboundRecord", content: bytes, address: str) -> list[str]:
    """Return the lines taken for the sender's own, as far as they are the operator's business."""
    from pbem.cli.reasons import UNREAD
    from pbem.commands import public_lines, read_commands
    from pbem.inbound import read_reply
    from pbem.mail import Unreadable, parse
    from pbem.pipeline import own_lines
    from rules import RulesError

    if message.status not in ("accepted", "rejected", "discarded") or message.reason in UNREAD:
        return []
    match = tx.matches.get(message.match) if message.match else None
    try:
        opened = parse(content)
        if match is None or message.seat is None:
            lines = read_reply(opened.text, address).lines()
        else:
            lines = own_lines(tx, opened, match, message.seat, address)
    except (Unreadable, RulesError):
        return []
    shown = list(public_lines(read_commands(lines)))
    more = len(shown) - _MOST_LINES
    return [*shown[:_MOST_LINES], f"({more} more lines)"] if more > 0 else shown
