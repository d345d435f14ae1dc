"""The pipeline of one inbound message, due things, and the outbound queue; all effects happen here, in order.

receive · process (parse, screen, identify, interpret, decide, record, announce) · do_due · deliver · retention
"""

from pbem.pipeline.announce import announce, announce_present
from pbem.pipeline.deliver import DeliveryReport, deliver
from pbem.pipeline.due import do_due
from pbem.pipeline.interpret import own_lines
from pbem.pipeline.process import UNREADABLE, note_failure, process
from pbem.pipeline.receive import receive
from pbem.pipeline.record import OPENING, Cause, record
from pbem.pipeline.retention import retention
from pbem.pipeline.unconfirmed import ANSWERABLE, ASKING, DISOWNED, HELD

__all__ = [
    "ANSWERABLE",
    "ASKING",
    "DISOWNED",
    "HELD",
    "OPENING",
    "UNREADABLE",
    "Cause",
    "DeliveryReport",
    "announce",
    "announce_present",
    "deliver",
    "do_due",
    "note_failure",
    "own_lines",
    "process",
    "receive",
    "record",
    "retention",
]
