"""What players read about a match, sentence by sentence: templates and the texts of games hold all the rest. Pure."""

from pbem.notices.sentences.boards import explain_picture, picture_words
from pbem.notices.sentences.match import (
    QuotedComments,
    as_typed,
    comments_for,
    describe_events,
    describe_options,
    describe_order,
    describe_result,
    describe_roles,
    describe_seats,
    describe_seeds,
    describe_turn,
    describe_wait,
    join_story,
    may_read,
)

__all__ = [
    "QuotedComments",
    "as_typed",
    "comments_for",
    "describe_events",
    "describe_options",
    "describe_order",
    "describe_result",
    "describe_roles",
    "describe_seats",
    "describe_seeds",
    "describe_turn",
    "describe_wait",
    "explain_picture",
    "join_story",
    "may_read",
    "picture_words",
]
