"""Words that somebody nearly wrote."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.reading.typos import edits, fold, similar_word
from tests.support.each import each

WORDS = ("resign", "help", "show")


@each(
    "written, meant",
    [("resing", "resign"), ("Hlep!", "help"), ("shwo", "show"), ("hel", "help"), ("reign", "resign"), ("sнow", "show")],
)
def test_a_swapped_or_missing_letter_does_not_hide_a_word(written: str, meant: str) -> None:
    """One typo is forgiven in a short word, two in a long one, and Cyrillic letters that look Latin."""
    assert similar_word(written, WORDS) == meant


@each("word", ["hello", "thanks", "store", "", "reply"])
def test_another_word_stays_another_word(word: str) -> None:
    """A word that differs by more is not taken for a keyword."""
    assert similar_word(word, WORDS) == ""


@each(
    "written, meant, count",
    [("", "", 0), ("e44", "e4", 1), ("4e", "e4", 1), ("d3x", "d3xe4", 2), ("ca", "abc", 3)],
)
def test_changed_missing_extra_and_swapped_letters_count_one_each(written: str, meant: str, count: int) -> None:
    """The distance is that of Damerau, between letters that are changed once at most."""
    assert edits(written, meant) == count


@given(st.text(max_size=8), st.text(max_size=8))
def test_the_distance_is_the_same_both_ways(one: str, other: str) -> None:
    """It is nothing only between equal texts, and never more than the letters of the longer one."""
    assert edits(one, other) == edits(other, one) <= max(len(one), len(other))
    assert (edits(one, other) == 0) == (one == other)


def test_letters_that_look_latin_are_read_as_latin() -> None:
    """Full-width and Cyrillic letters become plain small ones."""
    assert fold("Ｅ４ с3") == "e4 c3"
