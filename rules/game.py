"""What a game is: its options, how it opens, and the fold that turns a record into a position."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core import LEAVING, Chance, Entry, Position
from rules.errors import InvalidOption, InvalidRecord, RulesError, quote
from rules.order import ROLL, RolledOrder
from rules.prose import listed

Value = bool | int | str
"""What an option can be set to."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice made when a match opens; ``values`` are all it can be set to.

    ``seats``: with other numbers of players it changes nothing; empty where it always does something.
    """

    key: str
    default: Value
    values: tuple[Value, ...]
    help: str
    seats: tuple[int, ...] = ()

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


ORDER = Option("order", "opened", ("opened", "lot"), "whose turn comes first: as the match was opened, or drawn by lot")
"""The option of every game whose rules do not draw the order of turns themselves."""

VERSION = "rules"
"""Stands among the options of a match for the version of its rules; no game has an option of that name."""


@dataclass(frozen=True, slots=True)
class Game:
    """The rules of one game: how it is called, who can play it, and how it starts.

    ``start(seats, options)`` takes options as ``normalise`` returns them; ``roles`` says of each role what
    it plays ("black, X"); ``help`` is the rules text for players, in paragraphs; ``example`` is a first move
    that stands in it, in quotation marks. ``lots`` are all that is ever drawn, as `Chance.what` calls it;
    ``short`` are options with which a match is soon over, for trying the game out; ``designers`` have made the
    game. ``version`` is that of its rules: an earlier one is played in matches that began under it. ``help_heard`` and
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
    designers: tuple[str, ...] = ()
    version: int = 1

    def normalise(self, options: Mapping[str, object]) -> dict[str, Value]:
        """Return every option of the game, ``options`` read and the rest at their defaults; InvalidOption.

        The version of the rules is among them where there is more than one.
        """
        known = {option.key: option for option in self.options}
        for key in options:
            if key not in known and key != VERSION:
                keys = ", ".join(known) or "none"
                raise InvalidOption(f"{self.title} has no option {quote(key)}; its options are: {keys}.")
        chosen = {key: option.read(options[key]) if key in options else option.default for key, option in known.items()}
        versions = Option(VERSION, self.version, tuple(range(1, self.version + 1)), "the version of the rules")
        version = versions.read(options[VERSION]) if VERSION in options else self.version
        return chosen | {VERSION: version} if self.version > 1 else chosen

    def begin(self, seats: int, options: Mapping[str, object]) -> Position[Any]:
        """Return the opening position of a new match for ``seats`` players.

        Raises InvalidOption, for an option too that changes nothing with so many.
        """
        chosen = self._chosen(seats, options)
        for option in self.options:
            if option.seats and seats not in option.seats and chosen[option.key] != option.default:
                wanted = listed(option.seats, "or")
                raise InvalidOption(
                    f"The option {option.key} is for {wanted} players: with {seats} it changes nothing."
                )
        return self._opened(seats, chosen)

    def restore(self, seats: int, options: Mapping[str, object]) -> Position[Any]:
        """Return the opening position of a match that was opened before; raises InvalidOption.

        Where ``options`` name no version of the rules, it is the first. What changes nothing is not refused.
        """
        return self._opened(seats, self._chosen(seats, {VERSION: 1, **options}))

    def rolls_with(self, options: Mapping[str, Value]) -> tuple[str, ...]:
        """Return all that is ever drawn in a match with ``options``, as `Chance.what` calls it."""
        return (*((ROLL,) if self._rolls_order(options) else ()), *self.lots)

    def _chosen(self, seats: int, options: Mapping[str, object]) -> dict[str, Value]:
        """Return every option, for a number of players that the game is for; raises InvalidOption."""
        if seats not in self.seats:
            wanted = " or ".join(str(number) for number in self.seats)
            raise InvalidOption(f"{self.title} is for {wanted} players, not {seats}.")
        return self.normalise(options)

    def _opened(self, seats: int, options: Mapping[str, Value]) -> Position[Any]:
        """Return the opening position for complete ``options``."""
        position = self.start(seats, options)
        return RolledOrder(position) if self._rolls_order(options) else position

    def _rolls_order(self, options: Mapping[str, Value]) -> bool:
        """Whether the order of turns is drawn, apart from what the rules of the game draw."""
        return ORDER in self.options and options.get(ORDER.key, ORDER.default) == "lot"


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
    """Return the position that ``record`` leads to; options that name no version of the rules mean the first.

    Raises InvalidOption for the opening, InvalidRecord with the ply (from 0) of the entry that fails.
    """
    position = game.restore(seats, options)
    for ply, entry in enumerate(record):
        try:
            position = advance(position, entry)
        except RulesError as error:
            raise InvalidRecord(f"The record stops making sense at entry {ply + 1}: {error}", ply=ply) from error
    return position
