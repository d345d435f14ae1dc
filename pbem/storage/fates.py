"""What becomes of each column of a table when a person is forgotten: one table, ``FATES``."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, String, Table, and_, bindparam, case, cast, exists, literal, null, or_

from pbem.match.player import FORMER
from pbem.match.preferences import Preferences
from pbem.match.time.calendar import Calendar
from pbem.storage.calendars import write_calendar
from pbem.storage.messages.records import UNPROVEN
from pbem.storage.struck_names import StruckNames
from pbem.storage.tables import (
    ADDRESS,
    COMMENT,
    ENTRY,
    FOLLOWER,
    FORMER_ADDRESS,
    GUEST,
    INBOUND,
    MATCH,
    MATCH_LOG,
    OUTBOUND,
    PLAYER,
    QUESTION,
    REFUSED_INVITER,
    SEAT,
    SEAT_OFFER,
    THOUGHT,
)


class Fate(NamedTuple):
    """What becomes of a table: of the columns of rows that are a player's ``own``, None where these rows go.

    And of those of rows that are of ``others``, and may name the player.
    """

    own: Mapping[str, Any] | None
    others: Mapping[str, Callable[[StruckNames, Any, Any], Any]] = {}


_NOW, _PLAYER = bindparam("now", type_=PLAYER.c.changed_at.type), bindparam("number", type_=PLAYER.c.id.type)
_NO_BYTES = {"raw": b"", "kept": False}
_OF_OTHERS = or_(SEAT_OFFER.c.player_id.is_(None), SEAT_OFFER.c.player_id != _PLAYER)
_ROLLED = exists().where(ENTRY.c.match_id == SEAT.c.match_id, ENTRY.c.seat.is_(None)).correlate(SEAT)


def _where(condition: ColumnElement[bool], table: Table, **values: Any) -> dict[str, Any]:
    """Return ``values`` for the columns of rows that meet a condition; in others these stay."""
    return {name: case((condition, value), else_=table.c[name]) for name, value in values.items()}


_UNREAD = {"status": "discarded", "reason": "forgotten", "code": "forgotten", "settled_at": _NOW}
"""How a message ends that waited to be read when its player was forgotten."""

FATES: Mapping[Table, Fate] = {
    ADDRESS: Fate(None),
    COMMENT: Fate(None, {"text": StruckNames.line}),
    FOLLOWER: Fate(None),
    FORMER_ADDRESS: Fate(None),
    GUEST: Fate({"email": "", "called": "", "words": ""}),
    INBOUND: Fate(  # the rows stay, since entries refer to them
        {"identity": literal("forgotten ").concat(cast(INBOUND.c.id, String)), "sender": None}
        | {"subject": "", "detail": "", "commands": [], "words": None, "share": UNPROVEN}
        | _where(INBOUND.c.status == "received", INBOUND, **_UNREAD)
        | _NO_BYTES,
        {"subject": StruckNames.line, "detail": StruckNames.line, "commands": StruckNames.lines},
    ),
    MATCH: Fate({"changed_at": _NOW}),  # so that their pages are written anew
    MATCH_LOG: Fate(None, {"arguments": StruckNames.seated}),
    OUTBOUND: Fate(  # the rows stay: one may be on its way, and their numbers must not be given to others
        {"recipient": "", "subject": "", "quotable": b"", "notice_key": "", "error": "its reader was forgotten"}
        | _where(OUTBOUND.c.status == "queued", OUTBOUND, status="refused")
        | _NO_BYTES,
        {"subject": StruckNames.line, "error": StruckNames.line}
        | {"notice_key": StruckNames.key, "quotable": StruckNames.quotable},
    ),
    PLAYER: Fate(
        {"name": FORMER, "former_name": "", "renamed_at": None, "forgotten_at": _NOW, "changed_at": _NOW}
        | {"folded": literal(f"{FORMER.casefold()}\n").concat(cast(PLAYER.c.id, String))}  # no name has a line end
        | {"display": Preferences(page=False).stored, "quiet": True, "generation": PLAYER.c.generation + 1}
        | write_calendar(Calendar())
    ),
    QUESTION: Fate(  # the rows stay, since emails refer to them
        {"email": "", "about": {}} | _where(QUESTION.c.state == "open", QUESTION, state="withdrawn"),
        {"about": StruckNames.about},
    ),
    REFUSED_INVITER: Fate(None),
    # Words for the dice go where nothing was rolled so far; elsewhere all rolls follow from them.
    SEAT: Fate({"plan": None} | _where(~_ROLLED, SEAT, salt=null())),
    SEAT_OFFER: Fate(  # nobody answers those of theirs any more
        {"email": None}
        | _where(and_(SEAT_OFFER.c.state.in_(("asked", "accepted")), _OF_OTHERS), SEAT_OFFER, state="over")
    ),
    THOUGHT: Fate(None, {"text": StruckNames.line}),
}
"""What becomes of the columns of all tables that hold anything of a person; what is not in here stays."""
