"""What a player is shown on request: the moves of a match, and what they keep for themselves about them. Pure."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from pbem.match.match import Match, left_along
from pbem.match.thought import Thought
from pbem.notices.wrapping import flow_lines, wrap_line
from rules.game import advance
from rules.phrase import ENGLISH, Language, mark, phrase
from rules.position import EXIT_WORDS, Chance

_LEFT = {"resign": mark("{name} resigned."), "timeout": mark("{name} ran out of time.")}
_LEFT_ALONG = mark("That was {name}’s time too, so they’re out as well.")


class RecordRow(NamedTuple):
    """An entry: the ``number`` of the move, empty for what is none; whose move it is; and ``what`` happened."""

    number: str
    name: str
    what: str


def list_record(match: Match, language: Language = ENGLISH) -> list[RecordRow]:
    """Return a row for every entry of the record; dice and resignations are not counted as moves."""
    rows: list[RecordRow] = []
    moves = 0
    position = match.at(0).position if match.possible_rolls else None
    for ply, entry in enumerate(match.record):
        if entry.seat is None:
            awaited = position.to_act if position else None
            what = phrase(awaited.what) if isinstance(awaited, Chance) else ""
            rows.append(RecordRow("", "", phrase("{what}: {value}", what=what, value=entry.text).said(language)))
        elif entry.text in EXIT_WORDS:
            message = _LEFT_ALONG if left_along(match, ply) else _LEFT[entry.text]
            left = phrase(message, name=match.name_at(entry.seat, ply))
            rows.append(RecordRow("", "", left.said(language)))
        else:
            moves += 1
            rows.append(RecordRow(str(moves), match.name_at(entry.seat, ply), entry.text))
        position = advance(position, entry) if position else None
    return rows


_WIDTH = 58  # columns: they are indented and quoted


class ThoughtGroup(NamedTuple):
    """What a player keeps about one position: its heading, and the lines below it, as they can be written again."""

    heading: str
    lines: list[str]


def list_thoughts(thoughts: Iterable[Thought], match: Match, language: Language = ENGLISH) -> list[ThoughtGroup]:
    """Return ``thoughts``, sorted by their positions, in groups; with quote marks, since they are the reader's own."""
    groups = []
    for ply, kept in groupby(thoughts, key=lambda thought: thought.ply):
        heading = phrase("After entry {number}:", number=ply) if ply else phrase("At the beginning:")
        position = match.position if isinstance(match.to_act, int) else None
        lines = [
            f"> {row}"
            for thought in kept
            for line in flow_lines(_written(thought))
            for row in wrap_line(line, _WIDTH, position)
        ]
        groups.append(ThoughtGroup(heading.said(language), lines))
    return groups


def _written(thought: Thought) -> str:
    """Return a thought as its player can write it."""
    return f"try {thought.ply}: {thought.text}" if thought.kind == "line" else f"note: {thought.text}"
