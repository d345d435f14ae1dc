"""What players can write, and what follows from it: one module a family, listed in COMMANDS; pure."""

from pbem.commands.account import display_meant
from pbem.commands.command import (
    AddAddress,
    AddComment,
    Append,
    Command,
    Decision,
    Disown,
    DropAddress,
    Effect,
    Family,
    MatchDecision,
    Reply,
    Requeue,
    SetPreference,
    SetSeed,
    Step,
    is_unsubscribing,
)
from pbem.commands.families import COMMANDS, KEYWORDS, help_rows, is_keyword
from pbem.commands.grammar import is_harmless, public_lines, read_commands, reads_as_command
from pbem.commands.judge import automatic_decision, counts_outside, judge, judge_outside
from pbem.commands.phrasing import MARK, TIE, WORD_MOVES, looks_like_a_move
from pbem.commands.play import FreeText
from pbem.commands.rejections import (
    Declined,
    Discard,
    MoveRejected,
    Opaque,
    Rejection,
    TooLarge,
    TooMuch,
    TooOften,
    UnknownAddress,
)
from pbem.commands.talk import Say
from pbem.commands.typos import edits, fold, similar_word

__all__ = [
    "COMMANDS",
    "KEYWORDS",
    "MARK",
    "TIE",
    "WORD_MOVES",
    "AddAddress",
    "AddComment",
    "Append",
    "Command",
    "Decision",
    "Declined",
    "Discard",
    "Disown",
    "DropAddress",
    "Effect",
    "Family",
    "FreeText",
    "MatchDecision",
    "MoveRejected",
    "Opaque",
    "Rejection",
    "Reply",
    "Requeue",
    "Say",
    "SetPreference",
    "SetSeed",
    "Step",
    "TooLarge",
    "TooMuch",
    "TooOften",
    "UnknownAddress",
    "automatic_decision",
    "counts_outside",
    "display_meant",
    "edits",
    "fold",
    "help_rows",
    "is_harmless",
    "is_keyword",
    "is_unsubscribing",
    "judge",
    "judge_outside",
    "looks_like_a_move",
    "public_lines",
    "read_commands",
    "reads_as_command",
    "similar_word",
]
