"""A league in a club: players who enter it, and how it stands."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from pbem.clubs.league import League, Season
from pbem.clubs.league_table import Row
from pbem.due.league.reading import read_league, read_tables
from pbem.match.match import Match
from tests.support.club import Club

NAMES = ("Ann", "Bob", "Carl", "Dora", "Eve")
"""As many as a season begins with."""


def address_of(name: str) -> str:
    """Return the address of a player of that name."""
    return f"{name.lower()}@{name[0].lower()}.example"


def add_players(club: Club, names: Sequence[str] = NAMES) -> list[int]:
    """Let people be players, and return their numbers."""
    with club.service.database.transaction() as tx:
        return [
            (tx.players.find(address_of(name)) or tx.players.add(name, address_of(name), club.clock.now())).id
            for name in names
        ]


def enter_all(club: Club, names: Sequence[str] = NAMES, league: str = "pipline") -> list[int]:
    """Let players enter a league, one after the other, each by an email and a yes to whether they wrote it."""
    numbers = add_players(club, names)
    for name in names:
        club.write(f"league {league}", address_of(name))
        club.answer_kind("confirm_start", -1, "yes")
    return numbers


def read_league_of(club: Club, name: str = "pipline") -> League:
    """Return how a league stands."""
    with club.service.database.reading() as tx:
        contest = tx.contests.find("league", name)
        assert contest is not None
        return read_league(tx, contest)


def season_of(club: Club, name: str = "pipline") -> Season:
    """Return the latest season of a league."""
    return read_league_of(club, name).seasons[-1]


def tables_of(club: Club, name: str = "pipline") -> tuple[tuple[Row, ...], ...]:
    """Return the tables of the latest season of a league."""
    with club.service.database.reading() as tx:
        contest = tx.contests.find("league", name)
        assert contest is not None
        league = read_league(tx, contest)
        return read_tables(tx, league, league.seasons[-1])


def matches_of(club: Club) -> list[Match]:
    """Return all matches of a club."""
    with club.service.database.reading() as tx:
        return tx.matches.all()


def begin_season(club: Club, days: int = 45) -> Iterator[datetime]:
    """Let time pass until a season has begun and all its matches are open; yield nothing else."""
    for moment in club.pass_time(timedelta(days=days)):
        if read_league_of(club).season:
            break
        yield moment
    yield from club.pass_time(timedelta(hours=3))
