"""The table of effects: every kind of effect has its row."""

from typing import get_args

from pbem.commands.effects import Effect
from pbem.pipeline.effects import EFFECTS


def test_every_effect_has_a_row() -> None:
    """An effect without one would be a bug in the first message that has it."""
    assert set(get_args(Effect)) == set(EFFECTS)
