"""The key of a calendar feed."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.envelope import envelope_sender
from pbem.mail.feed_key import feed_key, without_feed_keys
from pbem.mail.question_token import sign_question_token
from pbem.mail.reply_token import ReplyToken, sign_token
from pbem.match.signature import public_key
from tests.support.club import ADDRESS, SECRET

OTHER = "another secret that is as long"


def test_a_key_never_changes_by_itself() -> None:
    """Calendars that subscribed once go on: 26 letters and digits, the same in every version of the program."""
    assert feed_key(7, 0, SECRET) == "fchbkygexapk6wmvofsrh7p77y"
    assert len(feed_key(7, 0, SECRET)) == 26


def test_players_generations_and_hosts_have_keys_of_their_own() -> None:
    """No two are alike: not those of players 1 and 11, nor those before and after a new address."""
    places = list(product(range(120), range(12), (SECRET, OTHER)))
    assert len({feed_key(*place) for place in places}) == len(places)


def test_without_a_secret_there_is_no_key() -> None:
    """Nobody makes a key that anybody can make."""
    with pytest.raises(ValueError, match="secret"):
        feed_key(7, 0, "")


@given(st.integers(0, 10**9), st.integers(0, 99), st.integers(0, 10**6), st.integers(0, 10))
def test_a_key_is_no_part_of_what_else_follows_from_the_secret(
    player: int, generation: int, ply: int, seat: int
) -> None:
    """Who has an email of a player has not their feed, and who has the feed has no token."""
    key = feed_key(player, generation, SECRET)
    others = (
        sign_token(ReplyToken(player, ply, seat, generation), SECRET),
        sign_question_token(player, ADDRESS, SECRET),
        envelope_sender(ADDRESS, player, "ann@a.example", SECRET),
        public_key(SECRET).lower(),
    )
    parts = {key[start : start + 8] for start in range(len(key) - 7)}
    assert not [other for other in others if any(part in other for part in parts)]


def test_a_quoted_email_shows_no_feed() -> None:
    """The key is taken out however its address is written, and nothing else is."""
    key = feed_key(7, 0, SECRET)
    for written in (
        f"https://games.example/calendar/{key}.ics",
        f"webcal://games.example/calendar/{key.upper()}",
        f"calendar/\n{key}.ics",
        f"({key}.ics)",
    ):
        assert key not in without_feed_keys(written).lower()
        assert without_feed_keys(written).replace("…", "") == written.replace(key, "").replace(key.upper(), "")
    plain = "see calendar/2026, pneumonoultramicroscopicsilicovolcanoconiosis.ics, and matches/17.html"
    assert without_feed_keys(plain) == plain
