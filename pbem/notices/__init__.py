"""Notices: who gets which email after something has happened, and what it says; pure."""

from pbem.notices.audience import (
    LONGEST_QUESTION,
    address_question,
    notices_for,
    present_notice,
    rejection_notice,
    reminder_notice,
    show_notice,
)
from pbem.notices.board_block import explained_board
from pbem.notices.kinds import notice_kinds
from pbem.notices.render import plain_notice, status_notice
from pbem.notices.sentences import (
    as_typed,
    describe_feed_reply,
    describe_options,
    describe_result,
    describe_seats,
    describe_turn,
    explain,
    explain_picture,
    name_feed,
    name_feed_event,
    note_rejection,
    picture_words,
    say_all,
    say_length,
    say_moment,
)
from pbem.notices.wrapping import flow_lines

__all__ = [
    "LONGEST_QUESTION",
    "address_question",
    "as_typed",
    "describe_feed_reply",
    "describe_options",
    "describe_result",
    "describe_seats",
    "describe_turn",
    "explain",
    "explain_picture",
    "explained_board",
    "flow_lines",
    "name_feed",
    "name_feed_event",
    "note_rejection",
    "notice_kinds",
    "notices_for",
    "picture_words",
    "plain_notice",
    "present_notice",
    "rejection_notice",
    "reminder_notice",
    "say_all",
    "say_length",
    "say_moment",
    "show_notice",
    "status_notice",
]
