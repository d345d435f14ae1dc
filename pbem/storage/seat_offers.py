"""Seats that were offered to somebody: to stand in until a day, or to play on for a player for good."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import func, select

from pbem.storage.gateway import Gateway
from pbem.storage.tables import SEAT_OFFER
from rules import Seat

OfferState = Literal["asked", "accepted", "ready", "standing", "over", "declined"]
"""How far an offer is: its player has been asked, has said yes; all have agreed; stands in; it is done with."""

_OPEN = ("asked", "accepted")
_LARGEST = 2**31 - 1  # number that the databases have room for


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """An offer of the ``seat`` of the player ``owner`` in a match to another ``player``, by the one at ``by``.

    ``until``: they stand in until then; None: for good. ``agreed`` are the seats whose players want that.
    """

    id: int
    match: int
    seat: Seat
    owner: int
    player: int
    by: Seat
    until: datetime | None
    state: OfferState
    agreed: tuple[Seat, ...]
    asked_at: datetime


class SeatOffers(Gateway):
    """The gateway to offered seats."""

    def add(
        self, match: int, seat: Seat, owner: int, player: int, by: Seat, until: datetime | None, now: datetime
    ) -> int:
        """Store an offer whose player is being asked; return its number."""
        return self._add(
            SEAT_OFFER,
            match_id=match,
            seat=seat,
            owner_id=owner,
            player_id=player,
            by_seat=by,
            until=until,
            state="asked",
            agreed=[by],
            asked_at=now,
        )

    def get(self, number: int) -> SeatOffer | None:
        """Return the offer with this number."""
        return next(iter(self._read(SEAT_OFFER.c.id == number)), None)

    def asked_at(self, number: int) -> datetime | None:
        """Return when the offer with this number was made; None where there is none."""
        query = select(SEAT_OFFER.c.asked_at).where(SEAT_OFFER.c.id == number)
        found: datetime | None = self._value(query) if 0 < number <= _LARGEST else None
        return found

    def open_in(self, match: int) -> list[SeatOffer]:
        """Return the offers in a match that wait for an answer, newest first."""
        return self._read(SEAT_OFFER.c.match_id == match, SEAT_OFFER.c.state.in_(_OPEN))

    def standing_in(self, match: int) -> list[SeatOffer]:
        """Return the offers by which somebody stands in in a match."""
        return self._read(SEAT_OFFER.c.match_id == match, SEAT_OFFER.c.state == "standing")

    def stood_in_by(self, player: int) -> list[SeatOffer]:
        """Return the offers by which a player stands in."""
        return self._read(SEAT_OFFER.c.player_id == player, SEAT_OFFER.c.state == "standing")

    def made_by(self, owner: int) -> list[SeatOffer]:
        """Return the offers of a player's seats until a day that they can still end, the oldest first."""
        ended = SEAT_OFFER.c.state.in_(("asked", "accepted", "ready", "standing"))
        return self._read(SEAT_OFFER.c.owner_id == owner, SEAT_OFFER.c.until.is_not(None), ended)[::-1]

    def change(self, number: int, state: OfferState, agreed: Sequence[Seat] | None = None) -> None:
        """Store how far an offer is, and who has agreed."""
        changes: dict[str, Any] = {"state": state} | ({} if agreed is None else {"agreed": list(agreed)})
        self._set(SEAT_OFFER, SEAT_OFFER.c.id == number, **changes)

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

    def count_asked(self, player: int, since: datetime) -> int:
        """Return how often a player was asked since then."""
        return self._count(SEAT_OFFER.c.player_id == player, SEAT_OFFER.c.asked_at > since)

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
            )
            for row in rows
        ]
