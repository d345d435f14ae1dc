"""What the pages of a league and of a ladder cost in which thousands of matches have ended."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.archive.lists.ledger import Ledger
from pbem.archive.made_of import Made
from pbem.archive.publicity import Publicity
from pbem.archive.way_in import NO_WAY_IN
from pbem.clubs.contest import ContestEvent
from pbem.running.archiving.contests import ContestPages, Writing
from pbem.storage.database import Database
from tests.bench.report import Table
from tests.bench.sundays import SITE, SUNDAY, fill


def by_club(sizes: Iterable[tuple[int, int]], tell: Callable[[str], None]) -> Table:
    """Return the table of clubs of so many players, in whose contests so many matches have ended."""
    columns = ("players", "ended", "running", "all pages, CPU s", "league, CPU s", "ladder, CPU s", "longest, kB")
    meaning = (
        "A season in divisions of eight, and a ladder of everybody, with their feeds and the list of both; pages of"
        " matches and players are not counted. Then the passes after somebody has left one of them."
    )
    return Table("Pages of ladders and leagues", columns, tuple(_row(*size, tell) for size in sizes), meaning)


def _row(players: int, ended: int, tell: Callable[[str], None]) -> tuple[str, ...]:
    """Return what the pages of the contests of a club cost."""
    tell(f"contests: filling a club of {players}")
    with TemporaryDirectory() as name:
        directory, ledger = Path(name) / "archive", Ledger()
        database = Database(f"sqlite:///{Path(name) / 'pbem.db'}")
        database.upgrade()
        with database.transaction() as tx:
            over, running = fill(tx, players, ended)
        with database.reading() as tx:
            for match in tx.matches.all():
                ledger.note(match)
        tell(f"contests: writing the pages of {players}")
        made, publicity = Made(directory, SITE, draws=False), Publicity(SITE, draws=False)
        writing, pages = Writing(database, directory, ledger, publicity, made, NO_WAY_IN, (), SUNDAY), ContestPages()
        times = [_publish(pages, writing)]
        for contest in (1, 2):
            with database.transaction() as tx:
                tx.contests.add(contest, ContestEvent(SUNDAY, "left", 1))
            times.append(_publish(pages, writing))
        longest = max(file.stat().st_size for file in directory.rglob("*.html"))
        database.close()
    return (f"{players:,}", f"{over:,}", f"{running:,}", *(f"{one:.2f}" for one in times), f"{longest / 1000:.0f}")


def _publish(pages: ContestPages, writing: Writing) -> float:
    """Let a pass write what has changed; return the seconds of CPU."""
    started = time.process_time()
    with writing.database.reading() as tx:
        pages.look(tx, (), ())
    assert sum(pages.write(writing))
    return time.process_time() - started
