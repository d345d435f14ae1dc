"""What a player says in one match and concerns others: those who wait for them elsewhere are told there."""

from collections.abc import Iterator
from datetime import datetime

from pbem.asking.limits import may_be_told
from pbem.commands.decision import Decision, MatchDecision, Step
from pbem.commands.effects import AddLog
from pbem.match.log import LogEntry
from pbem.storage.database import Transaction

_EVERYWHERE = frozenset({"absent", "back", "unsubscribed"})
_MOST_MATCHES = 50


def decisions_elsewhere(tx: Transaction, decision: Decision, now: datetime) -> Iterator[MatchDecision]:
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
