"""Asks back, before words go to everybody, what may have been meant for one reader alone, or as another move. Pure."""

import re
from collections.abc import Sequence

from pbem.frames import corrects
from pbem.match import Match
from pbem.rulings import NoCommand, SeveralMoves
from rules import RulesError, Seat

_MOST_LINES = 20


def for_everybody(match: Match, seat: Seat, line: str) -> str:
    """Return a line that nearly says ``team:``; raises NoCommand where ``seat`` has a partner who may be meant."""
    if match.partners(seat):
        raise _for_whom(line)
    return line


def refuse_private(match: Match, seat: Seat, words: Sequence[str]) -> None:
    """Raise NoCommand where a line of ``words`` may be for a partner of ``seat`` alone, who is named in front of it."""
    names = {name for partner in match.partners(seat) for name in (match.name(partner), match.name(partner).split()[0])}
    for line in words if names else ():
        named = "|".join(re.escape(name.casefold()) for name in sorted(names))
        if re.match(
            rf"\W*(?:(?:just|only|for|to|hi|hey|hello|dear)\W+){{0,3}}(?:{named})\b(?:\W+(?:only|alone)\)?)?\s*[:：]"
            rf"|\W*(?:just|only)\W+(?:for|to)\W+(?:{named})\b",
            line.casefold(),
        ):
            raise _for_whom(line)


def refuse_correction(match: Match, moves: Sequence[str], words: Sequence[str]) -> None:
    """Raise SeveralMoves where a line below the last of ``moves`` takes it back, and names another.

    ``match`` is as that move has left it.
    """
    found = [line for line in words if corrects(line)][:_MOST_LINES]
    if not moves or not found:
        return
    position = match.at(match.ply - 1).position
    for line in found:
        for word in dict.fromkeys(re.findall(r"\w+", line)):
            try:
                other = position.parse(word)
                position.play(other)
            except RulesError:
                continue
            if str(other) not in moves:
                raise SeveralMoves(f"You wrote “{moves[-1]}”, and below it “{line[:60]}”.")


def _for_whom(line: str) -> NoCommand:
    """Return the question whether a line is for the writer's partner alone; the operator is not told what it says."""
    asking = "write team: with a colon to tell your partner alone, or say: to tell everybody."
    return NoCommand(f"A line begins with “{line[:30]}”: {asking}", f"A line may be for the partner: {asking}")
