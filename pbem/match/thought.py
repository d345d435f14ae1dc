"""What a player keeps about a match, or wants to stand on its page: lines of moves, and notes. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

ThoughtKind: TypeAlias = Literal["line", "note"]
"""Moves behind a position, or words about it."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A line of moves, or a note, about the position after ``ply`` entries.

    ``published``: the page of the match shows it, since the match is over, and its writer wants it.
    """

    ply: int
    kind: ThoughtKind
    text: str
    published: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A thought that the page of a match shows: of whom, by number and ``name``, and since when it's kept (UTC)."""

    player: int
    name: str
    thought: Thought
    at: datetime
