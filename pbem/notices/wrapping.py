"""Line wrapping of outbound text: no line reads as a command when a reply quotes it without a mark. Pure."""

import re
import textwrap
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any
from unicodedata import east_asian_width

from pbem.commands.grammar import is_harmless, reads_as_command
from pbem.reading.move_phrases import MARK, TIE
from rules.position import Position

WIDTH = 64
"""Columns of running text: email programs wrap longer lines, and then quote them without a mark."""

_NARROWEST = 40
_COMMENT_WIDTH = 58  # columns: comments are indented, and replies may quote them
_MOST_MOVED = 20  # words of a paragraph
_DEEPEST_INDENT = 8  # columns, for a line that has to be broken
# Columns of a line that an email program has broken; the second is the least where a sentence ends with the line.
_SHORTEST_BROKEN, _SHORTEST_FULL, _LONGEST_BROKEN = 55, 66, 100
_ITEM = re.compile(r"(?:[-*+•·–—>|]|\(?\d{1,3}[.)]|\(?[a-z]\))\s|\s{2}")  # of a list, or a quotation, or indented
_MARK = f"{MARK} "
_BULLET = "- "  # before an entry of a list
_GAP = re.compile(r"\n{3,}")
_UNUSUAL = re.compile(r"[\t\n\x0b\x0c\r]")  # white space that is made into plain spaces


def wrap_safely(text: str, position: Position[Any] | None, known: dict[str, str] | None = None) -> str:
    """Wrap running text so that no line reads as a command; where that is impossible, mark the line.

    An indented line stays as it is while it is short enough. ``known`` keeps the lines of each paragraph; it is
    valid for one position.
    """
    known = {} if known is None else known
    wrapped = []
    for paragraph in text.split("\n"):
        lines = known.get(paragraph)
        if lines is None:
            lines = _wrap_harmless(paragraph)
        if lines is None:
            lines = known[paragraph] = _wrap_paragraph(paragraph, position)
        wrapped.append(lines)
    return _GAP.sub("\n\n", "\n".join(wrapped).replace(TIE, " ").strip("\n") + "\n")


def wrap_line(text: str, width: int, position: Position[Any] | None) -> tuple[str, ...]:
    """Return ``text`` in lines of at most ``width`` columns, or narrower ones if then none reads as a command.

    Only a URL may be longer: a broken URL leads nowhere.
    """
    return tuple(line for line, _ in _wrap_and_check(text, width, position))


def flow_lines(text: str) -> list[str]:
    """Return the lines of what somebody wrote, without the breaks that an email program made in its paragraphs.

    A program breaks a line where the next word does not fit, and its lines are long. All other breaks were typed: those
    of lists, verses and greetings.
    """
    lines = text.split("\n")
    if len(lines) == 1:
        return lines
    widest = max((_columns(line) for line in lines if " " in line), default=0)
    flowing = [lines[0]]
    for above, line in pairwise(lines):
        if _was_broken(above, line, widest):
            spaced = "" if _is_wide(above[-1]) and _is_wide(line[0]) else " "
            flowing[-1] = f"{flowing[-1].rstrip()}{spaced}{line}"
        else:
            flowing.append(line)
    return flowing


def _was_broken(above: str, line: str, widest: int) -> bool:
    """Return whether a program has put ``line`` below the line ``above``: the two were one."""
    if not line.strip() or _ITEM.match(line):
        return False
    columns = _columns(above)
    ended = above.rstrip().endswith((".", "!", "?", "…", ":", ".)"))
    if not (_SHORTEST_FULL if ended else _SHORTEST_BROKEN) <= columns <= _LONGEST_BROKEN:
        return False
    # In verse the lines end in commas, and begin with capitals.
    if above.rstrip().endswith((",", ";", "–", "—")) and line[0].isupper() and not line.startswith(("I ", "I'", "I’")):
        return False
    return columns + 1 + _columns(line.split(" ", 1)[0]) > widest


def _columns(text: str) -> int:
    """Return how many columns a text takes: Chinese and Japanese characters take two."""
    return len(text) if text.isascii() else sum(2 if _is_wide(char) else 1 for char in text)


def _is_wide(char: str) -> bool:
    """Return whether a character takes two columns."""
    return east_asian_width(char) in "WF"


@lru_cache(maxsize=1024)  # templates and rules say the same in all emails
def _wrap_harmless(paragraph: str) -> str | None:
    """Return a paragraph in lines of the usual width; None where one of these might read as a command somewhere."""
    line = paragraph.rstrip()
    if line[:1] in ("", " ", TIE):
        return None if line else ""
    if line.startswith(_BULLET):
        lines = _break_text(line.removeprefix(_BULLET), WIDTH - len(_BULLET))
        return _hang(lines) if all(map(is_harmless, lines)) else None
    lines = _break_text(line, WIDTH)
    return "\n".join(lines) if all(map(is_harmless, lines)) else None


def _hang(lines: Iterable[str]) -> str:
    """Return the lines of an entry of a list, all but the first indented below its words."""
    return _BULLET + f"\n{' ' * len(_BULLET)}".join(lines)


def _wrap_paragraph(paragraph: str, position: Position[Any] | None) -> str:
    """Return one paragraph in lines, marked where they read as commands."""
    line = paragraph.rstrip()
    body = line.lstrip(f" {TIE}")
    indent = line[: len(line) - len(body)]
    if indent and (len(line) <= WIDTH or "://" in body):
        if body.startswith(_MARK) and ";" not in body:
            return line  # as marked as it can be
        lines = [(line, reads_as_command(line, position))]
    elif line.startswith(_BULLET):
        checked = _wrap_and_check(line.removeprefix(_BULLET), WIDTH - len(_BULLET), position)
        return _hang(_mark_line(part) if command else part for part, command in checked)
    else:
        indent = indent[:_DEEPEST_INDENT]
        lines = [(indent + part, command) for part, command in _wrap_and_check(body, WIDTH - len(indent), position)]
    return "\n".join(_mark_line(line) if command else line for line, command in lines)


def _wrap_and_check(text: str, width: int, position: Position[Any] | None) -> list[tuple[str, bool]]:
    """Return ``text`` in lines, each with whether it reads as a command; words move down until none does."""
    lines: Sequence[str] | None = _break_text(text, width)
    for _ in range(_MOST_MOVED):
        if lines is None:
            break
        # The last is the shortest, and the likeliest to be a command.
        found = next((n for n in reversed(range(len(lines))) if reads_as_command(lines[n], position)), None)
        if found is None:
            return [(line, False) for line in lines]
        lines = _move_word_down(lines, max(0, found - 1), width)
    return [(line, reads_as_command(line, position)) for line in _break_text(text, width - len(_MARK))]


def _move_word_down(lines: Sequence[str], number: int, width: int) -> Sequence[str] | None:
    """Return ``lines`` with the last word of one on the next line; None if that one then were too short."""
    rest, space, word = lines[number].rpartition(" ")
    if not space or len(rest) < _NARROWEST:
        return None
    return (*lines[:number], rest, *_break_text(" ".join((word, *lines[number + 1 :])), width))


def _mark_line(line: str) -> str:
    """Return a line with a mark in front, so that it does not read as a command; it keeps to the width."""
    body = line.lstrip().replace(";", "·")  # the words behind a semicolon would be read as a line of their own
    return (_MARK if len(body) + len(_MARK) <= WIDTH else _MARK.strip()) + body


def _break_text(text: str, width: int) -> tuple[str, ...]:
    """Return ``text`` in lines of at most ``width`` columns."""
    if len(text) <= width:
        return (text.rstrip(),)
    words = [piece for word in text.split(" ") for piece in _split_word(word, width)]
    if not all(words) or _UNUSUAL.search(text):
        return tuple(textwrap.wrap(" ".join(words), width, break_long_words=False, break_on_hyphens=False)) or ("",)
    lines, line = [], words[0]
    for word in words[1:]:
        if len(line) + len(word) < width:
            line = f"{line} {word}"
        else:
            lines.append(line)
            line = word
    return (*lines, line)


def _split_word(word: str, width: int) -> list[str]:
    """Return a word in pieces that fit into a line; a URL stays whole."""
    if len(word) <= width or "://" in word:
        return [word]
    if TIE in word:
        return [piece for part in word.split(TIE) for piece in _split_word(part, width)]
    return [word[start : start + width] for start in range(0, len(word), width)]


def quote_words(text: str) -> list[str]:
    """Return words that belong to no match in short lines, in quotation marks; nothing for none."""
    return quote_lines(wrap_words(text, None)) if text else []


def quote_lines(lines: Iterable[str]) -> list[str]:
    """Return lines in quotation marks."""
    return ("“" + "\n".join(lines) + "”").split("\n")


def wrap_words(text: str, position: Position[Any] | None) -> list[str]:
    """Return what somebody wrote in short lines."""
    return [part for line in flow_lines(text) for part in wrap_line(line, _COMMENT_WIDTH, position)]
