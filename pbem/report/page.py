"""The page of a report, from its figures: pictures first, then tables; it says the same on every run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pbem.archive.pages import template
from pbem.notices.sentences.boards import capital, name_board
from pbem.notices.sentences.match import as_typed
from pbem.report.finding import tell_findings
from pbem.report.gallery import PROFILES, draw_groups, draw_representative
from pbem.report.measures import Found
from pbem.report.published import PUBLISHED
from pbem.report.turns import opening_view
from rules.game import VERSION
from rules.games import GAMES
from rules.phrase import Phrase, mark, phrase, phrases
from rules.text import listed

SUBJECTS: Mapping[str, str] = {
    "samples": mark("Samples"),
    "speed": mark("Speed"),
    "length": mark("Length"),
    "choices": mark("Choices"),
    "balance": mark("Balance"),
    "strength": mark("Strength"),
    "board": mark("The board"),
    "course": mark("The course of the game"),
}
"""The subjects of figures, each with a table of its own, in their order."""

_PUBLISHED = "source"
"""The column of what others have published."""
_HEADS: Mapping[str, str] = {_PUBLISHED: mark("published"), **PROFILES}
_SIGNS = {
    True: ("✓", mark("It agrees with the published figure.")),
    False: ("≠", mark("It differs from the published figure.")),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A figure in one column: itself, its interval, a link to the picture that it is, and the sign beside it."""

    column: str
    value: Markup
    interval: str = ""
    sign: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its title, one figure for each column, what it means, its source, and why it differs."""

    title: str
    shown: Sequence[Shown]
    definition: str
    source: str
    note: str


def write_page(found: Found, figures_file: str, *, in_archive: bool) -> str:
    """Return the page of a report, which has a link to ``figures_file``; in the archive also to other pages."""
    game, view = GAMES[found["game"]], opening_view(found["game"], found["seats"], tuple(found["options"].items()))
    publication = PUBLISHED.get(found["game"])
    chosen = [
        f"{option.key}={as_typed(found['options'][option.key])}"
        for option in game.options
        if option.key != VERSION and found["options"][option.key] != option.default
    ]
    groups = draw_groups(found, view)
    drawn = {picture.key for _, _, pictures in groups for picture in pictures}
    hero = draw_representative(found)
    columns = _columns(found)
    return template("report.html").render(
        found=found,
        options=listed(chosen) if chosen else phrase("the usual options"),
        board=name_board(view),
        source=publication.source if publication and _PUBLISHED in columns else "",
        profiles=[(PROFILES[key], profile) for key, profile in found["profiles"].items()],
        hero=hero,
        hero_told=list(_tell_hero(found)),
        keys=list(_key_figures(found)),
        findings=tell_findings(found),
        groups=groups,
        heads=[capital(str(phrase(_HEADS[column]))) for column in columns],
        tables=list(_tables(found, columns, drawn | ({hero.key} if hero else set()))),
        others=[other for profile in found["profiles"].values() for other in profile["other_seats"]],
        figures_file=figures_file,
        home=in_archive,
        root="../" if in_archive else "",
    )


def _tell_hero(found: Found) -> Iterator[Phrase]:
    """Yield what the typical game is."""
    for key, profile in found["profiles"].items():
        if game := profile["representative"]:
            yield phrases(
                "The game by {search} whose length is nearest to the mean: {count} step.",
                "The game by {search} whose length is nearest to the mean: {count} steps.",
                game["steps"],
                search=phrase(PROFILES[key]),
            )
            won = [seat for seat, reward in enumerate(game["rewards"], 1) if reward == max(game["rewards"])]
            if len(won) == 1:
                yield phrase("Seat {seat} won.", seat=won[0])
            return


def _key_figures(found: Found) -> Iterator[tuple[str, Phrase]]:
    """Yield the few numbers that stand large beside the typical game, each with what it is."""
    for profile in found["profiles"].values():
        length, choices = profile["length"]["search"], profile["branching"]["search"]["mean"]
        if length and choices:
            yield _places(length["mean"]), phrase("steps a game")
            yield _places(choices["mean"]), phrase("choices a step")
            if use := profile["board_use"]:
                yield f"{use['mean']:.0f} %", phrase("of the board used")
            draws = profile["balance"]["search"]["draws"]
            yield f"{100 * draws['share']:.0f} %", phrase("draws")
            return


def _columns(found: Found) -> list[str]:
    """Return the columns that have anything in them."""
    published = [_PUBLISHED] if any(figure["published"] for figure in found["figures"]) else []
    return [*published, *found["profiles"]]


def _tables(found: Found, columns: Sequence[str], drawn: set[str]) -> Iterator[tuple[str, str, list[Row]]]:
    """Yield the table of each subject that has figures: its key, its title, and its rows."""
    for subject, title in SUBJECTS.items():
        if rows := [_row(figure, columns, drawn) for figure in found["figures"] if figure["subject"] == subject]:
            yield subject, title, rows


def _row(figure: Found, columns: Sequence[str], drawn: set[str]) -> Row:
    shown = [
        _show(column, figure["published"] if column == _PUBLISHED else figure["ours"].get(column), drawn, figure)
        for column in columns
    ]
    return Row(figure["title"], shown, figure["definition"], figure["source"], figure["note"])


def _show(column: str, value: Found | None, drawn: set[str], figure: Found) -> Shown:
    """Return what a column shows of a figure."""
    sign = _SIGNS.get(figure["within"].get(column))
    if value is None:
        return Shown(column, Markup("–"))
    if picture := value.get("picture"):
        place = next((one for one in (f"{picture}-{column}", picture) if one in drawn), "")
        link = Markup('<a href="#{}">{}</a>').format(place, str(phrase("picture"))) if place else Markup("–")
        return Shown(column, link if column != _PUBLISHED else Markup(str(phrase("picture"))))
    ends = [] if value["low"] == value["high"] else [value["low"], value["high"]]  # both may be None
    places = 0 if value["text"] else 2 if ends else _count_places(value["value"])
    interval = "–".join(f"{end:,.{places}f}" for end in ends)
    return Shown(column, _format(value, places), interval, sign)


def _format(value: Found, places: int) -> Markup:
    """Return a number as its form wants it."""
    if value["text"]:
        return Markup("{}").format(value["text"])
    number = f"{value['value']:,.{places}f}"
    if value["form"] == "power10":
        return Markup("10<sup>{}</sup>").format(number)
    return Markup("{}").format(number)


def _count_places(value: float) -> int:
    """Return how many places a number needs."""
    return 0 if value == int(value) or abs(value) >= 1000 else 2


def _places(value: float) -> str:
    return f"{value:.1f}" if abs(value) < 1000 else f"{value:,.0f}"
