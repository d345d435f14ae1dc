"""Preferences: how boards are drawn, and whether a player wants email at all."""

from dataclasses import replace

import pytest

from pbem.commands.decision import MatchDecision
from pbem.commands.effects import SetPreference
from pbem.commands.families.account import ChooseDisplay, Resume, Unsubscribe, display_meant
from pbem.commands.grammar import read_commands
from pbem.commands.rejections import NoCommand
from pbem.match.preferences import DISPLAYS, Preferences
from tests.support.each import each
from tests.support.judging import partners, put, refusal, start


def preferences(decision: MatchDecision) -> list[tuple[str, str | bool]]:
    """Return the preferences that a decision sets."""
    return [(effect.name, effect.value) for effect in decision.effects if isinstance(effect, SetPreference)]


def kinds(decision: MatchDecision) -> list[str]:
    """Return the kinds of the emails that the sender asked for."""
    return [reply.kind for reply in decision.replies]


@each("display", DISPLAYS)
def test_a_display_is_set_and_shown(display: str) -> None:
    """It holds for the answer itself."""
    decision = put(start(), 0, f"board {display}")
    assert decision.done == (f"board {display}",)
    assert preferences(decision) == [("display", display)]
    assert kinds(decision) == ["board"]
    assert decision.addressed.players[0].preferences.display == display


@each(
    "line, display",
    [
        ("Board: speech", "speech"),
        ("boards large", "large"),
        ("BOARD PLAIN.", "plain"),
        ("board = unicode", "unicode"),
        ("display speech", "speech"),
        ("*board* html", "html"),
        ("Board large please!", "large"),
        ("- board plain", "plain"),
        ("“board unicode”", "unicode"),
        ("board in speech mode", "speech"),
        ("board spech", "speech"),
        ("board ascii", "plain"),
        ("board:large", "large"),
    ],
)
def test_a_display_is_read_in_many_spellings(line: str, display: str) -> None:
    """Capitals, colons, a plural, and typos of the keyboard do no harm."""
    (command,) = read_commands([line])
    assert isinstance(command, ChooseDisplay)
    assert display_meant(command.word) == display


@pytest.mark.parametrize("line", ["What a board this is", "the board large and empty", "boards are fun to look at"])
def test_a_sentence_with_the_word_board_is_a_comment(line: str) -> None:
    """Whoever speaks of the board goes on getting it as before."""
    decision = put(start(), 0, f"c3\n{line}")
    assert preferences(decision) == []
    assert [comment.text for comment in decision.comments] == [line]


@pytest.mark.parametrize("line", ["board braille", "Board: loud", "boards off"])
def test_an_unknown_display_sets_nothing(line: str) -> None:
    """Alone it is rejected with a sentence; beside a move that sentence is added, and the move is played."""
    why = refusal(start(), 0, line)
    assert isinstance(why, NoCommand)
    assert dict(why.asides[0].arguments)["line"] == line
    decision = put(start(), 0, f"c3; {line}")
    assert (decision.done, preferences(decision), len(decision.asides)) == (("c3",), [], 1)


def test_a_display_test_sets_nothing() -> None:
    """It brings one of each."""
    decision = put(start(), 0, "display test")
    assert (kinds(decision), preferences(decision)) == (["display"], [])


def test_words_near_a_display_mean_it() -> None:
    """Only what is near one of the words counts as it."""
    meant = {"speech": "speech", "Speach": "speech", "lage": "large", "test": "test", "big": "large"}
    assert {word: display_meant(word) for word in meant} == meant
    assert [display_meant(word) for word in ("", "x", "is", "game", "braille", "looks")] == [None] * 6


@each("line", ["unsubscribe", "Unsubscribe.", "UNSUBSCRIBE!", "*unsubscribe*", "unsubscribe please"])
def test_unsubscribe_is_read_in_many_spellings(line: str) -> None:
    """It mutes its sender, and one email confirms it."""
    assert read_commands([line]) == [Unsubscribe()]
    decision = put(start(), 0, line)
    assert (preferences(decision), kinds(decision)) == ([("muted", True)], ["unsubscribe"])
    assert decision.unsubscribes


@each(
    "text, done",
    [
        ("please unsubscribe me", ("unsubscribe",)),
        ("Hi,\nunsubscribe please\nthanks, Carl", ("unsubscribe",)),
        ("unsubscribe; board plain", ("unsubscribe", "board plain")),
        ("unsubscribe\nteam: bye", ("unsubscribe", "team: bye")),
        ("show, please", ("show",)),
        ("Please help!", ("help",)),
    ],
)
def test_politeness_around_a_word_does_not_hide_it(text: str, done: tuple[str, ...]) -> None:
    """Names and thanks around a word do no harm, and a second command is carried out as well."""
    assert put(partners(), 2, text).done == done


@pytest.mark.parametrize("text", ["a5\n\nunsubscribe", "a5\n\nBest wishes\nUnsubscribe"])
def test_unsubscribe_below_a_move_does_not_count(text: str) -> None:
    """It may be the last line of a signature: the move is played, nobody else reads the word, its sender is told."""
    decision = put(partners(), 2, text)
    assert (decision.done, preferences(decision), len(decision.asides)) == (("a5",), [], 1)
    assert all("ubscribe" not in comment.text for comment in decision.comments)


def test_unsubscribe_below_a_longer_text_does_not_count() -> None:
    """A newsletter that ends with the word unsubscribes nobody."""
    text = "This is the weekly letter of our club, with much news.\nunsubscribe"
    assert refusal(partners(), 2, text).code == "no_command"


def test_unsubscribe_and_resume_need_clarification() -> None:
    """Of two commands that exclude each other neither is carried out."""
    assert refusal(partners(), 2, "unsubscribe\nresume").code == "contradiction"


def test_a_command_of_a_muted_player_brings_the_email_back() -> None:
    """Whoever plays wants to know how it goes on; ``resume`` brings the newest notices as well."""
    match = start()
    muted = match.with_player(match.players[0].preferring(replace(Preferences(), muted=True)))
    assert preferences(put(muted, 0, "c3")) == [("muted", False)]
    assert read_commands(["*resume*"]) == [Resume()]
    decision = put(muted, 0, "resume")
    assert (preferences(decision), kinds(decision)) == ([("muted", False)], ["resume"])
    assert preferences(put(muted, 0, "unsubscribe")) == [("muted", True)]


def test_resume_of_a_player_who_gets_email_shows_the_board() -> None:
    """There is nothing to bring back."""
    decision = put(start(), 0, "resume")
    assert (preferences(decision), kinds(decision)) == ([], ["show"])
