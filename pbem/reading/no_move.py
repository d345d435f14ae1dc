"""Shows by one look at a line that no move can be meant in it, as in most lines of our emails. Pure.

``sentences`` finds that out for every line, word by word, which takes long. Here only shapes are known that our own
sentences have: a word before the cells keeps these from being played, whatever else stands on the line.
"""

import re

from pbem.reading.tokens import may_hold_move

TELLING = ("placed", "played", "took", "chose", "lost", "attacked")
"""Verbs of our sentences about moves: no cell behind one of them, in its clause, is played."""

COUNTING = (
    *("red", "blue", "yellow", "light", "dark", "black", "white", "built", "shows", "clockwise", "won", "by"),
    *("around a", "is a", "blue a", "red a", "yellow a", "and", "run", "the"),
)
"""Words before numbers of our sentences: none is the name of a letter, with which a number would be a cell."""

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

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = rf"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day, [0-9]{{1,2}} (?:{_MONTHS})\b(?:, [0-9]{{2}}:[0-9]{{2}}\b)?"
_LENGTH = r"\b(?:have|has)(?: (?:and )?[0-9]+ (?:days?|hours?)\b)+"
_HARMLESS = re.compile(
    rf"\b(?:{'|'.join(COUNTING)}):? [0-9]+\b|{_DATE}|{_LENGTH}"
    r"|\brolls?(?:ed)? an?\b(?: [0-9]+\b)?|\b(?:rolled|passed)\b|(?<=[0-9]) [0-9]+\b|; [0-9]+ free\b|^an? [0-9]\b"
)
"""Numbers, and words that only begin like a move: no part of one stands there."""

_IDIOM = re.compile(r"\b(?:well|nicely|i)$")


def holds_no_move(line: str) -> bool:
    """Return whether one look at a line shows that it holds no move, or only such as it tells of, or as an example."""
    text = line.lower().replace("’", "'")
    if found := _TOLD.fullmatch(text):
        return not may_hold_move(found["who"]) and not _IDIOM.search(found["who"]) and _is_plain(found["rest"])
    if found := _ASKED.fullmatch(text):
        return _is_plain(found["rest"] or found["battle"])
    return _is_plain(text)


def _is_plain(text: str | None) -> bool:
    """Return whether nothing in a text, in small letters, may be a move."""
    return not text or not may_hold_move(_HARMLESS.sub("", text))
