"""Words below a move that take it back or name another: nothing is played, the player is asked."""

from dataclasses import replace

import pytest

from pbem.advice.advice import advice
from pbem.commands.grammar import read_commands
from pbem.commands.rejections import Rejection
from pbem.notices.sentences.reasons import note_rejection
from pbem.reading.corrections import split_corrections
from pbem.reading.reason import Reason
from rules.position import Entry
from tests.support.each import each
from tests.support.judging import moves, partners, put, refusal, said, start


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


@each(
    "above",
    [
        *("Please take my move back", "Let me take it back:", "Take it back please", "take back", "Can you undo c3?"),
        *("Undo my last move. Then:", "Could I get my move back?", "Take back my move, I want", "Undo c3"),
        *("Please undo", "Bitte meinen Zug zurücknehmen:", "Ich nehme meinen Zug zurück."),
    ],
)
def test_no_other_move_is_played_below_a_wish_to_take_one_back(above: str) -> None:
    """It leads to no move, and does not vanish: it is asked about."""
    assert refusal(start("pipline", 2, Entry(0, "c3"), Entry(1, "b2")), 0, f"{above}\nd4").code == "retracted"


@each("above", ["Back again! My move is", "Dann doch lieber:", "I'd rather play", "Let me see. My move:"])
def test_what_leads_to_a_move_takes_none_back(above: str) -> None:
    """Though it has words of those who do."""
    assert moves(put(start(), 0, f"{above}\nd4")) == ("d4",)


@each(
    "below",
    [
        *("wait and see", "Think it over!", "he hasn't seen it yet", "No, thank YOU", "You haven't won yet!"),
        *("Let's wait and see", "No, you're welcome", "No, thanks for the game", "just you wait", "She isn't back yet"),
    ],
)
def test_talk_below_a_move_takes_nothing_back(below: str) -> None:
    """Of others, of later, or in thanks."""
    assert said(put(start(), 0, f"d4\n{below}")) == [(below, False)]


@each("below", ["I'll think it over", "let me think it over", "not yet", "No, sorry", "No, thank you", "Wait for me"])
def test_who_is_not_done_thinking_takes_the_move_back(below: str) -> None:
    """Such words are as short as talk."""
    assert refusal(start(), 0, f"d4\n{below}").code == "retracted"


def test_a_retraction_names_the_move_and_no_private_words() -> None:
    """The question names the move, not a private line beside it: what is kept of it is for the operator, too."""
    why = refusal(partners(), 2, "a5\nteam: up the c file\n\nScratch that")
    assert (why.code, why.arguments) == ("retracted", {"done": "a5", "line": "Scratch that"})
    assert "file" not in note_rejection(why)


AUCTION = replace(start("zipline", 2), options=start("zipline", 2).game.normalise({"size": 9}))


@each(
    "text",
    [
        "d4? no wait, e5",
        "d4? no, e5",
        "d4 - no wait, e5!",
        "d4, sorry, e5",
        "d4. Oops, I meant e5",
        "d4? e5!",
        "d4, nein, lieber e5",
        "d4 … pardon, e5",
        "I play d4. No, scratch that, e5.",
        "d4, нет, e5",
    ],
)
def test_a_change_of_mind_on_one_line_asks_which(text: str) -> None:
    """As over two lines: both are named, and never proposed as one move, though they could be one here."""
    why = refusal(AUCTION, 0, text)
    assert (why.kind, why.arguments) == ("several_moves", {"move": "d4", "other": "e5"})
    assert advice(AUCTION, 0, why, read_commands([text])).offered == ("d4", "e5")


@each("text", ["d4\nno wait\ne5", "d4\nno, e5", "d4\nsorry, I meant e5", "d4\noops\ne5", "d4\nbesser e5"])
def test_what_a_correction_parts_is_not_offered_as_one_move(text: str) -> None:
    """Over several lines."""
    why = refusal(AUCTION, 0, text)
    assert "d4 e5" not in advice(AUCTION, 0, why, read_commands(text.splitlines())).offered


@each("text", ["sorry, not d4, e5", "not d4, e5", "not d4. e5!", "no d4, e5", "nicht d4, e5"])
def test_what_is_ruled_out_is_not_offered(text: str) -> None:
    """The right move alone is, and nothing is said about the other words."""
    why = refusal(AUCTION, 0, text)
    advised = advice(AUCTION, 0, why, read_commands([text]))
    assert advised.offered == ("e5",)
    assert isinstance(advised.why, Reason)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("d4? no wait, e5", ["d4", ", e5"]),
        ("d4 e5", ["d4 e5"]),
        ("d4 or e5", ["d4 or e5"]),
        ("not d4", ["not d4"]),
        ("sorry for the delay, d4", [" for the delay, d4"]),
    ],
)
def test_a_line_is_parted_where_its_sender_changes_their_mind(text: str, parts: list[str]) -> None:
    """By a question mark, too; an alternative and a denial part nothing."""
    assert split_corrections(text) == parts
