"""Who gets the Sunday letter: whoever plays in a contest that goes on, and wants it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.clubs.contest import Contest, ContestEvent
from pbem.clubs.ladder import fold_ladder
from pbem.clubs.league import League, fold
from pbem.clubs.week import Week, is_letter_due, week_before
from pbem.errors import DamagedRow
from pbem.match.player import Player
from pbem.pipeline.interpret import LETTER
from pbem.storage.transaction import Transaction

_LATELY = timedelta(days=4)
_COME_AND_GO = ("opened", "entered", "left", "removed")
"""What happens in a ladder by which somebody is in it or not: challenges change no more than places."""


@dataclass(frozen=True, slots=True)
class Circle:
    """Those who are told the same of a contest: a ``division`` of a league, counted from 1, or a whole ladder."""

    contest: Contest
    events: Sequence[ContestEvent]
    league: League | None = None
    division: int = 0


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who gets the letter, with what it is about."""

    player: Player
    circles: tuple[Circle, ...]
    week: Week

    @property
    def key(self) -> str:
        """What names the letter, so that nobody gets it twice."""
        return f"{LETTER} {self.week.day.isoformat()}"


def list_circles(tx: Transaction) -> Mapping[int, list[Circle]]:
    """Return, by the numbers of players, in which circles they are; a damaged contest is left out."""
    found = dict[int, list[Circle]]()
    for contest in tx.contests.all():
        for circle, players in _list_parts(tx, contest):
            for player in players:
                found.setdefault(player, []).append(circle)
    return found


def _list_parts(tx: Transaction, contest: Contest) -> Iterator[tuple[Circle, Sequence[int]]]:
    """Yield the circles of a contest that goes on, with who is in each."""
    try:
        events = tx.contests.events(contest.id)
    except DamagedRow:
        return
    if contest.kind == "ladder":
        yield Circle(contest, events), fold_ladder([event for event in events if event.kind in _COME_AND_GO], ()).people
        return
    league = fold(contest, events)
    season = league.season
    for division in range(1, len(season.divisions) + 1 if season else 1):
        assert season is not None  # mypy does not see it
        players = [player for player in season.division_now(division) if player not in season.gone]
        yield Circle(contest, events, league, division), players


def list_players(tx: Transaction, circles: Mapping[int, list[Circle]]) -> list[Player]:
    """Return the players of all circles who want a letter and can be written to."""
    players = [player for player, _ in tx.players.some(sorted(circles))] if circles else []
    lost = {address.email for address in tx.players.bouncing() if address.unreachable}
    found = [player for player in players if _wants_letter(player) and player.email not in lost]
    blocked = tx.blocked.among(email for player in found for email in player.emails)
    return [player for player in found if not player.emails & blocked]


def _wants_letter(player: Player) -> bool:
    """Return whether a player gets email, and wants a letter."""
    return player.has_mail and player.preferences.letter and not player.preferences.muted


def _is_away(player: Player, now: datetime) -> bool:
    """Return whether a player has said that they are away: a day that was taken by itself says nothing of the kind."""
    absence = player.calendar.absent_at(now)
    return absence is not None and absence.kind != "automatic"


def list_readers(
    tx: Transaction, circles: Mapping[int, list[Circle]], players: Iterable[Player], now: datetime
) -> list[Reader]:
    """Return who is to get a letter now and has not had it, those of a circle beside each other; nobody who is away."""
    had = {(to, key) for to, key, _ in tx.outbound.keys(LETTER, now - _LATELY)}
    found = []
    for player in players:
        week = week_before(now, player.calendar)
        if is_letter_due(week, player.calendar, now) and not _is_away(player, now):
            reader = Reader(player, tuple(circles[player.id]), week)
            if not any((email, reader.key) in had for email in player.emails):
                found.append(reader)
    return sorted(found, key=lambda one: ([(it.contest.id, it.division) for it in one.circles], one.player.id))
