"""What grows with the database: the line, idle passes, lists, memory, the archive; long matches."""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median

from pbem.storage.database import Database
from rules.game import replay
from tests.bench import alone, fill
from tests.bench.coldstart import PBEM, environment_for, run
from tests.bench.kept import KeptCourier
from tests.bench.line import Line
from tests.bench.ratio import LENGTHS, SORTS, measure
from tests.bench.report import Table

LEVELS = (100, 10_000, 100_000)
"""Matches; each has about ten inbound messages and twice as many outbound ones."""
FORGOTTEN_AMONG = (100, 1_000)
"""Matches, in every tenth of which emails name the one who is forgotten."""
_FORGOTTEN = 12  # whose address begins like that of nobody in another match
_ACTIVE = 24  # matches
_REPLAYED = 500  # moves
_TIMES = 5


def by_size(rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of databases of all sizes."""
    return Table("Growth", _COLUMNS, tuple(_row(matches, rounds, tell) for matches in LEVELS), _MEANING)


_COLUMNS = (
    "matches",
    "inbound",
    "outbound",
    "file, GB",
    "filled in, s",
    "line",
    "ratio",
    "run_due",
    "process_waiting",
    "deliver",
    "pbem matches, s",
)
_MEANING = (
    f"{_ACTIVE} active matches in a database with many others, replies of all kinds: *line* in milliseconds of CPU a"
    " message, and its ratio to the bare transport, which has a small database. *run_due*, *process_waiting* and"
    " *deliver* are passes with nothing to do, in milliseconds by the clock. The others were copied from"
    " ten matches of eleven moves made by email, half of them over, spread over thirty days, their messages shortened."
)


def _row(matches: int, rounds: int, tell: Callable[[str], None]) -> tuple[str, ...]:
    """Return what a database with that many matches costs."""
    with filled(matches, tell) as (file, seconds):
        counted = fill.count(file)
        tell(f"{matches:,} matches: preparing")
        line = Line(file.parent / "line", SORTS, _ACTIVE, file=file)
        found = measure(line, ("mix",), rounds, tell)["mix"]
        service = line.world.service
        idle = [_milliseconds(work) for work in (service.run_due, service.process_waiting, line.world.deliver)]
        line.close()
        tell(f"{matches:,} matches: listing")
        listed = run([PBEM, "matches"], environment_for(file), file.parent)
        size = file.stat().st_size / 1e9
    return (
        *(f"{number:,}" for number in counted),
        f"{size:.2f}",
        f"{seconds:.0f}",
        f"{median(found.line for found in found):.2f}",
        f"{median(found.ratio for found in found):.2f}",
        *(f"{milliseconds:.2f}" for milliseconds in idle),
        f"{listed.clock:.2f}",
    )


@contextmanager
def filled(matches: int, tell: Callable[[str], None], *, whole: bool = False) -> Iterator[tuple[Path, float]]:
    """Yield a database with that many matches, with ``whole`` messages or shortened ones, and how long it took."""
    with tempfile.TemporaryDirectory() as name:
        template, file = Path(name) / "small.db", Path(name) / "pbem.db"
        tell(f"{matches:,} matches: filling the database")
        fill.make_template(template, whole=whole)
        started = time.perf_counter()
        fill.fill(template, file, matches)
        yield file, time.perf_counter() - started


def _milliseconds(work: Callable[[], object]) -> float:
    """Return the median time by the clock, in milliseconds."""
    times = []
    for _ in range(_TIMES):
        started = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - started))
    return median(times)


def by_messages(messages: int, tell: Callable[[str], None]) -> Table:
    """Return the table of the memory of a process that has seen many messages."""
    checkpoints = [number for number in (100, 1_000, 5_000, 20_000) if number < messages] + [messages]
    tell(f"memory: {messages:,} messages")
    rows = [(f"{found.messages:,}", f"{found.megabytes:.0f}") for found in alone.memory_of_messages(checkpoints)]
    meaning = (
        f"The most memory that a process has had, the benchmark itself included: {_ACTIVE} active matches of all sorts,"
        " replies of all kinds; when a match is over, another one is opened."
    )
    return Table("Memory", ("messages", "MB"), tuple(rows), meaning)


def by_archive(levels: Sequence[int], tell: Callable[[str], None]) -> Table:
    """Return the table of the first build of the archive, and of the passes after it, for so many matches each."""
    columns = (
        *("matches", "first build, CPU s", "by the clock, s", "a match, CPU ms", "files", "MB"),
        *("memory, MB", "before it, MB", "started again, CPU s", "its files"),
        *("a move, CPU ms", "by the clock, ms", "files ", "kB", "an end, CPU ms", "search, kB", "searching, ms"),
        "a picture, CPU ms",
    )
    meaning = (
        "All pages with feeds and frames, made for the first time by a process of its own; *memory* is the most that it"
        " had. *Started again*: another process over the same archive, with nothing changed. Then the pass after"
        " one move, and the one after the end of a match, the median of several; files and kilobytes are what it wrote."
        " *search* is all that the search loads, compressed; *searching* is from a letter typed to what is shown, in"
        " Debian's chromium. Pictures for previews are left out, all but one: the first"
        " build draws one of each match, when all pages are there. Every match has players of its own, twice as many"
        " as matches: a club has fewer."
    )
    return Table("The archive", columns, tuple(_archive_row(matches, tell) for matches in levels), meaning)


def _archive_row(matches: int, tell: Callable[[str], None]) -> tuple[str, ...]:
    """Return what the archive of so many matches costs."""
    with filled(matches, tell) as (file, _):
        tell(f"archive: {matches:,} matches")
        found = alone.archive_build(file)
    first, again, move, end = found.first, found.again, found.move, found.end
    return (
        f"{matches:,}",
        *(f"{first.cpu:.1f}", f"{first.clock:.1f}", f"{1000 * first.cpu / matches:.1f}"),
        *(f"{first.files:,}", f"{first.kilobytes / 1000:.1f}", f"{found.megabytes:.0f}", f"{found.before:.0f}"),
        *(f"{again.cpu:.1f}", f"{again.files}"),
        *(f"{1000 * move.cpu:.0f}", f"{1000 * move.clock:.0f}", f"{move.files}", f"{move.kilobytes:.0f}"),
        *(f"{1000 * end.cpu:.0f}", f"{found.index:.0f}", "–" if found.search is None else f"{found.search:.1f}"),
        f"{1000 * found.picture:.0f}",
    )


def by_forgetting(tell: Callable[[str], None]) -> Table:
    """Return the table of forgetting a player, with few and with many emails kept."""
    rows = []
    for matches in FORGOTTEN_AMONG:
        with filled(matches, tell, whole=True) as (file, _):
            _, *kept = fill.count(file)
            tell(f"forgetting: {sum(kept):,} emails")
            database = Database(f"sqlite:///{file}")
            spent = [_forget(database, searched=searched) for searched in (False, True)]
            database.close()
        (_, alone_for), (sought, short) = spent
        rows.append((f"{sum(kept):,}", f"{alone_for:.2f}", f"{sought:.2f}", f"{short:.2f}", f"{alone_for / short:.0f}"))
    columns = ("emails kept", "all at once, s", "searched, s", "others wait, s", "ratio")
    meaning = (
        "Somebody is forgotten of whom each email that is kept may bear an address, by the clock. *All at once* is a"
        " transaction that searches them all while nothing else can be written; *searched* is the time of a search"
        " before, beside which everything goes on, and *others wait* that of the transaction after it. **The ratio of"
        " these is the figure.**"
    )
    return Table("Forgetting", columns, tuple(rows), meaning)


def _forget(database: Database, *, searched: bool) -> tuple[float, float]:
    """Return how long a search for a player took, 0 without one, and a transaction that erases them, undone."""
    times = [time.perf_counter()]
    with database.reading() as tx:
        player = tx.players.all()[_FORGOTTEN]
        if searched:
            tx.forgetting.search(player)
    times.append(time.perf_counter())
    with suppress(ZeroDivisionError), database.transaction() as tx:
        tx.forgetting.erase(player, "", lambda words, comments: words, datetime.now(UTC))
        times.append(time.perf_counter())
        raise ZeroDivisionError
    return times[1] - times[0], times[2] - times[1]


def by_replay(tell: Callable[[str], None]) -> Table:
    """Return the table of replaying long matches, as it happens for each message."""
    tell("replay: preparing")
    rows = []
    with tempfile.TemporaryDirectory() as name:
        line = Line(Path(name), LENGTHS, len(LENGTHS), kept=KeptCourier())
        for number, sort in zip(line.world.plies(), LENGTHS, strict=True):
            match = line.world.match(number)
            again = partial(replay, match.game, seats=len(match.players), options=match.options, record=match.record)
            spent = _milliseconds(again)
            rows.append((str(sort), f"{match.ply}", f"{spent:.2f}", f"{spent / match.ply * _REPLAYED:.1f}"))
        line.close()
    meaning = "A record folded into its position, by the clock; the last column is in proportion."
    return Table("Replay", ("match", "entries", "ms", f"for {_REPLAYED} entries, ms"), tuple(rows), meaning)
