"""Due things: actions scheduled for a time, which can be postponed or cancelled."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, or_, select, update

from pbem.errors import DamagedRow
from pbem.storage.gateway import Gateway
from pbem.storage.tables import DUE, MATCH

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
        if not self._write(_CHANGE, the_kind=kind, the_subject=subject, due_at=at, done=False):
            self._write(DUE.insert(), kind=kind, subject=subject, due_at=at, done=False)

    def postpone(self, kind: str, subject: int, until: datetime) -> None:
        """Move a scheduled thing to another time (UTC)."""
        self._write(_CHANGE, the_kind=kind, the_subject=subject, due_at=until)

    def cancel(self, kind: str, subject: int) -> None:
        """Take a due thing off the schedule, as done or needless; its time stays known."""
        self._write(_CHANGE, the_kind=kind, the_subject=subject, done=True)

    def by(self, now: datetime) -> list[DueThing]:
        """Return everything that is due by ``now``, earliest first; what is no due thing at all is passed over."""
        try:
            rows = self._rows(_BY, now=now)
        except DamagedRow:  # a kind or a number that cannot be read
            known = DUE.c.kind == FIRST_ROLLS, DUE.c.subject.in_(select(MATCH.c.id))
            rows = self._rows(_BY.where(*known), now=now)
        return [DueThing(*row) for row in rows if isinstance(row[0], str) and isinstance(row[1], int)]

    def count_damaged(self) -> int:
        """Return how many rows are not done, and can never be: of an unknown kind, or of a match that is not there."""
        return int(self._value(_COUNT_DAMAGED))


_CHANGE = update(DUE).where(DUE.c.kind == bindparam("the_kind"), DUE.c.subject == bindparam("the_subject"))
_BY = (
    select(DUE.c.kind, DUE.c.subject)
    .where(DUE.c.done.is_(False), DUE.c.due_at <= bindparam("now"))
    .order_by(DUE.c.due_at)
)
_COUNT_DAMAGED = (
    select(func.count())
    .select_from(DUE.outerjoin(MATCH, MATCH.c.id == DUE.c.subject))
    .where(DUE.c.done.is_not(True), or_(DUE.c.kind != FIRST_ROLLS, MATCH.c.id.is_(None)))
)
