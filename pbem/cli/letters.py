"""Commands about letters that came in."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.common import (
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
    from pbem.kept import Received
    from pbem.store import Work

_STATUS = ("received", "accepted", "rejected", "discarded", "failed")
_MOST_LINES = 20
_HIDDEN = "…"

Status = Annotated[str | None, typer.Option("--status", help=f"Only those {', '.join(_STATUS)}.")]

inbound = typer.Typer(no_args_is_help=True, help="Letters that came in: what became of each, and why.")


@inbound.command("list")
def list_inbound(context: typer.Context, status: Status = None, limit: Limit = 50, json: Json = False) -> None:
    """List letters, the newest first."""
    check_status(status, _STATUS)
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
            _short(one),
            one.sender or "",
            str(one.match or ""),
            one.subject,
        ]
        for one in letters
    ]
    print_table("letters", ["id", "received (UTC)", "status", "reason", "from", "match", "subject"], rows)


@inbound.command("show")
def show_inbound(context: typer.Context, number: Number, raw: Raw = False, json: Json = False) -> None:
    """Show one letter: what was read in it, what became of it, and why."""
    from pbem.cli.reasons import meaning

    obj: Context = context.obj
    with obj.store() as store, store.reading() as work:
        letter = found(work.letter(number), "letter", number, "inbound")
        content, _ = work.letter_bytes(number)
        if raw:
            print_bytes(content)
            return
        answers = work.mails_about(number)
        written = _written(work, letter, content, obj.settings().address)
        place = seated(work, letter.match, letter.seat)
    if json:
        print_json(_letter_object(letter) | {"written": written, "mails": [mail.id for mail in answers]})
        return
    print_field("letter", f"{letter.id}, {letter.status}{f': {_short(letter)}' if letter.reason else ''}")
    print_field("meaning", meaning(letter))
    for name, value in [
        ("detail", letter.detail),
        ("received", f"{moment(letter.received_at)} UTC"),
        ("settled", f"{moment(letter.settled_at)} UTC" if letter.settled_at else ""),
        ("from", letter.sender or _claimed(content)),
        ("subject", letter.subject),
        ("match", place),
        ("written", "\n".join(written)),
        ("carried out", "\n".join(letter.commands)),
        ("mails", "\n".join(f"{mail.id} {mail.kind} to {mail.recipient}, {mail.status}" for mail in answers)),
        ("identity", letter.identity),
    ]:
        if value:
            print_field(name, value)


@inbound.command("retry")
def retry_inbound(context: typer.Context, number: Number) -> None:
    """Settle a letter anew that failed, was discarded or rejected."""
    obj: Context = context.obj
    with obj.service() as service:
        with service.store.writing() as work:
            letter = found(work.letter(number), "letter", number, "inbound")
            if not work.reopen(number) and letter.status != "received":
                raise BadInput(f"Letter {number} was accepted: to carry it out again would be to play twice.")
        service.settle(number)
        with service.store.reading() as work:
            letter = found(work.letter(number), "letter", number, "inbound")
    done = "; ".join(letter.commands) if letter.status == "accepted" else _short(letter)
    typer.echo(f"Letter {number}: {letter.status} {done}".rstrip(" .") + ".")
    if letter.status != "accepted":
        typer.echo(f"“pbem inbound show {number}” tells more.")


def _short(letter: "Received") -> str:
    """Return the reason of a letter in a few words; what a bug says is long."""
    return f"{letter.reason[:60]}{_HIDDEN if len(letter.reason) > 60 else ''}"


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


def _claimed(content: bytes) -> str:
    """Return what stands in From where that names nobody, or not one person."""
    from pbem.letter import Unreadable, open_letter

    try:
        claims = open_letter(content).headers("From")
    except Unreadable:
        return ""
    return " and ".join(f"“{claim[:200]}”" for claim in claims[:3])


def _written(work: "Work", letter: "Received", content: bytes, address: str) -> list[str]:
    """Return the lines of a letter that were taken for its writer's own, as far as they are the operator's business."""
    from pbem.cli.reasons import UNREAD
    from pbem.letter import Unreadable, open_letter
    from pbem.quoting import written_lines
    from pbem.settling import written
    from rules import RulesError

    if letter.status not in ("accepted", "rejected", "discarded") or letter.reason in UNREAD:
        return []
    match = work.match(letter.match) if letter.match else None
    try:
        opened = open_letter(content)
        if match is None or letter.seat is None:
            lines = written_lines(opened.text, address, [])
        else:
            lines = written(work, opened, match, letter.seat, address)
    except (Unreadable, RulesError):
        return []
    shown = list(_public(lines))
    more = len(shown) - _MOST_LINES
    return [*shown[:_MOST_LINES], f"({more} more lines)"] if more > 0 else shown


def _public(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines as they were understood, without what is, or may be, for the writer's partner alone.

    The operator may play himself.
    """
    from pbem.commands import Line, Nearly, Spoken, Words, looks_like_a_move, read_commands

    private, last, line = False, "", ""
    for command in read_commands(lines):
        match command:
            case Words():
                line = command.word
            case Spoken():
                private = private or command.to_side
                line = f"team: {_HIDDEN}" if command.to_side else f"say: {command.text}"
            case Nearly():
                private, line = True, _HIDDEN
            case Line():
                hidden = private and (command.wrapped or not looks_like_a_move(command.text))
                line = _HIDDEN if hidden else command.said
            case _:
                line = command.line
        if line and not (line == _HIDDEN and last.endswith(_HIDDEN)):
            yield line
        last = line or last
