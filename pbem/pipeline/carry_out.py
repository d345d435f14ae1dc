"""How a decision is carried out, whatever message it follows from: recorded and announced, with all it leads to."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain

from pbem.asking.limits import may_be_told
from pbem.asking.starting import decisions_after
from pbem.commands.decision import Decision, MatchDecision, Step
from pbem.commands.effects import AddLog
from pbem.commands.families.planning import follow_plans
from pbem.match.log import LogEntry
from pbem.pipeline.act import Act
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.storage.transaction import Transaction

_EVERYWHERE = frozenset({"absent", "back", "unsubscribed"})
_MOST_MATCHES = 50


def carry_out(act: Act, decision: Decision, sender: str, *, silent: bool = False) -> None:
    """Record and announce a decision, what players have planned for it, and what follows from it elsewhere.

    ``silent``: that it was carried out its sender is told in one answer for several matches.
    """
    if isinstance(decision, MatchDecision):
        decision = follow_plans(decision, act.now)
    for one in chain(
        [decision], _decisions_elsewhere(act.tx, decision, act.now), decisions_after(act, decision)
    ):  # found when the first has been recorded
        record(act, one)
        announce(act, one, sender, silent=silent)


def _decisions_elsewhere(tx: Transaction, decision: Decision, now: datetime) -> Iterator[MatchDecision]:
    """Yield a decision for each other running match in which others wait for whoever caused ``decision``.

    Where somebody has had too much email today already, it is not told.
    """
    if not isinstance(decision, MatchDecision) or decision.seat is None:
        return
    entries = [entry for entry in decision.log if entry.kind in _EVERYWHERE]
    if not entries:
        return
    player = decision.before.players[decision.seat]
    others = [match for match in tx.matches.all(player=player.id, running=True) if match.id != decision.before.id]
    told = {one.id for one in decision.before.players}  # one email each says it for all their matches
    for match in [match for match in others if match.to_act == match.seat_of(player)][:_MOST_MATCHES]:
        others_here = [one for one in match.players if one.id not in told and not one.preferences.muted]
        if not others_here or not all(may_be_told(tx, one.email, now) for one in others_here):
            continue
        told |= {one.id for one in match.players}
        entry = AddLog(LogEntry(entries[-1].kind, match.seat_of(player), entries[-1].arguments))
        yield MatchDecision((Step("", (entry,)),), before=match, after=match)
