"""The command that gives the mailbox to this database, whosever it was."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.output import make_printable, open_service, print_text
from pbem.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from pbem.running.ownership import Claim
    from pbem.running.service import Service


def take_over(
    context: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", help="Don’t ask whether it’s meant.")] = False,
) -> None:
    """Give the mailbox to this database, whichever other one has read it so far.

    A note in the mailbox says whose it is, so that no second service answers the same emails. You need this after
    moving to another machine or database, after a restore elsewhere, or if you begin anew with the same mailbox.
    """
    import asyncio

    with open_service(context, "imap_url") as service:
        asyncio.run(_take_over(service, yes))


async def _take_over(service: "Service", yes: bool) -> None:
    """Ask whether it's meant, if another service would have to end, and put our note into the mailbox."""
    from pbem.transport.imap import ImapMailbox
    from pbem.transport.notes import ImapNotes

    mailbox = ImapMailbox(service.settings.imap_url, token=service.settings.imap_token)
    ownership = service.own(ImapNotes(mailbox))
    try:
        found = await ownership.find()
        other = found if found and not found.is_of(service.find_owner()) else None
        if other and not yes:
            _ask_whether_meant(other)
        if refusal := await ownership.take_over():
            raise Unavailable(f"The mail server takes no note in the mailbox: {refusal}.")
    finally:
        await mailbox.close()
    print_text(f"The mailbox {mailbox.name} is this database’s now.")
    if other:
        print_text(f"What reads it now, {other.owner.where}, stops within five minutes. Then start this one.")


def _ask_whether_meant(other: "Claim") -> None:
    """Ask whether another service is to lose the mailbox. Raise BadInput where nobody can be asked."""
    if not sys.stdin.isatty():
        raise BadInput(f"The mailbox is that of {other.owner.where}: say --yes if this one is to have it.")
    where = make_printable(other.owner.where)
    typer.confirm(f"{where} has the mailbox. Give it to this database?", abort=True, err=True)
