"""Matches in which nobody writes any more are put away: their players are told once, and any reply takes one up."""

import logging
from datetime import datetime, timedelta

from pbem.commands.decision import MatchDecision
from pbem.commands.putting_away import QUIET, QUIET_WITHOUT_CLOCK, put_away, take_up
from pbem.due.outages import has_read_mail_of
from pbem.errors import DamagedMatch
from pbem.log.logbook import event
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.storage.database import Transaction

_READ = timedelta(hours=1)
"""What came in before that is to be read first: after an outage somebody may have written."""

_LIVELY = timedelta(days=7)
"""A match that was played on so lately is not put away; far less than 60 days, as a clock may have been wrong."""

log = logging.getLogger("pbem")


def find_quiet(tx: Transaction, most: int, now: datetime) -> list[int]:
    """Return the numbers of some running matches that are to be put away; none before all email is read."""
    if not has_read_mail_of(tx, now - _READ):
        return []
    return tx.put_away.find_quiet(_served(tx, QUIET, now), _served(tx, QUIET_WITHOUT_CLOCK, now), most)


def _served(tx: Transaction, quiet: timedelta, now: datetime) -> datetime:
    """Return when ``quiet`` began that ends now; nobody could write while the service stood still or a clock leapt."""
    outages = tx.heartbeats.outages_since(now - quiet)
    return now - quiet - sum((end - start for start, end in outages), timedelta())


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
