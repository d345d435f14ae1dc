"""What is kept: transactions over the tables, a gateway for each kind of thing; alone imports ``db``."""

from pbem.storage.database import Database, Transaction
from pbem.storage.due import FIRST_ROLLS, DueThing
from pbem.storage.records import BouncingAddress, Disposition, InboundRecord, OutboundRecord, Status

__all__ = [
    "FIRST_ROLLS",
    "BouncingAddress",
    "Database",
    "Disposition",
    "DueThing",
    "InboundRecord",
    "OutboundRecord",
    "Status",
    "Transaction",
]
