"""What players offer each other beside their moves: a draw, or to take moves back. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rules.position import Seat

AgreementKind = Literal["draw", "undo"]
"""What can be offered to everybody; the words stand in databases, and never change."""

AgreementState = Literal["open", "agreed", "declined", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """An offer of ``seat``, made ``at`` a moment (UTC), that the seats ``agreed`` to.

    It stands in ``turn``: whoever moves has declined it.
    """

    kind: AgreementKind
    seat: Seat
    turn: int
    at: datetime
    agreed: tuple[Seat, ...]
    state: AgreementState = "open"


def open_agreement(offers: Sequence[Agreement], turn: int) -> Agreement | None:
    """Return the offer that stands in a turn; there is one at most."""
    last = offers[-1] if offers else None
    return last if last and last.state == "open" and last.turn == turn else None


def all_agree(asked: Collection[Seat], agreed: Collection[Seat]) -> bool:
    """Return whether everybody who is asked agrees."""
    return set(asked) <= set(agreed)
