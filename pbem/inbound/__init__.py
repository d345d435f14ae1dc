"""Whether a person wrote an inbound message, and which lines of it are theirs; pure."""

from pbem.inbound.automatic import BOUNCE, classify, fails_dmarc
from pbem.inbound.boilerplate import own_subject
from pbem.inbound.bounce import Bounce, read_bounce, returned_ids, returned_places
from pbem.inbound.reply import extract_reply, may_quote

__all__ = [
    "BOUNCE",
    "Bounce",
    "classify",
    "extract_reply",
    "fails_dmarc",
    "may_quote",
    "own_subject",
    "read_bounce",
    "returned_ids",
    "returned_places",
]
