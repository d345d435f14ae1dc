"""The page of a report, from its measures; it says the same on every run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from pbem.archive.pages import template
from pbem.boards.small import heat_board
from pbem.notices.sentences.boards import picture_words
from pbem.notices.sentences.match import as_typed
from pbem.report.measures import Found
from pbem.report.plan import RANDOM, SEARCH
from pbem.report.plots import Ranged, bar_plot, line_plot, share_plot
from pbem.report.published import PUBLISHED
from pbem.report.turns import opening_view
from rules.game import VERSION
from rules.games import GAMES
from rules.phrase import mark, phrase
from rules.text import listed
from rules.view import BoardView

_BEST, _WORST = 12, 3
_NAMED = 3
"""Cells that a picture names, for those who do not see it."""

_FIGURES = {
    "search_length": mark("length, searching players"),
    "search_branching": mark("choices, searching players"),
    "board_use": mark("board use, of 100"),
    "response_distance": mark("response distance"),
    "random_length": mark("length, random players"),
    "playouts_per_second": mark("random games a second"),
}
_VERDICTS = {
    True: mark("The published figure lies in our interval."),
    False: mark("The published figure lies outside our interval."),
    None: mark("One measurement, on one machine."),
}
_UNEXPLAINED = mark("The difference is unexplained.")
_NOTHING = mark("We have no figure of our own yet.")
_NAIVE = {
    "random": (mark("random"), mark("plays any legal step.")),
    "mirror": (mark("mirror"), mark("answers at the point opposite, through the middle of the board; else at random.")),
    "across": (mark("across"), mark("answers at the same height on the other side of the board; else at random.")),
    "near": (mark("near"), mark("plays as close as it can to the opponent’s latest piece.")),
    "middle": (mark("middle"), mark("plays as close as it can to the middle of the board.")),
}


def write_page(found: Found, figures_file: str, *, in_archive: bool) -> str:
    """Return the page of a report, which has a link to ``figures_file``; in the archive also to other pages."""
    game, view = GAMES[found["game"]], opening_view(found["game"], found["seats"], tuple(found["options"].items()))
    publication = PUBLISHED.get(found["game"])
    chosen = {option.key: found["options"][option.key] for option in game.options if option.key != VERSION}
    return template("report.html").render(
        found=found,
        options=listed(f"{key}={as_typed(value)}" for key, value in chosen.items()) if chosen else phrase("no options"),
        source=publication.source if publication else "",
        compared=list(_compared(found["published"])),
        plots=_draw_plots(found),
        balances={key: list(_balance_rows(found["balance"][key])) for key in (RANDOM, SEARCH)},
        other_balances=[list(_balance_rows(other["balance"])) for other in found["other_seats"]],
        heats=list(_draw_heats(view, found["heat"])),
        ladder=list(_ladder_rows(found["ladder"])),
        naive=list(_naive_rows(found["naive"])),
        explained=[_NAIVE[one["player"]] for one in found["naive"] if one["all"]["played"]],
        openings=_ends(found["openings"]),
        opening_heat=_draw_openings(view, found["openings"]),
        figures_file=figures_file,
        home=in_archive,
        root="../" if in_archive else "",
    )


def _compared(rows: Sequence[Found]) -> Iterator[tuple[str, str, str, str, list[str]]]:
    """Yield measure, published figure, ours, its interval, and the sentences that are said of both."""
    for row in rows:
        ours = row["ours"]
        ranged = ours is not None and ours["high"] is not None
        interval = f"±{_short(ours['high'] - ours['value'])}" if ranged else ""
        value = _short(ours["value"]) if ours else "–"
        yield _FIGURES[row["measure"]], _short(row["published"]), value, interval, _judge(row) if ours else [_NOTHING]


def _judge(row: Found) -> list[str]:
    """Return what is said of a published figure and ours: of a difference that is more than chance also why."""
    if row["within"]:
        return [_VERDICTS[True]]
    if row["within"] is None:
        return [_VERDICTS[None], *filter(None, [row["note"]])]
    return [_VERDICTS[False], row["note"] or _UNEXPLAINED]


def _short(value: float) -> str:
    """Return a number with as many places as its size needs."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.2f}".removesuffix(".00")


def _draw_plots(found: Found) -> Mapping[str, Markup]:
    """Return the plots of a report by their places on the page; an empty one where there is nothing to draw."""
    steps, random, search = str(phrase("Step")), str(phrase("random")), str(phrase("searching"))
    both = ((random, RANDOM), (search, SEARCH))
    lengths = [(name, found["length"][key]["bars"]) for name, key in both if found["length"][key]]
    branching = [(name, found["branching"][key]["by_step"]) for name, key in both if found["branching"][key]["by_step"]]
    good = found["good_moves"]["by_step"]
    balance = [_ranged(name, one) for name, one in _balance_rows(found["balance"][SEARCH]) if one["played"]]
    ladder = [
        _ranged(f"{one['playouts']} : {one['against']}", one["all"]) for one in found["ladder"] if one["all"]["played"]
    ]
    chance = [None if one is None else 100 * one for one in (found["drama"] or {}).get("winners_chance", ())]
    drawn = {
        "length": lengths and bar_plot("length", lengths, str(phrase("Steps")), str(phrase("How long games are"))),
        "branching": branching
        and line_plot("branching", branching, steps, str(phrase("Choices")), str(phrase("Choices by step"))),
        "balance": balance and share_plot("balance", balance, str(phrase("Who wins between searching players"))),
        "ladder": ladder and share_plot("ladder", ladder, str(phrase("Wins against half as many playouts"))),
        "good": good
        and line_plot("good", [("", good)], steps, str(phrase("Good steps")), str(phrase("Good steps by step"))),
        "drama": chance
        and line_plot(
            "drama",
            [("", chance)],
            str(phrase("Tenth of the game")),
            "%",
            str(phrase("The later winner’s chance to win, by tenths of the game")),
        ),
    }
    return {key: Markup(svg or "") for key, svg in drawn.items()}


def _ranged(name: object, one: Found) -> Ranged:
    return str(name), one["share"], one["low"], one["high"]


def _balance_rows(balance: Found) -> Iterator[tuple[object, Found]]:
    """Yield seats and roles with their shares."""
    yield from ((phrase("seat {number}", number=one["seat"]), one) for one in balance["seats"])
    yield from ((one["role"], one) for one in balance["roles"])


def _ladder_rows(rungs: Sequence[Found]) -> Iterator[tuple[object, Found]]:
    """Yield each rung of the ladder: in all, as the first seat and as another one."""
    for one in rungs:
        if one["all"]["played"]:
            name = f"{one['playouts']} : {one['against']}"
            yield name, one["all"]
            yield phrase("{name}, first", name=name), one["first"]
            yield phrase("{name}, later", name=name), one["later"]


def _naive_rows(players: Sequence[Found]) -> Iterator[tuple[object, Found]]:
    """Yield naive players: in all, as the first seat and as another one."""
    for one in players:
        if one["all"]["played"]:
            name = phrase(_NAIVE[one["player"]][0])
            yield name, one["all"]
            yield phrase("{name}, first", name=name), one["first"]
            yield phrase("{name}, later", name=name), one["later"]


def _draw_heats(view: BoardView, heat: Found) -> Iterator[tuple[Markup, str]]:
    """Yield pictures of where pieces go, each with its caption."""
    for key, told in (("placed", phrase("Anybody’s pieces")), ("winners", phrase("A winner’s pieces"))):
        if shares := heat[key]:
            yield _draw_heat(view, shares, str(told)), str(told)


def _draw_heat(view: BoardView, shares: Mapping[str, float], title: str) -> Markup:
    """Return a picture whose largest dot is the largest share; it names the cells with most."""
    most = max(shares.values())
    named = sorted(shares, key=lambda cell: (-shares[cell], cell))[:_NAMED]
    words = picture_words(view)
    told = replace(words, title=title, description=_tell(shares, named))
    return Markup(heat_board(view, {cell: one / most for cell, one in shares.items()}, told))  # which escapes its words


def _tell(shares: Mapping[str, float], cells: Sequence[str]) -> str:
    return ", ".join(f"{cell}: {shares[cell]:.0%}" for cell in cells)


def _ends(openings: Sequence[Found]) -> Sequence[Found]:
    """Return the best and the worst first steps."""
    return openings if len(openings) <= _BEST + _WORST else [*openings[:_BEST], *openings[-_WORST:]]


def _draw_openings(view: BoardView, openings: Sequence[Found]) -> Markup | None:
    """Return a picture of the values of first steps on a cell; None unless several are a cell each."""
    cells = {cell.name for cell in view.cells}
    values = {one["move"]: one["value"] for one in openings if one["move"] in cells}
    if len(values) < 2 or len(set(values.values())) == 1:
        return None
    least = min(values.values())
    return _draw_heat(
        view, {cell: value - least for cell, value in values.items()}, str(phrase("The value of first steps"))
    )
