"""Every figure of a report beside the published one, from the measures."""

from collections.abc import Iterator
from typing import Any

from pbem.report.course import Found
from pbem.report.course_figures import PLAY
from pbem.report.figures import SIZES, Figure
from pbem.report.plan import PROFILES, Plan
from pbem.report.published import PUBLISHED, Known
from rules.games import GAMES

FIGURES = (*SIZES, *PLAY)
"""All of them, in the order of the published report."""

_FORMS = {"share": "percent", "exact": "number"}


def compare(plan: Plan, found: Found) -> Iterator[Found]:
    """Yield every figure beside the published one, if this game was played as it was there.

    ``within`` says of each profile whether the two agree: their intervals have something in common, of which a
    published one may be a point; None without an interval of ours.
    """
    publication = PUBLISHED.get(plan.game)
    usual = GAMES[plan.game].normalise(publication.options if publication else {})
    same = publication is not None and plan.seats == publication.seats and plan.options == usual
    published = publication.figures if publication and same else {}
    for figure in FIGURES:
        known = published.get(figure.key)
        profiles = found["profiles"]
        ours = {key: _value(figure, profiles[key], found) if key in profiles else None for key in PROFILES}
        within = {key: agree(known, value) for key, value in ours.items()}
        yield {
            "key": figure.key,
            "subject": figure.subject,
            "title": figure.title,
            "definition": figure.definition,
            "source": figure.source,
            "published": _said(figure, known) if known else None,
            "ours": ours,
            "within": within,
            "note": _note(figure, known, ours, within),
        }


def _note(figure: Figure, known: Known | None, ours: Found, within: Found) -> str:
    """Return why there is no figure of ours, or how it differs from the published one."""
    if not any(ours.values()):
        return figure.absent
    judged = [verdict for verdict in within.values() if verdict is not None]
    return "" if known is None or (judged and all(judged)) else known.note


def _said(figure: Figure, known: Known) -> Found:
    """Return a published value as JSON."""
    form = "text" if known.value is None else _FORMS.get(figure.form, figure.form)
    return {"value": known.value, "low": known.low, "high": known.high, "form": form, "text": known.text}


def agree(known: Known | None, ours: Found | None) -> bool | None:
    """Return whether the intervals have a number in common; None without an interval of ours."""
    if known is None or known.value is None or ours is None or ours.get("low") is None:
        return None
    low, high = (known.value if end is None else end for end in (known.low, known.high))
    return bool(low <= ours["high"] and ours["low"] <= high)


def _value(figure: Figure, profile: Found, whole: Found) -> Found | None:
    """Return our value of a figure as JSON; None if there is none."""
    found = _reach(whole if figure.path.startswith("/") else profile, figure.path.removeprefix("/"))
    if found in (None, [], {}):
        return None
    if figure.form == "picture":
        return {"picture": figure.key}
    value: Found = {"value": None, "low": None, "high": None, "form": _FORMS.get(figure.form, figure.form), "text": ""}
    if figure.form == "text":
        return value | {"text": ", ".join(map(str, found)) if isinstance(found, list) else str(found)}
    times = 100 if figure.form == "share" or (isinstance(found, dict) and "share" in found) else 1
    if not isinstance(found, dict):
        if figure.form == "exact":
            value |= {"low": found, "high": found}
        return value | {"value": found * times, "text": _tell_deviation(figure, whole, found)}
    if found.get("played") == 0:
        return None
    keys = ("share", "low", "high") if "share" in found else ("mean", "low", "high")
    return value | dict(zip(("value", "low", "high"), (found[key] * times for key in keys), strict=True))


def _tell_deviation(figure: Figure, whole: Found, value: float) -> str:
    """Return what a measurement says with its deviation, if it has one."""
    place, _, name = figure.path.removeprefix("/").rpartition("/")
    deviation = (_reach(whole, place) or {}).get("deviation" if name == "rate" else f"{name}_deviation")
    return "" if deviation is None else f"{value:,.0f} ± {deviation:,.0f}"


def _reach(found: Any, path: str) -> Any:
    """Return what lies at the end of a path, None where it breaks off."""
    for part in path.split("/"):
        if isinstance(found, list):
            wanted = dict(pair.split("=") for pair in part.split(","))
            found = next((one for one in found if all(str(one[key]) == value for key, value in wanted.items())), None)
        elif found is not None:
            found = found.get(part)
    return found
