"""Knows the signs around a move, and the phrases above and below it that take it back or go on with it. Pure."""

import re
import unicodedata
from collections.abc import Iterable
from string import punctuation

from pbem.patterns import compile_later
from pbem.reading.word_classes import load_classes, load_phrases
from rules.games import GAMES

MARK = "·"
"""Stands before a line of our emails that would otherwise read as a command."""

BEFORE = r"[\s*_\"'“”•(\[<@#-]{0,9}(?:\d{1,2}[.)]\s{0,9})?(?:to\s{1,9})?(?:my\s{1,9})?"
"""A pattern of the signs that bold type, lists and quotation marks leave before a word in plain text."""

WISHING = r"(?:please[\s,]{1,9})?(?:i(?:['’]d\slike|\swould\slike|\swant)\sto\s{1,9})?"
"""A pattern of what stands before a word that somebody would like to be obeyed."""

THANKING = (
    r"(?:[\s,]{1,9}(?:please|pls|thanks|thank\syou|bitte|danke|merci|s['’]il\s(?:vous|te)\spla[iî]t|por\sfavor|gracias"
    r"|per\sfavore|grazie))?"
)
"""A pattern of the courtesy behind what somebody asks for."""

_LONGEST_COMMAND = 4  # words: what is longer is a sentence, and may have a semicolon of its own

TIE = "\N{NO-BREAK SPACE}"
"""Stands where a line of our emails must not break; the finished text has a plain space there."""

WORD_MOVES = frozenset(word for game in GAMES.values() for word in game.words)
"""The moves that are words, of all games."""

_SIGNS = " \t\ufe0e\ufe0f*_`´‘’“”„«»\"'()[]{}…•–—→⇒➔➡►▶"
_IN_MOVES = WORD_MOVES | {
    *("and", "then", "take", "takes", "capture", "captures", "remove", "removes"),
    *("use", "on", "at", "with", "the", "facing", "die", "north"),
}
"""The words that may stand in a move of any game, besides cells and numbers."""

_VAST = 2000  # characters: more than the longest turn, of stones that capture all over the largest board
_LONGEST = 120  # characters: a longer line is no move with a few words around it
_DOUBTS = re.compile("[?¿？~≠❌❎✖✗✘🚫⛔👎🙅☐☒❓❔🤔🤷⚠🛑]")
"""Signs that ask, or say no: what they stand beside is no move."""

_SHORT = 4  # words of a sentence that does nothing but take back
_SENTENCE_END = re.compile(r"[.!?]+\s")
_SMILEY = re.compile(r"\s+(?:[:=8][-^']?[)DPpdoO3]|\^\^)$")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_CELL = re.compile(r"[a-z][0-9]{1,2}")
_ANGLED = re.compile(r"^\s*<([^<>]+)>\s*$")  # one sign alone is a quotation mark
_NUMBERED = re.compile(r"\d{1,3}[.)]\s+(?=[^\W\d_])")
_ARROW = re.compile(r"[-–—=]{1,3}>\s*")


def undressed(text: str) -> str:
    """Return the move in a line that is one move and signs around it, bold type or a bullet, else the line as it is.

    A move among words is for ``sentences`` to find, who look at the position.
    """
    if _CELL.fullmatch(text):  # as most moves are written
        return text
    if len(text) > _LONGEST or is_doubtful(text) or "[ ]" in text:
        return text
    bare = _without_signs(_ANGLED.sub(r"\1", _SMILEY.sub("", text)))
    if (word := bare.rstrip(".!").lower()) in WORD_MOVES:
        return word
    if not any(map(str.isdigit, text)):
        return text
    bare = _without_signs(_NUMBERED.sub("", _ARROW.sub("", bare, count=1), count=1))
    words = bare.split()
    return bare if words and all(len(word) <= 8 and any(map(str.isdigit, word)) for word in words) else text


def looks_like_a_move(text: str) -> bool:
    """Return whether ``text`` may be meant as a move: a few words with a digit among them, or any number of cells."""
    words = text.split()
    if not any(char.isdigit() for char in text):
        return False
    return len(words) <= _LONGEST_COMMAND or all(any(map(str.isdigit, word)) and len(word) <= 8 for word in words)


def is_sentence(text: str) -> bool:
    """Return whether ``text`` is too long for a move of any game: vast, or many words and no number among them."""
    return len(text) > _VAST or (len(text.split()) > _LONGEST_COMMAND and not any(map(str.isdigit, text)))


def is_prose(text: str) -> bool:
    """Return whether ``text`` has two words or more that no game reads in a move, whatever it is said to be about."""
    found = 0
    for word in text.split():
        bare = word.strip(punctuation)
        if len(bare) > 1 and bare.isascii() and bare.isalpha() and bare.lower() not in _IN_MOVES:
            found += 1
            if found == 2:
                return True
    return False


def is_long(piece: str) -> bool:
    """Return whether ``piece`` is too long for a command, and no move either."""
    return len(piece.split()) > _LONGEST_COMMAND and not looks_like_a_move(piece)


def is_doubtful(text: str) -> bool:
    """Return whether ``text`` holds a sign of a question or of a refusal."""
    return _DOUBTS.search(text) is not None


def leads_into(above: str) -> bool:
    """Return whether the line ``above`` is an unfinished sentence with a "not" or an "if", which a move may end."""
    bare = above.rstrip(" *_")
    open_end = bare.rstrip(",:")
    last = open_end.split()[-3 if bare == open_end else -5 :]
    return bool(open_end) and open_end[-1] not in _ENDS and _LEADING.search(" ".join(last)) is not None


def trails_off(above: str) -> bool:
    """Return whether the line ``above`` may be an unfinished sentence, and is no greeting."""
    bare = above.rstrip(" *_")
    return bool(bare) and bare[-1] not in _ENDS.replace(":", "") and not _GREETING.match(bare)


def unfinished(above: str, line: str) -> str:
    """Return the sentence that is unfinished below ``line``, of which ``above`` is what stands above it."""
    if not line:  # few people end a paragraph in the midst of a sentence
        return above if above and (above.endswith((",", ":")) or leads_into(above)) else ""
    bare = line.rstrip(" *_")
    return "" if bare[-1:] in _ENDS.replace(",", "").replace(":", "") else f"{above} {bare}".strip()[-_LONGEST:]


def corrects(line: str) -> bool:
    """Return whether a line may change a move above it, if it names another: ``Sorry, e5 instead``."""
    short = len(line) <= _LONGEST and len(line.split()) <= 14
    return short and (_CORRECTION.search(line) or _CHANGE.match(line)) is not None


def takes_back(line: str) -> bool:
    """Return whether a line takes back the lines above it and names no other move: ``Oops, ignore that``."""
    if len(line) <= _LONGEST and _NOT_THIS.match(line):
        return True
    if wants_back(line):
        return True
    if len(line) > _LONGEST or _BACK_WORDS.isdisjoint(_WORD.findall(line.lower().replace("’", "'"))):
        return False
    if _BACK.search(line):
        return True
    return any(len(part.split()) <= _SHORT and _BACK_ALONE.search(part) for part in _SENTENCE_END.split(line))


def wants_back(line: str) -> bool:
    """Return whether a line asks for a move that was made before to be taken back: ``Can you undo c3?``."""
    return len(line) <= _LONGEST and _WANTED_BACK.search(line) is not None


def continues(below: str) -> bool:
    """Return whether the line ``below`` continues a sentence that the word or the move above it belongs to."""
    return _CONTINUED.match(below) is not None


def _without_signs(text: str) -> str:
    """Return ``text`` without brackets, quotation marks, bullets, arrows and pictures at its ends."""
    start, end = 0, len(text)
    while start < end and _is_sign(text[start]):
        start += 1
    while start < end and _is_sign(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_sign(char: str) -> bool:
    """Return whether ``char`` only decorates: our own mark does not."""
    return char != MARK and (char in _SIGNS or unicodedata.category(char) in ("So", "Sk", "Cf", "Zs"))


def _any_of(phrases: Iterable[str]) -> str:
    """Return a pattern for one of ``phrases``, the longest first."""
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return "|".join(re.escape(phrase).replace("'", "['’]") for phrase in longest_first)


def _listed(name: str) -> str:
    """Return a pattern for one of the phrases of a list."""
    return _any_of(load_phrases(name))


_CORRECTION = re.compile(rf"(?<!\w)(?:{_listed('correcting')})(?!\w)", re.IGNORECASE)
_CHANGE = re.compile(rf"\W*(?:{_listed('changing')})(?!\w)", re.IGNORECASE)
_SAID_OF_MUCH = {"fast", "asked", "thought", "expected", "hoped"}
_LEADING = re.compile(
    rf"(?<!\w)(?:{_listed('leading_on')}|{_any_of(load_classes('unmade') - _SAID_OF_MUCH)})(?!\w)", re.IGNORECASE
)
_NOT_THIS = re.compile(rf"\W*(?:{_listed('not_this')})(?!\w)", re.IGNORECASE)
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day)|hallo|lieber?|bonjour|salut|hola|ciao)\b", re.I
)
_CALLING_OFF = sorted(load_classes("calling_off"))
_MOVES_OF_MINE = r"(?:(?:my|the|that|this|last|previous|latest|one|move|turn|stone|[a-z]\d{1,2})\s){0,4}"
_WANTED_BACK = re.compile(
    r"(?<!\w)(?:(?:undo|revoke|withdraw|retract) (?:that|this|it|my|the (?:last|previous)|[a-z]\d{1,2})"
    rf"|(?:tak(?:e|ing)|get|have|want) {_MOVES_OF_MINE}(?:move|turn|stone|[a-z]\d{{1,2}}) back"
    r"|tak(?:e|ing) (?:it|this|that) back"
    r"|tak(?:e|ing) back(?=\W*$| (?:please|(?:my|the|that) (?:last |previous )?(?:move|turn|stone)|[a-z]\d))"
    rf"|{_any_of(load_classes('wanted_back'))})(?!\w)",
    re.IGNORECASE,
)
_BACK = compile_later(
    rf"(?<!\w)(?:(?:{'|'.join(_CALLING_OFF)}) (?:that|this|it|my|the (?:above|below|following|move|next)|what follows"
    rf"|all of (?:that|this|it)|everything)"
    rf"|{_listed('taking_back')})(?!\w)",
    re.IGNORECASE,
)
_BACK_WORDS = frozenset(
    [*_CALLING_OFF, "kidding", "really", "yet", "back"]
    + [max(_WORD.findall(phrase), key=len) for phrase in load_phrases("taking_back")]
)
"""A word of each phrase that takes back: a line without any of them does not."""

_BACK_ALONE = re.compile(
    r"(?<!\w)(?:just kidding|not really|not yet|cancel|ignore|scratch|i take (?:it|that) back)(?!\w)", re.I
)
_CONTINUED = re.compile(
    r"[\s*_]*(?:[?？][\s?]*$|(?:…\s*|\.{3}\s*)?(?:is|was|would|could|might|or|but|by|if|than|instead|because"
    r"|ist|war|wäre|oder|aber|wenn|mais|ou|est|serait|pero|era|sería|of)(?!\w))"
)
_ENDS = ".,!?:;…)。！？"
