"""What the service publishes, pass after pass: the archive of all matches, and the calendar feeds of their players."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from pbem import archive
from pbem.archive import FeedEvent
from pbem.boards import small_board
from pbem.errors import DamagedMatch
from pbem.mail import Site
from pbem.match import MatchSummary, Player, Span, days_left, public_key
from pbem.notices import describe_feed_time
from pbem.paths import INDEX, match_page
from pbem.pipeline import find_gaps
from pbem.settings import Settings
from pbem.storage import Database, Transaction, Turn
from rules import GAMES

_OVERLAP = timedelta(minutes=5)
_AT_A_TIME = 200  # matches, or players, that are read in one transaction
_MOST_TURNS = 200  # in a feed

_Progress = Callable[[int, int], None]


class Publisher:
    """Writes what has changed since it last did: pages of matches, the index of the archive, feeds of players."""

    def __init__(self, settings: Settings, database: Database, site: Site) -> None:
        self._settings = settings
        self._database = database
        self._site = site
        self._published_at: datetime | None = None
        self._counted_until: datetime | None = None  # the end of the last outage that the pages tell of
        self._index_pages = 0
        self._ledger = archive.Ledger()
        self._boards: dict[int, str] = {}  # the small pictures of the first page, by the numbers of their matches
        self._rematches = archive.Rematches()
        self._publicity = archive.Publicity(site)

    def publish(self, now: datetime, on_progress: _Progress) -> int:
        """Write all that changed since the last call; return the number of changed files. Raises OSError.

        The first call writes everything, and the rules of the games. The page of a damaged match stays as it is.
        ``on_progress`` is called now and then with the number of matches done, and of all to do.
        """
        directory = Path(self._settings.archive_dir)
        # A change is dated before its transaction ends, so a change a little older than the last call may be new.
        since = self._published_at - _OVERLAP if self._published_at else None
        with self._database.reading() as tx:
            newest, changed = tx.matches.newest(), tx.matches.numbers(now, changed_since=since)
            players = set(tx.players.numbers(changed_since=since))
            outage_end = (
                None if find_gaps(tx.heartbeats.last(), now) else _last_outage(tx, since)
            )  # one that goes on gets longer
            if outage_end and since and outage_end != self._counted_until:  # all time that runs ends later now
                changed = sorted({*changed, *tx.clocks.running()})
            changed = self._with_neighbours(tx, changed, everything=since is None)
        written = archive.write_shared(directory) if since is None else 0
        pages, host = set[int](), self._site.address
        for start in range(0, len(changed), _AT_A_TIME):  # so many at a time that they take little memory
            part = changed[start : start + _AT_A_TIME]
            with self._database.reading() as tx:
                matches = tx.matches.all(part, comments=True, checked=True)  # before they are signed
                logs = tx.clocks.logs(part)
            for match in matches:
                self._boards.pop(match.id, None)
                self._ledger.note(match)
                log = logs.get(match.id, ())
                beside = self._rematches.beside(match.id)
                head = self._publicity.match_head(match, now)
                written += archive.write_match(match, directory, self._settings.secret, now, log, beside, head, host)
                written += self._publicity.note(match, directory, now)
            pages |= {archive.page_of(match.id) for match in matches}
            players |= {player.id for match in matches for player in match.players}
            on_progress(start + len(part), len(changed))
        if pages or since is None:
            written += self._write_index(newest, pages, directory, now)
        if since:  # the first pass has seen all of them in their matches
            with self._database.reading() as tx:
                self._ledger.note_players(player for player, _ in tx.players.some(sorted(players)))
        written += self._write_ledger(directory, GAMES if since is None else self._ledger.changes.games)
        written += self._publicity.write(directory, self._ledger.without_page)
        if players or since is None:
            feeds = self._read_feeds(sorted(players))
            written += archive.write_feeds(feeds, directory, self._site, complete=since is None)
        self._published_at = now
        self._counted_until = outage_end or self._counted_until
        return written

    def _with_neighbours(self, tx: Transaction, changed: Sequence[int], *, everything: bool) -> list[int]:
        """Return the numbers of changed matches, and of those that lead to other matches of their players now."""
        found = set(changed)
        for start in range(0, len(changed), _AT_A_TIME):
            seated = tx.players.seated(None if everything else changed[start : start + _AT_A_TIME])
            for match, players in seated.items():
                found |= self._rematches.note(match, players)
            if everything:
                return list(changed)
        return sorted(found)

    def _write_ledger(self, directory: Path, games: Iterable[str]) -> int:
        """Write the pages of ``games``, and what has changed of players and the search; return how many are new."""
        written = archive.write_rules(directory, self._ledger.tallies, games, self._publicity.head)
        written += archive.write_search(self._ledger, directory)
        written += archive.write_players(self._ledger, directory, self._publicity.head)
        self._ledger.changes = archive.Changes()
        return written

    def _write_index(self, newest: int, pages: set[int], directory: Path, now: datetime) -> int:
        """Write the first page of the archive's index, and the numbered ``pages``.

        Matches after the ``newest`` have no page of their own yet. Return the number of changed files.
        """
        last = archive.last_page(newest)
        if last > self._index_pages:  # the last page so far has a newer one now
            pages = pages | set(range(max(1, self._index_pages), last + 1))
        written = 0
        for page in sorted(page for page in pages if page <= last):
            with self._database.reading() as tx:
                matches = tx.matches.summaries(before=page * archive.PAGE + 1, limit=archive.PAGE)
            # Numbers may have gaps: then there are older matches among these.
            listed = [match for match in _sound(matches) if archive.page_of(match.id) == page]
            written += archive.write_index(page, last, listed, directory, now, self._publicity.head(INDEX))
        self._index_pages = last
        return written + self._write_front(last, directory, now)

    def _write_front(self, last: int, directory: Path, now: datetime) -> int:
        """Write the first page, which leads to the ``last`` numbered one; return whether it is new."""
        with self._database.reading() as tx:
            running = _sound(tx.matches.summaries(running=True, limit=archive.RUNNING))
            finished = _sound(tx.matches.latest_finished(archive.FINISHED))
            shown = [match.id for match in archive.shown_first(running)]
            unknown = tx.matches.all([number for number in shown if number not in self._boards])
        self._boards |= {match.id: small_board(match.position.view()) for match in unknown}
        self._boards = {number: board for number, board in self._boards.items() if number in shown}
        key = public_key(self._settings.secret)
        head = self._publicity.head(INDEX)
        return archive.write_front(running, finished, self._boards, last, directory, key, now, head)

    def _read_feeds(self, players: Sequence[int]) -> Iterator[tuple[Player, list[FeedEvent]]]:
        """Yield players with all that their feeds show; one without a turn has an empty feed."""
        for start in range(0, len(players), _AT_A_TIME):
            part = players[start : start + _AT_A_TIME]
            with self._database.reading() as tx:
                found = tx.players.some(part)
                turns = tx.clocks.turns(part, _MOST_TURNS)
                since = min((turn.clock.since for turn in turns if turn.clock.since), default=None)
                outages = tx.heartbeats.outages_since(since) if since else ()
            own = {number: list(group) for number, group in groupby(turns, key=lambda turn: turn.player)}
            for player, changed_at in found:
                yield player, list(_events(player, changed_at, own.get(player.id, ()), outages, self._site))


def _sound(found: Iterable[MatchSummary | DamagedMatch]) -> list[MatchSummary]:
    """Return the matches that can be shown."""
    return [match for match in found if isinstance(match, MatchSummary)]


def _last_outage(tx: Transaction, since: datetime | None) -> datetime | None:
    """Return when the last outage ended, if that was after a moment."""
    outages = tx.heartbeats.outages_since(since) if since else ()
    return max((end for _, end in outages), default=None)


def _events(
    player: Player, changed_at: datetime | None, turns: Sequence[Turn], outages: Sequence[Span], site: Site
) -> Iterator[FeedEvent]:
    """Yield the turns of a player as their feed shows them; ``changed_at`` is when their calendar last changed."""
    calendar = player.calendar
    for turn in turns:
        clock, since = turn.clock, turn.clock.since
        deadline = clock.deadline(calendar, outages)
        if clock.seat is None or since is None or deadline is None:
            continue
        control = clock.control
        ends = [end for _, end in outages if since < end]
        spare = calendar.automatic and days_left(calendar, site.vacation_days, deadline) > 0
        yield FeedEvent(
            turn.match,
            turn.game.title,
            clock.seat,
            turn.ply,
            starts_at=clock.turned_at or since,
            due_at=deadline,
            changed_at=max([turn.changed_at, *([changed_at] if changed_at else ()), *ends]),
            sentence=describe_feed_time(
                deadline, since, calendar, control.policy, begun=turn.moves > 0, spare=spare, language=site.language
            ),
            url=f"{site.archive_url.rstrip('/')}/{match_page(turn.match)}" if site.archive_url else "",
            alarms=control.default_steps() if calendar.remind is None else calendar.remind,
        )
