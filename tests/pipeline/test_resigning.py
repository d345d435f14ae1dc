"""Giving a match up below other words: it may be part of them, so that its player is asked first."""

import asyncio

import pytest

from tests.support.clocks import opened
from tests.support.club import Club


def say(club: Club, seat: int, text: str) -> tuple[str, str]:
    """Let a seat answer its newest email, and return how that ended."""
    ended = club.reply(seat, text).message
    asyncio.run(club.service.deliver())
    return ended.status, ended.code


@pytest.mark.parametrize("text", ["resign", "\nI resign.\nWell played!", "I resign, well played!"])
def test_as_the_first_line_it_counts_at_once(club: Club, text: str) -> None:
    """Whatever stands below it."""
    opened(club, "c3")
    assert say(club, 1, text) == ("accepted", "")
    assert club.match().outcome


@pytest.mark.parametrize("text", ["Hi Ann,\nresign", "Thanks for the match.\n\nI resign.", "show\nresign"])
def test_below_other_words_it_is_asked_about_and_a_yes_does_it(club: Club, text: str) -> None:
    """Nothing else of that email is done either; after the yes nothing is asked again."""
    opened(club, "c3")
    assert say(club, 1, text) == ("rejected", "resigning")
    assert club.match().outcome is None
    assert not club.match().comments
    assert say(club, 1, "yes") == ("accepted", "")
    assert club.match().record[-1].text == "resign"


def test_the_word_itself_answers_the_question_too(club: Club) -> None:
    """It stands on the first line then."""
    opened(club, "c3")
    say(club, 1, "Hello!\nresign")
    assert say(club, 1, "resign") == ("accepted", "")
    assert club.match().outcome


def test_a_no_leaves_everything_as_it_is(club: Club) -> None:
    """And what they wrote may be sent again."""
    opened(club, "c3")
    say(club, 1, "Hello!\nresign")
    assert say(club, 1, "no")[0] == "rejected"
    assert club.match().outcome is None
