"""Refuses words that may be private, or that may take a move back, before they go to everybody. Pure."""

import re
from collections.abc import Sequence

from pbem.commands.phrasing import continues, corrects, takes_back
from pbem.commands.rejections import NoCommand, SeveralMoves
from pbem.match import Match
from rules import RulesError, Seat

_MOST_LINES, _MOST_WORDS = 10, 20
_LONGEST = 80  # characters in which somebody is addressed
_SECRET = re.compile(
    r"\b(?:only|alone|just for|private|privately|eyes|secret|psst|nur|allein|seulement|sólo|solo|alleen)\b"
)


def require_public(match: Match, seat: Seat, line: str) -> str:
    """Return a line that nearly says ``team:``. Raise NoCommand where ``seat`` has a partner who may be meant."""
    if match.partners(seat):
        raise _for_whom(line)
    return line


def refuse_private(match: Match, seat: Seat, words: Sequence[str]) -> None:
    """Raise NoCommand where a line of ``words`` names a partner of ``seat``, and may be for that partner alone."""
    names = {name for partner in match.partners(seat) for name in (match.name(partner), match.name(partner).split()[0])}
    if not names:
        return
    named = rf"(?:{'|'.join(re.escape(name.casefold()) for name in sorted(names))})"
    to_partner = re.compile(
        rf"@{named}\b|\W*(?:[\w.]+\W+){{0,4}}{named}\b(?:\W+\w+){{0,2}}\W*?(?:\s?[:：)\]>→]|\s[-–—])"
    )
    calls = re.compile(rf"\W*(?:(?:hi|hey|hello|dear|hallo|liebe[rs]?)\W+)?{named}\W*")
    for number, line in enumerate(line.casefold() for line in words):
        below = any(words[number + 1 :])
        secret = re.search(rf"\b{named}\b", line) and _SECRET.search(line)
        if to_partner.match(line[:_LONGEST]) or secret or (below and calls.fullmatch(line)):
            raise _for_whom(words[number])


def refuse_correction(match: Match, moves: Sequence[str], words: Sequence[str]) -> None:
    """Raise SeveralMoves where a line below the last of ``moves`` takes that move back and names another.

    ``match`` is the match after that move.
    """
    found = [line for line in words if corrects(line)][:_MOST_LINES]
    if not moves or not found:
        return
    position = match.at(match.ply - 1).position
    for line in found:
        words_of_it = line.strip(" .!").split()[:_MOST_WORDS]
        for text in dict.fromkeys(
            " ".join(words_of_it[at : at + n]) for n in (1, 2, 3) for at in range(len(words_of_it))
        ):
            try:
                other = position.parse(text.strip(",.!()"))
                position.play(other)
            except RulesError:
                continue
            if str(other) not in moves:
                raise SeveralMoves("corrected", move=moves[-1], other=str(other), line=line)


def refuse_retraction(done: str, words: Sequence[str]) -> None:
    """Raise NoCommand where ``words`` below the command ``done`` take it back, or go on with its sentence."""
    below = words[0] if words else ""
    line = below if continues(below) else next(filter(takes_back, words), "")
    if line:
        raise NoCommand("retracted", done=done, line=line)


def _for_whom(line: str) -> NoCommand:
    """Return the question whether a line is for the sender's partner alone. The operator does not see the line."""
    return NoCommand("unclear_recipient", private=True, line=line)
