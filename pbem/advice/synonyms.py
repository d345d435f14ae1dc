"""Knows what people write instead of the words that a reply may hold: typos, politeness, other languages. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence

from pbem.commands.catalogue import KEYWORDS
from pbem.commands.families.account import display_meant
from pbem.match.preferences import DISPLAYS
from pbem.reading.typos import similar_word
from pbem.reading.word_classes import load_phrases

_MOST_LINES, _MOST_WORDS = 3, 6  # such a message is short: the word, and a name or two
_MOST_SAID = 10  # words of a sentence that asks for one of them
_LONGEST = 20  # characters behind a word that others follow
_FILLING = (
    "i ich je j jo me mich we you u please pls bitte thanks my the a an to do how can could want wish would like will"
    " ll m am s it this is us now send"
)
_BESIDE = frozenset(_FILLING.split())
"""What may stand around a word without changing it."""


_STOPS = "stop no not don dont never cease"
_SENDS = "mail mails email emails mailing emailing message messages spam spamming sending writing"
_ANY_MORE = "t more any anymore these those all getting receiving get receive write from of your"
_STOPPING, _SENDING, _OF_STOPPING = (frozenset(words.split()) for words in (_STOPS, _SENDS, _ANY_MORE))
"""Words that ask for no more email together, one of the first and one of the second at least."""

_CLAUSE = re.compile(r"[.!?,;:…—–]+(?=\s|$)|\s-\s|[。！？、，]")
_LONGEST_LINE = 300  # characters that are looked through
_DENIALS = "no not don dont never won cannot t nicht kein keine pas non niet inte ikke nie не"
_DENYING = frozenset(_DENIALS.split())


def keyword_meant(texts: Sequence[str], *, awaits_seeds: bool, moves: Collection[str] = ()) -> str:
    """Return what to write in place of the lines ``texts``, which nearly say it: a keyword, or "" for none.

    ``awaits_seeds``: the message may be an answer before the first roll. What is as near to one of ``moves``, which are
    words, is rather that.
    """
    if not 0 < len(texts) <= _MOST_LINES or any(map(str.isdigit, "".join(texts))):
        return ""
    words = _split(texts[0])
    if _asks_to_stop(words):
        return "unsubscribe"
    joined = _join(words)
    if not joined or len(words) > _MOST_WORDS:
        return ""
    if found := _with_argument(words, texts[0], awaits_seeds):
        return found
    if joined in DISPLAYS:
        return f"board {joined}"
    known = [*KEYWORDS, "ready"] if awaits_seeds else [*KEYWORDS]
    if joined == "win" and "you" not in words:
        return ""  # only “you win” gives up
    other = next((word for word, others in _OTHERS.items() if word in known and joined in others), "")
    return "" if similar_word(joined, moves) else _canonical(similar_word(joined, known)) or other


def hinted(texts: Sequence[str], *, over: bool) -> str:
    """Return the command, as it can be written, that a clause of a message asks for in other words; "" for none.

    A clause is all of a way to ask for it, or holds one of several words, and denies nothing. After the end of a match
    (``over``) people speak of the game: only what is about themselves is taken for a wish.
    """
    for text in texts[:_MOST_LINES]:
        for clause in _CLAUSE.split(text[:_LONGEST_LINE]):
            words = _split(clause)
            if words and _DENYING.isdisjoint(words) and (found := _hinted_by(words, over=over)):
                return found
    return ""


def _hinted_by(words: Sequence[str], *, over: bool) -> str:
    """Return the command for which a clause of these words asks."""
    joined, spoken = _join(words), f" {' '.join(words)} "
    for name, phrases in _ASKED.items():
        if over and name not in _ABOUT_ONESELF:
            continue
        held = any(" " in phrase and f" {phrase} " in spoken for phrase in phrases) if name in _HELD else False
        if held or (joined and joined in {_join(phrase.split()) for phrase in phrases}):
            return _EXAMPLES[name]
    return "resign" if joined == "resign" and not over else ""


def wants_time(texts: Sequence[str]) -> bool:
    """Return whether a message asks for more time: ``more time?``, ``Can I have more time``."""
    words = _split(texts[0]) if texts else []
    return _join(words) in _MORE_TIME and len(words) <= _MOST_SAID


def move_meant(text: str, words: Mapping[str, Sequence[str]]) -> str:
    """Return the move, one of ``words`` of a game with its synonyms, that ``text`` means in other words, or ""."""
    telling = [word for word in re.findall(r"\w+", text.lower()) if word not in _BESIDE]
    return next((move for move, others in words.items() if len(telling) == 1 and telling[0] in others), "")


def _asks_to_stop(words: Sequence[str]) -> bool:
    """Return whether the words of a line ask for no more email: ``please stop sending me mail``."""
    found = set(words)
    plain = found <= _BESIDE | _STOPPING | _SENDING | _OF_STOPPING
    return plain and bool(found & _STOPPING) and bool(found & _SENDING) and len(words) <= _MOST_SAID


def _canonical(word: str) -> str:
    """Return a keyword as we write it ourselves, where there are several: ``help`` for ``help rules``."""
    return str(found.command) if (found := KEYWORDS.get(word)) else word


def _with_argument(words: Sequence[str], line: str, awaits_seeds: bool) -> str:
    """Return the keyword nearly written that other words follow, with what follows here, or ""."""
    if len(words) < 2:
        return ""
    first, rest = words[0], line.split(maxsplit=1)[-1].strip(" :：.!?")
    display = display_meant(words[1]) if len(words) == 2 else None
    if display and (known := similar_word(first, ("board", "display"))):
        return f"{known} {display}"
    if len(rest) > _LONGEST:
        return ""
    if awaits_seeds and similar_word(first, ("salt",)):
        return f"salt {rest}"
    return f"{first}: {rest}" if first in ("say", "team") and ":" not in line else ""


def _split(line: str) -> list[str]:
    """Return the words of a line in small letters."""
    return re.findall(r"[^\W\d_]+", line.lower())


def _join(words: Sequence[str]) -> str:
    """Return what tells in ``words``, without spaces."""
    return "".join(word for word in words if word not in _BESIDE)


_MORE_TIME = {_join(_split(phrase)) for phrase in load_phrases("more_time", __package__)}
"""What people write who want more time, without what stands around it."""

_OTHERS = {
    word: {_join(_split(phrase)) for phrase in load_phrases(word, __package__)} - {""}
    for word in ("resign", "help", "show", "history", "unsubscribe", "ready")
}
"""Other words, what stands around them left out, for those that mean the same in every game."""

_EXAMPLES = {
    "resign": "resign",
    "forget": "forget me",
    "undo": "undo",
    "draw": "draw",
    "vacation": "vacation 3-17 aug",
    "name": "name Robin",
    "show": "show",
    "matches": "help matches",
}
"""What can be written for each list of ways to ask for it."""

_HELD = frozenset(_EXAMPLES) - {"resign", "draw", "undo", "show"}
"""Those whose phrases say the same within a longer clause."""

_ABOUT_ONESELF = frozenset({"forget", "name", "show"})

_ASKED = {
    name: frozenset(" ".join(_split(phrase)) for phrase in load_phrases(name, __package__)) - {""} for name in _EXAMPLES
}
"""The ways to ask for them, as plain words."""
