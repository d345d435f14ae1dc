"""Seasons of a league begin, are played, and end by themselves."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from pbem.commands.ruling import reinstate
from pbem.due.league.reading import is_over, read_league
from pbem.errors import BadInput
from pbem.match.player import FORMER
from pbem.running.operator_rulings import find_player, forget_player, merge_players, rule
from tests.support.club import Club
from tests.support.leagues import (
    NAMES,
    add_players,
    address_of,
    begin_season,
    decide,
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

SIX = (*NAMES, "Finn")
DECEMBER, JANUARY = datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)


def test_a_season_begins_on_its_day(club: Club) -> None:
    """Everybody is told, and all matches open, one a minute, rated and by the clock of the league."""
    numbers = begin_season(club, SIX)
    season = season_of(club)
    assert season.begun_at == DECEMBER
    assert sorted(season.players) == sorted(numbers)
    assert sorted(mail.recipient for mail in club.queued(kind="league_begins")) == sorted(map(address_of, SIX))
    matches = matches_of(club)
    assert [match.opened_at for match in matches] == [DECEMBER + timedelta(minutes=minute) for minute in range(15)]
    assert len({frozenset(player.id for player in match.players) for match in matches}) == 15
    assert all(match.rated and match.clock and match.clock.control.policy == "forfeit" for match in matches)
    with club.service.database.reading() as tx:
        of = [tx.contests.of_match(match.id) for match in matches]
    assert all(one and (one.season, one.division) == (1, 1) for one in of)


def test_with_too_few_it_begins_a_month_later(club: Club) -> None:
    """Nobody hears of it; once enough have entered it begins on the first that comes."""
    enter_all(club, NAMES[:4])
    emails = len(club.queued())
    pass_until(club, lambda: club.clock.now() >= DECEMBER)
    assert (read_league_of(club).season, read_league_of(club).begins_at) == (None, JANUARY)
    assert len(club.queued()) == emails
    enter_all(club, NAMES[4:])
    pass_until(club, lambda: read_league_of(club).season is not None)
    assert season_of(club).begun_at == JANUARY


def test_it_ends_with_its_last_match_and_the_next_one_begins(club: Club) -> None:
    """Everybody reads the table; who stays in plays the next one, at other places of the draw."""
    begin_season(club)
    lose(club, match_between(club, "Ann", "Bob"), "Ann")
    decide_rest(club)
    pass_until(club, lambda: read_league_of(club).season is None)
    assert club.clock.now() < DECEMBER + timedelta(days=2)
    with club.service.database.reading() as tx:
        names = [tx.players.get(row.player).name for row in tables_of(club)[0]]  # type: ignore[union-attr]
    assert [(name, row.points) for name, row in zip(names, tables_of(club)[0], strict=True)] == [
        *(("Bob", 8), ("Ann", 6), ("Carl", 4), ("Dora", 2), ("Eve", 0))
    ]
    assert len(club.queued(kind="league_ends")) == 5
    club.answer_kind("league_ends", 0, "leave league")
    club.write("league pipline", address_of("Ann"))  # who is in already
    enter_all(club, ("Finn", "Gus"))
    pass_until(club, lambda: len(read_league_of(club).seasons) == 2)
    league = read_league_of(club)
    assert league.seasons[1].begun_at == JANUARY
    assert len(league.seasons[1].players) == 6
    gone = club.queued(kind="league_ends")[0].recipient
    assert gone not in [mail.recipient for mail in club.queued(kind="league_begins")[5:]]


def test_who_never_comes_is_not_in_the_next_season(club: Club) -> None:
    """Their matches count for nobody, and all others' do; nobody has to do anything for it."""
    numbers = begin_season(club, SIX)
    finn = numbers[-1]
    for match in matches_of(club):
        if finn not in [player.id for player in match.players]:
            decide(club, match, min(player.name for player in match.players))
        elif match.players[1].id == finn:
            club.reply(0, "a1", match=match.id)
    pass_until(club, lambda: read_league_of(club).season is None)
    rows = {row.player: row for row in tables_of(club)[0]}
    assert (rows[finn].points, rows[finn].void, rows[finn].lost) == (0, 5, 0)
    assert [rows[number].points for number in numbers[:-1]] == [8, 6, 4, 2, 0]
    league = read_league_of(club)
    assert (finn in league.entered, len(league.entered)) == (False, 5)


def test_a_season_waits_for_no_damaged_match(club: Club) -> None:
    """It is one that counts for nobody so far; all others have their say."""
    begin_season(club)
    lost, last = match_between(club, "Ann", "Bob"), match_between(club, "Dora", "Eve")
    with club.service.database.transaction() as tx:
        tx.matches._connection.exec_driver_sql(f"UPDATE match SET options = '[]' WHERE id = {lost.id}")
    for match in matches_of(club):
        if match.id != last.id:
            decide(club, match, min(player.name for player in match.players))
    for _ in club.pass_time(timedelta(days=2)):
        pass
    assert read_league_of(club).season
    decide(club, last, "Dora")
    pass_until(club, lambda: read_league_of(club).season is None, days=2)
    assert sorted(row.points for row in tables_of(club)[0]) == [0, 2, 4, 6, 6]


def test_who_is_forgotten_keeps_a_place_without_a_name(club: Club) -> None:
    """With one match played of four nobody has met them; they are not drawn again."""
    begin_season(club)
    lose(club, match_between(club, "Ann", "Bob"), "Ann")
    with club.service.database.reading() as tx:
        ann = find_player(tx, "Ann")
    forget_player(club.service, ann)
    decide_rest(club)
    pass_until(club, lambda: read_league_of(club).season is None)
    rows = {row.player: row for row in tables_of(club)[0]}
    assert (rows[ann.id].lost, rows[ann.id].void) == (0, 4)
    assert ann.id not in read_league_of(club).entered
    ends = club.queued(kind="league_ends")
    assert len(ends) == 4
    assert all(FORMER in text_of(club.mail(mail)) for mail in ends)
    asyncio.run(club.service.deliver())
    with club.service.database.reading() as tx:
        assert not any(b"Ann" in tx.outbound.raw(mail.id) for mail in club.queued(kind="league_begins"))


def test_somebody_who_is_blocked_cannot_be_drawn(club: Club) -> None:
    """Nor can somebody who has unsubscribed; whoever is blocked before a match opens never plays it."""
    numbers = enter_all(club, (*SIX, "Gus"))
    club.write("unsubscribe", address_of("Gus"))
    with club.service.database.transaction() as tx:
        tx.blocked.add(address_of("Finn"), "", club.clock.now())
        gus = tx.players.get(numbers[6])
        assert gus
        tx.players.set_preference(gus, "muted", True)
    pass_until(club, lambda: bool(read_league_of(club).seasons))
    assert sorted(season_of(club).players) == numbers[:5]
    with club.service.database.transaction() as tx:
        tx.blocked.add(address_of("Eve"), "", club.clock.now())
    for _ in club.pass_time(timedelta(hours=1)):
        pass
    assert len(matches_of(club)) < 10
    decide_rest(club)
    pass_until(club, lambda: read_league_of(club).season is None)
    eve = next(row for row in tables_of(club)[0] if row.player == numbers[4])
    assert eve.won + eve.lost + eve.void == 4


def test_two_who_are_one_person_have_one_place(club: Club) -> None:
    """Whoever has played under another name keeps all of it; two who have met can't be one."""
    numbers = begin_season(club)
    add_players(club, ("Finn",))
    with pytest.raises(BadInput):
        merge_players(club.service, "Eve", "Dora")
    merge_players(club.service, "Eve", "Finn")
    league = read_league_of(club)
    assert numbers[4] not in league.entered
    assert len(league.entered) == 5
    decide_rest(club)
    pass_until(club, lambda: read_league_of(club).season is None)
    assert [row.points for row in tables_of(club)[0]] == [8, 6, 4, 2, 0]
    assert numbers[4] not in [row.player for row in tables_of(club)[0]]


def test_a_ruling_after_the_end_changes_the_table_alone(club: Club) -> None:
    """Nothing is stored that it would have to correct, and the season stays over."""
    numbers = begin_season(club)
    decide_rest(club)
    pass_until(club, lambda: read_league_of(club).season is None)
    before = tables_of(club)
    match = match_between(club, "Dora", "Eve")
    rule(club.service, match.id, lambda one, now: reinstate(one, "adjudicated", now))
    decide(club, match, "Eve")
    assert [row.player for row in tables_of(club)[0]][-2:] == [numbers[4], numbers[3]]
    assert tables_of(club) != before
    with club.service.database.reading() as tx:
        league = read_league(tx, tx.contests.all("league")[0])
        assert league.season is None
        assert is_over(tx, league, league.seasons[0])


def test_a_league_of_three_meets_in_threes(club: Club) -> None:
    """Seven players have three matches each, and everybody meets everybody once."""
    numbers = begin_season(club, (*SIX, "Gus"), "zipline 3")
    matches = matches_of(club)
    assert len(matches) == 7
    assert all(len(match.players) == 3 for match in matches)
    for number in numbers:
        mine = [match for match in matches if number in [player.id for player in match.players]]
        assert sorted([player.id for player in match.players].index(number) for match in mine) == [0, 1, 2]
        assert {player.id for match in mine for player in match.players} == set(numbers)
