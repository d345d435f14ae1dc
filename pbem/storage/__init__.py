"""Transactions over the tables, with a gateway for each kind of row; the only package that imports ``db``."""

from pbem.storage.blocked import BlockedSender
from pbem.storage.damage import list_damage, list_damaged_rows_in
from pbem.storage.database import Database, Transaction, find_damage, lock_file
from pbem.storage.disk import Growth
from pbem.storage.due import (
    CLOCK_DUE,
    DIGEST_DUE,
    EXPORT_DUE,
    FIRST_ROLLS,
    FORGETTING_DUE,
    INVITATION_DUE,
    LEFTOVERS_DUE,
    OPENING_DUE,
    REMINDER_DUE,
    RESTORED_DUE,
    REVIEW_DUE,
    ROBOT_DUE,
    SEAT_DUE,
    UNSEND_DUE,
    DueThing,
)
from pbem.storage.followers import TOLD, Follower
from pbem.storage.heartbeats import OUTAGE_END
from pbem.storage.inbound import TAKEN_BACK
from pbem.storage.invitations import Approach, player_mark
from pbem.storage.lanes import Lanes
from pbem.storage.outbound import Claimed
from pbem.storage.records import (
    BouncingAddress,
    DamagedRecord,
    Disposition,
    InboundRecord,
    Locked,
    OutboundRecord,
    Status,
    Turn,
    WorkerRecord,
)
from pbem.storage.restorations import Landmark, Restoration, read_landmark, write_landmark
from pbem.storage.seat_offers import SeatOffer

__all__ = [
    "CLOCK_DUE",
    "DIGEST_DUE",
    "EXPORT_DUE",
    "FIRST_ROLLS",
    "FORGETTING_DUE",
    "INVITATION_DUE",
    "LEFTOVERS_DUE",
    "OPENING_DUE",
    "OUTAGE_END",
    "REMINDER_DUE",
    "RESTORED_DUE",
    "REVIEW_DUE",
    "ROBOT_DUE",
    "SEAT_DUE",
    "TAKEN_BACK",
    "TOLD",
    "UNSEND_DUE",
    "Approach",
    "BlockedSender",
    "BouncingAddress",
    "Claimed",
    "DamagedRecord",
    "Database",
    "Disposition",
    "DueThing",
    "Follower",
    "Growth",
    "InboundRecord",
    "Landmark",
    "Lanes",
    "Locked",
    "OutboundRecord",
    "Restoration",
    "SeatOffer",
    "Status",
    "Transaction",
    "Turn",
    "WorkerRecord",
    "find_damage",
    "list_damage",
    "list_damaged_rows_in",
    "lock_file",
    "player_mark",
    "read_landmark",
    "write_landmark",
]
