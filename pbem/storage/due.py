"""Due things: actions scheduled for a time, which can be postponed or cancelled."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from db.models import Due
from pbem.storage.gateway import Gateway

FIRST_ROLLS = "first_rolls"
"""The first rolls of a match are made, even if some players have not answered; the subject is the match number."""


@dataclass(frozen=True)
class DueThing:
    """A due thing: its ``kind``, and the number of its subject."""

    kind: str
    subject: int


class DueThings(Gateway):
    """The gateway to due things; a kind and a subject have one due time at most."""

    def schedule(self, kind: str, subject: int, at: datetime) -> None:
        """Schedule a due thing for a time (UTC), which replaces any earlier schedule."""
        self._session.merge(Due(kind=kind, subject=subject, due_at=at))

    def postpone(self, kind: str, subject: int, until: datetime) -> None:
        """Move a scheduled thing to another time (UTC)."""
        self._set(Due, Due.kind == kind, Due.subject == subject, due_at=until)

    def cancel(self, kind: str, subject: int) -> None:
        """Take a due thing off the schedule, as done or needless; its time stays known."""
        self._set(Due, Due.kind == kind, Due.subject == subject, done=True)

    def by(self, now: datetime) -> list[DueThing]:
        """Return everything that is due by ``now``, earliest first."""
        query = (
            select(Due.kind, Due.subject).where(col(Due.done).is_(False), Due.due_at <= now).order_by(col(Due.due_at))
        )
        return [DueThing(kind, subject) for kind, subject in self._session.exec(query)]
