"""Refuses words that may be private, or that may take a move back, before they go to everybody. Pure."""

import re
from collections.abc import Iterable, Sequence

from pbem.commands.rejections import NoCommand, SeveralMoves
from pbem.match.match import Match
from pbem.reading.move_phrases import continues, corrects, takes_back
from pbem.reading.remarks import is_retracting
from pbem.reading.word_classes import load_classes
from pbem.reading.wording import is_secret
from rules.errors import RulesError
from rules.position import Seat

_MOST_LINES, _MOST_WORDS = 10, 20
_LONGEST = 80  # characters in which somebody is addressed
_WORD = re.compile(r"[^\W\d_]+")
_SECOND_PERSON = load_classes("second_person")
_THIRD_PERSONS = load_classes("third_persons")
_ALONE = re.compile(r"\b(?:only|alone|just for|eyes|nur|allein|seulement|sólo|solo|alleen)\b")
_PARTNER = (
    r"partner|teammate|team-?mates?|mate|partenaire|compañer[oa]|compagn[oa]|parceir[oa]|mitspieler(?:in)?|напарник"
)
_EVERYBODY = re.compile(r"\b(?:all|both|everybody|everyone|alle|beide|tous|todos|tutti|iedereen|alla|wszyscy|все)\b")


def require_public(match: Match, seat: Seat, line: str) -> str:
    """Return a line that nearly says ``team:``. Raise NoCommand where ``seat`` has a partner, or may get one."""
    if _possible_partners(match, seat):
        raise _for_whom(line)
    return line


def refuse_private(match: Match, seat: Seat, words: Sequence[str]) -> None:
    """Raise NoCommand where a line of ``words`` may be for a partner of ``seat`` alone.

    It speaks to a partner by name, names no opponent beside a partner, or says that somebody must not know. Before the
    partners are known, everybody else may become one: then only who is spoken to first, and what is secret, is asked
    about. Praise hides nothing: ``Nice one, Ann!``
    """
    possible = _possible_partners(match, seat)
    if not possible:
        return
    known = bool(match.partners(seat))
    named, others = _any_name(match, possible), _any_name(match, range(len(match.players)), without={seat, *possible})
    first = re.compile(
        rf"@{named}\b|\W*(?:[\w.]+\W+){{0,4}}{named}\b(?:\W+\w+){{0,2}}\W*?(?:\s?[:：)\]>→]|\s[-–—])"
        rf"|(?:.{{0,{_LONGEST}}}[.!?,;:–—-]\s+)?\W*(?:(?:and|und|et|y|e|hi|hey|hello|dear|hallo|liebe[rs]?|p\.?s\.?|für|for|to)\W+)?"
        rf"{named}\s*[,:;–—-]"
    )
    calls = re.compile(rf"\W*(?:(?:hi|hey|hello|dear|hallo|liebe[rs]?)\W+)?{named}\W*")
    praised = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(load_classes('praise'))))})[ ,]+{named}\s*(?:[.!]+|$)")
    spoken, told = re.compile(rf"\b(?:{named}|{_PARTNER})\b"), re.compile(rf"\b{others}\b")
    for number, line in enumerate(praised.sub(" ", line.casefold()) for line in words):
        below = any(words[number + 1 :])
        alone = spoken.search(line) and (
            _ALONE.search(line) or (known and not (told.search(line) or _EVERYBODY.search(line)))
        )
        advises = known and not _EVERYBODY.search(line) and _advises(line)
        if (
            first.match(line[: 2 * _LONGEST])
            or alone
            or advises
            or is_secret(line)
            or (below and calls.fullmatch(line))
        ):
            raise _for_whom(words[number])


def _advises(line: str) -> bool:
    """Return whether a line in small letters speaks to one reader of somebody else: ``you block him``."""
    words = set(_WORD.findall(line))
    return not (words.isdisjoint(_SECOND_PERSON) or words.isdisjoint(_THIRD_PERSONS))


def _possible_partners(match: Match, seat: Seat) -> frozenset[Seat]:
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


def refuse_correction(match: Match, moves: Sequence[str], words: Sequence[str]) -> None:
    """Raise SeveralMoves where a line below the last of ``moves`` takes that move back and names another.

    ``match`` is the match after that move.
    """
    found = [line for line in words if corrects(line)][:_MOST_LINES]
    if not moves or not found:
        return
    position = match.at(match.ply - 1).position
    for line in found:
        words_of_it = line.strip(" .!").split()[:_MOST_WORDS]
        for text in dict.fromkeys(
            " ".join(words_of_it[at : at + n]) for n in (1, 2, 3) for at in range(len(words_of_it))
        ):
            try:
                other = position.parse(text.strip(",.!()"))
                position.play(other)
            except RulesError:
                continue
            if str(other) not in moves:
                raise SeveralMoves("corrected", move=moves[-1], other=str(other), line=line)


def refuse_retraction(done: str, words: Sequence[str], *, beside: bool) -> None:
    """Raise NoCommand where ``words`` below the command ``done`` take it back, or go on with its sentence.

    The first of them stood on its line where ``beside``: there it was read with it.
    """
    below = next(iter(words[beside:]), "")
    line = below if continues(below) else next((line for line in words if takes_back(line) or is_retracting(line)), "")
    if line:
        raise NoCommand("retracted", done=done, line=line)


def _for_whom(line: str) -> NoCommand:
    """Return the question whether a line is for the sender's partner alone. The operator does not see the line."""
    return NoCommand("unclear_recipient", private=True, line=line)
