"""What keeps the database small and lists of matches short: old bytes go, and quiet matches are put away."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from pbem.asking.forgetting import search_for
from pbem.due.gate import gate_of
from pbem.due.putting_away import find_quiet, put_match_away
from pbem.due.retention import retention
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.pipeline.act import Act
from pbem.settings.model import Settings
from pbem.storage.database import Database
from pbem.storage.due import FORGETTING_DUE, DueThing

log = logging.getLogger("pbem")

DROPPED_AT_A_TIME = 200
"""Messages, in some 20 ms."""

PAUSE = 0.05
"""Seconds after each transaction, in which other processes may write."""

_PUT_AWAY_AT_A_TIME = 20  # matches: after years without it there may be hundreds


async def drop_old_bytes(database: Database, settings: Settings, now: datetime, pause: float) -> int:
    """Drop the bytes of messages older than the settings say, and rows of no use; return how many it was.

    Each transaction is short, and others may write in the ``pause`` after it, in seconds.
    """
    keep_inbound, keep_outbound = (
        timedelta(days=settings.keep_inbound_days),
        timedelta(days=settings.keep_outbound_days),
    )
    dropped = 0
    with database.reading() as tx:
        gate = gate_of(tx, now)
    for drop in retention(keep_inbound, keep_outbound, gate):
        count = DROPPED_AT_A_TIME
        while count == DROPPED_AT_A_TIME:
            with database.transaction() as tx:
                count = drop(tx, DROPPED_AT_A_TIME)
            dropped += count
            await asyncio.sleep(pause if count else 0)
    if dropped:
        log.info("bytes or rows of %d old messages dropped", dropped, extra=event("dropped", count=dropped))
    return dropped


async def put_away_quiet(database: Database, site: Site, now: datetime) -> int:
    """Put matches away in which nobody has written for very long; return how many, at most a few at a time."""
    count = 0
    with database.reading() as tx:
        quiet = find_quiet(tx, _PUT_AWAY_AT_A_TIME, now)
    for number in quiet:
        with database.transaction() as tx:
            count += put_match_away(Act(tx, site, now), number)
        await asyncio.sleep(0)
    if count:
        log.info("%d matches put away, in which nobody writes", count, extra=event("put_away", count=count))
    return count


async def search_for_forgotten(database: Database, due: Sequence[DueThing]) -> None:
    """Search all emails for whoever is to be forgotten, of what is due, beside everything else that goes on."""
    for thing in due:
        if thing.kind == FORGETTING_DUE and not database.may_be_undone:
            with suppress(Exception):  # it is met again, and told, when that thing is done
                await asyncio.to_thread(search_for, database, thing.subject)
