"""Matches in which nobody writes any more are put away: their players are told once, and any reply takes one up."""

import logging
from datetime import datetime, timedelta

from pbem.commands.decision import MatchDecision
from pbem.commands.putting_away import QUIET, QUIET_WITHOUT_CLOCK, put_away, take_up
from pbem.due.gate import QUIET_MATCHES, gate_of
from pbem.errors import DamagedMatch
from pbem.log.logbook import event
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.storage.transaction import Transaction

_LIVELY = timedelta(days=7)
"""A match that was played on so lately is not put away; far less than 60 days, as a clock may have been wrong."""

log = logging.getLogger("pbem")


def find_quiet(tx: Transaction, most: int, now: datetime) -> list[int]:
    """Return the numbers of some running matches that are to be put away, by all email that is read."""
    end = gate_of(tx, now).up_to(QUIET_MATCHES)
    clocked, unclocked = (tx.heartbeats.served_since(quiet, end) for quiet in (QUIET, QUIET_WITHOUT_CLOCK))
    return tx.put_away.find_quiet(clocked, unclocked, most)


def put_match_away(act: Act, number: int) -> bool:
    """Put a match away, and tell its players; return whether it could be read."""
    try:
        match = act.tx.matches.get(number)
    except DamagedMatch as damaged:
        log.error("it is not put away: %s", damaged, extra=event("damaged", match=number))
        return False
    if match is None or match.outcome is not None:
        return False
    cause, decision = cause_at("put away", act.now), put_away(match)
    act = act.because(cause)
    record(act, decision)
    announce(act, decision, "")
    return True


def taken_up(tx: Transaction, decision: MatchDecision, now: datetime) -> MatchDecision:
    """Return ``decision``, with the match taken up again by it if that was put away."""
    lively = timedelta() <= now - decision.before.changed_at < _LIVELY
    if lively or not tx.put_away.among([decision.before.id]):
        return decision
    return take_up(decision, now)
