"""Words to a side on the pages of a match: after the end alone, marked, and only where their writers know that."""

from dataclasses import replace
from pathlib import Path

from pbem.archive.match.rows import record_rows
from pbem.match.endings import Ruling
from pbem.match.match import Comment, Match
from rules.position import Entry
from tests.support.matches import AUCTION_OF_THREE, zipline
from tests.support.pages import page_of

SAID = (Comment(0, 3, "Nice opening."), Comment(2, 3, "Meet me at c3.", to_side=True))


def match(*more: Entry, private: bool = False) -> Match:
    """Return a match of three, in which Carl said something to everybody and something to his side."""
    return replace(zipline(*AUCTION_OF_THREE, *more), comments=SAID, private=private)


def test_words_to_a_side_are_shown_after_the_end_alone(tmp_path: Path) -> None:
    """Their row says that they were not for everybody; while the match goes on nothing tells that there are any."""
    running = page_of(match(), tmp_path)
    assert "Meet me at c3." not in running
    assert "side only" not in running
    over = page_of(match(Entry(1, "resign")), tmp_path)
    assert "Meet me at c3." in over
    assert "Carl, to their side only" in over
    assert "Ann, to their side only" not in over


def test_words_to_a_side_stay_private_in_a_private_match() -> None:
    """Its writers were told of no page that would show them."""
    over = match(Entry(1, "resign"), private=True)
    assert over.outcome
    assert not over.tells_team
    assert "Meet me at c3." not in str(record_rows(over, {}, (), (0,) * over.ply))


def test_words_to_a_side_stay_private_where_somebody_was_not_told() -> None:
    """They wrote under another promise."""
    over = replace(match(Entry(1, "resign")), team_told=False)
    assert "Meet me at c3." not in str(record_rows(over, {}, (), (0,) * over.ply))


def test_a_match_that_goes_on_again_hides_them_again(tmp_path: Path) -> None:
    """A ruling that is taken back ends nothing."""
    ruled = replace(match(), ruling=Ruling("void"))
    assert "Meet me at c3." in page_of(ruled, tmp_path)
    assert "Meet me at c3." not in page_of(replace(ruled, ruling=None), tmp_path)
