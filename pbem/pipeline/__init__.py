"""The pipeline of one inbound message, due things, and the outbound queue; all effects happen here, in order.

receive · process (parse, screen, identify, interpret, decide, record, announce) · do_due · deliver
"""

from pbem.pipeline.announce import announce
from pbem.pipeline.deliver import DeliveryReport, deliver
from pbem.pipeline.due import do_due
from pbem.pipeline.interpret import own_lines
from pbem.pipeline.process import DAMAGED, UNREADABLE, note_failure, process
from pbem.pipeline.receive import receive
from pbem.pipeline.record import OPENING, record
from pbem.pipeline.unconfirmed import ANSWERABLE, ASKING, DISOWNED, HELD

__all__ = [
    "ANSWERABLE",
    "ASKING",
    "DAMAGED",
    "DISOWNED",
    "HELD",
    "OPENING",
    "UNREADABLE",
    "DeliveryReport",
    "announce",
    "deliver",
    "do_due",
    "note_failure",
    "own_lines",
    "process",
    "receive",
    "record",
]
