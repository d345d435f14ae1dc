"""Matches in a table (CSV), as spreadsheets write it: every line is read, and what is wrong with one is said."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.errors import BadFile, BadInput

MOST_LINES = 200
"""Matches that one file may open: they are opened in one transaction, and nobody else writes meanwhile."""

_DELIMITERS = (";", ",", "\t")
_SEPARATOR = re.compile(r"sep=(.)\n", re.IGNORECASE)
"""The first line by which Excel is told how cells are separated."""

_PLAYER = re.compile(r"player *\d*|players")
_YES, _NO = {"yes", "y", "true", "1", "x", "private", "rated"}, {"", "no", "n", "false", "0", "public", "unrated"}


@dataclass(frozen=True)
class Line:
    """A match to open: the number of its ``line`` in the file, its players in the order of turns, its options."""

    line: int
    game: str
    players: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    private: bool = False
    rated: bool = False


def read_sheet(text: str, name: str, options: Sequence[str]) -> tuple[list[Line], list[str]]:
    """Return the matches in a table, and a sentence for each line that is none.

    The first line names the columns: game, player (several of them), private, rated, and options, or one of the
    ``options`` that games and clocks have. Raise BadFile for a table that can’t be read at all.
    """
    skipped, text, delimiter = _choose_delimiter(text)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    found: list[Line] = []
    problems: list[str] = []
    columns: list[str] = []
    number = skipped + 1
    try:
        for cells in rows:
            values = [" ".join(cell.split()) for cell in cells]
            if not columns and any(values):
                columns = _read_header(values, name, options)
            elif any(values):
                try:
                    found.append(_read_line(number, columns, values))
                except BadInput as wrong:
                    problems.append(describe_problem(number, cells, str(wrong), delimiter))
            number = skipped + rows.line_num + 1
    except csv.Error as error:
        raise BadFile(
            f"Line {number} of {name} is no line of a table ({error}): look for a quotation mark too many."
        ) from error
    if not columns:
        raise BadFile(f"{name} is empty: its first line names the columns, such as “game,player,player,size”.")
    if len(found) + len(problems) > MOST_LINES:
        raise BadFile(f"{name} has {len(found) + len(problems)} matches; {MOST_LINES} are the most for one file.")
    if not found and not problems:
        raise BadFile(f"{name} has no match below the names of its columns.")
    return found, problems


def describe_problem(line: int, cells: Sequence[str], wrong: str, delimiter: str = ", ") -> str:
    """Return the sentence about a line, which is quoted with its number."""
    quoted = delimiter.join(cells).replace("\n", " ")
    return f"Line {line}, “{quoted[:80]}{'…' if len(quoted) > 80 else ''}”: {wrong}"


def find_repeated(lines: Sequence[Line], key: Callable[[Line], object]) -> Iterator[tuple[Line, Line]]:
    """Yield pairs of lines that are the same by their key, the earlier one first."""
    seen: dict[object, Line] = {}
    for one in lines:
        if (known := seen.setdefault(key(one), one)) is not one:
            yield known, one


def _choose_delimiter(text: str) -> tuple[int, str, str]:
    """Return how many lines come before the table, the table, and what separates its cells.

    Only the first line is asked: in others a comma may stand in a name, or a semicolon between options.
    """
    if given := _SEPARATOR.match(text):
        return 1, text[given.end() :], given[1]
    first = next((line for line in text.split("\n") if line.strip()), "")
    counts = {delimiter: first.count(delimiter) for delimiter in _DELIMITERS}
    return 0, text, max(_DELIMITERS, key=lambda delimiter: counts[delimiter]) if any(counts.values()) else ","


def _read_header(values: Sequence[str], name: str, options: Sequence[str]) -> list[str]:
    """Return what each column holds: game, player, options, an option … Raise BadFile for anything else."""
    columns = []
    for value in values:
        word = value.casefold().replace("_", " ")
        columns.append("player" if _PLAYER.fullmatch(word) else word)
        if columns[-1] not in ("", "game", "player", "private", "rated", "options", *options):
            raise BadFile(
                f"The first line of {name} names a column “{value[:40]}”; columns are game, player (one for each),"
                f" private, rated, options, and {', '.join(options)}."
            )
    once = [column for column in columns if column not in ("player", "")]
    if twice := next((column for column in once if once.count(column) > 1), ""):
        raise BadFile(f"The first line of {name} names the column “{twice}” twice.")
    for needed in ("game", "player"):
        if needed not in columns:
            raise BadFile(
                f"The first line of {name} names no column “{needed}”: it has to name all columns, such as"
                " “game,player,player,size”."
            )
    return columns


def _read_line(number: int, columns: Sequence[str], values: Sequence[str]) -> Line:
    """Return the match in a line. Raise BadInput for what is none."""
    if len(values) > len(columns) and any(values[len(columns) :]):
        raise BadInput(
            f"it has {len(values)} cells, and the first line names {len(columns)} columns: put quotation marks around"
            " a cell in which what separates cells stands."
        )
    cells = list(zip(columns, values, strict=False))
    by_name = {column: value for column, value in cells if column not in ("player", "")}
    if stray := next((value for column, value in cells if not column and value), ""):
        raise BadInput(f"“{stray[:40]}” stands in a column without a name.")
    private, rated = (_read_choice(by_name.pop(kind, ""), kind) for kind in ("private", "rated"))
    game = by_name.pop("game", "")
    if not game:
        raise BadInput("it names no game.")
    chosen = dict(_read_options(by_name.pop("options", "")))
    chosen |= {key: value for key, value in by_name.items() if value}
    players = tuple(value for column, value in cells if column == "player" and value)
    return Line(number, game, players, chosen, private, rated)


def _read_choice(typed: str, kind: str) -> bool:
    """Return whether a match is of that kind. Raise BadInput for a cell that doesn't say."""
    if typed.casefold() not in _YES | _NO:
        raise BadInput(f"“{typed[:40]}” says nothing about being {kind}: write yes or no.")
    return typed.casefold() in _YES


def _read_options(text: str) -> Iterator[tuple[str, str]]:
    """Yield options such as ``size=9; bank=20d+1d max=20d``. Raise BadInput for anything else."""
    for pair in re.split(r"[;,\s]+", text):
        key, equals, value = pair.partition("=")
        if pair and not (equals and key and value):
            raise BadInput(f"“{pair[:40]}” is no option: write name=value, such as size=9.")
        if pair:
            yield key.casefold(), value
