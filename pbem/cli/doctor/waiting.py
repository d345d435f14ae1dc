"""What the doctor finds among running matches: which wait longest, and for robots that may not move."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.settings.model import Settings
    from pbem.storage.transaction import Transaction

_SHOWN = 5  # matches
_LOOKED_AT = 200  # matches; those that are put away wait for nobody
_LONG_DAYS = 3  # a shorter wait is none
_HALTED = {
    "unsent": "; its email hasn’t been sent, or may not have arrived",
    "bounced": "; the email of the turn came back",
}


def find_waiting(tx: "Transaction", now: "datetime") -> Iterator[str]:
    """Yield a sentence for each of the matches that have waited longest, if that is days."""
    from pbem.archive.standing import status
    from pbem.match.summary import summarise

    longest = tx.clocks.waiting_longest(_LOOKED_AT)
    away = tx.put_away.among([number for number, _ in longest])
    for number, since in [one for one in longest if one[0] not in away][:_SHOWN]:
        match = tx.matches.get(number)
        if match is None or (now - since).days < _LONG_DAYS:
            continue
        why = _HALTED.get(match.clock.halted, "") if match.clock else "; it has no clock"
        yield f"match {number} has waited for {(now - since).days} days: {status(summarise(match), now)}{why}."


def find_stranded(tx: "Transaction", settings: "Settings") -> Iterator[str]:
    """Yield a sentence if robots have seats, and the settings have none move."""
    if settings.strongest_robot or not (count := tx.matches.count_with_robots()):
        return
    where = "a running match" if count == 1 else f"{count} running matches"
    yield (
        f"A robot has a seat in {where}, and doesn’t move: “robots” is off in pbem.toml. Set it to “1” or more, or"
        " give the seat to somebody with “pbem replace”."
    )
