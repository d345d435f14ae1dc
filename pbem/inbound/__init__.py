"""Whether a person wrote an inbound message, and which lines of it are theirs; pure."""

from pbem.inbound.absence_dates import absence_in
from pbem.inbound.authentic import Verdict, authserv_ids, judge_sender
from pbem.inbound.automatic import BOUNCE, classify
from pbem.inbound.boilerplate import own_subject
from pbem.inbound.bounce import Bounce, read_bounce, returned_ids
from pbem.inbound.phrases import answer_in, is_closing
from pbem.inbound.reply import Reply, quotable_words, read_reply
from pbem.inbound.struck import strike_out

__all__ = [
    "BOUNCE",
    "Bounce",
    "Reply",
    "Verdict",
    "absence_in",
    "answer_in",
    "authserv_ids",
    "classify",
    "is_closing",
    "judge_sender",
    "own_subject",
    "quotable_words",
    "read_bounce",
    "read_reply",
    "returned_ids",
    "strike_out",
]
