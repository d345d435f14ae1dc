"""Names are what is seen of them: nothing hidden in them, and lookalikes recognised."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.headers import split_named
from pbem.mail.names import clean_name, may_be_service, name_sender, skeleton_of
from tests.support.each import each


@each(
    "hidden, seen",
    [
        ("Ann\u202eeeL", "Ann eeL"),
        ("\u2066Ann\u2069", "Ann"),
        ("A\u034fnn", "Ann"),
        ("Ann\u3164", "Ann"),
        ("\u2800Ann\ufe0f", "Ann"),
        ("Ann\u200b Lee\ufeff", "Ann Lee"),
        ("Ann\r\nBcc: x", "Ann Bcc: x"),
        ("\x1b[31mAnn", "[31mAnn"),
        ("A" + "\u0301" * 30 + "nn", "Ann"),
        ("Zoë Dvořák-O'Neill", "Zoë Dvořák-O'Neill"),
        ("Nguye\u0302\u0303n", "Nguye\u0302\u0303n"),
        ("李小龙", "李小龙"),
    ],
)
def test_a_name_hides_nothing(hidden: str, seen: str) -> None:
    """What turns or hides other characters, or cannot be seen, does not make another name of the same look."""
    assert split_named(f"{hidden} <ann@a.example>") == (seen, "ann@a.example")


@each(
    "other",
    [
        "ann lee",
        "ANN LEE",
        "AnnLee",
        "Ann  Lee",
        "Аnn Lee",
        "Аnn Lее",
        "Ánn Lëe",
        "Ａｎｎ Ｌｅｅ",
        "Ann-Lee.",
        "Ann 1ee",
    ],
)
def test_a_lookalike_has_the_same_skeleton(other: str) -> None:
    """Letter case, spaces, accents, wide letters, and those of other scripts do not make another person."""
    assert skeleton_of(other) == skeleton_of("Ann Lee")


def test_other_names_have_other_skeletons() -> None:
    """Nobody is warned of a name that nobody would mistake."""
    names = ["Ann", "Anne", "Hanna", "Ann 2", "Bob", "Анна", "Иван", "李小龙", "王小龙"]
    assert len({skeleton_of(name) for name in names}) == len(names)


@given(st.text(max_size=60))
def test_cleaning_is_done_at_once(text: str) -> None:
    """A clean name stays as it is, and every character of it is printable."""
    clean = clean_name(text)
    assert clean.isprintable()
    assert clean_name(clean) == clean


@each("opponents", ["Bob & Carl", "Zoë Dvořák-O'Neill", "J. Smith, Bob & Robot 2", "李小龙", "अनीता"])
def test_a_sender_is_the_service_with_the_opponents(opponents: str) -> None:
    """So that emails of matches can be told apart in a list."""
    assert name_sender("Club", opponents) == f"Club ({opponents})"


@each(
    "attack, opponents",
    [
        ("an address", "PayPal <a@b.example>"),
        ("an address without brackets", "ann@a.example"),
        ("a domain", "paypal.com"),
        ("another name of a sender", 'Club" <a@b.example>, "x'),
        ("a bracket that closes early", "Bob) of the Club (x"),
        ("an encoded word", "=?utf-8?q?PayPal?="),
        ("a header", "Bob\r\nBcc: x@y.example"),
        ("text that runs backwards", "Bob\u202emoc.lapyap"),
        ("letters that are not seen", "Bo\u200bb"),
        ("a link", "https://x.example"),
        ("a sentence", "Your account is locked! Call"),
        ("more than there is room for", "Bob " * 20 + "& Carl"),
        ("the service itself", "Club"),
        ("who answers for the service", "Club Support"),
        ("the service itself, beside somebody", "Bob & cIub"),
        ("the service in other letters", "Сlub, Bob & Carl"),
    ],
)
def test_no_opponent_passes_for_another_sender(attack: str, opponents: str) -> None:
    """Then the sender is the service alone."""
    assert name_sender("Club", opponents) == "Club", attack


@each(
    "name",
    [
        "",
        "games@play.example",
        "Club <x>",
        "Club: now",
        "play.example",
        "=?utf-8?q?Club?=",
        "C\u202elub",
        "-",
        "x" * 31,
    ],
)
def test_a_service_is_called_by_a_name(name: str) -> None:
    """Not by an address, or what is another name once it is read."""
    assert not may_be_service(name)
    assert may_be_service("Café Zip & Co.")
