"""The board block of a notice: a position as text and HTML, in the display that the reader prefers. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from html import escape
from itertools import islice, takewhile
from typing import Any

from pbem.boards import (
    ASCII,
    Signs,
    html_board,
    html_legend,
    html_words,
    link_style,
    pictured,
    spoken_board,
    text_board,
)
from pbem.commands import TIE
from pbem.match import Display
from rules import BoardView, Position, Prompt, RulesError

_MOST_MOVES = 500  # more cells than any board has
_CELL = re.compile(r"[a-z]{1,2}[0-9]{1,2}")


@dataclass(frozen=True, eq=False)
class RenderedBoard:
    """A position as one reader sees it.

    ``text`` holds the board and its legend, ``html`` the same in HTML, of which ``words`` are the words.
    Where cells open a reply, ``style`` is the style sheet of these links.
    """

    text: str
    html: str
    words: str = ""
    style: str = ""


NO_BOARD = RenderedBoard("", "")


@dataclass(frozen=True, eq=False)
class BoardRenderings:
    """The renderings of ``position``, each made once for all its readers.

    ``lines`` maps paragraphs of text to the lines that they are wrapped into.
    """

    position: Position[Any]
    view: BoardView
    lines: dict[str, str] = field(default_factory=dict)
    texts: dict[Display, str] = field(default_factory=dict)
    pages: dict[tuple[Display, bool], str] = field(default_factory=dict)

    @cached_property
    def words(self) -> str:
        """The words of the board in HTML."""
        return html_words(self.view, self.below)

    @cached_property
    def below(self) -> list[str]:
        """What stands below the board in HTML, line by line."""
        return html_legend(self.view)

    @cached_property
    def prompt(self) -> Prompt:
        """What the seat to act may write. Raise RulesError where it is nobody's turn."""
        return self.position.prompt()

    @cached_property
    def links(self) -> frozenset[str]:
        """The cells that whoever is to act can play on by their names alone."""
        return playable_cells(self.position, self.view, self.prompt.example)

    def render(self, display: Display, *, acting: bool) -> RenderedBoard:
        """Return the position in this display; ``acting``: it is the reader's turn."""
        if display not in self.texts:
            self.texts[display], drawing = _render_text(self.view, display)
            self.lines.update({line: line.rstrip() for line in drawing})  # no line of a drawing reads as a command
        text = self.texts[display]
        if display == "plain":
            return RenderedBoard(text, "")
        links = self.links if acting and display != "speech" else frozenset[str]()
        drawn = display, bool(links)
        if drawn not in self.pages:
            self.pages[drawn] = _render_html(self, display, links)
        words = text if display == "speech" else self.words
        return RenderedBoard(
            text, self.pages[drawn], words, link_style(self.view, large=display == "large") if links else ""
        )


def renderings_of(position: Position[Any]) -> BoardRenderings:
    """Return what can be seen of ``position``; the last few positions asked for are remembered."""
    return _sight(_Same(position))


def playable_cells(position: Position[Any], view: BoardView, example: str) -> frozenset[str]:
    """Return the cells whose name alone is a whole move of the seat to act; ``example`` is some legal move.

    The function looks at the first legal moves, while they are of one word. Where the example has several words,
    and its first word is no move, no cell is: to test every cell would take long.
    """
    names = {cell.name for cell in view.cells}
    first, *more = example.split()
    if more and not (first in names and _can_play(position, first)):
        return frozenset()
    moves = set(takewhile(lambda move: " " not in move, map(str, islice(position.legal_moves(), _MOST_MOVES))))
    first_cells = {found[0] for move in moves - names if (found := _CELL.match(move)) and found[0] in names}
    return frozenset(moves & names | {name for name in first_cells - moves if _can_play(position, name)})


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


def _render_text(view: BoardView, display: Display) -> tuple[str, list[str]]:
    """Return the board with its legend, and the lines of the drawing alone."""
    if display == "speech":
        groups = spoken_board(view).groups
        return "\n\n".join(map("\n".join, groups)) + "\n", []
    signs = pictured(view) if display == "unicode" else ASCII
    drawing = text_board(replace(view, captions=(), standing=()), signs)
    return f"{drawing}\n{_render_legend(view, signs)}", drawing.splitlines()


def _render_html(renderings: BoardRenderings, display: Display, links: frozenset[str]) -> str:
    """Return the board in HTML."""
    if display == "speech":
        paragraphs = ("<br>\n".join(map(escape, group)) for group in spoken_board(renderings.view).groups)
        return "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
    return html_board(renderings.view, large=display == "large", links=links, below=renderings.below)


def _can_play(position: Position[Any], text: str) -> bool:
    """Return whether ``text`` is a legal move in ``position``."""
    try:
        position.play(position.parse(text))
    except RulesError:
        return False
    return True


def _render_legend(view: BoardView, signs: Signs) -> str:
    """Return the text below a board: the standing, the meaning of its signs, and the captions."""
    meanings = list(_explain_signs(view, signs))
    if set[str]().union(*{cell.marks for cell in view.cells}) == {"last"}:
        meanings.append(f"({TIE}){TIE}the last move")  # a board with a winning line says this itself
    standing = "".join(f"{sentence}\n" for sentence in view.standing)
    legend = " ".join([f"{', '.join(meanings)}.", *map(str, view.captions)])
    return f"{standing}\n{legend}\n" if standing else f"{legend}\n"


def _explain_signs(view: BoardView, signs: Signs) -> Iterator[str]:
    """Yield the meaning of each piece's sign; a sign that is no letter is followed by the letter of the piece."""
    for piece in view.pieces:
        sign = signs.get(piece.symbol, piece.symbol)
        letter = f"{TIE}({piece.symbol})" if sign != piece.symbol else ""
        yield f"{sign}{TIE}{piece.name}{letter}"
