"""What goes wrong in a season, and when: a schedule that follows from its seed."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from tests.bench.chaos.life import POINTS


class Kind(StrEnum):
    """A kind of fault; its value is what the table calls it."""

    SERVICE = "service killed at any moment"
    POINT = "service killed at a waypoint or before a commit"
    READ_ONLY = "service killed, and its disk read-only when it starts"
    IMAP = "IMAP server killed"
    SMTP = "SMTP server killed"
    UNKNOWN = "SMTP server killed between storing an email and its 250"
    DATABASE = "PostgreSQL killed"
    CUT = "connections reset"
    SLOW = "network slow"
    NARROW = "network at a few kB a second"
    HALF_OPEN = "half-open connections"
    GREYLISTING = "greylisting"
    DISK_FULL = "disk full"


KILLS = {
    Kind.SERVICE: 30,
    Kind.POINT: 28,
    Kind.READ_ONLY: 2,
    Kind.IMAP: 18,
    Kind.SMTP: 12,
    Kind.UNKNOWN: 10,
}
"""Kinds that are counted as kills, and how often they happen among a hundred."""

_ON_POSTGRESQL = {
    Kind.SERVICE: 25,
    Kind.POINT: 25,
    Kind.IMAP: 15,
    Kind.SMTP: 10,
    Kind.UNKNOWN: 10,
    Kind.DATABASE: 15,
}
OTHERS = {Kind.CUT: 8, Kind.SLOW: 6, Kind.NARROW: 4, Kind.HALF_OPEN: 4, Kind.GREYLISTING: 5, Kind.DISK_FULL: 6}
"""The other kinds, and how often they happen beside a hundred kills."""

_AT_ONCE = 0.12  # the part of faults that come while the one before has not been got over
_SHORTEST, _LONGEST = 0.3, 1.6  # seconds that a fault lasts which is no kill
_MOST_DOWN = 0.5  # seconds until a killed server starts anew


@dataclass(frozen=True)
class Fault:
    """A fault: how many ``seconds`` it lasts, and what it strikes.

    ``point`` is one of ``POINTS``; ``wire`` names a connection; ``at_once``: nothing is waited for before it.
    """

    kind: Kind
    seconds: float
    point: str = ""
    wire: str = ""
    at_once: bool = False


def schedule(kills: int, seed: int, *, disk: bool = True, postgresql: bool = False) -> list[Fault]:
    """Return so many kills, and the other faults that go with them; ``disk``: it can be made read-only."""
    chance = Random(f"{seed} faults")
    weights = dict(_ON_POSTGRESQL if postgresql else KILLS)
    others = dict(OTHERS)
    if postgresql:
        del others[Kind.DISK_FULL]
    if not disk:
        weights.pop(Kind.READ_ONLY, None)
    kinds = _shares(weights, kills) + _shares(others, round(kills * sum(others.values()) / 100))
    chance.shuffle(kinds)
    wires = ["IMAP", "SMTP", *(["PostgreSQL"] if postgresql else [])]
    return [_fault(kind, chance, wires) for kind in kinds]


def _shares(weights: dict[Kind, int], count: int) -> list[Kind]:
    """Return so many kinds, each as often as it weighs; every kind at least once where there is room for all."""
    total, kinds, left = sum(weights.values()), list[Kind](), count
    for kind, weight in sorted(weights.items(), key=lambda item: item[1]):
        share = min(left, max(1, round(left * weight / total)))
        kinds += [kind] * share
        left, total = left - share, total - weight
    return kinds


def _fault(kind: Kind, chance: Random, wires: list[str]) -> Fault:
    point, wire, at_once = chance.choice(POINTS), chance.choice(wires), chance.random() < _AT_ONCE
    is_kill = kind not in OTHERS
    seconds = chance.random() * _MOST_DOWN if is_kill else chance.uniform(_SHORTEST, _LONGEST)
    on_wire = kind in (Kind.CUT, Kind.SLOW, Kind.NARROW, Kind.HALF_OPEN)
    return Fault(kind, seconds, point if kind is Kind.POINT else "", wire if on_wire else "", at_once)
