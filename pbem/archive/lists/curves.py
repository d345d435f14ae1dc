"""Curves of ratings: how a player's rating in a game went, month by month, with its deviation as a band."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.clubs.ratings import Mark, name_month
from pbem.notices.sentences.ratings import write_rating

_MONTHS = 36
_STEP, _HEIGHT = 10, 100  # units of a month, and of the whole picture


@dataclass(frozen=True, slots=True)
class Curve:
    """A picture of ratings: the corners of its ``band`` and ``line``, as SVG has them, and what it shows in words.

    It begins at the month ``first``, and goes from ``low`` to ``high`` points.
    """

    first: str
    last: str
    low: int
    high: int
    width: int
    band: str
    line: str
    told: str


def draw_curve(marks: Sequence[Mark]) -> Curve | None:
    """Return the picture of the latest ratings; None for fewer than two months, which make no curve."""
    marks = marks[-_MONTHS:]
    if len(marks) < 2:
        return None
    ratings = [mark.rating for mark in marks]
    low = min(one.points - one.deviation for one in ratings)
    high = max(one.points + one.deviation for one in ratings)

    def corner(number: int, points: float) -> str:
        return f"{_STEP * number},{round(_HEIGHT * (high - points) / (high - low))}"

    above = [corner(number, one.points + one.deviation) for number, one in enumerate(ratings)]
    below = [corner(number, one.points - one.deviation) for number, one in enumerate(ratings)]
    return Curve(
        name_month(marks[0].month),
        name_month(marks[-1].month),
        round(low),
        round(high),
        _STEP * (len(marks) - 1),
        " ".join([*above, *reversed(below)]),
        " ".join(corner(number, one.points) for number, one in enumerate(ratings)),
        ", ".join(f"{name_month(mark.month)}: {write_rating(mark.rating)}" for mark in marks),
    )
