"""The first page of the archive: the matches that run, the latest that are over, and the boards of some of them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from pbem.archive.lists.index import FINISHED, RUNNING, draw_film, shown_first, write_front
from pbem.boards.small import SmallFilm
from pbem.errors import DamagedMatch
from pbem.match.signature import public_key
from pbem.match.summary import MatchSummary
from pbem.storage.database import Database


class FrontPage:
    """Writes the first page, and remembers the boards that it shows; ``secret`` is the host's."""

    def __init__(self, database: Database, secret: str) -> None:
        self._database = database
        self._secret = secret
        self._boards: dict[int, SmallFilm] = {}

    def forget(self, number: int) -> None:
        """Have the board of a match drawn anew, which has changed."""
        self._boards.pop(number, None)

    def write(
        self,
        last: int,
        running: Sequence[int] | None,
        parts: Mapping[int, int],
        directory: Path,
        now: datetime,
        head: str,
    ) -> bool:
        """Write the page, which leads to the ``last`` numbered one; return whether it is new.

        ``running`` are the numbers of the matches that were moved in last, None while not all matches are known: then
        the newest stand for them. ``parts`` counts the running ones of each part of the list.
        """
        with self._database.reading() as tx:
            now_running = sound(
                tx.matches.summaries(running=True, listed=True, limit=RUNNING)
                if running is None
                else tx.matches.summaries_of(running)
            )
            finished = sound(tx.matches.latest_finished(FINISHED))
            shown = [match.id for matches in shown_first(now_running, finished) for match in matches]
            unknown = tx.matches.all([number for number in shown if number not in self._boards])
        self._boards |= {match.id: draw_film(match) for match in unknown}
        self._boards = {number: board for number, board in self._boards.items() if number in shown}
        key = public_key(self._secret)
        return write_front(now_running, finished, self._boards, last, directory, key, now, head, parts)


def sound(found: Iterable[MatchSummary | DamagedMatch]) -> list[MatchSummary]:
    """Return the matches that can be shown."""
    return [match for match in found if isinstance(match, MatchSummary)]
