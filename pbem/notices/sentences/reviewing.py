"""What a robot says of a player's moves after the match, in sentences to be read aloud. Pure."""

from collections.abc import Sequence

from pbem.match.match import Match, is_move
from pbem.ports import Regret, Review
from rules.phrase import ENGLISH, Language, Phrase, listed, phrase, phrases
from rules.position import Seat

_ALL = 950  # per mille


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
