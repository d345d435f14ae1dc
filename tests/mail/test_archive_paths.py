"""Where the archive has what, and the keys of private matches."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.log.redaction import redacted
from pbem.mail.archive_paths import PRIVATE, Archive, match_key, match_page
from pbem.mail.envelope import envelope_sender
from pbem.mail.feed_key import feed_key, without_feed_keys
from pbem.mail.reply_token import ReplyToken, sign_token
from pbem.match.signature import public_key
from tests.support.club import ADDRESS, SECRET

OTHER = "another secret that is as long"


def test_the_key_of_a_match_never_changes_by_itself() -> None:
    """The links in emails lead there for ever: 26 letters and digits, the same in every version of the program."""
    assert match_key(1, SECRET) == "lngqpii2etuoqrqtjmabk246na"


def test_matches_and_hosts_have_keys_of_their_own() -> None:
    """No two are alike."""
    places = list(product(range(1, 500), (SECRET, OTHER)))
    assert len({match_key(*place) for place in places}) == len(places)


def test_without_a_secret_no_match_can_be_hidden() -> None:
    """Nobody makes a key that anybody can make."""
    with pytest.raises(ValueError, match="secret"):
        match_key(7, "")


@given(st.integers(1, 10**9), st.integers(0, 10**6), st.integers(0, 10))
def test_the_key_of_a_match_is_no_part_of_what_else_follows_from_the_secret(match: int, ply: int, seat: int) -> None:
    """Whoever has an email, a feed or a record of the host does not have the page."""
    key = match_key(match, SECRET)
    others = (
        sign_token(ReplyToken(match, ply, seat), SECRET),
        feed_key(match, seat, SECRET),
        envelope_sender(ADDRESS, match, "ann@a.example", SECRET),
        public_key(SECRET).lower(),
    )
    parts = {key[start : start + 8] for start in range(len(key) - 7)}
    assert not [other for other in others if any(part in other for part in parts)]


def test_neither_logs_nor_comments_show_the_key_of_a_match() -> None:
    """However its address is written."""
    key = match_key(7, SECRET)
    page = match_page(7, key=key)
    assert page == f"{PRIVATE}/{key}.html"
    assert key not in redacted(f"[Errno 28] No space left on device: '/srv/archive/{page}'")
    for written in (page, f"https://games.example/{page.upper()}", f"({key}.txt)", f"{PRIVATE}/\n{key}.json"):
        assert key not in without_feed_keys(written).lower()


def test_nothing_shows_the_secret_that_hides_matches() -> None:
    """Not even where the address of the archive is printed."""
    assert SECRET not in repr(Archive("https://games.example", SECRET))
