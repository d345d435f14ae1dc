"""Draws a position for one reader, in the way he has chosen: the same in his text and in his HTML. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from itertools import islice, takewhile
from typing import Any

from pbem.boards import ASCII, Signs, html_board, pictured, spoken_board, text_board
from pbem.commands import TIE
from pbem.match import Display
from rules import BoardView, Position, RulesError

_MOST_MOVES = 500  # more cells than any board has
_CELL = re.compile(r"[a-z]{1,2}[0-9]{1,2}")


@dataclass(frozen=True, eq=False)
class RenderedBoard:
    """A position as one reader sees it.

    ``text`` holds the board and what stands below it, ``html`` the same in HTML. ``links``: in it are cells that open
    an answer.
    """

    text: str
    html: str
    links: bool


@dataclass(frozen=True, eq=False)
class BoardRenderings:
    """What can be seen of ``position``, worked out once for all who are told of it.

    ``lines`` holds for paragraphs of text in which lines they are to be written there.
    """

    position: Position[Any]
    view: BoardView
    lines: dict[str, str] = field(default_factory=dict)
    texts: dict[Display, str] = field(default_factory=dict)
    pages: dict[tuple[Display, bool], tuple[str, bool]] = field(default_factory=dict)

    def shown(self, display: Display, acting: bool) -> RenderedBoard:
        """Return the position for a reader who wants boards like that; ``acting``: he is the one to play."""
        if display not in self.texts:
            self.texts[display], drawn = _in_text(self.view, display)
            self.lines.update({line: line.rstrip() for line in drawn})  # none of them reads as a command
        if (display, acting) not in self.pages:
            self.pages[display, acting] = _in_html(self, display, acting)
        return RenderedBoard(self.texts[display], *self.pages[display, acting])


def renderings_of(position: Position[Any]) -> BoardRenderings:
    """Return what can be seen of ``position``; the last few positions asked for are remembered."""
    return _sight(_Same(position))


def playable_cells(position: Position[Any], view: BoardView) -> frozenset[str]:
    """Return the cells that are a whole move of the seat to act when written alone.

    Asked are the first moves that the rules list, as long as they are of one word. Where the example has several
    words, of which the first is no move, none is: to find that out cell by cell takes long.
    """
    names = {cell.name for cell in view.cells}
    first, *more = position.prompt().example.split()
    if more and not (first in names and _can_play(position, first)):
        return frozenset()
    moves = set(takewhile(lambda move: " " not in move, map(str, islice(position.legal_moves(), _MOST_MOVES))))
    begun = {found[0] for move in moves - names if (found := _CELL.match(move)) and found[0] in names}
    return frozenset(moves & names | {name for name in begun - moves if _can_play(position, name)})


@dataclass(frozen=True, eq=False)
class _Same:
    """A position that equals itself alone: to compare two by what they hold takes longer than to look at one."""

    position: Position[Any]

    def __hash__(self) -> int:
        return id(self.position)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.position is self.position


@lru_cache(maxsize=8)
def _sight(same: _Same) -> BoardRenderings:
    """Return a fresh Sight."""
    return BoardRenderings(same.position, same.position.view())


def _in_text(view: BoardView, display: Display) -> tuple[str, list[str]]:
    """Return the board and what stands below it, and the lines of the drawing itself."""
    if display == "speech":
        groups = spoken_board(view).groups
        return "\n\n".join(map("\n".join, groups)) + "\n", []
    signs = pictured(view) if display == "unicode" else ASCII
    drawing = text_board(replace(view, captions=(), standing=()), signs)
    return f"{drawing}\n{_below(view, signs)}", drawing.splitlines()


def _in_html(seen: BoardRenderings, display: Display, acting: bool) -> tuple[str, bool]:
    """Return the same in HTML, and whether there are links in it."""
    if display == "plain":
        return "", False
    if display == "speech":
        paragraphs = ("<br>\n".join(map(escape, group)) for group in spoken_board(seen.view).groups)
        return "".join(f"<p>{words}</p>\n" for words in paragraphs), False
    links = playable_cells(seen.position, seen.view) if acting else frozenset[str]()
    return html_board(seen.view, large=display == "large", links=links), bool(links)


def _can_play(position: Position[Any], text: str) -> bool:
    """Return whether ``text`` is a move here."""
    try:
        position.play(position.parse(text))
    except RulesError:
        return False
    return True


def _below(view: BoardView, signs: Signs) -> str:
    """Return what stands below the text board: how things stand, what its signs mean, and the captions."""
    words = list(_signs(view, signs))
    if set[str]().union(*{cell.marks for cell in view.cells}) == {"last"}:
        words.append(f"({TIE}){TIE}the last move")  # a board with a winning line says this itself
    standing = "".join(f"{sentence}\n" for sentence in view.standing)
    legend = " ".join([f"{', '.join(words)}.", *view.captions])
    return f"{standing}\n{legend}\n" if standing else f"{legend}\n"


def _signs(view: BoardView, signs: Signs) -> Iterator[str]:
    """Yield what each piece is; behind a better sign its message, which other sentences call it by."""
    for piece in view.pieces:
        sign = signs.get(piece.symbol, piece.symbol)
        message = f"{TIE}({piece.symbol})" if sign != piece.symbol else ""
        yield f"{sign}{TIE}{piece.name}{message}"
