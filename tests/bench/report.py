"""What was measured, as tables: on the terminal, and as Markdown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from tests.bench.machine import calibrate, describe

_HEAD = """# Measured

What `make bench` and `make bench-growth` measured on {date}. Milliseconds are milliseconds of CPU in one process, all
its threads together, unless a column says otherwise: they hardly depend on what else the machine does. A machine that
is twice as fast halves them, and the calibration with them; so compare multiples of the calibration (columns `× c`),
and the ratio to the bare transport, rather than milliseconds. Nothing here is a promise, and no test asserts a time.

`docs/performance.md` has of these tables what an operator acts on. To write this file anew: `python -m tests.bench
--write FILE`, then the same with `--growth`, and `python -m tests.bench.chaos --write FILE`.

"""


@dataclass(frozen=True)
class Table:
    """A table: ``columns`` are its heads, and ``meaning`` says in plain words what the figures are."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    meaning: str = ""


def machine_table() -> Table:
    """Return the machine, and what the fixed work takes on it."""
    fixed = calibrate(rounds=9)
    rows = [
        *describe(),
        ("calibration, a loop in Python", f"{fixed.loop:.2f} ms"),
        ("calibration, rows in SQLite and hashes", f"{fixed.rows:.2f} ms"),
        ("calibration, both: c", f"{fixed.unit:.2f} ms"),
    ]
    meaning = "The calibration is fixed work that has nothing to do with this project, the fastest of several rounds."
    return Table("Machine", ("what", "figure"), tuple(rows), meaning)


def show(table: Table, console: Console) -> None:
    """Print a table."""
    shown = RichTable(title=table.title, title_justify="left", box=box.SIMPLE_HEAD)
    for number, column in enumerate(table.columns):
        shown.add_column(column, justify="right" if number and _is_figures(table, number) else "left")
    for row in table.rows:
        shown.add_row(*row)
    console.print(shown)


def write(tables: Iterable[Table], path: Path) -> None:
    """Write tables to a file; those of another run that are not among them stay where they were."""
    new = {table.title: _as_markdown(table) for table in tables}
    kept = _sections(path.read_text(encoding="utf-8")) if path.exists() else {}
    sections = kept | new
    path.write_text(_HEAD.format(date=date.today()) + "\n".join(sections.values()), encoding="utf-8")  # noqa: DTZ011


def _sections(text: str) -> dict[str, str]:
    """Return the sections of a file that was written before, by their titles."""
    parts = text.split("\n## ")[1:]
    return {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in parts}


def _as_markdown(table: Table) -> str:
    """Return a table under its heading, what it means above it."""
    rules = [
        " --- " if not number or not _is_figures(table, number) else " ---: " for number in range(len(table.columns))
    ]
    lines = [f"## {table.title}", ""]
    if table.meaning:
        lines += [table.meaning, ""]
    lines += [_row(table.columns), f"|{'|'.join(rules)}|", *map(_row, table.rows), ""]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_figures(table: Table, column: int) -> bool:
    """Return whether a column holds mostly figures, which stand to the right."""
    return sum(row[column][:1].isdigit() for row in table.rows) * 2 > len(table.rows)
