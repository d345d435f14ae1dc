"""A season of forty in five divisions: nobody but its players acts, and it comes out as reckoned by hand."""

from collections import Counter
from datetime import timedelta
from fractions import Fraction
from math import isclose
from pathlib import Path
from time import process_time

import pytest
from sqlalchemy import select

from pbem.clubs.league import League
from pbem.clubs.ratings import month_of
from pbem.due.league.reading import read_tables
from pbem.storage.tables import INBOUND
from pbem.storage.transaction import Transaction
from tests.support.club import make_club, settings_in
from tests.support.league_players import LEAVING, NAMES, NEWCOMERS, SILENT, VACATIONS, VANISHING
from tests.support.league_reckoning import (
    Played,
    choose_rated,
    read_played,
    reckon_next,
    reckon_ratings,
    reckon_table,
)
from tests.support.league_season import BEGINS, DIVISION, LONGEST, OUTAGE, LeagueSeason

DIVISIONS = [set(NAMES[start : start + DIVISION]) for start in range(0, len(NAMES), DIVISION)]
"""As everybody is new, they are drawn in the order in which they entered."""

MOVING = 2
"""So many go up and down between two divisions of eight."""

MOST_IN_A_WEEK = 65
"""Emails to anybody, with seven matches at once and the letter on Sunday."""

BESIDE_MOVES = 50
"""Emails to anybody in a season that are no answer to a move: openings and ends, reminders, letters on Sundays."""


@pytest.mark.parametrize(
    ("seed", "played_out"),
    [(1, 0), pytest.param(2, 0.3, marks=pytest.mark.nightly("plays a season of forty, many matches to their end"))],
)
def test_a_season_of_forty_ends_by_itself_as_reckoned_by_hand(
    seed: int, played_out: float, tmp_path: Path, blank_database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Tables, the next draw and ratings; none but drop-outs run out of time, and nobody gets too many emails."""
    settings = settings_in(tmp_path, blank_database)
    settings.new_matches, settings.vacation_days = "anybody", 14
    season = LeagueSeason(make_club(settings), seed, played_out)
    try:
        began = process_time()
        season.play()
        cost = process_time() - began
        with season.club.service.database.reading() as tx:
            played = read_matches(tx, season)
            everything_was_settled(tx, season)
            tables_are_as_reckoned(tx, season.league, played)
            the_next_season_is_as_reckoned(tx, season.league, played)
            ratings_are_as_reckoned(tx, season, played)
        time_was_just(season, played)
        emails_are_bounded(season)
        assert not [record for record in caplog.records if record.levelname == "ERROR"]
        print(tell(season, cost))
    finally:
        season.club.service.database.close()


def read_matches(tx: Transaction, season: LeagueSeason) -> list[Played]:
    """Return how all matches of the first season ended; everybody met everybody of their division."""
    matches = {match.id: match for match in tx.matches.all() if match.id in season.opened}
    met = Counter(frozenset(two) for two in season.opened.values())
    assert met == Counter(
        frozenset((one, other)) for names in DIVISIONS for one in names for other in names if one < other
    )
    return [read_played(matches[number], two) for number, two in season.opened.items()]


def everything_was_settled(tx: Transaction, season: LeagueSeason) -> None:
    """Every message was carried out, and every email sent."""
    assert {status for (status,) in tx.outbound._rows(select(INBOUND.c.status))} == {"accepted"}
    assert {mail.status for mail in season.club.queued()} == {"sent"}


def names_of(tx: Transaction, numbers: tuple[int, ...]) -> list[str]:
    """Return the names of players."""
    players = [tx.players.get(number) for number in numbers]
    return [player.name for player in players if player]


def tables_are_as_reckoned(tx: Transaction, league: League, played: list[Played]) -> None:
    """In every division: places, points, and what became of each match."""
    tables = read_tables(tx, league, league.seasons[0])
    assert len(tables) == len(DIVISIONS)
    for table, names in zip(tables, DIVISIONS, strict=True):
        rows = [
            (row.place, name, Fraction(row.points, 2), row.won, row.drawn, row.lost, row.void)
            for row, name in zip(table, names_of(tx, tuple(row.player for row in table)), strict=True)
        ]
        lines = reckon_table([one for one in played if set(one.two) <= names])
        assert sorted(rows) == sorted(
            (line.place, line.name, line.points, line.won, line.drawn, line.lost, line.void) for line in lines
        )


def the_next_season_is_as_reckoned(tx: Transaction, league: League, played: list[Played]) -> None:
    """Two go up and two down everywhere; who never came and who left are missing, and newcomers begin below."""
    places = [[row.player for row in table] for table in read_tables(tx, league, league.seasons[0])]
    tables = [names_of(tx, tuple(numbers)) for numbers in places]  # ours, as who shares a place stands as drawn
    for names, table in zip(DIVISIONS, tables, strict=True):
        places_of = {line.name: line.place for line in reckon_table([one for one in played if set(one.two) <= names])}
        assert [places_of[name] for name in table] == sorted(places_of.values())
    staying = set(NAMES) - {SILENT, LEAVING}
    expected = reckon_next(tables, staying, NEWCOMERS, DIVISION, MOVING)
    assert [set(names_of(tx, division)) for division in league.seasons[1].divisions] == expected
    assert set(tables[1][:MOVING]) & staying <= expected[0]
    assert set(tables[0][-MOVING:]) & staying <= expected[1]


def ratings_are_as_reckoned(tx: Transaction, season: LeagueSeason, played: list[Played]) -> None:
    """Of everybody, to the ninth digit, over two months; the match with a stand-in counts only if it was lost."""
    rated = choose_rated(played, season.stood_in)
    assert len(rated) < len([one for one in played if one.proven])
    assert len({month_of(one.at) for one in rated}) > 1
    expected = reckon_ratings(rated)
    numbers = {name: player.id for name in NAMES if (player := tx.players.find(season.people[name].address))}
    marks = tx.results.marks("pipline", numbers.values(), month_of(season.now))
    assert {name for name in NAMES if numbers[name] in marks} == expected.keys()
    for name, known in expected.items():
        found = marks[numbers[name]].rating
        for ours, theirs in zip((found.points, found.deviation, found.volatility), known, strict=True):
            assert isclose(ours, theirs, rel_tol=1e-9), name


def time_was_just(season: LeagueSeason, played: list[Played]) -> None:
    """Nobody ran out of time but those who had dropped out, though all had longer than a clock allows."""
    start, end = OUTAGE
    assert any(abs(length - (end - start)) < timedelta(hours=1) for length in season.club.outages())
    assert {one.flagged for one in played} - {None} == {SILENT, VANISHING}
    assert {one.missed for one in played} - {None} == {SILENT, VANISHING}
    waited = {name for name, longest in season.slowest.items() if longest > LONGEST}
    assert len(waited & VACATIONS.keys()) >= 2
    assert waited - VACATIONS.keys()


def emails_are_bounded(season: LeagueSeason) -> None:
    """Each week, and beside the moves: a move leads to an email for each of the two."""
    assert season.most_in_a_week() <= MOST_IN_A_WEEK
    for name, person in season.people.items():
        emails = sum(to == name for _, to, _ in season.emails)
        moves = sum(
            season.people[one].moves.get(match, 0) for match, two in season.opened.items() if name in two for one in two
        )
        assert emails <= moves + BESIDE_MOVES, person.name


def tell(season: LeagueSeason, cost: float) -> str:
    """Return the figures of a season."""
    ended = season.league.seasons[0].ended_at
    assert ended
    weeks = (ended - BEGINS) / timedelta(days=7)
    emails = Counter(name for at, name, _ in season.emails if BEGINS <= at <= ended)
    mean = sum(emails.values()) / len(NAMES)
    return (
        f"{len(season.opened)} matches, {season.messages} messages, {len(season.emails)} emails, {weeks:.1f} weeks; "
        f"emails to a player {mean:.0f}, at most {max(emails.values())}, {mean / weeks:.1f} a week, "
        f"in a week at most {season.most_in_a_week()}; {cost:.1f} s of CPU"
    )
