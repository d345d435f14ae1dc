"""Names and sets of cells on a square grid, and the groups on it."""

from random import Random

import pytest

from rules.board.groups import diagonal_group, straight_group, thinned
from rules.board.square import bits_in, square
from rules.errors import RulesError
from rules.game import replay
from rules.games import GAMES
from rules.notation import cell_name, read_words
from tests.support.each import each


@each("size", [1, 5, 13, 19, 26])
def test_no_letter_is_skipped(size: int) -> None:
    """Columns run a, b … h, i, j …; rows grow upward from 1; every cell has a name and a bit of its own."""
    grid = square(size)
    letters = "abcdefghijklmnopqrstuvwxyz"[:size]
    assert set(grid.bits) == {f"{letter}{row}" for letter in letters for row in range(1, size + 1)}
    assert cell_name(0, 0) == "a1"
    assert len(grid.order) == grid.every.bit_count() == size * size
    assert all(grid.bits[grid.names[bit]] == bit for bit in grid.order)
    assert bits_in(grid.every) == list(grid.order)


def test_a_cell_has_two_to_four_neighbours() -> None:
    """Neighbours share an edge, and a row does not run on into the next one."""
    grid = square(5)
    for name, near in (("a1", "b1 a2"), ("e1", "d1 e2"), ("c3", "c2 b3 d3 c4"), ("a3", "a2 b3 a4"), ("e5", "e4 d5")):
        assert [grid.names[bit] for bit in bits_in(grid.beside[grid.bits[name]])] == near.split()


def test_sides_meet_in_corners() -> None:
    """Each side has as many cells as the grid is wide, and two sides share one."""
    grid = square(7)
    for side in (grid.left, grid.right, grid.bottom, grid.top):
        assert side.bit_count() == 7
    assert grid.left & grid.bottom == grid.bits["a1"]
    assert grid.right & grid.top == grid.bits["g7"]
    assert not grid.left & grid.right


def test_groups_do_not_reach_around_the_edge() -> None:
    """The end of a row and the start of the next are no neighbours, not even diagonally."""
    grid = square(5)
    mask = sum(grid.bits[name] for name in ("e1", "a2", "a3", "b4", "e4"))
    named = {
        flood: {grid.names[bit] for bit in bits_in(flood(mask, grid.bits["a3"], grid.stride))}
        for flood in (straight_group, diagonal_group)
    }
    assert named[straight_group] == {"a2", "a3"}
    assert named[diagonal_group] == {"a2", "a3", "b4"}


def test_a_thinned_group_wins_with_no_stone_to_spare() -> None:
    """Taking any further stone away would undo what the group has won."""
    grid = square(6)

    def wins(mask: int) -> int:
        groups = (straight_group(mask, bit, grid.stride) for bit in bits_in(mask & grid.left))
        return next((group for group in groups if group & grid.right), 0)

    thin = thinned(grid.every, wins)
    assert wins(thin) == thin
    assert not any(wins(thin ^ bit) for bit in bits_in(thin))


def test_drawing_reaches_every_cell_of_a_set() -> None:
    """A cell drawn from a set lies in it, and each has its turn, in full sets and in small ones."""
    grid, random = square(5), Random(1)
    for mask in (grid.every, grid.left, grid.bits["c3"]):
        assert {grid.draw(mask, random.randrange) for _ in range(500)} == set(bits_in(mask))
        assert grid.draw(mask, lambda n: 0) & mask
        orders = [grid.from_central(mask, turn) for turn in range(30)]
        assert all(sorted(order) == bits_in(mask) for order in orders)
    assert {grid.from_central(grid.every, turn)[0] for turn in range(30)} == set(bits_in(grid.inner))


def test_words_are_split_where_people_mean_it() -> None:
    """Names stick together or not; other words stay as they are, in lower case."""
    assert read_words("D4-E5, f6/g7&h8 and i9") == ("d4", "e5", "f6", "g7", "h8", "i9")
    assert read_words("d4e5") == ("d4", "e5")
    assert read_words("Take it.") == ("take", "it")
    assert read_words("d4x") == ("d4x",)
    assert read_words(" \t.") == ()


@each("key", ["pipline", "zipline", "snipsnip", "pipelines"])
@each("text", ["“4d", "x“4d", "4d“, é", "4d—“4d", "d4–4d–“", "(4d"])
def test_a_cell_the_wrong_way_round_beside_odd_signs_is_refused(key: str, text: str) -> None:
    """Whatever stands around it, the refusal comes at once: what is proposed is read as it is proposed."""
    with pytest.raises(RulesError):
        replay(GAMES[key], seats=2, options={}, record=[]).parse(text)
