"""Seasons of leagues begin and end by themselves: their day comes, or enough have entered; their last match is over."""

from datetime import timedelta

from pbem.clubs.contest import ContestEvent
from pbem.clubs.league import ENDED, LEFT, POSTPONED, League, Season, draw_events, draw_season
from pbem.clubs.league_table import find_absent
from pbem.clubs.ratings import month_of
from pbem.due.league.openings import PACE, agree_matches
from pbem.due.league.reading import is_over, read_league, read_meetings, read_tables, tabulate_all
from pbem.due.league.telling import tell_begins, tell_ends
from pbem.errors import DamagedRow
from pbem.pipeline.act import Act, cause_at
from pbem.ports import Dice
from pbem.storage.due import LEAGUE_DUE
from pbem.storage.transaction import Transaction

_LOOK = timedelta(days=1)


def tend_league(act: Act, number: int, dice: Dice) -> None:
    """Begin or end a season of a league where it is time, and schedule what is due next."""
    contest = act.tx.contests.get(number)
    if contest is None:
        raise DamagedRow(f"league {number} is due, and it is not there")
    act.tx.contests.lock(number)
    league = read_league(act.tx, contest)
    if league.paused and act.now < league.paused:
        act.tx.due.schedule(LEAGUE_DUE, number, league.paused)
        return
    if league.season:
        if not is_over(act.tx, league, league.season):
            act.tx.due.schedule(LEAGUE_DUE, number, act.now + _LOOK)
            return
        _end(act, league, league.season)
    elif league.is_full() or league.begins_at <= act.now:
        if _begin(act, league, dice):
            act.tx.due.schedule(LEAGUE_DUE, number, act.now + _LOOK)
            return
        if league.begins_at <= act.now:
            act.tx.contests.add(number, ContestEvent(act.now, POSTPONED))
    act.tx.due.schedule(LEAGUE_DUE, number, read_league(act.tx, contest).begins_at)


def _begin(act: Act, league: League, dice: Dice) -> bool:
    """Draw the next season, have its matches opened one after the other, and tell everybody; false with too few."""
    last = league.seasons[-1] if league.seasons else None
    tables = read_tables(act.tx, league, last) if last else ()
    able = frozenset(player for player in league.entered if _may_play(act.tx, player))
    lot = dice.nonce()
    month = month_of(act.now)
    marks = act.tx.results.marks(league.contest.game.key, able, month)
    strength = {player: mark.at_start_of(month) for player, mark in marks.items()}
    divisions = draw_season(league, tables, able, lot, strength)
    if not divisions:
        return False
    contest = league.contest
    for event in draw_events(divisions, len(league.seasons) + 1, lot, act.now):
        act.tx.contests.add(contest.id, event)
    league = read_league(act.tx, contest)
    season = league.season
    assert season is not None  # which has just begun
    act = act.because(cause_at(f"league {contest.id} begins", act.now))
    matches = agree_matches(act, league, season)
    tell_begins(act, league, season, hours=int(matches * PACE / timedelta(hours=1)) + 1)
    return True


def _may_play(tx: Transaction, number: int) -> bool:
    """Return whether somebody can be drawn: nobody who is forgotten, blocked, or wants no email."""
    player = tx.players.get(number)
    return bool(player and player.has_mail and not player.preferences.muted and not tx.blocked.among(player.emails))


def _end(act: Act, league: League, season: Season) -> None:
    """End a season, and tell everybody; whoever missed more than half of their matches is not in the next one."""
    contest = league.contest
    meetings = read_meetings(act.tx, league, season)
    absent = set(league.entered) & set().union(*map(find_absent, meetings))
    for player in sorted(absent):
        act.tx.contests.add(contest.id, ContestEvent(act.now, LEFT, player, arguments={"absent": True}))
    act.tx.contests.add(contest.id, ContestEvent(act.now, ENDED, arguments={"season": season.number}))
    league = read_league(act.tx, contest)
    act = act.because(cause_at(f"league {contest.id} ends", act.now))
    tell_ends(act, league, league.seasons[-1], tabulate_all(season, meetings), absent)
