"""What the figures of a report come to, in sentences that say only what the figures bear out."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import exp, log

from pbem.report.gallery import published_of
from pbem.report.measures import Found
from rules.phrase import Phrase, mark, phrase

_SURE = 0.9
"""Whoever wins more than such a share of games, by the lower end of the interval, wins nearly always."""
_FEW = 5
"""Below so many games an interval is too narrow."""
_NAMES: Mapping[str, str] = {"published": mark("plain search"), "robots": mark("the robots’ search")}
_MIXTURES: Mapping[str, str] = {
    "hints after": mark("Plain bidding, with hints after the auction"),
    "plain after": mark("The robots’ bidding, with plain search after it"),
    "no opening": mark("Plain search that may not take at its first step"),
}
"""What is mixed in each series of games that tells the auction from the hints."""


def tell_findings(found: Found) -> list[tuple[Phrase, list[Phrase]]]:
    """Return paragraphs, each what it is about and its sentences; none where nothing was played."""
    profiles = found["profiles"]
    told = (
        (phrase("Length"), list(_tell_length(found, profiles))),
        (phrase("Who wins"), list(_tell_winners(found, profiles))),
        (phrase("Hints or auction"), list(_tell_mixtures(profiles))),
        (phrase("Thinking"), list(_tell_thinking(profiles))),
    )
    return [(lead, sentences) for lead, sentences in told if sentences]


def _apart(one: Found, other: Found) -> int | None:
    """Return 1 if one figure is above another one, -1 if below, 0 where their intervals meet; None for a few games."""
    if any((figure["played"] if "played" in figure else figure["count"]) < _FEW for figure in (one, other)):
        return None
    return int(one["low"] > other["high"]) - int(one["high"] < other["low"])


def _tell_length(found: Found, profiles: Mapping[str, Found]) -> Iterator[Phrase]:
    """Yield what the length hangs on, and where the published one lies."""
    curve: Sequence[Found] = profiles.get("published", {}).get("curve") or ()
    if len(curve) > 1:
        first, last = curve[0], curve[-1]
        said = {
            1: mark("The longer players think, the shorter the game: {ends}."),
            -1: mark("The longer players think, the longer the game: {ends}."),
            0: mark("How long players think changes the length no more than chance does: {ends}."),
            None: mark("Too few games were played to tell whether thinking changes the length: {ends}."),
        }
        ends = phrase(
            "{one} steps at {few} playouts a step, {other} at {many}",
            one=_one(first["length"]["mean"]),
            few=f"{first['playouts']:,}",
            other=_one(last["length"]["mean"]),
            many=f"{last['playouts']:,}",
        )
        yield phrase(said[_apart(first["length"], last["length"])], ends=ends)
        published = published_of(found, "length")
        at = published and _apart(first["length"], last["length"]) and _crossing(curve, published)
        if published and at:
            yield phrase(
                "The published {published} lies on that curve near {playouts} playouts: it says how long that program "
                "thought rather than what {game} is like.",
                published=f"{published:g}",
                playouts=f"{round(at, -2):,.0f}",
                game=found["title"],
            )
    both = [(key, profile["length"]["search"]) for key, profile in profiles.items() if profile["length"]["search"]]
    if len(both) == 2:
        (_, plain), (_, robots) = both
        said = {
            1: mark("Robots, with {playouts} playouts a step, play longer games: {steps} steps."),
            -1: mark("Robots, with {playouts} playouts a step, play shorter games: {steps} steps."),
            0: mark("Robots, with {playouts} playouts a step, play games that may be as long: {steps} steps."),
            None: mark("Robots, with {playouts} playouts a step: {steps} steps, in a few games."),
        }
        playouts = f"{profiles['robots']['playouts']:,}"
        yield phrase(said[_apart(robots, plain)], playouts=playouts, steps=_one(robots["mean"]))
    elif both and len(curve) < 2:
        name, only = both[0]
        yield phrase(
            "A game takes {steps} steps in the mean, with {search}.",
            steps=_one(only["mean"]),
            search=phrase(_NAMES[name]),
        )


def _crossing(curve: Sequence[Found], level: float) -> float | None:
    """Return at how many playouts a curve has this height, between two of its points; None if nowhere."""
    for before, after in pairwise(curve):
        one, other = before["length"]["mean"], after["length"]["mean"]
        if min(one, other) <= level <= max(one, other) and one != other:
            part = (level - one) / (other - one)
            return exp(log(before["playouts"]) + part * log(after["playouts"] / before["playouts"]))
    return None


def _tell_winners(found: Found, profiles: Mapping[str, Found]) -> Iterator[Phrase]:
    """Yield who wins: whoever took a side, where there is an auction, else seats."""
    for key, profile in profiles.items():
        search = phrase(_NAMES[key])
        taker, balance = profile["taker"], profile["balance"]["search"]
        if taker and taker["played"]:
            yield phrase(
                _of_taker(taker), won=_one(taker["won"]), played=taker["played"], search=search, **_ends(taker)
            )
            first = published_of(found, "first_wins")
            if taker["low"] > _SURE and key == "published" and first:
                yield phrase(
                    "So the published {first} : {second} says who happens to take, and nothing about the sides.",
                    first=f"{first:.1f}",
                    second=f"{100 - first:.1f}",
                )
        elif balance["seats"] and balance["seats"][0]["played"] and found["seats"] == 2:
            one = balance["seats"][0]
            said = (
                mark("With {search} the first seat wins {share} of 100 games ({low}–{high}): an advantage.")
                if one["low"] > 0.5
                else mark("With {search} the first seat wins {share} of 100 games ({low}–{high}): a disadvantage.")
                if one["high"] < 0.5
                else mark(
                    "With {search} the first seat wins {share} of 100 games ({low}–{high}), which may well be even."
                )
            )
            yield phrase(said, search=search, share=_one(100 * one["share"]), **_ends(one))


def _of_taker(taker: Found) -> str:
    """Return what is said of whoever took a side."""
    if taker["played"] < _FEW:
        return mark("With {search}, whoever took a side won {won} of {played} games, too few to tell.")
    if taker["low"] > _SURE:
        if taker["won"] == taker["played"]:
            return mark("With {search}, whoever takes a side wins every game, {won} of {played}.")
        return mark("With {search}, whoever takes a side wins nearly always, {won} of {played} games.")
    if taker["low"] > 0.5:
        return mark(
            "With {search}, whoever takes a side wins more often: {won} of {played} games ({low}–{high} of 100)."
        )
    if taker["high"] < 0.5:
        return mark(
            "With {search}, whoever takes a side wins less often: {won} of {played} games ({low}–{high} of 100)."
        )
    return mark(
        "With {search}, taking may be worth as much as letting take: whoever takes wins {won} of {played} games "
        "({low}–{high} of 100)."
    )


def _ends(one: Found) -> dict[str, str]:
    return {"low": _one(100 * one["low"]), "high": _one(100 * one["high"])}


def _tell_mixtures(profiles: Mapping[str, Found]) -> Iterator[Phrase]:
    """Yield what each mixture of the two ways to search plays like, and which part of them makes the difference."""
    rows = {one["key"]: one for one in profiles.get("published", {}).get("variants") or () if one["length"]}
    for key, one in rows.items():
        if key in _MIXTURES:
            taken = one["taker"] and one["taker"]["played"]
            said = (
                mark("{what}: {steps} steps (±{range}), and whoever takes wins {share} of 100.")
                if taken
                else mark("{what}: {steps} steps (±{range}).")
            )
            yield phrase(
                said,
                what=phrase(_MIXTURES[key]),
                steps=_one(one["length"]["mean"]),
                range=_one(one["length"]["high"] - one["length"]["mean"]),
                share=_one(100 * one["taker"]["share"]) if taken else "",
            )
    plain = next((one for key, one in rows.items() if key not in _MIXTURES), None)
    if plain and {"hints after", "plain after"} <= rows.keys():
        yield from _weigh(plain, rows["hints after"], rows["plain after"], profiles.get("robots"))


def _weigh(plain: Found, hints: Found, auction: Found, robots: Found | None) -> Iterator[Phrase]:
    """Yield which part of the robots’ search changes how long games are and what takers win, with as many playouts."""
    parts = (
        (
            "length",
            mark("the length"),
            (mark("make games shorter"), mark("don’t change the length"), mark("make games longer")),
        ),
        (
            "taker",
            mark("how often takers win"),
            (mark("let takers win less often"), mark("let takers win as often"), mark("let takers win more often")),
        ),
    )
    for key, what, changes in parts:
        if not (plain[key] and hints[key] and auction[key]):
            continue
        by_hints, by_auction = (_apart(one[key], plain[key]) for one in (hints, auction))
        if by_hints is None or by_auction is None:
            continue
        if by_hints or by_auction:
            yield phrase(
                "Hints alone {one}, and the robots’ bids alone {other}.",
                one=phrase(changes[1 + by_hints]),
                other=phrase(changes[1 + by_auction]),
            )
        else:
            yield phrase(
                "Neither hints nor the robots’ bids alone change {what}, so far.",
                what=phrase(what),
            )
            if key == "taker" and robots and robots[key] and _apart(robots[key], plain[key]):
                yield phrase(
                    "With both, and {playouts} playouts a step, whoever takes wins {share} of 100.",
                    playouts=f"{robots['playouts']:,}",
                    share=_one(100 * robots[key]["share"]),
                )


def _tell_thinking(profiles: Mapping[str, Found]) -> Iterator[Phrase]:
    """Yield whether thinking pays: the best-known rung of each ladder."""
    for key, profile in profiles.items():
        rung = next((one for one in profile["ladder"] if one["all"]["played"] and one["strong"] != one["weak"]), None)
        if rung:
            said = (
                mark("With {search}, thinking pays: {strong} playouts a step beat {weak} in {share} of 100 games.")
                if rung["all"]["low"] > 0.5
                else mark(
                    "With {search}, {strong} playouts win {share} of 100 games against {weak}: no proof that it pays."
                )
            )
            yield phrase(
                said,
                search=phrase(_NAMES[key]),
                strong=f"{rung['strong']:,}",
                weak=f"{rung['weak']:,}" if rung["weak"] else phrase("a random player"),
                share=_one(100 * rung["all"]["share"]),
            )


def _one(value: float) -> str:
    """Return a number with one place, and without one where that is 0."""
    return f"{value:,.1f}".removesuffix(".0")
