"""A plan: the answers of a player to what others may do, as paths of entries behind a turn. Pure.

Every path is a part of a record: what others play or what is rolled, and what the player answers, each as it would
stand there. So a plan holds as long as the record goes along one of its paths, and no longer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from rules.position import Entry, Seat

Path: TypeAlias = tuple[Entry, ...]
"""What would come to stand in a record, up to an answer of the player."""

PlanState: TypeAlias = Literal["waits", "done", "unforeseen", "gone"]
"""Where a plan stands that has no answer now: others are to play, it is at its end, they played something else, or what
it followed was taken back."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a player: its ``paths`` begin behind the turn of that number."""

    turn: int
    paths: tuple[Path, ...] = field(repr=False)


def find_answer(plan: Plan, begins: int, record: Path, seat: Seat) -> Entry | PlanState:
    """Return what ``seat`` is to answer by its plan, or where the plan stands, after the entries of ``record``.

    ``begins`` is how many of them the plan is behind; -1 where some of these were taken back.
    """
    if not 0 <= begins <= len(record):
        return "gone"
    since = record[begins:]
    if left := paths_left(plan, begins, record):
        following = left[0][0]
        return following if following.seat == seat else "waits"
    return "done" if any(since[: len(path)] == path for path in plan.paths) else "unforeseen"


def paths_left(plan: Plan, begins: int, record: Path) -> tuple[Path, ...]:
    """Return what is left of the paths that ``record`` goes along; the arguments are those of ``find_answer``."""
    if not 0 <= begins <= len(record):
        return ()
    since = record[begins:]
    ahead = (path for path in plan.paths if len(path) > len(since) and path[: len(since)] == since)
    return tuple(path[len(since) :] for path in ahead)


def write_plan(plan: Plan | None) -> dict[str, Any] | None:
    """Return a plan as JSON."""
    if plan is None:
        return None
    return {"turn": plan.turn, "paths": [[[entry.seat, entry.text] for entry in path] for path in plan.paths]}


def read_plan(stored: object) -> Plan | None:
    """Return the plan that ``stored`` JSON is; None for none, and for what no pbem has written: it plays nothing."""
    if not isinstance(stored, dict) or type(stored.get("turn")) is not int or not isinstance(stored.get("paths"), list):
        return None
    paths = [_read_path(path) for path in stored["paths"]]
    if not paths or any(not path for path in paths):
        return None
    return Plan(stored["turn"], tuple(path for path in paths if path))


def _read_path(stored: object) -> Path | None:
    """Return the path that ``stored`` JSON is, or None."""
    if not isinstance(stored, list):
        return None
    found: list[Entry] = []
    for one in stored:
        if not (isinstance(one, Sequence) and len(one) == 2 and type(one[1]) is str):
            return None
        if one[0] is not None and type(one[0]) is not int:
            return None
        found.append(Entry(one[0], one[1]))
    return tuple(found)
