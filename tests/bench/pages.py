"""How large the page of a match is, and what it takes to write it."""

import gzip
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pbem.archive import write_match
from tests.bench.report import Table
from tests.support.club import SECRET
from tests.support.matches import NOW, random_match
from tests.support.walks import Case

LENGTHS = (
    (Case("pipline", 2, (("size", 5),)), 10),
    (Case("pipline", 2, ()), 60),
    (Case("pipline", 2, ()), 150),
    (Case("pipline", 2, (("size", 19),)), 300),
    (Case("zipline", 3, (("size", 19),)), 300),
    (Case("pippip", 2, ()), 40),
    (Case("pipelines", 2, ()), 300),
)
"""What is measured: a game, and the number of entries after which its page is looked at."""
_TIMES = 5


def by_length(tell: Callable[[str], None]) -> Table:
    """Return the table of pages of short and of long matches."""
    tell("pages of matches")
    columns = ("match", "entries", "page, kB", "compressed, kB", "written, ms")
    meaning = (
        "The page of one match, with its board at every entry, a dozen small boards and its record: random matches"
        " without comments. *written* is the least CPU of five times, with its record as text and JSON, by a process"
        " that knows nothing of the match yet."
    )
    return Table("Pages of matches", columns, tuple(_row(case, entries) for case, entries in LENGTHS), meaning)


def _row(case: Case, entries: int) -> tuple[str, ...]:
    """Return what the page of a match takes after so many entries."""
    match = random_match(case, entries)
    fastest = float("inf")
    for _ in range(_TIMES):
        with tempfile.TemporaryDirectory() as name:
            started = time.process_time()
            write_match(match, Path(name), SECRET, NOW)
            fastest = min(fastest, time.process_time() - started)
            page = (Path(name) / "matches" / "17.html").read_bytes()
    sizes = (f"{len(text) / 1000:.0f}" for text in (page, gzip.compress(page)))
    return (str(case), str(match.ply), *sizes, f"{1000 * fastest:.1f}")
