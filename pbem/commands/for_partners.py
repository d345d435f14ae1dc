"""Asks for whom words are that may be for a partner alone, before an opponent reads them. Pure.

Each sign by which they may be is a function of ``_SIGNS``: any of them is enough.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.match.match import Match
from pbem.reading.word_classes import load_classes
from pbem.reading.wording import is_secret
from pbem.reading.written_cells import written_cells
from rules.position import Seat

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
_LINK = re.compile(r"https?://\S+")
_DIRECTIONS = load_classes("board_sides")
_UNMADE = load_classes("unmade")
_PRAISED = "|".join(map(re.escape, sorted(load_classes("praise"))))


@dataclass(frozen=True)
class _Side:
    """Who may share a secret with a sender: patterns for their names and those of ``others``.

    ``known``: they are partners; else they may become such. ``free`` are the cells on which nothing stands, none where
    everybody is spoken to.
    """

    named: str
    others: str
    known: bool
    free: frozenset[str]

    def names_partner(self, line: str) -> bool:
        """Return whether a line in small letters names a partner, or says the word."""
        return re.search(rf"\b(?:{self.named}|{_PARTNER})\b", line) is not None

    def names_others(self, line: str) -> bool:
        """Return whether it names somebody else."""
        return re.search(rf"\b{self.others}\b", line) is not None


def may_be_private(match: Match, seat: Seat, words: Sequence[str], moves: Iterable[str]) -> bool:
    """Return whether a line of ``words`` beside ``moves`` may be for a partner of ``seat`` alone.

    Before the partners are known, everybody else may become one: then only who is spoken to first, and what is secret,
    is in doubt. Praise hides nothing: ``Nice one, Ann!``
    """
    possible = possible_partners(match, seat)
    if not possible or not any(words):
        return False
    named, others = _any_name(match, possible), _any_name(match, range(len(match.players)), without={seat, *possible})
    public = any(_YOU_ALL.search(line.casefold()) for line in words)
    cells = () if public else match.position.view().cells
    taken = {cell for move in moves for cell in written_cells(move)}
    free = frozenset(cell.name for cell in cells if not (cell.piece or cell.die)) - taken
    side = _Side(named, others, bool(match.partners(seat)), free)
    praised = re.compile(rf"\b(?:{_PRAISED})[ ,]+{named}\s*(?:[.!]+|$)")
    for number, line in enumerate(praised.sub(" ", line.casefold()) for line in words):
        calls = any(words[number + 1 :]) and _only_calls(side, line)
        if calls or is_secret(line, among_partners=side.known) or any(sign(side, line) for sign in _SIGNS):
            return True
    return False


def list_recipients(match: Match, seat: Seat) -> tuple[str, ...]:
    """Return the words by which ``seat`` says who may read what they wrote: everybody, their partners, or nobody."""
    partners = sorted(match.partners(seat))
    names = ((match.name(partners[0]) if len(partners) == 1 else "team"),) if partners else ()
    return ("everyone", *names, "nobody")


def read_recipient(match: Match, seat: Seat, line: str) -> Literal["everyone", "side", "nobody", ""]:
    """Return whom a line names that says who may read something, and nothing else; "" for any other line."""
    text = line.casefold().strip(" \t.!*_\"'“”")
    everyone, *side, nobody = (word.casefold() for word in list_recipients(match, seat))
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
    partners = [match.name(partner).casefold() for partner in match.partners(seat)]
    names = {name for partner in partners for name in (partner, partner.split()[0])}
    is_named = bare in names and sum(name == bare for name in _first_names(match)) <= 1
    return "side" if partners and (is_named or re.fullmatch(rf"{_PARTNER}|team", bare)) else ""


def _first_names(match: Match) -> list[str]:
    """Return the first parts of the names of all players, in small letters."""
    return [match.name(seat).casefold().split()[0] for seat in range(len(match.players))]


def _speaks_first(side: _Side, line: str) -> bool:
    """Return whether a partner is spoken to in front of the words: ``@Ann left``, ``Ann (keep it from Carl): left``."""
    named = side.named
    first = re.compile(
        rf"@{named}\b|\W*(?:[\w.]+\W+){{0,4}}{named}\b(?:\W+\w+){{0,2}}\W*?(?:\s?[:：)\]>→]|\s[-–—])"
        rf"|\W*{named}\b\s*\([^)]*\)\s*[:：-]"
        rf"|(?:.{{0,{_LONGEST}}}[.!?,;:–—-]\s+)?\W*(?:(?:and|und|et|y|e|hi|hey|hello|dear|hallo|liebe[rs]?|p\.?s\.?|für|for|to)\W+)?"
        rf"{named}\s*[,:;–—-]"
    )
    return first.match(line[: 2 * _LONGEST]) is not None


def _only_calls(side: _Side, line: str) -> bool:
    """Return whether a line is a call above others: ``Ann!``."""
    return re.fullmatch(rf"\W*(?:(?:hi|hey|hello|dear|hallo|liebe[rs]?)\W+)?{side.named}\W*", line) is not None


def _tells_partner(side: _Side, line: str) -> bool:
    """Return whether a line speaks of a partner, and to nobody else: ``my partner should go left``, ``Ann only``."""
    if not side.names_partner(line):
        return False
    everybody = side.names_others(line) or _EVERYBODY.search(line)
    return _ALONE.search(line) is not None or (side.known and not everybody)


def _advises(side: _Side, line: str) -> bool:
    """Return whether a line speaks to one reader of somebody else: ``you block him``."""
    words = set(_WORD.findall(line))
    if not side.known:
        return False
    return not (_YOU_ALL.search(line) or words.isdisjoint(_SECOND_PERSON) or words.isdisjoint(_THIRD_PERSONS))


def _names_free_cell(side: _Side, line: str) -> bool:
    """Return whether a line speaks of a cell where nothing stands yet: ``go f8 next``, ``leaving g4 to you``.

    Who speaks to an opponent by name hides nothing, ``Bob, g4 is yours``, nor who tells what might have been.
    """
    if not side.known or side.free.isdisjoint(written_cells(_LINK.sub(" ", line))):
        return False
    if not _UNMADE.isdisjoint(_WORD.findall(line)):
        return False  # "I thought you would play c8"
    return re.match(rf"\W*(?:\w+\W+)?{side.others}\s*[,!]", line) is None


def _guides(side: _Side, line: str) -> bool:
    """Return whether a line calls somebody who is no opponent, and names a side of the board: ``Buddy, go low``."""
    calls = re.match(r"\W*(?:\w+\W+){0,3}?\w+\.?\s*[,:]\s", line)
    if not side.known or not calls or re.search(rf"\b{side.others}\b", calls[0]):
        return False
    return not _DIRECTIONS.isdisjoint(_WORD.findall(line[calls.end() :]))


_SIGNS: tuple[Callable[[_Side, str], bool], ...] = (_speaks_first, _tells_partner, _advises, _names_free_cell, _guides)


def possible_partners(match: Match, seat: Seat) -> frozenset[Seat]:
    """Return the partners of ``seat``, or who may become one while the sides are open."""
    if partners := match.partners(seat):
        return partners
    present = frozenset(range(len(match.players))) - match.position.departed()
    open_sides = match.position.roles()[seat] is None and seat in present
    return present - {seat} if open_sides and len(present) > 2 and match.outcome is None else frozenset()


def _any_name(match: Match, seats: Iterable[Seat], without: Iterable[Seat] = ()) -> str:
    """Return a pattern for the names of the players at ``seats``, whole or the first part alone."""
    left = set(seats) - set(without)
    names = {name.casefold() for other in left for name in (match.name(other), *match.name(other).split()[:1])}
    if not names:
        return r"(?!)"
    forms = (re.escape(name) + (r"\w{0,4}" if len(name) > 3 else "") for name in sorted(names))  # Carla, Carlnak
    return rf"(?:{'|'.join(forms)})"
