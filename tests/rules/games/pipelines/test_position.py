"""Pipelines: every clause of the rules, on drawn positions and in random matches."""

import re
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from random import Random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board.hexagon import hexagon, steps
from rules.errors import IllegalMove, RulesError
from rules.game import replay
from rules.games import GAMES
from rules.games.pipelines.course import ATTACK, DEFENCE, DIE, LAYOUT, SPINNER
from rules.games.pipelines.layout import glass_cells, hex_board
from rules.games.pipelines.position import Pipelines
from rules.games.pipelines.turn import Battle, Board
from rules.notation import Move
from rules.phrase import Event, Phrase
from rules.position import EXIT_WORDS, Chance, Choice
from rules.view import BoardView
from tests.support.approved import approve, error_of, sentences
from tests.support.codes import RULES, codes_in
from tests.support.each import each
from tests.support.examples import examples, share
from tests.support.walks import Case, walk

WIN = (1, 1, 3)
LOSE = (1, 3, 1)
EQUAL = (1, 2, 6)
"""Spinner, attacker's die and defender's die of a round that the attacker wins, loses, and has to play again."""


def drawn(diagram: str, *, seats: int = 2, turn: int = 0, rolled: int = 4) -> Pipelines:
    """Return the position of a diagram, rows from the top, with the die of seat 1's turn rolled."""
    rows = [line.split() for line in diagram.strip().splitlines()]
    side = (len(rows) + 1) // 2
    names = list(hexagon(side, side).places)
    bits = hex_board(side).bits
    symbols = dict(zip(names, (symbol for row in reversed(rows) for symbol in row), strict=True))

    def mask(*wanted: str) -> int:
        return sum(bits[name] for name, symbol in symbols.items() if symbol in wanted)

    homes, cubes, held = (tuple(mask(symbol) for symbol in kind[:seats]) for kind in ("123", "rby", "RBY"))
    table = Board(hex_board(side), mask("*", "R", "B", "Y"), homes, cubes, held)
    return Pipelines(table, turn=turn, rolled=rolled, allowance=rolled)


def after(position: Pipelines, *entries: str | int | tuple[int, int, int]) -> Pipelines:
    """Return the position after moves as players write them, values of lots, and rounds of a battle."""
    for entry in entries:
        if isinstance(entry, str):
            position = position.play(position.parse(entry))
        else:
            for value in (entry,) if isinstance(entry, int) else entry:
                position = position.roll(value)
    return position


def shown(position: Pipelines, *symbols: str) -> list[str]:
    """Return the names of the cells that show one of ``symbols``, in order."""
    cells = position.view().cells
    return sorted(cell.name for cell in cells if cell.piece is not None and cell.piece.symbol in symbols)


def marked(position: Pipelines) -> list[str]:
    """Return the names of the cells touched by the latest turn."""
    return sorted(cell.name for cell in position.view().cells if "last" in cell.marks)


def refusal(position: Pipelines, text: str) -> str:
    """Return the code with which a text is refused."""
    with pytest.raises(RulesError) as error:
        position.play(position.parse(text))
    return error.value.code


def winners(position: Pipelines) -> list[int]:
    """Return the seats that have won, none while the match goes on."""
    outcome = position.outcome()
    return sorted(outcome.winners) if outcome else []


def about(sentence: Phrase | None) -> dict[str, str]:
    """Return what a sentence is about."""
    assert sentence is not None
    return {key: str(value) for key, value in sentence.arguments}


def told(event: Event) -> tuple[int | None, dict[str, str]]:
    """Return the seat that an event is of, and what its sentences are about."""
    assert dict(event.you.arguments) == dict(event.others.arguments)
    return event.seat, about(event.others)


def reason(position: Pipelines) -> str:
    """Return why the match ended."""
    outcome = position.outcome()
    assert outcome is not None
    return outcome.reason


def opened(seats: int = 3, size: int = 7, layout: int = 1) -> Pipelines:
    """Return a match in which the glass has been laid out."""
    position = GAMES["pipelines"].begin(seats, {"size": size}).roll(layout)
    assert isinstance(position, Pipelines)
    return position


ROUND = {"spinner": "1", "attacker": "Red", "attack": "1", "defender": "Blue", "defence": "3"}
"""What is told of the round `WIN`, besides the glass and who wins it."""

LAYOUTS = {
    (7, 9, 0): "e4 b5 e10 i6 i3 k11 j13 a2 b8",
    (7, 9, 1): "g4 k11 d6 h12 j8 l6 d1 b3 g9",
    (7, 9, 2026): "f6 l10 g3 c8 k6 b3 j11 f12 i13",
    (7, 9, 2147483648): "g5 c6 l10 h9 f12 l13 b3 e2 h3",
    (7, 9, 4294967295): "i6 b4 d9 j10 l6 l9 f1 i3 l13",
    (8, 15, 0): "f8 k7 l12 i13 c2 g3 e11 l15 i10 j3 a8 b5 m10 o15 g14",
    (8, 15, 1): "l7 f11 c4 f2 j14 n11 g6 b8 c1 i4 l12 h10 o15 k9 e8",
    (8, 15, 2026): "g8 i4 l10 b8 e4 g12 n7 o14 j7 a3 l15 o11 j11 c1 e9",
    (8, 15, 2147483648): "h7 f11 c5 j14 l8 i3 i10 o12 d1 n15 o9 c9 l11 a1 a6",
    (8, 15, 4294967295): "g8 l13 j5 d2 b5 g12 c9 n11 o8 g5 g1 j8 k15 a1 o15",
    (10, 27, 0): "i9 n15 h13 o11 d9 h5 q8 k3 l18 r12 q19 h17 c3 f14 q14 f6 l9 n6 a6 a10 s18 e2 k15 g10 h2 k6 j12",
    (10, 27, 2026): "n12 f5 p17 h14 p9 c7 j2 j6 j12 r15 g1 i8 d12 m16 o6 m19 e2 g16 s19 c3 f11 a9 j18 m9 s11 a4 f8",
    (
        10,
        27,
        4294967295,
    ): "k12 f5 d11 p9 k5 g10 o13 i14 s15 e14 q17 f2 l10 l18 c7 i7 o18 h16 j1 a3 m4 s10 a9 q12 l15 m8 c2",
}


@each("size, count, number", list(LAYOUTS), ids=str)
def test_layouts_never_change(size: int, count: int, number: int) -> None:
    """The same number gives the same glass for ever: records rest on it."""
    assert " ".join(glass_cells(size, count, number)) == LAYOUTS[size, count, number]


@examples(150)
@given(size=st.sampled_from([7, 8, 10]), number=st.integers(0, 2**32 - 1))
def test_glass_is_spread_for_every_number(size: int, number: int) -> None:
    """There are 9, 15 or 27 pieces, no two closer than three steps, and no cell is far from all of them."""
    places, cells = hexagon(size, size).places, glass_cells(size, {7: 9, 8: 15, 10: 27}[size], number)
    assert len(set(cells)) == {7: 9, 8: 15, 10: 27}[size]
    assert min(steps(places[one], places[other]) for one in cells for other in cells if one < other) >= 3
    assert max(min(steps(place, places[cell]) for cell in cells) for place in places.values()) <= 6


def test_glass_may_be_two_steps_apart_where_three_cannot_be_met() -> None:
    """On a crowded board the distance shrinks to two; where that is not enough either, it says so."""
    places, cells = hexagon(3, 3).places, glass_cells(3, 5, 0)
    assert min(steps(places[one], places[other]) for one in cells for other in cells if one < other) == 2
    with pytest.raises(ValueError, match="do not fit"):
        glass_cells(2, 4, 0)


def test_the_layout_is_drawn_first_and_values_stand_for_numbers_one_lower() -> None:
    """The first lot is one number of 2**32; value 1 stands for 0, the last value for 2**32 - 1."""
    opening = GAMES["pipelines"].begin(3, {"size": 7})
    assert isinstance(opening, Pipelines)
    assert opening.to_act == LAYOUT == Chance("layout", 2**32)
    assert shown(opening, *"*RBY123") == []
    for value in (1, 2**32):
        assert shown(opening.roll(value), "*") == sorted(glass_cells(7, 9, value - 1))
    for value in (0, 2**32 + 1):
        with pytest.raises(RulesError):
            opening.roll(value)
    assert [event.seat for event in opening.describe_roll(7)] == [None]


def test_homes_are_named_in_the_order_of_the_seats() -> None:
    """Red, Blue and Yellow name a home each, then the die is rolled for Red."""
    position = opened()
    assert position.to_act == 0
    cells = []
    for seat, symbol in enumerate("123"):
        assert position.to_act == seat
        cells.append(position.prompt().example)
        position = after(position, cells[-1])
        assert shown(position, symbol) == [cells[-1]]
        assert marked(position) == [cells[-1]]
    assert position.to_act == DIE
    assert position.turn == 0
    places = position.board.hexes.hexagon.places
    for home in cells:
        assert min(steps(places[home], places[glass]) for glass in shown(position, "*")) >= 2


def test_a_home_keeps_two_steps_away_from_glass() -> None:
    """A glass, a cell right beside one and another home are refused; any other cell will do."""
    position = opened()
    beside, places = position.board.hexes.hexagon.beside, position.board.hexes.hexagon.places
    glass = set(shown(position, "*"))
    fine = {name for name in places if name not in glass and not glass & set(beside[name])}
    assert {str(move) for move in position.legal_moves()} == fine
    for name in places:
        if name in fine:
            assert after(position, name).to_act == 1
        else:
            assert refusal(position, name) in ("cell_occupied", "home_beside_glass")
    taken = after(position, min(fine))
    assert refusal(taken, min(fine)) == "cell_occupied"


LANES = """
        . . . .
       . . . . .
      . . . . . .
     1 . * . . . 2
      . . . . . .
       . . . . .
        . . * .
"""


def test_a_turn_is_a_roll_and_up_to_as_many_cubes() -> None:
    """The die is rolled, cubes grow from the home one after the other, and the next seat's die is rolled."""
    position = replace(drawn(LANES), rolled=0, allowance=0)
    assert position.to_act == DIE
    rolled = position.roll(3)
    assert rolled.to_act == 0
    assert about(rolled.prompt().instruction) == {"count": "3", "example": "b4 c3 c2", "word": "pass"}
    grown = after(rolled, "b5 c6")
    assert shown(grown, "r") == ["b5", "c6"]
    assert (grown.turn, grown.to_act) == (1, DIE)
    assert marked(grown) == ["b5", "c6"]
    passed = after(rolled, "pass")
    assert (passed.turn, passed.to_act, marked(passed)) == (1, DIE, [])


def test_a_cube_takes_glass_that_nobody_controls_and_the_line_goes_on_from_there() -> None:
    """A cube beside the glass takes it at once; the next cube may stand on its other side."""
    position = drawn(LANES)
    assert refusal(position, "d4") == "cell_out_of_reach"
    taken = after(position, "b4 d4")
    assert shown(taken, "R") == ["c4"]
    assert shown(taken, "r") == ["b4", "d4"]
    assert marked(taken) == ["b4", "c4", "d4"]
    assert told(position.describe(position.parse("b4 d4"))) == (0, {"count": "2", "taken": "c4"})
    assert refusal(position, "d4 b4") == "cell_out_of_reach"


def test_glass_of_ones_own_is_built_from_and_never_attacked() -> None:
    """A second cube beside a glass of one's own starts no battle."""
    position = after(drawn(LANES), "b4 c5 b3")
    assert position.battle is None
    assert shown(position, "R") == ["c4"]


FRONT = """
        . . b b
       . . B . b
      . . . b . b
     1 r . B b 2 .
      . . . . . .
       . . . . .
        * . . .
"""


def test_a_battle_is_a_spinner_and_two_dice_a_round() -> None:
    """A cube beside another player's glass attacks it at once; the lots of a round come in their order."""
    position = fight = after(drawn(FRONT), "c4")
    assert position.battle is not None
    names = position.board.hexes.names
    assert (names[position.battle.glass], names[position.battle.cube], position.battle.defender) == ("d4", "c4", 1)
    assert shown(position, "r") == ["b4", "c4"]
    for awaited in (SPINNER, ATTACK, DEFENCE, SPINNER):
        assert position.to_act == awaited
        assert awaited.faces == 6
        position = position.roll(2)
    assert fight.battle is not None
    assert position.battle == replace(fight.battle, spinner=2)


@each(
    "spinner, attack, defence, won, lost",
    [(4, 2, 5, 0, 1), (1, 6, 3, 1, 0), (6, 1, 5, 0, 0), (6, 3, 1, 0, 1), (2, 5, 4, 0, 1), (3, 3, 3, 0, 0)],
)
def test_the_nearer_on_the_ring_wins_the_round(spinner: int, attack: int, defence: int, won: int, lost: int) -> None:
    """Six and one are neighbours; equal distance is played again."""
    battle = after(drawn(FRONT), "c4", (spinner, attack, defence)).battle
    assert battle is not None
    assert (battle.won, battle.lost) == (won, lost)


def test_distances_on_the_ring() -> None:
    """Distances are 0 to 3, whichever way is shorter."""
    table = [[Battle(1, 1, 0, spinner=spinner).away(die) for die in range(1, 7)] for spinner in (1, 4, 6)]
    assert table == [[0, 1, 2, 3, 2, 1], [3, 2, 1, 0, 1, 2], [1, 2, 3, 2, 1, 0]]


def test_the_attacker_wins_with_three_rounds() -> None:
    """The glass changes hands; chains of the loser that touch it go, as far as home and glass."""
    fight = after(drawn(FRONT), "c4", WIN, LOSE, EQUAL, LOSE, WIN)
    assert fight.battle is not None
    assert (fight.battle.won, fight.battle.lost) == (2, 2)
    won = after(fight, WIN)
    assert won.battle is None
    assert shown(won, "R") == ["d4"]
    assert shown(won, "r") == ["b4", "c4"]
    assert shown(won, "b") == ["f7", "g5", "g6", "g7"]
    assert shown(won, "B") == ["e6"]
    assert marked(won) == ["c4", "d4"]


def test_the_attacker_loses_with_three_rounds() -> None:
    """The defender keeps glass and cubes; the chain that attacked is gone, as far as the home."""
    lost = after(drawn(FRONT), "c4", LOSE, LOSE, LOSE)
    assert shown(lost, "r") == []
    assert shown(lost, "B") == ["d4", "e6"]
    assert shown(lost, "b") == shown(drawn(FRONT), "b")


def test_a_chain_stops_at_glass_and_at_home() -> None:
    """Cubes behind the attacker's home or behind glass of his stay, if they hang together with the home."""
    position = drawn("""
            . . . .
           . . . . .
          r . . . . .
         1 r . B b b 2
          r r . . . .
           . R . . .
            . r . *
    """)
    lost = after(position, "c4", LOSE, LOSE, LOSE)
    assert shown(position, "r") == ["a3", "b1", "b3", "b4", "b5"]
    assert shown(lost, "r") == []
    assert shown(lost, "R") == []
    behind = drawn("""
            . . . .
           . . . . .
          r . . . . .
         r 1 r . B b 2
          r . . . . .
           R . . . .
            r . . *
    """)
    lost = after(behind, "d4", LOSE, LOSE, LOSE)
    assert shown(lost, "r") == ["a1", "a3", "a4", "b5"]
    assert shown(lost, "R") == ["a2"]


def test_what_is_cut_off_from_home_is_lost() -> None:
    """Glass behind the lost chain is nobody's again, and cubes behind that glass are removed."""
    cut = FRONT.replace(". . b b", ". . b .").replace("B . b", "B . .").replace(". b . b", ". b . .")
    position = after(drawn(cut), "c4", WIN, WIN)
    assert shown(position, "B", "b") == ["d4", "e4", "e5", "e6", "f7"]
    won = after(position, WIN)
    assert shown(won, "B", "b") == []
    assert shown(won, "*") == ["a1", "e6"]
    assert shown(won, "R") == ["d4"]
    assert [told(event) for event in after(position, 1, 1).describe_roll(3)] == [
        (None, ROUND | {"glass": "d4", "winner": "Red"}),
        (1, {"count": "3", "cubes": "e4, e5 and f7", "glass": "e6"}),
        (0, {"glass": "d4", "won": "3", "lost": "0", "role": "Blue", "count": "1"}),
    ]


def test_an_interrupted_line_goes_on_after_the_battle() -> None:
    """The cells after the attack are kept, and placed when the battle is over; then it is the same seat's turn."""
    position = drawn(FRONT)
    fight = after(position, "c4 b5 b3")
    assert fight.rest == ("b5", "b3")
    assert shown(fight, "r") == ["b4", "c4"]
    assert told(position.describe(position.parse("c4 b5 b3"))) == (0, {"count": "1", "foe": "Blue", "glass": "d4"})
    almost = after(fight, WIN, WIN, 1, 1)
    won = almost.roll(3)
    assert shown(won, "r") == ["b3", "b4", "b5", "c4"]
    assert (won.to_act, won.allowance, won.rest) == (0, 1, ())
    assert about(won.prompt().instruction)["count"] == "1"
    assert marked(won) == ["b3", "b5", "c4", "d4"]
    assert [told(event) for event in almost.describe_roll(3)][1:] == [
        (1, {"count": "2", "cubes": "e4 and e5", "glass": ""}),
        (0, {"glass": "d4", "won": "3", "lost": "0", "role": "Blue"}),
        (0, {"count": "2"}),
    ]
    assert after(won, "pass").turn == 1
    assert marked(after(won, "pass")) == marked(won)
    assert after(won, "a3").turn == 1


def test_the_rest_of_a_line_is_dropped_from_the_first_cell_that_is_not_open() -> None:
    """After a lost battle what leaned on the lost cubes is dropped; what came before is placed."""
    for line, placed in (("c4 b5 c5", ["b5", "c5"]), ("c4 a3 c5 b5", ["a3"]), ("c4 c5 a3", [])):
        fight = after(drawn(FRONT), line, LOSE, LOSE, 1, 3)
        lost = fight.roll(1)
        assert shown(lost, "r") == placed
        assert (lost.to_act, lost.allowance, lost.rest) == (0, 3 - len(placed), ())
    assert [told(event) for event in fight.describe_roll(1)][1:] == [
        (0, {"count": "2", "cubes": "b4 and c4", "glass": ""}),
        (1, {"glass": "d4", "won": "3", "lost": "0", "role": "Red"}),
        (0, {"cell": "c5"}),
    ]


def test_a_battle_with_the_last_cube_ends_the_turn() -> None:
    """When no allowance is left after a battle, the next seat's die is rolled."""
    over = after(drawn(FRONT, rolled=1), "c4", WIN, WIN, WIN)
    assert (over.turn, over.to_act) == (1, DIE)


def test_glass_that_was_won_is_built_on_in_the_same_turn() -> None:
    """The ban is on a second battle: beside a glass that one has won cubes may be placed, and from it."""
    won = after(drawn(FRONT), "c4", WIN, WIN, WIN)
    assert shown(after(won, "c3"), "r") == ["b4", "c3", "c4"]
    assert won.fought == won.board.hexes.bits["d4"]
    assert len(won.view().standing) == 2
    assert "d3" in shown(after(won, "d3"), "r")


def test_nobody_places_beside_glass_fought_for_and_lost_in_this_turn() -> None:
    """There is no second battle for a glass: its neighbours are closed until the turn ends, and open in the next."""
    lost = after(drawn(FRONT), "c4", LOSE, LOSE, LOSE)
    assert refusal(lost, "c4") == "battle_already_fought"
    assert error_of(lost, "c4").arguments == {"text": "c4", "cell": "c4", "glass": "d4"}
    assert about(lost.view().standing[2]) == {"role": "Red", "glass": "d4"}
    later = after(lost, "pass", 1, "pass", 4)
    assert later.to_act == 0
    assert after(later, "b4 c4").battle is not None


def test_under_the_first_rules_the_ban_holds_after_a_win() -> None:
    """A match that was opened under them, so without a version, goes on under them."""
    first = replay(GAMES["pipelines"], seats=2, options={"size": 7}, record=[])
    second = replay(GAMES["pipelines"], seats=2, options={"size": 7, "rules": "2"}, record=[])
    assert isinstance(first, Pipelines)
    assert (first.lenient, second) == (False, GAMES["pipelines"].begin(2, {"size": 7}))
    won = after(replace(drawn(FRONT), lenient=False), "c4", WIN, WIN, WIN)
    assert won.to_act == 0
    assert refusal(won, "c3") == "battle_already_fought"
    later = after(won, "pass", 1, "pass", 4)
    assert shown(after(later, "c3"), "r") == ["b4", "c3", "c4"]


DOUBLE = """
        . . . 2
       . . . b .
      . . b B . .
     . . B . . . .
      . . . r . .
       . . . r .
        * . . 1
"""


def test_several_attacks_of_one_cube_come_in_the_order_of_names() -> None:
    """The cube fights for c4, then, if it still stands, for e5."""
    fight = after(drawn(DOUBLE), "d4 c2")
    assert fight.battle is not None
    assert fight.board.hexes.names[fight.battle.glass] == "c4"
    second = after(fight, WIN, WIN, WIN)
    assert second.battle is not None
    assert second.board.hexes.names[second.battle.glass] == "e5"
    assert shown(second, "R") == ["c4"]
    assert second.rest == ("c2",)
    both = after(second, WIN, WIN, WIN)
    assert shown(both, "R") == ["c4", "e5"]
    assert shown(both, "r") == ["c2", "d2", "d3", "d4"]
    assert (both.to_act, both.allowance) == (0, 2)
    one = after(second, LOSE, LOSE, LOSE)
    assert shown(one, "r") == []
    assert shown(one, "R") == []
    assert shown(one, "*") == ["a1", "c4"]
    none = after(fight, LOSE, LOSE, LOSE)
    assert none.battle is None
    assert shown(none, "r") == []
    assert (none.to_act, none.allowance, none.rest) == (0, 3, ())


def test_glass_set_free_by_a_battle_is_taken_by_the_cube_beside_it() -> None:
    """If the second glass is nobody's after the first battle, the cube takes it without one."""
    position = drawn("""
            . . . .
           . . . . .
          . . b B . .
         2 b B . . . .
          . . . r . .
           . . . r .
            * . . 1
    """)
    fight = after(position, "d4", WIN, WIN, 1, 1)
    won = fight.roll(3)
    assert won.battle is None
    assert shown(won, "R") == ["c4", "e5"]
    assert shown(won, "b", "B") == []
    assert [told(event) for event in fight.describe_roll(3)][1:] == [
        (1, {"count": "2", "cubes": "b4 and d5", "glass": "e5"}),
        (0, {"glass": "c4", "won": "3", "lost": "0", "role": "Blue", "count": "1"}),
        (0, {"taken": "e5"}),
    ]


def test_another_cube_of_the_line_may_start_another_battle() -> None:
    """The rest of a line is played on into the next battle, and after it the rest of the rest."""
    position = drawn(
        """
            . . . .
           . . . . .
          . . . . . .
         1 r . B b 2 .
          . . . . . .
           . . Y . .
            . y 3 *
    """,
        seats=3,
        rolled=6,
    )
    fight = after(position, "c4 b3 b2 a3", WIN, WIN, WIN)
    assert fight.battle is not None
    assert fight.board.hexes.names[fight.battle.glass] == "c2"
    assert (fight.battle.defender, fight.rest) == (2, ("a3",))
    lost = after(fight, LOSE, LOSE, LOSE)
    assert shown(lost, "r") == ["a3"]
    assert (shown(lost, "R"), shown(lost, "*")) == ([], ["d1", "d4"])
    assert (lost.to_act, lost.allowance) == (0, 2)
    assert lost.board.hexes.listed(lost.fought) == ["c2", "d4"]


def test_the_match_ends_at_once_when_every_glass_is_controlled() -> None:
    """The cube that takes the last glass ends it; cells named after that are not placed."""
    position = drawn(LANES.replace(". . * .", ". . B ."))
    assert str(position.parse("b4 d4")) == "b4"
    over = after(position, "b4 d4")
    assert winners(over) == [0, 1]
    assert reason(over) == "every glass is controlled, and Red and Blue have 1 of 2 glass pieces each"
    assert shown(over, "r") == ["b4"]
    assert over.to_act is None
    more = after(drawn(LANES.replace(". . * .", ". . R .")), "b4")
    assert winners(more) == [0]
    assert reason(more) == "every glass is controlled, and Red has the most glass, 2 of 2"


def test_the_match_ends_before_a_battle_if_every_glass_is_controlled() -> None:
    """A cube that takes the last free glass beside it ends the match, though it also touches a foe's glass."""
    position = drawn("""
            . . . 2
           . . . b .
          . . . B . .
         . . * . . . .
          . . . r . .
           . . . r .
            . . . 1
    """)
    over = after(position, "d4")
    assert over.battle is None
    assert winners(over) == [0, 1]


def test_three_rounds_without_a_cube_end_the_match() -> None:
    """Passing all around three times ends it; a cube in between starts the count anew."""
    position = replace(drawn(LANES.replace(". . * .", ". . B .")), rolled=0, allowance=0)
    two = after(position, *(5, "pass") * 4)
    assert (two.rounds, two.quiet, two.to_act) == (2, 2, DIE)
    over = after(two, 5, "pass", 5, "pass")
    assert winners(over) == [1]
    assert reason(over) == "nobody placed a cube in 3 rounds, and Blue has the most glass, 1 of 2"
    again = after(two, 5, "pass", 5, "g5")
    assert (again.rounds, again.quiet, again.to_act) == (3, 0, DIE)
    assert not again.busy


def test_a_match_has_a_hundred_rounds_at_most() -> None:
    """After the last turn of the hundredth round it is over, and nobody having more, all share the win."""
    last = replace(drawn(LANES, turn=1), rounds=99)
    assert winners(after(last, "g5")) == [0, 1]
    assert reason(after(last, "g5")) == ("100 rounds have been played, and Red and Blue have 0 of 2 glass pieces each")
    assert after(replace(last, rounds=98), "g5").outcome() is None
    assert after(replace(last, turn=0), "b5").outcome() is None


def test_a_turn_without_an_open_cell_is_passed() -> None:
    """Where no cube can go the service passes; otherwise it is for the player to decide."""
    closed = drawn("""
            . . . .
           . . . . .
          b b . . . .
         1 b b b b b 2
          . . . . . .
           . . . . .
            * . . .
    """)
    assert closed.forced() is None
    shut = replace(closed, board=replace(closed.board, cubes=(0, closed.board.cubes[1] | hex_board(4).bits["a3"])))
    assert shut.forced() == Move(("pass",))
    assert list(shut.legal_moves()) == [Move(("pass",))]
    assert (about(shut.prompt().instruction), shut.prompt().example) == ({"example": "pass"}, "pass")
    assert [choice.move for choice in shut.suggestions()] == ["pass"]
    assert shut.describe(Move(("pass",))) != closed.describe(Move(("pass",)))
    assert refusal(shut, "a2") == "cell_out_of_reach"
    assert replace(shut, rolled=0, allowance=0).forced() is None


def test_a_line_is_judged_cell_by_cell_up_to_the_first_battle() -> None:
    """What follows an attack may be any cells of the board, as many as are left of the roll."""
    position = drawn(FRONT)
    moves = list(islice(position.legal_moves(), 3000))
    assert [str(move) for move in moves[:6]] == ["pass", "a3", "b3", "b5", "c4", "c5"]
    assert len(set(moves)) == len(moves)
    assert after(position, "c4 d1 a1 g7").rest == ("d1", "a1", "g7")
    assert refusal(position, "b5 d1") == "cell_out_of_reach"


def test_every_line_is_a_legal_move_once() -> None:
    """Without battles the legal moves are all lines that grow cell by cell, each once."""
    position = drawn(LANES, rolled=2)
    lines = {str(move) for move in position.legal_moves()}
    names = list(hex_board(4).bits)
    tried = {"pass", *names, *(f"{one} {other}" for one in names for other in names)}
    legal = set()
    for text in tried:
        try:
            after(position, text)
        except RulesError:
            continue
        legal.add(text)
    assert lines == legal
    assert len(lines) == len(list(position.legal_moves()))


def test_a_seat_that_leaves_takes_its_cubes_along() -> None:
    """Home and cubes are removed, glass is nobody's, and the seat is passed over."""
    position = drawn(
        """
            . . . .
           . . . . .
          . . . . . .
         1 r . B b 2 .
          . . . . . .
           . . Y . .
            . y 3 *
    """,
        seats=3,
    )
    left = position.leave(2, "timeout")
    assert (shown(left, "3", "y", "Y"), shown(left, "*")) == ([], ["c2", "d1"])
    assert left.to_act == 0
    assert after(left, "pass", 1, "pass").turn == 0
    assert after(left, "pass", 1, "pass").rounds == 1
    assert about(left.view().standing[0]) == {"held": "Red 0 and Blue 1", "free": "2"}
    acting = position.leave(0, "resign")
    assert (acting.turn, acting.to_act, acting.rounds) == (1, DIE, 0)
    over = left.leave(0, "resign")
    assert winners(over) == [1]
    assert reason(over) == "the other players have left the match"
    assert reason(drawn(LANES).leave(1, "timeout")) == "the other player ran out of time"
    assert reason(drawn(LANES).leave(0, "resign")) == "the other player resigned"


def test_leaving_ends_a_battle() -> None:
    """If the defender leaves, the cube takes the glass and the line goes on; if the attacker leaves, all is over."""
    position = drawn(FRONT.replace("* . . .", "* . . 3"), seats=3)
    fight = after(position, "c4 b5", 1, 1)
    taken = fight.leave(1, "resign")
    assert shown(taken, "R") == ["d4"]
    assert shown(taken, "r") == ["b4", "b5", "c4"]
    assert (taken.battle, taken.to_act, taken.allowance) == (None, 0, 2)
    gone = fight.leave(0, "resign")
    assert shown(gone, "r") == []
    assert shown(gone, "B") == ["d4", "e6"]
    assert (gone.battle, gone.rest, gone.turn, gone.to_act) == (None, (), 1, DIE)
    watched = fight.leave(2, "timeout")
    assert watched.battle == fight.battle
    assert watched.to_act == DEFENCE


def test_seats_may_leave_before_there_are_homes() -> None:
    """Whoever has left names no home; the round count starts with the first turn."""
    opening = GAMES["pipelines"].begin(3, {"size": 7})
    early = opening.leave(0, "resign").roll(1)
    assert early.to_act == 1
    assert isinstance(early, Pipelines)
    position = opened()
    home = position.prompt().example
    last = after(position, home).leave(1, "timeout")
    assert last.to_act == 2
    both = after(last, last.prompt().example)
    assert (both.turn, both.to_act, both.rounds) == (0, DIE, 0)
    skipped = after(position, home).leave(2, "resign")
    assert (after(skipped, skipped.prompt().example).turn, after(skipped, skipped.prompt().example).rounds) == (0, 0)
    for seat, word in ((3, "resign"), (-1, "resign"), (0, "sulk")):
        with pytest.raises(IllegalMove):
            position.leave(seat, word)


REFUSED = [
    ("d4 is mine", "not_a_cell"),
    ("", "not_a_move"),
    ("z3", "cell_off_board"),
    ("e1", "cell_off_board"),
    ("b5 c15", "cell_off_board"),
    ("b5 b5", "cell_named_twice"),
    ("a3 a2 a1 b1 b2", "too_many_cells"),
    ("f6", "cell_out_of_reach"),
    ("f6 b5", "cell_out_of_reach"),
    ("5b", "letter_first"),
    ("b5 d6", "cell_out_of_reach"),
    ("e5", "cell_occupied"),
    ("b4", "cell_occupied"),
    ("a4", "cell_occupied"),
    ("d4", "cell_occupied"),
    ("b5 pass", "pass_not_alone"),
    ("roll", "not_a_cell"),
    ("x" * 99, "not_a_cell"),
]


@each("text, code", REFUSED)
def test_what_cannot_be_played_is_refused(text: str, code: str) -> None:
    """What is no cell, what is not open, what is too much: each has its code."""
    assert refusal(drawn(FRONT), text) == code


NO_HOME = [
    ("g4", "cell_occupied"),
    ("g5", "home_beside_glass"),
    ("d4 d5", "not_one_home"),
    ("pass", "not_one_home"),
    ("h1", "cell_off_board"),
    ("home d4", "not_a_cell"),
]


@each("text, code", NO_HOME)
def test_what_is_no_home_is_refused(text: str, code: str) -> None:
    """A glass, a cell beside one, more than one cell, or none."""
    assert refusal(opened(layout=2), text) == code


def test_refusals_are_worded_as_approved(update: bool) -> None:
    """Every code of the game, each with its sentences, as a player reads them."""
    waiting, over = replace(drawn(LANES), rolled=0, allowance=0), drawn(LANES).leave(0, "resign")
    lost = after(drawn(FRONT), "c4", LOSE, LOSE, LOSE)
    cases = [(drawn(FRONT), text) for text, _ in REFUSED] + [(opened(layout=2), text) for text, _ in NO_HOME]
    cases += [(lost, "c4"), (waiting, "b4"), (over, "b4"), (over, "hello")]
    refused = [error_of(position, text) for position, text in cases]
    for call in (over.prompt, lambda: drawn(LANES).roll(1)):
        with pytest.raises(RulesError) as error:
            call()
        refused.append(error.value)
    assert codes_in(RULES / "games" / "pipelines") <= {error.code for error in refused}
    approve(Path(__file__).parent / "sentences.txt", sentences(refused), update=update)


def test_a_finished_match_says_so() -> None:
    """Nothing is read, played or rolled after the end."""
    over = drawn(LANES).leave(0, "resign")
    assert refusal(over, "b4") == "match_over"
    assert refusal(over, "hello") == "match_over"
    assert refusal(replace(drawn(LANES), rolled=0, allowance=0), "b4") == "roll_first"
    with pytest.raises(RulesError):
        drawn(LANES).roll(1)
    with pytest.raises(RulesError):
        over.prompt()


def test_moves_made_by_hand_are_judged_too() -> None:
    """A move that no text gives is refused by play, also in the part after an attack."""
    for words in ((), ("z9",), ("b5", "b5"), ("c4", "z9"), ("c4", "b5", "b5"), ("pass", "pass"), ("b5", "pass"), ("",)):
        with pytest.raises(IllegalMove):
            drawn(FRONT).play(Move(words))
        with pytest.raises(IllegalMove):
            opened().play(Move(words))


def test_endless_texts_are_refused_at_once() -> None:
    """A hundred thousand characters take less than a tenth of a second, and the answer is short."""
    for position in (drawn(FRONT), opened()):
        for text in (
            "a1 " * 33_000,
            "x" * 100_000,
            "a" + "9" * 99_999,
            "a1" * 50_000,
            "b5 " * 33_000,
            "pass " * 20_000,
        ):
            started = process_time()
            error = error_of(position, text)
            assert process_time() - started < 1
            assert len(str(error)) < 400
            assert position.answers_like(text) == ()


@each("text", ["B5 C6", "b5,c6", "b5-c6", " b5  c6. ", "b5c6", "b5 and c6", "b 5 c 6", "“b5 c6”"])
def test_cells_are_read_as_people_write_them(text: str) -> None:
    """Capitals, commas, dashes, spaces and a full stop make no difference; one notation is printed."""
    assert str(drawn(LANES).parse(text)) == "b5 c6"
    assert str(drawn(LANES).parse(" PASS. ")) == "pass"


def standing(position: Pipelines) -> list[dict[str, str]]:
    """Return what the sentences on how things stand are about."""
    return [about(line) for line in position.view().standing]


def test_what_stands_is_told() -> None:
    """Shares of glass, the roll where the prompt does not say it, a battle and what waits for it: each a sentence."""
    assert GAMES["pipelines"].begin(3, {}).view().standing == ()
    assert standing(opened()) == [{"held": "Red 0, Blue 0 and Yellow 0", "free": "9"}]
    assert standing(drawn(FRONT)) == [{"held": "Red 0 and Blue 2", "free": "1"}]
    assert drawn(FRONT).prompt().instruction.arguments[0] == ("count", 4)
    assert standing(after(drawn(FRONT), "c4 b5", WIN, LOSE))[1:] == [
        {"count": "3", "role": "Red", "die": "4"},
        {"glass": "d4", "attacker": "Red", "won": "1", "defender": "Blue", "lost": "1"},
        {"cells": "b5"},
    ]
    first_rules = after(replace(drawn(FRONT), lenient=False), "c4 b5", WIN, WIN, WIN)
    assert standing(first_rules)[1:] == [{"count": "2", "role": "Red", "die": "4"}, {"role": "Red", "glass": "d4"}]
    assert standing(after(drawn(LANES), "pass", 1, "pass", 1))[1:] == [{"count": "1", "most": "3"}]
    assert standing(replace(drawn(LANES), rounds=95))[1:] == [{"current": "96", "most": "100"}]


def test_battles_are_told_round_by_round() -> None:
    """Spinner and attacker's die say nothing; the defender's die tells the whole round."""
    position = after(drawn(FRONT), "c4")
    assert position.describe_roll(4) == position.roll(4).describe_roll(2) == ()
    lost, tied = after(position, 4, 2).describe_roll(5), after(position, (4, 2, 5), 6, 1).describe_roll(5)
    fighters = {"glass": "d4", "attacker": "Red", "defender": "Blue"}
    dice = {"spinner": "4", "attack": "2", "defence": "5"}
    assert [told(event) for event in lost] == [(None, fighters | dice | {"winner": "Blue"})]
    dice = {"spinner": "6", "attack": "1", "defence": "5"}
    assert [told(event) for event in tied] == [(None, fighters | dice)]
    waiting = replace(drawn(LANES), rolled=0, allowance=0)
    assert [told(event) for event in waiting.describe_roll(4)] == [(0, {"die": "4"})]


def test_moves_are_told_by_what_they_did() -> None:
    """A home, cubes, a pass."""
    assert told(opened().describe(Move(("d5",)))) == (0, {"cell": "d5"})
    assert told(drawn(LANES).describe(Move(("b5", "c6")))) == (0, {"count": "2"})
    assert told(drawn(LANES).describe(Move(("pass",)))) == (0, {})


def test_each_seat_is_told_what_it_plays_for() -> None:
    """The brief names the seat's role, and a turn changes once there is a home."""
    early, late = opened().objective(1), drawn(LANES).objective(1)
    assert about(early.goal) == about(late.goal) == {"role": "Blue"}
    assert (early.goal, early.decisive) == (late.goal, late.decisive)
    assert early.turn != late.turn
    assert drawn(LANES, seats=2).leave(0, "resign").objective(1).turn is None
    assert opened().leave(2, "resign").objective(2).turn is None


def story(position: Pipelines) -> tuple[int | None, dict[str, str]]:
    """Return who is told to have won, and by what."""
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.story is not None
    return told(outcome.story)


def test_it_is_told_how_a_match_was_won() -> None:
    """One winner with their glass, several by their roles, or who stayed."""
    lanes = LANES.replace(". . * .", ". . R .")
    assert story(after(drawn(lanes), "b4")) == (0, {"most": "2", "glass": "2", "rounds": "0"})
    even = after(drawn(LANES.replace(". . * .", ". . B .")), "b4")
    assert story(even) == (None, {"roles": "Red and Blue", "most": "1", "glass": "2", "rounds": "0"})
    quiet = after(drawn(lanes), "pass", *(1, "pass") * 5)
    assert story(quiet) == (0, {"most": "1", "glass": "2", "rounds": "3"})
    long = after(replace(drawn(lanes, turn=1), rounds=99), "g5")
    assert story(long) == (0, {"most": "1", "glass": "2", "rounds": "100"})
    left = [
        drawn(LANES).leave(0, "resign"),
        drawn(LANES).leave(0, "timeout"),
        opened().leave(2, "resign").leave(0, "resign"),
    ]
    assert [story(position) for position in left] == [(1, {})] * 3
    outcomes = [position.outcome() for position in left]
    assert len({outcome.story for outcome in outcomes if outcome}) == 3


def test_examples_play_a_match_that_ends_soon() -> None:
    """Whoever always sends the example builds to glass, and the match is over within sixty turns."""
    for seed in range(12):
        random, position, turns = Random(seed), GAMES["pipelines"].begin(2 + seed % 2, {"size": 7}), 0
        while (awaited := position.to_act) is not None:
            if isinstance(awaited, Chance):
                turns += awaited == DIE
                position = position.roll(1 + random.randrange(awaited.faces))
            else:
                position = position.play(position.parse(position.prompt().example))
        assert turns < 60
        assert isinstance(position, Pipelines)
        assert reason(position).startswith("every glass is controlled")


def test_examples_attack_only_where_there_is_no_other_way() -> None:
    """The example goes to glass that is nobody's if it can, and else to the nearest foe."""
    assert after(drawn(FRONT, rolled=6), drawn(FRONT, rolled=6).prompt().example).battle is None
    walled = drawn("""
            . . . .
           . . . . .
          b b . . . .
         1 . B b b b 2
          b b . . . .
           * . . . .
            . . . .
    """)
    assert walled.prompt().example == "b4"
    assert after(walled, "b4").battle is not None


def effects(choices: tuple[Choice, ...]) -> dict[str, dict[str, str]]:
    """Return the moves of choices, each with what its effect is about."""
    return {choice.move: about(choice.effect) for choice in choices}


def test_lines_are_suggested_with_what_they_do() -> None:
    """What takes glass comes before what attacks it, that before what only builds; each does something else."""
    assert effects(drawn(FRONT).suggestions()) == {"a3 a2": {"taken": "a1"}, "c4": {"foe": "Blue", "glass": "d4"}}
    assert effects(drawn(LANES, rolled=1).suggestions()) == {"b4": {"taken": "c4"}, "a3": {"glass": "c1"}}
    assert replace(drawn(LANES), rolled=0, allowance=0).suggestions() == ()


def test_homes_are_suggested_with_the_glass_near_them() -> None:
    """Cells that lie apart, that of the prompt first; how much glass is within four steps is counted."""
    position = opened()
    hexes = position.board.hexes
    places = hexes.hexagon.places
    found = effects(position.suggestions())
    assert next(iter(found)) == position.prompt().example
    assert all(steps(places[one], places[other]) > 2 for one, other in combinations(found, 2))
    assert len(found) > 1
    for home, about_it in (found | effects(position.answers_like("a1"))).items():
        near = sum(steps(places[home], places[glass]) <= 4 for glass in hexes.listed(position.board.glass))
        assert about_it == {"count": f"{near}"}


def test_a_refused_line_is_answered_with_ways_to_play_it() -> None:
    """What is missing in between, its legal beginning, and ways on from there."""
    like = effects(drawn(FRONT).answers_like("b5 d6"))
    assert list(like)[:2] == ["b5 c5 d6", "b5"]
    assert all(move.split()[0] == "b5" for move in like)
    assert drawn(FRONT, rolled=3).answers_like("B5, 5c d7 a3")[0].move == "b5 c5"
    assert [choice.move for choice in drawn(FRONT).answers_like("f6")] == [
        choice.move for choice in drawn(FRONT).suggestions()
    ]
    assert drawn(FRONT).answers_like("hello") == drawn(LANES).leave(0, "resign").answers_like("b4") == ()


def test_a_refused_home_is_answered_with_the_nearest_ones() -> None:
    """As near as can be to the cell that was named."""
    position = opened(layout=2)
    places = position.board.hexes.hexagon.places
    homes = [choice.move for choice in position.answers_like("g5")]
    assert len(homes) == 5
    far = [steps(places[home], places["g5"]) for home in homes]
    assert far == sorted(far)
    assert far[-1] <= min(steps(places[str(move)], places["g5"]) for move in position.legal_moves()) + 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (3, 4), (2, 3)])
def test_what_is_offered_can_be_played(seats: int, seed: int) -> None:
    """In whole matches suggestions and mended lines are legal, and a first cell begins a longer line."""
    random = Random(seed)
    for position in walk(Case("pipelines", seats, (("size", 7),)), seed).positions:
        assert isinstance(position, Pipelines)
        cells = random.sample(list(position.board.hexes.bits), 3)
        offered = (
            *position.suggestions(),
            *position.answers_like(" ".join(cells)),
            *position.answers_like(cells[0]),
        )
        if not isinstance(position.to_act, int):
            assert offered == ()
            assert position.first_cells() == frozenset()
            continue
        if position.board.homes[position.turn]:
            assert 0 < len(position.suggestions()) <= 5
            assert position.suggestions()[0].move == position.prompt().example
        for choice in offered:
            assert str(position.parse(choice.move)) == choice.move
            position.play(position.parse(choice.move))
        longer = {move.words[0] for move in islice(position.legal_moves(), 5000) if len(move.words) > 1}
        assert longer <= position.first_cells()
        for cell in position.first_cells() - longer:
            assert next(position._longer((cell,)))


def owners(position: Pipelines, view: BoardView) -> None:
    """Check, the slow and obvious way, that all on the board belongs to one seat and hangs together with its home."""
    board, symbols = position.board.hexes.hexagon, {cell.name: cell.piece for cell in view.cells if cell.piece}
    for home, cube, glass in zip("123", "rby", "RBY", strict=True):
        own = {name for name, piece in symbols.items() if piece.symbol in (home, cube, glass)}
        edge = [name for name in own if symbols[name].symbol == home]
        assert len(edge) <= 1
        while edge:
            name = edge.pop()
            if name in own:
                own.remove(name)
                edge += board.beside[name]
        assert not own
    for name, piece in symbols.items():
        if piece.form == "cube" and position.battle is None and position.result is None:
            near = {symbols[other].symbol for other in board.beside[name] if other in symbols}
            assert near & set("*RBY") <= {piece.symbol.upper()}
    masks = [*position.board.homes, *position.board.cubes, position.board.glass]
    assert sum(masks) == sum(mask.bit_count() and mask for mask in masks)
    assert sum(mask.bit_count() for mask in masks) == len(symbols)


def played(size: int, seats: int, seed: int, leaving: float) -> int:
    """Play a random match, check every position of it, and return the number of entries."""
    random, position, entries = Random(seed), GAMES["pipelines"].begin(seats, {"size": size}), 0
    assert isinstance(position, Pipelines)
    glass = 0
    while (awaited := position.to_act) is not None:
        entries += 1
        if random.random() < leaving:
            staying = [seat for seat in range(seats) if seat not in position.departed()]
            position = position.leave(random.choice(staying), random.choice(EXIT_WORDS))
        elif isinstance(awaited, Chance):
            position = position.roll(1 + random.randrange(awaited.faces))
            if awaited == LAYOUT:
                glass = position.board.glass
        else:
            before, seat = position, awaited
            position = position.play(position.any_move(random.randrange))
            grown = position.board.cubes[seat].bit_count() - before.board.cubes[seat].bit_count()
            assert 0 <= grown <= before.allowance <= before.rolled <= 6
        view = position.view()
        owners(position, view)
        assert position.board.glass == glass
        assert glass.bit_count() in (0, {7: 9, 8: 15}[size])
        assert position.rounds <= 100
        assert position.quiet <= 3
        if glass:
            shares = about(view.standing[0])
            counts = {name[0]: int(count) for name, count in re.findall(r"(\w+) (\d+)", shares["held"])}
            counts["*"] = int(shares.get("free", 0))
            for symbol in "RBY*":
                shown_so = sum(cell.piece is not None and cell.piece.symbol == symbol for cell in view.cells)
                assert shown_so == counts.get(symbol, 0)
        if not position.result and glass:
            assert position.board.free or not any(position.board.homes)
        assert (position.battle is None) or position.board.glass & position.battle.glass
    share = [
        mask.bit_count() if seat not in position.departed() else -1 for seat, mask in enumerate(position.board.held)
    ]
    assert position.result is not None
    if "left" not in position.result.reason and "other player" not in position.result.reason:
        assert position.result.winners == {seat for seat, count in enumerate(share) if count == max(share)}
    return entries


@pytest.mark.parametrize(("size", "seats"), [(7, 2), (7, 3), (8, 2), (8, 3)])
def test_no_random_match_breaks_the_rules_of_the_board(size: int, seats: int) -> None:
    """All that stands hangs together with its home, no cell has two owners, and the glass stays where it is."""
    assert all(played(size, seats, seed, 0.01 if seed % 3 == 0 else 0.0) for seed in range(share(12)))
