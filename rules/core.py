"""What a game is: the types every game fills in, and the fold that turns a record into a position."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, TypeVar

from rules.errors import InvalidOption, InvalidRecord, RulesError, quote
from rules.prose import listed
from rules.view import BoardView

Seat = int
"""A place at the board, counted from 0; people are shown it counted from 1."""

Value = bool | int | str
"""What an option can be set to."""

LEAVING = ("resign", "timeout")
"""The words with which a seat leaves a match; a record holds them like moves, no game may use them as one."""

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Chance:
    """A lot to be drawn before anybody can act: ``what`` names it, its value lies in 1…``faces``."""

    what: str
    faces: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended; several winners share the win. ``reason`` is a clause to follow "Ann won: "."""

    winners: frozenset[Seat]
    reason: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a record: a seat's move or leaving word, or (seat None) the value of a lot."""

    seat: Seat | None
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the seat to act may write.

    ``what`` completes "Reply with …" ("one point"); ``example`` is a legal move's canonical text.
    """

    what: str
    example: str


class Position(ABC, Generic[M]):
    """An immutable position of a game whose moves are of type ``M``.

    ``str(move)`` is the canonical notation and ``position.parse(str(move)) == move`` for every legal move.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def to_act(self) -> Seat | Chance | None:
        """The seat whose turn it is, the lot to be drawn next, or None when the match is over."""

    @abstractmethod
    def parse(self, text: str) -> M:
        """Read a move as people write it.

        Raises InvalidMove or AmbiguousMove, with a sentence that quotes ``text``.
        """

    @abstractmethod
    def play(self, move: M) -> "Position[M]":
        """Return the position after ``move`` of the seat to act, or raise IllegalMove; never enumerates."""

    def roll(self, value: int) -> "Position[M]":
        """Return the position after the lot fell on ``value``; raises RulesError when none is awaited."""
        raise RulesError(f"No lot is to be drawn now, so the value {value} has no place here.")

    @abstractmethod
    def leave(self, seat: Seat, word: str) -> "Position[M]":
        """Return the position after ``seat`` left with ``word``, one of LEAVING; allowed out of turn.

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

    def tell(self, move: M) -> str:
        """Return what playing ``move`` here is called afterwards, to follow a name: "played d4"."""
        return f"played {move}"

    def tell_roll(self, value: int) -> str:
        """Return what the lot awaited here led to by falling on ``value``: sentences, each of several on a line.

        Empty where the lots that follow tell it; sides are called by their roles.
        """
        awaited = self.to_act
        return f"The {awaited.what if isinstance(awaited, Chance) else 'lot'} fell on {value}."

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
    def left(self) -> frozenset[Seat]:
        """Return the seats that have resigned or were timed out."""

    @abstractmethod
    def prompt(self) -> Prompt:
        """Return what the seat to act may write; raises RulesError when no seat is to act."""

    @abstractmethod
    def brief(self, seat: Seat) -> str:
        """Return what ``seat`` plays for and does on its turns from here on: sentences that say "you"."""

    @abstractmethod
    def view(self) -> BoardView:
        """Return what there is to see."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice made when a match opens; ``values`` are all it can be set to."""

    key: str
    default: Value
    values: tuple[Value, ...]
    help: str

    @property
    def allowed(self) -> str:
        """The values in words, to complete "must be …"."""
        if isinstance(self.default, bool):
            return "yes or no"
        if isinstance(self.default, int) and self.values == tuple(range(int(self.values[0]), int(self.values[-1]) + 1)):
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        return listed(self.values, "or")

    def read(self, given: object) -> Value:
        """Return the value meant by ``given`` (a value, or text as typed); raises InvalidOption."""
        word = str(given).strip().lower()
        if isinstance(self.default, bool):
            word = {
                "yes": "true",
                "on": "true",
                "1": "true",
                "no": "false",
                "off": "false",
                "0": "false",
            }.get(word, word)
        for value in self.values:
            if word == str(value).lower():
                return value
        raise InvalidOption(f"{quote(given)} will not do for {self.key}: it must be {self.allowed}.")


@dataclass(frozen=True, slots=True)
class Game:
    """The rules of one game: how it is called, who can play it, and how it starts.

    ``start(seats, options)`` takes options as ``normalise`` returns them; ``roles`` says of each role what
    it plays ("black, X"); ``help`` is the rules text for players, in paragraphs; ``example`` is a first move
    that stands in it, in quotation marks. ``lots`` are all that is ever drawn, as `Chance.what` calls it;
    ``short`` are options with which a match is soon over, for trying the game out. ``help_heard`` and
    ``roles_heard`` are for those who listen, without the signs of a drawn board; a role may say enough by itself.
    """

    key: str
    title: str
    seats: range
    options: tuple[Option, ...]
    start: Callable[[int, Mapping[str, Value]], Position[Any]]
    help: str
    example: str
    roles: Mapping[str, str]
    lots: tuple[str, ...] = ()
    short: Mapping[str, Value] = field(default_factory=dict)
    help_heard: str = ""
    roles_heard: Mapping[str, str] = field(default_factory=dict)

    def normalise(self, options: Mapping[str, object]) -> dict[str, Value]:
        """Return every option of the game, ``options`` read and the rest at their defaults; InvalidOption."""
        known = {option.key: option for option in self.options}
        for key in options:
            if key not in known:
                keys = ", ".join(known) or "none"
                raise InvalidOption(f"{self.title} has no option {quote(key)}; its options are: {keys}.")
        return {key: option.read(options.get(key, option.default)) for key, option in known.items()}

    def begin(self, seats: int, options: Mapping[str, object]) -> Position[Any]:
        """Return the opening position for ``seats`` players; raises InvalidOption."""
        if seats not in self.seats:
            wanted = " or ".join(str(number) for number in self.seats)
            raise InvalidOption(f"{self.title} is for {wanted} players, not {seats}.")
        return self.start(seats, self.normalise(options))


def advance(position: Position[Any], entry: Entry) -> Position[Any]:
    """Return the position after one more entry of the record; raises a RulesError that says what is wrong."""
    awaited, text = position.to_act, entry.text
    if entry.seat is None:
        if not isinstance(awaited, Chance):
            raise RulesError(f"{quote(text)} is the value of a lot, but no lot is to be drawn here.")
        # Python refuses to read very long numbers, with an error of its own.
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
        if not 1 <= number <= awaited.faces:
            raise RulesError(f"{quote(text)} cannot fall for the {awaited.what}: it runs 1 to {awaited.faces}.")
        return position.roll(number)
    if text in LEAVING:
        return position.leave(entry.seat, text)
    if awaited is None:
        raise RulesError(f"{quote(text)} comes after the end of the match.")
    if awaited != entry.seat:
        raise RulesError(f"{quote(text)} is a move of seat {entry.seat + 1}, whose turn it is not.")
    return position.play(position.parse(text))


def replay(game: Game, *, seats: int, options: Mapping[str, object], record: Iterable[Entry]) -> Position[Any]:
    """Return the position that ``record`` leads to.

    Raises InvalidOption for the opening, InvalidRecord with the ply (from 0) of the entry that fails.
    """
    position = game.begin(seats, options)
    for ply, entry in enumerate(record):
        try:
            position = advance(position, entry)
        except RulesError as error:
            raise InvalidRecord(f"The record stops making sense at entry {ply + 1}: {error}", ply=ply) from error
    return position
