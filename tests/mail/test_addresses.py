"""Email addresses as people type them."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import BadInput
from pbem.mail.headers import (
    LONGEST_NAME,
    add_plus,
    domain_of,
    is_address,
    normal_address,
    split_named,
)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (" Ann@Example.ORG ", "ann@example.org"),
        ("o'neil+games@sub.example.org", "o'neil+games@sub.example.org"),
        ("ann@localhost", "ann@localhost"),
    ],
)
def test_an_address_has_one_form(text: str, address: str) -> None:
    """Letter case and outer spaces do not matter."""
    assert normal_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ann",
        "@example.org",
        "ann@",
        "a b@example.org",
        "ann@ex ample.org",
        "ann@-a.example",
        "a..b@c.example",
        "ann@example.org\nBcc: x@y.example",
        "änn@example.org",
        "<ann@example.org>",
        f"{'a' * 65}@example.org",
        "=?utf-8?q?ann?=@example.org",
    ],
)
def test_what_mail_cannot_be_sent_to_is_refused(text: str) -> None:
    """The refusal quotes what was typed, on one line."""
    assert not is_address(text)
    with pytest.raises(BadInput, match="is no mail address") as refusal:
        normal_address(text.replace("\n", " "))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann Lee <Ann@a.example>", "Ann Lee"),
        ('"Lee, Ann"<ann@a.example>', "Lee, Ann"),
        ("ann@a.example", ""),
        ("A\u202enn\u2028 \x07Lee <ann@a.example>", "A nn Lee"),
    ],
)
def test_a_name_may_stand_before_the_address(text: str, name: str) -> None:
    """A name is read with or without quotation marks; characters that only steer are left out."""
    assert split_named(text) == (name, "ann@a.example")


def test_a_name_fits_into_a_line() -> None:
    """A name longer than a line of an email can bear is refused."""
    assert split_named(f"{'x' * LONGEST_NAME} <ann@a.example>")[0] == "x" * LONGEST_NAME
    with pytest.raises(BadInput, match="too long a name"):
        split_named(f"{'x' * (LONGEST_NAME + 1)} <ann@a.example>")


@given(st.text())
def test_any_text_is_an_address_or_bad_input(text: str) -> None:
    """Nothing but BadInput is raised, and what is accepted is accepted again."""
    try:
        _, address = split_named(text)
    except BadInput:
        return
    assert normal_address(address) == address


def test_an_addition_goes_behind_a_plus() -> None:
    """The addition stands in the local part."""
    assert add_plus("games@play.example", "1.2.3") == "games+1.2.3@play.example"
    assert domain_of("games+1@play.example") == "play.example"


def test_a_name_is_what_its_readers_see() -> None:
    """A name with an encoded word in it could turn into anything in an email program, line breaks included."""
    with pytest.raises(BadInput, match="write it as it is read"):
        split_named("=?utf-8?q?x=0D=0ABcc=3A_mallory=40evil.example?= <ann@a.example>")


def test_no_name_takes_long() -> None:
    """Whatever is typed is read in time proportional to its length."""
    started = process_time()
    for piece in (" ", '"', "<", "a ", '" '):
        with pytest.raises(BadInput):
            split_named(piece * 50_000)
    assert process_time() - started < 0.5
