"""What players keep for themselves about matches, and what they and others have written under their moves."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, or_, select

from pbem.match.thought import Shown, Thought
from pbem.storage.gateway import Gateway
from pbem.storage.tables import MATCH, PLAYER, SEAT, THOUGHT

_FIELDS = THOUGHT.c.ply, THOUGHT.c.kind, THOUGHT.c.text, THOUGHT.c.published
_CLOSED = "closed"
"""Stands for no thought: a player of the match wants nothing under its moves."""

_OF_SEAT = (SEAT.c.match_id == THOUGHT.c.match_id) & (SEAT.c.player_id == THOUGHT.c.player_id)
_SEATED = SEAT.c.match_id.is_not(None)
_BY_OTHERS = ~MATCH.c.private & (THOUGHT.c.made_at >= MATCH.c.over_at)
"""What people without a seat wrote stands under the end to which its players said yes, and in no private match."""


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

    def kept_by(self, player: int) -> list[tuple[int, datetime, Thought]]:
        """Return all that a player keeps or has written, with its match and its time."""
        own = select(THOUGHT.c.match_id, THOUGHT.c.made_at, *_FIELDS).where(THOUGHT.c.player_id == player)
        found = ((match, at, _read(*row)) for match, at, *row in self._rows(own.order_by(THOUGHT.c.id)))
        return [(match, at, thought) for match, at, thought in found if thought]

    def publish(self, match: int, player: int, *, published: bool) -> None:
        """Let all that a player keeps in a match so far be published, or none of it."""
        self._set(THOUGHT, THOUGHT.c.match_id == match, THOUGHT.c.player_id == player, published=published)

    def take_off(self, match: int, ply: int | None, player: int | None) -> None:
        """Let nothing be published any more under a move, None: under any, that a player wrote, None: whoever did."""
        chosen = [THOUGHT.c.match_id == match]
        chosen += [] if ply is None else [THOUGHT.c.ply == ply]
        chosen += [] if player is None else [THOUGHT.c.player_id == player]
        self._set(THOUGHT, *chosen, published=False)

    def close(self, match: int, player: int, now: datetime) -> None:
        """Store that a player of a match wants nothing under its moves."""
        self._add(THOUGHT, match_id=match, player_id=player, ply=0, kind=_CLOSED, text="", made_at=now, published=False)

    def reopen(self, match: int, player: int) -> None:
        """Store that a player lets words stand under the moves of a match again."""
        own = THOUGHT.c.match_id == match, THOUGHT.c.player_id == player, THOUGHT.c.kind == _CLOSED
        self._write(THOUGHT.delete().where(*own))

    def closed_by(self, matches: Sequence[int]) -> dict[int, list[int]]:
        """Return which players of which of these matches want nothing under their moves."""
        chosen = THOUGHT.c.match_id.in_(matches), THOUGHT.c.kind == _CLOSED
        found: dict[int, list[int]] = {}
        closed = select(THOUGHT.c.match_id, THOUGHT.c.player_id).join_from(THOUGHT, SEAT, _OF_SEAT)
        for match, player in self._rows(closed.where(*chosen)):
            found.setdefault(match, []).append(player)
        return found

    def published(self, matches: Sequence[int]) -> dict[int, list[Shown]]:
        """Return what stands under the moves of these matches once they are over, in the order of the moves."""
        shown = (
            select(THOUGHT.c.match_id, THOUGHT.c.player_id, PLAYER.c.name, THOUGHT.c.made_at, *_FIELDS)
            .join_from(THOUGHT, PLAYER, PLAYER.c.id == THOUGHT.c.player_id)
            .join(MATCH, MATCH.c.id == THOUGHT.c.match_id)
            .outerjoin(SEAT, _OF_SEAT)
            .where(THOUGHT.c.match_id.in_(matches), THOUGHT.c.published, or_(_SEATED, _BY_OTHERS))
        )
        rows = self._rows(shown.order_by(THOUGHT.c.ply, THOUGHT.c.id))
        closed = self.closed_by(matches) if rows else {}
        found: dict[int, list[Shown]] = {}
        for match, player, name, at, *row in rows:
            if match not in closed and (thought := _read(*row)):
                found.setdefault(match, []).append(Shown(player, name, thought, at))
        return found


def matches_with(player: int) -> ColumnElement[bool]:
    """Return the condition that a match has something of a player on its page, or once had."""
    return MATCH.c.id.in_(select(THOUGHT.c.match_id).where(THOUGHT.c.player_id == player))


def _read(ply: object, kind: object, text: object, published: object) -> Thought | None:
    """Return a thought from its row; None for one that no pbem has written."""
    if type(ply) is not int or kind not in ("line", "note") or type(text) is not str:
        return None
    return Thought(ply, "line" if kind == "line" else "note", text, published is True)
