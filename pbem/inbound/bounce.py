"""Reads bounces: delivery status notifications (RFC 3464), and the many that are none. Pure."""

import email
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from flufl.bounce import all_failures

from pbem.mail import InboundMessage

_MOST_PARTS, _DEEPEST = 100, 10
# What a library of patterns is shown of a bounce: the words of the server stand at its beginning.
_MOST_LINES, _LONGEST_LINE = 250, 200
_LONGEST_TEXT = 20_000

_MESSAGE_ID = re.compile(r"^\W{0,5}Message-ID:\s{0,5}(<[^<>\s]{1,900}>)", re.IGNORECASE | re.MULTILINE)
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
    """What an email about mail says: ``weight`` is "hard", "soft", or "" when nothing is lost, or not yet.

    ``status`` is the server's code (RFC 3463), such as 5.1.1, or empty.
    """

    weight: str
    status: str = ""

    def __str__(self) -> str:
        return (self.weight or "nothing lost") + (f" ({self.status})" if self.status else "")


def read_bounce(message: InboundMessage, recipient: str) -> Bounce:
    """Return what ``message``, known to be a bounce, says of an email to ``recipient``; in doubt, that nothing is lost."""
    parts = list(_parts(message))
    blocks = [block for part in parts for block in _recipients(part)]
    if blocks:
        failed = [block for block in blocks if _word(block, "Action").startswith(("fail", "error"))]
        return _judged(failed[0]) if failed else Bounce("", _status(_word(blocks[0], "Status")))
    words = _servers_words(message, parts)
    delayed, lost = _failures(message)
    full, code, status = _FULL.search(words), _REPLY_CODE.search(words), _status(words)
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
    for part in _parts(message):
        found |= dict.fromkeys(_MESSAGE_ID.findall(_text(part)))
    return [*found, *message.answered][:100]


def returned_places(message: InboundMessage) -> tuple[str, ...]:
    """Return where a reply token of ours may stand in a bounce: in its headers, then in what it returns."""
    return (*message.token_places, *(_text(part) for part in _parts(message)))


def _parts(message: InboundMessage) -> Iterator["Message[str, str]"]:
    """Yield the parts of a bounce, first to last, and not what is inside the email that it returns."""
    waiting = [(message.mime, 0)]
    for _ in range(_MOST_PARTS):
        if not waiting:
            return
        part, depth = waiting.pop()
        if part.is_multipart() and part.get_content_maintype() == "multipart" and depth < _DEEPEST:
            waiting += [(child, depth + 1) for child in reversed(_inner(part))]
        else:
            yield part


def _recipients(part: "Message[str, str]") -> Iterator["Message[str, str]"]:
    """Yield what a delivery status (RFC 3464, RFC 6533) says of each recipient."""
    if part.get_content_type() not in ("message/delivery-status", "message/global-delivery-status"):
        return
    for block in _inner(part)[:_MOST_PARTS]:
        if block.get("Action"):
            yield block
        # The standard library knows the blocks of the older type only; of the newer one the rest is left as text.
        for text in re.split(r"(?:\r?\n){2,}", _decoded(block))[:_MOST_PARTS]:
            if (inner := email.message_from_string(text.strip())).get("Action"):
                yield inner


def _judged(block: "Message[str, str]") -> Bounce:
    """Return how much a failed delivery weighs: a full mailbox may be emptied, and so may be what begins with 4."""
    words = _word(block, "Diagnostic-Code")
    status = _status(_word(block, "Status")) or _status(words)
    if status.endswith(".0.0"):  # what a server says that has no better word
        status = _status(words) or status
    code = _REPLY_CODE.search(words) if not status or status.endswith(".0.0") else None
    if (code[1] if code else status[:1]) == "4" or status.endswith(".2.2") or _FULL.search(words):
        return Bounce("soft", status)
    return Bounce("hard", status)


def _servers_words(message: InboundMessage, parts: list["Message[str, str]"]) -> str:
    """Return what the server wrote itself, up to the copy of our email, which may say anything."""
    written = (_decoded(part) for part in parts if part.get_content_type() in ("text/plain", "text/html"))
    words = next((text for text in written if text.strip()), "")
    copy = _COPY.search(words)
    return " ".join(words[: copy.start() if copy else None].split())


def _failures(message: InboundMessage) -> tuple[set[str], set[str]]:
    """Return whom an email reaches late and whom it does not reach, as a library of many servers' manners finds."""
    raw = message.raw[: 10 * _LONGEST_TEXT]
    head, _, body = raw.partition(b"\r\n\r\n" if b"\r\n\r\n" in raw else b"\n\n")
    lines = [line[:_LONGEST_LINE] for line in body.splitlines()[:_MOST_LINES]]
    try:
        found = all_failures(email.message_from_bytes(head[:_LONGEST_TEXT] + b"\n\n" + b"\n".join(lines)))
    except Exception:  # a pattern that fails on a strange mail says nothing
        return set(), set()
    delayed, lost = ({address.decode("ascii", "replace").lower() for address in addresses} for addresses in found)
    return delayed, lost


def _text(part: "Message[str, str]") -> str:
    """Return the beginning of a text, or the headers of an email that is inside another."""
    if part.get_content_maintype() == "text":
        return _decoded(part)
    headers = (f"{name}: {value}" for mail in _inner(part)[:1] for name, value in mail.items())
    return "\n".join(headers)[:_LONGEST_TEXT] or _decoded(part)


def _inner(part: "Message[str, str]") -> list["Message[str, str]"]:
    """Return what is inside a part, if that is parts or emails again."""
    # Asked of what is no multipart, `get_payload` would decode it here, in whatever charset it names.
    payload = part.get_payload() if part.is_multipart() else None
    return [one for one in payload if not isinstance(one, str)] if isinstance(payload, list) else []


def _decoded(part: "Message[str, str]") -> str:
    """Return the beginning of what a part without further parts holds; of its messages only those of ASCII matter."""
    payload = part.get_payload(decode=True) if not part.is_multipart() else None
    return payload[:_LONGEST_TEXT].decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def _word(block: "Message[str, str]", name: str) -> str:
    """Return a field of a delivery status."""
    return str(block.get(name, ""))[:2000].strip().lower()


def _status(text: str) -> str:
    """Return the first status code of RFC 3463 in ``text`` that tells of a failure, or an empty text."""
    return next((found[0] for found in _STATUS.finditer(text) if found[1] in "45"), "")
