"""Reads leagues: how each stands, and the tables of its seasons."""

from collections.abc import Sequence
from contextlib import suppress

from pbem.clubs.contest import Contest
from pbem.clubs.league import League, Season, fold
from pbem.clubs.league_results import meet, never_opened
from pbem.clubs.league_table import Meeting, Row, tabulate
from pbem.errors import DamagedRow
from pbem.storage.transaction import Transaction


def read_league(tx: Transaction, contest: Contest) -> League:
    """Return a league as it stands."""
    return fold(contest, tx.contests.events(contest.id))


def list_leagues(tx: Transaction, player: int | None = None) -> list[League]:
    """Return all leagues, or those in which something happened to a player; a damaged one is left out."""
    found = []
    for contest in tx.contests.all("league") if player is None else tx.contests.of_player(player, "league"):
        with suppress(DamagedRow):
            found.append(read_league(tx, contest))
    return found


def read_meetings(
    tx: Transaction, league: League, season: Season, division: int | None = None
) -> tuple[list[Meeting], ...]:
    """Return the matches of each division of a season, or those of one alone, the others without any.

    Raise DamagedRow where they are not those of the draw.
    """
    rows = tx.contests.matches(league.contest.id, season=season.number)
    drawn = list(season.list_matches(league.seats))
    if len(rows) != len(drawn):
        raise DamagedRow(f"Season {season.number} of league {league.contest.name} has not the matches that were drawn.")
    found: tuple[list[Meeting], ...] = tuple([] for _ in season.divisions)
    wanted = [(row, two) for row, two in zip(rows, drawn, strict=True) if division in (None, two[0])]
    numbers = [row.match for row, _ in wanted if row.match is not None]
    matches = {match.id: match for match in tx.matches.all(numbers)} if numbers else {}
    for row, (number, players) in wanted:
        holders = tuple(map(season.holder, players))
        match = matches.get(row.match) if row.match is not None else None
        if match is not None:
            found[number - 1].append(meet(match, holders, season.gone_by(match.changed_at)))
        else:  # damaged, or yet to be opened
            invitation = tx.invitations.get(row.invitation) if row.match is None else None
            failed = invitation is not None and invitation.state == "failed"
            found[number - 1].append(never_opened(holders, season.gone, failed=failed))
    return found


def read_tables(tx: Transaction, league: League, season: Season) -> tuple[tuple[Row, ...], ...]:
    """Return the tables of a season, the highest division first."""
    return tabulate_all(season, read_meetings(tx, league, season))


def tabulate_all(season: Season, meetings: Sequence[Sequence[Meeting]]) -> tuple[tuple[Row, ...], ...]:
    """Return the tables of all divisions of a season with these matches, the highest first."""
    return tuple(tabulate(season.division_now(number), played) for number, played in enumerate(meetings, 1))


def list_running(tx: Transaction, league: League, season: Season) -> list[int]:
    """Return the numbers of the matches of a season that go on; a damaged one is left out."""
    numbers = [number for number in tx.contests.unfinished(league.contest.id, season.number) if number is not None]
    return [match.id for match in tx.matches.all(numbers, running=True)] if numbers else []


def is_over(tx: Transaction, league: League, season: Season) -> bool:
    """Return whether no match of a season goes on, or is yet to be opened; it waits for no damaged one."""
    numbers = tx.contests.unfinished(league.contest.id, season.number)
    # One that can be read is enough: this is asked whenever a match ends.
    return not any(number is None or tx.matches.all([number]) for number in numbers)
