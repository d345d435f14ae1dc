"""The board and the rules on request."""

from pbem.commands.grammar import read_commands
from tests.support.judging import put, start


def test_help_and_show_change_nothing() -> None:
    """Each is answered once, however often it is asked for, and whoever is to act."""
    decision = put(start(), 1, "help\nshow\nhelp")
    assert [reply.kind for reply in decision.replies] == ["help", "show"]
    assert not decision.changes_match


def test_help_on_a_word_tells_all_that_can_be_written() -> None:
    """In the plural, too."""
    assert [str(one) for word in ("ladder", "ladders", "leagues") for one in read_commands([f"help {word}"])] == [
        "help commands"
    ] * 3
