"""Reminders: one email to a player about all turns whose time is getting short."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.errors import DamagedMatch, DamagedRow
from pbem.log.logbook import event
from pbem.match.match import Match
from pbem.match.time.clock import Clock
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.announce import announce_reminder
from pbem.storage.due import REMINDER_DUE

log = logging.getLogger("pbem")

_TOGETHER = timedelta(hours=1)
"""What is due within this time is told in one email."""


def remind(act: Act, number: int) -> None:
    """Remind a player of the turns that it is time for, and schedule the next reminder."""
    player = act.tx.players.get(number)
    if player is None:
        raise DamagedRow(f"player {number} is to be reminded, and is not there")
    clocks = dict(act.tx.clocks.of_player(number))
    if player.preferences.muted or not player.has_mail or not clocks:
        return
    since = min((clock.since for clock in clocks.values() if clock.since), default=act.now)
    outages = act.tx.heartbeats.outages_since(since)
    moments = {key: clock.next_reminder(player.calendar, outages) for key, clock in clocks.items()}
    if any(found and found[0] <= act.now for found in moments.values()):
        told: list[tuple[datetime, Match]] = []
        for key, found in moments.items():
            clock, deadline = clocks[key], clocks[key].deadline(player.calendar, outages)
            if not found or found[0] > act.now + _TOGETHER or deadline is None or deadline <= act.now:
                continue
            try:
                match = act.tx.matches.get(key)
            except DamagedMatch as damaged:  # the others must not be forgotten with it
                log.error("nobody is reminded of it: %s", damaged, extra=event("damaged", match=key))
                continue
            clocks[key] = _reminded(clock, found[1], clock.left(act.now, player.calendar, outages))
            act.tx.clocks.note_reminder(key, clocks[key])
            if match:
                told.append((deadline, match))
        told.sort(key=lambda pair: pair[0])
        if told:  # elsewhere the time is over, and that is told
            announce_reminder(act.because(cause_at("reminder", act.now)), [match for _, match in told], player)
    expected = (replace(one, since=act.now, halted="") if one.halted == "unsent" else one for one in clocks.values())
    following = [clock.next_reminder(player.calendar, outages) for clock in expected]
    if following_at := min((found[0] for found in following if found and found[0] > act.now), default=None):
        act.tx.due.schedule(REMINDER_DUE, number, following_at)


def _reminded(clock: Clock, step: int, left: int) -> Clock:
    """Return the clock after a reminder of ``step``, and of all steps that went by unseen."""
    return replace(clock, reminded=min(step, left) if left < step else step)
