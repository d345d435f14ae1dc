"""Tells the operator, and the log, of messages that were turned away because their sender was in doubt."""

import logging
from datetime import timedelta
from typing import Any

from pbem.due.needs import ALARMING, TURNED_AWAY
from pbem.due.schedule import note_need
from pbem.log.logbook import event
from pbem.pipeline.act import Act
from pbem.storage.messages.records import Disposition

log = logging.getLogger("pbem.security")

LOGGED = frozenset(
    (
        *ALARMING,
        *("too_many_letters", "wrong_token", "revoked_token", "lost_match", "old_mail", "confirm"),
        *("unknown_address", "not_his", "declined", "blocked", "unreadable", "over_budget"),
    )
)
"""Codes of messages of which the log has a line for security."""

_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


def log_security(number: int, ended: Disposition) -> None:
    """Log a line about inbound message ``number`` if its sender, or its reply token, was in doubt.

    The line is ``security event=… status=… inbound=… match=… seat=…``; seats count from 1, and a dash stands for none.
    """
    if ended.code in LOGGED:
        match = "-" if ended.match is None else ended.match
        seat = "-" if ended.seat is None else ended.seat + 1
        log.warning(
            "security event=%s status=%s inbound=%d match=%s seat=%s",
            ended.code,
            ended.status,
            number,
            match,
            seat,
            extra=line_of("security", number, ended),
        )


def line_of(name: str, number: int, ended: Disposition) -> dict[str, Any]:
    """Return the ``extra`` of a line of the log about how inbound message ``number`` ended, whose event is ``name``."""
    return event(
        name,
        inbound=number,
        match=ended.match,
        seat=ended.seat,
        ply=ended.ply,
        status=ended.status,
        code=ended.code,
    )


def sound_alarm(act: Act, ended: Disposition) -> None:
    """Let the operator be told if a message that ends so is the fifth of its kind within a day for one seat.

    At once if none came before in a week: else whoever writes five a day has as many emails sent.
    """
    match, seat = ended.match, ended.seat
    if ended.code not in ALARMING or match is None or seat is None:
        return
    in_day, in_week = (  # and this one
        1 + act.tx.inbound.count_ended(match, seat, ALARMING, act.now - span, TURNED_AWAY) for span in (_DAY, _WEEK)
    )
    if in_day >= TURNED_AWAY:
        note_need(act.tx, act.now, urgent=in_week == TURNED_AWAY)
