"""What no message causes: rolls and forced moves by themselves, and an opening."""

from dataclasses import replace
from datetime import timedelta

from pbem.commands.judge import automatic_decision
from rules.position import Entry
from tests.support.judging import NOW, climbing, start, waiting


def test_an_opening_makes_the_first_rolls_where_nobody_is_waited_for() -> None:
    """They are entries of the decision, which no seat caused."""
    match = climbing((3,))
    decision = automatic_decision(match, NOW, opening=True)
    assert (decision.seat, decision.opening, decision.done) == (None, True, ())
    assert [new.entry for new in decision.appended] == [Entry(None, "3")]
    assert [new.at for new in decision.appended] == [NOW]
    assert (decision.before, decision.after.record) == (match, (Entry(None, "3"),))


def test_an_opening_without_rolls_changes_nothing() -> None:
    """The match is new to everybody all the same."""
    decision = automatic_decision(start(), NOW, opening=True)
    assert (decision.opening, decision.changes_match, decision.effects) == (True, False, ())


def test_rolls_that_are_not_due_are_not_made() -> None:
    """The same match an hour later makes them."""
    match = waiting()
    assert not automatic_decision(match, NOW).changes_match
    later = automatic_decision(match, NOW + timedelta(hours=1), seeds_over=True)
    assert [new.entry.seat for new in later.appended] == [None]
    assert not later.opening


def test_a_decision_is_written_with_the_preferences_that_follow_from_it() -> None:
    """Without any, the match is addressed as it is afterwards."""
    decision = automatic_decision(replace(climbing(), seeds=("", "")), NOW)
    assert decision.addressed == decision.after
