"""The command that gives the mailbox to this database, whosever it was."""

from typing import TYPE_CHECKING

import typer

from pbem.cli.output import Yes, confirm, open_service, print_text
from pbem.errors import Unavailable

if TYPE_CHECKING:
    from pbem.running.service import Service


def take_over(context: typer.Context, yes: Yes = False) -> None:
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
            where = other.owner.where
            confirm(
                f"{where} has the mailbox. Give it to this database?",
                f"The mailbox is that of {where}: say --yes if this one is to have it.",
            )
        if refusal := await ownership.take_over():
            raise Unavailable(f"The mail server takes no note in the mailbox: {refusal}.")
    finally:
        await mailbox.close()
    print_text(f"The mailbox {mailbox.name} is this database’s now.")
    if other:
        print_text(f"What reads it now, {other.owner.where}, stops within five minutes. Then start this one.")
