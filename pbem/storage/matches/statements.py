"""The statements that read matches: each built once, and the parts of a match in as few as can be."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Column, Select, and_, bindparam, case, func, select, union_all

from pbem.storage.due import FIRST_ROLLS
from pbem.storage.matches.clocks import CLOCK_COLUMNS
from pbem.storage.players import IS_WHOLE, PLAYER_COLUMNS
from pbem.storage.statement import Statement
from pbem.storage.tables import ADDRESS, CLOCK, COMMENT, DUE, ENTRY, MATCH, MATCH_LOG, OUTAGE, PLAYER, SEAT

_REPLACED = and_(
    MATCH_LOG.c.match_id == COMMENT.c.match_id,
    MATCH_LOG.c.kind == "replaced",
    MATCH_LOG.c.arguments["seat"].as_integer() == COMMENT.c.seat,
    MATCH_LOG.c.at >= COMMENT.c.made_at,
)
_FIRST_REPLACED = select(MATCH_LOG.c.arguments["before"].as_string()).where(_REPLACED).order_by(MATCH_LOG.c.id).limit(1)
_SECOND = select(PLAYER.c.name).where(PLAYER.c.id == COMMENT.c.second_id).correlate(COMMENT).scalar_subquery()
_BY = func.coalesce(_SECOND, _FIRST_REPLACED.correlate(COMMENT).scalar_subquery(), "")
_COMMENT = COMMENT.c.seat, COMMENT.c.ply, COMMENT.c.text, COMMENT.c.to_side, _BY, COMMENT.c.second_id


class Reading(NamedTuple):
    """The statements that read matches, chosen by their numbers: each part in one statement."""

    matches: Select[Any] | Statement
    seats: Select[Any] | Statement
    entries: Select[Any] | Statement
    comments: Select[Any] | Statement


def _reading(choose: Callable[[Column[Any]], Any]) -> tuple[Select[Any], Select[Any], Select[Any], Select[Any]]:
    """Return the statements for the matches whose numbers meet the condition that ``choose`` makes of a column."""
    rolls_due = and_(DUE.c.subject == MATCH.c.id, DUE.c.kind == FIRST_ROLLS)
    of_opening = MATCH.c.id, MATCH.c.game, MATCH.c.seats, MATCH.c.options
    ruled = MATCH.c.ruling, MATCH.c.rewound, MATCH.c.private, MATCH.c.nonce, MATCH.c.agreements
    of_players = MATCH.c.robots, MATCH.c.team_told, MATCH.c.rated, MATCH.c.seconded
    of_match = *of_opening, MATCH.c.opened_at, MATCH.c.secret, DUE.c.due_at, *ruled, *of_players
    interrupted = case((CLOCK.c.since < select(func.max(OUTAGE.c.end_at)).scalar_subquery(), CLOCK.c.since))
    of_seat = SEAT.c.match_id, SEAT.c.seat, SEAT.c.salt, SEAT.c.plan, *PLAYER_COLUMNS
    of_entry = ENTRY.c.match_id, ENTRY.c.ply, ENTRY.c.seat, ENTRY.c.text, ENTRY.c.made_at
    of_comment = COMMENT.c.match_id, *_COMMENT
    players = SEAT.join(PLAYER).outerjoin(ADDRESS, ADDRESS.c.player_id == PLAYER.c.id)
    return (
        select(*of_match, *CLOCK_COLUMNS, interrupted)
        .outerjoin_from(MATCH, DUE, rolls_due)
        .outerjoin(CLOCK, CLOCK.c.match_id == MATCH.c.id)
        .where(choose(MATCH.c.id))
        .order_by(MATCH.c.id),
        select(*of_seat)
        .select_from(players)
        .where(choose(SEAT.c.match_id), IS_WHOLE)
        .order_by(SEAT.c.match_id, SEAT.c.seat, ADDRESS.c.is_primary.desc()),
        select(*of_entry).where(choose(ENTRY.c.match_id)).order_by(ENTRY.c.match_id, ENTRY.c.ply),
        select(*of_comment).where(choose(COMMENT.c.match_id)).order_by(COMMENT.c.match_id, COMMENT.c.id),
    )


ONE = Reading(*map(Statement, _reading(lambda number: number == bindparam("number"))))
SOME = Reading(*_reading(lambda number: number.in_(bindparam("number", expanding=True))))
STANDINGS = _reading(lambda number: number.in_(bindparam("number", expanding=True)))[0].add_columns(MATCH.c.standing)
TOLD = select(MATCH.c.id, MATCH.c.standing, MATCH.c.over_at.is_(None))
LISTED = MATCH.c.private.is_(False)
"""Which matches lists of the archive have; no other statement says it."""
FINISHED = (
    select(MATCH.c.id).where(MATCH.c.over_at.is_not(None), LISTED).order_by(MATCH.c.over_at.desc(), MATCH.c.id.desc())
)
NONCE = Statement(select(MATCH.c.nonce).where(MATCH.c.id == bindparam("number")))
KNOWN = Statement(
    select(SEAT.c.match_id)
    .join(MATCH, MATCH.c.id == SEAT.c.match_id)
    .where(
        SEAT.c.player_id == bindparam("player"),
        SEAT.c.match_id != bindparam("number"),
        MATCH.c.game == bindparam("game"),
        MATCH.c.seats == bindparam("seats"),
    )
    .limit(1)
)
"""Another match of a game for so many in which a player has a seat."""
ENTRY_IDS = select(ENTRY.c.id).where(ENTRY.c.match_id == bindparam("number")).order_by(ENTRY.c.ply)
ONE_ENTRY = select(*ENTRY.c).where(ENTRY.c.id == bindparam("entry"))
SAID = select(*_COMMENT).order_by(COMMENT.c.id)
_SINCE = bindparam("moment", type_=MATCH.c.changed_at.type)
CHANGED = union_all(
    select(MATCH.c.id).where(MATCH.c.changed_at >= _SINCE),
    select(CLOCK.c.match_id).where(CLOCK.c.changed_at >= _SINCE),
    select(CLOCK.c.match_id).where(CLOCK.c.paused_until.between(_SINCE, bindparam("now", type_=_SINCE.type))),
    select(CLOCK.c.match_id)
    .join_from(SEAT, CLOCK, (CLOCK.c.match_id == SEAT.c.match_id) & (CLOCK.c.seat == SEAT.c.seat))
    # Joined, SQLite would begin with the seats of all matches.
    .where(SEAT.c.player_id.in_(select(PLAYER.c.id).where(PLAYER.c.changed_at >= _SINCE))),
)
