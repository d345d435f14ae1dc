"""What players keep for themselves about matches: lines of moves and notes."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from pbem.match.thought import Thought
from pbem.storage.gateway import Gateway
from pbem.storage.tables import SEAT, THOUGHT
from rules.position import Seat

_FIELDS = THOUGHT.c.ply, THOUGHT.c.kind, THOUGHT.c.text, THOUGHT.c.published


class Thoughts(Gateway):
    """The gateway to what players keep: it belongs to them, and not to the seat that they have."""

    def add(self, match: int, player: int, thought: Thought, now: datetime) -> None:
        """Keep one more thought of a player in a match."""
        self._add(
            THOUGHT,
            match_id=match,
            player_id=player,
            ply=thought.ply,
            kind=thought.kind,
            text=thought.text,
            made_at=now,
            published=thought.published,
        )

    def of_player(self, match: int, player: int) -> tuple[Thought, ...]:
        """Return what a player keeps in a match, the oldest first; what is damaged is left out."""
        own = select(*_FIELDS).where(THOUGHT.c.match_id == match, THOUGHT.c.player_id == player)
        found = (_read(*row) for row in self._rows(own.order_by(THOUGHT.c.id)))
        return tuple(thought for thought in found if thought)

    def publish(self, match: int, player: int, *, published: bool) -> None:
        """Let all that a player keeps in a match so far be published, or none of it."""
        self._set(THOUGHT, THOUGHT.c.match_id == match, THOUGHT.c.player_id == player, published=published)

    def published(self, matches: Sequence[int]) -> dict[int, list[tuple[Seat, Thought]]]:
        """Return what players of these matches have published, each with the seat that its player has."""
        own = (SEAT.c.match_id == THOUGHT.c.match_id) & (SEAT.c.player_id == THOUGHT.c.player_id)
        chosen = THOUGHT.c.match_id.in_(matches), THOUGHT.c.published
        shown = select(THOUGHT.c.match_id, SEAT.c.seat, *_FIELDS).join_from(THOUGHT, SEAT, own).where(*chosen)
        found: dict[int, list[tuple[Seat, Thought]]] = {}
        for match, seat, *row in self._rows(shown.order_by(THOUGHT.c.ply, THOUGHT.c.id)):
            if thought := _read(*row):
                found.setdefault(match, []).append((seat, thought))
        return found


def _read(ply: object, kind: object, text: object, published: object) -> Thought | None:
    """Return a thought from its row; None for one that no pbem has written."""
    if type(ply) is not int or kind not in ("line", "note") or type(text) is not str:
        return None
    return Thought(ply, "line" if kind == "line" else "note", text, published is True)
