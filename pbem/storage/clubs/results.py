"""Results of finished matches, and the ratings after each month that is closed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select

from pbem.clubs.glicko2 import Rating
from pbem.clubs.ratings import Mark, first_timeouts
from pbem.clubs.reliability import YEAR
from pbem.clubs.results import Part, Result
from pbem.storage.gateway import Gateway, batched
from pbem.storage.statement import Statement
from pbem.storage.tables import RATING, RESULT

_WHOLE = (
    *(RESULT.c.match_id, RESULT.c.game, RESULT.c.at, RESULT.c.rated, RESULT.c.timed),
    *(RESULT.c.player_id, RESULT.c.side, RESULT.c.score, RESULT.c.turns, RESULT.c.late, RESULT.c.timed_out),
    RESULT.c.gave_away,
)
_OF_MATCH = 5
"""Columns; then come those of each part."""

_ADD, _ADD_RATING = Statement(insert(RESULT)), Statement(insert(RATING))
_REMOVE = Statement(delete(RESULT).where(RESULT.c.match_id == bindparam("number")))
_PARTS = Statement(
    select(*_WHOLE[_OF_MATCH:]).where(
        RESULT.c.player_id == bindparam("player"), RESULT.c.at > bindparam("since"), RESULT.c.timed.is_(True)
    )
)


class Results(Gateway):
    """The gateway to results and ratings: these follow from those, and those from the matches."""

    def note(self, match: int, result: Result | None) -> None:
        """Store what a match says about its players in place of what it said; None: nothing any more."""
        self._write(_REMOVE, number=match)
        if result:
            of_match = {"game": result.game, "at": result.at, "rated": result.rated, "timed": result.timed}
            rows = [
                {"match_id": match, "seat": seat, "player_id": one.player, **of_match}
                | {"side": one.side, "score": round(2 * one.score), "turns": one.turns}
                | {"late": one.late, "timed_out": one.timed_out, "gave_away": one.gave_away}
                for seat, one in enumerate(result.parts)
            ]
            _ADD.write_all(self._connection, rows)

    def of_matches(self, numbers: Sequence[int]) -> dict[int, Result]:
        """Return the results of matches, by their numbers."""
        return {one.match: one for part in batched(numbers) for one in self._read(RESULT.c.match_id.in_(part))}

    def numbers_of(self, player: int) -> list[int]:
        """Return the numbers of the matches that say something about a player."""
        return [number for (number,) in self._rows(select(RESULT.c.match_id).where(RESULT.c.player_id == player))]

    def rated_of(self, player: int, game: str, since: datetime) -> list[Result]:
        """Return the rated results of a player in a game that ended at a moment or later."""
        own = RESULT.c.player_id == player, RESULT.c.game == game, RESULT.c.at >= since, RESULT.c.rated.is_(True)
        return self._read(RESULT.c.match_id.in_(select(RESULT.c.match_id).where(*own)))

    def rated_between(self, game: str, since: datetime, until: datetime) -> list[Result]:
        """Return the rated results of a game that ended at ``since`` or later, before ``until``."""
        return self._read(RESULT.c.game == game, RESULT.c.at >= since, RESULT.c.at < until, RESULT.c.rated.is_(True))

    def first_rated(self, game: str, since: datetime) -> datetime | None:
        """Return when the first rated match of a game ended, at a moment or later."""
        found = self._rows(
            select(RESULT.c.at)
            .where(RESULT.c.game == game, RESULT.c.at >= since, RESULT.c.rated.is_(True))
            .order_by(RESULT.c.at)
            .limit(1)
        )
        return found[0][0] if found else None

    def first_timeouts(self, player: int, game: str) -> set[int]:
        """Return which matches of a game count of all that a player lost on time."""
        own = (
            RESULT.c.player_id == player,
            RESULT.c.game == game,
            RESULT.c.rated.is_(True),
            RESULT.c.timed_out.is_(True),
        )
        found = self._read(RESULT.c.match_id.in_(select(RESULT.c.match_id).where(*own)))
        return first_timeouts(one for one in found if player in one.lost_on_time)

    def parts_of(self, player: int, now: datetime) -> list[Part]:
        """Return what a player was in the matches with a clock that ended in the last year."""
        return [_read_part(row) for row in self._rows(_PARTS, player=player, since=now - YEAR)]

    def told_of(self, player: int) -> list[tuple[int, bool, Part]]:
        """Return what all matches say about a player: the number of each, whether it is rated, and their part."""
        own = select(RESULT.c.match_id, RESULT.c.rated, *_WHOLE[_OF_MATCH:]).where(RESULT.c.player_id == player)
        rows = self._rows(own.order_by(RESULT.c.match_id))
        return [(match, rated, _read_part(part)) for match, rated, *part in rows]

    def all_marks(self, player: int) -> list[tuple[str, Mark]]:
        """Return the ratings of a player after each closed month, by games."""
        columns = RATING.c.game, RATING.c.month, RATING.c.points, RATING.c.deviation, RATING.c.volatility
        own = select(*columns).where(RATING.c.player_id == player).order_by(RATING.c.game, RATING.c.month)
        return [(game, Mark(month, Rating(*values))) for game, month, *values in self._rows(own)]

    def marks(self, game: str, players: Collection[int], before: int) -> dict[int, Mark]:
        """Return the latest rating of each player who has one, after a closed month ``before`` that one."""
        found: dict[int, Mark] = {}
        for part in batched(sorted(players)):
            rows = self._rows(
                select(RATING.c.player_id, RATING.c.month, RATING.c.points, RATING.c.deviation, RATING.c.volatility)
                .where(RATING.c.game == game, RATING.c.player_id.in_(part), RATING.c.month < before)
                .order_by(RATING.c.month)
            )
            found |= {player: Mark(month, Rating(*values)) for player, month, *values in rows}
        return found

    def add_ratings(self, game: str, month: int, ratings: Mapping[int, Rating]) -> None:
        """Store the ratings after a month."""
        rows = [
            {"game": game, "player_id": player, "month": month}
            | {"points": one.points, "deviation": one.deviation, "volatility": one.volatility}
            for player, one in ratings.items()
        ]
        _ADD_RATING.write_all(self._connection, rows)

    def drop_ratings(self, game: str, first: int) -> bool:
        """Drop the ratings of a game from the ``first`` month on; return whether there were any."""
        return self._write(delete(RATING).where(RATING.c.game == game, RATING.c.month >= first))

    def last_month(self, game: str) -> int | None:
        """Return the last month of a game that is closed and had matches that counted."""
        found = self._value(select(func.max(RATING.c.month)).where(RATING.c.game == game))
        return found if isinstance(found, int) else None

    def _read(self, *conditions: Any) -> list[Result]:
        """Return the results whose rows meet all conditions, in the order of their numbers."""
        rows = self._rows(select(*_WHOLE).where(*conditions).order_by(RESULT.c.match_id, RESULT.c.seat))
        return [_read_result(list(parts)) for _, parts in groupby(rows, key=lambda row: row[0])]


def _read_result(rows: Sequence[Any]) -> Result:
    """Return a result from the rows of its match."""
    match, game, at, rated, timed = rows[0][:_OF_MATCH]
    return Result(match, game, at, rated, timed, tuple(_read_part(row[_OF_MATCH:]) for row in rows))


def _read_part(row: Iterable[Any]) -> Part:
    """Return what a match was for one of its players."""
    player, side, halves, *rest = row
    return Part(player, side, halves / 2, *rest)
