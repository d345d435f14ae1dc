"""A robot's review of a player's moves as text and HTML, with the board before the move that cost most. Pure."""

import re
from dataclasses import dataclass, replace

from pbem.boards.signs import is_proposed
from pbem.match.match import Match
from pbem.match.preferences import Display
from pbem.notices.board_block import NO_BOARD, BoardRenderings, RenderedBoard
from pbem.notices.sentences.reviewing import describe_review, explain_marks
from pbem.notices.wrapping import wrap_safely
from pbem.ports import Review
from rules.phrase import ENGLISH, Language
from rules.view import BoardView

_CELL = re.compile(r"[a-z]{1,2}[0-9]{1,2}")


@dataclass(frozen=True, eq=False)
class DrawnReview:
    """A review: its ``sentences``, and the ``board`` before the move that cost most, with what its marks mean.

    Both moves are marked otherwise in text than in HTML; a listener hears no marks, only which moves they were.
    """

    sentences: tuple[str, ...]
    board: RenderedBoard = NO_BOARD
    marks_text: str = ""
    marks_html: str = ""

    @property
    def text(self) -> str:
        """All of it as text."""
        parts = [" ".join(self.sentences), self.board.text.rstrip("\n"), self.marks_text]
        known = {line: line.rstrip() for line in self.board.text.splitlines()}
        return wrap_safely("\n\n".join(filter(None, parts)), None, known)


def draw_review(review: Review, match: Match, display: Display, language: Language = ENGLISH) -> DrawnReview:
    """Return what a robot says of the moves of a seat, as its player sees it; the ``match`` is over."""
    sentences = tuple(describe_review(review, match, language))
    if review.regret is None:
        return DrawnReview(sentences)
    position = match.at(review.regret.ply).position
    regret = review.regret
    view = _mark(position.view(), *(("", "") if display == "speech" else (regret.move, regret.better)))
    board = BoardRenderings(position, view, language).render(display, acting=False)
    move = regret.move if any("last" in cell.marks for cell in view.cells) else ""
    better = regret.better if any(map(is_proposed, view.cells)) else ""
    text, html = (explain_marks(move, better, language, drawn=drawn) for drawn in (False, True))
    return DrawnReview(sentences, board, text, html)


def _mark(view: BoardView, move: str, better: str) -> BoardView:
    """Return a board on which the cells of the move are marked as the last one, and the free ones of the better."""
    played, proposed = set(_CELL.findall(move)), set(_CELL.findall(better))
    cells = []
    for cell in view.cells:
        marks = cell.marks - {"last", "proposed"}
        marks |= {"last"} if cell.name in played else set()
        marks |= {"proposed"} if cell.name in proposed and cell.piece is None else set()
        cells.append(replace(cell, marks=marks))
    return replace(view, cells=tuple(cells))
