"""A question of ours: who was asked for what by which email, and what became of it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from rules.position import Seat

QuestionState = Literal["open", "yes", "no", "withdrawn"]
"""How it stands: nobody has answered, its reader has, or there is nothing to answer any more."""


_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a ``kind`` to the reader of ``email``; what it is ``about`` is written as JSON has it.

    ``player`` is who is asked; None where it is whoever reads that mailbox. ``asker`` is the player for whose sake it
    is asked, if there is one. ``match`` and ``seat`` are where it belongs, ``inbound`` is the message that waits for
    the answer, or that led to it. ``id`` is 0 before it is asked.
    """

    kind: str
    email: str
    about: Mapping[str, Any] = field(default_factory=dict)
    player: int | None = None
    asker: int | None = None
    match: int | None = None
    seat: Seat | None = None
    inbound: int | None = None
    state: QuestionState = "open"
    asked_at: datetime = _NEVER
    id: int = 0

    def stamp(self, generation: int) -> str:
        """Return what its token covers: ``generation`` counts how often the player has revoked theirs.

        Numbers come again where a backup is restored, times do not.
        """
        return f"{self.id} {self.email.lower()} {generation} {self.asked_at.isoformat()}"
