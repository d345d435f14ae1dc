"""Asks for whom words are that may be for a partner alone, before an opponent reads them. Pure.

Each sign by which they may be is a function of ``_SIGNS``: any of them is enough.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.match.match import Match
from pbem.reading.answering.phrases import CLOSINGS, COURTESIES, PRAISE
from pbem.reading.clauses import POSSESSIVES
from pbem.reading.word_classes import load_classes
from pbem.reading.wording import is_secret
from pbem.reading.written_cells import written_cells
from rules.position import Seat

Recipient = Literal["everyone", "side", "operator", "nobody", ""]
"""Who may read words that wait; "" where that is not said."""

_LONGEST = 80  # characters in which somebody is addressed
_WORD = re.compile(r"[^\W\d_]+")
_SECOND_PERSON = load_classes("second_person")
_THIRD_PERSONS = load_classes("third_persons")
_ALONE = re.compile(r"\b(?:only|alone|just for|eyes|nur|allein|seulement|sólo|solo|alleen)\b")
_PARTNER = rf"(?:{'|'.join(sorted(load_classes('partners'), key=len, reverse=True))})(?:in)?"
_EVERYBODY = re.compile(r"\b(?:all|both|everybody|everyone|alle|beide|tous|todos|tutti|iedereen|alla|wszyscy|все)\b")
_YOU_ALL = re.compile(
    r"\b(?:you|hi|hello|hey|to)\s(?:all|both|two)\b|\b(?:all|both) of you\b"
    r"|\b(?:everybody|everyone|folks|alle|beide|tous|todos|tutti|iedereen|alla|wszyscy|все)\b"
)
_FILLING = frozenset(
    ("to", "for", "just", "only", "please", "my", "the", "tell", "say", "an", "für", "nur", "bitte", "pour")
)
_NOBODY = frozenset(
    ("nobody", "no one", "none", "niemand", "personne", "nadie", "nessuno", "ninguém", "ingen", "никто")
)
_OPERATOR = load_classes("operators")
_LINK = re.compile(r"https?://\S+")
_DIRECTIONS = load_classes("board_sides")
_WAYS = frozenset(("up", "down", "upwards", "downwards", "across", "hoch", "runter", "rüber"))
_NO_DIRECTION = re.compile(
    r"\b(?:(?:you'?re|you are|all|that'?s|quite|just|are) right|right (?:now|away)|on top of (?:that|this|it)"
    r"|i(?:'m| am) left|up to|what's up|cheer up|by the side|on the other side)\b"
)
_UNMADE = load_classes("unmade")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_KIND = CLOSINGS.phrases | PRAISE.phrases
_PRAISE = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(load_classes('praise'))))})\b")

_P, _O = "\u0298", "\u01c2"
"""The letters that stand for the names of partners, and of others, in lines that are looked at."""

_PARTNER_NAMED = re.compile(rf"\b(?:{_P}|{_PARTNER})\b")
_FIRST = re.compile(
    rf"@{_P}\b|\W*(?:[\w.]+\W+){{0,4}}{_P}\b(?:\W+\w+){{0,2}}\W*?(?:\s?[:：)\]>→]|\s[-–—])"
    rf"|\W*{_P}\b\s*\([^)]*\)\s*[:：-]"
    rf"|(?:.{{0,{_LONGEST}}}[.!?,;:–—-]\s+)?\W*(?:(?:and|und|et|y|e|hi|hey|hello|dear|hallo|liebe[rs]?|p\.?s\.?|für|for|to)\W+)?"
    rf"{_P}\s*[,:;–—-]"
)
_INITIAL = re.compile(r"\W*(?!i\s*,)(\w)(?=\s*[,:](?:\s|$))")
_CALL = re.compile(rf"\W*(?:(?:hi|hey|hello|dear|hallo|liebe[rs]?)\W+)?{_P}\W*")
_LAST = re.compile(rf"[,;–—-]\s*{_P}\W*$")
_SPOKEN_TO = re.compile(
    rf",\s*{_O}|{_O}\W*[!?]\W*$|[-–—:;.!?]\s*{_O}\s*,|\b(?:you|u|je|tu|dir|(?:watch|look) out|careful) {_O}"
    rf"|^\W*(?:\w+\W+)?{_O}\W+(?:you|u|du|tu|your|dein)\b"
    rf"|{_P}\W+(?:(?:and|und|et|y|e|en|og|och)\W+)?{_O}|{_O}\W+(?:(?:and|und|et|y|e|en|og|och)\W+)?{_P}"
)
_WITH_US = re.compile(r"\bus\b|\b(?:to|for|with) me\b|\buns\b")
_KEPT_FROM = re.compile(
    rf"\b(?:not|nicht|pas|no|niet|non) (?:for|für|pour|para|voor|per) {_O}"
    rf"|{_O}\W+(?:please\W+)?(?:don['’]?t|do not) (?:read|look|listen|peek)|{_O}\W+(?:bitte\W+)?nicht lesen"
)
_FOR_READER = re.compile(r"\b(?:for (?:you|u)|für dich|pour toi|para ti|per te|voor jou)\b")
_JOINED = re.compile(r"\b(?:connect|join|link|extend|build|come|bridge)\w*(?: up)? (?:to|with|towards?) (?:me|mine)\b")
_TO_OTHERS = re.compile(rf"\W*(?:\w+\W+)?{_O}\s*[,!]")


@dataclass(frozen=True)
class _Side:
    """Who may share a secret with a sender. ``known``: they are partners; else they may become such.

    ``free`` are the cells on which nothing stands, none where everybody is spoken to;
    ``taken`` are those of the message's moves.
    """

    known: bool
    free: frozenset[str]
    taken: frozenset[str]

    def tells_of_move(self, sentence: str) -> bool:
        """Return whether a sentence is about what its sender has just played, and gives nobody advice."""
        words = _WORD.findall(sentence)
        return not self.taken.isdisjoint(written_cells(sentence)) and _SECOND_PERSON.isdisjoint(words)


def may_be_private(
    match: Match, seat: Seat, words: Sequence[str], moves: Iterable[str], *, among_private: bool = False
) -> bool:
    """Return whether a line of ``words`` beside ``moves`` may be for a partner of ``seat`` alone.

    Before the partners are known, everybody else may become one: then only who is spoken to first, and what is secret,
    is in doubt. Courtesies hide nothing: ``Nice one, Ann!`` Where a message holds words to a partner,
    ``among_private``, others are for everybody only if they say so.
    """
    possible = possible_partners(match, seat)
    if not possible or not any(words):
        return False
    names = _name_letters(match, seat, possible)
    written = re.compile(rf"(?<!\w)(?:{'|'.join(map(_inflected, names))})(?!\w)")
    lines = [_lettered(line, names, written) for line in words]
    taken = frozenset(cell for move in moves for cell in written_cells(move))
    cells = () if any(map(_YOU_ALL.search, lines)) else match.position.view().cells
    free = frozenset(cell.name for cell in cells if not (cell.piece or cell.die)) - taken
    side, called = _Side(bool(match.partners(seat)), free, taken), among_private
    for line in lines:
        sentences = [(sentence, _is_courtesy(sentence)) for sentence in _SENTENCE_END.split(line)]
        rest = " ".join(sentence for sentence, is_courtesy in sentences if not is_courtesy)
        if is_secret(line, among_partners=side.known) or (rest and any(sign(side, rest) for sign in _SIGNS)):
            return True
        for sentence, is_courtesy in sentences:
            if is_courtesy:
                called = called or (_P in sentence if side.known else _CALL.fullmatch(sentence) is not None)
            elif called and not _is_to_others(sentence) and not side.tells_of_move(sentence):
                return True
    return False


def _name_letters(match: Match, seat: Seat, possible: Iterable[Seat]) -> Mapping[str, str]:
    """Return the names of all others in small letters, whole and their first parts, each with the letter for it.

    The longest come first; what is shared with a partner is the partner's.
    """
    found: dict[str, str] = {}
    partners = set(possible)
    for other in sorted(set(range(len(match.players))) - {seat}, key=partners.__contains__):
        name = _folded(match.name(other))
        found |= dict.fromkeys((name, *name.split()[:1]), _P if other in partners else _O)
    return {name: found[name] for name in sorted(found, key=lambda name: (-len(name), name))}


def _folded(text: str) -> str:
    """Return a text in small letters, as plain as they can be written, and without what underlines it."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    return plain.replace(_P, " ").replace(_O, " ").strip()


def _inflected(name: str) -> str:
    """Return a pattern for a name, and for what a language may make of it: ``Carlnak``."""
    return re.escape(name) + (r"\w{0,4}" if len(name) > 3 and name[-1].isalpha() else "")


def _lettered(line: str, names: Mapping[str, str], written: re.Pattern[str]) -> str:
    """Return a line in small letters with a letter for each name in it, and for the initial of who is spoken to."""
    text = written.sub(
        lambda found: next(letter for name, letter in names.items() if found[0].startswith(name)), _folded(line)
    )
    initial = _INITIAL.match(text)
    called = initial and any(name.startswith(initial[1]) for name, letter in names.items() if letter == _P)
    return _P + text[initial.end() :] if initial and called else text


def _is_courtesy(sentence: str) -> bool:
    """Return whether a sentence says nothing but courtesies, to whomever: ``Nice one, Ann!``."""
    if any(map(str.isdigit, sentence)):
        return False
    words = [word for word in _WORD.findall(_PRAISE.sub(" ", sentence)) if word not in (_P, _O)]
    return " ".join(words) in _KIND or (COURTESIES.issuperset(words) and _DIRECTIONS.isdisjoint(words))


def _is_to_others(line: str) -> bool:
    """Return whether a line says that it is not for a partner alone: it names somebody else, or everybody."""
    return _O in line or _YOU_ALL.search(line) is not None


def list_recipients(match: Match, seat: Seat, *, operator: bool = False) -> tuple[str, ...]:
    """Return the words by which ``seat`` says who may read what they wrote: everybody, their partners, or nobody.

    ``operator``: it may be for the person who runs the service, too.
    """
    partners = sorted(match.partners(seat))
    names = ((match.name(partners[0]) if len(partners) == 1 else "team"),) if partners else ()
    return ("everyone", *names, *(("operator",) if operator else ()), "nobody")


def read_recipient(match: Match, seat: Seat, line: str) -> Recipient:
    """Return whom a line names that says who may read something, and nothing else; "" for any other line."""
    text = _named(line)
    everyone, *side, nobody = map(_named, list_recipients(match, seat))
    if text in side:
        return "side"
    if len(text) > _LONGEST or text.endswith((",", ":", "?")):
        return ""  # a salutation, or a question
    words = (word.strip(",.;!") for word in text.split())
    bare = " ".join(word for word in words if word not in _FILLING)
    if bare == everyone or _EVERYBODY.fullmatch(bare):
        return "everyone"
    if bare == nobody or bare in _NOBODY:
        return "nobody"
    if bare in _OPERATOR:
        return "operator"
    partners = [_named(match.name(partner)) for partner in match.partners(seat)]
    names = {name for partner in partners for name in (partner, *partner.split()[:1])}
    firsts = [first for other in range(len(match.players)) for first in _named(match.name(other)).split()[:1]]
    is_named = bare in names and firsts.count(bare) <= 1
    return "side" if partners and (is_named or re.fullmatch(rf"{_PARTNER}|team", bare)) else ""


def _named(text: str) -> str:
    """Return a name, or what may be one, as it is compared: in small letters, without the signs around it."""
    return text.casefold().strip(" \t.!*_\"'“”")


def _speaks_first(side: _Side, line: str) -> bool:
    """Return whether a partner is spoken to in front of the words: ``@Ann left``, ``Ann (keep it from Carl): left``."""
    return _FIRST.match(line[: 2 * _LONGEST]) is not None


def _tells_partner(side: _Side, line: str) -> bool:
    """Return whether a line speaks of a partner, and to nobody else: ``my partner should go left``, ``Ann only``."""
    if not _PARTNER_NAMED.search(line):
        return False
    if _ALONE.search(line):
        return True
    return side.known and (_LAST.search(line) is not None or not (_O in line or _EVERYBODY.search(line)))


def _advises(side: _Side, line: str) -> bool:
    """Return whether a line speaks to one reader of somebody else, not of a son: ``you block him``, ``Cut him off``."""
    words = set(_WORD.findall(line))
    if not side.known or _YOU_ALL.search(line) or words.isdisjoint(_THIRD_PERSONS):
        return False
    return not words.isdisjoint(_SECOND_PERSON) or (words.isdisjoint(POSSESSIVES) and _O not in line)


def _names_free_cell(side: _Side, line: str) -> bool:
    """Return whether a line speaks of a cell where nothing stands yet: ``go f8 next``, ``leaving g4 to you``.

    Who speaks to an opponent by name hides nothing, ``Bob, g4 is yours``, nor who tells what might have been.
    """
    if not side.known or side.free.isdisjoint(written_cells(_LINK.sub(" ", line))):
        return False
    if not (_UNMADE.isdisjoint(_WORD.findall(line)) or _FOR_READER.search(line)):
        return False  # "I thought you would play c8"
    return _TO_OTHERS.match(line) is None


def _plans_against(side: _Side, line: str) -> bool:
    """Return whether a line plans with its reader, of an opponent or not: ``you take Bob``, ``connect to me``.

    Or whether it says from whom it is to be kept.
    """
    if _KEPT_FROM.search(line):
        return True
    if not side.known or _YOU_ALL.search(line):
        return False
    if _O not in line:
        return _JOINED.search(line) is not None
    to_reader = not _SECOND_PERSON.isdisjoint(_WORD.findall(line)) or _WITH_US.search(line) is not None
    return to_reader and not (_TO_OTHERS.match(line) or _SPOKEN_TO.search(line))


def _guides(side: _Side, line: str) -> bool:
    """Return whether a line names a side of the board, and nobody who is no partner: ``Go low``."""
    if not side.known or _is_to_others(line):
        return False
    sentences = (one for one in _SENTENCE_END.split(_NO_DIRECTION.sub(" ", line)) if not side.tells_of_move(one))
    words = map(_WORD.findall, sentences)
    return any(
        not (_DIRECTIONS.isdisjoint(said) and (_SECOND_PERSON.isdisjoint(said) or _WAYS.isdisjoint(said)))
        for said in words
    )


_SIGNS: tuple[Callable[[_Side, str], bool], ...] = (
    *(_speaks_first, _tells_partner, _advises, _plans_against, _names_free_cell, _guides),
)


def possible_partners(match: Match, seat: Seat) -> frozenset[Seat]:
    """Return the partners of ``seat``, or who may become one while the sides are open."""
    if partners := match.partners(seat):
        return partners
    present = frozenset(range(len(match.players))) - match.position.departed()
    open_sides = match.position.roles()[seat] is None and seat in present
    return present - {seat} if open_sides and len(present) > 2 and match.outcome is None else frozenset()
