"""The command that writes to all players."""

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import output
from pbem.cli.email.texts import read_text
from pbem.cli.output import Json, open_service
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.due.broadcast import Readers

_LONGEST_SUBJECT, _LONGEST_TEXT = 120, 20_000  # characters
_WITHOUT = {
    "unsubscribed": "unsubscribed",
    "blocked": "blocked",
    "unreachable": "can’t be reached, since email to them comes back",
    "had it": "had the same within a day (--again sends it again)",
}


def broadcast(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The text, as plain text; - for standard input.")],
    subject: Annotated[str, typer.Option("--subject", "-s", help="What stands in the subject.")] = "",
    match: Annotated[
        int | None,
        typer.Option("--match", metavar="ID", min=1, max=2**31 - 1, help="Only to who plays this match."),
    ] = None,
    everybody: Annotated[bool, typer.Option("--everybody", help="Also to players without a running match.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Also to those who had the same text within a day.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Send it without asking.")] = False,
    json: Json = False,
) -> None:
    """Write to all players of running matches: each gets an email of their own, after those about turns.

    It shows the email and how many get it, and asks. Who has unsubscribed, is blocked or can't be reached gets none.
    Answers go to the operator, and never count as moves.

    Example: `pbem broadcast news.txt --subject "No emails on Sunday"`
    """
    from pbem.due.broadcast import broadcast as queue
    from pbem.due.broadcast import choose_readers
    from pbem.pipeline.act import Act

    if everybody and match is not None:
        raise BadInput("Say either --everybody or --match.")
    title, text = _read_subject(output.decode_argument(subject)), _read_text(file)
    with open_service(context) as service:
        now = service.clock.now()
        with service.database.reading() as tx:
            if match is not None:
                output.require_row(tx.matches.get(match), "match", match, "matches")
            readers = choose_readers(tx, title, text, now, match=match, everybody=everybody, again=again)
        if not readers.players:
            raise BadInput(f"Nobody would get it{_tell_without(readers, ': ')}.")
        if not json:
            _preview(title, text, readers, service.settings.operator)
        if not yes:
            emails = _count(readers)
            output.confirm(f"Send {emails}?", f"Nothing is sent yet: say --yes to send {emails}.", file=file)
        with service.database.transaction() as tx:  # who has had it meanwhile gets it no more
            readers = choose_readers(tx, title, text, now, match=match, everybody=everybody, again=again)
            last = queue(Act(tx, service.site, now), readers.players, title, text)
    output.print_outcome(
        {
            "emails": len(readers.players),
            "to": [player.email for player in readers.players],
            "without": dict(readers.without),
            "last_due_at": last,
        },
        f"{_count(readers)} queued, the last for {output.format_time_utc(last)}: “pbem run” (or “pbem deliver”) sends"
        " them, after emails about turns.",
        json=json,
    )


def _read_subject(text: str) -> str:
    """Return the subject on one line; raises BadInput."""
    subject = " ".join(text.split())
    if not subject:
        raise BadInput("Say with --subject what the email is about, such as --subject “No emails on Sunday”.")
    if len(subject) > _LONGEST_SUBJECT:
        raise BadInput(f"“{subject[:40]}…” is too long a subject: it may have {_LONGEST_SUBJECT} characters.")
    if "[pbem" in subject.casefold():
        raise BadInput(f"“{subject}” looks like the subject of a match, and so would answers: leave out [pbem …].")
    return subject


def _read_text(file: str) -> str:
    """Return the text of the email; raises BadInput, BadFile or NoFile."""
    name = "Standard input" if file == "-" else file
    text, _ = read_text(output.read_bytes(file, 4 * _LONGEST_TEXT), name)
    text = "\n".join(line.rstrip() for line in text.strip().split("\n"))
    if not text:
        raise BadInput(f"{name} is empty: write into it what the players are to read.")
    if len(text) > _LONGEST_TEXT:
        raise BadInput(f"{name} has {len(text):,} characters; {_LONGEST_TEXT:,} are the most for an email to all.")
    return text


def _count(readers: "Readers") -> str:
    """Return how many emails there are."""
    return output.counted(len(readers.players), "email", "emails")


def _tell_without(readers: "Readers", before: str) -> str:
    """Return how many players get none, and why; an empty text for nobody."""
    told = "; ".join(f"{count:,} {_WITHOUT[why]}" for why, count in sorted(readers.without.items()))
    return f"{before}{told}" if told else ""


def _preview(subject: str, text: str, readers: "Readers", operator: str) -> None:
    """Print the email, and who gets it."""
    names = [player.name for player in readers.players[:8]]
    more = len(readers.players) - len(names)
    without = _tell_without(readers, "No email to: ")
    output.print_text(
        f"Subject: [pbem] {subject}\n\n{text}\n",
        f"{_count(readers)}, to {', '.join(names)}{f' and {more:,} more' if more > 0 else ''}.",
        *([f"{without}."] if without else []),
        f"Answers go to {operator}." if operator else "Nobody reads answers: set “operator” in pbem.toml to get them.",
    )
