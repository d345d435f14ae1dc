"""Reads bounces: delivery status notifications (RFC 3464), and the many that follow no standard."""

import email
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pbem.mail.body import contained, has_parts
from pbem.mail.headers import to_address
from pbem.mail.message import InboundMessage
from pbem.mail.structure import Mime

_MOST_PARTS = 100
_MOST_COMPLAINED_OF = 5
_ATTACHED = ("message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers")
# The pattern library reads only the beginning of a bounce: there the server says what is wrong.
_MOST_LINES, _LONGEST_LINE = 250, 200
_LONGEST_TEXT = 20_000

_MESSAGE_ID = re.compile(r"^\W{0,5}Message-ID:\s{0,5}(<[^<>\s]{1,900}>)", re.IGNORECASE | re.MULTILINE)
_LEAVING = re.compile(r"^List-Unsubscribe:\s{0,5}<mailto:([^<>?\s]{1,300})\?", re.IGNORECASE | re.MULTILINE)
_COPY = re.compile(
    r"^\W{0,9}((below this line|this) is a copy of|original message|returned message|message header|"
    r"(return-path|received|message-id): )",
    re.IGNORECASE | re.MULTILINE,
)
_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.\d{1,3}(?![\d.])")
_REPLY_CODE = re.compile(r"(?<![\w.:-])([45])\d\d(?=[ -][A-Za-z0-9#<])")
_FULL = re.compile(
    r"(mail)?box (\S+ )?(is |has )?(\S+ )?(full|exceeded)|over ?quota|quota (is )?(exceeded|full)|exceed\w* (\S+ )?"
    r"(\S+ )?quota|out of storage|insufficient (system |disk )?(storage|space)|disk full|too many messages",
    re.IGNORECASE,
)
_DELAY = re.compile(
    r"delayed|not yet been delivered|has not been delivered yet|still being retried|will be retried|"
    r"(continue|keep) (trying|to try)|no action is required|do not need to (resend|take any action)|not need to resend",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"(user|recipient|mailbox|address|account)( \S+)? (is )?(unknown|not found|unavailable|disabled|inactive|"
    r"does ?n.t exist|does not exist)|no such (user|recipient|address|mailbox)|unknown (user|recipient|address)|"
    r"(no|not a) (valid )?(mailbox|account|user)|unrouteable|domain not found|host not found|"
    r"couldn.t be found|permanent (fatal )?errors?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Bounce:
    """What a bounce says: ``weight`` is "hard", "soft", or "" when nothing is lost, or not yet.

    ``status`` is the server's code (RFC 3463), such as 5.1.1, or empty.
    """

    weight: str
    status: str = ""

    def __str__(self) -> str:
        return (self.weight or "nothing lost") + (f" ({self.status})" if self.status else "")


def read_bounce(message: InboundMessage, recipient: str) -> Bounce:
    """Return what the bounce ``message`` says of an email to ``recipient``; in doubt, that nothing is lost."""
    parts = _list_parts(message)
    blocks = [block for part in parts for block in _recipient_blocks(part)]
    if blocks:
        failed = [block for block in blocks if _field(block, "Action").startswith(("fail", "error"))]
        return _weigh(failed[0]) if failed else Bounce("", _find_status(_field(blocks[0], "Status")))
    words = _server_words(message, parts)
    delayed, lost = _find_failures(message)
    full, code, status = _FULL.search(words), _REPLY_CODE.search(words), _find_status(words)
    nobody = _NOBODY.search(words)
    if recipient in delayed or (_DELAY.search(f"{message.subject} {words[:2000]}") and not (full or nobody)):
        return Bounce("", status)
    if full:
        return Bounce("soft", status)
    kind = status[:1] or (code[1] if code else "")
    if kind in ("4", "5"):
        return Bounce("hard" if kind == "5" else "soft", status)
    return Bounce("hard" if recipient in lost or nobody else "")


def returned_ids(message: InboundMessage) -> list[str]:
    """Return the Message-IDs of the emails that a bounce may be about, the likeliest first."""
    found: dict[str, None] = {}
    for part in _list_parts(message):
        found |= dict.fromkeys(_MESSAGE_ID.findall(_read_beginning(part)))
    return [*found, *message.answered][:100]


def read_complaint(message: InboundMessage) -> list[tuple[str, str]]:
    """Return the address for unsubscribing in each email that a complaint (RFC 5965) has attached.

    The first of the two is the Message-ID, empty where there is none.
    """
    heads = [_read_beginning(part) for part in _list_parts(message) if part.get_content_type() in _ATTACHED]
    found = ((_MESSAGE_ID.search(head), _LEAVING.search(head)) for head in heads[:_MOST_COMPLAINED_OF])
    return [(named[1] if named else "", leaving[1]) for named, leaving in found if leaving]


def _list_parts(message: InboundMessage) -> list[Mime]:
    """Return the parts of a bounce that consist of no parts themselves, without those of the returned email."""
    return [part.mime for part in message.parts[:_MOST_PARTS] if not has_parts(part.mime)]


def _recipient_blocks(part: Mime) -> Iterator[Mime]:
    """Yield the block of each recipient in a delivery status (RFC 3464, RFC 6533)."""
    if part.get_content_type() not in ("message/delivery-status", "message/global-delivery-status"):
        return
    for block in contained(part)[:_MOST_PARTS]:
        if block.get("Action"):
            yield block
        # The standard library parses the blocks of RFC 3464; those of RFC 6533 are still text.
        for text in re.split(r"(?:\r?\n){2,}", _decode(block))[:_MOST_PARTS]:
            if (inner := email.message_from_string(text.strip())).get("Action"):
                yield inner


def _weigh(block: Mime) -> Bounce:
    """Return how much a failed delivery weighs: a full mailbox, or a code that begins with 4, may pass."""
    words = _field(block, "Diagnostic-Code")
    status = _find_status(_field(block, "Status")) or _find_status(words)
    if status.endswith(".0.0"):  # the server has no better code
        status = _find_status(words) or status
    code = _REPLY_CODE.search(words) if not status or status.endswith(".0.0") else None
    if (code[1] if code else status[:1]) == "4" or status.endswith(".2.2") or _FULL.search(words):
        return Bounce("soft", status)
    return Bounce("hard", status)


def _server_words(message: InboundMessage, parts: list[Mime]) -> str:
    """Return what the server wrote itself, above the copy of our email, which may say anything."""
    written = (_decode(part) for part in parts if part.get_content_type() in ("text/plain", "text/html"))
    words = next((text for text in written if text.strip()), "")
    copy = _COPY.search(words)
    return " ".join(words[: copy.start() if copy else None].split())


def _find_failures(message: InboundMessage) -> tuple[set[str], set[str]]:
    """Return the recipients reached late and those not reached, as the pattern library finds them."""
    from flufl.bounce import all_failures  # with hundreds of patterns

    raw = message.raw[: 10 * _LONGEST_TEXT]
    head, _, body = raw.partition(b"\r\n\r\n" if b"\r\n\r\n" in raw else b"\n\n")
    lines = [line[:_LONGEST_LINE] for line in body.splitlines()[:_MOST_LINES]]
    try:
        found = all_failures(email.message_from_bytes(head[:_LONGEST_TEXT] + b"\n\n" + b"\n".join(lines)))
    except Exception:  # a pattern that fails on strange email says nothing
        return set(), set()
    delayed, lost = ({to_address(address.decode("ascii", "replace")) for address in addresses} for addresses in found)
    return delayed, lost


def _read_beginning(part: Mime) -> str:
    """Return the beginning of a text part, or the headers of an attached email."""
    if part.get_content_maintype() == "text":
        return _decode(part)
    headers = (f"{name}: {value}" for mail in contained(part)[:1] for name, value in mail.items())
    return "\n".join(headers)[:_LONGEST_TEXT] or _decode(part)


def _decode(part: Mime) -> str:
    """Return the beginning of a part's content; only its ASCII matters."""
    payload = part.get_payload(decode=True) if not part.is_multipart() else None
    return payload[:_LONGEST_TEXT].decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def _field(block: Mime, name: str) -> str:
    """Return a field of a delivery status, in lower case."""
    return str(block.get(name, ""))[:2000].strip().lower()


def _find_status(text: str) -> str:
    """Return the first status code (RFC 3463) of a failure in ``text``, or an empty text."""
    return next((found[0] for found in _STATUS.finditer(text) if found[1] in "45"), "")
