"""Addresses as people type them, and header fields: comments, quotations, and the one address that From names."""

from email.utils import formataddr, parseaddr
from time import process_time

import pytest
from aiosmtplib.email import quote_address
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import BadInput
from pbem.mail.headers import (
    LONGEST_NAME,
    add_plus,
    domain_of,
    is_address,
    local_of,
    mailbox_of,
    normal_address,
    show_address,
    single_address,
    split_named,
    strip_comments,
)
from pbem.mail.message import parse
from tests.support.each import each

ANN = "ann@a.example"


@each(
    "value, left",
    [
        ("a (b (c) d) e", "a   e"),
        ('a "b (c" d) e', 'a "" d) e'),
        (r"a (b \) c) d", "a   d"),
        (r'"a \" b" c', '"" c'),
        ('a ("b) c" d', 'a   c" d'),
        ("a (b", "a (b"),
        ("a) b", "a) b"),
        ('a "b', 'a "b'),
    ],
)
def test_comments_and_quotations_are_emptied(value: str, left: str) -> None:
    """Comments go with what is in them; in a comment a quotation mark is only a mark, and the other way round."""
    assert strip_comments(value) == left


@each(
    "value",
    [
        ANN,
        "<Ann@A.example>",
        "Ann <ann@a.example>",
        "Ann\n\t<ann@a.example>",
        "  Ann Lee < ann@a.example > ",
        '"Lee, Ann" <ann@a.example>',
        "Lee, Ann <ann@a.example>",
        "Dr: Ann <ann@a.example>",
        "Ann; Lee <ann@a.example>",
        'Ann "the Rook" O\'Lee <ann@a.example>',
        '"Ann \\" Lee <x@y.example>" <ann@a.example>',
        "ann@a.example (Ann Lee)",
        "(Lee) Ann (the (Rook)) <ann@a.example> (at home; or not)",
        '"mallory@evil.example" <ann@a.example>',
        "ann@a.example <ann@a.example>",
        "'Ann@a.example' <ann@a.example>",
        "=?utf-8?q?mallory=40evil=2Eexample=2C?= <ann@a.example>",
        "=?utf-8?q?a=0D=0ABcc=3A_x=40y=2Eexample?= <ann@a.example>",
        '"Ann <ann@a.example>',
        "(Ann <ann@a.example>",
        "J\xf6rg \U0001f600 <ann@a.example>",
        "\u202eAnn <ann@a.example>",
        "{{7*7}}%s'; DROP TABLE players;-- <ann@a.example>",
    ],
)
def test_one_person_is_read_however_the_name_is_written(value: str) -> None:
    """Names may hold anything; it is the address that counts, and there is just one."""
    assert single_address([value]) == ANN
    assert parse(f"From: {value}\n\nd4".encode()).senders == (ANN,)


@each(
    "value",
    [
        "",
        "<>",
        "\u212aen@example.org",
        "Ken <\u212aen@example.org>",
        "\u212aen@example.org <ken@example.org>",
        "ann",
        "Ann <>",
        "x: ann@a.example;",
        "x: Ann <ann@a.example>;",
        "x:; Ann <ann@a.example>",
        "x: ann@a.example",
        "undisclosed-recipients:;",
        "a: b: ann@a.example;;",
        "x: ann@a.example, bob@b.example;",
        "<@b.example,@c.example:ann@a.example>",
        "<@b.example:ann@a.example>",
        "ann@a.example, bob@b.example",
        "ann@a.example ann@a.example",
        "Ann <ann@a.example>, Bob <bob@b.example>",
        "Ann <ann@a.example> <mallory@evil.example>",
        "<mallory@evil.example> <ann@a.example>",
        "ann@a.example <mallory@evil.example>",
        "mallory@evil.example <ann@a.example>",
        "Ann <ann@a.example> mallory@evil.example",
        "<ann@a.example>mallory",
        "<<ann@a.example>>",
        "<ann@a.example",
        "ann@a.example>",
        "ann@@a.example",
        "ann@a@a.example",
        '"ann" @a.example',
        '"ann"bob@a.example',
        '<"ann@a.example>',
        '<"ann@a.example>, <x"@evil.example>',
        'Ann "x"@evil.example <ann@a.example>',
        "an n@a.example",
        "ann@ a.example",
        "ann@a.example\\@evil.example",
        "<ann(x)@a.example>",
        "<ann@(x)a.example>",
        "ann@[127.0.0.1]",
        "\u0430nn@a.example",
        "\uff41nn@a.example",
        "ann\uff20a.example",
        "ann@a.example\u200b",
        "ann@\u24d0.example",
        "bob@b.example\u212a",
        "m\xfcller@a.example",
        "ann@a.example <ann@b\xfccher.example>",
        "=?utf-8?q?ann=40a=2Eexample?=",
        "=?utf-8?q?ann?=@a.example",
        "=?utf-8?b?PGFubkBhLmV4YW1wbGU+?=",
        "ann@a.example\x00",
        "ann@a.exa\x01mple",
        "ann\x7f@a.example",
        "Ann <ann@a.example>, ",
    ],
)
def test_what_is_not_plainly_one_address_is_none(value: str) -> None:
    """Groups, routes, several addresses, and look-alikes are not read as anybody's address."""
    assert single_address([value]) == ""


def test_there_is_one_from_and_no_more() -> None:
    """Two headers are one too many, even where both say the same, or one says nothing."""
    assert (
        single_address([]) == single_address([ANN, ANN]) == single_address(["", ANN]) == single_address([ANN, ""]) == ""
    )
    assert parse(f"From: {ANN}\nFrom: bob@b.example\n\nd4".encode()).senders == ()
    assert parse(f"From: {ANN}\nSender: Bob <bob@b.example>\nReply-To: x@y.example\n\nd4".encode()).senders


@each("piece", ["(", ")", '"', "\\", '\\"', "<", "@", "a@b ", "()", '("', "<a@", "x:", " ", "=?a?q?"])
def test_no_field_takes_long(piece: str) -> None:
    """Whatever a field is made of, it is read in time proportional to its length."""
    started = process_time()
    for value in (piece * 100_000, "Ann <ann@a.example" + piece * 100_000, piece * 9_000 + "\n"):
        single_address([value])
        strip_comments(value)
    assert process_time() - started < 0.5


@each(
    "typed, address",
    [
        ("a..b@docomo.example", '"a..b"@docomo.example'),
        ("ab.@DoCoMo.example", '"ab."@docomo.example'),
        (".ab@docomo.example", '".ab"@docomo.example'),
        ("a...@docomo.example", '"a..."@docomo.example'),
        ('"A..b"@docomo.example', '"a..b"@docomo.example'),
        ('"ann"@a.example', "ann@a.example"),
        ('"ann.lee"@a.example', "ann.lee@a.example"),
        ('"a\\nn"@a.example', "ann@a.example"),
        ('"ann lee"@a.example', '"ann lee"@a.example'),
        ('"lee, ann"@a.example', '"lee, ann"@a.example'),
        (r'"a\"n\\n"@a.example', r'"a\"n\\n"@a.example'),
        ("ann@b\u00fccher.example", "ann@xn--bcher-kva.example"),
        ("Ann@BU\u0308CHER.Example", "ann@xn--bcher-kva.example"),
        ("ann@XN--BCHER-KVA.example", "ann@xn--bcher-kva.example"),
        ("ann@fa\u00df.example", "ann@xn--fa-hia.example"),
        ("ann@FA\u1e9e.example", "ann@xn--fa-hia.example"),
        ("ann@\u041f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "ann@xn--e1afmkfd.xn--p1ai"),
        ("ann@\u4f8b\u3048.\u30c6\u30b9\u30c8", "ann@xn--r8jz45g.xn--zckzah"),
        ("ann@\u0939\u093f\u0928\u094d\u0926\u0940.example", "ann@xn--j2bd4cyah0f.example"),
        ("ann@\u0391\u03a3.example", "ann@xn--mxa0b.example"),
        ("a..b@b\u00fccher.example", '"a..b"@xn--bcher-kva.example'),
    ],
)
def test_an_address_that_exists_is_the_same_however_it_is_written(typed: str, address: str) -> None:
    """In From, in what people type, and on the way to their server: its form is one that servers take (RFC 5321)."""
    assert normal_address(typed) == normal_address(address) == address
    assert single_address([typed]) == single_address([f'"Lee, Ann" <{typed}>']) == address
    assert parse(f"From: Ann <{typed}>\n\nd4".encode()).senders == (address,)
    assert parseaddr(formataddr(("Lee, Ann", address))) == ("Lee, Ann", address)
    assert mailbox_of(add_plus(address, "games")) == mailbox_of(address) == address
    assert quote_address(address) == f"<{address}>"


@each(
    "address, other",
    [
        ("ann@apple.example", "ann@\u0430pple.example"),  # a Cyrillic letter
        ("ann@bucher.example", "ann@b\u00fccher.example"),
        ("ann@fass.example", "ann@fa\u00df.example"),
        ("ann@\u0391\u03a3.example", "ann@\u03b1\u03c2.example"),
        ("ab@docomo.example", "ab.@docomo.example"),
        ("a.b@docomo.example", "a..b@docomo.example"),
        ('"ann lee"@a.example', '"ann  lee"@a.example'),
    ],
)
def test_a_stranger_with_an_address_that_looks_alike_is_somebody_else(address: str, other: str) -> None:
    """Nothing is folded that servers keep apart."""
    assert normal_address(address) != normal_address(other)
    assert single_address([f"Ann <{other}>"]) == normal_address(other)


@each(
    "address, shown",
    [
        ("ann@xn--bcher-kva.example", "ann@b\u00fccher.example (xn--bcher-kva.example)"),
        ("ann@xn--pple-43d.example", "ann@\u0430pple.example (xn--pple-43d.example)"),
        ("ann@a.example", "ann@a.example"),
        ("ann@xn--a.example", "ann@xn--a.example"),
        ("ann@xn--99999999.example", "ann@xn--99999999.example"),
        ("ann@xn--abc-.example", "ann@xn--abc-.example"),
        ("ann@xn--n3h.example", "ann@xn--n3h.example"),  # a snowman
    ],
)
def test_a_domain_is_shown_in_its_letters_beside_what_it_is(address: str, shown: str) -> None:
    """So that a letter that looks like another is no disguise; what no program would write so stays as it is."""
    assert show_address(address) == shown


@each("typed", ["m\u00fcller@a.example", "\u0430nn@a.example", '"j\u00f6rg"@a.example', "\u212aen@a.example"])
def test_letters_before_the_sign_are_refused_in_one_sentence(typed: str) -> None:
    """Most servers take no email to such an address (RFC 6531)."""
    with pytest.raises(BadInput, match=r"^“.*” can’t be written to: before the @ .* only ASCII letters may stand\.$"):
        normal_address(typed)


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


@each(
    "text",
    [
        "",
        "ann",
        "@example.org",
        "ann@",
        "a b@example.org",
        "ann@ex ample.org",
        "ann@-a.example",
        "ann@a..example",
        '""@example.org',
        '"ann@example.org',
        'a"b@example.org',
        '"a\tb"@example.org',
        '"<script>"@example.org',
        '"ann@example.org mallory"@evil.example',
        f'"{"." * 63}"@example.org',
        "ann@\u2603.example",  # a snowman: no letter of a name
        "ann@b\u00fc_cher.example",
        "ann@\u0301a.example",
        "ann@b\u00fc\u200dcher.example",  # a joiner that nobody sees
        f"ann@{'b' * 62}\u00fc.example",
        "ann@example.org\nBcc: x@y.example",
        "änn@example.org",
        "\u212aen@example.org",  # the Kelvin sign, whose lower case is k
        "ken@boo\u212as.example",
        "a\u017fa@example.org",  # the long s, whose upper case is S
        "\u0130nn@example.org",  # the dotted I, whose lower case is i and a dot
        "ann@exampl\uff45.org",
        "\u0430nn@example.org",  # a Cyrillic letter that looks like a
        "<ann@example.org>",
        f"{'a' * 65}@example.org",
        "=?utf-8?q?ann?=@example.org",
    ],
)
def test_what_mail_cannot_be_sent_to_is_refused(text: str) -> None:
    """The refusal quotes what was typed, on one line."""
    assert not is_address(text)
    typed = text.replace("\n", " ")
    with pytest.raises(BadInput) as refusal:
        normal_address(typed)
    assert f"“{typed}”" in str(refusal.value)
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
    assert add_plus('"a..b"@c.example', "x") == '"a..b+x"@c.example'
    assert mailbox_of("a.+x@c.example") == '"a."@c.example'
    assert local_of('"a b"@c.example') == "a b"


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
