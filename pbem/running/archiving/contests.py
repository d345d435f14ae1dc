"""The pages of ladders and leagues, as passes keep them up to date: one is read again where something changed in it.

A move in one of its matches changes nothing there; an event, a beginning, an end and a ruling do, and names.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pbem.archive.contests.index import ContestView, link_contest, link_season, write_contests
from pbem.archive.contests.ladders import view_ladder, write_ladder
from pbem.archive.contests.leagues import (
    SeasonView,
    view_league,
    view_season,
    write_league,
    write_season,
)
from pbem.archive.contests.parts import People, as_news
from pbem.archive.contests.programs import Told, tell_ladder, tell_league, tell_season, write_list
from pbem.archive.lists.contest_lines import ContestLine
from pbem.archive.lists.ledger import Ledger
from pbem.archive.made_of import Made
from pbem.archive.pages import without_addresses
from pbem.archive.publicity import Publicity
from pbem.archive.way_in import WayIn
from pbem.asking.contests.standings import read_ladder
from pbem.clubs.contest import Contest, ContestEvent
from pbem.due.league.reading import read_league, read_meetings
from pbem.errors import DamagedRow
from pbem.mail.archive_paths import CONTESTS_PAGE, contest_page, news_page
from pbem.running.archiving.affected import PLAYERS_AT_A_TIME, in_parts
from pbem.storage.database import Database
from pbem.storage.transaction import Transaction


class Writing(NamedTuple):
    """What writes the pages of contests: where they go, and what they have in common with others."""

    database: Database
    directory: Path
    ledger: Ledger
    publicity: Publicity
    made: Made
    way_in: WayIn
    unlisted: Collection[int]
    now: datetime


class ContestPages:
    """Writes the pages of ladders and leagues, and remembers what others show of them.

    What waits is dropped when it is written.
    """

    def __init__(self) -> None:
        self._views: dict[int, ContestView] = {}
        self._seasons: dict[int, dict[int, SeasonView]] = {}  # by league and number
        self._told: dict[int, Told] = {}  # to programs
        self._seasons_told: dict[int, dict[int, Told]] = {}
        self._people: dict[int, dict[int, tuple[str, int | None]]] = {}  # as a contest shows them
        self._lines: dict[int, dict[int, list[ContestLine]]] = {}  # by contest and player
        self._stands: dict[int, object] = {}  # how a match of a contest stood
        self._event = 0  # the newest that is known
        # What waits:
        self._contests: dict[int, set[int]] = {}  # with seasons
        self._matches: set[int] = set()
        self._players: set[int] = set()
        self._has_news = False  # for the list of all

    def look(self, tx: Transaction, matches: Iterable[int], players: Iterable[int]) -> bool:
        """Note what has changed; return whether there are ladders or leagues now where there were none."""
        first = not self._event
        self._matches |= {*matches}
        self._players |= {*players}
        self._event, changed = tx.contests.changed_after(self._event)
        for number in changed:
            self._contests.setdefault(number, set())
        return first and self._event > 0

    @property
    def exist(self) -> bool:
        """Whether there is any ladder or league."""
        return self._event > 0

    @property
    def waiting(self) -> int:
        """The number of contests that are known to wait."""
        return len(self._contests)

    @property
    def pages(self) -> set[str]:
        """The paths of all pages that there are now."""
        if not self.exist:
            return set()
        seasons = {contest_page(number, season) for number, own in self._seasons.items() for season in own}
        return {CONTESTS_PAGE, *map(contest_page, self._views), *seasons}

    @property
    def paths(self) -> set[str]:
        """The paths of all pages and feeds that there are now."""
        return self.pages | {news_page(contest_page(number)) for number in self._views}

    def lines_of(self, player: int) -> list[ContestLine]:
        """Return what the page of a player says of contests: of each league the newest season first."""
        return [line for number in sorted(self._lines) for line in self._lines[number].get(player, ())]

    def of_game(self, key: str) -> list[tuple[str, str]]:
        """Return how the page of a game leads to its ladders and leagues."""
        return [link_contest(view) for _, view in sorted(self._views.items()) if view.key == key]

    @staticmethod
    def link_matches(tx: Transaction, matches: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Return what the ladders and seasons are called that matches are of, and where their pages are."""
        places, contests = tx.contests.of_matches(matches), dict[int, Contest | None]()
        for number in {place.contest for place in places.values()}:
            with suppress(DamagedRow):  # its pages may be missing; the doctor tells of it
                contests[number] = tx.contests.get(number)
        found = ((match, contests.get(place.contest), place) for match, place in places.items())
        return {match: link_season(contest, place) for match, contest, place in found if contest}

    def write(self, writing: Writing) -> Iterator[int]:
        """Write the pages that are to be others, step by step; yield how many files each step changed. OSError."""
        self._find_changed(writing)
        for number in sorted(self._contests):
            try:
                yield from self._write_contest(number, writing)
            except DamagedRow:  # its pages stay as they are, as those of a damaged match do; the doctor tells of it
                yield 0
            self._contests.pop(number, None)
        if self._has_news:
            write = partial(write_contests, self._views.values(), writing.directory, "")
            yield writing.made.make(CONTESTS_PAGE, repr(sorted(self._views.items())), write)
            yield write_list((told for _, told in sorted(self._told.items())), writing.directory)
            self._has_news = False
        writing.publicity.note_contests(self.pages)

    def _find_changed(self, writing: Writing) -> None:
        """Find the contests that show what has changed in matches, and about players."""
        ledger = writing.ledger
        for part in in_parts(sorted(self._matches), PLAYERS_AT_A_TIME):
            with writing.database.reading() as tx:
                own = tx.contests.of_matches(part)
            for number, place in own.items():
                listed = ledger.matches.get(number)
                stands = (listed.winners, listed.finished is None) if listed else None
                if stands is None or self._stands.get(number) != stands:
                    self._stands[number] = stands
                    self._contests.setdefault(place.contest, set()).add(place.season)
        changed = self._players | ledger.changes.players
        for number, people in self._people.items():
            among = sorted(changed & people.keys())
            if not among:
                continue
            with writing.database.reading() as tx:
                now = _read_people(tx, ledger, among)
            if any(now.get(player) != people[player] for player in among):
                self._contests.setdefault(number, set()).update(self._seasons.get(number, ()))
            elif number not in self._seasons and ledger.changes.rated & people.keys():
                self._contests.setdefault(number, set())
        ledger.changes.rated.clear()
        self._matches.clear()
        self._players.clear()

    def _write_contest(self, number: int, writing: Writing) -> Iterator[int]:
        """Write the pages of a contest."""
        with writing.database.reading() as tx:
            contest = tx.contests.get(number)
        if contest is None:  # of a game that this pbem has not
            return
        is_new = number not in self._views
        if contest.kind == "ladder":
            yield self._write_ladder(contest, writing)
        else:
            yield from self._write_league(contest, writing)
        self._has_news = True
        if is_new:
            writing.ledger.changes.games.add(contest.game.key)

    def _write_ladder(self, contest: Contest, writing: Writing) -> int:
        """Write the page of a ladder, and its feed."""
        ledger = writing.ledger
        with writing.database.reading() as tx:
            events, results = tx.contests.events(contest.id), tx.contests.results(contest.id)
            ladder = read_ladder(tx, contest, writing.now)
            people = _read_people(tx, ledger, _named(events))
        ratings = ledger.ratings[contest.game.key]
        view = view_ladder(contest, ladder, events, results, people, ratings, writing.unlisted)
        self._told[contest.id] = tell_ladder(contest, ladder, people, writing.unlisted)
        self._keep(view, people, view.players, ledger)
        write = partial(write_ladder, view, writing.directory, _head(view, writing), writing.way_in)
        return self._make(view, write, writing)

    def _write_league(self, contest: Contest, writing: Writing) -> Iterator[int]:
        """Write the page of a league, those of its seasons that have changed, and its feed."""
        known, told = self._seasons.setdefault(contest.id, {}), self._seasons_told.setdefault(contest.id, {})
        with writing.database.reading() as tx:
            league = read_league(tx, contest)
            people = _read_people(tx, writing.ledger, _named(tx.contests.events(contest.id)))
        wanted = self._contests.get(contest.id, set())
        latest = league.seasons[-1].number if league.seasons else 0
        for season in league.seasons:
            if season.number in known and season.number not in wanted and season.number != latest:
                continue
            with writing.database.reading() as tx:
                meetings = read_meetings(tx, league, season)
            shown = view_season(league, season, meetings, people, writing.unlisted)
            page = contest_page(contest.id, season.number)
            head = writing.publicity.head(page)
            yield writing.made.make(page, repr(shown), partial(write_season, shown, writing.directory, head))
            known[season.number] = shown
            told[season.number] = tell_season(league, season, meetings, people, writing.unlisted)
        view = view_league(league, known.values(), people)
        self._told[contest.id] = tell_league(league, (told[number] for number in sorted(told)), people)
        newest = sorted(known.values(), key=lambda one: one.number, reverse=True)
        self._keep(view, people, [line for one in newest for line in one.players], writing.ledger)
        write = partial(write_league, view, writing.directory, _head(view, writing), writing.way_in)
        yield self._make(view, write, writing)

    def _keep(
        self,
        view: ContestView,
        people: People,
        lines: Iterable[tuple[int, ContestLine]],
        ledger: Ledger,
    ) -> None:
        """Remember what others show of a contest, and whose pages are to be written for it."""
        before = self._lines.get(view.number, {})
        after: dict[int, list[ContestLine]] = {}
        for player, line in lines:
            after.setdefault(player, []).append(line)
        changed = {player for player in before.keys() | after.keys() if before.get(player) != after.get(player)}
        ledger.changes.players |= changed & ledger.names.keys()
        self._views[view.number], self._people[view.number], self._lines[view.number] = view, dict(people), after

    def _make(self, view: ContestView, write: partial[int], writing: Writing) -> int:
        """Write the page of a contest, and its feed, unless they were made of the same before."""
        page, title = contest_page(view.number), link_contest(view)[0]
        news = as_news(view.number, title, view.moments)

        def write_both() -> int:
            return write() + writing.publicity.write_news(page, title, news, writing.directory)

        return writing.made.make(page, repr((view, news)), write_both)


def _head(view: ContestView, writing: Writing) -> str:
    """Return what the head of the page of a contest says of it to programs."""
    return writing.publicity.head(contest_page(view.number), has_news=bool(view.moments))


def _named(events: Iterable[ContestEvent]) -> list[int]:
    """Return the numbers of everybody whom events name."""
    return sorted({player for event in events for player in (event.player, event.other) if player is not None})


def _read_people(tx: Transaction, ledger: Ledger, players: list[int]) -> dict[int, tuple[str, int | None]]:
    """Return how players are shown: by their names, with a link to their page if they have one."""
    found = dict[int, tuple[str, int | None]]()
    for part in in_parts(players, PLAYERS_AT_A_TIME):
        for player, _ in tx.players.some(part):
            is_linked = player.has_page and player.id in ledger.names
            found[player.id] = without_addresses(player.name), player.id if is_linked else None
    return found
