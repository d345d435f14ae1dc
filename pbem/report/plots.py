"""Plots as SVG within a page: a few shapes in the classes of its style, so that they are dark where it is.

They are as wide as a phone, so that their words can be read on one; a wide page shows several side by side.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from math import ceil, floor, log10

_WIDE, _HIGH = 360, 216
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 12, 10, 36
_ROW = 36
"""The height of a row that has its name above what it shows."""
_TICKS = 6

Bars = Sequence[tuple[float, float, int]]
"""From, up to but without, and count."""

Ranged = tuple[str, float, float, float, int]
"""A name, a value, the ends of its interval, and which colour it has."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line through ``points``, with a gap where one has no height; ``ranges`` are their intervals, or nothing."""

    name: str
    points: Sequence[tuple[float, float | None]]
    ranges: Sequence[tuple[float, float]] = ()

    @classmethod
    def by_step(cls, name: str, values: Sequence[float | None]) -> "Line":
        """Return a line of a value for each step, from 1."""
        return cls(name, list(enumerate(values, 1)))

    @property
    def heights(self) -> list[float]:
        """Everything that has to find room."""
        return [height for _, height in self.points if height is not None] + [
            end for both in self.ranges for end in both
        ]


@dataclass(frozen=True, slots=True)
class Axis:
    """A side of a plot: its name, and from where to where it goes; ``log``: each power of ten is as long."""

    name: str
    least: float
    most: float
    log: bool = False

    def place(self, value: float) -> float:
        """Return how far along the side a value lies, from 0 to 1."""
        if self.log:
            return log10(value / self.least) / log10(self.most / self.least)
        return (value - self.least) / (self.most - self.least)

    def ticks(self) -> list[float]:
        """Return the round values that are written along the side."""
        if self.log:
            powers = range(floor(log10(self.least)), ceil(log10(self.most)) + 1)
            return [
                tick for power in powers for one in (1, 2, 5) if self.least <= (tick := one * 10**power) <= self.most
            ]
        step = _step((self.most - self.least) / _TICKS)
        first, last = ceil(self.least / step - 1e-9), floor(self.most / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _step(least: float) -> float:
    """Return the smallest of 1, 2 and 5 times the powers of ten that is not below ``least``."""
    power = 10.0 ** floor(log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))


def _side(name: str, values: Sequence[float], *, low: float | None = None, log: bool = False) -> Axis:
    """Return a side with room for ``values``, from ``low`` if given, that ends at round numbers."""
    least, most = min(values) if low is None else low, max(values)
    if log:
        return Axis(name, least / 1.15, most * 1.15, log)
    if most - least < 1e-9:
        least, most = least - (low is None), most + 1
    step = _step((most - least) / _TICKS)
    return Axis(name, least if low is not None else floor(least / step) * step, ceil(most / step - 1e-9) * step)


def bar_plot(title: str, series: Sequence[tuple[str, Bars]], across: str) -> str:
    """Return histograms, the share of each bar among all of its series."""
    ends = [end for _, bars in series for first, last, _ in bars for end in (first, last)]
    totals = [sum(number for *_, number in bars) for _, bars in series]
    shares = [100 * number / total for (_, bars), total in zip(series, totals, strict=True) for *_, number in bars]
    x, y = Axis(across, min(ends), max(ends)), _side("%", shares, low=0)
    parts = []
    for place, ((_, bars), total) in enumerate(zip(series, totals, strict=True)):
        spots = [(bars[0][0], 0.0)]
        for first, last, number in bars:
            spots += [(first, 100 * number / total), (last, 100 * number / total)]
        path = _path(x, y, [*spots, (bars[-1][1], 0.0)])
        parts.append(f'<path class="band s{place}" d="{path}"/><path class="line s{place}" d="{path}"/>')
    told = [f"{name}: {_number(first)}–{_number(last)}" for name, ((first, _, _), *_, (_, last, _)) in _ended(series)]
    return _plot(title, told, x, y, parts)


def _ended(series: Sequence[tuple[str, Bars]]) -> Iterator[tuple[str, Bars]]:
    """Yield series whose first and last bar may be the same one."""
    return ((name, [*bars, bars[-1]]) for name, bars in series)


def line_plot(
    title: str,
    lines: Sequence[Line],
    across: str,
    up: str,
    *,
    low: float | None = 0,
    log: bool = False,
    level: tuple[str, float] | None = None,
) -> str:
    """Return lines over a side that may be ``log``; a ``level`` with its name crosses all of it.

    ``low`` is where heights begin; None lets the least of them say so.
    """
    heights = [height for line in lines for height in line.heights] + ([level[1]] if level else [])
    spots = [spot for line in lines for spot, _ in line.points]
    x = _side(across, spots, log=True) if log else Axis(across, min(spots), max(*spots, min(spots) + 1))
    y = _side(up, heights, low=low)
    parts: list[str] = []
    if level:
        parts += _draw_level(y, *level, lines)
    for place, line in enumerate(lines):
        runs = (list(run) for known, run in groupby(line.points, lambda one: one[1] is not None) if known)
        path = "".join(_path(x, y, [(spot, height or 0.0) for spot, height in run]) for run in runs)
        whiskers = "".join(
            f"M{_along(x, spot):g} {_down(y, high):g}V{_down(y, least):g}"
            for (spot, _), (least, high) in zip(line.points, line.ranges, strict=False)
        )
        parts.append(f'<path class="line s{place}" d="{path}"/>')
        if whiskers:
            dots = "".join(f"M{_along(x, spot):g} {_down(y, height or 0):g}h.01" for spot, height in line.points)
            parts.append(f'<path class="range s{place}" d="{whiskers}"/><path class="dot s{place}" d="{dots}"/>')
    return _plot(title, [told for line in lines if (told := _tell(line))], x, y, parts)


def _draw_level(y: Axis, name: str, height: float, lines: Sequence[Line]) -> Iterator[str]:
    """Yield a line across a plot; its name stands at the end that is farther from the other lines."""
    at = _down(y, height)
    yield f'<path class="level" d="M{_LEFT} {at:g}H{_WIDE - _RIGHT}"/>'
    left, right = (min(abs((line.points[end][1] or 0) - height) for line in lines) for end in (0, -1))
    place = f'x="{_LEFT + 3}"' if left > right else f'class="end" x="{_WIDE - _RIGHT}"'
    yield f'<text {place} y="{at - 5:g}">{escape(name)}</text>'


def _tell(line: Line) -> str:
    """Return a line for those who do not see it: all of its points if they are few, else ends, least and most."""
    known = [(spot, height) for spot, height in line.points if height is not None]
    if len(known) > 2 * _TICKS:
        by_height = sorted(known, key=lambda one: one[1])
        known = sorted({known[0], known[-1], by_height[0], by_height[-1]})
    told = ", ".join(f"{_number(height)} ({_number(spot)})" for spot, height in known)
    return f"{line.name}: {told}" if line.name and told else told


def share_plot(title: str, rows: Sequence[Ranged]) -> str:
    """Return a dot with its interval for each row, from 0 to 100 %, on a line whose middle is marked."""
    return _draw_rows(title, rows, Axis("%", 0, 100), 50)


def range_plot(title: str, rows: Sequence[Ranged], across: str) -> str:
    """Return a dot with its interval for each row, on a side with room for all of them."""
    return _draw_rows(title, rows, _side(across, [end for _, _, *ends, _ in rows for end in ends]))


def _draw_rows(title: str, rows: Sequence[Ranged], x: Axis, middle: float | None = None) -> str:
    """Return rows that have their names above."""
    high, parts = _TOP + _ROW * len(rows), []
    for place, (name, value, least, most, colour) in enumerate(rows):
        at = _TOP + _ROW * place + 25
        tick = "" if middle is None else f"M{_level(x, middle):g} {at - 7}v14"
        parts.append(
            f'<text x="{_ROW_LEFT}" y="{at - 11}">{escape(name)}</text>'
            f'<path class="rule" d="M{_ROW_LEFT} {at}H{_WIDE - _RIGHT}{tick}"/>'
            f'<path class="range s{colour}" d="M{_level(x, least):g} {at}H{_level(x, most):g}"/>'
            f'<path class="dot s{colour}" d="M{_level(x, value):g} {at}h.01"/>'
            f'<text class="end" x="{_WIDE - _RIGHT}" y="{at - 11}">{value:.1f}</text>'
        )
    parts += [f'<text class="mid" x="{_level(x, tick):g}" y="{high + 16}">{tick:g}</text>' for tick in x.ticks()]
    parts.append(f'<text class="end" x="{_WIDE - _RIGHT}" y="{high + 32}">{escape(x.name)}</text>')
    told = [f"{name}: {value:.1f} ({least:.1f}–{most:.1f})" for name, value, least, most, _ in rows]
    return _svg(title, told, high + 36, parts)


def strip_plot(title: str, rows: Mapping[str, Sequence[Sequence[int]]], across: str, *, high: int = 14) -> str:
    """Return rows of a column for each step, from 1: each a pile of classes of colour from the top; -1 is nothing.

    All piles are as ``high``; a row whose name is empty takes no room for it.
    """
    steps = max(map(len, rows.values()))
    x = Axis(across, 0.5, steps + 0.5)
    wide = round(_level(x, 1.5) - _level(x, 0.5) + 0.25, 2)  # that no line of the ground shows between two
    parts, top = [], float(_TOP)
    for name, columns in rows.items():
        if name:
            parts.append(f'<text x="{_ROW_LEFT}" y="{top + 11:g}">{escape(name)}</text>')
            top += 17
        drawn: dict[int, str] = {}
        for step, column in enumerate(columns, 1):
            at, middle = 0, _level(x, step)
            for kind, run in groupby(column):
                size = len(list(run))
                if kind >= 0:
                    up, down = (top + high * end / len(column) for end in (at, at + size))
                    drawn[kind] = drawn.get(kind, "") + f"M{middle:g} {up:.4g}V{down:.4g}"
                at += size
        parts += [
            f'<path class="pile c{kind}" stroke-width="{wide}" d="{path}"/>' for kind, path in sorted(drawn.items())
        ]
        top += high + 6
    ticks = "".join(
        f'<text class="mid" x="{_level(x, tick):g}" y="{top + 12:g}">{_number(tick)}</text>' for tick in x.ticks()
    )
    parts.append(f'{ticks}<text class="end" x="{_WIDE - _RIGHT}" y="{top + 28:g}">{escape(across)}</text>')
    told = [f"{name}: {sum(map(any, _shown(columns)))}" for name, columns in rows.items() if name]
    return _svg(title, told, round(top + 32), parts)


def _shown(columns: Sequence[Sequence[int]]) -> Iterator[list[bool]]:
    """Yield for each column where there is something."""
    return ([kind >= 0 for kind in column] for column in columns)


_ROW_LEFT = 12


def _level(axis: Axis, value: float) -> float:
    """Return where a value lies in a plot whose rows have their names above."""
    return round(_ROW_LEFT + axis.place(value) * (_WIDE - _ROW_LEFT - _RIGHT), 1)


def _along(axis: Axis, value: float) -> float:
    return round(_LEFT + axis.place(value) * (_WIDE - _LEFT - _RIGHT), 1)


def _down(axis: Axis, value: float) -> float:
    return round(_HIGH - _BOTTOM - axis.place(value) * (_HIGH - _TOP - _BOTTOM), 1)


def _path(x: Axis, y: Axis, spots: Sequence[tuple[float, float]]) -> str:
    """Return a path through these places."""
    return "M" + "L".join(f"{_along(x, across):g} {_down(y, up):g}" for across, up in spots)


def _plot(title: str, told: Sequence[str], x: Axis, y: Axis, parts: Sequence[str]) -> str:
    """Return a plot with its two sides."""
    rules = "".join(f"M{_LEFT} {_down(y, tick):g}H{_WIDE - _RIGHT}" for tick in y.ticks())
    bottom = _HIGH - _BOTTOM + 15
    drawn = [
        f'<path class="rule" d="{rules}"/>',
        *(f'<text class="end" x="{_LEFT - 6}" y="{_down(y, tick) + 4:g}">{_number(tick)}</text>' for tick in y.ticks()),
        *(f'<text class="mid" x="{_along(x, tick):g}" y="{bottom}">{_number(tick)}</text>' for tick in x.ticks()),
        f'<text class="end" x="{_WIDE - _RIGHT}" y="{bottom + 16}">{escape(x.name)}</text>',
        f'<text x="2" y="{bottom + 16}">↑ {escape(y.name)}</text>',
    ]
    return _svg(title, told, _HIGH, [*drawn, *parts])


def _svg(title: str, told: Sequence[str], high: int, parts: Sequence[str]) -> str:
    words = f"<title>{escape(title)}</title><desc>{escape('; '.join(told))}</desc>"
    return f'<svg class="plot" viewBox="0 0 {_WIDE} {high}" role="img">{words}{"".join(parts)}</svg>'


def _number(value: float) -> str:
    """Return a number with as few places as it needs, at most two."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}".rstrip("0").rstrip(".")
