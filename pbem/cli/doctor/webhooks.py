"""What the doctor finds of webhooks: when each was last called, what waits, and why a call failed."""

from datetime import datetime
from typing import TYPE_CHECKING

from pbem.cli.finding import Finding
from pbem.cli.output import format_time_utc, make_service, now

if TYPE_CHECKING:
    from pbem.settings.model import Settings
    from pbem.settings.webhooks import Webhook
    from pbem.storage.database import Database
    from pbem.storage.transaction import Transaction

_MOST = 1000  # matches that are counted


def check_webhooks(settings: "Settings", database: "Database", *, call: bool) -> Finding:
    """Tell how each webhook fares; ``call`` each first, so that it goes on if it is called no more."""
    refused = _call_each(settings, database) if call else ()
    with database.reading() as tx:
        known = [(one, tx.webhooks.get(one.name)) for one in settings.webhooks]
        told = tuple(_describe(tx, one, now()) for one in settings.webhooks)
    disabled = tuple(
        f"Number {one.number}, {one.host}, is called no more since {format_time_utc(row.disabled_at)} ({row.error}):"
        " “pbem doctor --webhooks” tries it again."
        for one, row in known
        if row and row.disabled_at
    )
    return Finding("none of them is given up", (*refused, *disabled), told)


def _call_each(settings: "Settings", database: "Database") -> tuple[str, ...]:
    """Call each webhook, and return a sentence for each that did not take it."""
    import asyncio

    from pbem.transport.calls import post
    from pbem.webhooks.calling import Calling

    service = make_service(settings, database)

    async def call(one: "Webhook") -> str:
        why = await Calling(one, database, service.site, service.clock, post).test()
        return why and f"Number {one.number}, {one.host}, can’t be called: {why}."

    async def call_all() -> list[str]:
        return await asyncio.gather(*map(call, settings.webhooks))

    return tuple(filter(None, asyncio.run(call_all())))


def _describe(tx: "Transaction", webhook: "Webhook", now: datetime) -> str:
    """Return a sentence about a webhook."""
    from pbem.webhooks.calling import list_waiting

    known = tx.webhooks.get(webhook.name)
    if known is None:
        return f"Number {webhook.number}, {webhook.host}: it begins with the next start of “pbem run”."
    waiting = list_waiting(tx, webhook, _MOST, now)
    last = format_time_utc(known.succeeded_at) or "never"
    waits = f"{len(waiting)} matches wait, since {format_time_utc(waiting[0][1])}" if waiting else "nothing waits"
    failed = f"; calls failed since then: {known.attempts}, the last one: {known.error}" if known.attempts else ""
    return f"Number {webhook.number}, {webhook.host}: last called {last}; {waits}{failed}."
