"""How a decision is carried out, whatever message it follows from: recorded and announced, with all it leads to."""

from datetime import datetime
from itertools import chain

from pbem.asking.seat_offers import record_seats
from pbem.asking.starting import decisions_after
from pbem.commands.decision import Decision, MatchDecision
from pbem.commands.families.planning import follow_plans
from pbem.mail.compose import Site
from pbem.pipeline.announce import announce
from pbem.pipeline.record import Cause, record
from pbem.pipeline.told_elsewhere import decisions_elsewhere
from pbem.storage.database import Transaction


def carry_out(
    tx: Transaction, decision: Decision, sender: str, site: Site, cause: Cause, now: datetime, *, silent: bool = False
) -> None:
    """Record and announce a decision, what players have planned for it, and what follows from it elsewhere.

    ``silent``: that it was carried out its sender is told in one answer for several matches.
    """
    if isinstance(decision, MatchDecision):
        decision = follow_plans(decision, now)
    for one in chain(
        [decision], decisions_elsewhere(tx, decision, now), decisions_after(tx, decision, site, now)
    ):  # found when the first has been recorded
        record(tx, one, cause, now)
        record_seats(tx, one, site, cause, now)
        announce(tx, one, sender, site, cause, now, silent=silent)
