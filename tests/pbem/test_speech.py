"""Boards in sentences, for people who listen to their mail."""

import re
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.boards import Spoken, spoken_board
from pbem.boards.speech import runs
from rules.view import BoardView, Cell
from tests.pbem.test_boards import board, busy, dice, hexes
from tests.rules.walks import Case, every_case, walk


def spoken(view: BoardView) -> list[str]:
    """Return all sentences, in order."""
    return [sentence for group in spoken_board(view).groups for sentence in group]


def unfolded(words: str) -> list[str]:
    """Return the cells that are named in ``words``, those within ``c3 to c6`` too."""
    found = []
    for first, number, last, end in re.findall(r"\b([a-z])(\d+)(?: to ([a-z])(\d+))?\b", words):
        letters = [chr(code) for code in range(ord(first), ord(last or first) + 1)]
        numbers = range(int(number), int(end or number) + 1)
        found += [f"{letter}{row}" for letter in letters for row in numbers]
    return found


def owners(found: Spoken) -> Counter[tuple[str, str]]:
    """Return how often each kind of piece is said to be on each cell."""
    held: Counter[tuple[str, str]] = Counter()
    for sentence in found.held:
        if said := re.fullmatch(r"(.+?) (?:is )?(?:also )?(?:holds|is on|on) (.+)\.", sentence):
            cells = said[2].partition(":")[0]
            held.update((said[1].removesuffix(" is also").removesuffix(" also"), name) for name in unfolded(cells))
    return held


def test_a_board_is_told_in_order() -> None:
    """What changed comes first, then who holds what, what is free, and what the view itself has to say."""
    view = board("XX.", "XOO", ".XX", last="b2 a1", captions=("Black goes up.",))
    assert spoken(view) == [
        "The last move: white on b2.",
        "Empty since the last move: a1.",
        "Black holds a2, a3, b1, b3 and c1.",
        "White holds b2 and c2.",
        "Free cells: a1 and c3.",
        "The board has 9 cells: columns a to c, rows 1 to 3.",
        "Black goes up.",
    ]


def test_three_in_a_row_are_a_run() -> None:
    """Cells side by side are told by the two ends; two are quicker said by their names."""
    view = board("X....", "X.XXX", "X..X.", "X.X..")
    assert spoken(view)[0] == "Black holds a1 to a4, c1, c3 to e3 and d2."


@pytest.mark.parametrize("view", [busy(5, 7), busy(3, 3), board(*["XO" * 6] * 12)])
def test_every_sentence_stands_on_a_line(view: BoardView) -> None:
    """A long list goes on in a further sentence, which says again whose it is."""
    found = spoken_board(view)
    assert max(map(len, (*found.changed, *found.held, *found.closed))) <= 64
    assert all(re.match(r"[A-Z]\w+ ", sentence) for sentence in found.held)


def test_dice_are_told_with_all_their_numbers() -> None:
    """Whose a die is, where it lies, what it shows on top and on each side, and the colour of its cell."""
    found = spoken_board(dice(last="b2", closed="b1"))
    assert found.changed == ("The last move: Dark on b2.",)
    assert found.held == (
        "Light holds 1 die.",
        "Light on a2 (light cell): top 4, north 1, east 2, south 6, west 5.",
        "Dark holds 1 die.",
        "Dark on b2 (dark cell): top 3, north 6, east 2, south 1, west 5.",
    )
    assert found.closed == ("Closed now: b1.",)
    assert found.board[0] == "Free dark cells: a1."


def test_a_hex_board_says_how_its_cells_touch() -> None:
    """A listener cannot see which cells are neighbours, so one cell is told with its six."""
    assert "Cells touch like this: b2 touches a1, a2, b1, b3, c2 and c3." in spoken(hexes(3, 3))


def test_an_empty_board_is_told_as_such() -> None:
    """Silence would leave the listener in doubt; many free cells are counted, not named."""
    assert spoken(board(*["." * 9] * 9)) == [
        "Nothing is on the board.",
        "Free are 81 of the 81 cells.",
        "The board has 81 cells: columns a to i, rows 1 to 9.",
    ]


def test_a_winning_line_is_told() -> None:
    """How a match was won is heard before anything else on the board."""
    found = spoken_board(board("XO.", "XO.", "X..", last="a3", line="a1 a2 a3"))
    assert found.changed == ("The last move: black on a3.", "The winning line: a1 to a3.")


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_runs_name_every_cell_once(places: set[tuple[int, int]]) -> None:
    """However cells lie, their list has each of them once, and none besides."""
    cells = [Cell(f"{chr(97 + column)}{row + 1}", column, row) for column, row in places]
    assert sorted(unfolded(", ".join(runs(cells)))) == sorted(cell.name for cell in cells)


@pytest.mark.parametrize("case", every_case(), ids=str)
def test_every_piece_of_a_match_is_named_once(case: Case) -> None:
    """All through a random match, the sentences say of every piece where it is, once, and of nothing else."""
    positions = walk(case, 7).positions
    for position in islice(positions, 0, None, 1 + len(positions) // 40):
        view = position.view()
        pieces = Counter(
            (cell.piece.name[:1].upper() + cell.piece.name[1:], cell.name) for cell in view.cells if cell.piece
        )
        assert owners(spoken_board(view)) == pieces
