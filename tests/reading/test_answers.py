"""What is read as a yes or a no, and what else a message may say beside it."""

import pytest

from pbem.reading.answers import read_answer


@pytest.mark.parametrize(
    "words",
    [
        "Yes. On reflection, I'd rather keep playing",
        "Yes. I take that back.",
        "Yes. Strike that.",
        "Yes, I was at home all day",
        "Yes, that was Bob",
        "Yes, Bob borrowed my laptop",
        "Yes, my account was hacked",
        "Yes, in a month",
        "Oui, si Carl veut",
        "Ja, sobald ich wieder gesund bin",
        "Sí, era Bob",
    ],
)
def test_a_yes_that_is_turned_is_unclear(words: str) -> None:
    """What takes a yes back, limits it or tells it of somebody else makes it one that nobody may act on."""
    answer = read_answer([words], ["Bob", "Carl"])
    assert (answer.means, answer.is_unclear) == ("", True)


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("Yes it was me, I changed my provider last week", "yes"),
        ("Sure, happy to stand in for Carl", "yes"),
        ("Draw accepted, good game!", "yes"),
        ("Ja, das ist meine neue Adresse", "yes"),
        ("No thanks, I have no time in December", "no"),
        ("I'd love to, but I'm too busy", "no"),
        ("No, but thanks for asking", "no"),
        ("Nein, dafür habe ich keine Zeit", "no"),
    ],
)
def test_reasons_change_nothing(words: str, means: str) -> None:
    """Most people say more than yes or no."""
    assert read_answer([words], ["Carl"]).means == means


@pytest.mark.parametrize("words", ["No, I do not mind", "No, I have nothing against it", "I'm not against it"])
def test_a_no_that_is_none_is_unclear(words: str) -> None:
    """A no that is turned around is not taken for one."""
    assert read_answer([words]).means == ""


@pytest.mark.parametrize(
    ("words", "is_bare"),
    [("Yes", True), ("Yes, thank you!", True), ("Yes, that was me", False), ("OK, thanks", False), ("Deal", False)],
)
def test_only_a_plain_word_is_bare(words: str, is_bare: bool) -> None:
    """What ends a match needs a word that can be nothing else."""
    answer = read_answer([words])
    assert answer.means == "yes"
    assert answer.is_bare == is_bare


def test_a_clause_of_many_words_is_no_answer() -> None:
    """Nobody answers by that, and reading it would take long."""
    assert read_answer(["yes " * 61]).means == ""
