"""The board and the rules on request."""

from tests.support.judging import put, start


def test_help_and_show_change_nothing() -> None:
    """Each is answered once, however often it is asked for, and whoever is to act."""
    decision = put(start(), 1, "help\nshow\nhelp")
    assert [reply.kind for reply in decision.replies] == ["help", "show"]
    assert not decision.changes_match
