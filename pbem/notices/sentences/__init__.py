"""What players read about a match, sentence by sentence: templates and the texts of games hold all the rest. Pure."""

from pbem.notices.sentences.boards import explain_picture, picture_words
from pbem.notices.sentences.commands import explain_row
from pbem.notices.sentences.feed import describe_feed_reply, describe_feed_time, name_feed, name_feed_event
from pbem.notices.sentences.log import describe_log, is_told, told_kinds
from pbem.notices.sentences.match import (
    QuotedComment,
    as_typed,
    comments_for,
    describe_adding,
    describe_displays,
    describe_events,
    describe_options,
    describe_order,
    describe_result,
    describe_roles,
    describe_seats,
    describe_seeds,
    describe_turn,
    describe_wait,
    describe_winners,
    may_read,
    name_holders,
)
from pbem.notices.sentences.moments import say_length, say_moment
from pbem.notices.sentences.public import Told, describe_control, tell_log, tell_turn
from pbem.notices.sentences.reasons import (
    explain,
    explain_rejection,
    join,
    note_rejection,
    say,
    say_all,
    tie_quotations,
)
from pbem.notices.sentences.record import RecordRow, list_record
from pbem.notices.sentences.status import (
    MatchGroup,
    MatchRow,
    count_more,
    describe_settings,
    group_matches,
    title_match,
)
from pbem.notices.sentences.thoughts import ThoughtGroup, list_thoughts
from pbem.notices.sentences.time import describe_left, describe_rules, describe_time, list_claims

__all__ = [
    "MatchGroup",
    "MatchRow",
    "QuotedComment",
    "RecordRow",
    "ThoughtGroup",
    "Told",
    "as_typed",
    "comments_for",
    "count_more",
    "describe_adding",
    "describe_control",
    "describe_displays",
    "describe_events",
    "describe_feed_reply",
    "describe_feed_time",
    "describe_left",
    "describe_log",
    "describe_options",
    "describe_order",
    "describe_result",
    "describe_roles",
    "describe_rules",
    "describe_seats",
    "describe_seeds",
    "describe_settings",
    "describe_time",
    "describe_turn",
    "describe_wait",
    "describe_winners",
    "explain",
    "explain_picture",
    "explain_rejection",
    "explain_row",
    "group_matches",
    "is_told",
    "join",
    "list_claims",
    "list_record",
    "list_thoughts",
    "may_read",
    "name_feed",
    "name_feed_event",
    "name_holders",
    "note_rejection",
    "picture_words",
    "say",
    "say_all",
    "say_length",
    "say_moment",
    "tell_log",
    "tell_turn",
    "tie_quotations",
    "title_match",
    "told_kinds",
]
