"""The ledger: what lists and statistics remember of every match, so that no page of them reads the database again.

It is kept in memory, filled by a pass that reads every match, and kept for the next process.
"""

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from heapq import nlargest
from itertools import zip_longest

from pbem.archive.lists.index import page_of
from pbem.archive.lists.listing import PAGE
from pbem.archive.lists.tally import Board, Finished, Tally, read_finished
from pbem.archive.pages import without_addresses
from pbem.clubs.glicko2 import Rating
from pbem.clubs.ratings import Ratings
from pbem.clubs.reliability import YEAR, Reliability, count_reliability
from pbem.clubs.results import Result, read_result
from pbem.match.log import LogEntry
from pbem.match.match import Match, is_move
from pbem.match.player import Player
from pbem.match.time.calendar import Absence
from rules.games import GAMES
from rules.position import Seat

_NO_TIMES: tuple[str, tuple[Absence, ...]] = ("", ())


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """What lists tell of a match: ``players`` are numbers in the order of seats; all times are UTC.

    ``winners`` is None while it goes on. ``activity`` counts moves by month (``2026-11``) and seat. ``finished`` is
    what statistics need, None while it goes on and where it counts for nobody. ``result`` is what it says about its
    players, None where that is nothing.
    """

    id: int
    game: str
    players: tuple[int, ...]
    opened_at: datetime
    changed_at: datetime
    moves: int
    roles: tuple[str | None, ...]
    winners: frozenset[Seat] | None
    activity: tuple[tuple[str, Seat, int], ...]
    finished: Finished | None
    rated: bool
    result: Result | None

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.winners is not None

    def seat_of(self, player: int) -> Seat:
        """Return the seat of a player who is in it."""
        return self.players.index(player)


@dataclass(slots=True)
class Changes:
    """What has to be written anew: pages of players and games, and parts of the search by their numbers.

    ``matches`` are those whose players are shown otherwise since they were noted, ``lines`` those that the list for
    programs tells otherwise; ``rated`` are players with another rating.
    """

    matches: set[int] = field(default_factory=set)
    lines: set[int] = field(default_factory=set)
    players: set[int] = field(default_factory=set)
    rated: set[int] = field(default_factory=set)
    games: set[str] = field(default_factory=set)
    parts: set[int] = field(default_factory=set)
    name_parts: set[int] = field(default_factory=set)


class Ledger:
    """All matches by their numbers, the names of their players, and the sums of each game.

    ``changes`` gather until whoever has written them clears them.
    """

    def __init__(self) -> None:
        self.matches: dict[int, ListedMatch] = {}
        self.names: dict[int, str] = {}
        self.without_page: set[int] = set()
        self.pageless: set[int] = set()  # forgotten players and robots: no page says even that there is none
        self.years: set[int] = set()
        self.parts: set[int] = set()
        self.name_parts: set[int] = set()
        self.tallies = {key: Tally() for key in GAMES}
        self.ratings = {key: Ratings() for key in GAMES}
        self.changes = Changes()
        self.has_strangers = False
        """Whether somebody is among the players who is in no match any more."""
        self._of_player: dict[int, list[int]] = defaultdict(list)
        self._told_of: dict[int, set[int]] = defaultdict(set)  # matches whose results say something of a player
        self._running: set[int] = set()
        self._played: set[str] = set()
        self._listed: dict[int, list[Sequence[ListedMatch]]] = {}
        self._times: dict[int, tuple[str, tuple[Absence, ...]]] = {}  # of those who have any
        self._reworded: set[int] = set()  # players whose lists show somebody otherwise
        self._boards: dict[Board, Board] = {}

    def note(self, match: Match, log: Iterable[LogEntry] = ()) -> None:
        """Remember how a match with this ``log`` stands, and what is to be written if that is new."""
        for player in match.players:
            self._note_player(player)
        before, after = self.matches.get(match.id), self._list(match, log)
        if before == after:
            return
        for number in before.players if before else ():
            self._of_player[number].remove(match.id)
        for number in after.players:
            insort(self._of_player[number], match.id)
        self.has_strangers |= before is not None and not all(self._of_player[number] for number in before.players)
        (self._running.discard if after.is_over else self._running.add)(match.id)
        self.matches[match.id] = after
        self.changes.lines.add(match.id)
        if before is None and match.game.key not in self._played:  # its page leads to a feed now
            self._played.add(match.game.key)
            self.changes.games.add(match.game.key)
        self.years.add(after.opened_at.year)
        self.changes.players |= {*after.players, *(before.players if before else ())}
        self._note_result(before.result if before else None, after.result)
        self.parts.add(page_of(match.id))
        self.changes.parts.add(page_of(match.id))
        self.ratings[match.game.key].note(match.id, after.result)
        self._recount(match.game.key, before.finished if before else None, after.finished)

    def _note_result(self, before: Result | None, after: Result | None) -> None:
        """Remember of whom a match says something: not always of those who have its seats."""
        for number, match in ((player, before.match) for player in before.players) if before else ():
            self._told_of[number].discard(match)
        for number, match in ((player, after.match) for player in after.players) if after else ():
            self._told_of[number].add(match)
        if before != after:
            told = {player for one in (before, after) if one for player in one.players}
            self.changes.players |= told & self.names.keys()

    def note_players(self, players: Iterable[Player]) -> None:
        """Remember what is new about players; of those who are in no match nothing is."""
        for player in players:
            if player.id in self.names:
                self._note_player(player)

    def _note_player(self, player: Player) -> None:
        """Remember the name of a player, and whether they have a page: what others are shown, and where that leads.

        And their zone and absences, by which their matches tell days and how long moves took.
        """
        if (times := (player.calendar.zone, player.calendar.absences)) != self._times.get(player.id, _NO_TIMES):
            self._times[player.id] = times
            self.changes.matches.update(self._of_player[player.id])
        name = without_addresses(player.name)
        before = self.names.get(player.id), player.id not in self.without_page, player.id in self.pageless
        if before == (name, player.has_page, not player.has_mail):
            return
        if not player.has_mail:
            self.pageless.add(player.id)
        (self.without_page.discard if player.has_page else self.without_page.add)(player.id)
        if before[0] != name:
            self.names[player.id] = name
            self.name_parts.add(page_of(player.id))
            self.changes.name_parts.add(page_of(player.id))
        own = self._of_player[player.id]
        shown = {player.id}.union(*(self.matches[number].players for number in own))
        self.changes.matches.update(own)
        self.changes.lines.update(own)
        self.changes.games |= {self.matches[number].game for number in own}  # whose ratings name them, or not any more
        self.changes.players |= shown
        self._reworded |= shown

    def refresh_ratings(self) -> None:
        """Work out ratings anew where that is needed, and note who has other ones now."""
        for game, ratings in self.ratings.items():
            if players := ratings.refresh():
                self.changes.players |= players & self.names.keys()
                self.changes.rated |= players
                self.changes.games.add(game)

    def reliability_of(self, player: int) -> Reliability:
        """Return how reliable a player was in the year before the last of their matches with a clock ended."""
        told = (self.matches[number].result for number in self._told_of.get(player, ()))
        results = [one for one in told if one and one.timed]
        last = max((one.at for one in results), default=None)
        recent = [one for one in results if last and one.at > last - YEAR]
        return count_reliability(part for one in recent for part in one.parts if part.player == player)

    def best_players(self, game: str, most: int) -> list[tuple[int, str, Rating]]:
        """Return the numbers and names of the best players of a game who have pages, with their ratings."""
        strangers = self.ratings[game].players - self.names.keys()  # who have no seat by now
        found = self.ratings[game].best(most, self.without_page | strangers)
        return [(player, self.names[player], rating) for player, rating in found]

    def of_player(self, player: int) -> list[ListedMatch]:
        """Return the matches of a player, the newest first."""
        return [self.matches[number] for number in reversed(self._of_player[player])]

    def latest_running(self, most: int) -> list[int]:
        """Return the numbers of the running matches that were moved in last, before those without a move, in order."""

        def rank(number: int) -> tuple[bool, datetime, int]:
            match = self.matches[number]
            return match.moves > 0, match.changed_at, number

        return sorted(nlargest(most, self._running, key=rank))

    def running_by_part(self) -> Mapping[int, int]:
        """Return how many running matches each part of all matches has; none where there are none."""
        return Counter(map(page_of, self._running))

    def new_parts(self, player: int, *, wanted: bool) -> list[tuple[int, Sequence[ListedMatch]]]:
        """Return the parts, from 1, of a list of a player's matches that are others than when this was last asked.

        They go by the order of numbers, so that a part that is full stays as it is once its matches are over. Parts
        that are gone have no matches; all are gone if they are not ``wanted``.
        """
        matches = self.of_player(player)[::-1] if wanted else []
        parts: list[Sequence[ListedMatch]] = [matches[start : start + PAGE] for start in range(0, len(matches), PAGE)]
        before, self._listed[player] = self._listed.get(player, []), parts
        reworded, last = player in self._reworded, min(len(before), len(parts))
        self._reworded.discard(player)
        return [
            (number, new)
            for number, (old, new) in enumerate(zip_longest(before, parts, fillvalue=()), 1)
            if reworded
            or len(old) != len(new)
            or any(one is not other for one, other in zip(old, new, strict=True))
            or (number == last and len(before) != len(parts))  # which leads to a newer one, or not any more
        ]

    def part(self, part: int) -> list[ListedMatch]:
        """Return the matches of a part of the search."""
        numbers = range((part - 1) * PAGE + 1, part * PAGE + 1)
        return [self.matches[number] for number in numbers if number in self.matches]

    def name_part(self, part: int) -> dict[int, str]:
        """Return the names of a part of the search, by the numbers of their players."""
        numbers = range((part - 1) * PAGE + 1, part * PAGE + 1)
        return {number: self.names[number] for number in numbers if number in self.names}

    def _recount(self, game: str, before: Finished | None, after: Finished | None) -> None:
        """Take what was counted of a match out of the sums of its game, and count what it is now."""
        if before == after:
            return
        if before:
            self.tallies[game].count(before, -1)
        if after:
            self.tallies[game].count(after)
        self.changes.games.add(game)

    def _list(self, match: Match, log: Iterable[LogEntry]) -> ListedMatch:
        """Return what lists tell of a match."""
        outcome, finished = match.outcome, read_finished(match)
        activity = Counter(
            (at.strftime("%Y-%m"), entry.seat)
            for entry, at in zip(match.record, match.times, strict=True)
            if entry.seat is not None and is_move(entry)
        )
        return ListedMatch(
            match.id,
            match.game.key,
            tuple(player.id for player in match.players),
            match.opened_at,
            match.changed_at,
            match.moves_made,
            match.position.roles(),
            outcome.winners if outcome else None,
            tuple((month, seat, count) for (month, seat), count in sorted(activity.items())),
            # One board for all: there are few of them, and hundreds of cells in each.
            replace(finished, board=self._boards.setdefault(finished.board, finished.board)) if finished else None,
            match.rated,
            read_result(match, log),
        )
