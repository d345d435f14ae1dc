"""Retention: the bytes of old messages are dropped; what became of each message stays, and what a reply may quote."""

from collections.abc import Callable, Iterator
from datetime import timedelta

from pbem.asking.kinds.address import DISOWNED, HELD
from pbem.asking.limit_table import ANSWERABLE
from pbem.due.gate import OFFERS, OLD_BYTES, WAITING_BYTES, Gate
from pbem.storage.transaction import Transaction

_LONGER = 4
"""What met a bug, or was refused, is kept so many times longer, and so is the row of a message that was of no use."""


Drop = Callable[[Transaction, int], int]
"""A step of retention: it drops at most so many, and returns how many."""


def retention(keep_inbound: timedelta, keep_outbound: timedelta, gate: Gate) -> Iterator[Drop]:
    """Yield the steps of retention; each is to be repeated, in a transaction of its own.

    It is done when little was dropped.
    """
    now = gate.now

    def drop_inbound(tx: Transaction, most: int) -> int:
        return tx.inbound.drop_bytes(
            now - keep_inbound,
            most,
            failed_before=now - _LONGER * keep_inbound,
            held=(HELD, DISOWNED),
            # The player is asked, and then the address.
            held_since=tx.heartbeats.served_since(2 * ANSWERABLE, gate.up_to(WAITING_BYTES)),
        )

    def delete_discarded(tx: Transaction, most: int) -> int:
        return tx.inbound.delete_discarded(now - _LONGER * keep_inbound, most)

    def drop_outbound(tx: Transaction, most: int) -> int:
        return tx.outbound.drop_bytes(now - keep_outbound, most)

    def drop_refused(tx: Transaction, most: int) -> int:
        # A day at least, in which the operator can see what is refused and send it again.
        return tx.outbound.drop_refused(now - _LONGER * max(keep_outbound, timedelta(days=1)), most)

    def end_offers(tx: Transaction, most: int) -> int:
        return tx.seat_offers.end_unanswered(tx.heartbeats.served_since(ANSWERABLE, gate.up_to(OFFERS)), most)

    steps = (
        (OFFERS, end_offers),
        (OLD_BYTES, drop_outbound),
        (OLD_BYTES, drop_refused),
        (WAITING_BYTES, drop_inbound),
        (OLD_BYTES, delete_discarded),
    )
    yield from (step for kind, step in steps if not gate.is_put_off(kind))
