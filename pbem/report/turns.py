"""A match as it is played for a report: its turns, the names of actions, and the cells that a move names.

Boards of robots count actions; only whole moves have a text. So an action of several is named by what all moves that
begin with it have in common. No game needs a word of its own here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from pbem.robots.thinking import Match
from rules.games import GAMES
from rules.position import Chance, Entry, Seat
from rules.view import BoardView

Place = tuple[float, float]
"""Where the middle of a cell lies, in widths of a cell from the left and from the bottom."""

_TOKEN = re.compile(r"x(?=[a-w]\d)|[a-w]\d+|[a-z]+|\d+")  # “x” stands between two cells
_HEX_RISE = 3**0.5 / 2


def tokens(text: str) -> list[str]:
    """Return the cells and words of a move."""
    return _TOKEN.findall(text)


@lru_cache(maxsize=8)
def opening_view(game: str, seats: int, options: tuple[tuple[str, Any], ...]) -> BoardView:
    """Return the board as it is at first."""
    return GAMES[game].restore(seats, dict(options)).view()


def places(view: BoardView) -> dict[str, Place]:
    """Return where the cells lie; on a hex board each row is half a cell to the side of the next."""
    if view.shape == "hex":
        return {cell.name: (cell.column - cell.row / 2, cell.row * _HEX_RISE) for cell in view.cells}
    return {cell.name: (float(cell.column), float(cell.row)) for cell in view.cells}


def middle(cells: Sequence[Place]) -> Place:
    """Return the middle of a board."""
    across, up = zip(*cells, strict=True)
    return (min(across) + max(across)) / 2, (min(up) + max(up)) / 2


@dataclass(slots=True)
class Turns:
    """A match under way, with the record of its entries.

    ``auction`` is the word that ends an auction, if the game has one. ``before`` is the state at the beginning of the
    turn, ``taken`` are its actions so far, and ``latest`` the cells that the last move of each seat names, and its
    actions.
    """

    match: Match
    cells: frozenset[str]
    auction: str = ""
    record: list[Entry] = field(default_factory=list)
    before: Any = None
    taken: list[int] = field(default_factory=list)
    latest: dict[Seat, tuple[list[str], list[int]]] = field(default_factory=dict)
    bids: bool = False
    last_seat: Seat | None = None

    def __post_init__(self) -> None:
        self.before, self.bids = self.match.state.copy(), bool(self.auction)

    def roll(self, random: Random) -> None:
        """Carry out the roll that comes next."""
        match = self.match
        if match.board.kernel.fast:
            value = random.choice(match.legal()) + 1
        else:
            # That board is a position of the rules, and has all of its faces: they may be billions.
            awaited = match.state[0].to_act
            assert isinstance(awaited, Chance)
            value = random.randrange(awaited.faces) + 1
        match.play(value - 1)
        self.record.append(Entry(None, str(value)))
        self.before = match.state.copy()

    def play(self, action: int) -> None:
        """Carry out an action; the move that it may complete goes into the record."""
        seat = self.match.actor
        self.taken.append(action)
        self.match.play(action)
        text = self.match.board.text(self.match.opened, self.before, self.taken)
        if text is not None:
            self.record.append(Entry(seat, text))
            self.latest[seat] = [token for token in tokens(text) if token in self.cells], self.taken
            self.last_seat = seat
            self.bids = self.bids and text != self.auction
            self.before, self.taken = self.match.state.copy(), []

    def answered(self) -> list[str]:
        """Return the cells of the latest move, if it was made by another seat than the one to act; else none."""
        return self._latest_of_another()[0]

    def answered_actions(self) -> list[int]:
        """Return the actions of that move."""
        return self._latest_of_another()[1]

    def _latest_of_another(self) -> tuple[list[str], list[int]]:
        if self.last_seat is None or self.last_seat == self.match.actor:
            return [], []
        return self.latest[self.last_seat]

    def names(self, actions: Sequence[int]) -> list[str]:
        """Return what legal actions are called: by the cells that they take, else by their words.

        One that only ends a turn has an empty name.
        """
        known = _common(self._spell(self.taken)) if self.taken else []
        return [self._name(self._spell([*self.taken, action]), known) for action in actions]

    def _name(self, moves: list[str], known: list[str]) -> str:
        """Return the name of an action with which these moves begin; actions before it have made ``known`` of them."""
        if len(moves) == 1 and not known:
            return moves[0]
        own = [token for token in _common(moves) if token not in known]
        return " ".join([token for token in own if token in self.cells] or own)

    def _spell(self, actions: list[int]) -> list[str]:
        """Return one or two whole moves that begin with ``actions`` of this turn: one if they are a move."""
        match = Match(self.match.board, self.match.opened, self.before.copy(), self.match.order)
        for action in actions:
            match.play(action)
        board, opened = match.board, match.opened
        found: list[str] = []
        for end in (0, -1):
            trial, begun = match.copy(), list(actions)
            while (text := board.text(opened, self.before, begun)) is None:
                legal = trial.legal()
                begun.append(legal[end])
                trial.play(legal[end])
            found.append(text)
            if len(begun) == len(actions):
                break
        return found


def _common(moves: Sequence[str]) -> list[str]:
    """Return what the moves have in common, in the order of the first."""
    others = [tokens(text) for text in moves[1:]]
    return [token for token in tokens(moves[0]) if all(token in other for other in others)]
