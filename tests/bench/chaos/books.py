"""Reads what a season left in the database."""

import re
from collections.abc import Sequence

from sqlalchemy import text

from db import engine as engines
from pbem.match.records import record_text
from pbem.storage.database import Database
from tests.bench.chaos.ledger import Books, EntryRow, InboundRow
from tests.bench.chaos.players import Arrived

_INBOUND = text("SELECT identity, status, reason FROM inbound ORDER BY id")
_ENTRIES = text(
    "SELECT matchentry.match_id, ply, identity FROM matchentry JOIN inbound ON inbound.id = inbound_id"
    " WHERE matchentry.seat IS NOT NULL ORDER BY 1, 2"
)
_OUTBOUND = text("SELECT message_id, status FROM outbound ORDER BY id")
_WAITING = text(
    "SELECT (SELECT count(*) FROM inbound WHERE status = 'received')"
    " + (SELECT count(*) FROM outbound WHERE status = 'queued')"
)

_OVER = re.compile(
    r"^over: .*\n", re.MULTILINE
)  # the day on which a match ended is the only one that faults may change


def read_books(url: str, written: Sequence[str], arrived: Sequence[Arrived]) -> Books:
    """Return the books of a season, whose players noted what they wrote and what arrived."""
    database, engine = Database(url), engines.connect(url)
    try:
        with engine.connect().execution_options(**{engines.READING: True}) as connection:
            inbound = tuple(InboundRow(_name(row[0]), row[1], row[2]) for row in connection.execute(_INBOUND))
            entries = tuple(EntryRow(row[0], row[1], _name(row[2])) for row in connection.execute(_ENTRIES))
            outbound = {row[0]: row[1] for row in connection.execute(_OUTBOUND)}
        with database.reading() as tx:
            matches = tx.matches.all(comments=True, checked=True)
        return Books(
            tuple(written),
            tuple(arrived),
            inbound,
            entries,
            {match.id: _OVER.sub("", record_text(match)) for match in matches},
            {match.id: tuple((said.seat, said.text) for said in match.comments) for match in matches},
            outbound,
        )
    finally:
        database.close()
        engine.dispose()


def count_waiting(url: str) -> int:
    """Return how many messages wait to be processed or to be sent."""
    engine = engines.connect(url)
    try:
        with engine.connect().execution_options(**{engines.READING: True}) as connection:
            return int(connection.execute(_WAITING).scalar_one())
    finally:
        engine.dispose()


def _name(identity: str) -> str:
    """Return the Message-ID in the identity of an inbound message, which goes on with its sender."""
    return identity.partition(" ")[0]
