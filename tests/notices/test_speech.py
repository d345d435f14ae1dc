"""Boards in sentences, for people who listen to their mail."""

import re
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.notices.sentences.boards import capital
from pbem.notices.speech import Spoken, runs, spoken_board
from rules.phrase import phrase, verbatim
from rules.view import BoardView, Cell, Chains, Piece
from tests.support.boards import board, busy, dice, hexes
from tests.support.each import each
from tests.support.walks import Case, every_case, walk


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
    owner = ""
    for sentence in found.held:
        if said := re.fullmatch(r"(.+?)(?: (?:is|are))?(?: also)? (?:holds|on) (.+)\.", sentence):
            owner, cells = said[1], re.split("[,:]", said[2])[0] if ": top" in sentence else said[2]
        elif said := re.fullmatch(r"(\w+) (?:(?:chain|group) of \d+|(?:further )?single stones?): (.+)\.", sentence):
            owner, cells = said[1], said[2]
        elif said := re.fullmatch(r"Also in this (?:chain|group): (.+)\.", sentence):
            cells = said[1]  # of the owner named before
        else:
            continue
        held.update((owner.removesuffix("cubes") + "cube" * owner.endswith("cubes"), name) for name in unfolded(cells))
    return held


def test_a_board_is_told_in_order() -> None:
    """What changed comes first, then who holds what, what is free, and what the view itself has to say."""
    view = board("XX.", "XOO", ".XX", last="b2 a1", captions=("Black goes up.",))
    assert spoken(view) == [
        "The last move: white on b2.",
        "Empty since the last move: a1.",
        "Black holds a2, a3, b1, b3 and c1.",
        "White holds b2 and c2.",
        "Free points: a1 and c3.",
        "The board has 9 points: columns a to c, rows 1 to 3.",
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
        "Light on a2, light: top 4, north 1, east 2, south 6, west 5.",
        "Dark holds 1 die.",
        "Dark on b2, dark: top 3, north 6, east 2, south 1, west 5.",
    )
    assert found.closed == ("Closed now: b1.",)
    assert found.board[:2] == ("Free dark cell: a1.", "Beside a1: Light 6 in the north.")


def test_a_hex_board_says_how_its_cells_touch() -> None:
    """A listener cannot see which cells are neighbours, so one cell is told with its six."""
    assert "Cells touch like this: b2 touches a1, a2, b1, b3, c2 and c3." in spoken(hexes(3, 3))


def test_an_empty_board_is_told_as_such() -> None:
    """Silence would leave the listener in doubt."""
    assert spoken(board(*["." * 9] * 9)) == [
        "Nothing is on the board.",
        "The board has 81 points: columns a to i, rows 1 to 9.",
    ]


def test_a_winning_line_is_told() -> None:
    """How a match was won is heard before anything else on the board."""
    found = spoken_board(board("XO.", "XO.", "X..", last="a3", line="a1 a2 a3"))
    assert found.changed == ("The last move: black on a3.", "The winning line: a1 to a3.")


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_runs_name_every_cell_once(places: set[tuple[int, int]]) -> None:
    """However cells lie, their list has each of them once, and none besides."""
    cells = [Cell(f"{chr(97 + column)}{row + 1}", column, row) for column, row in places]
    assert sorted(unfolded(", ".join(map(str, runs(cells))))) == sorted(cell.name for cell in cells)


@pytest.mark.parametrize("case", every_case(), ids=str)
def test_every_piece_of_a_match_is_named_once(case: Case) -> None:
    """All through a random match, the sentences say of every piece where it is, once, and of nothing else."""
    positions = walk(case, 7).positions
    for position in islice(positions, 0, None, 1 + len(positions) // 40):
        view = position.view()
        pieces = Counter((capital(str(cell.piece.name)), cell.name) for cell in view.cells if cell.piece)
        assert owners(spoken_board(view)) == pieces


STRAIGHT = ((1, 0), (0, 1))


def test_chains_are_told_as_such() -> None:
    """Where chains win, each is told with its length, the longest first, and with the sides that it touches."""
    view = board("X...", ".X.X", ".XXX", "X...")
    chains = Chains(phrase("chain"), (("black", STRAIGHT), ("white", STRAIGHT)), sides=True)
    assert spoken_board(replace(view, chains=chains)).held == (
        "Black has 7 stones in 3 chains.",
        "Black chain of 5: b2 to d2, b3 and d3.",
        "This chain touches the right side.",
        "Black single stones: a1 and a4.",
    )
    diagonal = replace(chains, steps=(("black", (*STRAIGHT, (1, 1), (1, -1))), *chains.steps[1:]), sides=False)
    assert spoken_board(replace(view, chains=diagonal)).held == ("Black chain of 7: a1, a4, b2 to d2, b3 and d3.",)


def test_stones_without_a_chain_are_just_listed() -> None:
    """While nothing hangs together there is no more to say than where stones are."""
    view = replace(board("X.X", ".O."), chains=Chains(phrase("group"), (("black", STRAIGHT), ("white", STRAIGHT))))
    assert spoken_board(view).held == ("Black holds a2 and c2.", "White holds b1.")


def test_what_lies_round_the_last_move_is_told() -> None:
    """One need not remember the whole board to judge the move just played; its corners count too."""
    view = replace(
        board("X..", ".OX", "..."), chains=Chains(phrase("chain"), (("black", STRAIGHT), ("white", STRAIGHT)))
    )
    cells = tuple(replace(c, marks=frozenset({"last"})) if c.name == "b2" else c for c in view.cells)
    assert spoken_board(replace(view, cells=cells)).near == (
        "Beside b2: black on a3 and c2.",
        "Beside b2: free a1 to c1, a2, b3 and c3.",
    )


def test_several_pieces_are_told_in_the_plural() -> None:
    """It is a cube on one cell, and cubes on two; all that is red comes before anything blue."""
    home, cube, other = (
        Piece("home", "1", verbatim("Red’s home"), "red", "home"),
        Piece("cube", "r", verbatim("Red’s cube"), "red", "cube", verbatim("Red’s cubes")),
        Piece("other", "b", verbatim("Blue’s cube"), "blue", "cube", verbatim("Blue’s cubes")),
    )
    view = board("r1r", ".b.", last="a2 c2 b1", pieces=(cube, other, home))
    assert spoken_board(view).changed == (
        "The last move: Red’s cubes on a2 and c2.",
        "The last move: Blue’s cube on b1.",
    )
    assert spoken_board(view).held == (
        "Red’s cubes are on a2 and c2.",
        "Red’s home is on b2.",
        "Blue’s cube is on b1.",
    )


def test_the_cells_to_choose_from_are_told() -> None:
    """Where not every free cell may be chosen, those that may are named, or counted if they are too many."""
    view = board(*["." * 7] * 7)
    few = replace(view, choices=((phrase("Red may place a cube on {cells}."), frozenset({"a1", "b1", "c1", "g7"})),))
    assert spoken_board(few).choices == ("Red may place a cube on a1 to c1 and g7.",)
    many = replace(
        view, choices=((phrase("Red may place a cube on {cells}."), frozenset(cell.name for cell in view.cells)),)
    )
    assert spoken_board(many).choices == ("Red may place a cube on 49 cells.",)


def test_free_cells_are_told_with_the_dice_that_face_them() -> None:
    """What is beside a cell decides what a die there can take, and nobody should have to work that out by heart."""
    assert "Beside a1: Light 6 in the north." in spoken(dice())
    assert "Beside b1: Dark 1 in the north." in spoken(dice())


@pytest.mark.parametrize("case", [case for case in every_case() if case.key == "pipelines"], ids=str)
def test_in_pipelines_one_hears_where_a_cube_may_go(case: Case) -> None:
    """The cells that are told are those where a lone cube is a move, and those of them where it meets glass."""
    told = 0
    for position in walk(case, 3).positions:
        if not isinstance(position.to_act, int):
            assert position.view().choices == ()
            continue
        choices = dict(position.view().choices)
        words, *_ = choices or [phrase("")]
        assert all(names <= choices[words] for names in choices.values())
        moves = [str(move) for move in islice(position.legal_moves(), 60)]
        assert {move.split()[0] for move in moves} - {"pass"} <= choices.get(words, frozenset())
        told += "place the next cube" in str(words)
    assert told


@each("case", [case for case in every_case() if case.key == "snipsnip"], ids=str)
def test_in_snipsnip_one_hears_where_a_stone_captures(case: Case) -> None:
    """The cells that are told are exactly those where a stone removes another."""
    for position in walk(case, 3).positions[::4]:
        moves = [str(move) for move in position.legal_moves() if " " not in str(move)][:400]
        told = {name for _, names in position.view().choices for name in names}
        if len(moves) < 400:
            assert told == {move.partition("x")[0] for move in moves if "x" in move}
