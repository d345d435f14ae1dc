"""The question whether a wish is its reader's: how it is kept, as the key of its email, until it is answered."""

from datetime import datetime

from pbem.match.player import Player

ASKING = "confirm_start"
"""The kind of the question to an address whether it was its reader who asked for something about starting matches."""

TOLD = "starting"
"""The kind of the email that says what came of it."""

NEWS = "invitation_news"
"""The kind of the email that says what others did with an invitation."""

SETTLED = "answered"
"""The key of a question that can be answered no longer."""

BETWEEN = " | "
"""Stands between wishes in their canonical form, and in none of them."""

_BEGINNING = "start"


def question_key(name: str | None, wish: str) -> str:
    """Return the key of a question about a ``wish``; ``name`` is what a stranger will be called."""
    return BETWEEN.join([_BEGINNING, name or "", *([wish] if wish else [])])


def read_question(key: str) -> tuple[str, str] | None:
    """Return the name and the wish of a question with this key; None for one that is settled, or no question."""
    beginning, _, rest = key.partition(BETWEEN)
    name, _, wish = rest.partition(BETWEEN)
    return (name, wish) if beginning == _BEGINNING else None


def stamp_of(player: Player | None, at: datetime) -> str:
    """Return what a token covers besides number and address: a time, and how often its reader has revoked tokens.

    Numbers come again where a backup is restored, times do not.
    """
    return f"{player.generation if player else 0} {at.isoformat()}"
