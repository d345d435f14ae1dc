"""Tells the operator, and the log, of messages that were turned away because their sender was in doubt."""

import logging
from datetime import timedelta
from typing import Any

from pbem.log.logbook import event
from pbem.notices.render import plain_notice
from pbem.pipeline.act import Act
from pbem.pipeline.announce import tell_operator
from pbem.storage.messages.records import Disposition

log = logging.getLogger("pbem.security")

ALARMING = ("forged_sender", "not_authentic", "flooding")
"""Codes of messages in the name of a seated player, which they may not have written, or which they miss."""

LOGGED = frozenset(
    (
        *ALARMING,
        *("too_many_letters", "wrong_token", "revoked_token", "lost_match", "old_mail", "confirm"),
        *("unknown_address", "not_his", "declined", "blocked", "unreadable", "over_budget"),
    )
)
"""Codes of messages of which the log has a line for security."""

_MANY = 5
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


def sound_alarm(act: Act, ended: Disposition, number: int) -> None:
    """Queue an email to the operator if message ``number`` is the fifth of its kind within a day for one seat.

    There is at most one such email a week for each seat.
    """
    if ended.code not in ALARMING or ended.match is None or ended.seat is None:
        return
    if act.tx.inbound.count_ended(ended.match, ended.seat, ALARMING, act.now - _DAY, _MANY) < _MANY - 1:  # and this one
        return
    match = act.tx.matches.get(ended.match)
    if match is None:
        return
    name = match.players[ended.seat].name
    notice = plain_notice("alarm", name=name, match=match.id, code=ended.code, count=_MANY, message=number)
    key = f"alarm {ended.match} {ended.seat}"
    tell_operator(act, notice, f"alarm {number}", number, key=key, every=_WEEK)
