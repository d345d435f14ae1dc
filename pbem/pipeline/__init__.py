"""The pipeline of one inbound message, due things, and the outbound queue; all effects happen here, in order.

receive · process (parse, screen, identify, admit, interpret, decide, record, announce) · do_due · deliver · retention
"""

from pbem.pipeline.accounts import AddressChange, Merging, change_addresses, merge, rename
from pbem.pipeline.alarm import line_of, log_security, sound_alarm
from pbem.pipeline.announce import announce, announce_present
from pbem.pipeline.broadcast import MINUTELY, Readers, broadcast, choose_readers
from pbem.pipeline.budget import OverBudget, cpu_budget
from pbem.pipeline.deliver import OUR_SERVER, DeliveryReport, deliver
from pbem.pipeline.due import do_due
from pbem.pipeline.followers import tell_followers
from pbem.pipeline.forgetting import forget
from pbem.pipeline.heartbeat import (
    BEHIND,
    LONGEST_DELAY,
    LONGEST_PAUSE,
    RECEIVES,
    SENDS,
    Unread,
    beat,
    find_gaps,
    is_amiss,
    is_beat_due,
    note_outages,
    set_right,
)
from pbem.pipeline.interpret import own_lines
from pbem.pipeline.opening import open_match
from pbem.pipeline.process import DAMAGED, OVER_BUDGET, UNREADABLE, give_up, note_failure, note_overrun, process
from pbem.pipeline.putting_away import find_quiet, put_match_away
from pbem.pipeline.rationing import OUR_BUDGET, URGENT, PutOff, count_used, find_opening, measure_room
from pbem.pipeline.receive import Received, receive
from pbem.pipeline.record import OPENING, Cause, cause_at, record
from pbem.pipeline.restored import latest_beat, note_restored
from pbem.pipeline.retention import retention
from pbem.pipeline.reviews import ReviewTurn, drop_review, find_review, send_review
from pbem.pipeline.robots import RobotTurn, find_robot_turn, play_robot_turn, put_off_robot_turn, seal_thoughts
from pbem.pipeline.schedule import schedule_clock
from pbem.pipeline.unconfirmed import ANSWERABLE, ASKING, DISOWNED, HELD

__all__ = [
    "ANSWERABLE",
    "ASKING",
    "BEHIND",
    "DAMAGED",
    "DISOWNED",
    "HELD",
    "LONGEST_DELAY",
    "LONGEST_PAUSE",
    "MINUTELY",
    "OPENING",
    "OUR_BUDGET",
    "OUR_SERVER",
    "OVER_BUDGET",
    "RECEIVES",
    "SENDS",
    "UNREADABLE",
    "URGENT",
    "AddressChange",
    "Cause",
    "DeliveryReport",
    "Merging",
    "OverBudget",
    "PutOff",
    "Readers",
    "Received",
    "ReviewTurn",
    "RobotTurn",
    "Unread",
    "announce",
    "announce_present",
    "beat",
    "broadcast",
    "cause_at",
    "change_addresses",
    "choose_readers",
    "count_used",
    "cpu_budget",
    "deliver",
    "do_due",
    "drop_review",
    "find_gaps",
    "find_opening",
    "find_quiet",
    "find_review",
    "find_robot_turn",
    "forget",
    "give_up",
    "is_amiss",
    "is_beat_due",
    "latest_beat",
    "line_of",
    "log_security",
    "measure_room",
    "merge",
    "note_failure",
    "note_outages",
    "note_overrun",
    "note_restored",
    "open_match",
    "own_lines",
    "play_robot_turn",
    "process",
    "put_match_away",
    "put_off_robot_turn",
    "receive",
    "record",
    "rename",
    "retention",
    "schedule_clock",
    "seal_thoughts",
    "send_review",
    "set_right",
    "sound_alarm",
    "tell_followers",
]
