"""Retention: the bytes of old messages are dropped; what became of each message stays, and what a reply may quote."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from pbem.asking.kinds.address import DISOWNED, HELD
from pbem.asking.limit_table import ANSWERABLE
from pbem.storage.database import Transaction

_LONGER = 4
"""What met a bug, or was refused, is kept so many times longer, and so is the row of a message that was of no use."""


Drop = Callable[[Transaction, int], int]
"""A step of retention: it drops at most so many, and returns how many."""


def retention(keep_inbound: timedelta, keep_outbound: timedelta, now: datetime) -> Iterator[Drop]:
    """Yield the steps of retention; each is to be repeated, in a transaction of its own, until little is dropped."""

    def drop_inbound(tx: Transaction, most: int) -> int:
        return tx.inbound.drop_bytes(
            now - keep_inbound,
            most,
            failed_before=now - _LONGER * keep_inbound,
            held=(HELD, DISOWNED),
            held_since=now - 2 * ANSWERABLE,  # the player is asked, and then the address
        )

    def delete_discarded(tx: Transaction, most: int) -> int:
        return tx.inbound.delete_discarded(now - _LONGER * keep_inbound, most)

    def drop_outbound(tx: Transaction, most: int) -> int:
        return tx.outbound.drop_bytes(now - keep_outbound, most)

    def drop_refused(tx: Transaction, most: int) -> int:
        # A day at least, in which the operator can see what is refused and send it again.
        return tx.outbound.drop_refused(now - _LONGER * max(keep_outbound, timedelta(days=1)), most)

    def end_offers(tx: Transaction, most: int) -> int:
        return tx.seat_offers.end_unanswered(now - ANSWERABLE, most)

    yield end_offers
    yield drop_outbound
    yield drop_refused
    yield drop_inbound
    yield delete_discarded
