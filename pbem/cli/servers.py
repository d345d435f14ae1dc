"""What the doctor finds of the servers and the archive: whether they let the service in, and no other."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.finding import Finding
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.running.service import Service
    from pbem.settings.model import Settings


async def check_mailbox(settings: "Settings") -> str:
    """Check that the mailbox can be read."""
    from pbem.transport.imap import ImapMailbox

    settings.require("imap_url")
    box = ImapMailbox(settings.imap_url, token=settings.imap_token)
    try:
        await box.wait(0)
    finally:
        await box.close()
    return f"{box.name} can be read"


async def check_owner(service: "Service") -> Finding:
    """Check that the mailbox can be read, and that no other service reads it."""
    from pbem.due.outages import RECEIVES
    from pbem.running.ownership import tell_taken
    from pbem.transport.imap import ImapMailbox
    from pbem.transport.notes import ImapNotes

    told = await check_mailbox(service.settings)
    box = ImapMailbox(service.settings.imap_url, token=service.settings.imap_token)
    notes = ImapNotes(box)
    with service.database.reading() as tx:
        cursor = tx.inbound.cursor(box.name)
    try:
        renumbered = await box.compare(cursor) if cursor else ""
        claim = await service.own(notes).find()
    finally:
        await box.close()
    if renumbered:
        return Finding("", (_explain_renumbered(box.name, renumbered),))
    if claim is None:
        with service.database.reading() as tx:
            has_run = RECEIVES in tx.heartbeats.last()
        unguarded = "No note in it keeps a second service away: why not, “no_note” in the log of “pbem run” tells."
        return Finding(told, notes=(unguarded,) if has_run else ())
    if not claim.is_of(owner := service.find_owner()):
        return Finding("", (tell_taken(claim, owner, notes),))
    return Finding(f"{told}, and is this database’s")


def _explain_renumbered(mailbox: str, why: str) -> str:
    """Return a sentence about a mailbox that was restored, moved or made anew since it was read."""
    from pbem.notices.sentences.needs import say_renumbered

    return (
        f"The mailbox {mailbox} isn’t as it was read last: {say_renumbered(why)}. “pbem run” reads it again, from"
        " the day of its first email on; “pbem poll” does so now. Clocks wait for that."
    )


async def check_sending(settings: "Settings") -> Finding:
    """Check that the server lets us send."""
    from pbem.mail.envelope import envelope_sender
    from pbem.transport.smtp import PATIENCE, SmtpCourier

    settings.require("smtp_url", "address", "secret")
    courier = SmtpCourier(settings.smtp_url, token=settings.smtp_token, timeout=PATIENCE)
    own = envelope_sender(settings.address, 0, settings.address, settings.secret)
    try:
        refused = await courier.check(settings.address, [own, ""])
    finally:
        await courier.close()
    notes = (_explain_refused_sender(settings.address, sender, words) for sender, words in refused.items())
    return Finding("the server lets us in", notes=tuple(notes))


def _explain_refused_sender(address: str, sender: str, words: str) -> str:
    """Return a sentence about an envelope sender that the server refuses: emails are sent nevertheless."""
    what = f"no notices from {sender}, the form of address for bounces" if sender else "no answers from <>, nobody"
    return (
        f"The server takes {what}: {words}. They are sent from {address} instead, and bounces are matched by"
        " Message-ID. Put “?envelope=plain” at the end of smtp_url, and nothing else is tried."
    )


def check_archive(directory: Path) -> str:
    """Check that pages can be written."""
    nearest = next(place for place in (directory, *directory.resolve().parents) if place.exists())
    if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
        raise BadInput(f"{directory} is not writable.")
    return f"{directory} is writable"
