"""A league is the fold of its events: who has entered, the draw, who has left, and when the next season begins."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pbem.clubs.contest import Contest, ContestEvent
from pbem.clubs.glicko2 import Rating
from pbem.clubs.league import (
    BANK,
    BEGUN,
    DISQUALIFIED,
    DRAWN,
    ENDED,
    ENTERED,
    EXTENDED,
    LEFT,
    OPENED,
    PAUSED,
    POSTPONED,
    REPLACED,
    League,
    draw_events,
    draw_season,
    first_of_month,
    fold,
    moving_of,
)
from pbem.clubs.league_draw import pair
from pbem.clubs.league_table import Meeting, Row, tabulate
from pbem.match.time.time_control import read_time_control
from rules.games import GAMES
from tests.support.examples import examples

APRIL = datetime(2026, 4, 1, tzinfo=UTC)
START = datetime(2026, 3, 10, 12, tzinfo=UTC)
KINDS = (ENTERED, LEFT, BEGUN, DRAWN, ENDED, REPLACED, DISQUALIFIED)
CONTEST = Contest(1, "league", GAMES["pipline"], "pipline", dict(BANK), START)


def at(days: float, kind: str, player: int | None = None, other: int | None = None, **told: object) -> ContestEvent:
    """Return an event so many days after the start."""
    return ContestEvent(START + timedelta(days=days), kind, player, other, told)


def entered(*players: int) -> list[ContestEvent]:
    """Return the events by which players enter."""
    return [at(0, ENTERED, player) for player in players]


def played(league: League) -> tuple[tuple[Row, ...], ...]:
    """Return the tables of the last season if always whoever has the lower number wins."""
    season = league.seasons[-1]
    matches = list(season.list_matches(league.seats))
    return tuple(
        tabulate(
            drawn,
            [
                Meeting(two, (0, 1), (2, 0) if two[0] < two[1] else (0, 2), over=True)
                for own, two in matches
                if own == number
            ],
        )
        for number, drawn in enumerate(season.divisions, 1)
    )


def begin(events: Sequence[ContestEvent], days: float, tables: Sequence[Sequence[Row]] = ()) -> list[ContestEvent]:
    """Return the events after a season has begun."""
    league = fold(CONTEST, events)
    divisions = draw_season(league, tables, league.entered, "lot", {})
    now = START + timedelta(days=days)
    return [*events, *draw_events(divisions, len(league.seasons) + 1, "lot", now)]


def test_entering_again_and_leaving_before_a_season() -> None:
    """Nobody is entered twice, and whoever has left is not in it."""
    league = fold(CONTEST, [*entered(1, 2, 1, 3), at(1, LEFT, 2), at(2, LEFT, 9)])
    assert league.entered == (1, 3)
    assert league.season is None


def test_a_season_has_everybody_who_has_entered() -> None:
    """The fold of the draw is the draw; its matches are those of all divisions, one of everybody first."""
    events = begin(entered(*range(1, 18)), 3)
    league = fold(CONTEST, events)
    assert league.season
    assert sorted(league.season.players) == list(range(1, 18))
    assert [len(drawn) for drawn in league.season.divisions] == [5, 6, 6]
    assert set(league.season.divisions[0]) == set(range(1, 6))
    matches = list(league.season.list_matches(2))
    assert len(matches) == 10 + 15 + 15
    assert {division for division, _ in matches[:3]} == {1, 2, 3}
    for number, drawn in enumerate(league.season.divisions, 1):
        own = [players for division, players in matches if division == number]
        assert own == [tuple(drawn[place] for place in places) for places in pair(len(drawn), 2)]


def test_leaving_in_a_season_takes_nobody_out_of_it() -> None:
    """They keep their place, and are not in the next one."""
    events = [*begin(entered(*range(1, 7)), 3), at(4, LEFT, 2)]
    league = fold(CONTEST, events)
    assert league.season
    assert (2 in league.season.players, 2 in league.entered, set(league.season.gone)) == (True, False, {2})
    ended = fold(CONTEST, [*events, at(60, ENDED)])
    assert ended.season is None
    assert set(ended.seasons[0].gone) == {2}
    divisions = draw_season(ended, played(ended), ended.entered, "lot", {})
    assert set(divisions[0]) == {1, 3, 4, 5, 6}


def test_the_best_go_up_and_the_last_go_down() -> None:
    """Of two divisions of eight, two each change places; newcomers begin below."""
    events = [*begin(entered(*range(1, 17)), 3), at(60, ENDED), *entered(20)]
    league = fold(CONTEST, events)
    assert (moving_of(league.seasons[0], 1), moving_of(league.seasons[0], 2)) == ((0, 2), (2, 0))
    divisions = draw_season(league, played(league), league.entered, "other", {})
    assert set(divisions[0]) <= {1, 2, 3, 4, 5, 6, 9, 10}
    assert 20 in divisions[-1]


def test_whoever_is_stronger_begins_above() -> None:
    """In a first season by their ratings, then in the order of entering."""
    league = fold(CONTEST, entered(*range(1, 11)))
    known = {10: Rating(1900, 60), 9: Rating(1800, 60), 8: Rating(1200, 60)}
    divisions = draw_season(league, (), league.entered, "lot", known)
    assert [set(drawn) for drawn in divisions] == [{10, 9, 8, 1, 2}, {3, 4, 5, 6, 7}]


def test_neither_a_new_address_nor_a_few_quick_wins_begin_above() -> None:
    """What a player is for certain counts: little, where little is known of them."""
    league = fold(CONTEST, entered(*range(1, 11)))
    known = dict.fromkeys(range(6, 11), Rating(1300, 70)) | {1: Rating(1662, 290), 2: Rating(1750, 310)}
    divisions = draw_season(league, (), league.entered, "lot", known)
    assert set(divisions[0]) == {6, 7, 8, 9, 10}


def test_a_place_goes_on_to_somebody_else() -> None:
    """They have it in the table from then on, and in the next season; taken back, all is as before."""
    season, replaced = begin(entered(*range(1, 7)), 3), at(5, REPLACED, 2, 30)
    league = fold(CONTEST, [*season, replaced])
    assert league.season
    assert (league.season.division_of(30), league.season.division_of(2)) == (1, None)
    assert (30 in league.entered, 2 in league.entered) == (True, False)
    back = fold(CONTEST, [*season, replace(replaced, undone_at=START)])
    assert back == fold(CONTEST, season)


def test_a_place_comes_back_round_a_circle() -> None:
    """Whoever had it first has it again; two who turn out to be one person have one place, and keep it."""
    season = begin(entered(*range(1, 7)), 3)
    passed = [at(5, REPLACED, 2, 30), at(6, REPLACED, 30, 31), at(7, REPLACED, 31, 2)]
    for count, holder in enumerate((30, 31, 2), 1):
        [found] = fold(CONTEST, [*season, *passed[:count]]).seasons
        assert found.holder(2) == holder
        assert sorted(found.players) == sorted({1, 3, 4, 5, 6, holder})
    merged = [
        replace(one, player=2 if one.player == 30 else one.player, other=2 if one.other == 30 else one.other)
        for one in [*season, *passed]
    ]
    assert sorted(fold(CONTEST, merged).seasons[-1].players) == [1, 2, 3, 4, 5, 6]


def test_who_is_disqualified_is_gone() -> None:
    """They are neither in the next season, nor is what they leave unplayed their opponents' loss."""
    events = [*begin(entered(*range(1, 7)), 3), at(5, DISQUALIFIED, 4)]
    league = fold(CONTEST, events)
    assert league.season
    assert (set(league.season.gone), 4 in league.entered) == ({4}, False)


def test_a_season_begins_on_the_first_of_a_month() -> None:
    """A week after the last one at least; if too few have entered by then, a month later, whenever that was found."""
    assert fold(CONTEST, entered(1, 2)).begins_at == APRIL
    for days in (21.5, 25):
        postponed = fold(CONTEST, [*entered(1, 2), at(days, POSTPONED)])
        assert postponed.begins_at == datetime(2026, 5, 1, tzinfo=UTC)


def test_the_operator_chooses_another_day() -> None:
    """It counts for one season alone; the next one begins by itself again."""
    day = datetime(2026, 3, 20, tzinfo=UTC)
    opened = at(0, OPENED, begins=day.isoformat(), seats=3, size=7, full=14)
    league = fold(CONTEST, [opened])
    assert (league.begins_at, league.seats, league.size, league.full, league.least) == (day, 3, 7, 14, 7)
    later = fold(CONTEST, [opened, at(1, EXTENDED, begins=datetime(2026, 3, 25, tzinfo=UTC).isoformat())])
    assert later.begins_at == datetime(2026, 3, 25, tzinfo=UTC)
    over = fold(CONTEST, [opened, *entered(*range(1, 8)), at(11, BEGUN), at(80, ENDED)])
    assert over.begins_at == datetime(2026, 7, 1, tzinfo=UTC)
    until = datetime(2026, 8, 3, tzinfo=UTC)
    paused = fold(CONTEST, [at(0, PAUSED, until=until.isoformat())])
    assert paused.begins_at == until


def test_a_full_league_need_not_wait() -> None:
    """Where the operator has said how many are enough."""
    opened = at(0, OPENED, full=6)
    assert not fold(CONTEST, [opened, *entered(*range(5))]).is_full()
    assert fold(CONTEST, [opened, *entered(*range(6))]).is_full()
    assert not fold(CONTEST, entered(*range(60))).is_full()


def test_the_clock_of_a_league_can_be_read() -> None:
    """By default time is a bank, and running out of it is losing: no operator is needed."""
    control, rest = read_time_control(dict(BANK))
    assert control
    assert (control.policy, control.cap > control.increment, rest) == ("forfeit", True, {})


@given(st.integers(0, 20 * 365 * 86_400).map(lambda seconds: START + timedelta(seconds=seconds)))
@examples(200)
def test_the_first_of_a_month_is_the_next(moment: datetime) -> None:
    """It is a midnight, not before the moment, and less than a month later."""
    first = first_of_month(moment)
    assert (first.day, first.time()) == (1, datetime.min.time())
    assert timedelta(0) <= first - moment < timedelta(days=31)


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(1, 9), st.integers(1, 9)), max_size=40))
@examples(300)
def test_no_order_of_events_breaks_the_fold(told: list[tuple[str, int, int]]) -> None:
    """Whatever is stored or taken back, a league can be shown, and what is undone has never happened."""
    events = [at(0, kind, player, other, division=other % 3 + 1) for kind, player, other in told]
    league = fold(CONTEST, events)
    assert len(set(league.entered)) == len(league.entered)
    for season in league.seasons:
        assert season.players is not None
    undone = [replace(event, undone_at=START) for event in events]
    assert fold(CONTEST, undone) == League(CONTEST)
