"""A contest, ladder or league, as it is stored: what happened in it, and which matches are its own. Pure.

How it stands is the fold of its events and of how its matches stand. So a ruling, or an event that the operator takes
back, needs no correction anywhere.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pbem.match.summary import Standing
from rules.game import Game

ContestKind = Literal["ladder", "league"]


@dataclass(frozen=True, slots=True)
class Contest:
    """A ladder or a league of a game; players write its ``name``.

    ``options`` are those of its matches as they are typed, time control included.
    """

    id: int
    kind: ContestKind
    game: Game
    name: str
    options: Mapping[str, str] = field(hash=False)
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ContestEvent:
    """What happened in a contest; ``id`` is 0 before it is stored.

    ``player`` is who did it, or whom it is about, ``other`` a second player. ``arguments`` hold nothing of a person, so
    that nobody has to look into them when somebody is forgotten, or turns out to be somebody else.
    """

    at: datetime
    kind: str
    player: int | None = None
    other: int | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)
    id: int = 0
    undone_at: datetime | None = None


KINDS = frozenset(
    {
        *("opened", "entered", "left", "paused", "ended"),
        *("challenged", "taken", "sank", "removed"),
        *("postponed", "begun", "drawn", "extended", "replaced", "disqualified", "undone", "looked"),
    }
)
"""The kinds of events, of both kinds of contests."""


def find_fault(kind: object, arguments: object) -> str | None:
    """Return what is wrong with an event, such as nobody writes it; None if nothing is."""
    if kind not in KINDS or not isinstance(arguments, dict):
        return "kind" if kind not in KINDS else "arguments"
    return next((name for name, value in arguments.items() if not _SHAPES.get(name, _is_anything)(value)), None)


def _is_anything(_: object) -> bool:
    """Return true: an argument that nobody reads can be whatever it is."""
    return True


def _is_number(value: object) -> bool:
    """Return whether an argument is a number that is no less than 0."""
    return type(value) is int and value >= 0


def _are_numbers(value: object) -> bool:
    """Return whether an argument is a list of such numbers."""
    return isinstance(value, list) and all(map(_is_number, value))


def _is_moment(value: object) -> bool:
    """Return whether an argument is a moment (UTC), or says that there is none."""
    try:
        return value is None or (isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None)
    except ValueError:
        return False


_SHAPES: Mapping[str, Callable[[object], bool]] = (
    dict.fromkeys(("challenge", "robot", "seats", "size", "full", "division", "season"), _is_number)
    | dict.fromkeys(("match", "seat", "strength", "ply"), _is_number)
    | dict.fromkeys(("robots", "matches"), _are_numbers)
    | dict.fromkeys(("begins", "until"), _is_moment)
)


@dataclass(frozen=True, slots=True)
class ContestMatch:
    """A match of a contest, or a match to be: then ``match`` is None.

    ``event`` is what it follows from: a challenge, or a draw. A league has a ``season`` and a ``division``.
    """

    contest: int
    invitation: int
    event: int
    season: int = 0
    division: int = 0
    match: int | None = None


@dataclass(frozen=True, slots=True)
class ContestResult:
    """How a match of a contest stands: ``standing`` and ``opened_at`` are None where it is not opened.

    ``void``: it is over, and counts for nobody; ``no_show``: since nobody moved. It is ``paused`` until then, if it is.
    Its invitation has to be answered by ``expires_at``.
    """

    place: ContestMatch
    expires_at: datetime
    opened_at: datetime | None = None
    over_at: datetime | None = None
    standing: Standing | None = None
    void: bool = False
    no_show: bool = False
    paused_until: datetime | None = None
