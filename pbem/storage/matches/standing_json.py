"""The standing of a match, and a ruling about it, as they are stored beside it: JSON."""

from dataclasses import fields
from datetime import datetime
from typing import Any

from pbem.match.endings import Ruling
from pbem.match.summary import Standing

_STORED = tuple(field.name for field in fields(Standing))


def write_standing(standing: Standing) -> dict[str, Any]:
    """Return a standing as a JSON object."""
    return {name: getattr(standing, name) for name in _STORED} | {"changed_at": standing.changed_at.isoformat()}


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


def write_ruling(ruling: Ruling | None) -> dict[str, Any] | None:
    """Return a ruling as a JSON object."""
    if ruling is None:
        return None
    at = ruling.at.isoformat() if ruling.at else None
    return {"kind": ruling.kind, "winners": sorted(ruling.winners), "reason": ruling.reason, "at": at}


def read_ruling(stored: Any, seats: int) -> Ruling | None:
    """Return the ruling in a JSON object about a match with so many seats. Raise ValueError for anything else."""
    if stored is None:
        return None
    try:
        at = datetime.fromisoformat(stored["at"]) if stored["at"] else None
        ruling = Ruling(stored["kind"], frozenset(stored["winners"]), stored["reason"], at)
        ruling.outcome  # noqa: B018 - it knows which kinds and reasons there are
        if not all(type(seat) is int and 0 <= seat < seats for seat in ruling.winners):
            raise ValueError("a ruling names a seat that there is not")
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("the ruling that ended it cannot be read") from error
    return ruling


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
