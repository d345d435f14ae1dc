"""What players read about a match, sentence by sentence: templates and the texts of games hold all the rest. Pure."""

<<<<<<< HEAD
from pbem.notices.sentences.commands import explain_row
=======
from pbem.notices.sentences.boards import explain_picture, picture_words
>>>>>>> e9b797637d4b2e5af7981fc5652a7e07cca0ceda
from pbem.notices.sentences.match import (
    QuotedComment,
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
    describe_winners,
    may_read,
)
from pbem.notices.sentences.reasons import (
    explain,
    explain_rejection,
    join,
    note_rejection,
    say,
    say_all,
    tie_quotations,
)

__all__ = [
    "QuotedComment",
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
<<<<<<< HEAD
    "describe_winners",
    "explain",
    "explain_rejection",
    "explain_row",
    "join",
    "may_read",
    "note_rejection",
    "say",
    "say_all",
    "tie_quotations",
=======
    "explain_picture",
    "join_story",
    "may_read",
    "picture_words",
>>>>>>> e9b797637d4b2e5af7981fc5652a7e07cca0ceda
]
