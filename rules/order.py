"""The order of turns by a roll, for every game alike: the first roll says who takes the game's first seat."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from math import factorial
from typing import Any

from rules.errors import IllegalMove, InvalidMove, RulesError, no_such_roll, not_present, roll_first
from rules.phrase import Event, mark, phrase
from rules.position import Chance, Choice, Objective, Outcome, Position, Prompt, Seat
from rules.view import BoardView

ROLL = mark("order of turns")
"""What the roll is called."""

_GOES = (
    (mark("You go first."), mark("{name} goes first.")),
    (mark("You go second."), mark("{name} goes second.")),
    (mark("You go third."), mark("{name} goes third.")),
)


@cache
def _orders(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return every order of turns; the roll n chooses the n-th, counted from 1."""
    return tuple(permutations(range(seats)))


@dataclass(frozen=True, slots=True)
class RolledOrder(Position[Any]):
    """A position of a game whose order of turns is rolled.

    ``inner`` is the position as the game has it, its seats in the order of turns. ``order`` gives the player's seat
    for each of them, () before the roll. ``exits`` are the seats that left before the roll, with their words.
    """

    inner: Position[Any]
    order: tuple[Seat, ...] = ()
    exits: tuple[tuple[Seat, str], ...] = ()

    @property
    def to_act(self) -> Seat | Chance | None:
        """The seat to act, or the roll that comes next: the order of turns before all others."""
        if not self.order:
            return Chance(ROLL, factorial(self._seats))
        awaited = self.inner.to_act
        return awaited if awaited is None or isinstance(awaited, Chance) else self.order[awaited]

    def parse(self, text: str) -> Any:
        """Read a move as the game does; there is none before the roll."""
        if not self.order:
            raise InvalidMove(*roll_first(text))
        return self.inner.parse(text)

    def play(self, move: Any) -> "RolledOrder":
        """Return the position after ``move``."""
        if not self.order:
            raise IllegalMove(*roll_first(str(move)))
        return RolledOrder(self.inner.play(move), self.order)

    def roll(self, value: int) -> "RolledOrder":
        """Return the position after the order of turns was rolled, or another roll of the game."""
        if self.order:
            return RolledOrder(self.inner.roll(value), self.order)
        if value not in range(1, factorial(self._seats) + 1):
            raise RulesError(*no_such_roll(value))
        return self._seated(_orders(self._seats)[value - 1])

    def leave(self, seat: Seat, word: str) -> "RolledOrder":
        """Let ``seat`` leave; before the roll, with what would follow in any order."""
        if seat in self.departed() or seat not in range(self._seats):
            raise IllegalMove(*not_present(word, seat))
        if self.order:
            return RolledOrder(self.inner.leave(self.order.index(seat), word), self.order)
        following = replace(self, exits=(*self.exits, (seat, word)))
        seated = following._seated(_orders(self._seats)[0])
        return seated if seated.outcome() else following

    def legal_moves(self) -> Iterator[Any]:
        """Yield the legal moves of the seat to act."""
        return self.inner.legal_moves() if self.order else iter(())

    def any_move(self, pick: Callable[[int], int]) -> Any:
        """Return some legal move."""
        return self.inner.any_move(pick)

    def forced(self) -> Any:
        """Return the move of the seat to act when it has nothing to decide."""
        return self.inner.forced() if self.order else None

    def describe(self, move: Any) -> Event:
        """Return what happened by ``move``."""
        return self._reseated(self.inner.describe(move))

    def describe_roll(self, value: int) -> tuple[Event, ...]:
        """Return what happened by the roll: for the order of turns who goes first, and who next but the last."""
        if self.order:
            return tuple(map(self._reseated, self.inner.describe_roll(value)))
        order = _orders(self._seats)[value - 1][:-1]
        return tuple(Event(seat, phrase(you), phrase(name)) for seat, (you, name) in zip(order, _GOES, strict=False))

    def outcome(self) -> Outcome | None:
        """Return how the match ended, or None."""
        outcome = self.inner.outcome() if self.order else None
        if outcome is None:
            return None
        story = outcome.story and self._reseated(outcome.story)
        return replace(outcome, winners=frozenset(self.order[seat] for seat in outcome.winners), story=story)

    def roles(self) -> tuple[str | None, ...]:
        """Return each seat's role; none before the roll."""
        if not self.order:
            return (None,) * self._seats
        roles = self.inner.roles()
        return tuple(roles[self.order.index(seat)] for seat in range(self._seats))

    def side(self, seat: Seat) -> frozenset[Seat]:
        """Return the seats that win and lose together with ``seat``."""
        if not self.order:
            return frozenset({seat})
        return frozenset(self.order[other] for other in self.inner.side(self.order.index(seat)))

    def departed(self) -> frozenset[Seat]:
        """Return the seats that have left."""
        if not self.order:
            return frozenset(seat for seat, _ in self.exits)
        return frozenset(self.order[seat] for seat in self.inner.departed())

    def turn_order(self) -> tuple[Seat, ...]:
        """Return the seats in the order of their turns, none before the roll."""
        return self.order

    def prompt(self) -> Prompt:
        """Return what the seat to act may write."""
        if not self.order:
            raise RulesError("no_prompt", phrase("There’s nothing to reply with yet: a roll comes first."))
        return self.inner.prompt()

    def suggestions(self) -> tuple[Choice, ...]:
        """Return sensible complete answers of the seat to act."""
        return self.inner.suggestions() if self.order else ()

    def answers_like(self, text: str) -> tuple[Choice, ...]:
        """Return the legal answers that begin as ``text`` does."""
        return self.inner.answers_like(text) if self.order else ()

    def first_cells(self) -> frozenset[str]:
        """Return the cells with which a turn of several cells can begin."""
        return self.inner.first_cells() if self.order else frozenset()

    def lone_cells(self) -> frozenset[str] | None:
        """Return what the game says of the cells, once the seats have their order."""
        return self.inner.lone_cells() if self.order else None

    def objective(self, seat: Seat) -> Objective:
        """Return the goal of ``seat``."""
        if not self.order:
            gone = seat in self.departed()
            return Objective(phrase("You’ve left this match.") if gone else phrase("A roll decides who goes first."))
        return self.inner.objective(self.order.index(seat))

    def view(self) -> BoardView:
        """Return the board as data, to be drawn."""
        return self.inner.view()

    @property
    def _seats(self) -> int:
        """The number of seats."""
        return len(self.inner.roles())

    def _reseated(self, event: Event) -> Event:
        """Return an event of the game within, about the seat at this table."""
        return event if event.seat is None else event._replace(seat=self.order[event.seat])

    def _seated(self, order: tuple[Seat, ...]) -> "RolledOrder":
        """Return the position with the seats in ``order``; who has left before leaves the game now."""
        inner = self.inner
        for seat, word in self.exits:
            inner = inner.leave(order.index(seat), word)
        return RolledOrder(inner, order)
