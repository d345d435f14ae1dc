"""The email that the doctor sends to the service itself, and what it tells when it arrives."""

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING, Protocol

from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.mail.message import InboundMessage
    from pbem.ports import Courier
    from pbem.settings.model import Settings

_LONGEST = 60.0  # seconds
_PAUSE = 2.0
_METHODS = ("spf", "dkim", "dmarc")
_RESULT = re.compile(r"\s*(spf|dkim|dmarc)\s*=\s*([a-z]+)", re.ASCII)
_OUTSIDE = (
    "To check from outside, open a match with an address of yours at a large provider, and look at the source of"
    " the first email: its Authentication-Results should say spf=pass, dkim=pass and dmarc=pass."
)


class Finder(Protocol):
    """A mailbox in which an email can be looked for, while another connection reads it."""

    async def find(self, message_id: str) -> bytes | None:
        """Return the email with this Message-ID; None where there is none yet."""
        ...


@dataclass(frozen=True)
class Probe:
    """How the doctor's emails arrived: the one with a subaddress, raw, and after how many seconds.

    ``plain``: the one without a subaddress has arrived.
    """

    raw: bytes | None
    plain: bool
    seconds: float


async def check_own_mail(settings: "Settings") -> str:
    """Send the service an email and return how it arrives. Raise BadInput if it does not, or fails a check."""
    from pbem.transport.imap import ImapMailbox
    from pbem.transport.smtp import PATIENCE, SmtpCourier

    settings.require("address", "imap_url", "smtp_url")
    mailbox = ImapMailbox(settings.imap_url, token=settings.imap_token)
    courier = SmtpCourier(settings.smtp_url, token=settings.smtp_token, timeout=PATIENCE)
    try:
        return judge_probe(await send_probe(courier, mailbox, settings.address), settings.address)
    finally:
        await mailbox.close()
        await courier.close()


async def send_probe(
    courier: "Courier",
    mailbox: Finder,
    address: str,
    *,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    now: Callable[[], float] = time.monotonic,
) -> Probe:
    """Send two emails to ``address``, one of them to a subaddress, and wait until both are in the mailbox."""
    from pbem.mail.headers import add_plus

    recipients = (add_plus(address, "doctor"), address)
    names = [f"<doctor.{secrets.token_hex(8)}@{address.rpartition('@')[2]}>" for _ in recipients]
    for recipient, name in zip(recipients, names, strict=True):
        await courier.send(address, recipient, _write(address, recipient, name))
    began = now()
    while True:
        raw, plain = [await mailbox.find(name) for name in names]
        if (raw and plain) or now() - began >= _LONGEST:
            return Probe(raw, plain is not None, now() - began)
        await pause(_PAUSE)


def judge_probe(probe: Probe, address: str) -> str:
    """Return what the email tells, in words. Raise BadInput if it did not arrive, or if a check failed."""
    from pbem.mail.headers import add_plus
    from pbem.mail.message import parse

    subaddress = add_plus(address, "doctor")
    if probe.raw is None and probe.plain:
        raise BadInput(
            f"An email to {address} arrived, one to {subaddress} did not within a minute: have your mail server deliver"
            " subaddresses (RFC 5233) to this mailbox, or no reply will arrive."
        )
    if probe.raw is None:
        raise BadInput(
            f"An email to {subaddress} did not arrive in the mailbox within a minute: see what became of it in the log"
            " of your mail server, and whether it lies in a folder for spam."
        )
    arrived = f"an email to {subaddress} arrived within {max(1, round(probe.seconds))} s"
    server, found = _read_results(parse(probe.raw))
    if not found:
        return (
            f"{arrived}, without results of SPF, DKIM and DMARC: it never left your server, or that doesn't check."
            f" {_OUTSIDE}"
        )
    told = ", ".join(f"{method.upper()} {found.get(method, 'not checked')}" for method in _METHODS)
    if set(found.values()) - {"pass"}:
        raise BadInput(
            f"{arrived[:1].upper()}{arrived[1:]}, but {server} found: {told}. Fix the DNS records of"
            f" {address.rpartition('@')[2]}; the hosting guide shows them."
        )
    return f"{arrived}, and {server} found: {told}"


def _read_results(message: "InboundMessage") -> tuple[str, dict[str, str]]:
    """Return who wrote the topmost Authentication-Results (RFC 8601), and what each method found; of DKIM the best."""
    from pbem.mail.headers import strip_comments

    fields = message.undecoded("Authentication-Results")
    head, *findings = strip_comments(fields[0].lower() if fields else "").split(";")
    found: dict[str, str] = {}
    for method, result in (read.groups() for read in map(_RESULT.match, findings) if read):
        if method not in found or result == "pass":
            found[method] = result
    return (head.split() or ["a server"])[0], found


def _write(address: str, recipient: str, message_id: str) -> bytes:
    """Return the email; it is marked so that the service discards it without an answer."""
    lines = (
        f"From: {address}",
        f"To: {recipient}",
        "Subject: pbem doctor",
        f"Date: {format_datetime(datetime.now(UTC))}",
        f"Message-ID: {message_id}",
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=us-ascii",
        "",
        "pbem doctor sent this to see whether email arrives. You can delete it.",
        "",
    )
    return "\r\n".join(lines).encode()
