"""Whether a person wrote an inbound message, and which lines of it are theirs; pure."""

from pbem.inbound.automatic import BOUNCE, classify, fails_dmarc
from pbem.inbound.boilerplate import own_subject
from pbem.inbound.bounce import Bounce, read_bounce, returned_ids
from pbem.inbound.phrases import answer_in
from pbem.inbound.reply import Reply, quotable_words, read_reply

__all__ = [
    "BOUNCE",
    "Bounce",
    "Reply",
    "answer_in",
    "classify",
    "fails_dmarc",
    "own_subject",
    "quotable_words",
    "read_bounce",
    "read_reply",
    "returned_ids",
]
