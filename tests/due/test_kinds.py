"""The table of due things: every kind is in it, and an email that may prevent one is read first."""

from pbem.due.kinds import KINDS
from pbem.storage import due


def test_every_kind_of_due_thing_is_in_the_table() -> None:
    """A kind that is stored, and that nobody does, would fail every five minutes for ever."""
    stored = {value for name, value in vars(due).items() if name.endswith("_DUE") or name == "FIRST_ROLLS"}
    assert stored - {due.ROBOT_DUE, due.REVIEW_DUE, due.SWING_DUE} == set(KINDS)
