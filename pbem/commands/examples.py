"""What could be written now about moves to come, for sentences that show how: lines and plans that can be played. Pure.

They are of the game and of the position. Where the match is over, or nothing more comes, they are of its beginning.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.match.match import Match
from rules.errors import RulesError
from rules.game import advance
from rules.position import Chance, Entry, Position, Seat

_MOST_ENTRIES = 12  # of an example: no game needs more until somebody else is to act
_ROLLED = 3


def example_line(match: Match) -> str:
    """Return two moves that could follow, with what is rolled between them: ``d4, e5``, ``c3 n6, 3, a1 n2``."""
    return next(filter(None, map(_line_of, _stories(match))), "")


def example_plan(match: Match, seat: Seat) -> str:
    """Return a plan of ``seat`` with one answer: ``if d4 then e5``, or ``if d4, 3 then e5`` where dice are rolled."""
    return next(filter(None, (_plan_of(entries, seat) for entries in _stories(match))), "")


def example_move(match: Match) -> str:
    """Return a move that whoever is to act could make."""
    moves = (entry.text for entries in _stories(match) for entry in entries if entry.seat is not None)
    return next(moves, "")


def _line_of(entries: Sequence[Entry]) -> str:
    """Return the first two moves of ``entries``, with what is rolled between them; "" for fewer."""
    moves = [place for place, entry in enumerate(entries) if entry.seat is not None][:2]
    return ", ".join(entry.text for entry in entries[moves[0] : moves[1] + 1]) if len(moves) == 2 else ""


def _plan_of(entries: Sequence[Entry], seat: Seat) -> str:
    """Return the first answer of ``seat`` to what others do in ``entries``, as a plan; "" where there is none."""
    condition: list[Entry] = []
    begun = False  # what is rolled before anybody moves is known by then
    for entry in entries:
        if entry.seat == seat and any(one.seat is not None for one in condition):
            return f"if {', '.join(one.text for one in condition)} then {entry.text}"
        if entry.seat == seat:  # their own move, or one more of it
            condition.clear()
        elif begun or entry.seat is not None:
            condition.append(entry)
        begun = begun or entry.seat is not None
    return ""


def _stories(match: Match) -> Iterator[list[Entry]]:
    """Yield what could follow in ``match``, and what could stand at the beginning of another like it."""
    if match.outcome is None:
        yield _play_on(match.position)
    yield _play_on(match.game.restore(len(match.players), match.options))


def _play_on(position: Position[Any]) -> list[Entry]:
    """Return the entries of an imagined match from ``position`` on: the example of each prompt, and low rolls."""
    found: list[Entry] = []
    try:
        while len(found) < _MOST_ENTRIES and (awaited := position.to_act) is not None:
            if isinstance(awaited, Chance):
                entry = Entry(None, str(min(_ROLLED, awaited.faces)))
            else:
                entry = Entry(awaited, position.prompt().example)
            position = advance(position, entry)
            found.append(entry)
    except RulesError:  # an example is no reason to fail
        pass
    return found
