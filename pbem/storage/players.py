"""Players, their addresses, preferences and bounces."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import or_, update
from sqlmodel import Session, col, select

from db import models
from pbem.match import Player, Preferences, as_display
from pbem.storage.records import BouncingAddress, row_id


class Players:
    """The gateway to players and their addresses."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, name_or_email: str) -> Player | None:
        """Return the player with this name (in any letter case) or address."""
        row = self._session.get(models.Address, name_or_email.lower())
        if row is not None:
            return self.by_id([row.player_id])[row.player_id]
        found = self._session.exec(
            select(models.Player.id).where(models.Player.folded == name_or_email.casefold())
        ).first()
        return self.by_id([found])[found] if found is not None else None

    def all(self) -> list[Player]:
        """Return all players, oldest first."""
        ids = [row_id(found) for found in self._session.exec(select(models.Player.id).order_by(col(models.Player.id)))]
        return list(self.by_id(ids).values())

    def add(self, name: str, email: str, now: datetime) -> Player:
        """Add a player; a name that is taken gets a number behind it."""
        free, count = name, 1
        while self.find(free) is not None:
            count += 1
            free = f"{name} {count}"
        row = models.Player(name=free, folded=free.casefold(), created_at=now)
        self._session.add(row)
        self._session.flush()
        self._session.add(models.Address(email=email, player_id=row_id(row.id)))
        self._session.flush()
        return Player(row_id(row.id), free, email, frozenset({email}))

    def set_preference(self, player: Player, name: str, value: str | bool) -> None:
        """Store one preference of a player; ``name`` is a field of ``Preferences``."""
        column = {"display": "display", "muted": "quiet"}[name]
        self._session.execute(update(models.Player).where(col(models.Player.id) == player.id).values({column: value}))

    def add_address(self, player: Player, email: str) -> None:
        """Add an address that a player writes from."""
        self._session.add(models.Address(email=email, player_id=player.id, is_primary=False))
        self._session.flush()

    def drop_address(self, player: Player, email: str) -> bool:
        """Remove an address from a player; return False for their primary address, and for one they do not have."""
        row = self._session.get(models.Address, email)
        if row is None or row.player_id != player.id or row.is_primary:
            return False
        self._session.delete(row)
        self._session.flush()
        return True

    def count_bounce(self, email: str, hard: bool, now: datetime) -> BouncingAddress | None:
        """Count one more bounce of a player's address; None if no player has this address."""
        row = self._session.get(models.Address, email, populate_existing=True)
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
        addresses = models.Address
        self._session.execute(
            update(addresses)
            .where(col(addresses.email) == email, or_(col(addresses.soft_bounces) > 0, col(addresses.hard_bounces) > 0))
            .values(soft_bounces=0, hard_bounces=0)
        )

    def bouncing(self) -> list[BouncingAddress]:
        """Return the addresses that bounced since a message last came from them, by player."""
        addresses = models.Address
        query = (
            select(addresses)
            .where(or_(col(addresses.soft_bounces) > 0, col(addresses.hard_bounces) > 0))
            .order_by(col(addresses.player_id), col(addresses.email))
        )
        return [
            BouncingAddress(row.email, row.player_id, row.soft_bounces, row.hard_bounces, row.bounced_at)
            for row in self._session.exec(query)
            if row.bounced_at is not None
        ]

    def by_id(self, ids: Iterable[int]) -> dict[int, Player]:
        """Return the players with these numbers, by number."""
        wanted = list(ids)
        rows = self._session.exec(select(models.Player).where(col(models.Player.id).in_(wanted))).all()
        addresses: dict[int, list[models.Address]] = {}
        for row in self._session.exec(select(models.Address).where(col(models.Address.player_id).in_(wanted))):
            addresses.setdefault(row.player_id, []).append(row)
        found = {}
        for player in sorted(rows, key=lambda row: row.id or 0):
            own = sorted(addresses.get(row_id(player.id), []), key=lambda row: (not row.is_primary, row.email))
            emails = [row.email for row in own]
            found[row_id(player.id)] = Player(
                row_id(player.id),
                player.name,
                emails[0],
                frozenset(emails),
                Preferences(as_display(player.display), player.quiet),
            )
        return found
