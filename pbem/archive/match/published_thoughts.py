"""What players kept for themselves and have published since: lines of moves and notes, on the page of their match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.match.match import Match
from pbem.match.thought import Thought
from pbem.notices.wrapping import flow_lines
from rules.errors import RulesError
from rules.game import advance
from rules.position import Chance, Entry, Position, Seat


@dataclass(frozen=True, slots=True)
class Kept:
    """A line or a note about the position after ``ply`` entries.

    ``place`` leads to the row of the move before it on the page, and ``address`` to the line: empty for a note, and for
    moves that cannot be made there.
    """

    ply: int
    place: str
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
        own = [_show(thought, match, positions) for writer, thought in thoughts if writer == seat]
        found += [KeptBy(player.name, own)] if own else []
    return found


def _show(thought: Thought, match: Match, positions: Sequence[Position[Any]]) -> Kept:
    """Return a thought as the page shows it."""
    ply = min(thought.ply, match.ply)
    place = f"#{ply}" if ply and match.record[ply - 1].seat is not None else ""  # rolls have no row of their own
    if thought.kind == "note":
        return Kept(ply, place, "", "\n".join(flow_lines(thought.text)))
    entries = thought.text.split(", ")
    address = f"#{ply}:{','.join(entries).replace(' ', '+')}" if _is_playable(positions[ply], entries) else ""
    return Kept(ply, place, address, thought.text)


def _is_playable(position: Position[Any], entries: Sequence[str]) -> bool:
    """Return whether moves and rolls can be made in ``position``: entries may have been taken back since."""
    try:
        for text in entries:
            acting = position.to_act
            position = advance(position, Entry(None if isinstance(acting, Chance) else acting, text))
    except RulesError:
        return False
    return True
