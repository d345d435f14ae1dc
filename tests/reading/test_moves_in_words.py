"""A move among words: greetings, frames and signs around it, and sentences that only mention it."""

import pytest

from pbem.commands.rejections import Rejection
from pbem.match.time.time_control import DEFAULT_CONTROL
from pbem.match.timing import start_clock
from rules.phrase import quote
from rules.position import Entry
from tests.support.each import each
from tests.support.judging import NOW, moves, partners, put, refusal, said, start, waiting


@each(
    "above, passed",
    [
        ("Hello all,\n\nhere is my move.", ""),
        ("Hi Bob,", ""),
        ("Guten Morgen zusammen!", ""),
        ("My move is", ""),
        ("Yes, it is! The auction decides.", "Yes, it is! The auction decides."),
        ("Sorry for the delay", "Sorry for the delay"),
        ("You are too good for me.", "You are too good for me."),
        ("Well played, Bob!", "Well played, Bob!"),
        ("Hi there,\n\nthe weather is awful here", "Hi there,\n\nthe weather is awful here"),
        ("What a lovely shot that was. My move is", "What a lovely shot that was."),
        ("Je suis rentrée de vacances hier.\n\nJe joue", "Je suis rentrée de vacances hier."),
    ],
)
def test_words_above_a_move_are_passed_on_but_for_greetings_and_what_leads_to_it(above: str, passed: str) -> None:
    """As they were written, with what stands below it."""
    assert said(put(start(), 0, f"{above}\nc3")) == ([(passed, False)] if passed else [])
    below = f"{passed}\nIt was hard." if passed else "It was hard."
    assert said(put(start(), 0, f"{above}\nc3\nIt was hard.\nAnn")) == [(below, False)]


def test_words_beside_what_others_hear_of_are_passed_on() -> None:
    """Whoever asks for a pause says why; whoever asks for help talks to us."""
    timed = start_clock(start("pipline", 2), DEFAULT_CONTROL, NOW)
    decision = put(timed, 0, "Hi Bob,\npause 5d\n\nMum goes into hospital tomorrow.")
    assert [comment.text for comment in decision.comments] == ["Hi Bob,\n\nMum goes into hospital tomorrow."]
    decision = put(start(), 0, "help\n\nI have lost the rules again.")
    assert (decision.comments, [aside.code for aside in decision.asides]) == ((), ["words_kept"])


@each(
    "line",
    [
        *("show", "help", "status", "history", "plan", "record", "export", "digest weekly", "display unicode"),
        *("mails turns", "name Annie", "tz Berlin", "quiet 22-7", "remind 12h", "page off", "note x", "new address"),
    ],
)
def test_words_beside_what_nobody_else_hears_of_are_named(line: str) -> None:
    """Those above and those below, with how they would be passed on; what only greets is not."""
    own = ("The weather is lovely here.", "Nice dog, Bob!", "My garden grows.", "It really does.")
    decision = put(start("pipline", 2), 0, "\n".join(["Hi Bob,", *own[:2], line, *own[2:]]))
    (kept,) = [aside for aside in decision.asides if aside.code == "words_kept"]
    assert (decision.comments, dict(kept.arguments)["lines"]) == ((), ", ".join(map(quote, own)))


@each(
    "above",
    [
        "Please wait with my move until tomorrow.",
        "Draft only, not final.",
        "Do not count this.",
        "Not this one, I beg you.",
        "Nicht diesen Zug, bitte!",
        "Please ignore the following, my son typed it.",
        "Ignorez ce qui suit, mon fils a écrit ça.",
    ],
)
def test_what_takes_a_move_back_counts_above_it_too(above: str) -> None:
    """As it does below."""
    assert refusal(start(), 0, f"{above}\n\nc3").code == "retracted"
    assert refusal(start(), 0, f"c3\n\n{above}").code == "retracted"


def test_no_address_above_the_word_ready_is_passed_on() -> None:
    """Nor above any other command that others hear of."""
    assert put(waiting(), 0, "Block zoe@z.example please, I cannot stand her.\nready").comments == ()


def test_no_note_swallows_a_move() -> None:
    """Where its line is as long as one that an email program broke, it is asked about."""
    note = "note: he is probably heading for the top, so check the right side first"
    assert refusal(start(), 0, f"{note}\nc3").code == "end_of_sentence"
    assert moves(put(start(), 0, f"{note}.\nc3")) == ("c3",)


def test_a_line_below_the_move_is_a_comment() -> None:
    """A word with a digit in it is no second move if the rules cannot read it."""
    assert [comment.text for comment in put(start(), 0, "c3\nsee you at 9").comments] == ["see you at 9"]


@each(
    "text",
    [
        "I play c5",
        "My move: c5!",
        "ok, c5",
        "c5 please",
        "C5, thanks!",
        "1. c5",
        "[c5]",
        "<c5>",
        "`c5`",
        "‘c5’",
        "c5…",
        "-> c5",
        "→ c5",
        "👉 c5 🙂",
        "• c5",
        "c5 :)",
        "c-5",
        "Ich spiele c5",
        "mon coup : c5",
        "хожу c5",
        "c5です",
        "我下c5",
        "Hi, I play c5",
    ],
)
def test_a_short_frame_around_a_move_is_left_out(text: str) -> None:
    """A short frame around the move, in the players' languages, is not part of it."""
    assert moves(put(start(), 0, text)) == ("c5",)


@each("text", ["*a1*", "(a1)", "„a1“", "«a1»", "_a1_", '"a1"'])
def test_marks_around_a_move_are_left_out(text: str) -> None:
    """Bold type, brackets and quotation marks are no part of a move."""
    assert moves(put(partners(), 2, text)) == ("a1",)


@each("text", ["take please", "ok, take", "I take", "I'll take it", "👉 take", "(take)", "Take it, thanks!"])
def test_a_short_frame_around_a_word_move_is_left_out(text: str) -> None:
    """What holds for cells holds for the moves that are words."""
    assert moves(put(start("zipline", 3, Entry(0, "c3")), 1, text)) == ("take",)


@pytest.mark.parametrize("line", ["Hi 5 :)", "ok, 17:30 then", "Move 2 was strong, 3 too", "*8 points*"])
def test_a_comment_keeps_what_looks_like_a_frame(line: str) -> None:
    """What looks like a frame around a number loses nothing of itself in a comment."""
    (comment,) = put(start(), 0, f"c5\n{line}").comments
    assert comment.text == line


@each(
    "text",
    [
        "Sure: c5 (I think)",
        "I play c5?",
        "Should I play c5",
        "maybe c5",
        "not c5",
        "if c5",
        "> c5",
        "I play c5 if you play a1",
        "· c5",
    ],
)
def test_a_move_inside_a_sentence_is_not_played(text: str) -> None:
    """Somebody who writes about a move may not mean to make it."""
    with pytest.raises(Rejection):
        put(start(), 0, text)


@each(
    "text",
    [
        "❌ c5",
        "c5 ❌",
        "🤔 c5",
        "❓ c5",
        "👎 c5",
        "c5 :(",
        "[ ] c5",
        "c5 🤷",
        "🚫 c5",
        "☐ c5",
        "If I were you,\nc5",
        "Never play:\nc5",
        "I will never play\n\nc5",
        "What I will not play:\nc5",
        "Should I just\n\nresign",
        "Not yet:\nresign",
        "No; resign",
        "I will fight on; resign",
        "resign?",
    ],
)
def test_signs_and_sentences_that_say_no_prevent_a_move(text: str) -> None:
    """A sign that asks or says no is no decoration, and neither a comma nor an empty line ends a sentence."""
    with pytest.raises(Rejection):
        put(start(), 0, text)


@pytest.mark.parametrize(
    "text", ["I would not play\nc5", "what if I play\nc5", "you should never\nc5", "ich würde nicht\nc5"]
)
def test_a_move_that_ends_a_negation_needs_clarification(text: str) -> None:
    """However narrow his lines are: a line that a negation or an if leads to is asked about."""
    assert refusal(start(), 0, text).code == "end_of_sentence"


@pytest.mark.parametrize(
    ("seat", "text"),
    [
        (2, "Well done Bob, but I think that you have overlooked the very strong answer at\ne3.\nMore tomorrow."),
        (2, "team: listen, Ann, I think the best thing for the two of us is to answer at\nb4"),
    ],
)
def test_a_move_that_ends_a_broken_sentence_needs_clarification(seat: int, text: str) -> None:
    """A cell that an email program has put on a line of its own is asked back, and nothing is passed on."""
    assert refusal(partners(), seat, text).code == "end_of_sentence"


@pytest.mark.parametrize("text", ["nothing here to\ntake", "That is all I can\ntake.", "it is too much to\n\ntake"])
def test_a_word_that_ends_a_sentence_is_not_played(text: str) -> None:
    """The last word of a footer that an email program broke is not played, though it is a move in the auction."""
    with pytest.raises(Rejection):
        put(start("zipline", 3, Entry(0, "c3")), 1, text)


@pytest.mark.parametrize("text", ["I will never\nresign", "You should\nresign", "My friends say I ought to\nresign"])
def test_resign_at_the_end_of_a_sentence_needs_clarification(text: str) -> None:
    """A line above without its end makes it one; a match is not lost by where a line was broken."""
    assert refusal(start(), 0, text).code == "word_in_sentence"


@pytest.mark.parametrize("text", ["Hi Bob\nresign", "Well played.\nresign", "Thanks!\n\nresign", "Sorry\nresign"])
def test_resign_below_a_greeting_counts(text: str) -> None:
    """Whoever writes resign on a line of its own, below something that has ended, has given up."""
    assert put(start(), 0, text).done == ("resign",)


@pytest.mark.parametrize("text", ["resign?", "Resign ?", "I resign?"])
def test_resign_with_a_question_mark_does_not_count(text: str) -> None:
    """Nobody loses a match by asking."""
    with pytest.raises(Rejection):
        put(start(), 0, text)


def test_please_resign_is_no_resignation() -> None:
    """Nobody gives up by a sentence that may be meant for his opponent."""
    assert moves(put(partners(), 2, "a5\nplease resign")) == ("a5",)
    assert put(partners(), 2, "a5\nplease resign").after.outcome is None


def test_a_broken_sentence_beside_a_move_is_a_comment() -> None:
    """The move stands by itself; what an email program broke below it is what was said."""
    said = "I think that all of you have overlooked how very strong it is to answer at"
    decision = put(partners(), 2, f"a1\n{said}\ne3.")
    assert moves(decision) == ("a1",)
    assert decision.comments[0].text == f"{said}\ne3."


@each("above", ["If Bob had not come, I'd have played", "Ohne Bob hätte ich gespielt", "Yesterday I wanted to play"])
def test_what_might_have_been_played_is_no_move(above: str) -> None:
    """The sentence above it tells so."""
    assert refusal(start(), 0, f"{above}\n\nc3").code == "end_of_sentence"


@each(
    "line, passed",
    [
        *((f"d4 {words}", "") for words in ("of course", "(I hope)", "obviously", "I think", "as usual", "natürlich")),
        *((f"d4, {words}", "") for words in ("I hope", "of course", "bien sûr", "hoffentlich", "i hope", "claro")),
        *((f"{words} d4 (I hope)", "") for words in ("Move:", "My move:", "Next:", "Zug:", "Well,")),
        ("My move is d4, hopefully the best", "hopefully the best"),
        ("Good luck, Ann, I play d4, have fun", "Good luck, Ann, I play d4, have fun"),
        ("d4, because I like it", "d4, because I like it"),
        ("d4 and good luck!", "d4 and good luck!"),
        *((f"d4. Sorry Dora! {smiley}", f"Sorry Dora! {smiley}") for smiley in (";-)", ":-)", ";)", ":D", "^^", "<3")),
        *((f"Sorry Dora! {smiley} d4", f"Sorry Dora! {smiley}") for smiley in (";-)", ":-)", ";o)", "8-)")),
        ("d4 (sorry Dora! ;-))", "(sorry Dora! ;-))"),
    ],
)
def test_a_remark_on_the_line_of_a_move_is_passed_on_whole_or_not_at_all(line: str, passed: str) -> None:
    """One piece of the line, or all of it: never what is left of it when the move is taken out."""
    decision = put(start("pipline", 2), 0, line)
    assert (moves(decision), said(decision)) == (("d4",), [(passed, False)] if passed else [])


@each(
    "line",
    [
        "Sorry Dora! ;-)",
        "Oh no ;o)",
        "Well; you know",
        "Hm ;_;",
        "Tom &amp; Jerry",
        "so close;no luck",
        "too bad ;-(",
        ";-) ha",
    ],
)
def test_a_remark_with_a_semicolon_is_one(line: str) -> None:
    """Where no part of it is a command, or a move; above the move and below it."""
    assert said(put(start("pipline", 2), 0, f"d4\n{line}")) == [(line, False)]
    assert said(put(start("pipline", 2), 0, f"{line} Really!\nd4")) == [(f"{line} Really!", False)]


@each(
    "words",
    [
        "Cheers",
        "Gruß, Bob",
        "Gruß",
        "Best regards\nBob",
        "LG",
        "Groeten",
        "A presto",
        "Kind regards, Bob",
        "Bob",
        "Saludos",
    ],
)
def test_a_farewell_or_a_name_alone_is_no_remark(words: str) -> None:
    """Below a move nobody reads it; alone it is no move that was tried. Thanks and wishes are for somebody."""
    match = start("pipline", 2, Entry(0, "c3"))
    assert said(put(match, 1, f"d4\n\n{words}")) == []
    assert refusal(match, 1, words).code == "no_command"
    for kind in ("Thanks!", "Good luck!", "Cheers all, that was fun", "Touché"):
        assert said(put(match, 1, f"d4\n\n{kind}\n{words}"))[0][0].startswith(kind)
