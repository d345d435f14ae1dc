"""Reads the header fields that have a grammar (RFC 5322): what is a comment, what is quoted, which address is meant."""

import re
from collections.abc import Sequence

_LONGEST = 20_000
_LONGEST_ADDRESS = 254  # characters (RFC 5321)
_IN_COMMENT = re.compile(r"[^\\()]++|\\.|.", re.DOTALL)
_OUTSIDE = re.compile(r'[^\\"()]++|\\.|"(?:[^"\\]|\\.)*+"|.', re.DOTALL)

_MAILBOX = r"[^\s<>()\[\]@,;:\"\\]+@[^\s<>()\[\]@,;:\"\\]+"
_ALONE = re.compile(rf"\s*({_MAILBOX})\s*", re.ASCII)
_NAMED = re.compile(rf"([^<>]*)<\s*({_MAILBOX})\s*>\s*", re.ASCII)


def strip_comments(value: str) -> str:
    """Return a field without its comments, which may be nested, and with nothing in its quotation marks.

    What opens and never closes stands for itself.
    """
    value = value[:_LONGEST]
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
    """Return the address, in lower case, if it is plain that the ``fields`` name one and whose; else an empty text.

    They are what stands in From, not decoded: groups, routes, and names that hold another address do not count.
    """
    if len(fields) != 1 or len(fields[0]) > _LONGEST:
        return ""
    value = " ".join(strip_comments(fields[0]).split())
    found = _NAMED.fullmatch(value)
    name, address = found.groups() if found else ("", alone[1] if (alone := _ALONE.fullmatch(value)) else "")
    if len(address) > _LONGEST_ADDRESS or not address.isascii() or not address.isprintable() or "=?" in address:
        return ""
    if "@" in name and name.strip(" '").lower() != address.lower():
        return ""
    return "" if ":" in name and ";" in name else address.lower()
