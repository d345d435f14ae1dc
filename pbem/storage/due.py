"""Due things: actions scheduled for a time, which can be postponed or cancelled."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import and_, bindparam, case, func, not_, or_, select, update

from pbem.errors import DamagedRow
from pbem.storage.gateway import Gateway, insert_on
from pbem.storage.statement import Statement
from pbem.storage.tables import CLOCK, CONTEST, DUE, INBOUND, INVITATION, MATCH, PLAYER, SEAT_OFFER

FIRST_ROLLS = "first_rolls"
"""The first rolls of a match are made, even if some players have not answered; the subject is the match number."""

CLOCK_DUE = "clock"
"""The time of whoever is to act in a match may be over; the subject is the match number."""

VOTE_DUE = "vote"
"""Votes on the move of the seat to act count no longer; the subject is the match number. Until it is done, they do."""

REMINDER_DUE = "reminder"
"""A player may have to be reminded of their turns; the subject is the number of the player."""

FORGETTING_DUE = "forgetting"
"""A player has asked to be forgotten, and has confirmed it; the subject is the number of the player."""

LEFTOVERS_DUE = "leftovers"
"""Emails to others were queued when somebody was forgotten, whom they name; the subject is 0: they are one thing."""

RESTORED_DUE = "restored"
"""A backup was restored, and the players are told how their match stands again; the subject is the match number."""

INVITATION_DUE = "invitation"
"""An invitation can be accepted no longer; the subject is its number."""

OPENING_DUE = "opening"
"""Everybody has agreed on a match, which is to be opened; the subject is the number of the invitation."""

UNSEND_DUE = "unsend"
"""A message with a move was held, and is to be carried out; the subject is its number."""

EXPORT_DUE = "export"
"""A player is to be sent a copy of all that is kept of them; the subject is the number of the player."""

DIGEST_DUE = "digest"
"""A player is to be sent the boards that wait for them, in one email; the subject is the number of the player."""

SEAT_DUE = "seat"
"""A seat passes to whom it was offered, or back at once; the subject is the number of the offer."""

SEAT_BACK_DUE = "seat_back"
"""The day has come until which somebody stands in, and their seat passes back; the subject is the number of the offer.
"""

ROBOT_DUE = "robot"
"""A robot is to think about its move, since this time; the subject is the match number. It is no thing of a moment:
nobody does it on the way of others."""

REVIEW_DUE = "review"
"""A player is to be told which of their moves cost most; the subject is the number of the message that asked for it.
It is no thing of a moment, either."""

AFTERTHOUGHTS_DUE = "afterthoughts"
"""The players of a match are told what others of them wrote under its moves; the subject is the match number."""

LADDER_DUE = "ladder"
"""Somebody may have played no match of a ladder for so long that they sink; the subject is its number."""

NEEDS_DUE = "needs"
"""The operator may have to be told of what needs a person; there is one list, and one subject."""

RATINGS_DUE = "ratings"
"""A month may be over whose ratings are to be reckoned, or reckoned anew; the subject is 0: they are one thing."""

LEAGUE_DUE = "league"
"""A season of a league is to begin, or may be over; the subject is the number of the contest."""

LETTERS_DUE = "letters"
"""Somebody may be to get the Sunday letter; the subject is 0: all letters are one thing."""

SWING_DUE = "swing"
"""A robot is to look back at the week of a contest, whose number is the subject. It is no thing of a moment, either."""

ASKED = (OPENING_DUE, SEAT_DUE, FORGETTING_DUE, LEFTOVERS_DUE, EXPORT_DUE, ROBOT_DUE, REVIEW_DUE, SWING_DUE)
"""Kinds of what somebody has asked for: it is due at once."""

_THOUGHTS = (ROBOT_DUE, REVIEW_DUE, SWING_DUE)
_OF_MATCHES = (FIRST_ROLLS, CLOCK_DUE, VOTE_DUE, RESTORED_DUE, ROBOT_DUE, AFTERTHOUGHTS_DUE)
_OF_PLAYERS = (REMINDER_DUE, FORGETTING_DUE, EXPORT_DUE, DIGEST_DUE)
_OF_INVITATIONS = (INVITATION_DUE, OPENING_DUE)
_OF_OFFERS = (SEAT_DUE, SEAT_BACK_DUE)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class DueThing:
    """A due thing: its ``kind``, and the number of its subject.

    It is due ``at`` a moment: a date, or the end of a time that counts from ``since`` on.
    """

    kind: str
    subject: int
    at: datetime = field(default=_LONG_AGO, compare=False)
    since: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True)
class FailedThing(DueThing):
    """A due thing that failed when it was last tried: when (UTC), and why."""

    failed_at: datetime
    error: str


class DueThings(Gateway):
    """The gateway to due things; a kind and a subject have one due time at most."""

    def schedule(self, kind: str, subject: int, at: datetime, *, since: datetime | None = None) -> None:
        """Schedule a due thing for a time (UTC), which replaces any earlier schedule.

        ``since``: it is the end of a time that counts from then on, and only while the service works.
        """
        row = {"kind": kind, "subject": subject, "due_at": at, "done": False, "since": since}
        self._write(self._scheduling(latest=True), **row, **_NO_FAILURE)

    def hasten(self, kind: str, subject: int, at: datetime) -> None:
        """Schedule a due thing for a time (UTC), unless it is scheduled for an earlier one."""
        row = {"kind": kind, "subject": subject, "due_at": at, "done": False, "since": None}
        self._write(self._scheduling(latest=False), **row, **_NO_FAILURE)

    def note_failure(self, kind: str, subject: int, error: str, now: datetime, again: datetime) -> bool:
        """Store why a scheduled thing failed, and when it is due again; return whether it had not failed before.

        What is done, or scheduled anew, has not failed.
        """
        row = self._row(_FAILED_AT, the_kind=kind, the_subject=subject)
        failure = {"due_at": again, "failed_at": now, "error": error}
        return self._write(_CHANGE, the_kind=kind, the_subject=subject, **failure) and row == (None,)

    def failed(self, most: int) -> list[FailedThing]:
        """Return what failed when it was last tried and is yet to be done, at most so many, the latest first."""
        rows = self._rows(_FAILED.limit(most))
        return [FailedThing(kind, subject, failed_at=at, error=error) for kind, subject, at, error in rows]

    def hasten_clocks(self, now: datetime, again: datetime) -> None:
        """Let every clock, and all reminders, be looked at ``now``, however late they are scheduled for.

        Where somebody's time is over, the others are asked ``again`` by then, and not sooner than they would be.
        """
        flagged = select(CLOCK.c.match_id).where(CLOCK.c.halted == "flagged")
        latest = case((and_(DUE.c.kind == CLOCK_DUE, DUE.c.subject.in_(flagged)), again), else_=now)
        late = DUE.c.kind.in_((CLOCK_DUE, REMINDER_DUE)), DUE.c.done.is_(False), DUE.c.due_at > latest
        self._set(DUE, *late, due_at=latest)

    def hasten_all(self, kinds: Collection[str], at: datetime) -> None:
        """Let what is scheduled of some kinds be due ``at`` a moment, and no later."""
        self._set(DUE, DUE.c.kind.in_(kinds), DUE.c.done.is_(False), DUE.c.due_at > at, due_at=at)

    def waiting_after(self, kind: str, moment: datetime) -> list[int]:
        """Return the subjects of the things of a kind that are due after a moment."""
        later = DUE.c.kind == kind, DUE.c.done.is_(False), DUE.c.due_at > moment
        return [subject for (subject,) in self._rows(select(DUE.c.subject).where(*later))]

    def restart(self, now: datetime) -> None:
        """Let what was left of every time that counts only from a moment after ``now`` on be left from now on."""
        ahead = self._rows(_ITSELF.where(DUE.c.done.is_(False), DUE.c.since > now))
        for kind, subject, at, since in ahead:
            self.schedule(kind, subject, now + (at - since), since=now)

    def cancel(self, kind: str, subject: int) -> None:
        """Take a due thing off the schedule, as done or needless; its time stays known."""
        self._write(_CHANGE, the_kind=kind, the_subject=subject, done=True, **_NO_FAILURE)

    def is_scheduled(self, kind: str, subject: int) -> bool:
        """Return whether a thing is yet to be done."""
        return self._row(_SCHEDULED, the_kind=kind, the_subject=subject) is not None

    def is_due(self, thing: DueThing, now: datetime) -> bool:
        """Return whether a thing is still due: another process may have done it, or put it off."""
        row = self._row(_SCHEDULED, the_kind=thing.kind, the_subject=thing.subject)
        return row is not None and row[0] <= now

    def waiting_longest(self, kind: str, now: datetime) -> int | None:
        """Return the subject of the thing of a kind that has been due for the longest time."""
        found = self._rows(_WAITING.where(DUE.c.kind == kind, DUE.c.due_at <= now).limit(1))
        return found[0][0] if found and isinstance(found[0][0], int) else None

    def count_reviews(self, senders: Collection[str], since: datetime) -> int:
        """Return how many reviews have been asked for from some addresses since then, made or not."""
        theirs = select(INBOUND.c.id).where(INBOUND.c.sender.in_(sorted(senders)))
        asked = DUE.c.kind == REVIEW_DUE, DUE.c.due_at > since, DUE.c.subject.in_(theirs)
        return int(self._value(select(func.count()).select_from(DUE).where(*asked)))

    def by(self, now: datetime) -> list[DueThing]:
        """Return everything that is due by ``now``, earliest first, but for thoughts of robots.

        What is no due thing at all is passed over.
        """
        try:
            rows: Sequence[Any] = self._rows(_DUE_BY, now=now)
        except DamagedRow:  # a kind, a number or a time that cannot be read
            rows = self._rows(_BY.with_only_columns(DUE.c.kind, DUE.c.subject).where(_KNOWN), now=now)
        return [DueThing(*row) for row in rows if isinstance(row[0], str) and isinstance(row[1], int)]

    def _scheduling(self, *, latest: bool) -> Statement:
        """Return the statement that schedules a due thing; ``latest``: also for a later time than it is scheduled."""
        return _schedule(self._connection.dialect.name, latest)

    def count_damaged(self) -> int:
        """Return how many rows are not done, and can never be: of an unknown kind, or of a match that is not there."""
        return int(self._value(_COUNT_DAMAGED))


_THIS = DUE.c.kind == bindparam("the_kind"), DUE.c.subject == bindparam("the_subject")
_CHANGE = Statement(update(DUE).where(*_THIS))
_NO_FAILURE: Mapping[str, Any] = {"failed_at": None, "error": ""}
_FAILED_AT = select(DUE.c.failed_at).where(*_THIS)
_FAILED = (
    select(DUE.c.kind, DUE.c.subject, DUE.c.failed_at, DUE.c.error)
    .where(DUE.c.done.is_(False), DUE.c.failed_at.is_not(None))
    .order_by(DUE.c.failed_at.desc(), DUE.c.kind, DUE.c.subject)
)
_SCHEDULED = select(DUE.c.due_at).where(*_THIS, DUE.c.done.is_(False))
_KNOWN = or_(
    DUE.c.kind == NEEDS_DUE,
    and_(DUE.c.kind.in_(_OF_MATCHES), DUE.c.subject.in_(select(MATCH.c.id))),
    and_(DUE.c.kind.in_((LEFTOVERS_DUE, RATINGS_DUE, LETTERS_DUE)), DUE.c.subject == 0),
    and_(DUE.c.kind.in_(_OF_OFFERS), DUE.c.subject.in_(select(SEAT_OFFER.c.id))),
    and_(DUE.c.kind.in_(_OF_PLAYERS), DUE.c.subject.in_(select(PLAYER.c.id))),
    and_(DUE.c.kind.in_(_OF_INVITATIONS), DUE.c.subject.in_(select(INVITATION.c.id))),
    and_(DUE.c.kind.in_((LADDER_DUE, LEAGUE_DUE, SWING_DUE)), DUE.c.subject.in_(select(CONTEST.c.id))),
    and_(DUE.c.kind.in_((UNSEND_DUE, REVIEW_DUE)), DUE.c.subject.in_(select(INBOUND.c.id))),
)
_ITSELF = select(DUE.c.kind, DUE.c.subject, DUE.c.due_at, DUE.c.since)
_BY = _ITSELF.where(
    DUE.c.done.is_(False), DUE.c.due_at <= bindparam("now"), *(DUE.c.kind != thought for thought in _THOUGHTS)
).order_by(DUE.c.due_at, DUE.c.kind, DUE.c.subject)
_WAITING = select(DUE.c.subject).where(DUE.c.done.is_(False)).order_by(DUE.c.due_at, DUE.c.subject)
_DUE_BY = Statement(_BY)
_COUNT_DAMAGED = select(func.count()).select_from(DUE).where(DUE.c.done.is_not(True), not_(_KNOWN))


@cache
def _schedule(dialect: str, latest: bool) -> Statement:
    """Return the statement that adds a due thing, or moves it to another time; unless ``latest``, to an earlier one."""
    insert = insert_on(dialect, DUE)
    given = insert.excluded.due_at
    sooner = case((or_(DUE.c.done, DUE.c.due_at > given), given), else_=DUE.c.due_at)
    since = insert.excluded.since
    changed = {"due_at": given if latest else sooner, "done": False, "since": since, **_NO_FAILURE}
    return Statement(insert.on_conflict_do_update(index_elements=[DUE.c.kind, DUE.c.subject], set_=changed))
