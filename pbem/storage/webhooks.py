"""Webhooks: how far each was told of every match, and how its calls fare."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, delete, func, or_, select

from pbem.storage.gateway import Gateway, select_records
from pbem.storage.tables import ENTRY, MATCH, WEBHOOK, WEBHOOK_TOLD


@dataclass(frozen=True, slots=True)
class Told:
    """How far somebody was told of a match: its first ``ply`` entries, its end, and how often it was ``reopened``."""

    ply: int = 0
    over: bool = False
    reopened: int = 0


@dataclass(frozen=True, slots=True)
class WebhookRecord:
    """A row, as the table describes it."""

    name: str
    host: str
    since: datetime
    looked_at: datetime
    attempts: int = 0
    due_at: datetime | None = None
    failing_since: datetime | None = None
    error: str = ""
    succeeded_at: datetime | None = None
    disabled_at: datetime | None = None


_ALL = select_records(WEBHOOK, WebhookRecord)
_PLIES = select(func.count()).where(ENTRY.c.match_id == MATCH.c.id).correlate(MATCH).scalar_subquery()


class Webhooks(Gateway):
    """The gateway to webhooks."""

    def get(self, name: str) -> WebhookRecord | None:
        """Return what is known of a webhook; None where it has not begun."""
        row = self._row(_ALL.where(WEBHOOK.c.name == name))
        return WebhookRecord(**row._mapping) if row else None

    def disabled(self) -> list[WebhookRecord]:
        """Return the webhooks that are called no more."""
        return [WebhookRecord(**row._mapping) for row in self._rows(_ALL.where(WEBHOOK.c.disabled_at.is_not(None)))]

    def names(self) -> set[str]:
        """Return the names of all webhooks that have begun."""
        return {name for (name,) in self._rows(select(WEBHOOK.c.name))}

    def begin(self, hosts: Mapping[str, str], now: datetime) -> None:
        """Let these webhooks, by name with their hosts, be all that there are; those that are new begin ``now``."""
        self._write(delete(WEBHOOK_TOLD).where(WEBHOOK_TOLD.c.webhook.not_in(hosts)))
        self._write(delete(WEBHOOK).where(WEBHOOK.c.name.not_in(hosts)))
        for name in hosts.keys() - self.names():
            self._write(WEBHOOK.insert(), name=name, host=hosts[name], since=now, looked_at=now)

    def save(self, webhook: WebhookRecord) -> None:
        """Store how the calls of a webhook fare."""
        changing = ("looked_at", "attempts", "due_at", "failing_since", "error", "succeeded_at", "disabled_at")
        self._set(WEBHOOK, WEBHOOK.c.name == webhook.name, **{name: getattr(webhook, name) for name in changing})

    def note_success(self, name: str, now: datetime) -> None:
        """Store that a webhook was called, and answered that it has it."""
        if known := self.get(name):
            self.save(WebhookRecord(name, known.host, known.since, known.looked_at, succeeded_at=now))

    def told(self, name: str, match: int) -> Told | None:
        """Return how far a webhook was told of a match; None: of nothing yet."""
        columns = WEBHOOK_TOLD.c.ply, WEBHOOK_TOLD.c.over, WEBHOOK_TOLD.c.reopened
        row = self._row(select(*columns).where(WEBHOOK_TOLD.c.webhook == name, WEBHOOK_TOLD.c.match_id == match))
        return Told(*row) if row else None

    def note_told(self, name: str, match: int, told: Told, seen: datetime | None = None) -> None:
        """Store how far a webhook was told of a match; ``seen``: nothing more is to be told of the change then."""
        values: dict[str, Any] = {"ply": told.ply, "over": told.over, "reopened": told.reopened, "seen": seen}
        this = WEBHOOK_TOLD.c.webhook == name, WEBHOOK_TOLD.c.match_id == match
        if not self._set(WEBHOOK_TOLD, *this, **values):
            self._write(WEBHOOK_TOLD.insert(), webhook=name, match_id=match, **values)

    def waiting(
        self, name: str, since: datetime, games: Collection[str], matches: Collection[int], limit: int
    ) -> list[tuple[int, datetime]]:
        """Return the matches that a webhook may have to be told of, with their changes since then, the oldest first.

        ``games`` and ``matches``: only of those, where any are named. A private match has to be named.
        """
        this = and_(WEBHOOK_TOLD.c.match_id == MATCH.c.id, WEBHOOK_TOLD.c.webhook == name)
        query = (
            select(MATCH.c.id, MATCH.c.changed_at)
            .outerjoin(WEBHOOK_TOLD, this)
            .where(MATCH.c.changed_at >= since)
            .where(MATCH.c.id.in_(matches) if matches else ~MATCH.c.private)
            .where(
                or_(
                    WEBHOOK_TOLD.c.seen.is_(None),
                    WEBHOOK_TOLD.c.seen != MATCH.c.changed_at,
                    WEBHOOK_TOLD.c.ply != _PLIES,  # changes of the same moment
                )
            )
            .order_by(MATCH.c.changed_at, MATCH.c.id)
            .limit(limit)
        )
        rows = self._rows(query.where(MATCH.c.game.in_(games)) if games else query)
        return [(match, changed_at) for match, changed_at in rows]
