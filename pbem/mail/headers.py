"""Addresses, as people type them and as header fields hold them (RFC 5322)."""

import re
from collections.abc import Sequence

from pbem.errors import BadInput
from pbem.mail.names import clean_name

LONGEST_NAME = 40
_LONGEST_FIELD = 20_000
_LONGEST_ADDRESS = 254  # characters (RFC 5321)
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@(?:{_LABEL}\.)*{_LABEL}")
_ENCODED = "=?"  # begins an encoded word (RFC 2047), which email programs turn into whatever it holds
_NAME_AND_ADDRESS = re.compile(r"\s*+\"?(?P<name>[^<>\"]*+)\"?\s*+<(?P<address>[^<>]*+)>\s*+")
_IN_COMMENT = re.compile(r"[^\\()]++|\\.|.", re.DOTALL)
_OUTSIDE = re.compile(r'[^\\"()]++|\\.|"(?:[^"\\]|\\.)*+"|.', re.DOTALL)
_MAILBOX = r"[^\s<>()\[\]@,;:\"\\]+@[^\s<>()\[\]@,;:\"\\]+"
_ALONE = re.compile(rf"\s*({_MAILBOX})\s*", re.ASCII)
_NAMED = re.compile(rf"([^<>]*)<\s*({_MAILBOX})\s*>\s*", re.ASCII)


def normal_address(text: str) -> str:
    """Return the address in lower case; raise BadInput for one that no email can be sent to.

    Other letters than those of ASCII are refused, never folded.
    """
    typed = text.strip()
    address = typed.lower() if typed.isascii() else ""  # U+212A, for one, would become k: somebody else's address
    local, _, _ = address.rpartition("@")
    too_long = len(address) > _LONGEST_ADDRESS or len(local) > 64
    if too_long or _ENCODED in address or not _ADDRESS.fullmatch(address):
        raise BadInput(f"“{typed[:80]}” is not an email address; one looks like ann@example.org.")
    return address


def is_address(text: str) -> bool:
    """Return whether email can be sent to ``text``."""
    try:
        normal_address(text)
    except BadInput:
        return False
    return True


def split_named(text: str) -> tuple[str, str]:
    """Return name and address of ``Ann <ann@example.org>`` or of a bare address (then the name is empty).

    Raise BadInput for a bad address, for a name that is too long, and for one that email programs would decode.
    """
    if found := _NAME_AND_ADDRESS.fullmatch(text):
        name = clean_name(found["name"])
        if _ENCODED in name:
            raise BadInput(f"“{name[:LONGEST_NAME]}” is encoded, as names are inside mails; write it as it is read.")
        if len(name) > LONGEST_NAME:
            raise BadInput(f"“{name[:LONGEST_NAME]}…” is too long a name: it may have {LONGEST_NAME} characters.")
        return name, normal_address(found["address"])
    return "", normal_address(text)


def add_plus(address: str, addition: str) -> str:
    """Return ``address`` with ``addition`` behind a plus sign in its local part (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    return f"{local}+{addition}@{domain}"


def mailbox_of(address: str) -> str:
    """Return ``address`` without what stands behind a plus sign in its local part (RFC 5233): the same mailbox."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def domain_of(address: str) -> str:
    """Return the domain of an address."""
    return address.rpartition("@")[2]


def strip_comments(value: str) -> str:
    """Return a field without its comments, which may be nested, and with nothing in its quotation marks.

    A mark that opens and never closes stands for itself.
    """
    value = value[:_LONGEST_FIELD]
    kept: list[str] = []
    opened: list[int] = []  # how much was kept when each comment began that is still open
    place = 0
    while found := (_IN_COMMENT if opened else _OUTSIDE).match(value, place):
        piece, place = found[0], found.end()
        if piece == ")" and opened:
            del kept[opened.pop() :]
            kept.append(" ")
            continue
        if piece == "(":
            opened.append(len(kept))
        kept.append('""' if len(piece) > 1 and piece.startswith('"') and not opened else piece)
    return "".join(kept)


def single_address(fields: Sequence[str]) -> str:
    """Return the address, in lower case, if the undecoded ``fields`` of From plainly name one; else an empty text.

    Groups, routes, and names that hold another address do not count.
    """
    if len(fields) != 1 or len(fields[0]) > _LONGEST_FIELD:
        return ""
    value = " ".join(strip_comments(fields[0]).split())
    found = _NAMED.fullmatch(value)
    name, address = found.groups() if found else ("", alone[1] if (alone := _ALONE.fullmatch(value)) else "")
    if len(address) > _LONGEST_ADDRESS or not address.isascii() or not address.isprintable() or _ENCODED in address:
        return ""
    if "@" in name and (not name.isascii() or name.strip(" '").lower() != address.lower()):
        return ""
    return "" if ":" in name and ";" in name else address.lower()
