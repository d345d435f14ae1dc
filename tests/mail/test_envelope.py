"""The envelope sender of an email: what proves that a bounce is of that one."""

import string

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.envelope import EnvelopeToken, envelope_sender, find_envelope_tokens
from pbem.mail.reply_token import ReplyToken, find_token, sign_token
from tests.support.mails import without_nonce

ADDRESS, ANN, SECRET = "games@play.example", "ann@a.example", "a secret that is long enough"
SENDER = envelope_sender(ADDRESS, 511, ANN, SECRET)
NUMBERS = st.integers(1, 2**31 - 1)


def proved(place: str, recipient: str = ANN, secret: str = SECRET) -> list[int]:
    """Return the numbers that an address proves."""
    return [token.number for token in find_envelope_tokens([place]) if token.is_signed_for(recipient, secret)]


@given(NUMBERS)
def test_a_signed_number_is_found(number: int) -> None:
    """What was signed is read back from an address, in any letter case, whatever stands around it."""
    sender = envelope_sender(ADDRESS, number, ANN, SECRET)
    for place in (sender, sender.upper(), f"<{sender}>", f"Games <{sender}>, x@y.example", f"prvs=0815={sender}"):
        assert proved(place) == [number]


@given(NUMBERS, st.data())
def test_a_changed_envelope_sender_proves_nothing(number: int, data: st.DataObject) -> None:
    """No character between the plus sign and the domain can be another one."""
    sender = envelope_sender(ADDRESS, number, ANN, SECRET)
    place = data.draw(st.integers(sender.index("+"), sender.index("@")))
    others = set(string.printable) - {sender[place].lower(), sender[place].upper()}
    other = data.draw(st.sampled_from(sorted(others)))
    assert proved(f"{sender[:place]}{other}{sender[place + 1 :]}") == []


def test_an_envelope_sender_is_of_one_recipient_and_one_secret() -> None:
    """Whoever got one email can make up none for another, and nobody can without the secret."""
    assert proved(SENDER) == [511]
    assert proved(SENDER, "bob@b.example") == []
    assert proved(SENDER, secret="some other secret") == []


def test_an_envelope_sender_keeps_the_domain() -> None:
    """Else SPF would speak of another domain than that of From."""
    assert SENDER.startswith("games+b511.")
    assert SENDER.endswith("@play.example")


@given(NUMBERS, st.builds(ReplyToken, st.integers(1, 10**9 - 1), st.integers(0, 10**6 - 1), st.integers(0, 999)))
def test_neither_token_passes_for_the_other(number: int, token: ReplyToken) -> None:
    """Who may answer an email cannot bounce it, and who may bounce it cannot play."""
    assert find_token([envelope_sender(ADDRESS, number, ANN, SECRET)], SECRET, without_nonce) is None
    signed = sign_token(token, SECRET)
    for place in (f"games+{signed}@play.example", f"games+b{signed}@play.example", f"<{signed}.0f@play.example>"):
        assert find_envelope_tokens([place]) == []
    mac = signed.rpartition(".")[2]
    assert proved(f"games+b{token.match}.{mac}@play.example") == []


@given(st.lists(st.text(), max_size=5))
def test_any_text_may_stand_where_it_is_looked_for(places: list[str]) -> None:
    """Whatever stands there, looking for it raises nothing."""
    assert find_envelope_tokens(places) == []


def test_odd_numbers_are_none() -> None:
    """Huge numbers and digits of other scripts are harmless; of many claims only a few are read."""
    mac = SENDER.partition("@")[0].rpartition(".")[2]
    for odd in ("9" * 5000, "٥١١", "5¹¹", "", "-511", "5_1_1"):
        assert find_envelope_tokens([f"games+b{odd}.{mac}@play.example"]) == []
    assert proved(f"games+b0511.{mac}@play.example") == [511]
    many = [f"games+b{number}.{mac}@play.example" for number in range(1000)]
    assert find_envelope_tokens(many) == [EnvelopeToken(number, mac) for number in range(5)]
