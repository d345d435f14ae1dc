"""Tables for people, without a library: to import one takes as long as the rest of a list."""

import sys
from collections.abc import Sequence
from itertools import zip_longest
from shutil import get_terminal_size
from unicodedata import combining, east_asian_width

import typer

_APART = 2  # columns of a terminal between two of a table
_NARROWEST = 8  # columns of one that makes room for others


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows of cells, the first with the headings.

    On a terminal they are as wide as that, with cells on several lines; else as the longest line.
    """
    widths = [max(map(_measure, column)) for column in zip(*rows, strict=True)]
    if sys.stdout.isatty():
        room = get_terminal_size().columns - _APART * (len(widths) - 1)
        while sum(widths) > room and (widest := max(widths)) > _NARROWEST:
            widths[widths.index(widest)] -= 1
    for number, row in enumerate(rows):
        wrapped = [_wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
        for parts in zip_longest(*wrapped, fillvalue=""):
            padded = [part + " " * (width - _measure(part)) for part, width in zip(parts, widths, strict=True)]
            typer.secho((" " * _APART).join(padded).rstrip(), bold=not number or None)


def _measure(text: str) -> int:
    """Return how many columns a terminal shows a text in: letters of Asia take two, accents of their own none."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 1 + (east_asian_width(char) in "WF") for char in text)


def _wrap(text: str, width: int) -> list[str]:
    """Return a text in lines of so many columns, its words whole where they have room."""
    lines, line = list[str](), ""
    for word in text.split(" "):
        if not line or _measure(f"{line} {word}") <= width:
            line = f"{line} {word}" if line else word
        else:
            lines.append(line)
            line = word
        while _measure(line) > width:
            end = next(end for end in range(1, len(line) + 1) if end == len(line) or _measure(line[: end + 1]) > width)
            lines.append(line[:end])
            line = line[end:]
    return [*lines, line]
