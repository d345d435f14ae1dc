"""The piece of a side as an icon before a name: a stone, a cube or a die, which the style sheet draws."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from rules.game import Game
from rules.phrase import phrase


class Side(NamedTuple):
    """What a page shows of a role: the classes of its icon, its name, and what it plays, unless the name says so."""

    look: str
    role: str
    spoken: str


def side_of(game: Game, role: str) -> Side:
    """Return what a page shows of a role."""
    piece, name = game.roles[role], str(phrase(role))
    return Side(f"side {piece.form} {piece.tone}", name, str(game.roles_spoken.get(role) or ""))


def icons(game: Game, roles: Sequence[str | None]) -> list[Markup]:
    """Return the icon of each seat, for pages that don't write roles beside names; nothing for one without a role."""
    sides = [side_of(game, role) if role else None for role in roles]
    drawn = Markup('<i class="{}" role="img" aria-label="{}"></i>\N{NO-BREAK SPACE}')
    return [drawn.format(side.look, side.spoken or side.role) if side else Markup("") for side in sides]
