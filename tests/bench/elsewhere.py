"""The line of another checkout of this project, in a process of its own: before and after are measured in one run.

``python -m tests.bench.elsewhere DIRECTORY`` reads what to prepare, then one kind of replies a line, from standard
input, and answers each line with what a round took. The benchmark is that of this checkout, the program the other's.
"""

import json
import logging
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.line import Mixture, Round
    from tests.bench.report import Table
    from tests.bench.world import Sort

_ROOT = Path(__file__).resolve().parents[2]


def against(directory: Path, seats: int, rounds: int, tell: Callable[[str], None]) -> "Table":
    """Return the table of both lines, measured in turns."""
    from tests.bench.line import MIXTURES
    from tests.bench.ratio import USUAL
    from tests.bench.report import Table

    tell(f"{seats} active seats, both checkouts: preparing")
    rows = []
    with _elsewhere(_ROOT, USUAL, seats // 2) as now, _elsewhere(directory, USUAL, seats // 2) as before:
        found: dict[Mixture, list[tuple[Round, Round]]] = {mixture: [] for mixture in MIXTURES}
        for number in range(rounds):
            for mixture in MIXTURES:
                found[mixture].append((before(mixture), now(mixture)))
                tell(f"{seats} active seats: round {number + 1} of {rounds}, {mixture}")
    for mixture, pairs in found.items():
        rows.append(
            (
                mixture,
                f"{median(then.line for then, _ in pairs):.2f}",
                f"{median(now.line for _, now in pairs):.2f}",
                f"{median(then.line / now.line for then, now in pairs):.2f}",
                f"{median(then.delivering / now.delivering for then, now in pairs):.2f}",
                f"{median(then.ratio for then, _ in pairs):.2f}",
                f"{median(now.ratio for _, now in pairs):.2f}",
                f"{1000 / median(then.line_time for then, _ in pairs):.0f}",
                f"{1000 / median(now.line_time for _, now in pairs):.0f}",
            )
        )
    columns = (
        "replies",
        "line before",
        "line now",
        "times less",
        "deliver, times less",
        "ratio before",
        "ratio now",
        "replies/s before",
        "replies/s now",
    )
    meaning = (
        f"Another checkout and this one, each in a process of its own, with its own notices, in turns, the median of"
        f" {rounds} rounds. *line* is"
        " in milliseconds of CPU a message, *deliver* its part that sends, *ratio* to the bare transport of the bytes"
        " of each."
    )
    return Table(f"Before and now, {seats} active seats", columns, tuple(rows), meaning)


@contextmanager
def _elsewhere(directory: Path, sorts: "Sequence[Sort]", matches: int) -> "Iterator[Callable[[Mixture], Round]]":
    """Yield what measures a round in another checkout."""
    from tests.bench.bare import Commits
    from tests.bench.line import Round

    with _process(directory) as ask:

        def measure(mixture: "Mixture") -> "Round":
            found = ask(mixture)
            return Round(**found | {"commits": Commits(**found["commits"])})

        ask({"sorts": [asdict(sort) for sort in sorts], "matches": matches})
        yield measure


@contextmanager
def _process(directory: Path) -> "Iterator[Callable[[object], Any]]":
    """Yield what asks a process that runs the program of another checkout."""
    command = [sys.executable, "-m", "tests.bench.elsewhere", str(directory.resolve())]
    with subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        orders, answers = process.stdin, process.stdout

        def ask(order: object) -> Any:
            orders.write(json.dumps(order).encode() + b"\n")
            orders.flush()
            line = answers.readline()
            if not line:
                raise RuntimeError(f"the benchmark cannot measure {directory}")
            return json.loads(line)

        yield ask
        orders.close()


def notices_against(directory: Path, rounds: int, tell: Callable[[str], None]) -> "Table":
    """Return the table of what the notices of both checkouts cost, measured in turns."""
    from tests.bench.notices import Cost, by_game

    with _process(directory) as ask:
        ask("notices")
        return by_game(rounds, tell, lambda number: {name: Cost(**cost) for name, cost in ask(number).items()})


def _main(directory: Path, orders: BinaryIO, answers: BinaryIO) -> None:
    """Measure the program of ``directory``; our own packages must not have been imported before."""
    sys.path.insert(0, str(directory))
    import pbem

    assert Path(str(pbem.__file__)).is_relative_to(directory), f"there is no pbem in {directory}"
    logging.disable(logging.CRITICAL)
    wanted = json.loads(orders.readline())
    if wanted == "notices":
        from tests.bench.notices import answer_rounds

        answers.write(b"true\n")
        answers.flush()
        answer_rounds(orders, answers)
        return
    from tests.bench.line import Line
    from tests.bench.world import Sort

    sorts = [Sort(sort["game"], sort["moves"], tuple(map(tuple, sort["options"]))) for sort in wanted["sorts"]]
    with tempfile.TemporaryDirectory() as name:
        line = Line(Path(name), sorts, wanted["matches"])
        answers.write(b"true\n")
        answers.flush()
        for order in orders:
            answers.write(json.dumps(asdict(line.round(json.loads(order)))).encode() + b"\n")
            answers.flush()
        line.close()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        _main(Path(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)
