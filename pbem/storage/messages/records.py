"""Inbound and outbound messages as they are stored, without their bytes; dispositions, bounce counts and turns."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from pbem.match.time.clock import Clock
from rules.game import Game
from rules.position import Seat

_LARGEST = 2**31 - 1  # number that the databases have room for
_MOST_SEATS = 100
MANY_SOFT = 5
"""This many soft bounces in a row weigh as much as one hard bounce."""


PLAYERS, UNPROVEN = "players", ""
"""Shares of what all together may cause: of players who are proven to have written, and of whoever is not.

Each other one is a mark of a domain, whose people are proven to have written, and don't play here.
"""


@dataclass(frozen=True)
class InboundRecord:
    """A stored inbound message; ``status`` is received, accepted, rejected, discarded or failed.

    ``kept``: its bytes are still there; ``whole``: they are all of it, not only its beginning, or its head.
    """

    id: int
    identity: str
    status: str
    reason: str
    detail: str
    sender: str | None
    subject: str
    match: int | None
    seat: Seat | None
    commands: tuple[str, ...]
    received_at: datetime
    settled_at: datetime | None
    code: str
    kept: bool = True
    whole: bool = True

    @property
    def is_complete(self) -> bool:
        """Whether all that came in is still there."""
        return self.kept and self.whole


@dataclass(frozen=True)
class Locked:
    """An inbound message that this transaction alone processes.

    Every delivery of it shares its ``identity``; ``whole``: its bytes are all of it, not only its beginning.
    ``size`` is their length as they are stored.
    """

    number: int
    identity: str
    whole: bool
    size: int


@dataclass(frozen=True)
class WorkerRecord:
    """A worker: since when it works, when it was last seen, and how many messages it has processed."""

    name: str
    started_at: datetime
    seen_at: datetime
    processed: int


Status = Literal["accepted", "rejected", "discarded", "failed"]


@dataclass(frozen=True)
class Disposition:
    """How a message ended, and for which match and seat; ``code`` is the precise reason.

    ``ply`` is that of the email which it answers; it is not stored. ``share`` is that of its sender.
    """

    status: Status
    reason: str = ""
    detail: str = ""
    match: int | None = None
    seat: Seat | None = None
    commands: tuple[str, ...] = ()
    code: str = ""
    ply: int | None = None
    share: str = UNPROVEN


@dataclass(frozen=True)
class Ended:
    """How many messages to a seat ended badly, and of the latest its code, its number, and when it came (UTC)."""

    match: int
    seat: Seat
    code: str
    latest: int
    last: datetime
    count: int


@dataclass(frozen=True)
class OutboundRecord:
    """A stored outbound message; ``status`` is queued, sent or refused. ``kept``: its bytes stay when it is sent."""

    id: int
    message_id: str
    kind: str
    recipient: str
    subject: str
    status: str
    attempts: int
    error: str
    match: int | None
    seat: Seat | None
    inbound: int | None
    created_at: datetime
    due_at: datetime
    sent_at: datetime | None
    kept: bool = True

    @property
    def has_bytes(self) -> bool:
        """Whether its bytes are still there."""
        return self.kept or self.status == "queued"


_Record = TypeVar("_Record", InboundRecord, OutboundRecord)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a player whose clock runs: after ``ply`` entries of a match, of which ``moves`` are of its seats.

    At ``changed_at`` (UTC) the ``clock`` last changed.
    """

    player: int
    match: int
    game: Game
    ply: int
    moves: int
    changed_at: datetime
    clock: Clock


@dataclass(frozen=True)
class DamagedRecord:
    """An inbound or outbound message whose row holds what pbem never writes."""

    id: int


def sound_records(rows: Iterable[Any], read: Callable[[Any], _Record]) -> list[_Record | DamagedRecord]:
    """Return the record of each row, which is a number where it cannot be read; what isn't sound is damaged."""
    records = ((row, None if isinstance(row, int) else read(row)) for row in rows)
    return [
        record if record and is_sound(record) else DamagedRecord(row if isinstance(row, int) else row[0])
        for row, record in records
    ]


def is_sound(record: InboundRecord | OutboundRecord) -> bool:
    """Return whether every value of a record is one that pbem may have written."""
    kinds = _kinds(type(record).__name__)
    if any(type(getattr(record, name)) not in kind for name, kind in kinds.items()):
        return False
    numbers = (record.id, record.match, record.inbound if isinstance(record, OutboundRecord) else None)
    fits = all(number is None or 0 < number <= _LARGEST for number in numbers)
    return fits and (record.seat is None or 0 <= record.seat < _MOST_SEATS)


@cache
def _kinds(name: str) -> dict[str, tuple[type, ...]]:
    """Return the types that a value of each field of a record may have, by the name of its class."""
    hints = get_type_hints({"InboundRecord": InboundRecord, "OutboundRecord": OutboundRecord}[name])
    return {key: (tuple,) if get_origin(hint) is tuple else get_args(hint) or (hint,) for key, hint in hints.items()}


@dataclass(frozen=True)
class BouncingAddress:
    """The bounces of a player's address since a message last came from it; ``last`` is the latest, in UTC."""

    email: str
    player: int
    soft: int
    hard: int
    last: datetime

    @property
    def unreachable(self) -> bool:
        """Whether notices are unlikely to reach this address."""
        return self.hard > 0 or self.soft >= MANY_SOFT

    @property
    def times(self) -> str:
        """The number of bounces in words: ``once``, ``3 times``."""
        count = self.soft + self.hard
        return "once" if count == 1 else f"{count} times"
