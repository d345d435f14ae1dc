"""What players kept for themselves and have published since: lines of moves and notes, on the page of their match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.match import Match, Thought
from pbem.notices import flow_lines
from rules import Chance, Entry, Position, RulesError, Seat, advance


@dataclass(frozen=True, slots=True)
class Kept:
    """A line or a note about the position after ``ply`` entries.

    ``address`` leads to the line on the page, empty for a note and for moves that cannot be made there.
    """

    ply: int
    address: str
    text: str


@dataclass(frozen=True, slots=True)
class KeptBy:
    """All that a player has published, in the order of the positions that it is about."""

    name: str
    kept: list[Kept]


def kept_by_players(
    match: Match, positions: Sequence[Position[Any]], thoughts: Sequence[tuple[Seat, Thought]]
) -> list[KeptBy]:
    """Return what each player of ``match`` has published, its ``positions`` at hand; nothing while it goes on."""
    if match.outcome is None:
        return []
    found = []
    for seat, player in enumerate(match.players):
        own = [_show(thought, positions) for writer, thought in thoughts if writer == seat]
        found += [KeptBy(player.name, own)] if own else []
    return found


def _show(thought: Thought, positions: Sequence[Position[Any]]) -> Kept:
    """Return a thought as the page shows it."""
    ply = min(thought.ply, len(positions) - 1)
    if thought.kind == "note":
        return Kept(ply, "", "\n".join(flow_lines(thought.text)))
    entries = thought.text.split(", ")
    playable = _is_playable(positions[ply], entries)
    return Kept(ply, f"#{ply}:{','.join(entries).replace(' ', '+')}" if playable else "", thought.text)


def _is_playable(position: Position[Any], entries: Sequence[str]) -> bool:
    """Return whether moves and rolls can be made in ``position``: entries may have been taken back since."""
    try:
        for text in entries:
            acting = position.to_act
            position = advance(position, Entry(None if isinstance(acting, Chance) else acting, text))
    except RulesError:
        return False
    return True
