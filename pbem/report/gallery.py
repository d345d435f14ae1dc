"""The pictures of a report, from its figures: each with what it shows in words, and only where there is something."""

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from pbem.boards.small import heat_board
from pbem.boards.svg import svg_board
from pbem.notices.sentences.boards import picture_words
from pbem.report.measures import Found
from pbem.report.plots import Line, Ranged, bar_plot, line_plot, range_plot, share_plot, strip_plot
from rules.game import replay
from rules.games import GAMES
from rules.phrase import Argument, Phrase, mark, phrase, verbatim
from rules.position import Entry
from rules.view import BoardView

PROFILES: Mapping[str, str] = {"published": mark("plain search"), "robots": mark("robots")}
"""What the ways to search are called."""
MIXTURES: Mapping[str, str] = {
    "hints after": mark("plain bidding, then hints"),
    "plain after": mark("the robots’ bidding, then plain search"),
    "no opening": mark("plain search, no taking at once"),
}
"""What is mixed in each series of games that tells the auction from the hints."""
PLAYERS: Mapping[str, str] = {
    "random": mark("random"),
    "mirror": mark("half turn"),
    "across": mark("reflection, left and right"),
    "upside": mark("reflection, up and down"),
    "copy": mark("copies the last step"),
    "near": mark("plays nearby"),
    "middle": mark("plays in the middle"),
}
"""What players that do not search are called."""

_KINDS: Mapping[str, str] = {"piece": mark("a piece"), "capture": mark("a capture"), "end": mark("the end of a turn")}
_LINES = 4
"""Kinds of pieces that a plot has a look for."""
_OFTEN = 10
"""Games of which the share of wins says something."""
_NAMED = 3
"""Cells that a picture names, for those who do not see it."""
_HEAT = (200, 350, 450, 550, 650, 800)
"""Where the colours of values change, per mille."""
_PILE = 24
"""Into so many parts a step’s choices are put, the best on top."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: its name within the page, its title, itself, what it shows, and what its colours stand for."""

    key: str
    title: Argument
    drawn: Markup
    told: Argument = ""
    legend: tuple[tuple[Argument, str], ...] = ()


Group = tuple[str, Phrase, list[Picture]]
"""Pictures of one subject: its name within the page, and its title."""


def draw_groups(found: Found, view: BoardView) -> list[Group]:
    """Return all pictures but that of the representative game, by subject; only subjects that have any."""
    profiles = found["profiles"]
    groups = [
        ("how-long", phrase("How long a game is"), _draw_lengths(found, profiles)),
        ("who-wins", phrase("Who wins"), _draw_winners(profiles)),
        *(
            (
                f"board-{key}",
                phrase("Where pieces go: {search}", search=phrase(PROFILES[key])),
                _draw_boards(view, one, key),
            )
            for key, one in profiles.items()
        ),
        ("course", phrase("The course of a game"), _draw_course(view, profiles)),
    ]
    return [(key, title, pictures) for key, title, drawn in groups if (pictures := list(drawn))]


def draw_representative(found: Found) -> Picture | None:
    """Return the last position of the game that is nearest to the mean, its pieces numbered as they were placed."""
    for profile in found["profiles"].values():
        if game := profile["representative"]:
            record = [Entry(seat, text) for seat, text in game["record"]]
            end = replay(GAMES[found["game"]], seats=found["seats"], options=found["options"], record=record)
            view, numbers = end.view(), {cell: number for cell, _, number in game["stones"]}
            words = picture_words(view)
            told = replace(words, cells={name: f"{numbers.get(name, '')} {one}" for name, one in words.cells.items()})
            # Dice have numbers of their own.
            shown = None if view.looks == "dice" else numbers
            legend = phrase("Pieces are numbered as they were placed.") if shown else ""
            if shown and any("line" in cell.marks for cell in view.cells):
                legend = phrase("Pieces are numbered as they were placed, and the winning line is ringed.")
            return Picture("representative", phrase("A typical game"), Markup(svg_board(view, told, (), shown)), legend)
    return None


def _columns(profiles: Mapping[str, Found], *path: str) -> Iterator[tuple[Phrase, Any]]:
    """Yield the name of each profile that has a figure there, and the figure."""
    for key, profile in profiles.items():
        value: Any = profile
        for part in path:
            value = value[part] if value else None
        if value:
            yield phrase(PROFILES[key]), value


def _legend(names: Iterable[Argument]) -> tuple[tuple[Argument, str], ...]:
    """Return what lines stand for, if there are several."""
    named = tuple((name, f"line s{place}") for place, name in enumerate(names))
    return named if len(named) > 1 else ()


def _draw_lengths(found: Found, profiles: Mapping[str, Found]) -> Iterator[Picture]:
    """Yield how long games are, and what their length hangs on."""
    # Random games know nothing of profiles: those of the first one stand for all.
    chance = [(phrase("random players"), one) for _, one in [*_columns(profiles, "length", "random")][:1]]
    lengths = [*_columns(profiles, "length", "search"), *chance]
    if lengths:
        title, steps = phrase("How long games are"), phrase("steps")
        drawn = bar_plot(str(title), [(str(name), one["bars"]) for name, one in lengths], str(steps))
        told = phrase("The share of games, by the number of their steps.")
        yield Picture("lengths", title, Markup(drawn), told, _legend(name for name, _ in lengths))
    for _, curve in _columns(profiles, "curve"):
        if len(curve) > 1:
            yield _draw_curve(found, curve)
    yield from _draw_mixtures(profiles)
    chance = [(phrase("random players"), one) for _, one in [*_columns(profiles, "branching", "random", "by_step")][:1]]
    branching = [*_columns(profiles, "branching", "search", "by_step"), *chance]
    if branching:
        title = phrase("Choices by step")
        lines = [Line.by_step(str(name), one) for name, one in branching]
        told = phrase("How many steps are legal, as far as a tenth of the games go on.")
        drawn = line_plot(str(title), lines, str(phrase("step")), str(phrase("choices")))
        yield Picture("choices_by_step", title, Markup(drawn), told, _legend(name for name, _ in branching))
    if positions := [*_columns(profiles, "new_positions", "by_step")]:
        title = phrase("New positions by step")
        lines = [Line.by_step(str(name), one) for name, one in positions]
        told = phrase("In how many games the position after a step was one that no other game had had.")
        drawn = line_plot(str(title), lines, str(phrase("step")), str(phrase("new")))
        yield Picture("new_positions", title, Markup(drawn), told, _legend(name for name, _ in positions))


def _draw_mixtures(profiles: Mapping[str, Found]) -> Iterator[Picture]:
    """Yield how long games are and what takers win, by ways to search that lie between plain search and robots."""
    rows = [
        (phrase(MIXTURES.get(one["key"], PROFILES["published"])), one["length"], one["taker"], at)
        for _, variants in _columns(profiles, "variants")
        for at, one in ((int(one["key"] in MIXTURES) * 2, one) for one in variants)
    ]
    if len(rows) < 2:
        return
    if robots := profiles.get("robots"):
        rows.append((phrase(PROFILES["robots"]), robots["length"]["search"], robots["taker"], 1))
    lengths = [(str(name), one["mean"], one["low"], one["high"], at) for name, one, _, at in rows if one]
    title = phrase("Hints or auction: length")
    told = phrase("The mean length of games by ways to search between plain search and robots, with its interval.")
    yield Picture("mixtures", title, Markup(range_plot(str(title), lengths, str(phrase("steps")))), told)
    takers = [_ranged(name, one, at) for name, _, one, at in rows if one and one["played"]]
    if takers:
        title = phrase("Hints or auction: who took a side")
        told = phrase("Games won of 100 by whoever took, by the same ways to search.")
        yield Picture("takers", title, Markup(share_plot(str(title), takers)), told)


def _ranged(name: object, one: Found, colour: int) -> Ranged:
    """Return a share of games, of 100, as a row."""
    return str(name), 100 * one["share"], 100 * one["low"], 100 * one["high"], colour


def _draw_curve(found: Found, curve: Sequence[Found]) -> Picture:
    """Return how the length follows the playouts, with the published length as a line."""
    names, keys = [phrase("steps of a game")], ["length"]
    if all(point["placed"] for point in curve):
        names, keys = [*names, phrase("pieces placed in the auction")], [*keys, "placed"]
    lines = [
        Line(
            str(name),
            [(point["playouts"], point[key]["mean"]) for point in curve],
            [(point[key]["low"], point[key]["high"]) for point in curve],
        )
        for name, key in zip(names, keys, strict=True)
    ]
    published = published_of(found, "length")
    level = (str(phrase("published: {number}", number=f"{published:g}")), published) if published else None
    title = phrase("Length and thinking time")
    drawn = line_plot(
        str(title), lines, str(phrase("playouts for each step")), str(phrase("steps")), log=True, level=level
    )
    told = phrase("The mean length of games between two players who search plainly, with its interval.")
    return Picture("curve", title, Markup(drawn), told, _legend(names))


def published_of(found: Found, key: str) -> float | None:
    """Return the published number of a figure, if there is one."""
    for figure in found["figures"]:
        if figure["key"] == key and figure["published"]:
            value: float | None = figure["published"].get("value")
            return value
    return None


def _draw_winners(profiles: Mapping[str, Found]) -> Iterator[Picture]:
    """Yield who wins: seats and roles, stronger players, and those who do not search."""
    told = phrase("Games won of 100, between players of the same strength.")
    yield from _draw_shares("winners", phrase("Seats and roles"), told, profiles, _sides)
    told = phrase("Games won of 100 by the player named first, by playouts for each step.")
    yield from _draw_shares("ladder_chart", phrase("More thinking against less"), told, profiles, _rungs)
    told = phrase("Games won of 100 by a simple rule, against a player who searches.")
    yield from _draw_shares("naive", phrase("Players who don’t think"), told, profiles, _naive)


def _draw_shares(
    key: str,
    title: Phrase,
    told: Phrase,
    profiles: Mapping[str, Found],
    rows_of: Callable[[Found], Iterable[tuple[Argument, Found]]],
) -> Iterator[Picture]:
    """Yield a picture of the shares of all profiles, each in its colour, if there are any."""
    rows: list[Ranged] = []
    names: list[Phrase] = []
    for profile, found in profiles.items():
        shares = [(name, one) for name, one in rows_of(found) if one["played"]]
        rows += [_ranged(name, one, len(names)) for name, one in shares]
        names += [phrase(PROFILES[profile])] if shares else []
    if rows:
        drawn = share_plot(str(title), rows)
        yield Picture(key, title, Markup(drawn), told, tuple((name, f"range s{at}") for at, name in enumerate(names)))


def _sides(found: Found) -> Iterator[tuple[Argument, Found]]:
    """Yield the seats and roles of a profile, and whoever took a side."""
    balance = found["balance"]["search"]
    yield from ((phrase("seat {number}", number=one["seat"]), one) for one in balance["seats"])
    yield from ((one["role"], one) for one in balance["roles"])
    if found["taker"]:
        yield phrase("who took a side"), found["taker"]


def _rungs(found: Found) -> Iterator[tuple[Argument, Found]]:
    """Yield the rungs of a ladder."""
    for one in found["ladder"]:
        weak = f"{one['weak']:,}" if one["weak"] else phrase(PLAYERS["random"])
        yield phrase("{strong} : {weak}", strong=f"{one['strong']:,}", weak=weak), one["all"]


def _naive(found: Found) -> Iterator[tuple[Argument, Found]]:
    """Yield the players that do not search."""
    return ((phrase(PLAYERS[one["player"]]), one["all"]) for one in found["naive"])


def _draw_boards(view: BoardView, profile: Found, key: str) -> Iterator[Picture]:
    """Yield where pieces go, and how openings fare."""
    heat, opening = profile["heat"], profile["opening_map"] or {}
    shown = (
        ("heat", heat["placed"], mark("All pieces"), mark("How often a piece is placed there in a game.")),
        ("winners", heat["winners"], mark("The winner’s pieces"), mark("How often the winner places one there.")),
        ("opening_map", opening.get("placed"), mark("The first ten pieces"), mark("How often one of them goes there.")),
        ("success", _rise(profile), mark("Success of the first ten"), mark("How often those win who place one there.")),
    )
    for picture, shares, title, told in shown:
        if shares:
            words = phrase(title)
            yield Picture(f"{picture}-{key}", words, draw_heat(view, shares, str(words)), phrase(told))


def _rise(profile: Found) -> dict[str, float]:
    """Return how far each cell’s openings do better than the worst; those of a few games are chance, and left out."""
    opening, length = profile["opening_map"] or {}, profile["length"]["search"]
    tried = {cell for cell, part in (opening.get("placed") or {}).items() if part * length["count"] >= _OFTEN}
    won = {cell: part for cell, part in (opening.get("won") or {}).items() if cell in tried}
    least = min(won.values(), default=0)
    return {cell: part - least for cell, part in won.items()} if len(set(won.values())) > 1 else {}


def draw_heat(view: BoardView, shares: Mapping[str, float], title: str) -> Markup:
    """Return a picture whose largest dot is the largest share; it names the cells with most."""
    most = max(shares.values()) or 1
    named = sorted(shares, key=lambda cell: (-shares[cell], cell))[:_NAMED]
    description = ", ".join(f"{cell}: {shares[cell]:.0%}" for cell in named)
    words = replace(picture_words(view), title=title, description=description)
    return Markup(
        heat_board(view, {cell: one / most for cell, one in shares.items()}, words)
    )  # which escapes its words


def _draw_course(view: BoardView, profiles: Mapping[str, Found]) -> Iterator[Picture]:
    """Yield how games go: the winner’s chance in all of them, and the steps of the typical one."""
    if chances := [
        (name, [None if one is None else 100 * one for one in drama])
        for name, drama in _chances(profiles)
        if any(drama)
    ]:
        title = phrase("The later winner’s chance")
        lines = [Line(str(name), [(10 * place - 5, one) for place, one in enumerate(row, 1)]) for name, row in chances]
        told = phrase("What searching players gave whoever won in the end, in all games by how far they are.")
        drawn = line_plot(str(title), lines, str(phrase("way through the game")), "%", low=0, level=("", 50.0))
        yield Picture("chance", title, Markup(drawn), told, _legend(name for name, _ in chances))
    for _, study in _columns(profiles, "study"):
        if study["steps"]:
            names = {piece.key: piece.name for piece in view.pieces}
            yield from _draw_steps(study["steps"], [names[side] for side in study["sides"]])
            return


def _chances(profiles: Mapping[str, Found]) -> Iterator[tuple[Phrase, Sequence[float | None]]]:
    return _columns(profiles, "drama", "winners_chance")


def _draw_steps(steps: Sequence[Found], sides: Sequence[Phrase]) -> Iterator[Picture]:
    """Yield the typical game step by step."""
    across = str(phrase("step"))
    if any(one["best"] is not None for one in steps):
        title = phrase("The best move’s value")
        names: list[Argument] = [phrase("best move")]
        lines = [Line.by_step(str(names[0]), [_percent(one["best"]) for one in steps])]
        if any(one["nothing"] is not None for one in steps):
            names.append(phrase("doing nothing"))
            lines.append(Line.by_step(str(names[1]), [_percent(one["nothing"]) for one in steps]))
        told = phrase("The chance to win of whoever is to act, in the typical game.")
        drawn = line_plot(str(title), lines, across, "%", level=("", 50.0))
        yield Picture("best_values", title, Markup(drawn), told, _legend(names))
    if any(one["values"] for one in steps):
        title = phrase("The temperature of every choice")
        piles = [_pile(one["values"]) for one in steps]
        told = phrase("A column for each step of the typical game: its choices, the best on top.")
        legend = ((phrase("loses"), "pile c0"), (phrase("even"), "pile c3"), (phrase("wins"), "pile c6"))
        yield Picture("temperature", title, Markup(strip_plot(str(title), {"": piles}, across, high=150)), told, legend)
    most = {place: max(one["pieces"][place] for one in steps) for place in range(len(sides))}
    if shown := sorted(sorted((place for place in most if most[place]), key=lambda place: -most[place])[:_LINES]):
        title = phrase("Material")
        names = [sides[place] for place in shown]
        lines = [Line.by_step(str(sides[place]), [one["pieces"][place] for one in steps]) for place in shown]
        told = phrase("The pieces of each kind on the board, in the typical game.")
        drawn = line_plot(str(title), lines, across, str(phrase("pieces")))
        yield Picture("material", title, Markup(drawn), told, _legend(names))
    yield _draw_counts(steps, across)
    kinds = list(dict.fromkeys(one["kind"] for one in steps if one["kind"]))
    if len(kinds) > 1:
        title = phrase("Kinds of steps")
        rows = {
            str(phrase(_KINDS.get(kind, kind))): [[len(_HEAT) if one["kind"] == kind else -1] for one in steps]
            for kind in kinds
        }
        told = phrase("What each step of the typical game was.")
        yield Picture("kinds", title, Markup(strip_plot(str(title), rows, across)), told)


def _draw_counts(steps: Sequence[Found], across: str) -> Picture:
    """Return how many choices each step had, how many of them were effective, and how many good."""
    shown: list[tuple[Phrase, Callable[[Found], float | None]]] = [
        (phrase("legal"), lambda one: one["choices"]),
        (phrase("nearly the best"), lambda one: one["effective"]),
        (phrase("good"), lambda one: one["good"]),
    ]
    lines = [Line.by_step(str(name), [of(one) for one in steps]) for name, of in shown]
    kept = [line for line in lines if line.heights]
    title = phrase("Choices that count")
    told = phrase("How many choices each step of the typical game had, and how many of them were any good.")
    drawn = line_plot(str(title), kept, across, str(phrase("choices")))
    return Picture("effective", title, Markup(drawn), told, _legend(verbatim(line.name) for line in kept))


def _percent(value: float | None) -> float | None:
    """Return a value in per mille as one of 100."""
    return None if value is None else value / 10


def _pile(values: Sequence[int]) -> list[int]:
    """Return the classes of a step’s values, the best on top, as a pile of at most so many parts."""
    size = min(_PILE, len(values))
    return [bisect(_HEAT, values[place * len(values) // size]) for place in range(size)]
