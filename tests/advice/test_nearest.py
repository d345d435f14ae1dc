"""What a refused line may have meant."""

import time
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.advice.nearest import core_of, nearest, nearest_wanted
from pbem.reading.sentences import legal
from rules.game import replay
from rules.games import GAMES
from rules.position import Entry, Position
from tests.support.each import each
from tests.support.walks import Case, walk

LARGEST = [
    Case("pipline", 2, (("size", 19),)),
    Case("zipline", 2, (("size", 19),)),
    Case("zipline", 3, (("size", 19), ("partner_gap", True))),
    Case("snipsnip", 2, (("board", "hex-7"),)),
    Case("snipsnip", 2, (("board", "diamond-7"), ("misere", False))),
    Case("pipelines", 3, (("size", 10),)),
    Case("pippip", 2, ()),
]
SMALL = [Case(key, min(game.seats), tuple(game.short.items())) for key, game in GAMES.items()]
BOUND = 2
"""CPU seconds, all that a message may take: what grows out of hand takes far longer, on any machine."""


@cache
def turns(case: Case, count: int) -> list[Position[Any]]:
    """Return positions of a random match in which a seat is to act, spread over all of it."""
    found = [position for position in walk(case, 7).positions if isinstance(position.to_act, int)]
    return found[:: max(1, len(found) // count)]


def mistaken_lines(position: Position[Any], random: Random) -> Iterator[str]:
    """Yield lines as people write them who do not quite write a move."""
    cells = [cell.name for cell in position.view().cells]
    example = position.prompt().example
    some = random.sample(cells, 4)
    yield from (example + "x", example[::-1], example[:-1], example.replace(" ", " or "), some[0], " ".join(some[:2]))
    yield from (" ".join(some), f"I would go to {some[0]}, or perhaps to {some[1]}: what do you think?", f"{some[0]}?")
    yield from ("pawn to " + some[0], "44d", "", "?!", "x " * 5000, " ".join(cells), "a1" * 5000, "９".join(some))


def pipline(*moves: str, size: int = 7) -> Position[Any]:
    """Return a position of Pipline after the auction, with the stones of ``moves`` on the board."""
    record = [Entry(0, "d4"), Entry(1, "take"), *(Entry(seat % 2, move) for seat, move in enumerate(moves))]
    return replay(GAMES["pipline"], seats=2, options={"size": size}, record=record)


def zipline(*record: Entry) -> Position[Any]:
    """Return a position of Zipline with two seats, in which two stones are to be placed."""
    return replay(GAMES["zipline"], seats=2, options={"size": 7}, record=[Entry(0, "d4"), Entry(1, "take"), *record])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", [*LARGEST, *SMALL], ids=str)
def test_what_is_suggested_can_be_played(case: Case) -> None:
    """Whatever was written, at any point of a match, a suggestion is a legal move in the notation of the record."""
    random = Random(3)
    for position in turns(case, 12):
        for text in mistaken_lines(position, random):
            found = nearest(position, text)
            assert len(found) == len(set(found)) <= 3
            for move in found:
                assert legal(position, move) == move
                assert str(position.parse(move)) == move
                position.play(position.parse(move))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", LARGEST, ids=str)
def test_looking_for_it_takes_no_time(case: Case) -> None:
    """On the largest boards, and for the longest lines, an answer is found at once."""
    random = Random(5)
    for position in turns(case, 8):
        for text in mistaken_lines(position, random):
            before = time.process_time()
            nearest(position, text)
            core_of(position, text)
            assert time.process_time() - before < BOUND, text[:60]


@settings(max_examples=60)
@given(st.sampled_from(SMALL), st.integers(0, 99), st.text(max_size=40))
def test_any_text_at_all_has_the_same_answer_twice(case: Case, place: int, text: str) -> None:
    """Nothing that can be written breaks the search, and nothing but the position and the text decides it."""
    positions = turns(case, 10)
    position = positions[place % len(positions)]
    found = nearest(position, text)
    assert found == nearest(position, text)
    assert all(legal(position, move) == move for move in found)
    assert core_of(position, text) == core_of(position, text)


@each("case", SMALL, ids=str)
def test_a_legal_move_needs_no_other(case: Case) -> None:
    """Nobody who wrote what can be played is asked whether they meant something else."""
    for position in turns(case, 12):
        assert nearest(position, position.prompt().example) == ()


@each(
    "text, found",
    [
        ("e44", ("e4",)),
        ("ee4", ("e4",)),
        ("4e", ("e4",)),
        ("e, 4", ("e4",)),
        ("e4x", ("e4",)),
        ("eO4", ("e4",)),
        ("еЧ e4", ("e4",)),
        ("е4", ("e4",)),
        ("pawn to e4", ("e4",)),
        ("je joue e4", ("e4",)),
        ("e4?", ("e4",)),
        ("e4 or f5", ("e4", "f5")),
        ("e4 f5", ("e4", "f5")),
        ("g8", ("g7",)),
        ("h7", ("g7",)),
        ("cl", ("c1",)),
        ("4-e", ("e4",)),
        ("row 4 column 3", ("c4",)),
        ("column 3, row 4", ("c4",)),
        ("(3, 4)", ("d3", "c4")),
    ],
)
def test_typical_typos_are_understood(text: str, found: tuple[str, ...]) -> None:
    """A letter too many, the next column, another notation, words around it: the right move is among few."""
    assert nearest(pipline(), text) == found


@each("text", ["d4", "h9", "q5", "z99", "take", "pass", "hello?", "5", "d", "12345", "Guten Tag", "", "e4"])
def test_nothing_is_suggested_where_nothing_is_close(text: str) -> None:
    """A guess into the blue helps nobody; and what is legal needs no suggestion."""
    assert nearest(pipline(), text) == ()


@each(
    "text, found",
    [
        ("c3 h4", ("c3 g4",)),
        ("3c 6d", ("c3 d6",)),
        ("c3 c4 c5", ("c3 c5",)),
        ("put them on c3 and d6, please", ("c3 d6",)),
        ("c3 c4", ()),
    ],
)
def test_moves_of_several_words_are_mended_word_by_word(text: str, found: tuple[str, ...]) -> None:
    """What was right stays, and what was wrong is replaced or left out."""
    assert nearest(zipline(), text) == found


def test_moves_that_are_no_cells_alone_are_mended_too() -> None:
    """A word of the rules, and the number behind a cell, are known behind typos and other words."""
    entries = [Entry(None, "1"), Entry(None, "1"), Entry(None, "3")]
    position = replay(GAMES["pippip"], seats=2, options={}, record=entries)
    assert nearest(position, "stroe") == ("store",)
    assert nearest(position, "3b n5") == ("b3 n5",)
    assert nearest(position, "b3 nord 5") == ("b3 n5",)


def test_nothing_is_close_to_anything_after_the_end() -> None:
    """When no seat is to act there is nothing to suggest."""
    position = pipline().leave(0, "resign")
    assert nearest(position, "e44") == ()


@each(
    "text, found",
    [
        ("e4, not f5", ("e4",)),
        ("nicht e4, sondern f5", ("f5",)),
        ("I don't want e4", ()),
        ("not e4 but f5 or g6", ("f5", "g6")),
        ("pawn to e4", ("e4",)),
    ],
)
def test_a_move_that_is_not_wanted_is_not_suggested(text: str, found: tuple[str, ...]) -> None:
    """What is said with a "not" counts for nothing, and what stands beside it is found."""
    assert nearest_wanted(pipline(), text) == found


@pytest.mark.parametrize(
    ("text", "core"),
    [("Shall I play d4?", "d4"), ("I take", "take"), ("d4 or e5, what do you think?", "d4 or e5"), ("hello?", "")],
)
def test_the_core_of_a_line_is_what_may_be_a_move(text: str, core: str) -> None:
    """It runs from the first word that a move may consist of to the last, whether the move is legal or not."""
    assert core_of(pipline(), text) == core
