"""A club whose players are in a league or a ladder, for the letters on Sundays."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from pbem.clubs.contest import ContestEvent, ContestMatch
from pbem.clubs.league import draw_events, fold
from pbem.match.invitation import Guest, Invitation
from pbem.match.player import Player
from pbem.match.time.calendar import Calendar
from pbem.storage.messages.records import OutboundRecord
from rules.games import GAMES
from tests.support.club import Club
from tests.support.mails import text_of

NAMES = ("Ann", "Bob", "Carl", "Dora", "Eve")
"""The players of a division."""

FIRST = datetime(2026, 11, 22, 9, tzinfo=UTC)
"""The first Sunday of a new club, at the hour of letters."""

OPTIONS = {"size": "5", "days": "7", "flag": "forfeit"}
PIPLINE = GAMES["pipline"]


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


def open_match(club: Club, contest: int, event: int, names: Sequence[str], division: int = 0) -> int:
    """Open a match of a contest, and return its number."""
    match = club.open(players=tuple(f"{name} <{address_of(name)}>" for name in names), days="7", flag="forfeit")
    with club.service.database.transaction() as tx:
        now = club.clock.now()
        guests = tuple(Guest(player.name, "", player.id, "accepted") for player in match.players)
        number = tx.invitations.next_number()
        until = now + timedelta(days=14)
        tx.invitations.store(
            Invitation(number, "named", PIPLINE, OPTIONS, match.players[0].id, guests, now, until, "opened")
        )
        tx.contests.add_match(ContestMatch(contest, number, event, int(division > 0), division, match.id))
    return match.id


def begin_league(club: Club, names: Sequence[str] = NAMES) -> dict[frozenset[str], int]:
    """Let a season of one division begin; return the number of each match by the names of its players."""
    numbers = add_players(club, names)
    known = dict(zip(numbers, names, strict=True))
    now = club.clock.now()
    with club.service.database.transaction() as tx:
        contest = tx.contests.open("league", PIPLINE, "pipline", OPTIONS, now)
        events = [ContestEvent(now, "opened", arguments={"seats": 2, "size": 8})]
        events += [ContestEvent(now, "entered", number) for number in numbers]
        for event in [*events, *draw_events([tuple(numbers)], 1, "lot", now)]:
            tx.contests.add(contest.id, event)
        league = fold(contest, tx.contests.events(contest.id))
        season = league.season
    assert season
    opened = {}
    for division, players in season.list_matches(2):
        two = [known[player] for player in players]
        opened[frozenset(two)] = open_match(club, contest.id, season.event, two, division)
    return opened


def begin_ladder(club: Club, names: Sequence[str] = NAMES, name: str = "pipline") -> int:
    """Let players enter a ladder, the first one on top; return its number."""
    now = club.clock.now()
    numbers = add_players(club, names)
    with club.service.database.transaction() as tx:
        ladder = tx.contests.open("ladder", PIPLINE, name, OPTIONS, now)
        for event in [ContestEvent(now, "opened"), *(ContestEvent(now, "entered", number) for number in numbers)]:
            tx.contests.add(ladder.id, event)
    return ladder.id


def challenge(club: Club, ladder: int, challenger: str, challenged: str) -> int:
    """Let a match be opened that follows from a challenge; return its number."""
    one, other = add_players(club, (challenger, challenged))
    with club.service.database.transaction() as tx:
        event = tx.contests.add(ladder, ContestEvent(club.clock.now(), "challenged", one, other))
    return open_match(club, ladder, event, (challenger, challenged))


def letters(club: Club, name: str = "") -> list[OutboundRecord]:
    """Return all letters, or those to somebody, the oldest first."""
    return [one for one in club.queued(kind="letter") if not name or one.recipient == address_of(name)]


def letter_to(club: Club, name: str) -> str:
    """Return the text of the newest letter to somebody, on one line."""
    return " ".join(text_of(club.mail(letters(club, name)[-1])).split()).replace(" > ", " ")


def pass_to_sunday(club: Club, *, weeks: int = 0, hours: float = 4) -> None:
    """Let time pass until some hours after the next hour of letters, or that so many weeks after the first one."""
    until = FIRST + timedelta(weeks=weeks, hours=hours)
    for _ in club.pass_time(until - club.clock.now()):
        pass


def player_of(club: Club, name: str) -> Player:
    """Return a player as they are stored."""
    with club.service.database.reading() as tx:
        found = tx.players.find(address_of(name))
    assert found
    return found


def set_calendar(club: Club, name: str, calendar: Calendar) -> None:
    """Give somebody a calendar."""
    with club.service.database.transaction() as tx:
        tx.players.set_calendar(player_of(club, name), calendar, club.clock.now())
