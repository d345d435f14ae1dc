"""The standing of a match as it is stored beside it: JSON."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from pbem.match import Standing


def write_standing(standing: Standing) -> dict[str, Any]:
    """Return a standing as a JSON object."""
    return asdict(standing) | {"changed_at": standing.changed_at.isoformat()}


def read_standing(stored: Any, seats: int) -> Standing | None:
    """Return the standing in a JSON object, of a match with so many seats; None for anything else."""
    try:
        winners = stored["winners"]
        standing = Standing(
            **stored
            | {
                "changed_at": datetime.fromisoformat(stored["changed_at"]),
                "roles": tuple(stored["roles"]),
                "departed": tuple(stored["departed"]),
                "winners": None if winners is None else tuple(winners),
            }
        )
        return standing if _is_sound(standing, seats) else None
    except (TypeError, KeyError, ValueError, AttributeError):
        return None


def _is_sound(standing: Standing, seats: int) -> bool:
    """Return whether the values of a standing can be those of a match with so many seats."""
    named = (*standing.departed, *(standing.winners or ()), *([] if standing.to_act is None else [standing.to_act]))
    return (
        all(type(seat) is int and 0 <= seat < seats for seat in named)
        and len(standing.roles) == seats
        and all(role is None or type(role) is str for role in standing.roles)
        and type(standing.ply) is type(standing.moves) is int
        and type(standing.reason) is str
        and type(standing.awaits_roll) is bool
        and standing.changed_at.utcoffset() is not None
    )
