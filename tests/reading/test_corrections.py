"""Words below a move that take it back or name another: nothing is played, the player is asked."""

import pytest

from pbem.commands.rejections import Rejection
from pbem.notices.sentences.reasons import note_rejection
from tests.support.each import each
from tests.support.judging import moves, partners, put, refusal, start


@each(
    "line",
    ["Sorry, b2 instead", "Oops, I meant b2", "No, b2!", "Korrektur: b2", "d4 was wrong, rather b2", "pardon, b2"],
)
def test_a_correction_below_a_move_needs_clarification(line: str) -> None:
    """Who corrects himself in the same message is asked which of the two he means; nothing is played."""
    why = refusal(start(), 0, f"c5\n{line}")
    assert (why.kind, why.code) == ("several_moves", "corrected")
    assert why.arguments["move"] == "c5"
    assert str(why.arguments["other"]) in line


@each(
    "line",
    ["Not d4, b2!", "Edit: b2", "make that b2", "forget it, b2", "lieber b 2", "sorry, B-2", "besser b2", "or b2"],
)
def test_a_correction_in_other_words_needs_clarification(line: str) -> None:
    """Another move that could be made, behind a word that changes one, is asked about however it is written."""
    with pytest.raises(Rejection):
        put(start(), 0, f"c5\n{line}")


@pytest.mark.parametrize(
    "line", ["Sorry for the delay, 2 days!", "No, c5 is the best", "b2 looks good as well", "Sorry, z9?"]
)
def test_regret_without_another_legal_move_corrects_nothing(line: str) -> None:
    """Only another move that could be made makes it one."""
    assert moves(put(start(), 0, f"c5\n{line}")) == ("c5",)


@each(
    "text",
    [
        "c5\nNo wait, do not play that. I will think again.",
        "c5\nScratch that",
        "c5\nSorry, wrong match.",
        "resign\nNo wait, I do not want that!",
        "resign\njust kidding",
        "c5\nis impossible. Let me think.",
        "c5\nor must it be in capitals?",
        "resign\nis what you should do",
        "c5\n?",
    ],
)
def test_a_retraction_below_needs_clarification(text: str) -> None:
    """Whoever takes his move back in the same message, or goes on with the sentence it was a part of, is asked."""
    assert refusal(start(), 0, text).code == "retracted"


def test_a_retraction_names_the_move_and_no_private_words() -> None:
    """The question names the move, not a private line beside it: what is kept of it is for the operator, too."""
    why = refusal(partners(), 2, "a5\nteam: up the c file\n\nScratch that")
    assert (why.code, why.arguments) == ("retracted", {"done": "a5", "line": "Scratch that"})
    assert "file" not in note_rejection(why)
