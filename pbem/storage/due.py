"""Due things: actions scheduled for a time, which can be postponed or cancelled."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select, update

from pbem.storage.gateway import Gateway
from pbem.storage.tables import DUE

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
        """Return everything that is due by ``now``, earliest first."""
        return [DueThing(kind, subject) for kind, subject in self._rows(_BY, now=now)]


_CHANGE = update(DUE).where(DUE.c.kind == bindparam("the_kind"), DUE.c.subject == bindparam("the_subject"))
_BY = (
    select(DUE.c.kind, DUE.c.subject)
    .where(DUE.c.done.is_(False), DUE.c.due_at <= bindparam("now"))
    .order_by(DUE.c.due_at)
)
