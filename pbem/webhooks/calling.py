"""The calls: one after the other for each webhook, in the order of what happened in a match; those that fail again."""

import logging
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.due.schedule import note_need
from pbem.errors import DamagedRow, TransientFailure
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.match.match import Match
from pbem.ports import Caller, Clock
from pbem.settings.webhooks import Webhook
from pbem.storage.database import Database
from pbem.storage.transaction import Transaction
from pbem.storage.webhooks import WebhookRecord
from pbem.transport.calls import sign
from pbem.webhooks.bodies import name_call, write_body, write_test
from pbem.webhooks.events import Event, find_event, tell_all

log = logging.getLogger("pbem")

AGAIN = (
    *(timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
"""So long after the first failure, the second … a call is made again, and every day from then on."""

GIVEN_UP = timedelta(days=5)
"""A webhook is called no more after so long in which all calls failed."""

_GONE = 410
_OVERLAP = timedelta(minutes=5)  # a change is dated before its transaction ends
_LOOK_NOTED = timedelta(minutes=1)
_AT_A_TIME = 50  # matches


def begin_calls(database: Database, webhooks: Iterable[Webhook], now: datetime) -> None:
    """Let these webhooks be called from now on, and no others; those that were before go on where they were."""
    hosts = {one.name: one.host for one in webhooks}
    with database.reading() as tx:
        if tx.webhooks.names() == hosts.keys():
            return
    with database.transaction() as tx:
        tx.webhooks.begin(hosts, now)


def list_waiting(tx: Transaction, webhook: Webhook, limit: int, now: datetime) -> list[tuple[int, datetime]]:
    """Return the matches that a webhook may have to be told of, with their latest changes, the oldest first."""
    known = tx.webhooks.get(webhook.name)
    since = min(known.looked_at, now) - _OVERLAP if known else now
    return tx.webhooks.waiting(webhook.name, since, webhook.games, webhook.matches, limit)


def _is_later(at: datetime | None, now: datetime) -> bool:
    """Return whether a call is to be made later; one that is further ahead than any was put off by a wrong clock."""
    return at is not None and timedelta() < at - now <= AGAIN[-1]


class Calling:
    """Calls one webhook about all that happens."""

    def __init__(self, webhook: Webhook, database: Database, site: Site, clock: Clock, post: Caller) -> None:
        self._webhook = webhook
        self._database = database
        self._site = site
        self._clock = clock
        self._post = post

    async def call(self) -> bool:
        """Make the calls that are to be made now, until one fails; return whether any was made, so that more may wait.

        Nothing is held meanwhile that anybody else waits for.
        """
        began, made = self._clock.now(), 0
        with self._database.reading() as tx:
            known = tx.webhooks.get(self._webhook.name)
            if known is None or known.disabled_at or _is_later(known.due_at, began):
                return False
            waiting = list_waiting(tx, self._webhook, _AT_A_TIME, began)
        for number, changed_at in waiting:
            while found := self._find(number, changed_at):
                match, happened, body = found
                if why := await self._try(name_call(self._site, self._webhook, match, happened), body):
                    self._note_failure(why)
                    return False
                self._note_success(number, happened)
                made += 1
        looked_at = began if len(waiting) < _AT_A_TIME else waiting[-1][1]
        if made or abs(looked_at - known.looked_at) > _LOOK_NOTED:
            with self._database.transaction() as tx:
                self._save(tx, looked_at=looked_at)
        return bool(made)

    async def test(self) -> str:
        """Make a call that tells of nothing, and go on with all that wait if it is taken; return why it was not."""
        now = self._clock.now()
        name = f"msg_test_{now.timestamp():.0f}"
        why = await self._try(name, write_test(self._site, self._webhook, now))
        if not why:
            with self._database.transaction() as tx:
                tx.webhooks.note_success(self._webhook.name, now)
        return why

    def _find(self, number: int, changed_at: datetime) -> tuple[Match, Event, bytes] | None:
        """Return what is to be told next of a match that is public now, or named; None if nothing is."""
        name, now = self._webhook.name, self._clock.now()
        with self._database.reading() as tx:
            known = tx.webhooks.get(name)
            try:
                match = tx.matches.get(number, comments=True)
            except DamagedRow:  # the doctor tells of it
                return None
            if known is None or match is None or (match.private and number not in self._webhook.matches):
                return None
            history = tx.clocks.log(number)
            happened = find_event(match, history, tx.webhooks.told(name, number), known.since)
            if happened:
                return match, happened, write_body(self._site, self._webhook, match, happened, now)
        with self._database.transaction() as tx:
            tx.webhooks.note_told(name, number, tell_all(match, history), changed_at)
        return None

    async def _try(self, name: str, body: bytes) -> str:
        """Make a call; return why it failed, in a clause, or an empty text."""
        headers = sign(self._webhook.secrets, name, self._clock.now(), body)
        try:
            status = await self._post(self._webhook.url, headers, body)
        except TransientFailure as error:
            return str(error)
        return "" if 200 <= status < 300 else f"HTTP {status}"

    def _note_success(self, number: int, happened: Event) -> None:
        """Store that a call was taken."""
        with self._database.transaction() as tx:
            tx.webhooks.note_told(self._webhook.name, number, happened.told)
            tx.webhooks.note_success(self._webhook.name, self._clock.now())
        facts = {"webhook": self._webhook.number, "match": number}
        log.info("a webhook was told: match.%s", happened.kind, extra=event("webhook_called", **facts))
        if skipped := happened.skipped:
            log.warning("a webhook isn’t told of %d older moves", skipped, extra=event("webhook_skips", **facts))

    def _note_failure(self, why: str) -> None:
        """Store that a call failed, and when it is made again: never, if the server wants none or none has worked."""
        now = self._clock.now()
        with self._database.transaction() as tx:
            known = tx.webhooks.get(self._webhook.name)
            if known is None:
                return
            failing_since = min(known.failing_since or now, now)
            has_tried = known.attempts >= len(AGAIN)  # and did not merely stand still
            ends = why == f"HTTP {_GONE}" or (has_tried and now - failing_since >= GIVEN_UP)
            again = now + AGAIN[min(known.attempts, len(AGAIN) - 1)]
            self._save(
                tx,
                attempts=known.attempts + 1,
                due_at=again,
                failing_since=failing_since,
                error=why,
                disabled_at=now if ends else None,
            )
            if ends:
                note_need(tx, now, urgent=True)
        facts = {"webhook": self._webhook.number, "attempts": known.attempts + 1}
        if ends:
            log.error("a webhook is called no more: %s", why, extra=event("webhook_disabled", **facts))
        else:
            log.warning("a webhook can’t be told: %s", why, extra=event("webhook_failed", **facts))

    def _save(self, tx: Transaction, **changes: object) -> None:
        """Store what has changed of how the calls fare."""
        if known := tx.webhooks.get(self._webhook.name):
            changed: WebhookRecord = replace(known, **changes)  # type: ignore[arg-type]
            tx.webhooks.save(changed)
