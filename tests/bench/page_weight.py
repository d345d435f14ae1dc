"""How much the page of a match weighs, in every game, and what it takes to write it."""

import gzip
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pbem.archive.match.page import write_match
from pbem.match.match import Match
from tests.bench.report import Table
from tests.support.club import SECRET
from tests.support.matches import HEAVIEST, NOW, long_match
from tests.support.walks import Case

LENGTHS = (10, 100, 300, None)
"""The numbers of moves after which pages are looked at, and the end."""
_TIMES = 5


def by_length(tell: Callable[[str], None]) -> Table:
    """Return the table of the pages of short and of long matches."""
    tell("pages of matches")
    columns = ("match", "moves", "entries", "page, kB", "beside it, kB", "compressed, kB", "written, ms")
    meaning = (
        "The page of one match, with its board at every entry, a dozen small boards and its record: random matches"
        " on the largest boards in which nobody wants to end soon, without comments. *Entries* are moves and rolls."
        " `tests/archive/test_pages.py` asserts that no page has 150 kB before it is compressed, up to the ends of"
        " these matches. *beside it* is the file that has what scripts need of more than 400 entries; *compressed* are"
        " both together. *written* is the least CPU of five times, with the record as text and JSON, by a process that"
        " knows nothing of the match yet."
    )
    cases = [(case, long_match(case, seed, moves)) for case, seed in HEAVIEST.items() for moves in LENGTHS]
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
            file = Path(name) / "matches" / "17.js"
            beside = file.read_bytes() if file.exists() else b""
    compressed = len(gzip.compress(page)) + (len(gzip.compress(beside)) if beside else 0)
    sizes = (f"{size / 1000:.0f}" for size in (len(page), len(beside), compressed))
    return (str(case), str(match.moves_made), str(match.ply), *sizes, f"{1000 * fastest:.1f}")
