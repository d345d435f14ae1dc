"""Shows by one look at a line that no move can be meant in it, as in most lines of our emails. Pure.

``sentences`` finds that out for every line, word by word, which takes long. Here only two shapes of our own sentences
with cells are known, whose words keep these from being played; in all other lines there must be none.
"""

import re

from pbem.reading.tokens import may_hold_move

TELLING = ("placed", "played", "took", "chose", "lost", "attacked")
"""Verbs of our sentences about moves: no cell behind one of them, in its clause, is played."""

_CELL = "[a-z][0-9]{1,2}"
_MOVE = rf"(?:use [0-9] )?{_CELL}(?:x{_CELL})*(?:,? (?:and )?{_CELL})*"
_TOLD = re.compile(
    r"(?P<who>[^\W\d_]+(?: [^\W\d_]+){0,2})(?: built [0-9]+ cubes?(?:,| and))?"
    rf" (?:{'|'.join(TELLING)}|put (?:your|their) home on)"
    rf"(?: (?:{_CELL},?|[0-9]{{1,2}}|an?|the|black|white|stones?|from|your|store|to|roll|on|and|took|over|lost|removed"
    r"|glass|cubes?|attacked|(?:red|blue|yellow)'s))*(?:\.(?: (?P<rest>.*))?)?"
)
"""Who did something, what it was and where, whole or broken off by the end of the line; then other sentences."""

_WANTED = (
    "a|and|the|number|facing|north|one|two|three|up|to|[0-9]|more|or|free|cells?|points?|for|black|white|stones?|stored|die|place|that|aren't|right"
    "|next|each|other"
)
_ASKED = re.compile(
    rf"(?:reply with(?: (?:{_WANTED}))+, )?such as {_MOVE}(?:,(?: or(?: with(?: pass| “take”)?)?)?)?"
    r"(?:\.(?: (?P<rest>.*))?)?"
    rf"|battle for {_CELL}:(?P<battle>.*)"
)
"""What to reply with, for example, or what is fought about; then other sentences."""

_IDIOM = re.compile(r"\b(?:well|nicely|i)$")


def holds_no_move(line: str) -> bool:
    """Return whether one look at a line shows that it holds no move, or only such as it tells of, or as an example."""
    text = line.lower().replace("’", "'")
    if found := _TOLD.fullmatch(text):
        text = found["rest"] or ""
        if may_hold_move(found["who"]) or _IDIOM.search(found["who"]):
            return False
    elif found := _ASKED.fullmatch(text):
        text = found["rest"] or found["battle"] or ""
    return not may_hold_move(text)
