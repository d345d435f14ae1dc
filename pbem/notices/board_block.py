"""The board block of a notice: a position as text and HTML, in the display that the reader prefers. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from html import escape
from itertools import islice, takewhile
from textwrap import wrap
from typing import Any, Literal

from pbem.boards.html import HtmlWords, board_style, html_board, html_piece, is_cramped, without_links
from pbem.boards.html_words import html_words
from pbem.boards.signs import ASCII, NUMBERS, pictured
from pbem.boards.text import WIDTH, text_board
from pbem.match.preferences import Display
from pbem.notices.sentences import boards as sentences
from pbem.notices.sentences.story import Same
from pbem.notices.speech import spoken_board
from pbem.reading.sentences import legal
from rules.phrase import ENGLISH, Language, Phrase
from rules.position import Position, Prompt
from rules.view import BoardView, Cell, Die, Mark, Piece

_MOST_MOVES = 500  # more cells than any board has
_PRIVATE_USE = 0xE000  # characters that stand in no sentence
_CELL = re.compile(r"[a-z]{1,2}[0-9]{1,2}")


@dataclass(frozen=True, eq=False)
class RenderedBoard:
    """A position as one reader sees it: the board, and what explains it, both as text and in HTML.

    ``standing`` are sentences on how things stand; a board for listeners says them itself, and needs no legend.
    ``words`` are those of the board in HTML, for which ``style`` is the style sheet; ``cramped``: its cells are smaller
    on a phone than fingers should meet.
    """

    text: str
    legend_text: str = ""
    html: str = ""
    legend_html: str = ""
    standing: tuple[str, ...] = ()
    words: str = ""
    style: str = ""
    cramped: bool = False


NO_BOARD = RenderedBoard("")


@dataclass(frozen=True, eq=False)
class BoardRenderings:
    """The renderings of ``position`` in a language, each made once for all its readers.

    ``lines`` maps paragraphs of text to the lines that they are wrapped into.
    """

    position: Position[Any]
    view: BoardView
    language: Language
    lines: dict[str, str] = field(default_factory=dict)
    made: dict[tuple[Display, bool], RenderedBoard] = field(default_factory=dict)

    @cached_property
    def html_words(self) -> HtmlWords:
        """What the board in HTML says to those who listen."""
        return sentences.html_words(self.view, self.language)

    @cached_property
    def sample(self) -> BoardView:
        """A board with one cell of each kind."""
        return _sample(self.view)

    @cached_property
    def standing(self) -> tuple[str, ...]:
        """How things stand."""
        return tuple([sentence.said(self.language) for sentence in self.view.standing])

    @cached_property
    def prompt(self) -> Prompt:
        """What the seat to act may write. Raise RulesError where it is nobody's turn."""
        return self.position.prompt()

    @cached_property
    def links(self) -> frozenset[str]:
        """The cells that whoever is to act can play on by their names alone, or begin a turn of several cells with."""
        return playable_cells(self.position, self.view, self.prompt.example) | self.first_cells

    @cached_property
    def first_cells(self) -> frozenset[str]:
        """The cells with which a turn of several cells can begin."""
        return self.position.first_cells()

    def render(self, display: Display, *, acting: bool) -> RenderedBoard:
        """Return the position in this display; ``acting``: it is the reader's turn, who can tap large enough cells."""
        linked = acting and display not in ("speech", "plain") and not self._is_cramped(display) and bool(self.links)
        if (display, linked) not in self.made:
            links = self.links if linked else frozenset[str]()
            other = self.made.get((display, not linked))
            if other is None:
                self.made[display, linked] = self._draw(display, links)
            else:
                page = self._page(display, links) if linked else without_links(other.html)
                self.made[display, linked] = replace(other, html=page)
        return self.made[display, linked]

    def explain(self, display: Display, holders: Mapping[str, str], *, briefly: bool = False) -> tuple[str, str]:
        """Return what explains the board to one reader, in text and in HTML, with ``holders`` of pieces by their names.

        ``briefly``: it is only said what each sign is.

        Legends are remembered without the players, whom every match has others of.
        """
        shared = tuple(holders)
        text = _write_legend(self.sample, self.language, display == "unicode", shared, briefly)
        html = _draw_legend(self.sample, self.language, display == "large", shared, briefly)
        for piece, room in _leave_room(shared).items():
            text, html = text.replace(room, holders[piece]), html.replace(room, escape(holders[piece]))
        return text, html

    def _is_cramped(self, display: Display) -> bool:
        """Return whether cells are smaller on a phone than fingers should meet."""
        return is_cramped(self.view, large=display == "large")

    def _page(self, display: Display, links: Set[str]) -> str:
        """Return the board in HTML, with links on some cells."""
        return html_board(self.view, self.html_words, large=display == "large", links=links)

    def _draw(self, display: Display, links: Set[str]) -> RenderedBoard:
        """Return the position in this display, with links on some cells."""
        view = self.view
        if display == "speech":
            return _speak(view, self.language)
        signs = pictured(view) if display == "unicode" else ASCII
        text, sample = text_board(view, signs), self.sample
        self.lines.update({line: line.rstrip() for line in text.splitlines()})  # none of them reads as a command
        legend = _write_legend(sample, self.language, display == "unicode")
        if display == "plain":
            return RenderedBoard(text, legend, standing=self.standing)
        large = display == "large"
        return RenderedBoard(
            text,
            legend,
            self._page(display, links),
            _draw_legend(sample, self.language, large),
            self.standing,
            html_words(view, large=large),
            board_style(view, large=large),
            self._is_cramped(display),
        )


def explained_board(view: BoardView, language: Language = ENGLISH) -> str:
    """Return a board as text, with how things stand and what explains it below, for terminals and pages."""
    standing = [sentence.said(language) for sentence in view.standing]
    below = [*standing, "", _say_all(sentences.text_legend(view, ASCII), language)]
    wrapped = [line for part in below for line in wrap(part, WIDTH) or [""]]
    return "\n".join([text_board(view), *wrapped[wrapped[:1] == [""] :]]).replace("\N{NO-BREAK SPACE}", " ") + "\n"


def renderings_of(
    position: Position[Any], language: Language = ENGLISH, proposed: str = "", new: Sequence[str] = ()
) -> BoardRenderings:
    """Return what can be seen of ``position``; the last few positions asked for are remembered.

    The free cells of a ``proposed`` move are marked, and the pieces of several ``new`` moves numbered; that is drawn
    for those alone who may see it.
    """
    if not (proposed or new):
        return _sight(Same(position), language)
    view, words = position.view(), set(proposed.split())
    numbers = {cell: number for number, move in zip(NUMBERS, new, strict=False) for cell in _CELL.findall(move)}
    cells = [
        replace(cell, marks=cell.marks | {"proposed"})
        if cell.name in words and cell.piece is None
        else replace(cell, marks=cell.marks | {numbers[cell.name]})
        if cell.name in numbers and cell.piece and not cell.piece.symbol.isdigit()  # which would be misread
        else cell
        for cell in view.cells
    ]
    return BoardRenderings(position, replace(view, cells=tuple(cells)), language)


def playable_cells(position: Position[Any], view: BoardView, example: str) -> frozenset[str]:
    """Return the cells whose name alone is a whole move of the seat to act; ``example`` is some legal move.

    The function looks at the first legal moves, while they are of one word. Where the example has several words,
    and its first word is no move, no cell is: to test every cell would take long.
    """
    if (lone := position.lone_cells()) is not None:
        return lone
    names = {cell.name for cell in view.cells}
    first, *more = example.split()
    if more and not (first in names and legal(position, first)):
        return frozenset()
    moves = set(takewhile(lambda move: " " not in move, map(str, islice(position.legal_moves(), _MOST_MOVES))))
    first_cells = {found[0] for move in moves - names if (found := _CELL.match(move)) and found[0] in names}
    return frozenset(moves & names | {name for name in first_cells - moves if legal(position, name)})


@lru_cache(maxsize=8)
def _sight(same: Same[Position[Any]], language: Language) -> BoardRenderings:
    """Return fresh renderings."""
    return BoardRenderings(same.value, same.value.view(), language)


def _say_all(phrases: Iterable[Phrase], language: Language) -> str:
    """Return sentences in ``language``, one behind the other."""
    return " ".join([sentence.said(language) for sentence in phrases])


def _speak(view: BoardView, language: Language) -> RenderedBoard:
    """Return the board in sentences."""
    groups = spoken_board(view, language).groups
    text = "\n\n".join(map("\n".join, groups)) + "\n"
    paragraphs = ("<br>\n".join(map(escape, group)) for group in groups)
    html = "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
    return RenderedBoard(text, html=f'<div id="board">\n{html}</div>\n', words=text)


def _sample(view: BoardView) -> BoardView:
    """Return a board with one cell of each kind: what explains it is the same, in all matches of a game."""
    kinds = {(cell.piece is None, cell.die is None, cell.marks, cell.ground) for cell in view.cells}
    return replace(view, cells=tuple([_sample_cell(view.pieces[0], *kind) for kind in kinds]), standing=(), choices=())


@lru_cache(maxsize=256)
def _sample_cell(
    piece: Piece, empty: bool, flat: bool, marks: frozenset[Mark], ground: Literal["plain", "light", "dark"]
) -> Cell:
    """Return a cell of a kind: ``empty`` or with a piece, ``flat`` or with a die, with marks, on a ground."""
    return Cell("", 0, 0, None if empty else piece, marks, None if flat else Die(1, (1, 1, 1, 1)), ground)


@lru_cache(maxsize=512)
def _write_legend(
    sample: BoardView, language: Language, drawn: bool, shared: tuple[str, ...] = (), briefly: bool = False
) -> str:
    """Return what explains a board in text; ``drawn``: with better signs than letters.

    Behind the names of ``shared`` pieces there is room for players.
    """
    signs = pictured(sample) if drawn else ASCII
    lines = sentences.text_legend(sample, signs, _leave_room(shared))
    return f"{_say_all(lines[:1] if briefly else lines, language)}\n"


@lru_cache(maxsize=512)
def _draw_legend(
    sample: BoardView, language: Language, large: bool, shared: tuple[str, ...] = (), briefly: bool = False
) -> str:
    """Return what explains a board in HTML, as one paragraph, with the same room."""
    places = {piece.symbol: chr(_PRIVATE_USE + number) for number, piece in enumerate(sample.pieces)}
    lines = sentences.html_legend(sample, places, _leave_room(shared))
    legend = "<br>\n".join([escape(line.said(language)) for line in (lines[:1] if briefly else lines)])
    for piece in sample.pieces:
        legend = legend.replace(places[piece.symbol], html_piece(sample, piece, large=large))
    return f'<p style="font-size:{20 if large else 13}px;margin:6px 0">{legend}</p>\n'


def _leave_room(shared: Iterable[str]) -> dict[str, str]:
    """Return what stands for the players who have each of these pieces, by the names of the pieces."""
    return {piece: f"\0{piece}\0" for piece in shared}
