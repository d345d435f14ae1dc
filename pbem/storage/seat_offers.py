"""Seats that were offered to somebody: to stand in until a day, or to play on for a player for good.

Whoever is asked need not play here; their address is kept until they have answered, or it is too late.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import and_, func, or_, select

from pbem.storage.gateway import Gateway
from pbem.storage.tables import PLAYER, SEAT, SEAT_OFFER
from rules.position import Seat

OfferState = Literal["asked", "accepted", "ready", "standing", "over", "declined"]
"""How far an offer is: its player has been asked, has said yes; all have agreed; stands in; it is done with."""

_OPEN = ("asked", "accepted")
_LARGEST = 2**31 - 1  # number that the databases have room for


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """An offer of the ``seat`` of the player ``owner`` in a match to another ``player``, by the one at ``by``.

    ``player`` is None for a stranger, and where nobody was asked. ``email`` is what they were named by, if by an
    address, while it is open.
    ``until``: they stand in until then; None: for good. ``agreed`` are the seats whose players want that.
    """

    id: int
    match: int
    seat: Seat
    owner: int
    player: int | None
    by: Seat
    until: datetime | None
    state: OfferState
    agreed: tuple[Seat, ...]
    asked_at: datetime
    email: str = ""

    def awaits_others(self, now: datetime) -> bool:
        """Return whether whoever is offered the seat has said yes, and others have yet to, before its time is over."""
        return self.state == "accepted" and (self.until is None or self.until > now)


class SeatOffers(Gateway):
    """The gateway to offered seats."""

    def add(
        self,
        match: int,
        seat: Seat,
        owner: int,
        player: int | None,
        by: Seat,
        until: datetime | None,
        now: datetime,
        *,
        email: str = "",
        asked: bool = True,
    ) -> int:
        """Store an offer, whose player or stranger is being ``asked``; return its number."""
        return self._add(
            SEAT_OFFER,
            match_id=match,
            seat=seat,
            owner_id=owner,
            player_id=player,
            by_seat=by,
            until=until,
            state="asked" if asked else "over",
            agreed=[by],
            asked_at=now,
            email=email or None,
        )

    def get(self, number: int) -> SeatOffer | None:
        """Return the offer with this number."""
        return next(iter(self._read(SEAT_OFFER.c.id == number)), None)

    def open_in(self, match: int) -> list[SeatOffer]:
        """Return the offers in a match that wait for an answer, newest first."""
        return self._read(SEAT_OFFER.c.match_id == match, SEAT_OFFER.c.state.in_(_OPEN))

    def standing_in(self, match: int) -> list[SeatOffer]:
        """Return the offers by which somebody stands in in a match."""
        return self._read(SEAT_OFFER.c.match_id == match, SEAT_OFFER.c.state == "standing")

    def lent_in(self, match: int) -> frozenset[Seat]:
        """Return the seats in a match in which somebody only stands in for their player."""
        return frozenset(one.seat for one in self.standing_in(match))

    def stood_in_by(self, player: int) -> list[SeatOffer]:
        """Return the offers by which a player stands in."""
        return self._read(SEAT_OFFER.c.player_id == player, SEAT_OFFER.c.state == "standing")

    def made_by(self, owner: int, since: datetime) -> list[SeatOffer]:
        """Return the offers of a player's seats until a day that stand, or were made since then, the oldest first."""
        recent = or_(SEAT_OFFER.c.state == "standing", SEAT_OFFER.c.asked_at > since)
        return self._read(SEAT_OFFER.c.owner_id == owner, SEAT_OFFER.c.until.is_not(None), recent)[::-1]

    def alive_in(self, match: int) -> list[SeatOffer]:
        """Return the offers in a match by which a seat may pass, or has until a day, the oldest first."""
        return self._read(SEAT_OFFER.c.match_id == match, SEAT_OFFER.c.state.in_((*_OPEN, "ready", "standing")))[::-1]

    def change(self, number: int, state: OfferState, agreed: Sequence[Seat] | None = None) -> None:
        """Store how far an offer is, and who has agreed; an address is no longer needed once it is answered."""
        changes: dict[str, Any] = {"state": state} | ({} if agreed is None else {"agreed": list(agreed)})
        changes |= {} if state == "asked" else {"email": None}
        self._set(SEAT_OFFER, SEAT_OFFER.c.id == number, **changes)

    def assign(self, number: int, player: int) -> None:
        """Let an offer to a stranger be one to the player who they are by now."""
        self._set(SEAT_OFFER, SEAT_OFFER.c.id == number, player_id=player)

    def end_unanswered(self, before: datetime, most: int) -> int:
        """End offers made before then, and not answered by all, with the addresses of whom they went to.

        Return how many these are.
        """
        old = SEAT_OFFER.c.state.in_(_OPEN), SEAT_OFFER.c.asked_at < before
        numbers = [number for (number,) in self._rows(select(SEAT_OFFER.c.id).where(*old).limit(most))]
        if numbers:
            self._set(SEAT_OFFER, SEAT_OFFER.c.id.in_(numbers), state="over", email=None)
        return len(numbers)

    def renumber(self, before: int, after: int) -> None:
        """Let the offers of one player, and those to them, be those of another one, since they are one person.

        What the one was asked of the other is done with: the seat is theirs.
        """
        self._set(SEAT_OFFER, SEAT_OFFER.c.owner_id == before, owner_id=after)
        self._set(SEAT_OFFER, SEAT_OFFER.c.player_id == before, player_id=after)
        same = SEAT_OFFER.c.owner_id == after, SEAT_OFFER.c.player_id == after
        self._set(SEAT_OFFER, *same, SEAT_OFFER.c.state != "declined", state="over")

    def count_made(self, match: int, by: Seat, since: datetime) -> int:
        """Return how many offers somebody at a seat has made in a match since then."""
        return self._count(SEAT_OFFER.c.match_id == match, SEAT_OFFER.c.by_seat == by, SEAT_OFFER.c.asked_at > since)

    def count_askings(self, player: int, since: datetime) -> int:
        """Return how often a player has asked people to take seats since then; several at once count once."""
        robots = select(PLAYER.c.id).where(PLAYER.c.robot > 0)
        asked = or_(SEAT_OFFER.c.player_id.is_(None), SEAT_OFFER.c.player_id.not_in(robots))
        theirs = select(SEAT.c.seat).where(SEAT.c.match_id == SEAT_OFFER.c.match_id, SEAT.c.player_id == player)
        own = and_(SEAT_OFFER.c.owner_id == player, SEAT_OFFER.c.until.is_not(None))
        by_them = or_(own, and_(SEAT_OFFER.c.until.is_(None), SEAT_OFFER.c.by_seat.in_(theirs)))
        query = select(func.count(SEAT_OFFER.c.asked_at.distinct())).where(SEAT_OFFER.c.asked_at > since)
        return int(self._value(query.where(asked, by_them)))

    def has_declined(self, match: int, player: int, since: datetime) -> bool:
        """Return whether a player was offered a seat in a match since then, and said no."""
        of_match = SEAT_OFFER.c.match_id == match, SEAT_OFFER.c.player_id == player, SEAT_OFFER.c.asked_at > since
        return self._count(*of_match, SEAT_OFFER.c.state == "declined") > 0

    def _count(self, *conditions: Any) -> int:
        """Return how many offers meet the conditions."""
        return int(self._value(select(func.count()).select_from(SEAT_OFFER).where(*conditions)))

    def _read(self, *conditions: Any) -> list[SeatOffer]:
        """Return the offers that meet the conditions, newest first."""
        rows = self._rows(select(SEAT_OFFER).where(*conditions).order_by(SEAT_OFFER.c.id.desc()))
        return [
            SeatOffer(
                row.id,
                row.match_id,
                row.seat,
                row.owner_id,
                row.player_id,
                row.by_seat,
                row.until,
                row.state,
                tuple(row.agreed or ()),
                row.asked_at,
                row.email or "",
            )
            for row in rows
        ]
