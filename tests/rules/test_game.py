"""Options, lots and the fold of a record, whatever the game."""

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from rules import (
    GAMES,
    AmbiguousMove,
    BoardView,
    Chance,
    Entry,
    Game,
    IllegalMove,
    InvalidMove,
    InvalidOption,
    InvalidRecord,
    Option,
    Outcome,
    Position,
    Prompt,
    RulesError,
    advance,
    replay,
)
from rules.errors import quote
from rules.text import listed, spoken, visual

YES_NO = Option("misere", False, (False, True), "turned around")
SIZE = Option("size", 13, tuple(range(5, 20)), "how large")
LOOK = Option("draw", "points", ("points", "cells", "both"), "how drawn")


@pytest.mark.parametrize(
    ("option", "given", "value"),
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


@pytest.mark.parametrize(
    ("option", "given", "sentence"),
    [
        (YES_NO, "maybe", "“maybe” will not do for misere: it must be yes or no."),
        (YES_NO, 2, "“2” will not do for misere: it must be yes or no."),
        (SIZE, "4", "“4” will not do for size: it must be a whole number from 5 to 19."),
        (SIZE, "9.5", "“9.5” will not do for size: it must be a whole number from 5 to 19."),
        (SIZE, True, "“True” will not do for size: it must be a whole number from 5 to 19."),
        (SIZE, None, "“None” will not do for size: it must be a whole number from 5 to 19."),
        (SIZE, "٩", "“٩” will not do for size: it must be a whole number from 5 to 19."),
        (LOOK, "", "“” will not do for draw: it must be points, cells or both."),
        (LOOK, "x" * 99, f"“{'x' * 39}…” will not do for draw: it must be points, cells or both."),
    ],
)
def test_other_values_are_refused(option: Option, given: object, sentence: str) -> None:
    """The sentence quotes the value and lists what is allowed."""
    with pytest.raises(InvalidOption) as error:
        option.read(given)
    assert str(error.value) == sentence


def test_unknown_options_and_numbers_of_players_are_refused() -> None:
    """The sentence lists the options, or says how many can play."""
    with pytest.raises(InvalidOption, match="Pipline has no option “colour”; its options are: size, draw"):
        GAMES["pipline"].normalise({"colour": "red"})
    with pytest.raises(InvalidOption, match="Zipline is for 2 or 3 players, not 4"):
        GAMES["zipline"].begin(4, {})


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
    assert str(error.value).startswith("The record stops making sense at entry 3: “c3” cannot be played")
    assert isinstance(error.value.__cause__, IllegalMove)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (Entry(1, "c3"), "“c3” is a move of seat 2, whose turn it is not."),
        (Entry(7, "c3"), "“c3” is a move of seat 8, whose turn it is not."),
        (Entry(None, "3"), "“3” is the value of a lot, but no lot is to be drawn here."),
        (Entry(7, "resign"), "“resign” cannot be said for seat 8: it is not in this match."),
    ],
)
def test_entries_out_of_place_are_refused(entry: Entry, sentence: str) -> None:
    """Moves out of turn, lots nobody waits for and seats that do not exist are no part of a record."""
    with pytest.raises(RulesError) as error:
        advance(GAMES["pipline"].begin(2, {}), entry)
    assert str(error.value) == sentence


def test_nothing_follows_the_end() -> None:
    """A finished match takes no further entry."""
    over = advance(GAMES["pipline"].begin(2, {}), Entry(1, "timeout"))
    with pytest.raises(RulesError, match="“c3” comes after the end of the match"):
        advance(over, Entry(0, "c3"))
    with pytest.raises(IllegalMove, match="The match is over"):
        advance(over, Entry(0, "resign"))


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

    def objective(self, seat: int) -> str:
        """Return what there is to do."""
        return "You watch a die."

    def view(self) -> BoardView:
        """Return an empty board."""
        return BoardView((), (), (), ())


@pytest.mark.parametrize("text", ["0", "7", "-1", "", "x", "٣", "1.0", " 3", "9" * 5000])
def test_a_lot_falls_within_its_faces(text: str) -> None:
    """Only a whole number from 1 to the number of faces is the value of a lot."""
    with pytest.raises(RulesError, match="cannot fall for the die: it runs 1 to 6") as error:
        advance(Dice(), Entry(None, text))
    assert len(str(error.value)) < 200


def test_a_lot_is_an_entry_of_the_record() -> None:
    """A value that falls leads on; a seat cannot move while a lot is awaited."""
    game = Game("dice", "Dice", range(1, 2), (), lambda seats, options: Dice(), "A die falls.", "", {})
    assert replay(game, seats=1, options={}, record=[Entry(None, "3")]) == Dice(3)
    with pytest.raises(RulesError, match="“3” is a move of seat 1, whose turn it is not"):
        advance(Dice(), Entry(0, "3"))


def test_a_position_without_lots_rolls_nothing() -> None:
    """A value for no lot is refused."""
    with pytest.raises(RulesError, match="No lot is to be drawn now"):
        GAMES["pipline"].begin(2, {}).roll(3)


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


@pytest.mark.parametrize(
    ("text", "quoted"),
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
    assert Option("size", 7, (7, 8, 9), "").allowed == "a whole number from 7 to 9"
    assert Option("size", 7, (7, 8, 10), "").allowed == "7, 8 or 10"


def test_signs_are_for_those_who_see_them() -> None:
    """One text serves both: what stands between its marks is for eyes, behind a stroke for ears."""
    text = "Pip plays black⟦, shown as X⟧. ⟦Cells marked “-”|Closed cells⟧ are no use⟦ (-)|⟧."
    assert visual(text) == "Pip plays black, shown as X. Cells marked “-” are no use (-)."
    assert spoken(text) == "Pip plays black. Closed cells are no use."


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_game_is_told_to_listeners_too(game: Game) -> None:
    """Rules, roles and captions are there for them, and no mark of the source is left in either."""
    assert game.help_spoken
    assert game.roles_spoken.keys() == game.roles.keys()
    view = game.begin(game.seats[-1], {}).view()
    texts = (game.help, game.help_spoken, *game.roles.values(), *view.captions, *(view.spoken or ()))
    assert not any(mark in text for text in texts for mark in "⟦|⟧")
    assert len(view.spoken or view.captions) == len(view.captions)
