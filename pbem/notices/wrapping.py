"""Breaks what we write into lines, none of which would be carried out if it came back without a mark. Pure."""

import re
import textwrap
from functools import lru_cache
from typing import Any

from pbem.commands import MARK, TIE, reads_as_command
from rules import Position

WIDTH = 64
"""Columns of running text: what is longer, email programs wrap and then quote without a mark."""

_NARROWEST = 40
_DEEPEST = 8  # columns that a line which has to be broken stays indented by
_MARK = f"{MARK} "


def wrap_safely(text: str, position: Position[Any] | None, known: dict[str, str] | None = None) -> str:
    """Wrap running text so that no line reads as a command; where that cannot be had, the line gets a mark.

    Lines that begin with a space are left alone while they are short enough. What a paragraph becomes is kept in
    ``known``, which holds for the same position.
    """
    known = {} if known is None else known
    finished = []
    for paragraph in text.split("\n"):
        if paragraph not in known:
            known[paragraph] = _finished(paragraph, position)
        finished.append(known[paragraph])
    return re.sub(r"\n{3,}", "\n\n", "\n".join(finished).replace(TIE, " ").strip("\n") + "\n")


def wrap_line(text: str, width: int, position: Position[Any] | None) -> tuple[str, ...]:
    """Return ``text`` in lines of at most ``width`` columns, narrower ones if so none of them reads as a command.

    Only an address of the web may be longer: broken, it would lead nowhere.
    """
    return tuple(line for line, _ in _judged(text, width, position))


def _finished(paragraph: str, position: Position[Any] | None) -> str:
    """Return the lines of one paragraph."""
    line = paragraph.rstrip()
    body = line.lstrip(f" {TIE}")
    indent = line[: len(line) - len(body)]
    if indent and (len(line) <= WIDTH or "://" in body):
        lines = [(line, reads_as_command(line, position))]
    else:
        indent = indent[:_DEEPEST]
        lines = [(indent + part, bad) for part, bad in _judged(body, WIDTH - len(indent), position)]
    return "\n".join(_marked(line) if bad else line for line, bad in lines)


def _judged(text: str, width: int, position: Position[Any] | None) -> list[tuple[str, bool]]:
    """Return ``text`` in lines, and of each whether it reads as a command: of none, if that can be had."""
    narrowest = _NARROWEST if len(text) > _NARROWEST else width
    for columns in range(width, narrowest - 1, -1):
        lines = _wrapped(text, columns)
        judged = [(line, reads_as_command(line, position)) for line in lines]
        if not any(bad for _, bad in judged):
            return judged
    return [(line, reads_as_command(line, position)) for line in _wrapped(text, width - len(_MARK))]


def _marked(line: str) -> str:
    """Return a line that reads as a command with a mark that it does not read as one; it keeps its length."""
    words = line.lstrip().replace(";", "·")  # what stands behind a semicolon counts by itself
    return (_MARK if len(words) + len(_MARK) <= WIDTH else _MARK.strip()) + words


@lru_cache(maxsize=1024)
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    """Return ``text`` in lines of at most ``width`` columns."""
    if len(text) <= width:
        return (text.rstrip(),)
    words = " ".join(piece for word in text.split(" ") for piece in _pieces(word, width))
    return tuple(textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False)) or ("",)


def _pieces(word: str, width: int) -> list[str]:
    """Return a word in pieces that fit into a line; an address of the web stays whole."""
    if len(word) <= width or "://" in word:
        return [word]
    if TIE in word:
        return [piece for part in word.split(TIE) for piece in _pieces(part, width)]
    return [word[start : start + width] for start in range(0, len(word), width)]
