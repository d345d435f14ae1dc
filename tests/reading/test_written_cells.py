"""Every cell that was written is played or asked about, whatever signs stand between two of them."""

import sys
import unicodedata
from collections import defaultdict
from dataclasses import replace
from string import ascii_letters

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.commands.rejections import Rejection
from pbem.reading.written_cells import is_only_cells, written_cells
from tests.support.each import each
from tests.support.judging import moves, put, refusal, start

AUCTION = replace(start("zipline", 2), options=start("zipline", 2).game.normalise({"size": 9}))
SHAPES = ["e5{0}e2", "e5{0} e2", "e5 {0} e2", "e5{0}\ne2", "e5\n{0}e2", "e5{0} e2{0}", "I play e5{0} e2"]


def _signs() -> st.SearchStrategy[str]:
    """Return any sign of Unicode, of any category as often; a second is taken by the test alone, not by all others."""
    found = defaultdict[str, list[str]](list)
    for sign in map(chr, range(sys.maxunicode + 1)):
        found[unicodedata.category(sign)].append(sign)
    return st.one_of([st.sampled_from(signs) for _, signs in sorted(found.items())])


SIGNS = st.deferred(_signs).filter(lambda sign: sign not in ascii_letters)  # "re2" is no cell


def _played(text: str) -> set[str]:
    """Return the cells that a message plays in the auction, none where it is asked about."""
    try:
        return set(" ".join(moves(put(AUCTION, 0, text))).split())
    except Rejection:
        return set()


@given(SIGNS, st.sampled_from(SHAPES))
@example("،", "e5{0} e2")
@example("،", "e5{0}\ne2")
@example("ǅ", "e5\n{0}e2")
@example("\u200b", "e5{0}e2")
def test_no_cell_is_left_out_whatever_stands_between_two(sign: str, shape: str) -> None:
    """Both are played, or none is and the player is asked."""
    assert _played(shape.format(sign)) in ({"e5", "e2"}, set())


@each("sign", ["،", "؛", "።", "、", "⁃", "/", "¦", "…", "\u2028", "𐄀", "⸴", "‿"])
def test_what_is_neither_letter_nor_digit_ends_a_cell(sign: str) -> None:
    """It parts cells as a comma does."""
    assert _played(f"e5{sign} e2{sign} f7") == {"e5", "e2", "f7"}


@each("text", ["e5ä\ne2", "e2\nf7é, z", "e5 ❋ f7ß\ne2"])
def test_a_line_of_cells_that_cannot_be_read_is_asked_about(text: str) -> None:
    """Also where another line is a move: it is not taken for a remark."""
    assert isinstance(refusal(AUCTION, 0, text), Rejection)


@each("text", ["e2\nI was afraid of e5 all evening, you know", "e2, not e5", "e2\nsee you at 9"])
def test_a_cell_that_is_spoken_of_is_not_left_out(text: str) -> None:
    """Words may mention any cell; what is refused or written twice is settled."""
    assert "e2" in _played(text)


@pytest.mark.parametrize(
    ("text", "cells", "alone"),
    [
        ("e5، e2", ("e5", "e2"), True),
        ("1) E5 f10", ("e5", "f10"), True),
        ("b2xc3", ("b2", "c3"), True),
        ("I play e5", ("e5",), False),
        ("mp3, re5, e555", (), False),
    ],
)
def test_cells_are_found_by_their_shape(text: str, cells: tuple[str, ...], alone: bool) -> None:
    """Whatever the board."""
    assert (written_cells(text), is_only_cells(text)) == (cells, alone)
