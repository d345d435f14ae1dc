"""Things that are due: what is to happen at a time, unless something happens before."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, update
from sqlmodel import Session, col, select

from db import models

FIRST_ROLLS = "first_rolls"
"""A match makes its first rolls, whoever has not answered by then; the subject is its number."""


@dataclass(frozen=True)
class DueThing:
    """Something due: its ``kind``, and the number of what it is about."""

    kind: str
    subject: int


class Dues:
    """The gateway to things that are due."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def schedule(self, kind: str, subject: int, at: datetime) -> None:
        """Let something happen at that time (UTC), instead of any other time it had."""
        self._session.merge(models.Due(kind=kind, subject=subject, due_at=at))

    def postpone(self, kind: str, subject: int, until: datetime) -> None:
        """Let something scheduled happen later."""
        self._session.execute(update(models.Due).where(*_one(kind, subject)).values(due_at=until))

    def cancel(self, kind: str, subject: int) -> None:
        """Let something scheduled not happen."""
        self._session.execute(delete(models.Due).where(*_one(kind, subject)))

    def by(self, now: datetime) -> list[DueThing]:
        """Return what is due by now, longest first."""
        dues = models.Due
        query = select(dues.kind, dues.subject).where(col(dues.due_at) <= now).order_by(col(dues.due_at))
        return [DueThing(kind, subject) for kind, subject in self._session.exec(query)]


def _one(kind: str, subject: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions for one row."""
    return col(models.Due.kind) == kind, col(models.Due.subject) == subject
