"""The first page of the archive: the matches that run, the latest that are over, and what is offered to strangers."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from pbem.archive.lists.index import FINISHED, RUNNING, draw_film, shown_first, write_front
from pbem.archive.lists.programs import write_offers
from pbem.archive.lists.shop_window import Window, draw_example, draw_window, list_offers, open_offers
from pbem.archive.way_in import find_way_in
from pbem.boards.small import SmallFilm
from pbem.errors import DamagedMatch
from pbem.mail.archive_paths import CONTESTS_PAGE
from pbem.mail.compose import Site
from pbem.match.invitation import Invitation
from pbem.match.summary import MatchSummary
from pbem.storage.database import Database
from pbem.storage.transaction import Transaction

_OPENING = 6
"""So many moves say little of a game."""


class FrontPage:
    """Writes the first page of a host, and remembers the boards that it shows, and the offers."""

    def __init__(self, database: Database, site: Site) -> None:
        self._database = database
        self.way_in = find_way_in(site)
        self._boards: dict[int, SmallFilm] = {}
        self._window: Window | None = None
        self._offers: list[Invitation] = []
        self._names: dict[int, str] = {}  # of who has offered them

    def forget(self, number: int) -> None:
        """Have the board of a match drawn anew, which has changed."""
        self._boards.pop(number, None)
        if self._window and self._window.match == number:
            self._window = None

    def look_at_offers(self, tx: Transaction) -> bool:
        """Read what strangers may join, if they may; return whether it is new."""
        if not self.way_in:
            return False
        before, found = (self._offers, self._names), tx.invitations.open()
        names = {player.id: player.name for player, _ in tx.players.some(sorted({one.inviter for one in found}))}
        self._offers = open_offers(found, names)
        self._names = {one.inviter: names[one.inviter] for one in self._offers}
        return (self._offers, self._names) != before

    def write(
        self,
        last: int,
        running: Sequence[int] | None,
        parts: Mapping[int, int],
        directory: Path,
        now: datetime,
        head: str,
        *,
        contests: bool,
    ) -> bool:
        """Write the page, which leads to the ``last`` numbered one, and what is offered; return whether it is new.

        ``running`` are the numbers of the matches that were moved in last, None while not all matches are known: then
        the newest stand for them. ``parts`` counts the running ones of each part of the list.
        ``contests``: there are ladders or leagues.
        """
        with self._database.reading() as tx:
            now_running = sound(
                tx.matches.summaries(running=True, listed=True, limit=RUNNING)
                if running is None
                else tx.matches.summaries_of(running)
            )
            finished = sound(tx.matches.latest_finished(FINISHED))
            pictured = [match for matches in shown_first(now_running, finished) for match in matches]
            shown = [match.id for match in pictured]
            unknown = tx.matches.all([number for number in shown if number not in self._boards])
            lively = [match.id for match in pictured if _is_under_way(match)]
            self._window = self._choose_window(tx, (lively or shown)[:1])
        self._boards |= {match.id: draw_film(match) for match in unknown}
        self._boards = {number: board for number, board in self._boards.items() if number in shown}
        found = self._window, list_offers(self._offers, self._names), self.way_in, CONTESTS_PAGE if contests else ""
        changed = write_front(now_running, finished, self._boards, last, directory, now, head, parts, *found)
        return changed | write_offers(self._offers, self._names, self.way_in.host, directory)

    def _choose_window(self, tx: Transaction, shown: Sequence[int]) -> Window:
        """Return the first of the matches ``shown`` as it is shown large; an example where there is none."""
        if self._window and [self._window.match] == [*shown]:
            return self._window
        return next(map(draw_window, tx.matches.all(shown, comments=True)), None) or draw_example()


def _is_under_way(match: MatchSummary) -> bool:
    """Return whether a board shows what a game is about: no auction, and more than its first moves."""
    return all(match.standing.roles) and match.standing.moves_made >= _OPENING


def sound(found: Iterable[MatchSummary | DamagedMatch]) -> list[MatchSummary]:
    """Return the matches that can be shown."""
    return [match for match in found if isinstance(match, MatchSummary)]
