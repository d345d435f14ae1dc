"""A robot's review of a player's moves in sentences, as text and HTML, with the board before the worst move. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.boards.signs import is_proposed
from pbem.match.match import Match, is_move
from pbem.match.preferences import Display
from pbem.notices.board_block import NO_BOARD, BoardRenderings, RenderedBoard
from pbem.notices.wrapping import wrap_safely
from pbem.ports import Regret, Review
from rules.phrase import ENGLISH, Language, Phrase, listed, phrase, phrases
from rules.position import Seat
from rules.view import BoardView

_CELL = re.compile(r"[a-z]{1,2}[0-9]{1,2}")
_ALL = 950  # per mille


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


def describe_review(review: Review, match: Match, language: Language = ENGLISH) -> list[str]:
    """Return what was found about the moves of a seat, as its player reads it."""
    if not review.moves:
        return [phrase("You made no move that I could look at.").said(language)]
    regret = review.regret
    if regret is None:
        nothing = phrases(
            "I’ve looked at your move again: it didn’t clearly cost you anything.",
            "I’ve looked at your {count} moves again: none of them clearly cost you anything.",
            review.moves,
        )
        return [nothing.said(language)]
    number = sum(map(is_move, match.record[: regret.ply])) + 1
    if regret.loss >= _ALL:
        cost = phrase("Your move {number}, {move}, gave away a match you had won.", number=number, move=regret.move)
    else:
        cost = phrase(
            "Your costliest move was number {number}, {move}: it cut your chances by about {wins} points in 100.",
            number=number,
            move=regret.move,
            wins=(regret.loss + 5) // 10,
        )
    return [cost.said(language), _tell_better(regret, review.seat, match).said(language)]


def _tell_better(regret: Regret, seat: Seat, match: Match) -> Phrase:
    """Return what was better, and how the match might then have gone on."""
    before = match.at(regret.ply).position
    outcome = before.play(before.parse(regret.better)).outcome()
    if outcome and seat in outcome.winners:
        return phrase("{better} was better: it wins at once.", better=regret.better)
    if not regret.line:
        return phrase("{better} was better.", better=regret.better)
    line = listed(_name_moves(regret.line, seat, match))
    return phrase("{better} was better; {line} might have followed.", better=regret.better, line=line)


def _name_moves(line: Sequence[tuple[Seat | None, str]], seat: Seat, match: Match) -> list[Phrase]:
    """Return moves with the names of their players."""
    return [
        phrase("your {move}", move=move)
        if actor == seat or actor is None
        else phrase("{name}’s {move}", name=match.name(actor), move=move)
        for actor, move in line
    ]


def explain_marks(move: str, better: str, language: Language = ENGLISH, *, drawn: bool) -> str:
    """Return what the signs mean on the board of a review, in text or ``drawn``; nothing where no move is on a cell."""
    played = phrase("{move} has a red ring", move=move) if drawn else phrase("{move} is in brackets", move=move)
    if move and better:
        both = phrase("{played}; ? marks what was better, {better}.", played=played, better=better)
        return both.said(language)
    if better:
        return phrase("? marks what was better, {better}.", better=better).said(language)
    return phrase("{played}.", played=played).said(language) if move else ""
