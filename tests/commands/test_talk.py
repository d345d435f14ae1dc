"""Words for everybody and for partners alone; where it is unclear who is meant, nobody reads them."""

from dataclasses import replace

import pytest

from pbem.commands.families.talk import without_name
from pbem.mail.feed_key import feed_key
from rules.position import Entry
from tests.support.club import SECRET
from tests.support.each import each
from tests.support.judging import moves, partners, put, refusal, said, start, withheld


def test_words_need_no_turn() -> None:
    """To say something needs no turn."""
    decision = put(partners(), 0, "say: hello; you two\nteam: left!")
    assert said(decision) == [
        ("hello; you two", False),
        ("left!", True),
    ]
    assert decision.after.ply == 2


@each(
    "line, words",
    [
        *((f"b3 {words}", "c2 next, Ann!") for words in ("(team: c2 next, Ann!)", "[team: c2 next, Ann!]")),
        *((f"b3{sign}team: c2 next", "c2 next") for sign in (" ", ", ", " - ")),
        ("b3\n(team: c2 next)", "c2 next"),
        ("b3 (team: c2 next (or c1))", "c2 next (or c1)"),
    ],
)
def test_words_for_the_partner_behind_a_move_are_theirs_and_the_move_counts(line: str, words: str) -> None:
    """In brackets, behind a comma or a dash, or with nothing between."""
    decision = put(partners(), 2, line)
    assert (moves(decision), said(decision)) == (("b3",), [(words, True)])


def test_a_player_learns_that_words_were_not_passed_on() -> None:
    """Words without a move and without a prefix go to nobody, and their sender is told."""
    for text in ("help\nI do not understand this at all", "say: hello\nI do not understand this at all"):
        assert len(put(start(), 0, text).asides) == 1
    assert put(start(), 0, "help\nThanks, Ann").asides == ()


def test_a_comment_holds_no_feed_key() -> None:
    """Who quotes an email of theirs does not show everybody, and the archive, where their calendar feed lies."""
    key = feed_key(2, 0, SECRET)
    decision = put(partners(), 0, f"say: mine is https://games.example/calendar/{key}.ics")
    assert said(decision) == [("mine is https://games.example/calendar/….ics", False)]


def test_a_comment_holds_no_reply_token() -> None:
    """A reply token proves a seat: wherever one is copied from, the others do not get to see it."""
    for copied in (
        "games+1.2.2.2pto7ngcwi at play.example",
        "<1.2.2.2pto7ngcwi.abc@play.example>",
        "games%2B1.2.2.2PTO7NGCWI",
    ):
        decision = put(partners(), 2, f"say: see {copied}\na1")
        assert "2pto7ngcwi" not in decision.comments[0].text.lower()


def test_team_words_are_for_the_partner_alone() -> None:
    """A team line is kept to the side of its sender, beside a comment to everybody."""
    decision = put(partners(), 2, "team: left!\na1\nGood luck")
    assert said(decision) == [("left!", True), ("Good luck", False)]
    assert decision.asides == ()


def test_team_words_without_a_partner_reach_nobody() -> None:
    """Somebody who plays alone is told that his team line went to nobody."""
    decision = put(partners(Entry(2, "a1"), Entry(0, "a2")), 1, "team: psst\nb1")
    assert decision.comments == ()
    assert len(decision.asides) == 1
    assert refusal(start(), 0, "team: psst").code == "no_command"


@each(
    "text",
    [
        "team: hello\nEverybody may read this.",
        "a5\nteam: hello\nEverybody may read this.",
        "*team:* hello\nEverybody may read this.",
        "_team_: hello",
        "- team: hello",
        "“team:” hello",
        "to team: hello",
        "partner: hello",
        "team： hello",
        "Team : hello",
        "team:\nhello",
        "team:\n\nhello\n\nEverybody may read this.",
        "team: Hi Bob,\nhello",
        "team: I go left –\nhello",
        "team: I go left\nand you say hello",
    ],
)
def test_team_words_are_private_in_any_spelling(text: str) -> None:
    """Decoration around the word, and words that visibly go on below it, do not make them public."""
    decision = put(partners(), 2, text)
    private = " ".join(comment.text for comment in decision.comments if comment.to_side)
    assert "hello" in private
    assert all("hello" not in comment.text for comment in decision.comments if not comment.to_side)


def test_a_broken_team_line_is_private_to_its_end() -> None:
    """A team line that an email program broke in two is one line, also below the move."""
    line = "team: I would like to block him on the left side before he gets"
    decision = put(partners(), 2, f"a1\n{line}\ntoo strong there\n\nGood luck")
    assert said(decision) == [
        (f"{line[6:]} too strong there", True),
        ("Good luck", False),
    ]
    assert decision.done[1] == f"{line} too strong there"
    alone = put(start("zipline", 2, Entry(0, "take")), 1, f"{line}\ntoo strong\n\na1 c3")
    assert alone.comments == ()


@pytest.mark.parametrize(
    "words",
    [
        "team: plan:\n- up the c file\n- then right",
        "(team: up the c file, then right)",
        "[team: up]",
        "team: first\n1. go up\n2. right",
    ],
)
def test_lists_and_brackets_below_team_are_private(words: str) -> None:
    """What people write as a list, or in brackets, is for the partner as a whole."""
    match = start("zipline", 3, Entry(0, "c3"), Entry(1, "take"))
    comments = put(match, 2, f"a1\n{words}").comments
    assert comments
    assert all(comment.to_side for comment in comments)


def test_all_words_below_a_bare_team_line_are_private() -> None:
    """What follows without an empty line is the same message, whatever message it begins with."""
    decision = put(partners(), 2, "a5\nteam:\nLet us go left.\nThen we take c3.")
    assert all(comment.to_side for comment in decision.comments)
    assert "Then we take c3." in decision.comments[0].text


def test_a_command_below_team_words_is_carried_out() -> None:
    """What is written below private words is not swallowed by them."""
    assert put(partners(), 2, "team: hello,\na5").done == ("team: hello,", "a5")
    assert put(partners(), 2, "team: bye,\nresign").done == ("team: bye,", "resign")


def test_a_move_below_a_long_team_line_is_played() -> None:
    """Where the line above it ends as a sentence does, it is a move and nothing else."""
    line = "team: I would like to block him on the left side before he gets it."
    assert moves(put(partners(), 2, f"{line}\na1")) == ("a1",)


@each("text", ["team hello", "team - hello", "Team; hello", "team= hello", "a5\nteam hello"])
def test_unclear_recipient_needs_clarification(text: str) -> None:
    """A line that begins with the word, but lacks its colon, goes to nobody before that is clear."""
    assert withheld(partners(), 2, text) == [text.removeprefix("a5\n")]


@each("words", ["tema: go up", "teams: go up", "taem: go up", "private: go up", "eam: go up"])
def test_a_typo_in_team_needs_clarification(words: str) -> None:
    """Nothing is published that may have been meant for a partner."""
    match = start("zipline", 3, Entry(0, "c3"), Entry(1, "take"))
    assert withheld(match, 2, f"a1\n{words}") == [words]


@each(
    "line",
    [
        "Hello team: let us go left",
        "Good. Team: go left",
        "Ann: go left",
        "for Ann: go left",
        "just for ANN, go left",
        "@Ann: go left",
        "Hi Ann (only): go left",
        "To Ann alone: go left",
    ],
)
def test_words_that_name_the_partner_need_clarification(line: str) -> None:
    """Who names his partner in front of his words, or has something before ``team:``, is asked before anybody reads it.

    The move is played, and what is kept for the operator does not tell the words.
    """
    assert withheld(partners(), 2, f"a5\n{line}") == [line]
    assert put(partners(), 2, f"a5\n{line}").shown == ("a5",)


@each(
    "line",
    [
        "Hey partner, go left",
        "Hello team, go left",
        "teaam: left",
        "tm: left",
        "tesm: left",
        "équipe : left",
        "Mannschaft: left",
        "Ann,\nI go left now, protect the right side.",
        "Ann (private): go left",
        "Ann (keep it from Bob): left",
        "d4 wins at once",
        "I'm leaving b4 to you.",
        "Toi tu joues b4 après",
        "Buddy, the left edge is open",
        "You take the other side, then he can't hold both",
        "my ally should go left",
        "Für Ann: left",
        "(for Ann) left",
        "P.S. Ann: left",
        "@Ann left",
        "Ann only - go left",
        "This is for Ann only: left",
        "Pour Ann : left",
        "Nice move, Ann! Go left next.",
        "Nice one, Ann.\nDo the same again.",
        "_Ann_ left",
        "I think you should go left",
        "If you go left I go right and we win",
        "Bob is lost on the left, Ann",
    ],
)
def test_a_partner_addressed_in_any_way_needs_clarification(line: str) -> None:
    """Whoever may be writing to his partner is asked, before his opponent reads it."""
    assert withheld(partners(), 2, f"a5\n{line}") == line.split("\n")


@each(
    "partner, opponent, line",
    [
        ("Alla", "Bob", "Alla should go on"),
        ("Ann Smith", "Ann Brown", "Ann Smith should go on"),
        ("Ann Smith", "Ann Brown", "Ann: go on"),
        ("J. R.", "Bob", "J. R. should go on"),
    ],
)
def test_a_partner_of_any_name_needs_clarification(partner: str, opponent: str, line: str) -> None:
    """Called like everybody in some language, like an opponent, or by initials."""
    match = partners()
    for seat, name in enumerate((partner, opponent)):
        match = match.with_player(replace(match.players[seat], name=name))
    assert withheld(match, 2, f"a5\n{line}") == [line]


@each("below", ["\n", "\n\n"])
def test_what_follows_words_to_a_partner_needs_clarification_unless_it_names_others(below: str) -> None:
    """Nobody may see where the words to a partner end; courtesies tell nothing."""
    assert withheld(partners(), 2, f"a5\nteam: go on.{below}Then take it.") == ["Then take it."]
    for line in ("Good luck, Bob!", "Bob, I was ill.", "Thanks!"):
        assert (line, False) in said(put(partners(), 2, f"a5\nteam: go on.{below}{line}"))


@each(
    "line",
    [
        "report Bob is rude",
        "Please report Bob, he is cheating",
        "operator Bob is rude",
        "@operator Bob is rude",
        "operator—Bob is rude",
        "For the operator only: Bob is rude",
        "Private note to the operator: Bob is rude",
        "note to operator he cheats",
        "P.S. for the operator: Bob is rude",
        "operatr: Bob is rude",
        "oprator Bob is rude",
        "reprot Bob",
        "I'm reporting Bob",
        "Good. Operator: Bob is rude",
        "An den Betreiber: Bob ist frech",
        "operador: Bob hace trampas",
        "жалоба: Боб грубит",
    ],
)
def test_what_is_nearly_for_the_operator_needs_clarification(line: str) -> None:
    """Between two players too: whoever is complained of must not read it first."""
    match = start(seats=2)
    assert withheld(match, 0, f"c3\n{line}") == [line]
    assert withheld(match, 0, f"{line}\n\nc3") == [line]
    assert withheld(match, 0, line) == [line]


@each("line", ["The operator of this service is kind", "Most of us", "Operation went well", "I asked the operator"])
def test_who_only_tells_of_the_operator_is_heard(line: str) -> None:
    """By everybody; so is a note to everybody."""
    for words in (line, "Note to everyone: hello"):
        assert said(put(start(seats=2), 0, f"c3\n{words}")) == [(words, False)]


@pytest.mark.parametrize(
    "line",
    [
        "Ann and Bob, well played!",
        "Bob: nice move",
        "Anna: hello",
        "Annoying!",
        "Bob, d2 is yours!",
        "a5 it is, all of you, and d2 is free",
        "Bob, my left hand hurts",
        "see https://a.example/1.html#3:d2",
        "Nice one, Ann! Thanks.",
        "Bob, you're right",
    ],
)
def test_words_that_name_somebody_else_are_public(line: str) -> None:
    """The name of an opponent, beside that of the partner or alone, and a longer one: words to everybody."""
    (comment,) = put(partners(), 2, f"a5\n{line}").comments
    assert (comment.text, comment.to_side) == (line, False)


def test_a_greeting_of_the_partner_above_a_move_is_a_greeting() -> None:
    """Nothing above the move is passed on, so nothing is asked."""
    assert moves(put(partners(), 2, "Hi Ann:\na5")) == ("a5",)


@each(
    "lines, kept",
    [
        (["Best,", "Gus"], []),
        (["Viele Grüße", "Gus Miller"], []),
        (["Nice one.", "", "Best,", "Gus"], ["Nice one.", ""]),
        (["Nice one.", "Viele Grüße", "gus"], ["Nice one."]),
        (["Nice one.", "Miller"], ["Nice one.", "Miller"]),
        (["I am Gus"], ["I am Gus"]),
    ],
)
def test_a_farewell_with_ones_own_name_is_passed_on_to_nobody(lines: list[str], kept: list[str]) -> None:
    """The first name is enough; a line that says more is kept."""
    assert list(without_name(lines, "Gus Miller")) == kept
