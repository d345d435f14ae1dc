"""Drama and lead changes of games whose turns were written down by hand."""

import pytest

from pbem.report.statistics import drama, lead_changes, winner_chances


def test_chances_are_those_of_the_winner() -> None:
    """What the loser sees for themselves is the rest; steps without a search tell nothing."""
    assert winner_chances([0, 1, 0, 1], [300, 400, None, 100], winner=0) == [0.3, 0.6, 0.9]
    assert winner_chances([0, 1, 0, 1], [300, 400, None, 100], winner=1) == [0.7, 0.4, 0.1]


def test_drama_is_the_root_of_the_lead_of_the_other() -> None:
    """Behind by 0.36 and by 0.64: roots 0.6 and 0.8."""
    assert drama([0.32, 0.18, 0.5, 0.9]) == pytest.approx((0.7, 0.8))
    assert drama([0.5, 0.7]) == (0, 0)
    assert drama([]) == (0, 0)
    assert drama([0.0]) == (1, 1)


def test_a_lead_changes_when_another_seat_leads() -> None:
    """Two changes in four steps after the first; even chances leave the lead where it was."""
    assert lead_changes([0.6, 0.4, 0.5, 0.3, 0.8]) == 0.5
    assert lead_changes([0.6, 0.5, 0.7]) == 0
    assert lead_changes([0.6]) is None
