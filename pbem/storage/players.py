"""Players, their addresses, preferences and bounces."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import col, func, or_, select

from db import models
from db.models import Address
from pbem.match import Player, Preferences, as_display
from pbem.storage.gateway import Gateway, row_id
from pbem.storage.records import BouncingAddress


class Players(Gateway):
    """The gateway to players and their addresses."""

    def find(self, name_or_email: str) -> Player | None:
        """Return the player with this name (in any letter case) or address."""
        row = self._session.get(Address, name_or_email.lower())
        wanted = models.Player.id == row.player_id if row else models.Player.folded == name_or_email.casefold()
        return next(iter(self._select(wanted).values()), None)

    def all(self) -> list[Player]:
        """Return all players, oldest first."""
        return list(self._select(True).values())

    def newest(self, *, before: int | None = None, limit: int | None = None) -> list[Player]:
        """Return the newest ``limit`` players, oldest first; ``before``: of those with lower numbers."""
        query = select(models.Player.id).order_by(col(models.Player.id).desc()).limit(limit)
        if before is not None:
            query = query.where(col(models.Player.id) < before)
        return list(self._select(col(models.Player.id).in_(query)).values())

    def count(self, *, before: int) -> int:
        """Return the number of players with lower numbers than ``before``."""
        return self._session.exec(select(func.count(col(models.Player.id))).where(col(models.Player.id) < before)).one()

    def by_id(self, ids: Iterable[int]) -> dict[int, Player]:
        """Return the players with these numbers, by number."""
        return self._select(col(models.Player.id).in_(list(ids)))

    def add(self, name: str, email: str, now: datetime) -> Player:
        """Add a player; a name that is taken gets a number behind it."""
        free, count = name, 1
        while self.find(free) is not None:
            count += 1
            free = f"{name} {count}"
        row = models.Player(name=free, folded=free.casefold(), created_at=now)
        self._session.add(row)
        self._session.flush()
        self._session.add(Address(email=email, player_id=row_id(row.id)))
        self._session.flush()
        return Player(row_id(row.id), free, email, frozenset({email}))

    def set_preference(self, player: Player, name: str, value: str | bool) -> None:
        """Store one preference of a player; ``name`` is a field of ``Preferences``."""
        column = {"display": "display", "muted": "quiet"}[name]
        self._set(models.Player, models.Player.id == player.id, **{column: value})

    def add_address(self, player: Player, email: str) -> None:
        """Add an address that a player writes from."""
        self._session.add(Address(email=email, player_id=player.id, is_primary=False))
        self._session.flush()

    def drop_address(self, player: Player, email: str) -> bool:
        """Remove an address from a player; return False for their primary address, and for one they do not have."""
        row = self._session.get(Address, email)
        if row is None or row.player_id != player.id or row.is_primary:
            return False
        self._session.delete(row)
        self._session.flush()
        return True

    def count_bounce(self, email: str, hard: bool, now: datetime) -> BouncingAddress | None:
        """Count one more bounce of a player's address; None if no player has this address."""
        row = self._session.get(Address, email, populate_existing=True)
        if row is None:
            return None
        row.hard_bounces += hard
        row.soft_bounces += not hard
        row.bounced_at = now
        self._session.add(row)
        self._session.flush()
        return BouncingAddress(row.email, row.player_id, row.soft_bounces, row.hard_bounces, now)

    def clear_bounces(self, email: str) -> None:
        """Set the bounce counts of an address to 0, since a message came from it."""
        self._set(Address, Address.email == email, _HAS_BOUNCED, soft_bounces=0, hard_bounces=0)

    def bouncing(self) -> list[BouncingAddress]:
        """Return the addresses that bounced since a message last came from them, by player."""
        query = select(Address).where(_HAS_BOUNCED).order_by(col(Address.player_id), col(Address.email))
        return [
            BouncingAddress(row.email, row.player_id, row.soft_bounces, row.hard_bounces, row.bounced_at)
            for row in self._session.exec(query)
            if row.bounced_at is not None
        ]

    def _select(self, condition: Any) -> dict[int, Player]:
        """Return players by their numbers, oldest first."""
        query = select(models.Player, Address.email).join(Address).where(condition)
        found: dict[int, Player] = {}
        for row, email in self._session.exec(query.order_by(col(models.Player.id), col(Address.is_primary).desc())):
            number = row_id(row.id)
            if number not in found:
                preferences = Preferences(as_display(row.display), row.quiet)
                found[number] = Player(number, row.name, email, frozenset(), preferences)
            found[number] = replace(found[number], emails=found[number].emails | {email})
        return found


_HAS_BOUNCED = or_(Address.soft_bounces > 0, Address.hard_bounces > 0)
