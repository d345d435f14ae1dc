"""The line beside the bare transport, for each kind of reply, each game, and short and long matches."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from rules.games import GAMES
from tests.bench.line import MIXTURES, Line, Mixture, Round
from tests.bench.report import Table
from tests.bench.world import Sort

_LARGEST = (("size", 16),)
_LONGEST_BOARD = (("board", "hex-7-8"),)
USUAL = (Sort("zipline", 10), Sort("pipline", 30), Sort("zipline", 50))
"""The games that began it all, on their usual boards of 13×13."""
SORTS = (
    Sort("zipline", 10),
    Sort("pipline", 60),
    Sort("pippip", 8),
    Sort("snipsnip", 60, _LONGEST_BOARD),
    Sort("pipelines", 60),
    Sort("pipline", 200, _LARGEST),
)
"""What the matches of a busy day are like: all games, short and long. A match of Pip•Pip is over after 20 moves."""
LENGTHS = (Sort("pipline", 10), Sort("pipline", 60), Sort("pipline", 200, _LARGEST))

_COLUMNS = (
    "replies",
    "ratio",
    "line",
    "× c",
    "bare",
    "receive",
    "process",
    "deliver",
    "replies/s",
    "in",
    "out",
    "commits",
)
_MEANING = (
    "**The ratio is the figure**: the CPU of a bare transport that keeps and sends the very same bytes, as a part of"
    " the CPU of the whole line; 1 would mean that reading, playing and rendering cost nothing. The bare transport"
    " parses each message, stores it, stores the emails it led to, and sends them over one connection, with as many"
    " commits as the line, in plain SQL. Both ran in turns, in one process, by SMTP to a server in another process;"
    " each figure is the median of {rounds} rounds of one reply a match. *line* and *bare* are milliseconds of CPU a"
    " message, with the emails that it leads to, mostly two; *receive*, *process* and *deliver* are the parts of"
    " *line*; *in* and *out* are kilobytes of a message and of one email; *commits* are those of the line, a message;"
    " *replies/s* is by the clock, on a machine that may have been busy. *mix* is a third of each kind. The"
    " matches are of Zipline and Pipline on 13×13, of 10 to 60 moves; those of *all games* are longer, up to 200 moves"
    " on 16×16."
)


@contextmanager
def line(sorts: Sequence[Sort], matches: int) -> Iterator[Line]:
    """Yield matches under way, as long as they should be."""
    with tempfile.TemporaryDirectory() as name:
        made = Line(Path(name), sorts, matches)
        try:
            yield made
        finally:
            made.close()


def by_kind(seats: int, rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of the kinds of replies, with this many active seats in matches on 13×13."""
    tell(f"{seats} active seats: preparing")
    rows = []
    with line(USUAL, seats // 2) as made:
        found = measure(made, MIXTURES, rounds, tell)
        rows += [_row(mixture, found[mixture]) for mixture in MIXTURES]
    with line(SORTS, seats // 2) as made:
        rows.append(_row("mix, all games", measure(made, ("mix",), rounds, tell)["mix"]))
    return Table(f"The line, {seats} active seats", _COLUMNS, tuple(rows), _MEANING.format(rounds=rounds))


def by_game(matches: int, rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of the games, their default options, replies of all kinds."""
    rows = []
    for key in GAMES:
        tell(f"{key}: preparing")
        with line([Sort(key, 6)], matches) as made:
            rows.append(_row(key, measure(made, ("mix",), rounds, tell)["mix"]))
    meaning = (
        f"Replies of all kinds, {matches} matches of two from their sixth move on, default options; otherwise as above."
    )
    return Table("The line, by game", ("game", *_COLUMNS[1:]), tuple(rows), meaning)


def by_length(matches: int, rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of short and long matches, replies of all kinds."""
    rows = []
    for sort in LENGTHS:
        tell(f"{sort}: preparing")
        with line([sort], matches) as made:
            rows.append(_row(str(sort), measure(made, ("mix",), rounds, tell)["mix"]))
    meaning = f"Replies of all kinds, {matches} matches; the longest on a board of 16×16, the others of 13×13."
    return Table("The line, by length", ("match", *_COLUMNS[1:]), tuple(rows), meaning)


def measure(
    made: Line, mixtures: Sequence[Mixture], rounds: int, tell: Callable[[str], None]
) -> dict[Mixture, list[Round]]:
    """Return the rounds of each mixture, measured in turns."""
    found: dict[Mixture, list[Round]] = {mixture: [] for mixture in mixtures}
    for number in range(rounds):
        for mixture in mixtures:
            found[mixture].append(made.round(mixture))
            tell(f"round {number + 1} of {rounds}, {mixture}: {found[mixture][-1].line:.1f} ms")
    return found


def _row(name: str, rounds: Sequence[Round]) -> tuple[str, ...]:
    """Return the medians of rounds."""

    def middle(figure: Callable[[Round], float]) -> float:
        return median(map(figure, rounds))

    return (
        name,
        f"{middle(lambda found: found.ratio):.2f}",
        f"{middle(lambda found: found.line):.2f}",
        f"{middle(lambda found: found.line / found.calibration):.2f}",
        f"{middle(lambda found: found.bare):.2f}",
        f"{middle(lambda found: found.receiving):.2f}",
        f"{middle(lambda found: found.processing):.2f}",
        f"{middle(lambda found: found.delivering):.2f}",
        f"{1000 / middle(lambda found: found.line_time):.0f}",
        f"{middle(lambda found: found.inbound_bytes / found.messages) / 1000:.1f}",
        f"{middle(lambda found: found.outbound_bytes / found.mails) / 1000:.1f}",
        f"{middle(lambda found: found.commits.all / found.messages):.1f}",
    )
