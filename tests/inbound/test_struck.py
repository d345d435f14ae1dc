"""Names and comments are struck out of what replies may quote of our emails; all else is recognised as before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbound.struck import strike_out
from pbem.inbound.unmarked_quotes import join_words, quoted_lines, words_of

NAMES = ["Wandalina", "Mary-Ann O'Hara", "Dörte", "Bo"]
OURS = "Please reply with your move. You have seven days until Friday the twenty-seventh of November."
WORDS = st.lists(st.text("aüb'-. ", min_size=1, max_size=6), max_size=12).map(" ".join)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_struck_out_and_what_stands_around_it_is_known(name: str) -> None:
    """Also where it stands twice, or with a letter behind it."""
    known = join_words([f"{OURS} It is {name}’s turn, and {name} has to be quick. {OURS[::-1]}"])
    struck = strike_out(known, [name], [])
    assert not set(words_of(name)) & set(struck.split())
    assert quoted_lines([OURS], [False], [struck]) == {0}


@pytest.mark.parametrize(
    "comment", ["balderdash", "such a fine balderdash", "Zounds! What balderdash is that, my dear friend?"]
)
def test_a_comment_is_struck_out_wherever_it_was_cut(comment: str) -> None:
    """Where text and HTML are joined, three words of it may be left alone."""
    known = join_words(
        [f"{OURS} Ann wrote {comment} {OURS}", f"Ann wrote, quite otherwise: {comment} Your move now please."]
    )
    struck = strike_out(known, [], [comment])
    assert not {"balderdash"} & set(struck.split())
    assert quoted_lines([OURS], [False], [struck]) == {0}


def test_a_text_as_it_was_written_is_struck_as_well() -> None:
    """Some emails, to which no reply is expected, are not kept as words."""
    assert "wandalina" not in strike_out("Bob, Wandalina has\ntaken your seat", ["Wandalina"], []).lower()


@given(WORDS, WORDS, WORDS)
def test_nothing_is_invented(text: str, name: str, comment: str) -> None:
    """What is left are words of the text, in their order; without a name or a comment it stays as it is."""
    known = join_words([f"one two three four {text} five six seven eight"])
    struck = [word for word in strike_out(known, [name], [comment]).split() if word != "|"]
    rest = iter(known.split())
    assert all(word in rest for word in struck)
    assert not set(words_of(name)) & set(struck)
    assert strike_out(known, [], []) == known
