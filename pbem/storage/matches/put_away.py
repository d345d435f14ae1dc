"""Which matches are put away, since nobody wrote in them for so long, and which are about to be."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, func, or_, select

from pbem.storage.gateway import Gateway
from pbem.storage.tables import CLOCK, COMMENT, INBOUND, MATCH, MATCH_LOG

_ACTS = ("put_away", "taken_up")
_LATEST = (
    select(MATCH_LOG.c.match_id, func.max(MATCH_LOG.c.id).label("latest"))
    .where(MATCH_LOG.c.kind.in_(_ACTS))
    .group_by(MATCH_LOG.c.match_id)
)


class PutAway(Gateway):
    """The gateway to matches that are put away: their logs say so, until one of their players takes them up."""

    def among(self, numbers: Collection[int]) -> frozenset[int]:
        """Return those of the matches with these numbers that are put away."""
        if not numbers:
            return frozenset()
        latest = _LATEST.where(MATCH_LOG.c.match_id.in_(numbers)).subquery()
        query = select(latest.c.match_id).join(MATCH_LOG, MATCH_LOG.c.id == latest.c.latest)
        return frozenset(number for (number,) in self._rows(query.where(MATCH_LOG.c.kind == "put_away")))

    def find_quiet(self, clocked_since: datetime, unclocked_since: datetime, most: int) -> list[int]:
        """Return running matches in which nobody has written since then, and that are not put away; at most so many.

        With a clock: since when it has been flagged, too. Without one: since when nothing has changed.
        """
        flagged = and_(CLOCK.c.halted == "flagged", CLOCK.c.flagged_at < clocked_since, ~_heard_of(clocked_since))
        unclocked = and_(CLOCK.c.match_id.is_(None), MATCH.c.changed_at < unclocked_since)
        latest = _LATEST.subquery()
        away = (
            select(latest.c.match_id)
            .join(MATCH_LOG, MATCH_LOG.c.id == latest.c.latest)
            .where(MATCH_LOG.c.kind == "put_away")
        )
        query = (
            select(MATCH.c.id)
            .outerjoin_from(MATCH, CLOCK, CLOCK.c.match_id == MATCH.c.id)
            .where(MATCH.c.over_at.is_(None), MATCH.c.id.not_in(away))
            .where(or_(flagged, and_(unclocked, ~_heard_of(unclocked_since))))
        )
        return [number for (number,) in self._rows(query.order_by(MATCH.c.id).limit(most))]


def _heard_of(since: datetime) -> ColumnElement[bool]:
    """Return the condition that a message in a match was accepted since then, or that words were said in it."""
    written = exists().where(
        INBOUND.c.match_id == MATCH.c.id, INBOUND.c.status == "accepted", INBOUND.c.received_at > since
    )
    said = exists().where(COMMENT.c.match_id == MATCH.c.id, COMMENT.c.made_at > since)
    return or_(written, said)
