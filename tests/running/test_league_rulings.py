"""What the operator decides about leagues: each act does what it says, and is taken back without a trace."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pbem.clubs.league import League
from pbem.errors import BadInput
from pbem.match.match import Match
from pbem.running.league_rulings import (
    disqualify,
    enter_players,
    extend_league,
    move_beginning,
    open_league,
    pause_league,
    replace_in_league,
    undo_last,
)
from rules.games import GAMES
from tests.support.club import Club
from tests.support.leagues import (
    NAMES,
    add_players,
    begin_season,
    decide_rest,
    enter_all,
    lose,
    match_between,
    matches_of,
    pass_until,
    read_league_of,
    season_of,
    tables_of,
)
from tests.support.mails import text_of

DECEMBER = datetime(2026, 12, 1, tzinfo=UTC)
DAY = 86_400


def banks(club: Club) -> list[tuple[int, ...]]:
    """Return the time of each side in all matches, in whole days: some goes by while nobody moves."""
    return [tuple(-(-left // DAY) for left in match.clock.banks) for match in matches_of(club) if match.clock]


def put(match: Match) -> tuple[object, ...]:
    """Return what an act of the operator may change of a match."""
    pause = match.clock.pause if match.clock else None
    return match.outcome, match.ruling, tuple(player.id for player in match.players), pause


def test_a_league_of_the_operator_begins_on_their_day(club: Club) -> None:
    """With the players that they have entered, each of whom is told; nobody is entered twice."""
    day = datetime(2026, 11, 25, tzinfo=UTC)
    people = [f"{name} <{name.lower()}@{name[0].lower()}.example>" for name in NAMES]
    opened = open_league(
        club.service, "club-2026", GAMES["pipline"], {"size": "7"}, seats=2, size=6, begins=day, players=people
    )
    assert (opened.begins_at, len(opened.entered), opened.contest.options["bank"]) == (day, 5, "14d+1d")
    assert [mail.kind for mail in club.queued()] == ["league_news"] * 5
    assert len(enter_players(club.service, "club-2026", ["ann", "Zoe <zoe@z.example>"]).entered) == 6
    assert len(club.queued()) == 6
    pass_until(club, lambda: read_league_of(club, "club-2026").season is not None)
    assert season_of(club, "club-2026").begun_at == day
    pass_until(club, lambda: len(matches_of(club)) == 15)
    assert {match.options["size"] for match in matches_of(club)} == {7}


def test_players_are_shown_the_leagues_of_the_operator(club: Club) -> None:
    """Beside those that every game has."""
    open_league(club.service, "pipline", GAMES["pipline"], {}, seats=2, players=["Ann <ann@a.example>"])
    open_league(club.service, "club-2026", GAMES["zipline"], {}, seats=2)
    club.answer_kind("league_news", -1, "league")
    assert "club-2026 (Zipline): league club-2026" in text_of(club.mail(club.queued(kind="league")[-1]))


def test_a_full_league_begins_at_once(club: Club) -> None:
    """As soon as so many have entered as the operator wants."""
    open_league(club.service, "pipline", GAMES["pipline"], {}, seats=2, full=5)
    enter_all(club, NAMES)
    pass_until(club, lambda: read_league_of(club).season is not None)
    assert season_of(club).begun_at < DECEMBER


@pytest.mark.parametrize(
    ("name", "game", "seats", "size", "options"),
    [
        *(("Two Words", "pipline", 2, 0, {}), ("", "pipline", 2, 0, {}), ("x", "pipline", 2, 0, {})),
        *(("good", "pipline", 3, 0, {}), ("good", "zipline", 4, 0, {}), ("good", "pipline", 2, 4, {})),
        *(("good", "pipline", 2, 10, {}), ("good", "pipline", 2, 0, {"size": "4"})),
        *(("good", "pipline", 2, 0, {"colour": "red"}), ("good", "pipline", 2, 0, {"days": "soon"})),
    ],
)
def test_a_league_that_cannot_be_is_not_opened(
    club: Club, name: str, game: str, seats: int, size: int, options: dict[str, str]
) -> None:
    """Nothing is stored of it."""
    with pytest.raises(BadInput):
        open_league(club.service, name, GAMES[game], options, seats=seats, size=size)
    with club.service.database.reading() as tx:
        assert tx.contests.all() == []


def test_a_pause_stops_everything_and_ends(club: Club) -> None:
    """No clock runs, and no season ends; taken back, all goes on. Everybody gets one email, not one for each match."""
    begin_season(club)
    before = len(club.queued())
    until = club.clock.now() + timedelta(days=20)
    league = pause_league(club.service, "pipline", until)
    assert league.paused == until
    assert all(match.clock and match.clock.pause and match.clock.pause[1] == until for match in matches_of(club))
    assert [mail.kind for mail in club.queued()[before:]] == ["league_news"] * 5
    with pytest.raises(BadInput):  # taking one of two back would leave it paused, and its clocks running
        pause_league(club.service, "pipline", until)
    decide_rest(club)
    for _ in club.pass_time(timedelta(days=3)):
        pass
    assert read_league_of(club).season
    undo_last(club.service, "pipline")
    pass_until(club, lambda: read_league_of(club).season is None, days=2)


def test_a_pause_before_all_matches_are_open(club: Club) -> None:
    """Those that are yet to be opened wait for its end."""
    enter_all(club, NAMES)
    pass_until(club, lambda: bool(read_league_of(club).seasons))
    opened = len(matches_of(club))
    assert opened < 10
    pause_league(club.service, "pipline", club.clock.now() + timedelta(days=20))
    for _ in club.pass_time(timedelta(days=10)):
        pass
    assert len(matches_of(club)) == opened
    undo_last(club.service, "pipline")
    for _ in club.pass_time(timedelta(hours=1)):
        pass
    assert len(matches_of(club)) == 10


def test_more_time_for_everyone_and_back(club: Club) -> None:
    """In each match that goes on, for each side; taken back, all have what they had."""
    begin_season(club)
    before = banks(club)
    extend_league(club.service, "pipline", 3 * DAY)
    assert banks(club) == [tuple(left + 3 for left in match) for match in before]
    undo_last(club.service, "pipline")
    assert banks(club) == before
    with pytest.raises(BadInput):
        undo_last(club.service, "pipline")


def test_another_day_for_the_next_season_and_back(club: Club) -> None:
    """A season begins on it; taken back, on its usual day."""
    enter_all(club, NAMES)
    with pytest.raises(BadInput):
        extend_league(club.service, "pipline", DAY)
    later = datetime(2026, 12, 12, tzinfo=UTC)
    assert move_beginning(club.service, "pipline", later).begins_at == later
    league, event = undo_last(club.service, "pipline")
    assert (league.begins_at, event.kind) == (DECEMBER, "extended")
    move_beginning(club.service, "pipline", later)
    pass_until(club, lambda: bool(read_league_of(club).seasons))
    assert season_of(club).begun_at == later


def test_somebody_has_the_place_of_another_and_gives_it_back(club: Club) -> None:
    """Matches that are over count for the place, whoever has it; those that go on, and are yet to open, pass on."""
    numbers = begin_season(club)
    lose(club, match_between(club, "Ann", "Bob"), "Bob")
    before = {match.id: put(match) for match in matches_of(club)}
    league = replace_in_league(club.service, "pipline", "ann", "Zoe <zoe@z.example>")
    zoe = next(number for number in league.entered if number not in numbers)
    assert sum(zoe in [player.id for player in match.players] for match in matches_of(club)) == 3
    row = next(row for row in tables_of(club)[0] if row.player == zoe)
    assert (row.won, row.running) == (1, 3)
    assert numbers[0] not in [row.player for row in tables_of(club)[0]]
    with pytest.raises(BadInput):
        replace_in_league(club.service, "pipline", "bob", "Zoe")
    undo_last(club.service, "pipline")
    assert {match.id: put(match) for match in matches_of(club)} == before
    assert set(read_league_of(club).entered) == set(numbers)


def test_a_place_passes_on_before_its_matches_are_open(club: Club) -> None:
    """The newcomer plays them from the first move on."""
    enter_all(club, NAMES)
    pass_until(club, lambda: bool(read_league_of(club).seasons))
    replace_in_league(club.service, "pipline", "ann", "Zoe <zoe@z.example>")
    pass_until(club, lambda: len(matches_of(club)) == 10)
    names = [player.name for match in matches_of(club) for player in match.players]
    assert (names.count("Zoe"), names.count("Ann")) == (4, 0)


def test_a_disqualification_and_back(club: Club) -> None:
    """Half of the matches were played, so that all are won for others. Taken back, all go on."""
    numbers = begin_season(club)
    for other in ("Bob", "Carl"):
        match = match_between(club, "Ann", other)
        for seat, move in ((0, "a1"), (1, "take"), (0, "b5"), (1, "c3")):
            club.reply(seat, move, match=match.id)
    before = {one.id: put(one) for one in matches_of(club)}
    league = disqualify(club.service, "pipline", "ann")
    assert numbers[0] not in league.entered
    rows = {row.player: row for row in tables_of(club)[0]}
    assert (rows[numbers[0]].lost, rows[numbers[0]].void, rows[numbers[1]].won) == (4, 0, 1)
    undo_last(club.service, "pipline")
    assert {one.id: put(one) for one in matches_of(club)} == before
    assert read_league_of(club).entered == tuple(numbers)


def test_nobody_plays_on_who_is_disqualified_before_all_matches_are_open(club: Club) -> None:
    """Nor enters again, by an email or by the operator, before it is taken back; then their matches open as well."""
    enter_all(club, NAMES)
    pass_until(club, lambda: bool(read_league_of(club).seasons))
    disqualify(club.service, "pipline", "ann")
    club.answer_kind("league_begins", 0, "league pipline")
    assert 1 not in read_league_of(club).entered
    again: list[Callable[[], object]] = [
        lambda: enter_players(club.service, "pipline", ["ann"]),
        lambda: disqualify(club.service, "pipline", "ann"),
    ]
    for act in again:
        with pytest.raises(BadInput):
            act()
    for _ in club.pass_time(timedelta(hours=1)):
        pass
    assert len(matches_of(club)) == 6
    undo_last(club.service, "pipline")
    pass_until(club, lambda: len(matches_of(club)) == 10)
    assert 1 in read_league_of(club).entered


def test_who_is_not_in_a_season_can_be_neither_replaced_nor_disqualified(club: Club) -> None:
    """Nor is there a league of any name."""
    begin_season(club)
    add_players(club, ("Zoe",))
    acts: list[Callable[[], object]] = [
        lambda: replace_in_league(club.service, "pipline", "zoe", "ann"),
        lambda: replace_in_league(club.service, "pipline", "ann", "bob"),
        lambda: disqualify(club.service, "pipline", "zoe"),
        lambda: disqualify(club.service, "other", "ann"),
    ]
    for act in acts:
        with pytest.raises(BadInput):
            act()


def test_an_act_in_the_midst_is_taken_back_alone(club: Club) -> None:
    """By its number; what came later stays."""
    begin_season(club)

    def kinds(league: League) -> set[str]:
        with club.service.database.reading() as tx:
            return {one.kind for one in tx.contests.events(league.contest.id) if one.undone_at}

    extend_league(club.service, "pipline", DAY)
    with club.service.database.reading() as tx:
        number = tx.contests.events(read_league_of(club).contest.id)[-1].id
    league = disqualify(club.service, "pipline", "ann")
    undo_last(club.service, "pipline", number)
    assert kinds(league) == {"extended"}
    assert read_league_of(club).seasons[-1].gone
