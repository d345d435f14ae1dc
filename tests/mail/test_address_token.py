"""The address token that proves who may say whose an address is."""

import string

from hypothesis import given
from hypothesis import strategies as st

from pbem.log.redaction import GONE, redacted
from pbem.mail.address_token import AddressPurpose, find_address_token, sign_address_token, without_address_tokens
from pbem.mail.reply_token import ReplyToken, find_token, sign_token
from tests.support.mails import without_nonce

SECRET = "a secret that is long enough"
ADDRESS = "victim@v.example"
NUMBERS = st.integers(1, 2**31 - 1)


@given(NUMBERS)
def test_a_signed_address_token_is_found(held: int) -> None:
    """What was signed is read back from an address and from a Message-ID, in any letter case."""
    signed = sign_address_token(held, ADDRESS, SECRET)
    for place in (f"games+{signed}@play.example", f"<{signed}.0123456789abcdef@play.example>"):
        assert find_address_token([place], ADDRESS, SECRET) == held
        assert find_address_token([place.upper()], ADDRESS, SECRET) == held
    assert without_address_tokens(f"to games+{signed}@play.example") == "to games+…@play.example"


@given(NUMBERS, st.data())
def test_a_changed_address_token_is_not_found(held: int, data: st.DataObject) -> None:
    """No character can be another one, and no other address has the same token."""
    signed = sign_address_token(held, ADDRESS, SECRET)
    place = data.draw(st.integers(0, len(signed) - 1))
    others = set(string.printable) - {signed[place].lower(), signed[place].upper()}
    other = data.draw(st.sampled_from(sorted(others)))
    changed = f"games+{signed[:place]}{other}{signed[place + 1 :]}@play.example"
    assert find_address_token([changed], ADDRESS, SECRET) is None
    assert find_address_token([signed], "victim2@v.example", SECRET) is None
    assert find_address_token([signed], ADDRESS, "some other secret") is None


@given(NUMBERS)
def test_a_token_for_one_purpose_serves_no_other(number: int) -> None:
    """Who ends following with a token begins nothing with it, however its first letters are changed."""
    purposes: tuple[AddressPurpose, ...] = ("adr", "wat", "fol")
    for purpose in purposes:
        signed = sign_address_token(number, ADDRESS, SECRET, purpose)
        assert find_address_token([signed], ADDRESS, SECRET, purpose) == number
        for other in set(purposes) - {purpose}:
            assert find_address_token([signed, signed.replace(purpose, other)], ADDRESS, SECRET, other) is None
        assert GONE in redacted(f"to games+{signed}@play.example")
        assert signed not in without_address_tokens(f"to {signed}") + redacted(f"in {signed}")


@given(NUMBERS, st.integers(0, 99), st.integers(0, 3))
def test_no_token_is_mistaken_for_one_of_the_other_sort(held: int, ply: int, seat: int) -> None:
    """An address token proves no seat, and a reply token no address, even with the same letters in the mac."""
    reply, address = sign_token(ReplyToken(held % 10**9, ply, seat), SECRET), sign_address_token(held, ADDRESS, SECRET)
    mac = address.rpartition(".")[2]
    forms = [address, f"{held % 10**9}.{ply}.{seat}.{mac}", f"{held % 10**9}.{ply}.{seat}.{mac[:10]}", f"1.{address}"]
    assert find_token([f"games+{form}@play.example" for form in forms], SECRET, without_nonce) is None
    mac = reply.rpartition(".")[2]
    forms = [reply, f"adr.{held}.{mac}", f"adr.{held}.{mac}{mac[:6]}", f"adr.{reply}"]
    assert find_address_token([f"games+{form}@play.example" for form in forms], ADDRESS, SECRET) is None
