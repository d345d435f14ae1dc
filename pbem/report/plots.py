"""Plots as SVG within a page: in its colours, light and dark, without styles of their own, the same on every run.

matplotlib draws them in colours that stand for others, and styles become attributes: the policy of the pages allows no
others, and nothing of a plot is then fetched or has a date.
"""

import io
import re
from collections.abc import Callable, Sequence
from typing import Any
from xml.etree import ElementTree

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

_INK, _FIRST, _SECOND, _RULE = "#000001", "#000002", "#000003", "#000004"
_COLOURS = {_INK: "currentColor", _FIRST: "var(--link)", _SECOND: "var(--second)", _RULE: "var(--rule)"}
_SIZE = (5.0, 2.9)  # inches; 72 units to one
_SETTINGS: Any = {  # the library types each key
    "svg.hashsalt": "pbem",
    "svg.fonttype": "none",
    "font.size": 11,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _RULE,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}
_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_KEPT = frozenset(
    ("fill", "stroke", "opacity", "fill-opacity", "stroke-opacity", "font-size", "font-style", "text-anchor")
) | {f"stroke-{one}" for one in ("width", "linecap", "linejoin", "dasharray", "dashoffset")}
_REFERENCE = re.compile(r"url\(#([^)]*)\)")

Bars = Sequence[tuple[float, float, int]]
"""From, up to but without, and count."""

Ranged = tuple[str, float, float, float]
"""A name, a share and the ends of its interval, between 0 and 1."""


def bar_plot(key: str, series: Sequence[tuple[str, Bars]], across: str, title: str) -> str:
    """Return histograms, the share of each bar among all of its series."""

    def draw(axes: Axes) -> None:
        for (name, bars), colour in zip(series, (_FIRST, _SECOND), strict=False):
            total = sum(number for *_, number in bars)
            axes.stairs(
                [100 * number / total for *_, number in bars],
                [bars[0][0], *(end for _, end, _ in bars)],
                label=name,
                color=colour,
                fill=len(series) == 1,
                linewidth=1.8,
            )
        axes.set_ylim(bottom=0)
        axes.set_xlabel(across)
        axes.set_ylabel("%")
        _explain(axes, len(series))

    return _draw(draw, key, title)


def line_plot(key: str, series: Sequence[tuple[str, Sequence[float | None]]], across: str, up: str, title: str) -> str:
    """Return a line for each series of values by step, from 1; None is a gap."""

    def draw(axes: Axes) -> None:
        for (name, values), colour in zip(series, (_FIRST, _SECOND), strict=False):
            known = [float("nan") if value is None else value for value in values]
            axes.plot(range(1, len(known) + 1), known, label=name, color=colour, linewidth=1.8)
        axes.set_ylim(bottom=0)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        _explain(axes, len(series))

    return _draw(draw, key, title)


def share_plot(key: str, rows: Sequence[Ranged], title: str) -> str:
    """Return a dot with its interval for each row, from 0 to 100 %, and the line of one half."""

    def draw(axes: Axes) -> None:
        axes.axvline(50, color=_RULE, linewidth=1.2)
        heights = list(range(len(rows), 0, -1))
        shares = [100 * part for _, part, _, _ in rows]
        # Rounding may put a share a trifle outside its own interval.
        ends = [[max(0.0, 100 * (part - low)) for _, part, low, _ in rows]]
        ends.append([max(0.0, 100 * (high - part)) for _, part, _, high in rows])
        axes.errorbar(shares, heights, xerr=ends, fmt="o", color=_FIRST, elinewidth=1.8, clip_on=False)
        axes.set_yticks(heights, [name for name, *_ in rows])
        axes.set_ylim(0.4, len(rows) + 0.6)
        axes.set_xlim(0, 100)
        axes.set_xlabel("%")

    return _draw(draw, key, title, (_SIZE[0], 1.0 + 0.34 * len(rows)))


def _explain(axes: Axes, series: int) -> None:
    """Say which line is which, if there are two."""
    if series > 1:
        axes.legend()


def _draw(draw: Callable[[Axes], None], key: str, title: str, size: tuple[float, float] = _SIZE) -> str:
    """Return a plot as SVG, its title for those who do not see it; ``key`` tells it from others of its page."""
    with rc_context(_SETTINGS):
        figure = Figure(figsize=size)
        figure.patch.set_visible(False)
        axes = figure.subplots()
        axes.patch.set_visible(False)
        draw(axes)
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _as_part(written.getvalue(), key, title)


def _as_part(text: str, key: str, title: str) -> str:
    """Return an SVG file as a part of a page: without styles, its identities unlike those of other plots."""
    root = ElementTree.fromstring(text)
    names = _name_references(root, key)
    for parent in root.iter():
        for child in list(parent):
            if child.tag in (f"{_SVG}metadata", f"{_SVG}style") or (child.tag == f"{_SVG}defs" and not len(child)):
                parent.remove(child)
    for element in root.iter():
        _clean(element, names)
    box = root.attrib["viewBox"]
    root.attrib.clear()
    root.attrib |= {"viewBox": box, "role": "img", "class": "plot"}
    named = ElementTree.Element(f"{_SVG}title")
    named.text = title
    root.insert(0, named)
    ElementTree.register_namespace("", _SVG.strip("{}"))
    found = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r"\s*\n\s*", " ", found.replace(' xmlns="http://www.w3.org/2000/svg"', ""))


def _name_references(root: ElementTree.Element, key: str) -> dict[str, str]:
    """Return new names for the identities that are referred to."""
    wanted = {element.attrib[_LINK].removeprefix("#") for element in root.iter() if _LINK in element.attrib}
    for element in root.iter():
        wanted |= {found for value in element.attrib.values() for found in _REFERENCE.findall(value)}
    return {name: f"plot-{key}-{place}" for place, name in enumerate(sorted(wanted))}


def _clean(element: ElementTree.Element, names: dict[str, str]) -> None:
    """Turn the style of an element into attributes, colours into those of the page, and identities into ``names``."""
    old = dict(element.attrib)
    element.attrib.clear()
    if link := old.pop(_LINK, None):
        old["href"] = f"#{names[link.removeprefix('#')]}"
    identity = names.get(old.pop("id", ""))
    for part in old.pop("style", "").split(";"):
        key, _, value = part.partition(":")
        if key.strip() in _KEPT:
            old[key.strip()] = value.strip().removesuffix("px")
    if element.tag == f"{_SVG}text":
        old["fill"] = _INK
    for key, value in old.items():
        element.attrib[key] = _REFERENCE.sub(lambda found: f"url(#{names[found[1]]})", _COLOURS.get(value, value))
    if identity:
        element.attrib["id"] = identity
