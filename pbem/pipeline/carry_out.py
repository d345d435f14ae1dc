"""How a decision is carried out, whatever message it follows from: recorded and announced, with all it leads to."""

from itertools import chain

from pbem.asking.starting import decisions_after
from pbem.commands.decision import Decision, MatchDecision
from pbem.commands.families.planning import follow_plans
from pbem.pipeline.act import Act
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.pipeline.told_elsewhere import decisions_elsewhere


def carry_out(act: Act, decision: Decision, sender: str, *, silent: bool = False) -> None:
    """Record and announce a decision, what players have planned for it, and what follows from it elsewhere.

    ``silent``: that it was carried out its sender is told in one answer for several matches.
    """
    if isinstance(decision, MatchDecision):
        decision = follow_plans(decision, act.now)
    for one in chain(
        [decision], decisions_elsewhere(act.tx, decision, act.now), decisions_after(act, decision)
    ):  # found when the first has been recorded
        record(act, one)
        announce(act, one, sender, silent=silent)
