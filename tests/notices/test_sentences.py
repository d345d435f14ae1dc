"""A match in sentences, for one of its players: who is named, in which order, and who is “you”."""

import re

from pbem.match.match import Comment
from pbem.notices.sentences.match import (
    describe_options,
    describe_order,
    describe_result,
    describe_roles,
    describe_turn,
    describe_winners,
)
from pbem.notices.sentences.story import describe_events, introduce_comment
from rules.position import Entry
from tests.support.matches import zipline

TAKEN = (Entry(0, "c3"), Entry(1, "take"))


def named(sentence: str) -> list[str]:
    """Return the players that a sentence names, in order, the reader as ``you``."""
    return [name.lower() for name in re.findall(r"\b(?:[Yy]ou|Ann|Bob|Carl)\b", sentence)]


def test_each_event_is_a_sentence_that_names_its_player() -> None:
    """Every entry since then is told in order, with the move; the reader's own say you."""
    one = zipline(*TAKEN, Entry(2, "a1"), Entry(0, "resign"))
    told = describe_events(one.at(0), one, 0)
    assert [named(sentence)[:1] for sentence in told] == [["you"], ["bob"], ["carl"], ["you"]]
    assert "c3" in told[0]
    assert "a1" in told[2]
    assert [named(sentence) for sentence in describe_events(one.at(3), one, 1)] == [["ann"]]


def test_the_readers_own_role_comes_first() -> None:
    """Before the auction there are no roles; then each side is a sentence, with its piece."""
    assert describe_roles(zipline(), 0) == []
    for viewer, sides in ((0, [["you", "carl"], ["bob"]]), (1, [["you"], ["ann", "carl"]])):
        told = describe_roles(zipline(*TAKEN), viewer)
        assert [named(sentence) for sentence in told] == sides
        assert sum("(black)" in sentence for sentence in told) == 1


def test_whose_turn_it_is_depends_on_the_reader() -> None:
    """The one who is to act, their partner and the other side are told different things, and all after the end."""
    one = zipline(*TAKEN)
    told = [describe_turn(one, viewer) for viewer in range(3)]
    assert len({*told, describe_turn(zipline(Entry(0, "resign"), names=("Ann", "Bob")), 1)}) == 4
    assert ["carl" in named(sentence) for sentence in told] == [True, True, False]


def test_winners_are_named_the_reader_first() -> None:
    """There is nothing to tell before the end."""
    over = zipline(*TAKEN, Entry(1, "resign"))
    assert describe_winners(zipline(), 0) == describe_result(zipline(), 0) == ""
    assert named(describe_winners(over, 2)) == ["you", "ann"]
    assert named(describe_winners(over, 1)) == ["ann", "carl"]


def test_the_order_of_turns_names_everybody_in_turn() -> None:
    """Three are named by their seats; of two the reader comes first."""
    assert named(describe_order(zipline(), 1)) == ["ann", "you", "carl"]
    assert named(describe_order(zipline(names=("Ann", "Bob")), 1)) == ["you", "ann"]


def test_options_are_listed_unless_they_are_the_usual_ones() -> None:
    """Each has its name and its value as it is typed."""
    assert describe_options(zipline()) == "size 5"
    assert describe_options(zipline(size=7, partner_gap=True)) == "size 7, partner_gap yes"


def test_comments_are_introduced_for_their_readers() -> None:
    """Whoever wrote words to a side sees to whom they went."""
    one, hello, psst = zipline(*TAKEN), Comment(2, 2, "hello"), Comment(2, 2, "psst", to_side=True)
    assert named(str(introduce_comment(one, hello, 1))) == ["carl"]
    assert named(str(introduce_comment(one, hello, 2))) == ["you"]
    assert named(str(introduce_comment(one, psst, 0)))[0] == "carl"
    assert named(str(introduce_comment(one, psst, 2))) == ["you", "ann"]
    assert introduce_comment(one, psst, 0) != introduce_comment(one, hello, 0)
