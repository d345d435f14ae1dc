"""Pip•Pip: every clause of the rules, on drawn positions."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from random import Random
from string import Formatter
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import AmbiguousMove, IllegalMove, InvalidMove, RulesError
from rules.game import advance, replay
from rules.games import GAMES
from rules.games.pippip.dice import CELLS, DICE, RINGS, Standing, score
from rules.games.pippip.position import Move, PipPip
from rules.position import Chance, Choice, Entry
from tests.support.approved import approve, error_of, sentences
from tests.support.codes import RULES, codes_in
from tests.support.each import each
from tests.support.examples import share
from tests.support.walks import Case, walk

CASE = Case("pippip", 2, ())

Direction = tuple[int, int, int]


def opening(*lots: int) -> PipPip:
    """Return the first position, after some lots."""
    position = GAMES["pippip"].begin(2, {})
    for value in lots:
        position = position.roll(value)
    assert isinstance(position, PipPip)
    return position


def standing(word: str) -> Standing | None:
    """Return what a word of a diagram stands for: "L4n1" is a die of Light, 4 on top, the 1 facing north."""
    return None if word == "." else Standing(word[0] == "L", DICE[int(word[1])][int(word[3])])


def drawn(
    diagram: str, hand: int = 0, store: Iterable[int] = (), other: Iterable[int] = (), light: int = 0, turn: int = 0
) -> PipPip:
    """Return the position of a diagram; by default seat 1 is Light and to act; ``other`` is the other side's store."""
    rows = [line.split() for line in diagram.strip().splitlines()]
    board = tuple(standing(word) for row in reversed(rows) for word in row)
    own, others = tuple(sorted(store)), tuple(sorted(other))
    stores = (others, own) if turn else (own, others)
    return PipPip(light=light, turn=turn, awaited=None, hand=hand, board=board, stores=stores)


def shown(position: PipPip) -> list[list[str]]:
    """Return the board as the words of a diagram, row by row from the top."""
    words = [
        f"{'L' if stood.light else 'D'}{stood.die.top}n{stood.die.sides[0]}" if stood else "."
        for stood in position.board
    ]
    return [words[start : start + 4] for start in (12, 8, 4, 0)]


def after(position: PipPip, *steps: str | int) -> PipPip:
    """Return the position after steps: moves as players write them, and the values of lots."""
    for step in steps:
        position = position.roll(step) if isinstance(step, int) else position.play(position.parse(step))
    return position


def legal(position: PipPip) -> set[str]:
    """Return all legal moves."""
    moves = [str(move) for move in position.legal_moves()]
    assert len(moves) == len(set(moves))
    return set(moves)


def seats_won(position: PipPip) -> set[int]:
    """Return the seats that have won."""
    outcome = position.outcome()
    assert outcome is not None
    return set(outcome.winners)


EMPTY = ". . . .\n. . . .\n. . . .\n. . . ."


def cross(one: Direction, other: Direction) -> Direction:
    """Return the direction square to two others, right-handed."""
    (a, b, c), (x, y, z) = one, other
    return (b * z - c * y, c * x - a * z, a * y - b * x)


def opposite(direction: Direction) -> Direction:
    """Return the direction the other way."""
    return (-direction[0], -direction[1], -direction[2])


def test_dice_stand_in_24_ways_as_real_ones_do() -> None:
    """Turning a right-handed die in space gives the 24 dice of the table and no others."""
    axes: list[Direction] = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)]
    top, around = (0, 0, 1), ((0, 1, 0), (1, 0, 0), (0, -1, 0), (-1, 0, 0))
    turned = set()
    for one, two in product(axes, repeat=2):
        three = cross(one, two)
        if three != (0, 0, 0):
            # Seen from outside, the directions of a right-handed three run counter-clockwise round their corner.
            numbers = {one: 1, two: 2, three: 3, opposite(one): 6, opposite(two): 5, opposite(three): 4}
            turned.add((numbers[top], *(numbers[side] for side in around)))
    table = {(die.top, *die.sides) for ways in DICE.values() for die in ways.values()}
    assert len(table) == 24
    assert table == turned


def test_opposite_faces_of_a_die_add_up_to_seven() -> None:
    """North and south, east and west, and so top and bottom: all six numbers are there."""
    for top, ways in DICE.items():
        assert len(ways) == 4
        for north, die in ways.items():
            assert (die.top, die.sides[0]) == (top, north)
            assert die.sides[0] + die.sides[2] == die.sides[1] + die.sides[3] == 7
            assert sorted((top, 7 - top, *die.sides)) == [1, 2, 3, 4, 5, 6]


def test_the_sides_run_as_the_rules_list_them() -> None:
    """Clockwise from north each die is a rotation of the ring for its top, and the help lists the same rings."""
    listed = {1: "5 3 2 4", 2: "1 3 6 4", 3: "1 5 6 2", 4: "1 2 6 5", 5: "1 4 6 3", 6: "2 3 5 4"}
    assert {top: " ".join(map(str, ring)) for top, ring in RINGS.items()} == listed
    for top, ring in listed.items():
        numbers = ring.split()
        rotations = {" ".join(numbers[start:] + numbers[:start]) for start in range(4)}
        assert {" ".join(map(str, die.sides)) for die in DICE[top].values()} == rotations
        assert f"{ring} around a {top}" in " ".join(map(str, GAMES["pippip"].help))
        assert dict(after(opening(2, 1), top).view().standing[0].arguments) == {"die": top, "sides": ring}


@pytest.mark.parametrize(
    ("colours", "starter", "roles", "first"),
    [
        (1, 1, ("Light", "Dark"), 0),
        (1, 2, ("Light", "Dark"), 1),
        (2, 1, ("Dark", "Light"), 1),
        (2, 2, ("Dark", "Light"), 0),
    ],
)
def test_the_lot_gives_colours_and_the_first_turn(
    colours: int, starter: int, roles: tuple[str, str], first: int
) -> None:
    """Colours are drawn, then who begins, then the first die is rolled."""
    position = opening()
    assert position.to_act == Chance("colours", 2)
    assert position.roles() == (None, None)
    position = after(position, colours)
    assert position.to_act == Chance("starting player", 2)
    assert position.roles() == roles
    position = after(position, starter)
    assert position.to_act == Chance("die", 6)
    assert after(position, 3).to_act == first


def test_rolls_are_told_of_the_seat_that_they_concern() -> None:
    """The colours are told with who begins; a die is that of the seat to act."""
    assert opening().describe_roll(1) == ()
    assert [[event.seat for event in opening(2).describe_roll(value)] for value in (1, 2)] == [[1], [0]]
    (rolled,) = opening(2, 1).describe_roll(4)
    assert (rolled.seat, dict(rolled.you.arguments)) == (1, {"die": 4})


@pytest.mark.parametrize("lots", [(), (1,), (1, 1), (1, 1, 1)])
def test_lots_stay_within_their_faces(lots: tuple[int, ...]) -> None:
    """A value that cannot fall is refused, and so is any when no lot is to be drawn."""
    for value in (0, 7, -1):
        with pytest.raises(RulesError):
            opening(*lots).roll(value)
    if len(lots) == 3:
        with pytest.raises(RulesError):
            opening(*lots).roll(1)


def test_a_rolled_die_is_placed_or_stored() -> None:
    """With a 4 in hand there are four ways on each of 16 cells, and to set it aside."""
    moves = legal(opening(1, 1, 4))
    assert len(moves) == 16 * 4 + 1
    assert {move for move in moves if move.startswith("b3")} == {"b3 n1", "b3 n2", "b3 n6", "b3 n5"}
    assert "store" in moves


def test_a_placement_ends_the_turn() -> None:
    """The other seat is next, and its die is rolled at once while its store is empty."""
    position = after(opening(1, 1), 4, "b3 n6")
    assert position.to_act == Chance("die", 6)
    assert shown(position)[1] == [".", "L4n6", ".", "."]
    position = after(position, 2)
    assert position.to_act == 1
    assert after(position, "c3 n1").to_act == Chance("die", 6)
    assert shown(after(position, "c3 n1"))[1] == [".", "L4n6", "D2n1", "."]


def test_after_storing_the_same_seat_goes_on() -> None:
    """It rolls another die, or uses the one that it has just stored."""
    position = after(opening(1, 1), 4, "store")
    assert position.to_act == 0
    assert position.stores == ((4,), ())
    assert legal(position) == {"roll"} | {f"use 4 {cell} n{north}" for cell in CELLS for north in (1, 2, 6, 5)}
    assert after(position, "roll").to_act == Chance("die", 6)
    rolled = after(position, "roll", 2)
    assert (rolled.to_act, rolled.hand, rolled.stores) == (0, 2, ((4,), ()))
    used = after(position, "use 4 b3 n1")
    assert used.stores == ((), ())
    assert shown(used)[1] == [".", "L4n1", ".", "."]


def test_a_turn_of_several_steps() -> None:
    """Steps written one after the other, each judged after the one before, with the lots that fall between."""
    position = after(
        opening(1, 1, 4), "store", "roll", 6, "store", "use 4 b3 n1", 2, "store", "use 2 c3 n4", "use 6 a1 n2"
    )
    assert position.stores == ((), ())
    assert shown(position) == [
        [".", ".", ".", "."],
        [".", "D4n1", "D2n4", "."],
        [".", ".", ".", "."],
        ["L6n2", ".", ".", "."],
    ]


def test_dice_in_store_keep_a_turn_from_being_rolled() -> None:
    """A seat with dice in store chooses when its turn comes; the other seat's store is no matter."""
    position = after(opening(1, 1), 4, "store", "roll", 3, "a1 n1", 6, "d4 n2")
    assert position.to_act == 0
    assert not position.hand
    assert "roll" in legal(position)
    assert after(position, "use 4 b3 n1").to_act == Chance("die", 6)


def test_a_store_holds_three() -> None:
    """With three dice in store nothing can be rolled; stored dice are listed once each."""
    position = after(opening(1, 1), 4, "store", "roll", 2, "store", "roll", 4, "store")
    assert position.stores == ((2, 4, 4), ())
    assert "roll" not in legal(position)
    assert len(legal(position)) == 2 * 16 * 4
    assert after(position, "use 4 b3 n1").stores == ((2, 4), ())


LATE = "L1n5 L1n5 L1n5 L1n5\nD1n5 D1n5 D1n5 D1n5\nL1n5 L1n5 L1n5 L1n5\n"


@each(
    "last_row, store, may_roll",
    [
        (". . . .", [3], True),
        (". . . .", [3, 4], False),
        ("L1n5 . . .", [3], True),
        ("L1n5 . . .", [3, 4], False),
        ("L1n5 L1n5 . .", [3], False),
        ("L1n5 L1n5 L1n5 .", [3], False),
    ],
)
def test_nobody_stores_more_than_he_can_place(last_row: str, store: list[int], may_roll: bool) -> None:
    """With e empty cells a store of half of them, rounded up, has to be used."""
    assert ("roll" in legal(drawn(LATE + last_row, store=store))) == may_roll


def test_a_limit_of_three_comes_before_that_of_placements() -> None:
    """With eight placements left three dice are still the most, with three left just as well."""
    rows = "L1n5 L1n5 L1n5 L1n5\n" * 2
    for diagram in (EMPTY, rows + "L1n5 L1n5 . .\n. . . .", rows + "L1n5 L1n5 L1n5 .\n. . . ."):
        assert "roll" in legal(drawn(diagram, store=[3, 4]))
        assert "roll" not in legal(drawn(diagram, store=[3, 4, 4]))


def test_the_last_die_may_pass_through_the_store() -> None:
    """Whoever stores his last die has to use it at once."""
    position = after(drawn(LATE + "L1n5 L1n5 L1n5 .", hand=5), "store")
    assert legal(position) == {"use 5 d1 n1", "use 5 d1 n4", "use 5 d1 n6", "use 5 d1 n3"}
    assert after(position, "use 5 d1 n1").outcome() is not None


def test_no_seat_is_ever_without_a_choice() -> None:
    """In whole matches nothing is forced, so that the service never plays for anybody."""
    for seed in range(20):
        for position in walk(CASE, seed).positions:
            if isinstance(position.to_act, int):
                assert isinstance(position, PipPip)
                assert len(legal(position)) >= 4
            assert position.forced() is None


CONVERSIONS = {
    "greater than the side facing it": (
        ". . . .\n. D4n1 . .\n. . . .\n. . . .",
        (1, "c3 n5"),  # west 4, against east 2
        ". . . .\n. L4n1 L1n5 .\n. . . .\n. . . .",
    ),
    "equal changes nothing": (
        ". . . .\n. D4n1 . .\n. . . .\n. . . .",
        (1, "c3 n4"),  # west 2, against east 2
        ". . . .\n. D4n1 L1n4 .\n. . . .\n. . . .",
    ),
    "smaller changes nothing, and the new die is not attacked": (
        ". . . .\n. D4n2 . .\n. . . .\n. . . .",
        (2, "c3 n3"),  # west 1, against east 6
        ". . . .\n. D4n2 L2n3 .\n. . . .\n. . . .",
    ),
    "each of four neighbours on its own": (
        ". . . .\n. D6n2 . .\nD2n4 . D3n1 .\n. D5n1 . .",
        (4, "b2 n6"),  # 6 against 5, 5 against 2, 1 against 1, 2 against 1
        ". . . .\n. L6n2 . .\nL2n4 L4n6 L3n1 .\n. D5n1 . .",
    ),
    "one's own dice stay as they are": (
        ". . . .\n. L6n2 . .\nL2n4 . D3n1 .\n. . . .",
        (4, "b2 n6"),
        ". . . .\n. L6n2 . .\nL2n4 L4n6 L3n1 .\n. . . .",
    ),
    "no chains: a die that changed sides attacks nobody": (
        ". . . .\n. . . .\n. . . .\n. D6n3 D1n4 .",
        (1, "a1 n5"),  # east 3, against west 2; then its east 5 faces a west 2
        ". . . .\n. . . .\n. . . .\nL1n5 L6n3 D1n4 .",
    ),
    "diagonal neighbours are none": (
        ". . . .\nD1n5 . D1n5 .\n. . . .\nD1n5 . D1n5 .",
        (3, "b2 n6"),
        ". . . .\nD1n5 . D1n5 .\n. L3n6 . .\nD1n5 . D1n5 .",
    ),
    "a board has edges: d1 is not beside a2": (
        ". . . .\n. . . .\nD1n5 . . .\n. . . .",
        (3, "d1 n5"),  # east 6
        ". . . .\n. . . .\nD1n5 . . .\n. . . L3n5",
    ),
    "to the north": (
        ". . . .\n. . D6n3 .\n. . . .\n. . . .",
        (1, "c2 n5"),  # north 5, against south 4 of 3 5 4 2
        ". . . .\n. . L6n3 .\n. . L1n5 .\n. . . .",
    ),
    "to the south": (
        ". . . .\n. . . .\n. . D6n3 .\n. . . .",
        (5, "c3 n3"),  # south 4 of 3 1 4 6, against north 3
        ". . . .\n. . L5n3 .\n. . L6n3 .\n. . . .",
    ),
    "to the east": (
        ". D3n6 . .\n. . . .\n. . . .\n. . . .",
        (2, "a4 n3"),  # east 6 of 3 6 4 1, against west 5 of 6 2 1 5
        "L2n3 L3n6 . .\n. . . .\n. . . .\n. . . .",
    ),
    "equal ones to the west stay too": (
        ". . . .\n. . . .\n. . D3n2 .\n. . . .",
        (4, "d2 n2"),  # west 1 of 2 6 5 1, against east 1 of 2 1 5 6
        ". . . .\n. . . .\n. . D3n2 L4n2\n. . . .",
    ),
    "in a corner the weaker of two neighbours": (
        ". . . .\n. . . .\n. . . D2n6\n. . D5n4 .",
        (3, "d1 n2"),  # 2 1 5 6: north 2 against south 1, west 6 against east 6
        ". . . .\n. . . .\n. . . L2n6\n. . D5n4 L3n2",
    ),
}
"""What stood, what Light places with which number, and what stands afterwards."""


@each("name", CONVERSIONS)
def test_a_die_just_placed_takes_over_weaker_neighbours(name: str) -> None:
    """Light places a rolled die, and the drawing tells what changes sides; tops and orientations stay."""
    diagram, placing, expected = CONVERSIONS[name]
    hand, text = placing
    over = after(drawn(diagram, hand=hand), text)
    assert shown(over) == [line.split() for line in expected.splitlines()]


def test_a_die_from_the_store_attacks_too() -> None:
    """Where it comes from makes no difference."""
    diagram = ". . . .\n. D4n1 . .\n. . . .\n. . . ."
    used = after(drawn(diagram, store=[1, 5]), "use 1 c3 n5")
    assert shown(used) == shown(after(drawn(diagram, hand=1), "c3 n5"))
    assert used.stores == ((5,), ())


def test_dark_takes_over_as_light_does() -> None:
    """The same dice with colours and seats changed."""
    diagram, (hand, text), expected = CONVERSIONS["each of four neighbours on its own"]
    swapped = str.maketrans("LD", "DL")
    for light, turn in ((0, 1), (1, 0)):
        over = after(drawn(diagram.translate(swapped), hand=hand, light=light, turn=turn), text)
        assert shown(over) == [line.split() for line in expected.translate(swapped).splitlines()]


def test_a_die_may_change_sides_again() -> None:
    """What Light has taken over, Dark can take back."""
    position = after(drawn(". . . .\n. D4n1 . .\n. . . .\n. . . .", hand=1), "c3 n5")
    back = after(position, 6, "b4 n2")  # south 5 of 2 3 5 4, against north 1
    assert shown(back)[:2] == [[".", "D6n2", ".", "."], [".", "D4n1", "L1n5", "."]]


def test_conversion_agrees_with_a_slow_reading_of_the_rules() -> None:
    """In random matches each placement changes exactly the dice that the rules name, found by their places."""
    around = ((0, 1), (1, 0), (0, -1), (-1, 0))
    compared = 0
    for seed in range(40):
        match = walk(CASE, seed)
        for before, now in zip(match.positions, match.positions[1:], strict=False):
            old = {(cell.column, cell.row): cell for cell in before.view().cells}
            new = {(cell.column, cell.row): cell for cell in now.view().cells}
            placed = [place for place in old if old[place].piece is None and new[place].piece]
            changed = {place for place in old if old[place].piece and old[place].piece != new[place].piece}
            assert all(old[place].die == new[place].die for place in old if place not in placed)
            expected = set()
            for column, row in placed:
                die, owner = new[column, row].die, new[column, row].piece
                for side, (right, up) in enumerate(around):
                    near = old.get((column + right, row + up))
                    if near and die and near.die and near.piece != owner:
                        mine, its = die.sides[side], near.die.sides[(side + 2) % 4]
                        expected |= {(near.column, near.row)} if mine > its else set()
                        compared += 1
            assert changed == expected
    assert compared > 500


def test_dice_score_on_cells_of_their_own_colour() -> None:
    """A die of Light scores its top on a light cell, a die of Dark on a dark one, others nothing; a1 is dark."""
    position = drawn(". . . .\n. . . .\nL5n1 . . .\nD6n2 L4n1 D2n1 D3n1")
    assert score(position.board) == (5 + 4, 6 + 2)
    assert score(drawn(EMPTY).board) == (0, 0)
    assert score(drawn("L6n2 D6n2 . .\n. . . .\n. . . .\n. . . .").board) == (6, 6)
    assert score(drawn(". . . .\n. . . .\n. . . .\nL6n2 D6n2 . .").board) == (0, 0)


FULL = """
    L2n1 L2n1 L2n1 L2n1
    D2n1 D2n1 D2n1 D2n1
    L2n1 L2n1 L2n1 L2n1
    L1n5 L1n5 D1n5 .
"""


@each(
    "diagram, light, turn, winner, reason",
    [
        # Before the last die Light has 2 + 2 + 2 + 2 + 1 and Dark 2 + 2 + 1. Light takes c1 from Dark, too.
        (FULL, 0, 0, 0, "Light scores 15 and Dark 4"),
        (FULL, 1, 1, 1, "Light scores 15 and Dark 4"),
        (FULL, 0, 1, 0, "Light scores 9 and Dark 5"),
        (FULL.replace("L2n1 L2n1 L2n1 L2n1", "D2n1 D2n1 D2n1 D2n1"), 0, 1, 1, "Dark scores 13 and Light 1"),
        (FULL.replace("L2n1 L2n1 L2n1 L2n1", "D2n1 D2n1 D2n1 D2n1"), 1, 1, 0, "Dark scores 12 and Light 7"),
    ],
)
def test_the_higher_score_wins(diagram: str, light: int, turn: int, winner: int, reason: str) -> None:
    """The match ends with the sixteenth die, a 6 on d1 here, whoever places it."""
    over = after(drawn(diagram, hand=6, light=light, turn=turn), "d1 n2")  # 2 3 5 4: west 4, against east 3
    outcome = over.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == (frozenset({winner}), reason)
    assert over.to_act is None
    points = {role.lower(): int(number) for role, number in re.findall(r"(Light|Dark) (?:scores )?(\d+)", reason)}
    assert [dict(line.arguments) for line in over.view().standing] == [points]
    assert outcome.story is not None
    assert outcome.story.seat == winner
    told = {"count": max(points.values()), "fewer": min(points.values())}
    assert dict(outcome.story.you.arguments) == dict(outcome.story.others.arguments) == told


def test_equal_scores_are_a_draw() -> None:
    """Both seats share the win, and nobody in particular is told to have won."""
    diagram = "L2n1 D2n1 L2n1 D2n1\n" * 3 + "L2n1 D2n1 L2n1 ."
    position = drawn(diagram, hand=2, turn=1)
    assert score(position.board) == (8, 8)
    over = after(position, "d1 n3")  # west 1, against east 3; north 3 of 3 6 4 1
    outcome = over.outcome()
    assert outcome is not None
    assert outcome.winners == {0, 1}
    assert outcome.reason == "Light and Dark both score 8"
    assert outcome.story is not None
    assert (outcome.story.seat, dict(outcome.story.others.arguments)) == (None, {"count": 8})


def test_random_matches_end_with_sixteen_dice_and_empty_stores() -> None:
    """Whatever is played, each side places eight dice, in strict turns, and no store is ever too large."""
    results = Counter[int]()
    for seed in range(share(300)):
        match = walk(CASE, seed)
        placers = []
        for position, entry in zip(match.positions, match.entries, strict=False):
            assert isinstance(position, PipPip)
            assert all(len(store) <= 3 for store in position.stores)
            if entry.seat is not None and " " in entry.text:
                placers.append(entry.seat)
        assert placers in ([0, 1] * 8, [1, 0] * 8)
        over = match.positions[-1]
        assert isinstance(over, PipPip)
        assert over.stores == ((), ())
        assert None not in over.board
        light, dark = score(over.board)
        roles = over.roles()
        winning = {"Light"} if light > dark else {"Dark"} if dark > light else {"Light", "Dark"}
        assert {roles[seat] for seat in seats_won(over)} == winning
        results[len(winning)] += 1
    assert results[1] > results[2] > 0


@given(picks=st.lists(st.integers(0, 10_000), min_size=150, max_size=150))
def test_every_way_through_the_legal_moves_ends(picks: list[int]) -> None:
    """Any legal move at any turn leads to a full board with empty stores, within 150 steps."""
    position, left = opening(), list(picks)
    while (awaited := position.to_act) is not None:
        choice = left.pop()
        if isinstance(awaited, Chance):
            position = position.roll(1 + choice % awaited.faces)
        else:
            moves = list(position.legal_moves())
            # Storing and rolling come first in the list: choose them often.
            position = position.play(moves[0 if choice % 2 else choice % len(moves)])
    assert None not in position.board
    assert position.stores == ((), ())


@pytest.mark.parametrize("lots", [(), (2,), (2, 1), (2, 1, 6)])
def test_when_a_seat_leaves_the_other_side_wins(lots: tuple[int, ...]) -> None:
    """At any time, out of turn, and before the colours are drawn too."""
    for seat in (0, 1):
        over = opening(*lots).leave(seat, "resign")
        assert seats_won(over) == {1 - seat}
        assert over.departed() == {seat}
        assert over.to_act is None
        outcome = opening(*lots).leave(seat, "timeout").outcome()
        assert outcome is not None
        assert outcome.reason == "the other side ran out of time"
        with pytest.raises(IllegalMove):
            over.leave(1 - seat, "resign")
        with pytest.raises(RulesError):
            over.roll(1)
    for seat, word in ((2, "resign"), (-1, "resign"), (0, "sulk")):
        with pytest.raises(IllegalMove):
            opening(*lots).leave(seat, word)


@each(
    "text",
    [
        "b3 n6",
        "B3 N6",
        "b3,n6",
        "b3, n6",
        "b3n6",
        "b3-n6",
        "b 3 n 6",
        "b3 6 north",
        "b3 north 6",
        "b3 6n",
        "b3 n=6",
        "b3 (n6)",
        "on b3, the 6 facing north",
        "4 b3 n6",
        "4 on b3, n6",
        "use 4 b3 n6",
        "“b3 n6”.",
        "  b3   n6 ",
        "b03 n06",
    ],
)
def test_placements_are_read_as_people_write_them(text: str) -> None:
    """Capitals, commas, words for north, and the number that was rolled make no difference."""
    assert str(opening(1, 1, 4).parse(text)) == "b3 n6"


@each(
    "text",
    [
        "use 4 b3 n1",
        "USE 4 B3 N1",
        "use 4 on b3 n1",
        "use the 4 on b3, 1 facing north",
        "use 4, b3, n1",
        "use 4: b3 n1",
        "use 4 b3 north 1",
        "4 b3 n1",
    ],
)
def test_uses_are_read_as_people_write_them(text: str) -> None:
    """The word on and commas make no difference, and a number before the cell can only be a stored die."""
    assert str(drawn(EMPTY, store=[2, 4]).parse(text)) == "use 4 b3 n1"


def test_single_words_are_read_as_people_write_them() -> None:
    """Roll and store, in capitals, with a full stop, with the die named."""
    for text in ("roll", "ROLL", " Roll. ", "roll!", "roll the die"):
        assert drawn(EMPTY, store=[2, 4]).parse(text) == Move("roll")
    for text in ("store", "Store.", "store 4", "store the 4", "store the die"):
        assert drawn(EMPTY, hand=4).parse(text) == Move("store")


def test_use_without_a_number_means_the_only_stored_die() -> None:
    """Equal dice are alike; of different ones the number is asked for."""
    for store in ([4], [4, 4]):
        assert str(drawn(EMPTY, store=store).parse("use b3 n1")) == "use 4 b3 n1"
    with pytest.raises(AmbiguousMove):
        drawn(EMPTY, store=[2, 4]).parse("use b3 n1")


HAND, STORE = drawn(EMPTY, hand=4, store=[2]), drawn(EMPTY, store=[2, 5])
TAKEN = drawn(". . . .\n. D4n1 . .\n. . . .\n. . . .", hand=4)


REFUSED = [
    (HAND, "b3", AmbiguousMove, "north_missing"),
    (HAND, "b3 6", InvalidMove, "placement_disordered"),
    (HAND, "north 3 b3", InvalidMove, "placement_disordered"),
    (HAND, "3b", InvalidMove, "letter_first"),
    (HAND, "3b n6", InvalidMove, "letter_first"),
    (HAND, "6 b3", InvalidMove, "other_die_rolled"),
    (HAND, "b3 n3", IllegalMove, "north_impossible"),
    (HAND, "b3 n4", IllegalMove, "north_impossible"),
    (HAND, "e3 n6", InvalidMove, "cell_off_board"),
    (HAND, "E5", InvalidMove, "cell_off_board"),
    (HAND, "roll", IllegalMove, "rolled_already"),
    (HAND, "use 2 b3 n1", IllegalMove, "rolled_die_first"),
    (HAND, "use b3 n1", InvalidMove, "rolled_die_first"),
    (HAND, "Store, roll", InvalidMove, "step_not_alone"),
    (TAKEN, "b3 n6", IllegalMove, "cell_occupied"),
    (TAKEN, "b3", InvalidMove, "cell_occupied"),
    (drawn(LATE + "L1n5 L1n5 L1n5 .", hand=5), "a1 n1", IllegalMove, "cell_occupied"),
    (STORE, "use 4 b3 n1", IllegalMove, "die_not_stored"),
    (STORE, "b3 n6", IllegalMove, "no_die_rolled"),
    (STORE, "store", IllegalMove, "no_die_rolled"),
    (STORE, "use 5 b3", AmbiguousMove, "north_missing"),
    (STORE, "use b3 n1", AmbiguousMove, "die_not_named"),
    (STORE, "use 5", InvalidMove, "not_a_move"),
    (drawn(EMPTY, store=[2, 5, 5]), "roll", IllegalMove, "store_full"),
    (drawn(LATE + ". . . .", store=[2, 5]), "roll", IllegalMove, "store_full"),
    (drawn(LATE + "L1n5 L1n5 L1n5 .", store=[2]), "roll", IllegalMove, "store_full"),
    (drawn(EMPTY, store=[2, 5, 5]), "b3 n6", IllegalMove, "no_die_rolled"),
    (opening(1), "b3 n6", InvalidMove, "roll_first"),
    (HAND.leave(0, "resign"), "b3 n6", InvalidMove, "match_over"),
]


@each("position, text, kind, code", REFUSED)
def test_a_wrong_reply_has_its_own_code(position: PipPip, text: str, kind: type[RulesError], code: str) -> None:
    """Each mistake is of a kind, and of one cause."""
    error = error_of(position, text)
    assert (type(error), error.code) == (kind, code)
    assert len(str(error)) < 400


def test_refusals_are_worded_as_approved(update: bool) -> None:
    """Every code of the game, each with its sentences, as a player reads them."""
    refused = [error_of(position, text) for position, text, _, _ in REFUSED]
    for call in (HAND.leave(0, "resign").prompt, lambda: HAND.roll(3)):
        with pytest.raises(RulesError) as error:
            call()
        refused.append(error.value)
    assert codes_in(RULES / "games" / "pippip") <= {error.code for error in refused}
    approve(Path(__file__).parent / "sentences.txt", sentences(refused), update=update)


def test_an_example_in_a_sentence_can_be_written() -> None:
    """What a refusal proposes in quotation marks is accepted as it stands."""
    for position in (HAND, STORE, TAKEN, drawn(EMPTY, store=[1]), drawn(EMPTY, store=[1, 1, 1])):
        for text in ("b3", "hello", "b3 n3", "store", "roll", "use 6 b3 n1", "use 6 b3"):
            try:
                after(position, text)
            except RulesError as error:
                for proposal in (part.partition("”")[0] for part in str(error).split("“")[2:]):
                    after(position, proposal)


def test_moves_made_by_hand_are_judged_too() -> None:
    """A move that no text gives is still refused by play, and lots come before moves."""
    for move in (
        Move("place"),
        Move("place", "b3"),
        Move("place", "z9", 6),
        Move("use", "b3", 1, 9),
        Move("place", ""),
    ):
        for position in (HAND, STORE, opening(), opening(1, 1), HAND.leave(1, "timeout")):
            with pytest.raises(IllegalMove):
                position.play(move)


def test_huge_texts_are_refused_at_once() -> None:
    """A hundred thousand characters get a short answer within a tenth of a second."""
    for position in (HAND, STORE):
        for text in ("b3 n6 " * 20_000, "b3" + " " * 100_000 + "n6", "use " * 25_000, "9" * 100_000, "roll" * 25_000):
            started = process_time()
            assert len(str(error_of(position, text))) < 400
            assert process_time() - started < 1


def told(position: PipPip, text: str) -> tuple[int | None, dict[str, str]]:
    """Return the seat of a move as it is told, and what the sentence is about."""
    event = position.describe(position.parse(text))
    assert event.you.arguments == event.others.arguments
    return event.seat, {key: str(value) for key, value in event.you.arguments}


def test_a_move_is_told_with_what_it_changed() -> None:
    """Whose it was, the die, its cell, and which dice went over."""
    four, (hand, text), _ = CONVERSIONS["each of four neighbours on its own"]
    position = drawn(four, hand=hand)
    assert told(position, "store") == (0, {"die": "4"})
    assert told(position, "a4 n1") == (0, {"die": "4", "cell": "a4", "taken": ""})
    assert told(position, text) == (0, {"die": "4", "cell": "b2", "taken": "b3, c2 and a2"})
    dark = drawn(". . . .\n. L4n1 . .\n. . . .\n. . . .", store=[1], light=1)
    assert told(dark, "roll") == (0, {})
    assert told(dark, "use 1 c3 n5") == (0, {"die": "1", "cell": "c3", "taken": "b3"})


def test_it_is_said_what_was_rolled_scored_and_set_aside() -> None:
    """Each fact is a sentence of its own; before the colours are rolled there is none, and no store is told empty."""

    def facts(position: PipPip) -> list[dict[str, str]]:
        return [{key: str(value) for key, value in line.arguments} for line in position.view().standing]

    assert facts(opening()) == []
    assert facts(opening(2, 1)) == [{"light": "0", "dark": "0"}]
    assert facts(drawn("L6n2 D6n2 . .\n" + ". . . .\n" * 3, hand=4, store=[2, 5])) == [
        {"die": "4", "sides": "1 2 6 5"},
        {"light": "6", "dark": "6"},
        {"light": "2 and 5"},
    ]
    assert facts(drawn(EMPTY, store=[6], other=[1, 1, 3], light=1)) == [
        {"light": "0", "dark": "0"},
        {"light": "1, 1 and 3", "dark": "6"},
        {"runs": "2 3 5 4 around a 6"},
    ]
    assert facts(HAND.leave(0, "resign")) == [{"light": "0", "dark": "0"}]


def test_the_board_shows_dice_on_a_chessboard() -> None:
    """Each die with its owner, top and sides from north on; a1 is dark; what the last die touched is marked."""
    view = after(drawn(". . . .\n. D4n1 . .\n. . . .\n. . . .", hand=1), "c3 n5").view()
    cells = {cell.name: cell for cell in view.cells}
    assert view.looks == "dice"
    assert (cells["a1"].ground, cells["b1"].ground, cells["d4"].ground) == ("dark", "light", "dark")
    for name, symbol, top, sides in (("b3", "L", 4, (1, 2, 6, 5)), ("c3", "L", 1, (5, 3, 2, 4))):
        piece, die = cells[name].piece, cells[name].die
        assert piece is not None
        assert die is not None
        assert (piece.symbol, die.top, die.sides) == (symbol, top, sides)
    assert {name for name, cell in cells.items() if "last" in cell.marks} == {"b3", "c3"}


def test_the_last_placement_stays_marked_while_a_turn_goes_on() -> None:
    """Rolling and storing touch no cell."""
    position = after(opening(1, 1), 4, "b3 n6", 2, "store", "roll", 6, "store")
    assert {cell.name for cell in position.view().cells if cell.marks} == {"b3"}


@pytest.mark.parametrize(
    ("position", "named"),
    [
        (HAND, {"example": "c3 n6", "store": "store"}),
        (drawn(EMPTY, store=[1]), {"use": "use 1 c3 n5", "example": "roll"}),
        (STORE, {"example": "use 5 b1 n6", "roll": "roll"}),
        (drawn(EMPTY, store=[2, 5, 5]), {"example": "use 5 b1 n6"}),
    ],
)
def test_a_prompt_names_what_may_be_written(position: PipPip, named: dict[str, str]) -> None:
    """What it names can be written as it stands, and no word that cannot."""
    prompt = position.prompt()
    fields = {field for _, field, _, _ in Formatter().parse(prompt.instruction.message) if field}
    assert {key: value for key, value in prompt.instruction.arguments if key in fields}.keys() == named.keys()
    for key in named:
        after(position, str(dict(prompt.instruction.arguments)[key]))
    assert named.keys() >= {"store", "roll"} & {move.word for move in position.legal_moves()} - {prompt.example}


def test_there_is_no_prompt_without_a_seat_to_act() -> None:
    """Neither while a lot is to be drawn nor after the end."""
    for position in (opening(), opening(1, 1), HAND.leave(0, "resign")):
        with pytest.raises(RulesError):
            position.prompt()


def test_an_example_gains_what_can_be_gained() -> None:
    """It takes over the dearest dice, stands on its own colour, and rolls only if that promises more."""
    rich = drawn(". . . .\n. D6n3 . .\nD5n6 . . .\n. . . .", hand=1)
    assert rich.prompt().example == "b2 n5"  # the only cell beside both, its north 5 and west 4 against 4 and 3
    assert drawn(EMPTY, store=[6]).prompt().example.startswith("use 6 ")
    assert drawn(EMPTY, store=[1]).prompt().example == "roll"
    assert drawn(EMPTY, store=[1, 1, 1]).prompt().example.startswith("use 1 ")


def test_whoever_sends_the_examples_plays_a_match_to_its_end() -> None:
    """Examples alone fill the board with sixteen dice, and beat random moves."""
    won = 0
    for seed in range(60):
        random, position = Random(seed), opening()
        while (awaited := position.to_act) is not None:
            if isinstance(awaited, Chance):
                position = position.roll(1 + random.randrange(awaited.faces))
            elif seed % 2 or awaited == 0:
                position = position.play(position.parse(position.prompt().example))
            else:
                position = position.play(position.any_move(random.randrange))
        assert None not in position.board
        assert position.stores == ((), ())
        won += seed % 2 == 0 and seats_won(position) == {0}
    assert won >= 24


def test_each_side_is_told_what_it_plays_for() -> None:
    """Goal, turn and what decides are told to each role, and stay the same from turn to turn."""
    position = opening(2, 1, 4)
    light, dark, nobody = position.objective(1), position.objective(0), opening().objective(0)
    assert len({light.goal, dark.goal, nobody.goal}) == 3
    assert light.turn is not None
    assert (light.turn, light.decisive) == (dark.turn, dark.decisive) == (nobody.turn, nobody.decisive)
    assert after(position, "b3 n6", 5).objective(1) == light
    assert position.leave(0, "resign").objective(1).turn is None


def about(choice: Choice) -> dict[str, str]:
    """Return what the effect of a choice is about."""
    assert choice.effect is not None
    return {key: str(value) for key, value in choice.effect.arguments}


def test_the_best_placements_are_suggested_each_on_a_cell_of_its_own() -> None:
    """What gains most comes first, as the prompt's example does; to store or to roll is there too."""
    rich = drawn(". . . .\n. D6n3 . .\nD5n6 . . .\n. . . .", hand=1)
    moves = [choice.move for choice in rich.suggestions()]
    assert (len(moves), moves[0], moves[-1]) == (5, rich.prompt().example, "store")
    assert len({move.partition(" ")[0] for move in moves}) == 5
    assert about(rich.suggestions()[0]) == {"taken": "b3 and a2"}
    assert drawn(EMPTY, store=[1]).suggestions()[0].move == "roll"
    assert drawn(EMPTY, store=[6]).suggestions()[-1].move == "roll"
    assert "roll" not in [choice.move for choice in drawn(EMPTY, store=[1, 1, 1]).suggestions()]


def test_where_one_cell_is_left_all_ways_to_place_a_die_there_are_suggested() -> None:
    """Four ways, those that take over most first."""
    last = drawn(LATE + "L1n5 L1n5 L1n5 .", hand=5)
    moves = [choice.move for choice in last.suggestions()]
    assert sorted(moves) == ["d1 n1", "d1 n3", "d1 n4", "d1 n6", "store"]
    taken = [len(after(last, move).latest) for move in moves[:4]]
    assert taken == sorted(taken, reverse=True)


@each(
    "position, text, like",
    [
        (HAND, "c3", {"c3 n1", "c3 n2", "c3 n5", "c3 n6"}),
        (HAND, "c3 n9", {"c3 n1", "c3 n2", "c3 n5", "c3 n6"}),
        (HAND, "I'd say 3C, facing north", {"c3 n1", "c3 n2", "c3 n5", "c3 n6"}),
        (STORE, "use 2 c3", {"use 2 c3 n1", "use 2 c3 n3", "use 2 c3 n4", "use 2 c3 n6"}),
        (HAND, "c3 or c4", set()),
        (HAND, "hello", set()),
        (TAKEN, "b3", set()),
        (HAND, "c3 " * 99, set()),
        (opening(1), "c3", set()),
    ],
)
def test_a_refused_move_that_names_a_cell_is_answered_with_all_ways_there(
    position: PipPip, text: str, like: set[str]
) -> None:
    """All the ways in which a die can stand on that cell, if it is one, and empty."""
    assert {choice.move for choice in position.answers_like(text)} == like


def test_ways_on_a_cell_come_with_what_they_take_over_the_best_first() -> None:
    """Those that take nothing say so."""
    position = drawn(". . . .\n. D4n1 . .\n. . . .\n. . . .", hand=1)
    ways = position.answers_like("c3")
    assert [about(choice) for choice in ways] == [{"taken": "b3"}] * 3 + [{}]
    assert [len(after(position, choice.move).latest) for choice in ways] == [2, 2, 2, 1]
    assert len(STORE.answers_like("c3")) == 8


def test_what_is_offered_can_be_played() -> None:
    """In whole matches every suggestion is legal and short, and a first cell begins a placement."""
    for seed in range(10):
        for position in walk(CASE, seed).positions:
            assert isinstance(position, PipPip)
            if not isinstance(position.to_act, int):
                assert position.suggestions() == position.answers_like("a1") == ()
                assert position.first_cells() == frozenset()
                continue
            offered = position.suggestions()
            assert 1 < len(offered) <= 5
            assert position.prompt().example in [choice.move for choice in offered]
            for cell in CELLS:
                like = position.answers_like(cell)
                assert len(like) <= 8
                assert bool(like) == (position.board[CELLS.index(cell)] is None)
                offered += like
            for choice in offered:
                assert str(position.parse(choice.move)) == choice.move
                position.play(position.parse(choice.move))
            for cell in position.first_cells():
                assert any(str(move).startswith(f"{cell} ") for move in position.legal_moves())
            assert bool(position.first_cells()) == bool(position.hand)


def test_a_record_tells_lots_and_moves_apart() -> None:
    """The fold takes the entries of a record one by one, and refuses a move while a lot is due."""
    entries = [Entry(None, "2"), Entry(None, "2"), Entry(None, "4"), Entry(0, "store"), Entry(0, "use 4 b3 n1")]
    position = replay(GAMES["pippip"], seats=2, options={}, record=entries)
    assert position == after(opening(2, 2), 4, "store", "use 4 b3 n1")
    assert position.to_act == Chance("die", 6)
    with pytest.raises(RulesError):
        advance(position, Entry(1, "b2 n1"))
