"""The reply token that proves which notice a reply answers."""

import string

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.message import parse
from pbem.mail.reply_token import ReplyToken, find_token, matches_named, sign_token
from tests.support.mails import without_nonce

SECRET = "a secret that is long enough"
NONCE = "00112233aabbccdd"
TAGS = st.builds(
    ReplyToken,
    st.integers(1, 10**9 - 1),
    st.integers(0, 10**6 - 1),
    st.integers(0, 999),
    st.sampled_from([0, 1, 99]),
    st.sampled_from(["", NONCE]),
)
SIGNED = sign_token(ReplyToken(17, 12, 1), SECRET)


@given(TAGS)
def test_a_signed_token_is_found(token: ReplyToken) -> None:
    """What was signed is read back from an address and from a Message-ID, in any letter case."""
    signed = sign_token(token, SECRET)
    for place in (f"games+{signed}@play.example", f"<{signed}.0123456789abcdef@play.example>"):
        assert find_token([place], SECRET, lambda _: token.nonce) == token
        assert find_token([place.upper()], SECRET, lambda _: token.nonce) == token


@given(TAGS, st.data())
def test_a_changed_token_is_not_found(token: ReplyToken, data: st.DataObject) -> None:
    """No character of a reply token can be another one."""
    signed = sign_token(token, SECRET)
    place = data.draw(st.integers(0, len(signed) - 1))
    others = set(string.printable) - {signed[place].lower(), signed[place].upper()}
    other = data.draw(st.sampled_from(sorted(others)))
    assert (
        find_token([f"games+{signed[:place]}{other}{signed[place + 1 :]}@play.example"], SECRET, lambda _: token.nonce)
        is None
    )


@given(TAGS)
def test_a_token_of_another_secret_is_not_ours(token: ReplyToken) -> None:
    """Somebody who does not know the secret cannot make a reply token."""
    assert find_token([sign_token(token, "some other secret")], SECRET, lambda _: token.nonce) is None


@given(st.lists(st.text(), max_size=5))
def test_any_text_may_stand_where_a_token_is_looked_for(places: list[str]) -> None:
    """Whatever stands there, looking for a reply token raises nothing."""
    assert find_token(places, SECRET, without_nonce) is None


def test_odd_numbers_are_no_token() -> None:
    """Huge numbers and digits of other scripts are harmless."""
    mac = SIGNED.rpartition(".")[2]
    for odd in (f"{'9' * 5000}.12.1.{mac}", f"17.{'1' * 40}.1.{mac}", f"١٧.12.1.{mac}", f"17.12.¹.{mac}"):
        assert find_token([f"games+{odd}@play.example"], SECRET, without_nonce) is None


def test_the_likeliest_place_comes_first() -> None:
    """Addresses count before In-Reply-To, that before References, and of those the newest."""
    signed = [sign_token(ReplyToken(number, 0, 0), SECRET) for number in range(6)]
    headers = [
        f"Delivered-To: games+{signed[0]}@play.example",
        f"To: games+{signed[1]}@play.example",
        f"Cc: games+{signed[2]}@play.example",
        f"In-Reply-To: <{signed[3]}.x@play.example>",
        f"References: <{signed[5]}.x@play.example>\n <{signed[4]}.x@play.example>",
    ]
    for number in range(5):
        message = parse("\n".join([*reversed(headers[number:]), "", "d4"]).encode())
        found = find_token(message.token_places, SECRET, without_nonce)
        assert found is not None
        assert found.match == number


def test_a_token_is_found_without_the_plus_address() -> None:
    """Exchange answers to the plain address: the email that is answered still carries the reply token."""
    raw = f"To: games@play.example\nReferences: <first@a.example> <{SIGNED}.0f@play.example>\n\nd4\n".encode()
    assert find_token(parse(raw).token_places, SECRET, without_nonce) == ReplyToken(17, 12, 1)


def test_a_forged_token_does_not_hide_a_true_one() -> None:
    """A reply token that is not ours is passed over."""
    assert find_token(
        [f"games+1.1.1.{'a' * 10}@play.example", f"<{SIGNED}.x@play.example>"], SECRET, without_nonce
    ) == ReplyToken(17, 12, 1)


@given(TAGS, st.sampled_from([None, "", "another nonce"]))
def test_a_token_of_a_lost_match_proves_nothing_in_one_with_its_number(token: ReplyToken, nonce: str | None) -> None:
    """Whether the match of that number has another nonce, none, or is not there; which it names is seen."""
    place = f"games+{sign_token(token, SECRET)}@play.example"
    if token.nonce != nonce:
        assert find_token([place], SECRET, lambda _: nonce) is None
    assert matches_named([place.upper(), "games@play.example"]) == [token.match]
