"""What the doctor finds of the servers and the archive: whether they let the service in."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.settings import Settings


async def check_mailbox(settings: "Settings") -> str:
    """Check that the mailbox can be read."""
    from pbem.transport import ImapMailbox

    settings.require("imap_url")
    box = ImapMailbox(settings.imap_url)
    try:
        await box.wait(0)
    finally:
        await box.close()
    return f"{box.name} can be read"


async def check_sending(settings: "Settings") -> str:
    """Check that the server lets us send."""
    from pbem.transport import SmtpCourier

    settings.require("smtp_url", "address")
    courier = SmtpCourier(settings.smtp_url)
    try:
        await courier.check(settings.address)
    finally:
        await courier.close()
    return "the server lets us in"


def check_archive(directory: Path) -> str:
    """Check that pages can be written."""
    nearest = next(place for place in (directory, *directory.resolve().parents) if place.exists())
    if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
        raise BadInput(f"{directory} cannot be written to.")
    return f"{directory} can be written to"
