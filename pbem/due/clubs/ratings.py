"""Ratings go on: what a match says when it ends, what it changes, and months that are closed once they are over.

All of it follows from the matches. What changes a match of a month that is closed drops the ratings since, and they are
reckoned anew.
"""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from pbem.clubs.glicko2 import Rating
from pbem.clubs.ratings import Change, choose_counting, month_of, pass_over, rate_month, rate_player
from pbem.clubs.reliability import Reliability, count_reliability
from pbem.clubs.results import Result, list_answering, read_result, why_uncounted
from pbem.match.match import Match
from pbem.pipeline.act import Act
from pbem.storage.due import RATINGS_DUE
from pbem.storage.transaction import Transaction
from rules.games import GAMES

_ALL = 0  # ratings are one thing
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def note_result(tx: Transaction, before: Match, after: Match, now: datetime) -> None:
    """Store what a match says about its players, which ended, or was over and has changed."""
    if before.outcome is None and after.outcome is None:
        return
    earlier = tx.results.of_matches([after.id]).get(after.id) if before.outcome else None
    result = read_result(after, tx.clocks.log(after.id)) if after.outcome else None
    if result != earlier:
        tx.results.note(after.id, result)
        reopen(tx, [one for one in (earlier, result) if one], now)


def reopen(tx: Transaction, changed: list[Result], now: datetime) -> None:
    """Let ratings be reckoned anew that follow from results which are others now, or are new."""
    for one in changed:
        if one.rated:
            closed = month_of(one.at) < month_of(now) and tx.results.drop_ratings(one.game, month_of(one.at))
            tx.due.hasten(RATINGS_DUE, _ALL, now if closed else begin_of(month_of(one.at) + 1))


def merge_results(tx: Transaction, old: int, into: int, now: datetime) -> None:
    """Let results of a player be those of the one whom they were merged into; ratings are reckoned anew."""
    for result in tx.results.of_matches(tx.results.numbers_of(old)).values():
        parts = tuple(replace(part, player=into) if part.player == old else part for part in result.parts)
        tx.results.note(result.match, replace(result, parts=parts))
        reopen(tx, [result], now)


def begin_again(tx: Transaction, now: datetime) -> None:
    """Let all ratings be reckoned anew from the results."""
    for game in GAMES:
        tx.results.drop_ratings(game, 0)
    tx.due.hasten(RATINGS_DUE, _ALL, now)


def close_months(act: Act, _: int) -> None:
    """Close the first month of each game that is over and isn't closed; if there may be more, again at once."""
    this = month_of(act.now)
    more = [_close_month(act.tx, game, this) for game in GAMES]
    if any(more):
        act.tx.due.schedule(RATINGS_DUE, _ALL, act.now)
    elif any(act.tx.results.first_rated(game, begin_of(this)) for game in GAMES):
        act.tx.due.hasten(RATINGS_DUE, _ALL, begin_of(this + 1))


def _close_month(tx: Transaction, game: str, this: int) -> bool:
    """Close the first month of a game before ``this`` that had matches and isn't closed; return whether there was one.

    A month whose matches all don't count is passed over.
    """
    last = tx.results.last_month(game)
    since = _LONG_AGO if last is None else begin_of(last + 1)
    while (first := tx.results.first_rated(game, since)) and (month := month_of(first)) < this:
        results = tx.results.rated_between(game, begin_of(month), begin_of(month + 1))
        counting = choose_counting(results, lambda player: tx.results.first_timeouts(player, game))
        if counting:
            players = {player for one in counting for player in one.players}
            marks = tx.results.marks(game, players, month)
            tx.results.add_ratings(game, month, rate_month(month, counting, marks.get))
            return True
        since = begin_of(month + 1)
    return False


def changes_by(tx: Transaction, match: Match) -> list[Change]:
    """Return what a match that is over did to the rating of whoever has each seat; nothing if it is not rated.

    It is stored already.
    """
    if not match.rated or match.outcome is None:
        return []
    return [change_for(tx, match, player.id) for player in match.players]


def change_for(tx: Transaction, match: Match, player: int) -> Change:
    """Return what a match that is over did to the rating of a player who has, or had, one of its seats."""
    game, month = match.game.key, month_of(match.changed_at)
    found = tx.results.rated_of(player, game, begin_of(month))
    results = [one for one in found if month_of(one.at) == month]

    def first_timeouts(one: int) -> set[int]:
        return tx.results.first_timeouts(one, game)

    counting = choose_counting(results, first_timeouts)
    marks = tx.results.marks(game, {player}.union(*(one.players for one in results)), month)

    def start(one: int) -> Rating:
        mark = marks.get(one)
        return mark.at_start_of(month) if mark else Rating()

    before = choose_counting((one for one in results if one.match != match.id), first_timeouts)
    earlier, now = (rate_player(player, start, found) for found in (before, counting))
    stood_in: Literal["stood_in"] | None = None if player in list_answering(match) else "stood_in"
    uncounted = why_uncounted(match) or stood_in or pass_over(results, first_timeouts).get(match.id)
    return Change(earlier, now, uncounted)


def reliability_of(tx: Transaction, player: int, now: datetime) -> Reliability:
    """Return how reliable a player was in the last year."""
    return count_reliability(tx.results.parts_of(player, now))


def begin_of(month: int) -> datetime:
    """Return the moment at which a month begins (UTC)."""
    return datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)
