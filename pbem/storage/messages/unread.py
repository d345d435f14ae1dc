"""The messages that a mail server lists and doesn't hand out: with the cursors, the ledger of a mailbox."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, select

from pbem.storage.gateway import Gateway, column_values, select_records
from pbem.storage.statement import Statement
from pbem.storage.tables import UNREAD


@dataclass(frozen=True, slots=True)
class UnreadRecord:
    """A message that isn't handed out, and ``why``; it arrived after ``since``.

    It was noted at ``noted_at``, and last asked for by itself at ``tried_at``; None: it has yet to be.
    """

    mailbox: str
    uid: int
    since: datetime
    noted_at: datetime
    tried_at: datetime | None
    why: str


_ALL = Statement(
    select_records(UNREAD, UnreadRecord).order_by(UNREAD.c.tried_at.is_not(None), UNREAD.c.tried_at, UNREAD.c.uid)
)
_FIRST = Statement(select(func.min(UNREAD.c.since)).where(UNREAD.c.noted_at > bindparam("noted_after")))


class UnreadMessages(Gateway):
    """The gateway to unread messages."""

    def all(self, mailbox: str | None = None) -> list[UnreadRecord]:
        """Return those of a mailbox, or of all, in the order in which they are to be tried."""
        found = [UnreadRecord(*row) for row in self._rows(_ALL)]
        return [one for one in found if mailbox in (None, one.mailbox)]

    def first_since(self, noted_after: datetime) -> datetime | None:
        """Return since when the first may have arrived, of those noted after a moment; None where there is none."""
        row = self._row(_FIRST, noted_after=noted_after)
        return row[0] if row else None

    def add(self, found: UnreadRecord) -> None:
        """Note a message."""
        self._write(UNREAD.insert(), **column_values(found))

    def try_again(self, mailbox: str, uid: int, why: str, now: datetime) -> bool:
        """Note that a message was asked for again; return False for one that was given up meanwhile."""
        return self._set(UNREAD, UNREAD.c.mailbox == mailbox, UNREAD.c.uid == uid, tried_at=now, why=why)

    def settle(self, mailbox: str, uids: Collection[int]) -> None:
        """Forget messages of a mailbox that were handed out, or are gone."""
        self._write(UNREAD.delete().where(UNREAD.c.mailbox == mailbox, UNREAD.c.uid.in_(uids)))

    def drop_all(self, mailbox: str) -> None:
        """Forget all of a mailbox, whose UIDs are others now."""
        self._write(UNREAD.delete().where(UNREAD.c.mailbox == mailbox))

    def end_by(self, now: datetime) -> None:
        """Let no moment lie in the future."""
        for column in (UNREAD.c.since, UNREAD.c.noted_at, UNREAD.c.tried_at):
            self._set(UNREAD, column > now, **{column.name: now})

    def drop(self, uid: int) -> bool:
        """Let nobody wait for the message with this UID any more; return False where none was noted."""
        return self._write(UNREAD.delete().where(UNREAD.c.uid == uid))
