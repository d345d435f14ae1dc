"""How much the page of a match weighs, in every game, and what it takes to write it."""

import gzip
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pbem.archive import write_match
from pbem.match import Match
from tests.bench.report import Table
from tests.support.club import SECRET
from tests.support.matches import HEAVIEST, NOW, random_match
from tests.support.walks import Case

LENGTHS = (10, 100, 300)
"""The numbers of entries, rolls among them, after which pages are looked at; where a match is over sooner, its end."""
_TIMES = 5


def by_length(tell: Callable[[str], None]) -> Table:
    """Return the table of the pages of short and of long matches."""
    tell("pages of matches")
    columns = ("match", "entries", "page, kB", "compressed, kB", "written, ms")
    meaning = (
        "The page of one match, with its board at every entry, a dozen small boards and its record: random matches"
        " on large boards, without comments. `tests/archive/test_pages.py` asserts that none of up to 300 entries has"
        " more than 150 kB before it is compressed. *written* is the least CPU of five times, with its record as text"
        " and JSON, by a process that knows nothing of the match yet."
    )
    cases = [(case, random_match(case, most, seed=seed)) for case, seed in HEAVIEST.items() for most in LENGTHS]
    found = {(case, match.ply): match for case, match in cases}  # of one that was over sooner, its end once
    return Table("Pages of matches", columns, tuple(_row(case, match) for (case, _), match in found.items()), meaning)


def _row(case: Case, match: Match) -> tuple[str, ...]:
    """Return what the page of a match takes."""
    fastest = float("inf")
    for _ in range(_TIMES):
        with tempfile.TemporaryDirectory() as name:
            started = time.process_time()
            write_match(match, Path(name), SECRET, NOW)
            fastest = min(fastest, time.process_time() - started)
            page = (Path(name) / "matches" / "17.html").read_bytes()
    sizes = (f"{len(text) / 1000:.0f}" for text in (page, gzip.compress(page)))
    return (str(case), str(match.ply), *sizes, f"{1000 * fastest:.1f}")
