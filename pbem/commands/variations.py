"""Moves and rolls behind a position, as players write them to look ahead: read, and tried against the rules. Pure.

Commas part what different players do; where there is none, the words go to one player after the other as the rules take
them. What is rolled has to be named: nobody is shown what the dice of a match will say.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from pbem.match.match import Match
from pbem.reading.move_phrases import WORD_MOVES
from pbem.reading.reason import because
from rules.errors import IllegalMove, RulesError
from rules.phrase import Argument
from rules.position import Chance, Entry, Seat

MOST_ENTRIES = 40
"""Moves and rolls of one line."""

LONGEST_LINE = 300
"""Characters of one line."""

_MOST_WORDS = 24  # of one move
_PLY = re.compile(r"#?(\d{1,6})\s*:\s*(.*)", re.DOTALL)
_POLITE = re.compile(r"[\s,]*(?:please|pls|thanks)?[\s.!?]*$")
_BETWEEN = re.compile(r"\s*(?:[,;]|\bthen\b|\band\b)\s*")
_JOINED = re.compile(r"(?<=\d)\s*[+–-]\s*(?=[a-z])")
_WORDS = "|".join(sorted(map(re.escape, WORD_MOVES | {"use", "at", "on"})))
_WORD = re.compile(rf"[a-z]\d{{1,2}}(?:x[a-z]\d{{1,2}})?|\d{{1,10}}|{_WORDS}")


@dataclass(frozen=True, slots=True)
class Written:
    """A line as it was written: the ``ply`` that it begins at, None where that is now, and its ``parts``."""

    ply: int | None
    parts: tuple[str, ...]

    def __str__(self) -> str:
        begins = "" if self.ply is None else f"{self.ply}: "
        return begins + ", ".join(self.parts)


Check: TypeAlias = Callable[[Match, str], None]
"""What looks at a match, and at the words that come next, and raises LineRefused."""


class LineRefused(Exception):
    """A line that cannot be played; ``reason`` says why."""

    def __init__(self, code: str, **arguments: Argument) -> None:
        super().__init__(code)
        self.reason = because(code, **arguments)


def read_parts(text: str) -> tuple[str, ...] | None:
    """Return the parts of a line that holds moves and rolls and nothing else, in small letters; None for another."""
    if len(text) > LONGEST_LINE:
        return None
    parts = _BETWEEN.split(_JOINED.sub(" ", _POLITE.sub("", text.lower()).strip(" *_\"'“”")))
    found = tuple(" ".join(part.split()) for part in parts if part.strip())
    if not found or not all(_WORD.fullmatch(word) for part in found for word in part.split()):
        return None
    return found


def read_written(text: str) -> Written | None:
    """Return the line that ``text`` is, ``12: d4, e5`` for instance; None for anything else."""
    begins = _PLY.fullmatch(text.strip())
    parts = read_parts(begins[2] if begins else text)
    return Written(int(begins[1]) if begins else None, parts) if parts else None


def begin_line(match: Match, ply: int | None) -> Match:
    """Return the match at the beginning of a line, without what nobody may see yet. Raise LineRefused."""
    if ply is not None and ply > match.ply:
        raise LineRefused("no_such_entry", number=ply, count=match.ply)
    if match.awaits_seeds:
        raise LineRefused("line_before_rolls")
    begun = match if ply is None else match.at(ply)
    return replace(begun, secret="", seeds=(), folded=begun.position)


def play_line(
    match: Match, parts: tuple[str, ...], seat: Seat, now: datetime, check: Check = lambda match, move: None
) -> Match:
    """Return the match after the ``parts`` of a line, which the player at ``seat`` has written. Raise LineRefused.

    ``check`` is called before each move that somebody chooses, with the words that are left; it raises LineRefused
    where that move must not come then.
    """
    begun = match.ply
    for part in parts:
        match = _play_part(match, part, seat, now, begun + MOST_ENTRIES, check)
    return match


def _play_part(match: Match, part: str, seat: Seat, now: datetime, most: int, check: Check) -> Match:
    """Return the match after one part of a line; it has at most so many entries then. Raise LineRefused."""
    words = part.split()
    while words:
        if match.ply >= most:
            raise LineRefused("line_too_long", most=MOST_ENTRIES)
        if (forced := _forced(match)) is not None:
            match = match.after(forced, now)
            if words[: len(forced.text.split())] == forced.text.split():
                words = words[len(forced.text.split()) :]
            continue
        check(match, " ".join(words))
        match, used = _play_most(match, words, seat, now)
        words = words[used:]
    return match


def play_forced(match: Match, now: datetime) -> Match:
    """Return the match after the moves that nobody chooses; rolls are not made."""
    while (forced := _forced(match)) is not None:
        match = match.after(forced, now)
    return match


def written_entries(before: Match, match: Match) -> str:
    """Return the entries of ``match`` after ``before``, as they can be written in a line."""
    return ", ".join(entry.text for entry in match.record[before.ply :])


def _forced(match: Match) -> Entry | None:
    """Return the move that whoever is to act cannot but make, if there is one."""
    seat = match.to_act
    if not isinstance(seat, int) or (forced := match.position.forced()) is None:
        return None
    return Entry(seat, str(forced))


def _play_most(match: Match, words: list[str], seat: Seat, now: datetime) -> tuple[Match, int]:
    """Return the match after the longest entry that ``words`` begin with, and how many words it has.

    The rules speak to whoever is to act; where that is not the player at ``seat``, they are told to whom.
    """
    acting = match.to_act
    if acting is None:
        raise LineRefused("line_over", move=" ".join(words))
    if isinstance(acting, Chance):
        if not words[0].isdigit() or not 1 <= int(words[0]) <= acting.faces:
            raise LineRefused("line_rolls", move=" ".join(words), faces=acting.faces)
        return match.after(Entry(None, str(int(words[0]))), now), 1
    errors: list[RulesError] = []
    for count in range(min(len(words), _MOST_WORDS), 0, -1):
        try:
            move = match.position.parse(" ".join(words[:count]))
            return match.after(Entry(acting, str(move)), now), count
        except RulesError as error:
            errors.append(error)
    # Of the first word alone the rules say what is wrong, unless it is that there should be more of them.
    told = [error for error in errors if isinstance(error, IllegalMove) and not error.code.endswith("_missing")]
    code = "line_refused" if acting == seat else "line_refused_for"
    why = (told[-1:] or errors)[0].sentence
    raise LineRefused(code, move=" ".join(words), name=match.name(acting), why=why)
