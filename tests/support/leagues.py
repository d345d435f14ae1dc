"""A league in a club: players who enter it, and how it stands."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from pbem.clubs.league import League, Season
from pbem.clubs.league_table import Row
from pbem.commands.families.contests.leagues import league_name
from pbem.commands.ruling import adjudicate, seat_called
from pbem.due.league.reading import read_league, read_tables
from pbem.match.match import Match
from pbem.running.operator_rulings import rule
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


def begin_season(club: Club, names: Sequence[str] = NAMES, league: str = "pipline") -> list[int]:
    """Let players enter, and time pass until a season has begun and all its matches are open; return their numbers."""
    numbers = enter_all(club, names, league)
    name = league_name(league.split()[0], three=" " in league)
    pass_until(club, lambda: bool(read_league_of(club, name).seasons))
    for _ in club.pass_time(timedelta(hours=1)):
        pass
    return numbers


def pass_until(club: Club, done: Callable[[], bool], days: int = 120) -> None:
    """Let time pass until something is so."""
    for _ in club.pass_time(timedelta(minutes=1)):
        pass  # what is due at once
    if done():
        return
    for _ in club.pass_time(timedelta(days=days)):
        if done():
            return
    assert done()


def match_between(club: Club, first: str, second: str) -> Match:
    """Return the match of two players."""
    return next(match for match in matches_of(club) if {player.name for player in match.players} == {first, second})


def play_twice(club: Club, match: Match) -> None:
    """Let each of two players of Pipline move twice."""
    for seat, move in ((0, "a1"), (1, "take"), (0, "b5"), (1, "c3")):
        club.reply(seat, move, match=match.id)


def lose(club: Club, match: Match, loser: str, *, played: bool = True) -> None:
    """Let a player give a match up; first each side moves twice, if it is ``played``."""
    if played:
        play_twice(club, match)
    seat = next(seat for seat, player in enumerate(match.players) if player.name == loser)
    asked = club.reply(seat, "resign", match=match.id)
    if club.match(match.id).outcome is None:
        club.reply(seat, "yes", match=match.id)
    assert club.match(match.id).outcome is not None, asked.message.reason


def decide(club: Club, match: Match, winner: str) -> None:
    """Let the operator say who has won a match."""
    rule(club.service, match.id, lambda one, now: adjudicate(one, [seat_called(one, winner)], now))


def decide_rest(club: Club) -> None:
    """Let whoever comes first in the alphabet win every match that goes on."""
    for match in matches_of(club):
        if match.outcome is None:
            decide(club, match, min(player.name for player in match.players))
