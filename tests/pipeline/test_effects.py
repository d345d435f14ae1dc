"""The table of effects: every kind of effect has its row."""

from pbem.commands import asking_effects, effects
from pbem.pipeline.effects import EFFECTS


def test_every_effect_has_a_row() -> None:
    """An effect without one would be a bug in the first message that has it."""
    found = (*vars(effects).values(), *vars(asking_effects).values())
    kinds = {one for one in found if isinstance(one, type) and issubclass(one, effects.Effect)}
    assert kinds - {effects.Effect} == set(EFFECTS)
