"""Names are what is seen of them: nothing hidden in them, and lookalikes recognised."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.headers import split_named
from pbem.mail.names import clean_name, skeleton_of
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
