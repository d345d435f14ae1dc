"""What the doctor finds among running matches: which wait longest, and whether the service runs that reads for them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.cli.output import format_time_utc

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.storage import Transaction

_SHOWN = 5  # matches
_LONG_DAYS = 3  # a shorter wait is none
_HALTED = {"unsent": "; the email of the turn has not been sent", "bounced": "; the email of the turn came back"}


def find_waiting(tx: "Transaction", now: "datetime") -> Iterator[str]:
    """Yield a sentence for each of the matches that have waited longest, if that is days."""
    from pbem.archive import status
    from pbem.match import summarise

    for number, since in tx.clocks.waiting_longest(_SHOWN):
        match = tx.matches.get(number)
        if match is None or (now - since).days < _LONG_DAYS:
            continue
        why = _HALTED.get(match.clock.halted, "") if match.clock else "; it has no clock"
        yield f"match {number} has waited for {(now - since).days} days: {status(summarise(match), now)}{why}."


def find_outage(tx: "Transaction", now: "datetime") -> Iterator[str]:
    """Yield a sentence for what the service should do all the time, and has not done for an hour or more.

    While sending is behind, ``find_behind`` tells that it sends nothing, and why.
    """
    from pbem.pipeline import BEHIND, SENDS, find_gaps

    heartbeats = tx.heartbeats.last()
    for name, last in sorted(find_gaps(heartbeats, now).items()):
        if name != SENDS or BEHIND not in heartbeats:
            yield f"the service {name} nothing since {format_time_utc(last)}, and no clock counts that: is it running?"
