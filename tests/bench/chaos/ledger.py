"""The ledger: what players wrote and got, beside what the database holds, in a season with faults and in one without.

It is pure: it compares what it is given, and says in a sentence whatever does not balance.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.bench.chaos.players import Arrived

_DISPOSITIONS = frozenset({"accepted", "rejected", "discarded", "failed"})


@dataclass(frozen=True)
class InboundRow:
    """An inbound message in the database: its Message-ID, and how it ended."""

    message_id: str
    status: str
    reason: str = ""


@dataclass(frozen=True)
class EntryRow:
    """An entry that a player made: its match and ply, and the Message-ID of the message that made it."""

    match: int
    ply: int
    message_id: str | None


@dataclass(frozen=True)
class Books:
    """What a season left behind.

    ``written``: the Message-IDs of all messages of players, each once. ``arrived``: all emails at players, repeats too,
    in their order. ``records``: the canonical record of each match. ``comments``: seat and text of each comment, by
    match, in order. ``outbound``: the status of each email by its Message-ID.
    """

    written: tuple[str, ...]
    arrived: tuple[Arrived, ...]
    inbound: tuple[InboundRow, ...]
    entries: tuple[EntryRow, ...]
    records: Mapping[int, str]
    comments: Mapping[int, tuple[tuple[int, str], ...]]
    outbound: Mapping[str, str]


@dataclass(frozen=True)
class Span:
    """A fault, from when to when (seconds, by the clock of ``Arrived.at``)."""

    began: float
    ended: float


@dataclass(frozen=True)
class Repeat:
    """An email that came to a player once more: its Message-ID, and between which times it came."""

    message_id: str
    earlier: float
    later: float


def audit(books: Books, undisturbed: Books, faults: Sequence[Span], *, kills: int) -> list[str]:
    """Return what does not balance; nothing where every message is in exactly one place.

    ``faults`` are those after which an email may come once more, ``kills`` how many emails may, all together.
    """
    return [
        *_check_inbound(books, undisturbed),
        *_check_matches(books, undisturbed),
        *_check_outbound(books, undisturbed),
        *_check_repeats(books, faults, kills),
    ]


def find_repeats(arrived: Sequence[Arrived]) -> list[Repeat]:
    """Return every copy of an email but the first, in the order in which they came."""
    last: dict[str, float] = {}
    repeats = []
    for email in arrived:
        if email.message_id in last:
            repeats.append(Repeat(email.message_id, last[email.message_id], email.at))
        last[email.message_id] = email.at
    return repeats


def _check_inbound(books: Books, undisturbed: Books) -> Iterator[str]:
    """Say which messages of players were lost, kept twice, made up, left lying, or ended otherwise."""
    rows: dict[str, list[InboundRow]] = defaultdict(list)
    for row in books.inbound:
        rows[row.message_id].append(row)
    written = Counter(books.written)
    yield from (f"{name} was written {count} times" for name, count in written.items() if count > 1)
    yield from (f"inbound {name} is lost" for name in written if name not in rows)
    yield from (f"inbound {name} was written by nobody" for name in rows if name not in written)
    expected = {row.message_id: (row.status, row.reason) for row in undisturbed.inbound}
    for name, found in rows.items():
        if len(found) > 1:
            yield f"inbound {name} is there {len(found)} times"
        ends = {(row.status, row.reason) for row in found}
        if any(status not in _DISPOSITIONS for status, _ in ends):
            yield f"inbound {name} has no disposition: {sorted(ends)}"
        elif ends != {expected.get(name)}:
            yield f"inbound {name} ended as {sorted(ends)}, undisturbed as {expected.get(name)}"
    yield from _missing(written, undisturbed.written, "a message", "was written in the undisturbed season alone")


def _check_matches(books: Books, undisturbed: Books) -> Iterator[str]:
    """Say which matches went otherwise, and which messages made more than one move."""
    for number in sorted(books.records.keys() | undisturbed.records.keys()):
        if books.records.get(number) != undisturbed.records.get(number):
            yield f"match {number} has another record than undisturbed"
        if books.comments.get(number, ()) != undisturbed.comments.get(number, ()):
            yield f"match {number} has other comments than undisturbed"
    made = Counter((entry.match, entry.message_id) for entry in books.entries)
    usual = Counter((entry.match, entry.message_id) for entry in undisturbed.entries)
    yield from (
        f"{name} made {count} entries in match {match}"
        for (match, name), count in made.items()
        if count != usual[match, name]
    )


def _check_outbound(books: Books, undisturbed: Books) -> Iterator[str]:
    """Say which emails wait, were refused, never came, came from nowhere, or exist in one of the seasons alone."""
    yield from (f"outbound {name} is {status}, not sent" for name, status in books.outbound.items() if status != "sent")
    came = {email.message_id for email in books.arrived}
    yield from _missing(came, books.outbound, "outbound", "never came")
    yield from _missing(books.outbound, came, "an email", "came that is not in the database:")
    yield from _missing(books.outbound, undisturbed.outbound, "outbound", "was sent undisturbed alone")
    yield from _missing(undisturbed.outbound, books.outbound, "outbound", "was not sent undisturbed")


def _check_repeats(books: Books, faults: Sequence[Span], kills: int) -> Iterator[str]:
    """Say which emails came once more without a fault in between, and whether it were too many."""
    repeats = find_repeats(books.arrived)
    if len(repeats) > kills:
        yield f"{len(repeats)} emails came once more, with {kills} kills"
    ends = sorted(fault.ended for fault in faults)
    begins = sorted(fault.began for fault in faults)
    for repeat in repeats:
        # A fault that ended before the first copy came, or began after the second, is no reason.
        over, begun = bisect_left(ends, repeat.earlier), bisect_left(begins, repeat.later)
        if begun <= over:
            yield f"outbound {repeat.message_id} came once more, with no fault in between"


def _missing(there: Collection[str], wanted: Collection[str], what: str, why: str) -> Iterator[str]:
    """Say what is wanted and not there."""
    known = set(there)
    for name in wanted:
        if name not in known:
            yield f"{what} {why} {name}" if why.endswith(":") else f"{what} {name} {why}"
