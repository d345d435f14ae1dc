"""What a player keeps for themselves, by the position that it is about, as they are shown it on request. Pure."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from pbem.match.match import Match
from pbem.match.thought import Thought
from pbem.notices.wrapping import flow_lines, wrap_line
from rules.phrase import ENGLISH, Language, phrase

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
