"""Who is told what, in sentences: notices rendered from templates; pure."""

from pbem.notices.audience import address_question, after_rejection, after_return, notices_for
from pbem.notices.render import plain_notice
from pbem.notices.sentences import (
    as_typed,
    describe_options,
    describe_result,
    describe_seats,
    describe_turn,
)

__all__ = [
    "address_question",
    "after_rejection",
    "after_return",
    "as_typed",
    "describe_options",
    "describe_result",
    "describe_seats",
    "describe_turn",
    "notices_for",
    "plain_notice",
]
