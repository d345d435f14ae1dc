"""Followers: addresses that get an email when somebody has moved in a match, though nobody plays it from there."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, delete, func, or_, select

from pbem.storage.gateway import Gateway, insert_unless_known
from pbem.storage.tables import ADDRESS, ENTRY, FOLLOWER, MATCH, OUTBOUND, SEAT

TOLD = "followed"
"""The kind of the emails that followers get."""

_LARGEST = 2**31 - 1  # number that the databases have room for


@dataclass(frozen=True, slots=True)
class Followable:
    """What following a match depends on: whether it is ``private``, or over."""

    private: bool
    over: bool


@dataclass(frozen=True, slots=True)
class Follower:
    """An address that follows a match of ``plies`` entries and ``rewound`` turns, and the latest email to it.

    ``key`` is that of the email, empty where there is none; ``lost``: it came back, or was refused. ``over`` and
    ``private`` are those of the match.
    """

    match: int
    email: str
    plies: int
    rewound: int
    over: bool
    private: bool
    key: str
    lost: bool


_LATEST = (
    select(OUTBOUND.c.id)
    .where(OUTBOUND.c.recipient == FOLLOWER.c.email, OUTBOUND.c.match_id == FOLLOWER.c.match_id)
    .where(
        OUTBOUND.c.kind.concat("") == TOLD
    )  # no index has this: SQLite would take that of kinds, which has thousands
    .order_by(OUTBOUND.c.created_at.desc(), OUTBOUND.c.id.desc())  # as the index of recipients has them
    .limit(1)
    .correlate(FOLLOWER)
    .scalar_subquery()
)
_PLIES = select(func.count()).where(ENTRY.c.match_id == MATCH.c.id).correlate(MATCH).scalar_subquery()
_LOST = or_(OUTBOUND.c.bounced_at.is_not(None), OUTBOUND.c.status == "refused")
_MAY_BE_TOLD = or_(
    OUTBOUND.c.id.is_(None),
    _LOST,
    and_(
        OUTBOUND.c.created_at <= bindparam("before", type_=OUTBOUND.c.created_at.type),
        MATCH.c.changed_at >= OUTBOUND.c.created_at,
    ),
)
_WAITING = (
    select(
        FOLLOWER.c.match_id, FOLLOWER.c.email, _PLIES, MATCH.c.rewound, MATCH.c.over_at.is_not(None), MATCH.c.private
    )
    .add_columns(OUTBOUND.c.notice_key, _LOST)
    .join_from(FOLLOWER, MATCH, MATCH.c.id == FOLLOWER.c.match_id)
    .outerjoin(OUTBOUND, OUTBOUND.c.id == _LATEST)
    .where(_MAY_BE_TOLD)
    .order_by(FOLLOWER.c.match_id, FOLLOWER.c.since, FOLLOWER.c.email)
)


class Followers(Gateway):
    """The gateway to followers."""

    def find_match(self, number: int) -> Followable | None:
        """Return what following the match with this number depends on; None where there is none."""
        if number > _LARGEST:
            return None
        row = self._row(select(MATCH.c.private, MATCH.c.over_at.is_not(None)).where(MATCH.c.id == number))
        return Followable(*map(bool, row)) if row else None

    def plays(self, number: int, email: str) -> bool:
        """Return whether ``email`` is an address of a player of a match."""
        seats = select(SEAT.c.seat).join(ADDRESS, ADDRESS.c.player_id == SEAT.c.player_id)
        return self._row(seats.where(SEAT.c.match_id == number, ADDRESS.c.email == email).limit(1)) is not None

    def of_address(self, email: str) -> list[int]:
        """Return the numbers of the matches that ``email`` follows, in order."""
        rows = self._rows(select(FOLLOWER.c.match_id).where(FOLLOWER.c.email == email).order_by(FOLLOWER.c.match_id))
        return [number for (number,) in rows]

    def count(self, number: int) -> int:
        """Return how many addresses follow a match."""
        return int(self._value(select(func.count()).select_from(FOLLOWER).where(FOLLOWER.c.match_id == number)))

    def add(self, number: int, email: str, now: datetime) -> None:
        """Let ``email`` follow a match, if it does not yet."""
        insert = insert_unless_known(self._connection.dialect.name, FOLLOWER, ("match_id", "email"))
        self._write(insert, match_id=number, email=email, since=now)

    def remove(self, number: int | None, email: str) -> None:
        """Let ``email`` follow a match no longer, None: any match."""
        chosen = delete(FOLLOWER).where(FOLLOWER.c.email == email)
        self._write(chosen if number is None else chosen.where(FOLLOWER.c.match_id == number))

    def waiting(self, before: datetime, number: int | None = None) -> list[Follower]:
        """Return whom something may have to be told: of a match that has changed since the latest email to them.

        That email was written ``before`` a time at the latest; or it was lost, or there is none. ``number``: only those
        who follow this match.
        """
        chosen: Any = _WAITING if number is None else _WAITING.where(FOLLOWER.c.match_id == number)
        return [
            Follower(match, email, plies, rewound, bool(over), bool(private), key or "", bool(lost))
            for match, email, plies, rewound, over, private, key, lost in self._rows(chosen, before=before)
        ]
