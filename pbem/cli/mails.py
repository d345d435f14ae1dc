"""Commands about letters that came in and mails that go out."""

import asyncio
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pbem.cli.common import Context, Json, Limit, moment, print_json, print_json_line, print_table, read_bytes
from pbem.errors import BadInput, Busy, PbemError, TransientFailure
from pbem.redaction import redacted

if TYPE_CHECKING:
    from pbem.kept import Queued, Received
    from pbem.outbox import Delivery
    from pbem.service import Arrival, Service

_LINE = "The mail line"
_LETTER_STATUS = ("received", "accepted", "rejected", "discarded", "failed")
_MAIL_STATUS = ("queued", "sent", "refused")
LetterStatus = Annotated[str | None, typer.Option("--status", help=f"Only those {', '.join(_LETTER_STATUS)}.")]
MailStatus = Annotated[str | None, typer.Option("--status", help=f"Only those {', '.join(_MAIL_STATUS)}.")]
Number = Annotated[int, typer.Argument(metavar="ID", help="Its number, as list shows it.")]
Raw = Annotated[bool, typer.Option("--raw", help="Print the bytes as they are.")]

T = TypeVar("T")

inbound = typer.Typer(no_args_is_help=True, help="Letters that came in: what became of each, and why.")
outbound = typer.Typer(no_args_is_help=True, help="Mails that go out: queued, sent, or refused for good.")


def add_to(app: typer.Typer) -> None:
    """Add these commands to ``app``."""
    app.command("receive", rich_help_panel=_LINE)(receive)
    app.command("poll", rich_help_panel=_LINE)(poll)
    app.command("deliver", rich_help_panel=_LINE)(deliver)
    app.add_typer(inbound, name="inbound", rich_help_panel=_LINE)
    app.add_typer(outbound, name="outbound", rich_help_panel=_LINE)


def receive(
    context: typer.Context,
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]…", help="Raw mails; none or - reads one.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do all of it, tell, and undo it.")] = False,
    json: Json = False,
) -> None:
    """Take in raw mails from files or standard input, as polling does.

    For a mail server's pipe: `|/path/to/pbem receive`. A directory stands for the files in it.
    """
    try:
        _receive(context.obj, files, dry_run, json)
    except Exception as error:  # a mail server gives a mail back to its sender for any other exit code than Busy's
        if files:
            raise
        if not isinstance(error, PbemError | OSError):
            logging.getLogger("pbem").exception("a bug while a letter was taken in")
        raise Busy(redacted(str(error))) from error


def _receive(obj: Context, files: list[str] | None, dry_run: bool, json: bool) -> None:
    """Take in each mail, and print what became of it."""
    obj.settings("address", "secret")
    named = [file for given in files or ["-"] for file in _files(given)]
    with obj.store() as store:
        for name in named:
            raw = read_bytes(name)
            if dry_run:
                with store.rehearsal() as rehearsed, obj.service(store=rehearsed) as service:
                    arrival = service.hand_in(raw)
            else:
                with obj.service(store=store) as service:
                    arrival = service.hand_in(raw)
            if json:
                print_json_line(_arrival_object(name, arrival))
            elif files or dry_run:
                typer.echo(f"{name}: {_in_words(arrival)}")


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


@inbound.command("list")
def list_inbound(context: typer.Context, status: LetterStatus = None, limit: Limit = 50, json: Json = False) -> None:
    """List letters, the newest first."""
    _check_status(status, _LETTER_STATUS)
    with context.obj.store() as store, store.reading() as work:
        letters = work.letters(status=status, limit=limit)
    if json:
        print_json([_letter_object(letter) for letter in letters])
        return
    rows = [
        [
            str(one.id),
            moment(one.received_at),
            one.status,
            one.reason,
            one.sender or "",
            str(one.match or ""),
            one.subject,
        ]
        for one in letters
    ]
    print_table("letters", ["id", "received (UTC)", "status", "reason", "from", "match", "subject"], rows)


@inbound.command("show")
def show_inbound(context: typer.Context, number: Number, raw: Raw = False, json: Json = False) -> None:
    """Show one letter and what became of it."""
    with context.obj.store() as store, store.reading() as work:
        letter = _found(work.letter(number), "letter", number, "inbound")
        content, _ = work.letter_bytes(number)
        answers = work.mails_about(number)
    if raw:
        sys.stdout.buffer.write(content)
        return
    if json:
        print_json(_letter_object(letter) | {"mails": [mail.id for mail in answers]})
        return
    for name, value in _letter_object(letter).items():
        typer.echo(
            f"{name + ':':<14}{', '.join(value) if isinstance(value, list) else value if value is not None else ''}"
        )
    for mail in answers:
        typer.echo(f"{'answer:':<14}{mail.id} {mail.kind} to {mail.recipient} ({mail.status})")


@inbound.command("retry")
def retry_inbound(context: typer.Context, number: Number) -> None:
    """Settle a letter anew that failed, was discarded or rejected."""
    obj: Context = context.obj
    with obj.service() as service:
        with service.store.writing() as work:
            letter = _found(work.letter(number), "letter", number, "inbound")
            if not work.reopen(number) and letter.status != "received":
                raise BadInput(f"Letter {number} was accepted: to carry it out again would be to play twice.")
        service.settle(number)
        with service.store.reading() as work:
            letter = _found(work.letter(number), "letter", number, "inbound")
    typer.echo(f"Letter {number}: {letter.status} {letter.reason}".rstrip(" .") + ".")


@outbound.command("list")
def list_outbound(context: typer.Context, status: MailStatus = None, limit: Limit = 50, json: Json = False) -> None:
    """List mails, the newest first."""
    _check_status(status, _MAIL_STATUS)
    with context.obj.store() as store, store.reading() as work:
        mails = work.mails(status=status, limit=limit)
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
    """Show one mail, and its text as the player gets it."""
    from pbem.letter import open_letter

    with context.obj.store() as store, store.reading() as work:
        mail = _found(work.mail(number), "mail", number, "outbound")
        content = work.mail_bytes(number)
    if raw:
        sys.stdout.buffer.write(content)
        return
    if json:
        print_json(_mail_object(mail))
        return
    for name, value in _mail_object(mail).items():
        typer.echo(f"{name + ':':<14}{value if value is not None else ''}")
    typer.echo(f"\n{open_letter(content).text}")


@outbound.command("retry")
def retry_outbound(context: typer.Context, number: Number) -> None:
    """Send a mail again that was refused or put off: at the next delivery."""
    obj: Context = context.obj
    with obj.service() as service, service.store.writing() as work:
        mail = _found(work.mail(number), "mail", number, "outbound")
        if mail.status == "sent":
            raise BadInput(f"Mail {number} was sent at {moment(mail.sent_at)} UTC already.")
        work.send_anew(number, service.clock.now())
    typer.echo(f"Mail {number} is due now: “pbem run” (or “pbem deliver”) sends it.")


async def _polled(service: "Service") -> int:
    """Poll once, over a connection of its own."""
    from pbem.mailbox import ImapMailbox

    service.connect(mailbox=ImapMailbox(service.settings.imap_url))
    try:
        return await service.poll()
    finally:
        await service.disconnect()


async def _delivered(service: "Service") -> "Delivery":
    """Deliver once, over a connection of its own."""
    from pbem.courier import SmtpCourier

    service.connect(courier=SmtpCourier(service.settings.smtp_url))
    try:
        return await service.deliver()
    finally:
        await service.disconnect()


def _files(given: str) -> list[str]:
    """Return the files that an argument stands for."""
    path = Path(given)
    if given != "-" and path.is_dir():
        return sorted(str(file) for file in path.iterdir() if file.is_file())
    return [given]


def _arrival_object(name: str, arrival: "Arrival") -> dict[str, Any]:
    """Return what became of a mail handed in, as JSON has it."""
    letter = arrival.letter
    earlier = f"{letter.status} {letter.reason}".strip()
    return {
        "file": name,
        "status": "duplicate" if arrival.duplicate else letter.status,
        "reason": f"here already as letter {letter.id}, {earlier}" if arrival.duplicate else letter.reason,
        "detail": letter.detail,
        "match": letter.match,
        "commands": [] if arrival.duplicate else list(letter.commands),
        "mails": [mail.recipient for mail in arrival.mails],
    }


def _in_words(arrival: "Arrival") -> str:
    """Return what became of a mail handed in, for people."""
    found, letter = _arrival_object("", arrival), arrival.letter
    parts = [found["status"], found["reason"]]
    parts += [letter.detail.rstrip(".")] if letter.status != "failed" and not arrival.duplicate else []
    parts += [f"match {found['match']}"] if found["match"] else []
    parts += ["; ".join(found["commands"])]
    parts += [f"mails to {', '.join(found['mails'])}"] if found["mails"] else []
    return ", ".join(part for part in parts if part)


def _letter_object(letter: "Received") -> dict[str, Any]:
    """Return a letter as JSON has it."""
    return {
        "id": letter.id,
        "status": letter.status,
        "reason": letter.reason,
        "detail": letter.detail,
        "from": letter.sender,
        "subject": letter.subject,
        "match": letter.match,
        "seat": letter.seat,
        "commands": list(letter.commands),
        "received_at": letter.received_at,
        "settled_at": letter.settled_at,
        "identity": letter.identity,
    }


def _mail_object(mail: "Queued") -> dict[str, Any]:
    """Return a mail as JSON has it."""
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


def _check_status(status: str | None, known: tuple[str, ...]) -> None:
    """Make sure that a status is one; raises BadInput."""
    if status is not None and status not in known:
        raise BadInput(f"“{status}” is no status; there are: {', '.join(known)}.")


def _found(row: T | None, what: str, number: int, group: str) -> T:
    """Return a row that must be there; raises BadInput."""
    if row is None:
        raise BadInput(f"There is no {what} {number}; “pbem {group} list” lists them.")
    return row
