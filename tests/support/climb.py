"""Climb, a made-up game of chance, small enough to read: each turn adds to a common sum what the die allows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import AmbiguousMove, IllegalMove, InvalidMove, RulesError
from rules.game import Game, Value
from rules.phrase import phrase
from rules.position import Chance, Objective, Outcome, Position, Prompt, Seat
from rules.view import BoardView, Piece

FACES = 4


@dataclass(frozen=True, slots=True)
class Climb(Position[int]):
    """A sum that both sides add to; ten or more wins. ``die`` is None while a roll comes next."""

    total: int = 0
    turn: Seat = 0
    die: int | None = None
    gone: frozenset[Seat] = frozenset()

    @property
    def to_act(self) -> Seat | Chance | None:
        """The roll comes before every turn."""
        if self.outcome():
            return None
        return self.turn if self.die else Chance("die", FACES)

    def parse(self, text: str) -> int:
        """A move is a number; "some" could be any."""
        if text == "some":
            raise AmbiguousMove("made_up", "“some” could be 1 or 2.")
        if text == "nothing":
            raise IllegalMove("made_up", "“nothing” is not enough.")
        if not (text.isascii() and text.isdigit() and len(text) < 3):
            raise InvalidMove("made_up", "That is no number.")
        return int(text)

    def play(self, move: int) -> "Climb":
        """Add to the sum."""
        if not 1 <= move <= (self.die or 0):
            raise IllegalMove("made_up", f"“{move}” is more than the die shows.")
        return replace(self, total=self.total + move, turn=1 - self.turn, die=None)

    def roll(self, value: int) -> "Climb":
        """Let the die fall."""
        return replace(self, die=value)

    def leave(self, seat: Seat, word: str) -> "Climb":
        """Leave, and lose."""
        return replace(self, gone=self.gone | {seat})

    def legal_moves(self) -> Iterator[int]:
        """All that the die allows."""
        yield from range(1, (self.die or 0) + 1)

    def outcome(self) -> Outcome | None:
        """Whoever reaches ten wins."""
        if self.gone:
            return Outcome(frozenset({0, 1}) - self.gone, "the other side left")
        return Outcome(frozenset({1 - self.turn}), "ten is reached") if self.total >= 10 else None

    def roles(self) -> tuple[str | None, ...]:
        """Nobody has a role."""
        return (None, None)

    def side(self, seat: Seat) -> frozenset[Seat]:
        """Everybody is alone."""
        return frozenset({seat})

    def departed(self) -> frozenset[Seat]:
        """Who has left."""
        return self.gone

    def prompt(self) -> Prompt:
        """What to write."""
        if not self.die:
            raise RulesError("made_up", "It is nobody's turn.")
        return Prompt(phrase("Reply with a number, such as {example}.", example="1"), "1")

    def objective(self, seat: Seat) -> Objective:
        """What to do."""
        return Objective(phrase("You add to the sum."))

    def view(self) -> BoardView:
        """Nothing but a sum."""
        return BoardView(
            ("a",), ("1",), (), (Piece("x", "X", phrase("x")),), (phrase("The sum is {sum}.", sum=self.total),)
        )


def _climb(seats: int, options: Mapping[str, Value]) -> Position[Any]:
    return Climb()


CLIMB = Game("climb", "Climb", range(2, 3), (), _climb, (phrase("Write a number, such as “1”."),), "1", {}, ("die",))
