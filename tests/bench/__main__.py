"""Prints the table: playouts of every game, letters through the whole line, and what each step of it takes."""

import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from rules import GAMES
from tests.bench.messages import letters_per_second, prepare
from tests.bench.notices import cost_of_a_notice
from tests.bench.playouts import playouts

MATCHES, MOVES = 20, 20
# Random matches a second; Pipelines has a board of 271 cells, and its matches have hundreds of entries.
AIMS = {"pipelines": 10}


def main() -> None:
    """Measure, and print one row a figure."""
    table = Table("what", "figure", "aim", title="pbem on this machine")
    for key in GAMES:
        figure = f"{playouts(key, 3):.0f}/s"
        table.add_row(f"random playouts, {key}, default options", figure, f"{AIMS.get(key, 500)}/s")
    for key in ("pipline", "zipline"):
        cost = cost_of_a_notice(key, 15, 80)
        figure = f"{cost.rendering + cost.sealing:.2f} ms"
        table.add_row(f"one notice, rendered and sealed (13×13, {key})", figure, "0.7 ms")
        table.add_row("  of that rendered, sealed", f"{cost.rendering:.2f} ms, {cost.sealing:.2f} ms", "")
        table.add_row("  in runs of a loop of 10,000 rounds", f"{cost.loops:.2f}", "")
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        prepare(directory, MATCHES, MOVES)
        rate, count = letters_per_second(directory)
    table.add_row(f"letters from files, settled and answered ({count})", f"{rate:.0f}/s", "100/s")
    Console().print(table)


if __name__ == "__main__":
    main()
