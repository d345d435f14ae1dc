"""The question token proves who reads an email that asked them something outside a seat."""

import string

from hypothesis import given
from hypothesis import strategies as st

from pbem.log.redaction import GONE, redacted
from pbem.mail.question_token import find_question_token, sign_question_token, without_question_tokens
from pbem.mail.reply_token import ReplyToken, find_token, sign_token
from tests.support.mails import without_nonce

SECRET = "a secret that is long enough"
STAMP = "7 2026-11-28T10:00:00+00:00"
NUMBERS = st.integers(1, 2**31 - 1)


def found_in(places: list[str], *, stamp: str = STAMP, secret: str = SECRET) -> int | None:
    """Return the number of the token that is found where every question has one stamp."""
    return find_question_token(places, secret, lambda number: stamp)


@given(NUMBERS)
def test_a_signed_token_is_found(number: int) -> None:
    """What was signed is read back from an address and from a Message-ID, in any letter case."""
    signed = sign_question_token(number, STAMP, SECRET)
    for place in (f"games+{signed}@play.example", f"<{signed}.0123456789abcdef@play.example>"):
        assert found_in([place]) == found_in([place.upper()]) == number
    assert without_question_tokens(f"to games+{signed}@play.example") == "to games+…@play.example"
    assert GONE in redacted(f"to games+{signed}@play.example")
    assert signed not in redacted(f"in {signed}")


@given(NUMBERS, st.data())
def test_a_changed_token_is_not_found(number: int, data: st.DataObject) -> None:
    """No character of it can be another one, no other question has the same, and no other host."""
    signed = sign_question_token(number, STAMP, SECRET)
    place = data.draw(st.integers(signed.rindex(".") + 1, len(signed) - 1))
    others = set(string.printable) - {signed[place].lower(), signed[place].upper()}
    changed = f"{signed[:place]}{data.draw(st.sampled_from(sorted(others)))}{signed[place + 1 :]}"
    assert found_in([f"games+{changed}@play.example"]) is None
    assert found_in([signed], stamp=f"{STAMP}1") is None
    assert found_in([signed], secret="some other secret") is None


def test_whoever_names_many_questions_has_few_of_them_read() -> None:
    """A message holds as many tokens as somebody likes."""
    read: list[int] = []

    def stamp_of(number: int) -> str:
        read.append(number)
        return ""

    places = [sign_question_token(number, STAMP, SECRET) for number in range(1, 100)]
    assert find_question_token(places, SECRET, stamp_of) is None
    assert read == [1, 2, 3]


@given(NUMBERS, st.integers(0, 99), st.integers(0, 3))
def test_no_token_is_mistaken_for_one_of_the_other_sort(number: int, ply: int, seat: int) -> None:
    """A question token proves no seat, and a reply token no question, even with the same letters in the mac."""
    match = number % 10**9
    reply, asked = sign_token(ReplyToken(match, ply, seat), SECRET), sign_question_token(number, STAMP, SECRET)
    mac = asked.rpartition(".")[2]
    forms = [asked, f"{match}.{ply}.{seat}.{mac}", f"{match}.{ply}.{seat}.{mac[:10]}", f"1.{asked}"]
    assert find_token([f"games+{form}@play.example" for form in forms], SECRET, without_nonce) is None
    mac = reply.rpartition(".")[2]
    assert found_in([reply, f"q.{number}.{mac}", f"q.{number}.{mac}{mac[:6]}", f"q.{reply}"]) is None
