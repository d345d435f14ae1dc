"""What a server answers to FETCH (RFC 3501, 7.4.2), which libraries take apart only where all goes well."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from email.utils import mktime_tz, parsedate_tz
from typing import NamedTuple

_UID = rb"\bUID (\d+)"
_RESPONSE = re.compile(rb"(?:\* )?\d+ FETCH \(")  # aioimaplib leaves the asterisk where a parenthesis is open
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"')
_STRING = re.compile(rb'\bBODY\[[^]]*\](?:<\d+>)? "((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_OLDEST, _NEWEST = 2, 6  # marks that are kept: who files mail away each day leaves the oldest where they are
_DATE = re.compile(rb'\bINTERNALDATE "([^"]*)"', re.IGNORECASE)


class Facts(NamedTuple):
    """What a server tells of a message beside its content: its size in bytes, and when it arrived (RFC 3501, 2.3)."""

    size: int
    arrived: str


def read_contents(lines: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield UID and content of each FETCH response in ``lines``, whichever comes first: a literal or a quoted string.

    A response with NIL in the place of the content has none.
    """
    uid: int | None = None
    content: bytes | None = None
    for line in lines:
        if isinstance(line, bytearray):
            content = bytes(line)
        else:
            if _RESPONSE.match(line):
                uid = content = None
            if b'"' in line:
                found = _STRING.search(line)
                content = re.sub(rb"\\(.)", rb"\1", found[1]) if found else content
                line = _QUOTED.sub(b"", line)
            uid = uid or find_number(_UID, line)
        if uid is not None and content is not None:
            yield uid, content
            uid = content = None


def read_facts(lines: Sequence[bytes]) -> Iterator[tuple[int, Facts]]:
    """Yield UID and facts of each FETCH response that has both a UID and a size."""
    for line in lines:
        uid, size = find_number(_UID, line), find_number(rb"\bRFC822\.SIZE (\d+)", line)
        if uid is not None and size is not None:
            found = _DATE.search(line)
            yield uid, Facts(size, found[1].decode("ascii", "replace") if found else "")


def add_marks(mark: str, uids: Iterable[int], facts: Mapping[int, Facts]) -> str:
    """Return what a mailbox is known by that was known by ``mark``, and has these messages too, the newest last.

    That is a few messages, each by its UID and the second of its arrival: some of them may be moved away. It leaves out
    those of which the server tells no such time; the zone in which it is told may change.
    """
    told = {uid: parsedate_tz(facts[uid].arrived) for uid in sorted(uids) if uid in facts}
    marks = [*mark.split(",")] * bool(mark) + [f"{uid} {mktime_tz(time)}" for uid, time in told.items() if time]
    return ",".join([*marks[:_OLDEST], *marks[_OLDEST:][-_NEWEST:]])


def differs(mark: str, facts: Mapping[int, Facts]) -> str:
    """Return what tells that a mailbox with these ``facts`` of the messages in ``mark`` is another one, in a word."""
    known = dict(one.split(" ") for one in mark.split(","))
    there = [uid for uid in facts if str(uid) in known]
    if any(now not in ("", f"{uid} {known[str(uid)]}") for uid in there for now in [add_marks("", [uid], facts)]):
        return "mark"
    return "" if there else "gone"


def marked_uids(mark: str) -> list[int]:
    """Return the UIDs of the messages that a mailbox is known by."""
    return [int(one.partition(" ")[0]) for one in mark.split(",") if one]


def find_number(pattern: bytes, text: bytes) -> int | None:
    """Return the first group of a pattern as a number, or None where nothing matches."""
    found = re.search(pattern, text)
    return int(found[1]) if found else None
