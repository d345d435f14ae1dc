"""The standing of a match as it is stored beside it: JSON."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from pbem.match import Standing


def write_standing(standing: Standing) -> dict[str, Any]:
    """Return a standing as a JSON object."""
    return asdict(standing) | {"changed_at": standing.changed_at.isoformat()}


def read_standing(stored: dict[str, Any]) -> Standing:
    """Return the standing in a JSON object."""
    winners = stored["winners"]
    return Standing(
        **stored
        | {
            "changed_at": datetime.fromisoformat(stored["changed_at"]),
            "roles": tuple(stored["roles"]),
            "departed": tuple(stored["departed"]),
            "winners": None if winners is None else tuple(winners),
        }
    )
