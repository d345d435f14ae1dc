"""Blocked senders: mailboxes, and whole domains, from which nothing is taken in."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, or_, select, update

from pbem.mail.headers import domain_of, mailbox_of
from pbem.storage.gateway import Gateway, insert_unless_known
from pbem.storage.statement import Statement
from pbem.storage.tables import BLOCKED


@dataclass(frozen=True)
class BlockedSender:
    """A blocked ``sender``: a mailbox, or a domain such as ``@example.org``; ``note`` says why, for the operator."""

    sender: str
    at: datetime
    note: str


_HAS = Statement(
    select(BLOCKED.c.email).where(or_(BLOCKED.c.email == bindparam("mailbox"), BLOCKED.c.email == bindparam("domain")))
)
_ALL = select(BLOCKED.c.email, BLOCKED.c.blocked_at, BLOCKED.c.note).order_by(BLOCKED.c.email)


class Blocked(Gateway):
    """The gateway to blocked senders."""

    def has(self, address: str) -> bool:
        """Return whether an address is blocked: its mailbox, however its subaddress reads, or its domain."""
        return self._row(_HAS, mailbox=mailbox_of(address), domain=f"@{domain_of(address)}") is not None

    def among(self, addresses: Iterable[str]) -> frozenset[str]:
        """Return those of many addresses that are blocked."""
        senders = {sender for (sender,) in self._rows(select(BLOCKED.c.email))}
        texts = (each for each in addresses if isinstance(each, str))  # a damaged row may hold anything
        return frozenset(each for each in texts if {mailbox_of(each), f"@{domain_of(each)}"} & senders)

    def all(self) -> list[BlockedSender]:
        """Return all blocked senders, in the order of the alphabet."""
        return [BlockedSender(*row) for row in self._rows(_ALL)]

    def add(self, sender: str, note: str, now: datetime) -> bool:
        """Block a mailbox or a domain; return False if it is blocked already."""
        insert = insert_unless_known(self._connection.dialect.name, BLOCKED, ("email",), "email")
        return self._row(insert, email=sender, blocked_at=now, note=note) is not None

    def set_note(self, sender: str, note: str) -> bool:
        """Replace the note of a blocked mailbox or domain; return False if it is not blocked."""
        return self._write(update(BLOCKED).where(BLOCKED.c.email == sender).values(note=note))

    def remove(self, sender: str) -> bool:
        """Lift the block of a mailbox or a domain; return False if there was none."""
        return self._write(delete(BLOCKED).where(BLOCKED.c.email == sender))
