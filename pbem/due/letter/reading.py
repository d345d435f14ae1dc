"""Reads what the Sunday letter tells of a contest: as it stood at the end of the week, and a week before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.asking.contests.standings import follow, list_hidden
from pbem.asking.words_beside import lead_away
from pbem.clubs.contest import ContestResult
from pbem.clubs.ladder import Ladder, LadderRow, fold_ladder, show_ladder
from pbem.clubs.league_table import Meeting, Row, tabulate
from pbem.clubs.week import (
    Saying,
    Swing,
    Week,
    choose_sayings,
    choose_unsaid,
    list_ended,
    list_running,
    rank_swings,
    stood_until,
)
from pbem.due.league.reading import read_meetings
from pbem.due.letter.readers import Circle
from pbem.match.match import Match
from pbem.match.privacy import is_private
from pbem.match.summary import MatchSummary
from pbem.match.timing import deadline_of
from pbem.notices.letter.sentences import fits
from pbem.pipeline.act import Act


@dataclass(frozen=True)
class Told:
    """What there is to tell of a week to everybody in a circle; ``names`` are those of its players.

    A league has ``rows``, with the ``places`` of a week ago, a ladder its ``rungs``. ``sayings`` and ``unsaid`` are the
    matches that can be shown, the best first.
    """

    names: dict[int, str]
    ended: list[MatchSummary]
    running: list[MatchSummary]
    sayings: list[Saying]
    unsaid: list[int]
    swing: tuple[Swing, Match] | None
    rows: tuple[Row, ...] = ()
    places: Mapping[int, int] = field(default_factory=dict)
    rungs: Sequence[LadderRow] = ()

    @property
    def has_news(self) -> bool:
        """Whether anything happened, or goes on: nobody is told each week that a ladder stands still."""
        moved = any(row.moved != 0 or row.defends for row in self.rungs)
        return bool(self.ended or self.running or self.sayings or moved)


def read_week(act: Act, circle: Circle, week: Week) -> Told:
    """Return what there is to tell of a circle. Raise DamagedRow where its matches are not those of its draw."""
    tx, contest = act.tx, circle.contest
    season = circle.league.season if circle.league else None
    results = tx.contests.results(contest.id, season=season.number if season else None)
    if season:
        results = [one for one in results if one.place.division == circle.division]
    swings = rank_swings(circle.events, week)
    lately = [one for one in results if not stood_until(one, week.since)]
    ended, running = list_ended(lately, week), list_running(lately, week)
    summaries = {one.id: one for one in _read_public(act, [*ended, *running])}
    moves = {number: one.standing.moves_made for number, one in summaries.items()}
    told = Told(
        names={},
        ended=[summaries[number] for number in ended if number in summaries],
        running=sorted((summaries[number] for number in running if number in summaries), key=_urgency),
        sayings=choose_sayings(_list_sayings(act, list(summaries), week), moves),
        unsaid=choose_unsaid((number for number in ended if number in summaries), moves),
        swing=_find_swing(act, swings, {one.place.match for one in results}),
    )
    if season and circle.league:
        meetings = read_meetings(tx, circle.league, season, circle.division)[circle.division - 1]
        ends = {one.place.match: one.over_at for one in results}
        drawn = season.division_now(circle.division)
        rows = tabulate(drawn, [_stood(one, ends, week.until) for one in meetings])
        before = [_stood(one, ends, week.since) for one in meetings]
        places = {row.player: row.place for row in tabulate(drawn, before)} if any(one.over for one in before) else {}
        return replace(told, rows=rows, places=places, names=_name(act, drawn))
    ladder, last = (_read_ladder(act, circle, results, moment) for moment in (week.until, week.since))
    return replace(told, rungs=show_ladder(ladder, list_hidden(tx, ladder), last), names=_name(act, ladder.people))


def _urgency(match: MatchSummary) -> tuple[bool, str, int]:
    """Return what running matches are sorted by: the next deadline comes first."""
    until = deadline_of(match)
    return until is None, str(until), match.id


def _name(act: Act, players: Iterable[int]) -> dict[int, str]:
    """Return the names of players by their numbers."""
    return {player.id: player.name for player, _ in act.tx.players.some(sorted(players))}


def _read_public(act: Act, numbers: Sequence[int]) -> list[MatchSummary]:
    """Return the matches of these that anybody may read; a damaged one is left out."""
    found = act.tx.matches.summaries_of(numbers)
    return [one for one in found if isinstance(one, MatchSummary) and not one.private]


def _list_sayings(act: Act, numbers: Sequence[int], week: Week) -> list[Saying]:
    """Return what players said to everybody in matches, but who has the seat no more, and what leads elsewhere."""
    said = act.tx.contests.said(numbers, week)
    shown = ((match, at, one) for match, at, one in said if not (is_private(one) or one.by or lead_away(one.text)))
    return [Saying(match, one.seat, one.ply, one.text, at) for match, at, one in shown]


def _find_swing(act: Act, swings: Iterable[Swing], own: set[int | None]) -> tuple[Swing, Match] | None:
    """Return the greatest swing in one of these matches, with that, if what was found is still true."""
    for swing in swings:
        match = act.tx.matches.get(swing.match) if swing.match in own else None
        if match and fits(swing, match):
            return swing, match
    return None


def _stood(meeting: Meeting, ends: dict[int | None, datetime | None], moment: datetime) -> Meeting:
    """Return a match of a league as it stood at a moment."""
    end = ends.get(meeting.match)
    if meeting.match is None or (end is not None and end <= moment):
        return meeting
    return replace(meeting, scores=(), missing=frozenset(), over=False)


def _read_ladder(act: Act, circle: Circle, results: Iterable[ContestResult], moment: datetime) -> Ladder:
    """Return a ladder as it stood at a moment."""
    events = [event for event in circle.events if event.at <= moment]
    matches = [
        one if one.over_at is None or one.over_at <= moment else replace(one, over_at=None, wins=False)
        for one in (follow(act.tx, result, act.now) for result in results)
    ]
    return fold_ladder(events, matches)
