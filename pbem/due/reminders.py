"""Reminders: one email to a player about all turns whose time is getting short."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.errors import DamagedMatch, DamagedRow
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.match.clock import Clock
from pbem.match.match import Match
from pbem.pipeline.announce import announce_reminder
from pbem.pipeline.record import cause_at
from pbem.storage.database import Transaction
from pbem.storage.due import REMINDER_DUE

log = logging.getLogger("pbem")

_TOGETHER = timedelta(hours=1)
"""What is due within this time is told in one email."""


def remind(tx: Transaction, number: int, site: Site, now: datetime) -> None:
    """Remind a player of the turns that it is time for, and schedule the next reminder."""
    player = tx.players.get(number)
    if player is None:
        raise DamagedRow(f"player {number} is to be reminded, and is not there")
    clocks = dict(tx.clocks.of_player(number))
    if player.preferences.muted or not player.has_mail or not clocks:
        return
    since = min((clock.since for clock in clocks.values() if clock.since), default=now)
    outages = tx.heartbeats.outages_since(since)
    moments = {key: clock.next_reminder(player.calendar, outages) for key, clock in clocks.items()}
    if any(found and found[0] <= now for found in moments.values()):
        told: list[tuple[datetime, Match]] = []
        for key, found in moments.items():
            clock, deadline = clocks[key], clocks[key].deadline(player.calendar, outages)
            if not found or found[0] > now + _TOGETHER or deadline is None or deadline <= now:
                continue
            try:
                match = tx.matches.get(key)
            except DamagedMatch as damaged:  # the others must not be forgotten with it
                log.error("nobody is reminded of it: %s", damaged, extra=event("damaged", match=key))
                continue
            clocks[key] = _reminded(clock, found[1], clock.left(now, player.calendar, outages))
            tx.clocks.note_reminder(key, clocks[key])
            if match:
                told.append((deadline, match))
        told.sort(key=lambda pair: pair[0])
        if told:  # elsewhere the time is over, and that is told
            announce_reminder(tx, [match for _, match in told], player, site, cause_at("reminder", now), now)
    expected = (replace(one, since=now, halted="") if one.halted == "unsent" else one for one in clocks.values())
    following = [clock.next_reminder(player.calendar, outages) for clock in expected]
    if following_at := min((found[0] for found in following if found and found[0] > now), default=None):
        tx.due.schedule(REMINDER_DUE, number, following_at)


def _reminded(clock: Clock, step: int, left: int) -> Clock:
    """Return the clock after a reminder of ``step``, and of all steps that went by unseen."""
    return replace(clock, reminded=min(step, left) if left < step else step)
