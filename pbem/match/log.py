"""What happens to a match beside its entries: the log. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from rules.position import Seat

LogKind = Literal[
    "given",
    "pause_proposed",
    "pause_withdrawn",
    "pause_end_proposed",
    "paused",
    "pause_ended",
    "absent",
    "back",
    "automatic_day",
    "flagged",
    "claimed",
    "bounced",
    "unsubscribed",
    "time_control",
    "extended",
    "adjudicated",
    "voided",
    "reinstated",
    "rewound",
    "restored",
    "replaced",
    "stayed",
    "draw_offered",
    "draw_declined",
    "draw_withdrawn",
    "draw_agreed",
    "undo_asked",
    "undo_declined",
    "undo_withdrawn",
    "renamed",
    "merged",
    "put_away",
    "taken_up",
    "seconded",
    "voted",
]
"""What can happen; the words stand in databases, and never change.

``renamed`` and ``merged`` are for the operator alone: whoever changes their name does not want to read the one before
everywhere.
"""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One thing that happened when the record had ``ply`` entries, by ``seat``; None for the service or the operator.

    ``arguments`` are plain JSON values, times in ISO 8601 (UTC).
    """

    kind: LogKind
    seat: Seat | None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    ply: int = 0
    at: datetime | None = None


def read_moment(arguments: Mapping[str, object], name: str) -> datetime | None:
    """Return a moment in the arguments of an entry; None where there is none."""
    try:
        found = datetime.fromisoformat(str(arguments.get(name)))
    except ValueError:
        return None
    return found if found.tzinfo else None
