"""Options, lots and the fold of a record, whatever the game."""

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, dataclass, replace
from pathlib import Path

import pytest

from rules.errors import AmbiguousMove, IllegalMove, InvalidMove, InvalidOption, InvalidRecord, RulesError, quote
from rules.game import Game, Option, Value, advance, replay
from rules.games import GAMES
from rules.phrase import phrase
from rules.position import Chance, Entry, Objective, Outcome, Position, Prompt
from rules.text import ORDER_ROLLED, listed
from rules.view import BoardView
from tests.support.approved import approve, sentences
from tests.support.codes import RULES, codes_in
from tests.support.each import each

YES_NO = Option("misere", False, (False, True), "turned around")
SIZE = Option("size", 13, tuple(range(5, 20)), "how large")
LOOK = Option("draw", "points", ("points", "cells", "both"), "how drawn")


@each(
    "option, given, value",
    [
        (YES_NO, "yes", True),
        (YES_NO, " YES ", True),
        (YES_NO, "on", True),
        (YES_NO, "true", True),
        (YES_NO, "1", True),
        (YES_NO, True, True),
        (YES_NO, 1, True),
        (YES_NO, "no", False),
        (YES_NO, "off", False),
        (YES_NO, "False", False),
        (YES_NO, 0, False),
        (SIZE, "9", 9),
        (SIZE, " 9 ", 9),
        (SIZE, 19, 19),
        (LOOK, "Cells", "cells"),
    ],
)
def test_options_are_read_as_people_write_them(option: Option, given: object, value: object) -> None:
    """Yes and no in many words, numbers, names in either case."""
    read = option.read(given)
    assert read == value
    assert type(read) is type(value)


@each(
    "option, given, key",
    [
        (YES_NO, "maybe", "misere"),
        (YES_NO, 2, "misere"),
        (SIZE, "4", "size"),
        (SIZE, "9.5", "size"),
        (SIZE, True, "size"),
        (SIZE, None, "size"),
        (SIZE, "٩", "size"),
        (LOOK, "", "draw"),
        (LOOK, "x" * 99, "draw"),
    ],
)
def test_other_values_are_refused(option: Option, given: object, key: str) -> None:
    """The error names the option and the value."""
    with pytest.raises(InvalidOption) as error:
        option.read(given)
    assert (error.value.code, error.value.arguments) == ("unknown_value", {"option": key, "value": str(given)})


def test_unknown_options_and_numbers_of_players_are_refused() -> None:
    """Each has its code."""
    with pytest.raises(InvalidOption) as option:
        GAMES["pipline"].normalise({"colour": "red"})
    assert option.value.code == "unknown_option"
    with pytest.raises(InvalidOption) as seats:
        GAMES["zipline"].begin(4, {})
    assert seats.value.code == "wrong_number_of_players"


def test_every_option_is_stored() -> None:
    """Options that nobody chose are there too, at their defaults."""
    assert GAMES["zipline"].normalise({"size": "9"}) == {
        "size": 9,
        "draw": "points",
        "freestyle": False,
        "partner_gap": False,
        "order": "opened",
    }


def test_replay_names_the_entry_that_fails() -> None:
    """The error carries the ply from 0 and says the number of the entry from 1."""
    record = [Entry(0, "c3"), Entry(1, "take"), Entry(0, "c3")]
    with pytest.raises(InvalidRecord) as error:
        replay(GAMES["pipline"], seats=2, options={}, record=record)
    assert error.value.ply == 2
    assert error.value.line is None
    assert (error.value.code, error.value.arguments) == ("entry_refused", {"entry": 3, "cause": "cell_occupied"})
    assert isinstance(error.value.__cause__, IllegalMove)


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (Entry(1, "c3"), "not_your_turn"),
        (Entry(7, "c3"), "not_your_turn"),
        (Entry(None, "3"), "no_roll_awaited"),
        (Entry(7, "resign"), "seat_not_present"),
    ],
)
def test_entries_out_of_place_are_refused(entry: Entry, code: str) -> None:
    """Moves out of turn, lots nobody waits for and seats that do not exist are no part of a record."""
    with pytest.raises(RulesError) as error:
        advance(GAMES["pipline"].begin(2, {}), entry)
    assert error.value.code == code


def test_nothing_follows_the_end() -> None:
    """A finished match takes no further entry."""
    over = advance(GAMES["pipline"].begin(2, {}), Entry(1, "timeout"))
    with pytest.raises(RulesError) as move:
        advance(over, Entry(0, "c3"))
    assert move.value.code == "entry_after_the_end"
    with pytest.raises(IllegalMove) as exit_word:
        advance(over, Entry(0, "resign"))
    assert exit_word.value.code == "match_over"


@dataclass(frozen=True)
class Dice(Position[str]):
    """The least of games: a die falls, and the match is over."""

    fallen: int = 0

    @property
    def to_act(self) -> Chance | None:
        """The die, until it has fallen."""
        return None if self.fallen else Chance("die", 6)

    def roll(self, value: int) -> "Dice":
        """Return the position with the die on the table."""
        return replace(self, fallen=value)

    def outcome(self) -> Outcome | None:
        """Return nobody's win."""
        return Outcome(frozenset(), "the die has fallen") if self.fallen else None

    def parse(self, text: str) -> str:
        """Refuse: nobody moves here."""
        raise InvalidMove("made_up", f"{quote(text)} is no move.")

    def play(self, move: str) -> "Dice":
        """Refuse: nobody moves here."""
        raise IllegalMove("made_up", f"{quote(move)} is no move.")

    def leave(self, seat: int, word: str) -> "Dice":
        """Refuse: nobody sits here."""
        raise IllegalMove("made_up", f"{quote(word)} helps nobody.")

    def legal_moves(self) -> Iterator[str]:
        """Yield the moves, of which there are none."""
        yield from ()

    def roles(self) -> tuple[str | None, ...]:
        """Return no roles."""
        return (None,)

    def side(self, seat: int) -> frozenset[int]:
        """Return the seat alone."""
        return frozenset({seat})

    def departed(self) -> frozenset[int]:
        """Return nobody."""
        return frozenset()

    def prompt(self) -> Prompt:
        """Refuse: nobody moves here."""
        raise RulesError("made_up", "Nobody is to act.")

    def objective(self, seat: int) -> Objective:
        """Return what there is to do."""
        return Objective(phrase("You watch a die."))

    def view(self) -> BoardView:
        """Return an empty board."""
        return BoardView((), (), (), ())


@each("text", ["0", "7", "-1", "", "x", "٣", "1.0", " 3", "9" * 5000])
def test_a_lot_falls_within_its_faces(text: str) -> None:
    """Only a whole number from 1 to the number of faces is the value of a lot."""
    with pytest.raises(RulesError) as error:
        advance(Dice(), Entry(None, text))
    assert error.value.code == "roll_out_of_range"
    assert len(str(error.value)) < 200


def test_a_lot_is_an_entry_of_the_record() -> None:
    """A value that falls leads on; a seat cannot move while a lot is awaited."""
    game = Game("dice", "Dice", range(1, 2), (), lambda seats, options: Dice(), (phrase("A die falls."),), "", {})
    assert replay(game, seats=1, options={}, record=[Entry(None, "3")]) == Dice(3)
    with pytest.raises(RulesError) as error:
        advance(Dice(), Entry(0, "3"))
    assert error.value.code == "not_your_turn"


def test_a_position_without_lots_rolls_nothing() -> None:
    """A value for no lot is refused."""
    with pytest.raises(RulesError) as error:
        GAMES["pipline"].begin(2, {}).roll(3)
    assert error.value.code == "no_roll_awaited"


def test_values_cannot_be_changed() -> None:
    """Positions, entries and games are frozen."""
    position = GAMES["pipline"].begin(2, {})
    for value, name in ((position, "turn"), (Entry(0, "c3"), "text"), (GAMES["pipline"], "title"), (SIZE, "key")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 1)


def test_all_refusals_are_value_errors() -> None:
    """One except clause catches whatever the rules say no to."""
    for kind in (InvalidMove, AmbiguousMove, IllegalMove, InvalidOption, InvalidRecord):
        assert issubclass(kind, RulesError)
        assert issubclass(kind, ValueError)


@each(
    "text, quoted",
    [
        ("d4", "“d4”"),
        (" d4\r\n e5 ", "“d4 e5”"),
        ("a\0b\ud800c", "“a b c”"),
        ("x" * 40, f"“{'x' * 40}”"),
        ("x" * 41, f"“{'x' * 39}…”"),
        ("x " * 100_000, f"“{'x ' * 19}x…”"),
        ("", "“”"),
    ],
)
def test_quotes_are_short_and_on_one_line(text: str, quoted: str) -> None:
    """What somebody wrote can stand in a sentence, whatever it is."""
    assert quote(text) == quoted


def test_names_are_listed_as_a_sentence_lists_them() -> None:
    """One, two or more names, with the word before the last that is asked for."""
    assert listed([]) == ""
    assert listed(["Ann"]) == "Ann"
    assert listed(["Ann", "Bob"]) == "Ann and Bob"
    assert listed(["Ann", "Bob", "Carl"]) == "Ann, Bob and Carl"
    assert listed([7, 8, 10], "or") == "7, 8 or 10"


def test_allowed_values_with_gaps_are_listed() -> None:
    """A range is told by its ends only when every number between them will do."""
    assert str(Option("size", 7, (7, 8, 9), "").allowed) == "a whole number from 7 to 9"
    assert str(Option("size", 7, (7, 8, 10), "").allowed) == "7, 8 or 10"


@each("game", GAMES.values(), ids=lambda game: game.key)
def test_every_game_is_told_to_listeners_too(game: Game) -> None:
    """Rules, roles and captions are there for them."""
    assert game.help_spoken
    assert game.roles_spoken.keys() == game.roles.keys()
    view = game.begin(game.seats[-1], {}).view()
    assert len(view.spoken or view.captions) == len(view.captions)


def test_refusals_of_any_game_are_worded_as_approved(update: bool) -> None:
    """Options, entries out of place and rolls, as the operator or a player reads them."""
    pipline, zipline, lot = GAMES["pipline"], GAMES["zipline"], GAMES["pipline"].begin(2, {"order": "lot"})
    over = advance(pipline.begin(2, {}), Entry(1, "timeout"))
    calls: list[Callable[[], object]] = [
        lambda: YES_NO.read("maybe"),
        lambda: SIZE.read("4"),
        lambda: LOOK.read("x" * 99),
        lambda: pipline.normalise({"colour": "red"}),
        lambda: zipline.begin(4, {}),
        lambda: zipline.begin(3, {"freestyle": "yes"}),
        lambda: zipline.begin(2, {"partner_gap": "yes"}),
        lambda: GAMES["pipelines"].restore(2, {"rules": 9}),
        lambda: advance(pipline.begin(2, {}), Entry(1, "c3")),
        lambda: advance(pipline.begin(2, {}), Entry(None, "3")),
        lambda: advance(pipline.begin(2, {}), Entry(7, "resign")),
        lambda: advance(lot, Entry(7, "resign")),
        lambda: advance(lot, Entry(None, "3")),
        lambda: advance(over, Entry(0, "c3")),
        lambda: advance(over, Entry(0, "resign")),
        lambda: lot.parse("c3"),
        lambda: lot.play("c3"),
        lambda: lot.prompt(),
        lambda: lot.roll(3),
        lambda: pipline.begin(2, {}).roll(3),
        lambda: pipline.begin(2, {}).parse("3c"),
        lambda: replay(pipline, seats=2, options={}, record=[Entry(0, "c3"), Entry(1, "c3")]),
    ]
    refused = []
    for call in calls:
        with pytest.raises(RulesError) as error:
            call()
        refused.append(error.value)
    expected = codes_in(RULES, "*.py") - codes_in(RULES, "record.py")
    assert expected <= {error.code for error in refused}
    approve(Path(__file__).parent / "sentences.txt", sentences(refused), update=update)


@each("game", GAMES.values(), ids=lambda game: game.key)
def test_the_rules_of_a_match_leave_out_what_is_about_others(game: Game) -> None:
    """What is for other numbers of players, or follows from options that were not chosen; the order stays."""
    assert set(game.conditions) <= {*game.help, *game.help_spoken}
    for seats in game.seats:
        for option in game.options:
            for value in option.values:
                told = game.help_for(seats, game.normalise({option.key: value}))
                assert told == tuple(paragraph for paragraph in game.help if paragraph in told)
                idle = [one.key for one in game.options if one.seats and seats not in one.seats]
                assert not [key for key in idle if key in " ".join(map(str, told))]
                assert (ORDER_ROLLED in told) == (ORDER_ROLLED in game.help and value == "lot")


@each(
    "key, seats, options, more",
    [
        ("zipline", 2, {"freestyle": True}, 0),
        ("zipline", 3, {"partner_gap": True}, 1),
        ("snipsnip", 2, {"capture_sites": "all"}, 1),
        ("snipsnip", 2, {"capture": "between"}, -1),
        ("snipsnip", 2, {"misere": False}, 0),
        ("pipelines", 2, {"rules": 1}, 1),
    ],
)
def test_an_option_changes_the_rules_that_are_told(key: str, seats: int, options: dict[str, Value], more: int) -> None:
    """It brings paragraphs of its own, or others instead."""
    game = GAMES[key]
    usual, told = (game.help_for(seats, game.normalise(chosen)) for chosen in ({}, options))
    assert len(told) - len(usual) == more
    assert set(told) != set(usual)
