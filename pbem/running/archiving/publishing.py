"""What the service publishes, pass after pass: the archive of all matches, and the calendar feeds of their players."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Literal

from pbem.archive.about import write_about
from pbem.archive.feeds import feed_keys, remove_feed, write_feeds
from pbem.archive.lists.index import RUNNING, last_page, page_of, write_index
from pbem.archive.lists.ledger import Ledger
from pbem.archive.lists.listing import PAGE
from pbem.archive.lists.players import describe_player, name_player_lists, write_moved, write_players
from pbem.archive.lists.programs import ListsForPrograms
from pbem.archive.lists.rules_pages import write_rules
from pbem.archive.lists.search import write_search
from pbem.archive.lock import building
from pbem.archive.made_of import Made, describe_match
from pbem.archive.match.page import write_match
from pbem.archive.match.rematches import Rematches
from pbem.archive.pages import close_listing, write_shared
from pbem.archive.publicity import Publicity
from pbem.archive.sweep import remove_hidden, remove_outdated, remove_revealed, remove_unfinished
from pbem.due.outages import find_gaps, last_outage_end, outages_during
from pbem.errors import Unwritable
from pbem.mail.archive_paths import INDEX, PRIVATE, index_page, match_page, player_page, search_part
from pbem.mail.compose import Site
from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.thought import Shown
from pbem.match.time.calendar import Span
from pbem.running.archiving.affected import AT_A_TIME, PLAYERS_AT_A_TIME, find_shown, in_parts, note_circles
from pbem.running.archiving.contests import ContestPages, Writing
from pbem.running.archiving.front_page import FrontPage, sound
from pbem.running.archiving.pass_memory import PassMemory
from pbem.running.archiving.turn_feeds import read_feeds
from pbem.settings.model import Settings
from pbem.storage.database import Database
from rules.games import GAMES

_OVERLAP = timedelta(minutes=5)
_KEPT = (
    "_unlisted",
    "_is_swept",
    "_published_at",
    "_counted_until",
    "_last_page",
    "_ledger",
    "_programs",
    "_rematches",
    "_publicity",
    "_contests",
)

Phase = Literal["matches", "lists", "pictures"]
"""What a pass makes, in this order: pages of matches; what tells of several, with pages of players; pictures."""

Progress = Callable[[Phase, int, int], None]
"""Is told how many of a phase are done, and of how many."""


class Publisher:
    """Writes what has changed since it last did: pages of matches, the index of the archive, feeds of players.

    All that waits to be written is kept here, and each thing is dropped when it is written: a pass can end anywhere,
    and the next one goes on. ``timer`` counts seconds.
    """

    def __init__(
        self, settings: Settings, database: Database, site: Site, timer: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._database = database
        self._site = site
        self._timer = timer
        self._made: Made | None = None
        self._memory = PassMemory(settings, database, site)
        self._start_over()

    def _start_over(self) -> None:
        """Know nothing of what is written: the next pass looks at everything, as the first of all does.

        So it does when a match that lists have becomes private: what they remember of it is in sums and in the newest
        of many; and when a seat passed from somebody who was in no other match, or a feed needs what is forgotten, or a
        match can't be read any more that lists tell of: they would keep the names that its players had.
        """
        self._unlisted = set[int]()
        self._is_swept = False  # whether lists that are no more have gone
        self._published_at: datetime | None = None  # when the last pass began that has not ended before its end
        self._began_at: datetime | None = None
        self._looked_at: datetime | None = None
        self._counted_until: datetime | None = None  # the end of the last outage that the pages tell of
        self._last_page = 0  # of the index
        self._ledger = Ledger()
        self._programs = ListsForPrograms()
        self._front = FrontPage(self._database, self._site)
        self._rematches = Rematches()
        self._publicity = Publicity(self._site)
        self._contests = ContestPages()
        self._has_lost = False  # a match that lists tell of
        self.is_behind = False
        """Whether something waits for the next pass."""
        # What waits, by its numbers:
        self._touched: set[int] = set()  # matches that have changed
        self._unread: dict[int, None] = {}  # matches that this process has not seen yet, the latest change last
        self._pages: set[int] = set()  # of the index
        self._has_news = True  # for the first page of the index
        self._moved: dict[int, Player] | None = None  # players who are others now, where that may be new
        self._feeds: set[int] = set()  # players
        self._strange_feeds: set[str] = set()  # those of nobody that this process has seen so far

    def publish(
        self, now: datetime, on_progress: Progress = lambda phase, done, total: None, seconds: float | None = None
    ) -> int:
        """Write all that changed since the last call; return the number of changed files.

        The first call goes on where an earlier process has ended, or looks at everything; nothing is made again of the
        same. The page of a damaged match stays as it is. After so many ``seconds`` the pass ends, even if it
        ``is_behind`` then. ``on_progress`` is told now and then how far it is. Raises Unwritable, and Busy while
        another process writes there for long.
        """
        directory = Path(self._settings.archive_dir)
        try:
            with building(directory) as was_stopped:
                if was_stopped or self._made is None:
                    remove_unfinished(directory)
                return self._publish(directory, now, on_progress, seconds)
        except OSError as error:
            raise Unwritable(f"The archive in {directory} can’t be written: {error.strerror}.") from error

    def keep(self) -> None:
        """Keep what the passes remember, at the end of a process; what another one has kept since the last pass stays.

        If something waits to be written, there is nothing to go on from. Raises Unwritable, and Busy.
        """
        directory = Path(self._settings.archive_dir)
        if self._made is None or self.is_behind:
            return
        try:
            with building(directory) as was_stopped:
                if not was_stopped:
                    self._memory.keep({name: self.__dict__[name] for name in _KEPT}, self._made)
        except OSError as error:
            raise Unwritable(f"The archive in {directory} can’t be written: {error.strerror}.") from error

    def _publish(self, directory: Path, now: datetime, on_progress: Progress, seconds: float | None) -> int:
        """Write all that changed into a directory where nobody else writes, or as much as there is time for."""
        ends_at = None if seconds is None else self._timer() + seconds
        if self._made is None:
            made = Made(directory, self._site, draws=self._publicity.draws)
            made.read()
            self._made = made
            if (kept := self._memory.recall(made)) and kept["_published_at"] <= now:
                self.__dict__.update(kept)
                changes = {match.id: match.changed_at for match in self._ledger.matches.values()}
                self._unread = dict.fromkeys(sorted(self._memory.find_others(changes, directory)))
        self._memory.drop(directory)
        written = 0
        try:
            written += self._look(directory, now)
            for new in self._write(directory, self._made, now, on_progress):
                written += new
                if ends_at is not None and self._timer() >= ends_at:
                    return written
            if self._ledger.has_strangers or self._publicity.is_short or self._has_lost:
                self._start_over()
                rest = None if ends_at is None else max(0, ends_at - self._timer())
                return written + self._publish(directory, now, on_progress, rest)
            if not self._is_swept:
                written += remove_outdated(directory, self._name_lists())
                self._is_swept = True
            if self._moved is not None:
                written += write_moved(self._moved, self._ledger.names.keys(), directory)
                self._moved = None
            self.is_behind = False
            self._published_at = self._began_at
        finally:
            self._made.save()
        return written

    def _is_listed(self, number: int, directory: Path) -> bool:
        """Return whether a match is where anybody can find it."""
        return number in self._ledger.matches or (directory / match_page(number)).exists()

    def _hide(self, directory: Path, unlisted: set[int], players: Collection[int] | None) -> int:
        """Remove the files in the wrong place of matches that are ``unlisted`` now, or no more; return their number.

        ``players`` are in matches that are listed; None where nothing that anybody could find has to be removed.
        """
        if unlisted:
            close_listing(directory / PRIVATE)
        revealed, self._unlisted = self._unlisted - unlisted, unlisted
        if players is not None:
            return remove_hidden(directory, unlisted, players, self._settings.secret)
        return remove_revealed(directory, revealed, self._settings.secret) if revealed else 0

    def _name_lists(self) -> set[str]:
        """Return the paths of all lists and feeds that there are now, but those of single matches."""
        return {
            *(index_page(page) for page in range(1, self._last_page + 1)),
            *(search_part("matches", part) for part in self._ledger.parts),
            *(search_part("names", part) for part in self._ledger.name_parts),
            *name_player_lists(self._ledger),
            *self._publicity.lists,
            *self._contests.paths,
        }

    def _look(self, directory: Path, now: datetime) -> int:
        """Find what has changed; return how many files of all pages are new."""
        # A change is dated before its transaction ends, so a change a little older than the last pass may be new. While
        # one is under way, it is enough to look at what has changed since it looked.
        since = self._published_at - _OVERLAP if self._published_at and not self.is_behind else self._looked_at
        with self._database.reading() as tx:
            newest, changed = tx.matches.newest(), tx.matches.numbers(now, changed_since=since)
            private = tx.matches.unlisted(None if since is None else changed)
            if any(self._is_listed(number, directory) for number in private - self._unlisted) and since:
                self._start_over()
                return self._look(directory, now)
            unlisted = (self._unlisted - {*changed}) | private
            players = tx.players.numbers(changed_since=since)
            self._has_news |= self._front.look_at_offers(tx)
            self._has_news |= self._contests.look(tx, (*self._unread, *changed), players)
            # One that goes on gets longer.
            outage_end = None if find_gaps(tx.heartbeats.last(), now) else last_outage_end(tx, since)
            if outage_end and since and outage_end != self._counted_until:  # all time that runs ends later now
                changed = sorted({*changed, *tx.clocks.running()})
            neighbours = note_circles(tx, self._rematches, unlisted, changed if since else None)
            shown = self._rematches.players if since is None else set[int]()
            if players:
                self._moved = tx.players.merged()
                shown |= self._moved.keys()
        written = self._hide(directory, unlisted, shown if since is None else None)
        if self._looked_at is None:
            written += write_shared(directory) + write_about(directory, self._settings)
            self._pages |= {page_of(number) for number in (*self._unread, *(changed if since else ()))}
        if since is None:
            self._unread = dict.fromkeys(changed)
            self._strange_feeds = feed_keys(directory)
            self._ledger.changes.games |= {*GAMES}
        else:
            self._touched |= {*changed, *neighbours, *find_shown(self._database, self._ledger, players, self._unlisted)}
        self._feeds |= {*players}
        last = last_page(newest)
        if last > self._last_page:  # the last page so far has a newer one now
            self._pages |= set(range(max(1, self._last_page), last + 1))
            self._has_news = True
        self._last_page = last
        if not self.is_behind:
            self._began_at = now
        self._looked_at, self.is_behind = now, True
        self._counted_until = outage_end or self._counted_until
        return written

    def _write(self, directory: Path, made: Made, now: datetime, on_progress: Progress) -> Iterator[int]:
        """Write what waits, step by step, what has changed first; yield how many files each step has changed."""
        if self._touched:
            yield from self._write_matches(sorted(self._touched, reverse=True), directory, made, now, on_progress)
            yield from self._write_index(directory, now)
        if self._unread:
            yield from self._write_matches(list(reversed(self._unread)), directory, made, now, on_progress)
            self._has_news = True  # the ledger has all of them now
        yield from self._write_index(directory, now)
        total = self._count_lists()
        for changed in self._write_lists(directory, made, now):
            yield changed
            if total:
                on_progress("lists", max(0, total - self._count_lists()), total)
        total = self._publicity.pictures_waiting
        for changed in self._publicity.draw(directory):
            yield changed
            on_progress("pictures", total - self._publicity.pictures_waiting, total)

    def _write_matches(
        self, numbers: Sequence[int], directory: Path, made: Made, now: datetime, on_progress: Progress
    ) -> Iterator[int]:
        """Write what there is about each of these matches; yield of each how many files have changed."""
        done = 0
        for part in in_parts(numbers, AT_A_TIME):
            with self._database.reading() as tx:
                found = {match.id: match for match in tx.matches.all(part, comments=True, checked=True)}  # to be signed
                logs = tx.clocks.logs(part)
                thoughts, links = tx.thoughts.published(part), self._contests.link_matches(tx, part)
                outages = tx.heartbeats.outages_since(min((match.opened_at for match in found.values()), default=now))
            for match in (found[number] for number in part if number in found):
                page = match.page(self._settings.secret)
                before = made.stamp(page)
                during, link = outages_during(match, outages), links.get(match.id, ("", ""))
                log, kept = logs.get(match.id, ()), thoughts.get(match.id, ())
                changed = self._write_match(match, log, during, kept, link, directory, made, now)
                is_known = match.id in self._touched and made.stamp(page) == before
                self._touched.discard(match.id)
                self._unread.pop(match.id, None)
                if changed or not is_known:  # what is found again by each pass must not be all that a pass does
                    yield changed
            self._has_lost |= any(number in self._ledger.matches for number in part if number not in found)
            self._touched.difference_update(part)  # those that are damaged, too
            for number in part:
                self._unread.pop(number, None)
            done += len(part)
            on_progress("matches", done, len(numbers))

    def _write_match(
        self,
        match: Match,
        log: Sequence[LogEntry],
        outages: Sequence[Span],
        thoughts: Sequence[Shown],
        contest: tuple[str, str],
        directory: Path,
        made: Made,
        now: datetime,
    ) -> int:
        """Write what there is about a match, unless it was made of the same before; return how many files changed."""
        if not match.private:
            self._ledger.note(match, log)
            self._publicity.note(match, now)
        beside, secret = self._rematches.beside(match.id), self._settings.secret
        page, known = match.page(secret), describe_match(match, log, outages, (*beside, *contest), now, thoughts)

        def write() -> int:
            head, address = self._publicity.match_head(match, now), self._site.archive.address(page)
            told = now, log, beside, head, address, outages, self._settings.address, thoughts, self._front.way_in
            record = write_match(match, directory, secret, *told, self._publicity.provider, contest)
            return record + self._publicity.write_match(match, directory, now)

        before = made.stamp(page)
        written = made.make(page, known, write)
        if not match.private:
            self._publicity.look(match.id, directory)
        if made.stamp(page) != before and not match.private:
            self._front.forget(match.id)
            self._pages.add(page_of(match.id))
            self._has_news = True
        self._feeds |= {player.id for player in match.players}
        return written

    def _write_index(self, directory: Path, now: datetime) -> Iterator[int]:
        """Write the pages of the archive's index that wait, the first one last; yield of each whether it is new.

        Matches after the newest that can be have no page.
        """
        last, head = self._last_page, self._publicity.head(INDEX)
        for page in sorted(page for page in self._pages if page <= last):
            with self._database.reading() as tx:
                matches = tx.matches.summaries(listed=True, before=page * PAGE + 1, limit=PAGE)
            # Numbers may have gaps: then there are older matches among these.
            listed = [match for match in sound(matches) if page_of(match.id) == page]
            changed = write_index(page, last, listed, directory, now, head)
            self._pages.discard(page)
            yield changed
        self._pages.clear()
        if self._has_news:
            running = None if self._unread else self._ledger.latest_running(RUNNING)
            parts = {} if self._unread else self._ledger.running_by_part()
            changed = self._front.write(last, running, parts, directory, now, head, contests=self._contests.exist)
            self._has_news = False
            yield changed

    def _count_lists(self) -> int:
        """Return how many lists wait to be written, feeds included."""
        changes = self._ledger.changes
        parts = len(changes.parts) + len(changes.name_parts)
        players = len(changes.players) + len(self._feeds)
        return len(changes.games) + parts + players + self._publicity.lists_waiting + self._contests.waiting

    def _write_lists(self, directory: Path, made: Made, now: datetime) -> Iterator[int]:
        """Write what tells of several matches, and of players; yield, step by step, how many files have changed."""
        ledger, head = self._ledger, self._publicity.head
        way_in, contests = self._front.way_in, self._contests
        ledger.refresh_ratings()
        yield from contests.write(
            Writing(self._database, directory, ledger, self._publicity, made, way_in, self._unlisted, now)
        )
        yield from self._programs.write(ledger, directory)
        for game in sorted(ledger.changes.games):
            changed = write_rules(
                directory, ledger.tallies, [game], head, ledger.best_players, way_in, contests.of_game
            )
            ledger.changes.games.discard(game)
            yield changed
        yield from write_search(ledger, directory)
        for player in sorted(ledger.changes.players):
            described = describe_player(player, ledger, made, contests.lines_of(player))
            write = partial(write_players, ledger, directory, head, [player], way_in, contests.lines_of)
            changed = made.make(player_page(player), described, write)
            ledger.changes.players.discard(player)
            yield changed
        for part in in_parts(sorted(self._feeds), PLAYERS_AT_A_TIME):
            events = read_feeds(self._database, part, self._site, self._unlisted)
            changed = write_feeds(events, directory, self._site, self._strange_feeds)
            self._feeds.difference_update(part)
            yield changed
        for key in sorted(self._strange_feeds):  # all players have their feeds now
            changed = remove_feed(key, directory)
            self._strange_feeds.discard(key)
            yield changed
        yield from self._publicity.write(directory, ledger.without_page, made)
