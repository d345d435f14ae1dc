"""Knows the phrases that people write around a move, above it and below it. Pure."""

import re
import unicodedata
from collections.abc import Iterable
from string import punctuation

from pbem.phrases import load_phrases
from rules import GAMES

MARK = "·"
"""Stands before a line of our emails that would otherwise read as a command."""

BEFORE = r"[\s*_\"'“”•(\[<@#-]{0,9}(?:\d{1,2}[.)]\s{0,9})?(?:to\s{1,9})?(?:my\s{1,9})?"
"""A pattern of the signs that bold type, lists and quotation marks leave before a word in plain text."""

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

_SMILEY = re.compile(r"\s+(?:[:=8][-^']?[)DPpdoO3]|\^\^)$")
_CELL = re.compile(r"[a-z][0-9]{1,2}")
_ANGLED = re.compile(r"^\s*<([^<>]+)>\s*$")  # one sign alone is a quotation mark
_NUMBERED = re.compile(r"\d{1,3}[.)]\s+(?=[^\W\d_])")
_JOINING = re.compile(r">|\d[.)]\s")  # an arrow or a number, which may go from between two words
_LONG_PATH = re.compile(r"/\S{7,}/")  # is in no phrase, and too long for a move
_ARROW = re.compile(r"[-–—=]{1,3}>\s*")


def move_in_phrase(text: str) -> str:
    """Return the move in a line that holds one move and common phrases around it, else the line as it stands.

    A move is never taken out of a question, or out of a sentence that says more.
    """
    if _CELL.fullmatch(text):  # as most moves are written
        return text
    if not _JOINING.search(text) and any(map(_is_no_phrase, text.split())):
        return text
    if len(text) > _LONGEST or is_doubtful(text) or "[ ]" in text:
        return text
    if word := _WORD_MOVE.fullmatch(_without_signs(text)):
        return word[1].lower()
    if not any(map(str.isdigit, text)):
        return text
    bare = _without_signs(_ANGLED.sub(r"\1", _SMILEY.sub("", text)))
    bare = _without_signs(_NUMBERED.sub("", _ARROW.sub("", bare, count=1), count=1))
    if _LONG_PATH.search(bare):
        return text
    bare = _without_phrases(bare)
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


def corrects(line: str) -> bool:
    """Return whether a line may change a move above it, if it names another: ``Sorry, e5 instead``."""
    short = len(line) <= _LONGEST and len(line.split()) <= 14
    return short and (_CORRECTION.search(line) or _CHANGE.match(line)) is not None


def takes_back(line: str) -> bool:
    """Return whether a line takes back the lines above it and names no other move: ``Oops, ignore that``."""
    if len(line) > _LONGEST:
        return False
    return _BACK.search(line) is not None or (len(line.split()) <= 4 and _BACK_ALONE.search(line) is not None)


def continues(below: str) -> bool:
    """Return whether the line ``below`` continues a sentence that the word or the move above it belongs to."""
    return _CONTINUED.match(below) is not None


def _without_phrases(text: str) -> str:
    """Return ``text`` without the phrases at its ends that people write around a move."""
    bare = text
    for _ in range(3):  # "ok, I play d4", and not much more
        longer = bare
        if begun := _BEGUN.match(bare):
            bare = bare[begun.end() :]
        bare = _ENDED.sub("", bare, count=1)
        if bare == longer:
            break
    return _without_signs(bare)


def _is_no_phrase(word: str) -> bool:
    """Return whether ``word`` is neither a move nor in any phrase around one, so that nothing takes it away."""
    bare = word.strip(punctuation)
    return bare.isascii() and bare.isalpha() and bare.lower() not in _AROUND


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
    return _any_of(load_phrases(__package__, name))


_PREPOSITIONS = ("at", "on", "to", "auf", "nach", "en", "in", "em", "na", "på", "на")
_POLITE = "ok okay yes i'll will it please pls thanks thank you"  # around a move that is a word
_AROUND = WORD_MOVES | frozenset(
    # Three letters pass for ASCII ones where case is ignored.
    re.findall(
        r"[a-z]+",
        "\n".join(
            [
                *load_phrases(__package__, "before"),
                *load_phrases(__package__, "after"),
                *_PREPOSITIONS,
                _POLITE,
                "d p o",
            ]
        )
        .lower()
        .translate(str.maketrans("ıſ", "is"))
        .replace("i\u0307", "i"),
    )
)
"""The words, in ASCII letters, of the phrases around a move, and the letters of smileys."""

_FAR_EAST = "\u3000-\u9fff\uac00-\ud7af"  # scripts that set no spaces
_BEGUN = re.compile(
    rf"(?:{_listed('before')})"
    rf"(?:[\s:,.!–—-]{{1,9}}(?:(?:{'|'.join(_PREPOSITIONS)})\s)?|(?<=[{_FAR_EAST}]))",
    re.IGNORECASE,
)
_ENDED = re.compile(
    rf"(?:[\s,.!–—-]{{1,9}}|(?<=\w)(?=[{_FAR_EAST}]))(?:{_listed('after')})[\s.!]{{0,9}}$",
    re.IGNORECASE,
)
_CORRECTION = re.compile(rf"(?<!\w)(?:{_listed('correcting')})(?!\w)", re.IGNORECASE)
_CHANGE = re.compile(rf"\W*(?:{_listed('changing')})(?!\w)", re.IGNORECASE)
_LEADING = re.compile(rf"(?<!\w)(?:{_listed('leading_on')})(?!\w)", re.IGNORECASE)
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day)|hallo|lieber?|bonjour|salut|hola|ciao)\b", re.I
)
_WORD_MOVE = re.compile(
    rf"(?:(?:ok|okay|yes)[\s,.!]{{1,3}})?(?:i(?:['’]ll| will)?\s)?({_any_of(WORD_MOVES)})(?:\sit)?"
    r"(?:[\s,]{1,2}(?:please|pls|thanks|thank you))?[.!]{0,3}",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?<!\w)(?:cancel (?:that|this|it|my)|ignore (?:that|this|it|my)|scratch that|forget (?:that|it|this)"
    r"|(?:do not|don['’]t) play|wrong match|no,? wait|disregard)(?!\w)",
    re.IGNORECASE,
)
_BACK_ALONE = re.compile(
    r"(?<!\w)(?:just kidding|not really|not yet|cancel|ignore|i take (?:it|that) back)(?!\w)", re.I
)
_CONTINUED = re.compile(
    r"[\s*_]*(?:[?？][\s?]*$|(?:…\s*|\.{3}\s*)?(?:is|was|would|could|might|or|but|by|if|than|instead|because"
    r"|ist|war|wäre|oder|aber|wenn|mais|ou|est|serait|pero|era|sería|of)(?!\w))"
)
_ENDS = ".,!?:;…)。！？"
