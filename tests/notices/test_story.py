"""What happened in a match, and was said in it: how much of it stands above the board, and what is numbered."""

from dataclasses import replace

from pbem.match.match import Comment, Match
from pbem.notices.sentences.story import Passage, last_words, list_new, tell_story
from rules.position import Entry
from tests.support.matches import zipline

MATCH = zipline(*(Entry(seat, text) for seat, text in ((0, "c3"), (1, "take"), (2, "a1"), (0, "b1"), (1, "d4"))))
"""Ann and Carl join black stones against Bob; Carl is to act, and has heard of two moves since his own."""

LONG = "It gets tight on the left. " * 20


def told(match: Match, *comments: Comment, room: int = 7) -> tuple[list[Passage], list[Passage]]:
    """Return the story of the last two moves of a match for Carl."""
    return tell_story(match.at(3), match, 2, comments, room=room, numbered=list_new(match, 2))


def test_moves_since_ones_own_are_numbered_where_there_are_several() -> None:
    """One move needs no number, and more than nine have none."""
    assert [list_new(MATCH, seat) for seat in range(3)] == [[], [], [3, 4]]
    takes = tuple(Entry(seat, "d4") for seat in (0, 1) for _ in range(5))
    assert list_new(replace(MATCH, record=takes[:9]), 2) == list(range(9))
    assert list_new(replace(MATCH, record=takes), 2) == []


def test_a_comment_stands_beside_its_move() -> None:
    """Without an introduction where whoever moved wrote it, and where there is room."""
    above, below = told(MATCH, Comment(0, 4, "Mine."), Comment(0, 5, "Oh!"), Comment(1, 5, "Quiet.", to_side=True))
    assert [[said.introduction for said in passage.comments] for passage in above] == [[""], ["Ann wrote:"]]
    assert [passage.text[:3] for passage in above] == ["1. ", "2. "]
    assert below == []


def test_what_has_no_room_above_the_board_is_told_below() -> None:
    """The end of a story stays, at least what happened; what was said is introduced then."""
    above, below = told(MATCH, Comment(1, 5, LONG))
    assert [passage.text[:3] for passage in above] == ["1. ", "2. "]
    assert [(passage.text, passage.comments[0].introduction) for passage in below] == [("", "Bob wrote:")]
    above, below = told(MATCH, room=0)
    assert [[passage.text[:3] for passage in part] for part in (above, below)] == [["2. "], ["1. "]]


def test_the_end_recalls_the_last_public_words_of_another() -> None:
    """Not what the reader wrote, nor words for one side, nor a greeting before the first move."""
    said = [Comment(1, 0, "Hello!"), Comment(1, 2, "Well."), Comment(0, 4, "No."), Comment(1, 4, "Hush.", to_side=True)]
    assert last_words(said, 0) == said[1]
    assert last_words(said, 1) == said[2]
    assert last_words(said[:1], 0) is None
