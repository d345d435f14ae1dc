"""What a position is: the seat to act, the legal moves, and the positions that follow."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Generic, Self, TypeVar

from rules.errors import IllegalMove, RulesError, not_present
from rules.phrase import Event, Phrase, happened, phrase
from rules.text import left_last, left_story
from rules.view import BoardView

Seat = int
"""A player's place at the board, counted from 0; people see it counted from 1."""

EXIT_WORDS = ("resign", "timeout")
"""The words with which a seat leaves a match. A record holds them like moves; no game may use them as moves."""

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Chance:
    """A random result that comes before anybody can act: ``what`` names it, its value lies in 1…``faces``."""

    what: str
    faces: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended; several winners share the win.

    ``reason`` is an English clause to follow "Ann won: ": it stands in records, and is never reworded. ``story`` is
    what players read: a sentence on what decided it, in which ``{name}`` is the winner or, of several, all of them.
    """

    winners: frozenset[Seat]
    reason: str
    story: Event | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a record: a seat's move or exit word, or (seat None) the value of a roll."""

    seat: Seat | None
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the seat to act may write.

    ``instruction`` is a sentence for them, of which the field ``{example}`` is filled: "Reply with a point, such as
    d4." ``example`` is a legal move's canonical text. ``decision`` is an answer that settles more than a turn, with
    the words of a button as its effect: "Take white"; None where there is none.
    """

    instruction: Phrase
    example: str
    decision: "Choice | None" = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A complete legal answer, ``move`` in canonical notation, and its ``effect`` in a few words: "takes b3"."""

    move: str
    effect: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Objective:
    """What a seat has to do, as sentences that say "you": its ``goal``, and what a ``turn`` of it is, one each.

    ``decisive`` is what a first-time player must know before the first move, and would not guess; None if nothing.
    ``reminder`` is what a player needs of ``turn`` beside the prompt, which says the rest; None if nothing.
    """

    goal: Phrase
    turn: Phrase | None = None
    decisive: Phrase | None = None
    reminder: Phrase | None = None


class Position(ABC, Generic[M]):
    """An immutable position of a game whose moves are of type ``M``.

    ``str(move)`` is the canonical notation and ``position.parse(str(move)) == move`` for every legal move.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def to_act(self) -> Seat | Chance | None:
        """The seat whose turn it is, the roll that comes next, or None when the match is over."""

    @abstractmethod
    def parse(self, text: str) -> M:
        """Read a move as people write it.

        Raises InvalidMove or AmbiguousMove, with a sentence that quotes ``text``.
        """

    @abstractmethod
    def play(self, move: M) -> "Position[M]":
        """Return the position after ``move`` of the seat to act, or raise IllegalMove; never enumerates."""

    def roll(self, value: int) -> "Position[M]":
        """Return the position after the roll awaited here came out as ``value``; raises RulesError when none is."""
        raise RulesError("no_roll_awaited", phrase("No roll is due now, so {value} has no place here.", value=value))

    @abstractmethod
    def leave(self, seat: Seat, word: str) -> "Position[M]":
        """Return the position after ``seat`` left with ``word``, one of EXIT_WORDS; allowed out of turn.

        Raises IllegalMove when the match is over or the seat has left before.
        """

    @abstractmethod
    def legal_moves(self) -> Iterator[M]:
        """Yield every legal move of the seat to act, one by one; nothing when no seat is to act."""

    def any_move(self, pick: Callable[[int], int]) -> M:
        """Return some legal move; ``pick(n)`` chooses a number in 0…n-1. For playouts in tests and benchmarks.

        Games with many moves override it, since this one looks at the first thousand.
        """
        moves = list(islice(self.legal_moves(), 1000))
        return moves[pick(len(moves))]

    def forced(self) -> M | None:
        """Return the move of the seat to act when it has nothing to decide: the service then plays it.

        That is a lone "pass" or "roll", not the last free cell, which people like to take themselves.
        """
        return None

    def describe(self, move: M) -> Event:
        """Return what happened by ``move``, to be played here."""
        seat, text = self.to_act, str(move)
        assert isinstance(seat, int)
        return Event(seat, phrase("You played {move}.", move=text), phrase("{name} played {move}.", move=text))

    def describe_roll(self, value: int) -> tuple[Event, ...]:
        """Return what happened by the roll awaited here, ``value``; nothing where a later roll tells it."""
        return (happened(phrase("The roll came up {value}.", value=value)),)

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""

    @abstractmethod
    def roles(self) -> tuple[str | None, ...]:
        """Return each seat's role ("Pip"), None for a seat that has none yet."""

    @abstractmethod
    def side(self, seat: Seat) -> frozenset[Seat]:
        """Return the seats that win and lose together with ``seat``, itself included."""

    @abstractmethod
    def departed(self) -> frozenset[Seat]:
        """Return the seats that have resigned or were timed out."""

    def turn_order(self) -> tuple[Seat, ...]:
        """Return the seats in the order of their turns; nothing while it is still to be rolled."""
        return tuple(range(len(self.roles())))

    @abstractmethod
    def prompt(self) -> Prompt:
        """Return what the seat to act may write; raises RulesError when no seat is to act.

        In a race, which one move decides, neither the example nor a suggestion wins, as long as another answer does
        not: to see it is for the player. Where points are counted at the end, the example may well be the last move.
        """

    def suggestions(self) -> tuple[Choice, ...]:
        """Return up to five sensible complete answers of the seat to act, the best first; none where a cell is all.

        What wins a race is not among them, see ``prompt``.
        """
        return ()

    def answers_like(self, text: str) -> tuple[Choice, ...]:
        """Return the legal answers that begin as ``text`` does, which is none itself; only where they are few."""
        return ()

    def first_cells(self) -> frozenset[str]:
        """Return the cells with which a turn of several cells can begin; empty where a cell is a whole turn."""
        return frozenset()

    def lone_cells(self) -> frozenset[str] | None:
        """Return the cells whose name alone is a legal move; None where that is only seen by looking at the moves."""
        return None

    @abstractmethod
    def objective(self, seat: Seat) -> Objective:
        """Return the goal of ``seat`` and what its turns consist of."""

    @abstractmethod
    def view(self) -> BoardView:
        """Return the board as data, to be drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedPosition(Position[M]):
    """A position that keeps the seats ``gone`` from the match, and its ``result``.

    As it stands every seat is a side of its own, and there are two.
    """

    gone: frozenset[Seat] = frozenset()
    result: Outcome | None = None

    def leave(self, seat: Seat, word: str) -> Self:
        """Return the position after ``seat`` left with ``word``; raises IllegalMove."""
        if self.result:
            raise IllegalMove("match_over", phrase("The match is over, so {text!q} changes nothing.", text=word))
        if word not in EXIT_WORDS or seat not in range(len(self.roles())) or seat in self.gone:
            raise IllegalMove(*not_present(word, seat))
        return self._without(seat, word)

    def outcome(self) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""
        return self.result

    def side(self, seat: Seat) -> frozenset[Seat]:
        """Return ``seat`` alone."""
        return frozenset({seat})

    def departed(self) -> frozenset[Seat]:
        """Return the seats that have left."""
        return self.gone

    def objective(self, seat: Seat) -> Objective:
        """Return the goal of ``seat`` and what its turns consist of."""
        if self.result:
            return Objective(phrase("The match is over."))
        return Objective(phrase("You’ve left this match.")) if seat in self.gone else self._aim(seat)

    @abstractmethod
    def _aim(self, seat: Seat) -> Objective:
        """Return the objective of a seat that still plays."""

    def _without(self, seat: Seat, word: str) -> Self:
        """Return the position after ``seat``, which is present, left: the other of the two has won."""
        result = Outcome(frozenset({1 - seat}), left_last(word), left_story(1 - seat, word))
        return replace(self, gone=self.gone | {seat}, result=result)
