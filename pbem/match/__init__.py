"""A match, its players and its fair rolls: immutable values, no effects."""

from pbem.match.fair_rolls import (
    LONGEST_SEED,
    FairRolls,
    clean_seed,
    commitment,
    fair_rolls_of,
    number_of,
    rolls_in,
    verify_rolls,
)
from pbem.match.games import find_game
from pbem.match.match import (
    Comment,
    Match,
    Player,
    advance_automatically,
    fingerprint,
    fingerprint_of,
    is_move,
    record_of,
    record_text,
    winners_note,
)
from pbem.match.preferences import DISPLAYS, Display, Mails, PreferenceName, Preferences, as_display, read_preferences
from pbem.match.signature import normal_key, public_key, sign_record, signing_key
from pbem.match.summary import MatchSummary, Standing, standing_of, summarise

__all__ = [
    "DISPLAYS",
    "LONGEST_SEED",
    "Comment",
    "Display",
    "FairRolls",
    "Mails",
    "Match",
    "MatchSummary",
    "Player",
    "PreferenceName",
    "Preferences",
    "Standing",
    "advance_automatically",
    "as_display",
    "clean_seed",
    "commitment",
    "fair_rolls_of",
    "find_game",
    "fingerprint",
    "fingerprint_of",
    "is_move",
    "normal_key",
    "number_of",
    "public_key",
    "read_preferences",
    "record_of",
    "record_text",
    "rolls_in",
    "sign_record",
    "signing_key",
    "standing_of",
    "summarise",
    "verify_rolls",
    "winners_note",
]
