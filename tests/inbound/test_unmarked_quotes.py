"""Which words of a message stand in a row in our emails."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbound.unmarked_quotes import _find_known, join_words, quoted_lines
from tests.support.examples import examples

WORDS = st.lists(st.sampled_from(["take", "d4", "e5", "it", "is", "your", "turn", "13"]), max_size=45)


def rows(words: Sequence[str]) -> set[tuple[str, ...]]:
    """Return every four words that follow each other."""
    return {tuple(words[place : place + 4]) for place in range(len(words) - 3)}


@examples(3000)
@given(st.lists(st.lists(WORDS, max_size=3), max_size=3), WORDS, st.data())
def test_rows_of_words_are_found_in_any_text_of_any_email(
    mails: list[list[list[str]]], written: list[str], data: st.DataObject
) -> None:
    """However much two texts of an email have in common, no row is lost or made up."""
    for mail in mails:
        for text in mail[:1]:
            start = data.draw(st.integers(0, len(text)))
            mail.append([*text[:start], "move", *text[start:]])
            written = [*written, *text[start:]]
    sent = [join_words(" ".join(text) for text in mail) for mail in mails]
    all_rows = set().union(*(rows(text) for mail in mails for text in mail))
    assert _find_known(written, sent) == rows(written) & all_rows
    vocabulary = {word for text in sent for word in text.split()} - {"|"}
    assert vocabulary == {word for row in all_rows for word in row}


def test_an_email_is_kept_as_its_words() -> None:
    """Case, signs and line breaks do not count; the end of one text and the beginning of the next are not in a row."""
    text = "Bob, it is your turn.\nJust reply with one point."
    html = "Bob, it is your turn. Or click on the board. Just reply with one point."
    assert join_words([text]) == " bob it is your turn just reply with one point "
    said = "bob it is your turn just reply with one point"
    assert join_words([text, html]) == f" {said} | bob it is your turn or click on the board just reply with one point "
    assert join_words(["too short for", "", "— …"]) == ""


def test_a_line_of_ours_is_quoted_wherever_it_breaks() -> None:
    """Without an email of ours there is nothing to quote."""
    sent = [join_words(["Just reply with one point, on a line of its own."])]
    lines = ["d4", "just reply with one", "point on a line of", "its own"]
    assert quoted_lines(lines, [False] * 4, sent) == {1, 2, 3}
    assert quoted_lines(lines, [False] * 4, []) == quoted_lines(lines, [False] * 4, [""]) == frozenset()


@pytest.mark.parametrize("written", ["b4", "c3", "B4", "b4, a2", "such as b4"])
def test_a_move_between_marked_lines_is_kept_though_it_goes_on_into_the_one_below(written: str) -> None:
    """An example of ours, in this email or an earlier one, stands right before the words that are quoted below it."""
    sent = [join_words([f"Reply with a point, {move} You have 7 days"]) for move in ("such as b4.", "c3.", "b4, a2.")]
    lines = ["Reply with a point, such as d4.", written, "You have 7 days"]
    assert 1 not in quoted_lines(lines, [True, False, True], sent)


def test_a_tail_that_lost_its_mark_is_quoted() -> None:
    """It goes on what stands above it."""
    sent = [join_words(["Reply with a point, such as b4. You have 7 days"])]
    assert 1 in quoted_lines(["Reply with a point, such as", "b4.", "You have 7 days"], [True, False, True], sent)
