"""Due things: actions scheduled for a time, which can be postponed or cancelled."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, update
from sqlmodel import Session, col, select

from db import models

FIRST_ROLLS = "first_rolls"
"""The first rolls of a match are made, even if some players have not answered; the subject is the match number."""


@dataclass(frozen=True)
class DueThing:
    """A due thing: its ``kind``, and the number of its subject."""

    kind: str
    subject: int


class DueThings:
    """The gateway to due things; a kind and a subject have one due time at most."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def schedule(self, kind: str, subject: int, at: datetime) -> None:
        """Schedule a due thing for a time (UTC), which replaces any earlier schedule."""
        self._session.merge(models.Due(kind=kind, subject=subject, due_at=at))

    def postpone(self, kind: str, subject: int, until: datetime) -> None:
        """Move a scheduled thing to another time (UTC)."""
        self._session.execute(update(models.Due).where(*_select_row(kind, subject)).values(due_at=until))

    def cancel(self, kind: str, subject: int) -> None:
        """Remove a due thing from the schedule."""
        self._session.execute(delete(models.Due).where(*_select_row(kind, subject)))

    def by(self, now: datetime) -> list[DueThing]:
        """Return everything that is due by ``now``, earliest first."""
        dues = models.Due
        query = select(dues.kind, dues.subject).where(col(dues.due_at) <= now).order_by(col(dues.due_at))
        return [DueThing(kind, subject) for kind, subject in self._session.exec(query)]


def _select_row(kind: str, subject: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions that select one row."""
    return col(models.Due.kind) == kind, col(models.Due.subject) == subject
