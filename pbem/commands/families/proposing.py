"""The family of proposing: a move for the sender's side, which their partners see drawn, and may agree to. Pure.

With more than one partner it is a vote: whoever is to act has the last word, and the others say yes to them.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from pbem.commands.decision import Command, Family, HelpRow, MatchSituation, Spelled
from pbem.commands.effects import AddComment, ProposeMove
from pbem.commands.rejections import AlreadyOver, MoveRejected
from pbem.match.match import Comment, Match
from pbem.reading.move_phrases import WORD_MOVES, looks_like_a_move
from rules.errors import RulesError
from rules.position import Seat

_PROPOSAL = re.compile(
    r"[\W_]{0,9}(?:please\W{1,3})?(?:i(?:\W?d\slike\sto)?\s)?propose(?:\sto\splay)?[\s:]{1,9}(.{1,60}?)"
    r"(?:[\s,]{1,9}(?:please|pls|bitte))?[\s.!*_]{0,9}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Propose(Spelled):
    """The sender proposes the move in ``text`` to their partners."""

    text: str

    says = "propose {it.text}"


def _parse(piece: str) -> Command | None:
    """Return the proposal that a piece of a line is, or None where it is talk."""
    found = _PROPOSAL.fullmatch(piece)
    text = found[1] if found else ""
    return Propose(text) if looks_like_a_move(text) or text.lower() in WORD_MOVES else None


def _apply(situation: MatchSituation, command: Propose, now: datetime) -> MatchSituation:
    """Propose a move that can be made now; raises MoveRejected for another."""
    match, seat = situation.match, situation.seat
    if match.outcome and not situation.moves:
        raise AlreadyOver()
    partners = match.partners(seat)
    if not partners:
        return situation.told("no_partner_to_ask")
    if not match.reading_partners(seat):
        return situation.told("robot_no_proposal", name=match.name(min(partners)))
    if match.to_act not in {seat, *partners}:
        return situation.told("propose_in_turn")
    try:
        move = match.position.parse(command.text)
        match.position.play(move)
    except RulesError as error:
        raise MoveRejected(error, command.text, situation.moves) from error
    words = AddComment(Comment(seat, match.ply, f"propose {move}", to_side=True))
    return situation.carried("", words).carried(f"propose {move}", ProposeMove(seat, str(move), match.ply))


def _has_partner(match: Match, seat: Seat) -> bool:
    """Return whether a seat has somebody to propose a move to."""
    return bool(match.reading_partners(seat))


FAMILY = Family(
    name="proposing",
    topic="agreeing",
    types=(Propose,),
    parse=_parse,
    apply=_apply,
    help=(HelpRow("propose d4", _has_partner),),
)
