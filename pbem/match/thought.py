"""What a player keeps for themselves about a match: lines of moves that they tried, and notes. Pure."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

ThoughtKind: TypeAlias = Literal["line", "note"]
"""Moves behind a position, or words about it."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A line of moves, or a note, about the position after ``ply`` entries.

    ``published``: the page of the match shows it, since the match is over, and its player wants it.
    """

    ply: int
    kind: ThoughtKind
    text: str
    published: bool = False
