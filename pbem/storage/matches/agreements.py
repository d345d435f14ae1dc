"""What players have offered each other in a match, as it is stored beside it: JSON."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any, get_args

from pbem.match.agreements import Agreement, AgreementKind, AgreementState


def write_agreements(offers: Iterable[Agreement]) -> list[Any] | None:
    """Return offers as a JSON array, None for none."""
    return [asdict(one) | {"at": one.at.isoformat(), "agreed": list(one.agreed)} for one in offers] or None


def read_agreements(stored: Any, seats: int) -> tuple[Agreement, ...]:
    """Return the offers in a JSON array, of a match with so many seats. Raise ValueError for anything else."""
    if stored is None:
        return ()
    try:
        found = tuple(
            Agreement(**one | {"at": datetime.fromisoformat(one["at"]), "agreed": tuple(one["agreed"])})
            for one in stored
        )
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError("what its players have offered each other cannot be read") from error
    if not all(_is_sound(one, seats) for one in found):
        raise ValueError("what its players have offered each other is nothing that they can offer")
    return found


def _is_sound(offer: Agreement, seats: int) -> bool:
    """Return whether the values of an offer can be those of a match with so many seats."""
    return (
        offer.kind in get_args(AgreementKind)
        and offer.state in get_args(AgreementState)
        and all(type(seat) is int and 0 <= seat < seats for seat in (offer.seat, *offer.agreed))
        and type(offer.turn) is int
        and offer.at.utcoffset() is not None
    )
