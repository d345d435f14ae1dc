"""What a game is: its options, how it opens, and the fold that turns a record into a position."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.errors import InvalidOption, InvalidRecord, RulesError, quote
from rules.order import ROLL, RolledOrder
from rules.phrase import Phrase, listed, mark, phrase
from rules.position import EXIT_WORDS, Chance, Entry, Position
from rules.text import ORDER_ROLLED
from rules.view import Piece

Value = bool | int | str
"""What an option can be set to."""

Condition = Callable[[int, Mapping[str, Value]], bool]
"""Says whether something is about matches of so many seats with such options."""

_SPELLINGS = {"yes": "true", "on": "true", "1": "true", "no": "false", "off": "false", "0": "false"}


@dataclass(frozen=True, slots=True)
class Option:
    """One choice made when a match opens; ``values`` are all it can be set to.

    ``help`` is a marked message that says what it decides. ``seats``: with other numbers of players it changes
    nothing; empty where it always does something. ``words`` are a marked message that says to somebody new, with the
    value in the field ``{value}``, what was chosen: "9 × 9"; empty where only the rules explain it.
    """

    key: str
    default: Value
    values: tuple[Value, ...]
    help: str
    seats: tuple[int, ...] = ()
    words: str = ""

    @property
    def allowed(self) -> Phrase:
        """The values in words, for a table: "a whole number from 5 to 19"."""
        if isinstance(self.default, bool):
            return phrase("yes or no")
        if self._ranging:
            return phrase("a whole number from {lowest} to {highest}", lowest=self.values[0], highest=self.values[-1])
        return phrase("{values}", values=listed(map(str, self.values), "or"))

    def read(self, given: object) -> Value:
        """Return the value meant by ``given`` (a value, or text as typed); raises InvalidOption."""
        word = str(given).strip().lower()
        if isinstance(self.default, bool):
            word = _SPELLINGS.get(word, word)
        for value in self.values:
            if word == str(value).lower():
                return value
        raise InvalidOption("unknown_value", self._refusal(str(given)), {"option": self.key, "value": str(given)})

    @property
    def _ranging(self) -> bool:
        """Whether the values are all the whole numbers between two."""
        lowest, highest = self.values[0], self.values[-1]
        whole = type(lowest) is int and type(highest) is int
        return whole and self.values == tuple(range(int(lowest), int(highest) + 1))

    def _refusal(self, given: str) -> Phrase:
        """Return the sentence that says what the option can be, and not ``given``."""
        if isinstance(self.default, bool):
            return phrase("The option {option} is yes or no, not {value!q}.", option=self.key, value=given)
        if self._ranging:
            return phrase(
                "The option {option} is a whole number from {lowest} to {highest}, not {value!q}.",
                option=self.key,
                lowest=self.values[0],
                highest=self.values[-1],
                value=given,
            )
        values = listed(map(str, self.values), "or")
        return phrase("The option {option} is {values}, not {value!q}.", option=self.key, values=values, value=given)


ORDER = Option("order", "opened", ("opened", "lot"), mark("who goes first: as the match was opened, or by a roll"))
"""The option of every game whose rules do not roll the order of turns themselves."""

VERSION = "rules"
"""Stands among the options of a match for the version of its rules; no game has an option of that name."""


def _rolls_order(seats: int, options: Mapping[str, Value]) -> bool:
    """Return whether the order of turns is rolled in a match of a game that does not do so itself."""
    return options.get(ORDER.key, ORDER.default) == "lot"


@dataclass(frozen=True, slots=True)
class Game:
    """The rules of one game: how it is called, who can play it, and how it starts.

    ``start(seats, options)`` takes options as ``normalise`` returns them; ``roles`` has for each role the
    piece that stands for it; ``help`` is the rules text for players, in paragraphs; ``example`` is a first move
    that stands in it, in quotation marks. ``rolls`` are all that is ever rolled, as `Chance.what` calls it;
    ``words`` are the moves that are words, each with words of other languages that mean the same;
    ``short`` are options with which a match is soon over, for trying the game out; ``designers`` have made the
    game. ``version`` is that of its rules: an earlier one is played in matches that began under it. ``help_spoken`` and
    ``roles_spoken`` are for those who listen, without the signs of a drawn board; a role may say enough by itself.
    ``auction`` is the move that ends the auction of sides with which a match begins, empty in a game without one;
    ``conditions`` say of some paragraphs of the rules which matches they are about; all others are about every match.
    ``summary`` says in a sentence what the game is about, for a list of all games.
    """

    key: str
    title: str
    seats: range
    options: tuple[Option, ...]
    start: Callable[[int, Mapping[str, Value]], Position[Any]]
    help: tuple[Phrase, ...]
    example: str
    roles: Mapping[str, Piece]
    rolls: tuple[str, ...] = ()
    short: Mapping[str, Value] = field(default_factory=dict)
    help_spoken: tuple[Phrase, ...] = ()
    roles_spoken: Mapping[str, Phrase | None] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    designers: tuple[str, ...] = ()
    version: int = 1
    auction: str = ""
    conditions: Mapping[Phrase, Condition] = field(default_factory=dict)
    summary: Phrase | None = None

    def normalise(self, options: Mapping[str, object]) -> dict[str, Value]:
        """Return every option of the game, ``options`` read and the rest at their defaults; InvalidOption.

        The version of the rules is among them where there is more than one.
        """
        known = {option.key: option for option in self.options}
        for key in options:
            if key not in known and key != VERSION:
                raise InvalidOption("unknown_option", self._no_option(key), {"option": key})
        chosen = {key: option.read(options[key]) if key in options else option.default for key, option in known.items()}
        version: Value = self.version
        if VERSION in options:
            versions = tuple(range(1, self.version + 1))
            version = Option(VERSION, version, versions, mark("the version of the rules")).read(options[VERSION])
        return chosen | {VERSION: version} if self.version > 1 else chosen

    def begin(self, seats: int, options: Mapping[str, object]) -> Position[Any]:
        """Return the opening position of a new match for ``seats`` players.

        Raises InvalidOption, for an option too that changes nothing with so many.
        """
        chosen = self._chosen(seats, options)
        for option in self.options:
            if option.seats and seats not in option.seats and chosen[option.key] != option.default:
                sentence = phrase(
                    "The option {option} is for {wanted} players; with {seats} it does nothing.",
                    option=option.key,
                    wanted=listed(option.seats, "or"),
                    seats=seats,
                )
                raise InvalidOption("idle_option", sentence, {"option": option.key, "seats": seats})
        return self._opened(seats, chosen)

    def restore(self, seats: int, options: Mapping[str, object]) -> Position[Any]:
        """Return the opening position of a match that was opened before; raises InvalidOption.

        Where ``options`` name no version of the rules, it is the first. What changes nothing is not refused.
        """
        return self._opened(seats, self._chosen(seats, {VERSION: 1, **options}))

    def help_for(self, seats: int, options: Mapping[str, Value], *, spoken: bool = False) -> tuple[Phrase, ...]:
        """Return the paragraphs of the rules that are about a match of so many ``seats`` with ``options``.

        Where these name no version of the rules, it is the first.
        """
        conditions, options = {ORDER_ROLLED: _rolls_order, **self.conditions}, self.normalise({VERSION: 1, **options})
        return tuple(
            paragraph
            for paragraph in (self.help_spoken if spoken else self.help)
            if paragraph not in conditions or conditions[paragraph](seats, options)
        )

    def rolls_with(self, options: Mapping[str, Value]) -> tuple[str, ...]:
        """Return all that is ever rolled in a match with ``options``, as `Chance.what` calls it."""
        order_rolled = ORDER in self.options and _rolls_order(0, options)
        return (ROLL, *self.rolls) if order_rolled else self.rolls

    def _chosen(self, seats: int, options: Mapping[str, object]) -> dict[str, Value]:
        """Return every option, for a number of players that the game is for; raises InvalidOption."""
        if seats not in self.seats:
            sentence = phrase(
                "{title} is for {wanted} players, not {seats}.",
                title=self.title,
                wanted=listed(self.seats, "or"),
                seats=seats,
            )
            raise InvalidOption("wrong_number_of_players", sentence, {"seats": seats})
        return self.normalise(options)

    def _no_option(self, key: str) -> Phrase:
        """Return the sentence that says which options there are, ``key`` not among them."""
        if not self.options:
            return phrase("{title} has no options, so {option!q} can’t be set.", title=self.title, option=key)
        keys = listed(option.key for option in self.options)
        return phrase(
            "{title} has no option {option!q}; its options are {options}.", title=self.title, option=key, options=keys
        )

    def _opened(self, seats: int, options: Mapping[str, Value]) -> Position[Any]:
        """Return the opening position for complete ``options``."""
        position = self.start(seats, options)
        return RolledOrder(position) if ROLL in self.rolls_with(options) else position


def advance(position: Position[Any], entry: Entry) -> Position[Any]:
    """Return the position after one more entry of the record; raises a RulesError that says what is wrong."""
    awaited, text = position.to_act, entry.text
    if entry.seat is None:
        if not isinstance(awaited, Chance):
            sentence = f"{quote(text)} is the result of a roll, but no roll is due here."
            raise RulesError("no_roll_awaited", sentence, {"value": text})
        # Python refuses to read very long numbers, with an error of its own.
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
        if not 1 <= number <= awaited.faces:
            sentence = f"{quote(text)} can’t come up for {quote(awaited.what)}: that runs from 1 to {awaited.faces}."
            raise RulesError("roll_out_of_range", sentence, {"value": text, "faces": awaited.faces})
        return position.roll(number)
    if text in EXIT_WORDS:
        return position.leave(entry.seat, text)
    if awaited is None:
        raise RulesError("entry_after_the_end", f"{quote(text)} comes after the end of the match.", {"text": text})
    if awaited != entry.seat:
        sentence = f"{quote(text)} is a move of seat {entry.seat + 1}, whose turn it isn’t."
        raise RulesError("not_your_turn", sentence, {"text": text, "seat": entry.seat + 1})
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
            sentence = f"The record stops making sense at entry {ply + 1}: {error}"
            raise InvalidRecord("entry_refused", sentence, {"entry": ply + 1, "cause": error.code}, ply=ply) from error
    return position
