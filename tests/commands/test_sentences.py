"""One rule finds the one move in a line of words: what plays, what never does, and what becomes of the other words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands import Rejection
from pbem.commands.sentences import read_sentence, resigns_in, scan_line
from pbem.commands.spelling import read_tokens
from rules import Entry
from tests.support.judging import moves, partners, put, refusal, said, start

ONE = start("pipline", 2, Entry(0, "take"))
"""A match in which a turn is one stone; seat 1 is to act."""

SIGNS = (
    *("not", "maybe", "if", "unless", "perhaps", "don't", "never", "or", "instead", "wait", "should", "thought", "why"),
    *(
        "nicht",
        "vielleicht",
        "wenn",
        "oder",
        "pas",
        "peut-être",
        "ou",
        "quizás",
        "forse",
        "talvez",
        "misschien",
        "kanske",
    ),
    *("może", "lub", "не", "если", "или", "ikke", "måske", "nem", "belki", "か？", "吗", "ません"),
)
KIND = ("Hi Bob!", "Good luck!", "Cheers.", "Nice weather here.", "Hello!", "See you soon.", "Viel Glück!", "Merci !")
MORE = ("Powodzenia!", "Удачи!", "Lycka till!", "よろしく。", "😀", ":)")
FRIENDLY = st.lists(st.sampled_from((*KIND, *MORE)), max_size=3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("d4 - good luck", "good luck"),
        ("d4. Good luck!", "Good luck!"),
        ("d4, your turn", "your turn"),
        ("Hi Ida! d4", "Hi Ida!"),
        ("d4 gg", "d4 gg"),
        ("I'd like d4", ""),
        ("Let me try d4", ""),
        ("home: d4", ""),
        ("4d", ""),
        ("d four", ""),
        ("column d, row 4", ""),
        ("d4, not c2", ""),
        ("nicht c2, sondern d4", ""),
        ("Ich spiele d4, viel Glück", "viel Glück"),
        ("хожу d4, удачи", "удачи"),
        ("d4、よろしくお願いします", ""),
        ("d4 please, and thank you", ""),
    ],
)
def test_one_move_among_friendly_words_is_played_and_the_words_passed_on(text: str, words: str) -> None:
    """Words that say no more than the move reach nobody."""
    decision = put(ONE, 1, text)
    assert moves(decision) == ("d4",)
    assert said(decision) == ([(words, False)] if words else [])


@given(FRIENDLY, FRIENDLY)
def test_friendly_words_never_change_which_move_is_played(before: list[str], after: list[str]) -> None:
    """Whatever sentences stand before and behind it, on its line."""
    assert moves(put(ONE, 1, " ".join([*before, "I play d4.", *after]))) == ("d4",)


@given(
    st.sampled_from(SIGNS),
    st.lists(st.sampled_from(["I", "play", "d4", "ich", "je", "now", "good", "luck", ",", "-"]), max_size=6),
    st.integers(0, 6),
)
def test_a_line_with_a_sign_of_doubt_never_plays(sign: str, words: list[str], place: int) -> None:
    """Wherever it stands in the sentence of the move."""
    line = " ".join([*words[:place], sign, *words[place:], "d4"])
    with pytest.raises(Rejection):
        put(ONE, 1, line)


@given(st.text("d4c2 ,.!?-'\"ninotrplay()", max_size=40))
def test_what_is_found_stands_on_the_line_and_is_legal(line: str) -> None:
    """No move is made up: its cells are named, and it can be played."""
    found = read_sentence(ONE.position, line)
    if found is not None and found[1]:
        names = {token.text for token in read_tokens(line.lower().replace("’", "'"))}
        assert set(found[1].split()) <= names
        ONE.position.play(ONE.position.parse(found[1]))


@pytest.mark.parametrize(
    "text",
    [
        "d4?",
        "I think d4",
        "d4, I think",
        "d4 (I think)",
        "d4 or c2",
        "d4. Or c2.",
        "d4. No wait!",
        "d4. Right?",
        "you played d4",
        "Bob says d4",
        "d4 looks good",
        "d4 is tempting",
        "forget d4",
        "explain d4",
        "next to d4",
        "Free points: d4",
        "In the other match: d4",
        "not d4, c2",
        "d4 beats c2",
        "d4, I resign",
        "d4'; DROP TABLE games;--",
        "d4 {{7*7}}",
        "The stone on d4 blinks behind grandmother's green wardrobe nightly",
        "wlazł kotek płotek mruga ładna piosenka długa d4",
    ],
)
def test_what_asks_doubts_or_tells_is_asked_back(text: str) -> None:
    """A wrong move costs a match, a question costs a minute."""
    with pytest.raises(Rejection):
        put(ONE, 1, text)


def test_a_taken_cell_beside_the_move_is_only_mentioned() -> None:
    """Only where it stands in a sentence of its own, with a word of its own, and can be nothing else."""
    match = start("pipline", 2, Entry(0, "take"), Entry(1, "c2"))
    assert moves(put(match, 0, "Ouch, c2. I go d4.")) == ("d4",)
    with pytest.raises(Rejection):
        put(match, 0, "c2. d4.")


def test_the_colour_of_a_take_must_be_the_right_one() -> None:
    """Who says the other colour has not understood what is taken."""
    match = start("zipline", 3, Entry(0, "c3"))
    for text in (
        "I take white",
        "Ich nehme Weiß",
        "je prends les blancs",
        "tomo las blancas",
        "biorę białe",
        "Беру белые",
    ):
        assert moves(put(match, 1, text)) == ("take",)
    with pytest.raises(Rejection):
        put(match, 1, "I take black")


@pytest.mark.parametrize("text", ["Take your time", "I'll take a break", "hard to take", "Take that!", "take it easy"])
def test_a_verb_in_another_sense_is_no_move(text: str) -> None:
    """It is one only with the objects that a move has."""
    with pytest.raises(Rejection):
        put(start("zipline", 3, Entry(0, "c3")), 1, text)


def test_steps_of_one_turn_on_lines_of_their_own_are_one_turn() -> None:
    """Where together they are a legal turn, and the first alone would end it; else two moves are asked about."""
    assert moves(put(start(), 0, "d4\ne5")) == ("d4 e5",)
    assert moves(put(start(), 0, "d4\n\nand then e5\n\nGood luck")) == ("d4 e5",)
    assert refusal(ONE, 1, "d4\ne5").kind == "several_moves"
    assert refusal(start(), 0, "d4\nor\ne5").kind in ("several_moves", "no_command")
    assert refusal(start(), 0, "a1\nb1\nc1\nd1").kind == "several_moves"


def test_a_sentence_that_goes_on_from_the_line_above_is_read_with_it() -> None:
    """What it hangs on may say no."""
    with pytest.raises(Rejection):
        put(ONE, 1, "I never would have dared\nto play d4 so early")
    assert moves(put(ONE, 1, "Hi Ann, all is well here and the sun shines,\nI play d4.")) == ("d4",)


def test_a_long_sentence_beside_a_line_that_is_a_move_is_a_remark() -> None:
    """The bare line is meant."""
    assert moves(put(ONE, 1, "My dog has put his green ball and two bones on d4, look.\nc2")) == ("c2",)


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("I resign. Good game!", "Good game!"),
        ("Well played, I resign.", "Well played"),
        ("Congratulations! I resign.", "Congratulations!"),
        ("Jag ger upp. Bra spelat!", "Bra spelat!"),
        ("I resign if you win", None),
        ("You should resign. Bye", None),
        ("I will never resign. Good game", None),
        ("I resign? Good one", None),
        ("Maybe. I resign", None),
        ("Bob, resign. Good game", None),
    ],
)
def test_giving_up_among_kind_words(line: str, rest: str | None) -> None:
    """It fills a sentence or a clause, and nothing on the line speaks against it."""
    assert resigns_in(line) == rest


def test_a_line_is_read_in_bounded_time() -> None:
    """A long line is not looked through, and one of many cells is none."""
    assert scan_line("d4 " * 500) == ()
    assert scan_line("d4 " * 60) == ()
    assert scan_line("-" * 390 + " d4") == ()


@pytest.mark.parametrize(
    "line",
    [
        "Ann, let's go left",
        "let's go left, Ann",
        "This is between us",
        "Don't tell Bob",
        "unter uns: ich gehe nach links",
        "entre nous, je vais à gauche",
        "psst, left",
        "my partner should go left",
        "Ann, sag das bitte nicht Bob",
    ],
)
def test_words_that_may_be_private_are_asked_about_wherever_they_stand(line: str) -> None:
    """On the line of the move as below it, while there is a partner."""
    assert refusal(partners(), 2, f"a5\n{line}").code == "unclear_recipient"
    with pytest.raises(Rejection):
        put(partners(), 2, f"a5. {line}.")


def test_who_may_get_a_partner_is_asked_too_and_two_players_are_not() -> None:
    """Before the sides are known everybody may become the partner; where there are two there is nobody to hide from."""
    assert refusal(start(), 0, "d4\nBob, let's go left").code == "unclear_recipient"
    assert refusal(start(), 0, "d4\nbetween us: left").code == "unclear_recipient"
    assert said(put(start(), 0, "d4\nGood luck to Bob and Carl")) == [("Good luck to Bob and Carl", False)]
    assert said(put(ONE, 1, "d4\nBetween us, Ann: left")) == [("Between us, Ann: left", False)]
