"""Which matches an email about several lists, each with its turn and the seat of the reader; kept as its key."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pbem.match.player import Player
from pbem.pipeline.interpret import DIGEST, DIGEST_DONE
from pbem.storage.database import Transaction
from rules.position import Seat

_LISTED = re.compile(r"(\d{1,9})\.(\d{1,6})\.(\d{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Listed:
    """A match that an email listed, in which turn, and at which seat its reader was to act."""

    match: int
    turn: int
    seat: Seat


def key_of_listing(number: int, listed: Iterable[tuple[int, int, Seat]]) -> str:
    """Return the key of the email with that number that lists these matches."""
    return f"{_beginning(number)}{' '.join(f'{match}.{turn}.{seat}' for match, turn, seat in listed)}"


def find_listing(tx: Transaction, number: int, player: Player) -> list[Listed] | None:
    """Return what the email with that number to a player listed; None if there is none, as after a restored backup."""
    for kind in (DIGEST, DIGEST_DONE):
        if key := tx.outbound.find_key(sorted(player.emails), kind, _beginning(number)):
            listed = _LISTED.finditer(key.removeprefix(_beginning(number)))
            return [Listed(*map(int, found.groups())) for found in listed]
    return None


def _beginning(number: int) -> str:
    """Return how the key of the email with that number begins."""
    return f"digest {number} "
