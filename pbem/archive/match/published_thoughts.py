"""What stands under the moves of a match on its page: lines and notes that were published since it was over."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.match.match import Match
from pbem.match.thought import Shown
from pbem.notices.wrapping import flow_lines
from rules.errors import RulesError
from rules.game import advance
from rules.position import Chance, Entry, Position


@dataclass(frozen=True, slots=True)
class UnderMove:
    """A line or a note under the move with which the record has ``ply`` entries, and who wrote it.

    ``address`` leads to the line on the page: it is empty for a note, and for moves that cannot be made there.
    """

    ply: int
    name: str
    text: str
    address: str


def list_under_moves(match: Match, positions: Sequence[Position[Any]], shown: Sequence[Shown]) -> list[UnderMove]:
    """Return what stands under the moves of ``match``, its ``positions`` at hand; nothing while it goes on."""
    if match.outcome is None:
        return []
    found = [_place(one, match, positions) for one in shown]
    return sorted(found, key=lambda one: one.ply)


def _place(one: Shown, match: Match, positions: Sequence[Position[Any]]) -> UnderMove:
    """Return a thought as the page shows it; one about entries that were taken back stands at the end."""
    thought, ply = one.thought, min(one.thought.ply, match.ply)
    if thought.kind == "note":
        return UnderMove(ply, one.name, "\n".join(flow_lines(thought.text)), "")
    entries = thought.text.split(", ")
    address = f"#{ply}:{','.join(entries).replace(' ', '+')}" if _is_playable(positions[ply], entries) else ""
    return UnderMove(ply, one.name, thought.text, address)


def _is_playable(position: Position[Any], entries: Sequence[str]) -> bool:
    """Return whether moves and rolls can be made in ``position``: entries may have been taken back since."""
    try:
        for text in entries:
            acting = position.to_act
            position = advance(position, Entry(None if isinstance(acting, Chance) else acting, text))
    except RulesError:
        return False
    return True
