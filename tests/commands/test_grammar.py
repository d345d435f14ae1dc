"""What the lines of a reply ask for."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.catalogue import as_keyword
from pbem.commands.decision import Command
from pbem.commands.families.account import ChooseDisplay, Resume, Unsubscribe
from pbem.commands.families.info import Ask
from pbem.commands.families.play import FreeText, Resign
from pbem.commands.families.talk import Say, join_comment
from pbem.commands.grammar import read_commands
from pbem.reading.move_phrases import is_sentence
from tests.support.each import each

LONG = "team: I would like to block him on the left side before he gets"


@each(
    "line, commands",
    [
        ("d4", [FreeText("d4")]),
        ("Resign.", [Resign()]),
        ("I resign!", [Resign()]),
        ("*HELP*", [Ask("help")]),
        ("“show”", [Ask("show")]),
        ("help me", [FreeText("help me")]),
        ("help wanted", [FreeText("help wanted")]),
        ("help take", [Ask("help")]),
        ("Help with “roll”?", [Ask("help")]),
        ("help d4", [Ask("help")]),
        ("help resign", [Ask("help_commands")]),
        ("help team", [Ask("help_commands")]),
        ("help propose", [Ask("help_commands")]),
        ("d4; help", [FreeText("d4"), Ask("help")]),
        ("team: left; or right?", [Say("left; or right?", True)]),
        ("SAY : hello", [Say("hello", False)]),
        ("d4; team: left; or right?", [FreeText("d4"), Say("left; or right?", True)]),
        (
            "What a game that was; team: press on",
            [FreeText("What a game that was;".rstrip(";")), Say("press on", True)],
        ),
        ("They say: never mind", [FreeText("They say: never mind")]),
        ("I had thought of giving up; help", [FreeText("I had thought of giving up; help")]),
        ("Board: speech", [ChooseDisplay("speech", "Board: speech")]),
        ("d4; boards LARGE.", [FreeText("d4"), ChooseDisplay("large", "boards LARGE.")]),
        ("display test", [ChooseDisplay("test", "display test")]),
        ("board", [FreeText("board")]),
        ("the board looks fine", [FreeText("the board looks fine")]),
        ("Unsubscribe", [Unsubscribe()]),
        ("*resume*", [Resume()]),
        ("", [FreeText("")]),
    ],
)
def test_a_line_asks_for_this(line: str, commands: list[Command]) -> None:
    """Words are known in any dress, words for others by their prefix, and the rest is left to the rules."""
    assert read_commands([line]) == commands


def test_the_end_of_a_broken_team_line_stays_with_it() -> None:
    """An email program breaks long lines: what belongs to the partner alone must not become a comment to everybody."""
    found = read_commands([LONG, "too strong there, and then go right", "", "d4"])
    assert found[1] == FreeText("too strong there, and then go right", wrapped=True, tail=True)
    assert found[2:] == [FreeText(""), FreeText("d4")]


def test_a_broken_team_line_can_go_on_and_on() -> None:
    """Every further line that was as long as the first belongs to it, also behind a full stop."""
    found = read_commands([LONG + ".", "x" * 60, "the end.", "Good luck"])
    assert [isinstance(command, FreeText) and command.wrapped for command in found] == [False, True, True, False]


def test_a_short_team_line_ends_where_it_ends() -> None:
    """What stands below a short line is its own."""
    assert read_commands(["team: left!", "d4"]) == [Say("left!", True), FreeText("d4")]


def test_nobody_resigns_at_the_end_of_a_broken_sentence() -> None:
    """The last word of a sentence is no command, only because it came to stand alone."""
    sentence = "If you go on like this, then one of these days I will have to"
    assert read_commands([sentence, "resign."])[1] == FreeText("resign.", tail=True)
    assert read_commands(["That was it.", "resign"])[1] == Resign()


@each(
    "text, sentence",
    [
        ("What you write below it goes to everybody", True),
        ("team lines may have five words", True),
        ("d4 e5 f6 g7 h8", False),
        ("place the die on a1", False),
        ("take", False),
        ("take     ", False),
        ("", False),
    ],
)
def test_what_is_longer_than_any_move_is_a_sentence(text: str, sentence: bool) -> None:
    """Many words without a number among them are no move in any game, so that no rules need be asked."""
    assert is_sentence(text) is sentence


@given(st.lists(st.text()))
def test_any_lines_ask_for_something(lines: list[str]) -> None:
    """Whatever is written, every line leads to at least one command, in order."""
    assert len(read_commands(lines)) >= len(lines)


@each("text", ["resignation", "don't resign", "helpful", "showdown", "", "i", "team"])
def test_other_words_are_no_commands(text: str) -> None:
    """Only the word itself counts."""
    assert as_keyword(text) is None


def test_a_comment_has_no_empty_lines_at_its_ends() -> None:
    """Those between its lines stay."""
    assert join_comment(["", "a", "", "b", ""]) == "a\n\nb"
