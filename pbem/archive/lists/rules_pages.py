"""The page of every game: its rules, a picture of a match that is under way, and statistics of finished matches."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from markupsafe import Markup

from pbem.archive.lists.listing import link_players
from pbem.archive.lists.statistics import tell_statistics
from pbem.archive.lists.tally import Tally
from pbem.archive.pages import address_links, template, write_if_changed
from pbem.archive.way_in import NO_WAY_IN, WayIn
from pbem.boards.signs import lettered
from pbem.boards.small import heat_board, small_board
from pbem.boards.svg import svg_board
from pbem.clubs.glicko2 import Rating
from pbem.mail.archive_paths import report_page, rules_page
from pbem.notices.sentences.boards import explain_picture, picture_words
from pbem.notices.sentences.match import as_typed, describe_seats
from pbem.notices.sentences.ratings import write_rating
from rules.game import Game, replay
from rules.games import GAMES
from rules.phrase import Phrase, phrase, phrases
from rules.position import Chance, Position
from rules.record import Record, read_record
from rules.text import listed

_BEST = 10
"""Players whose ratings the page of a game shows, the highest on top."""
_MOVES = 6
"""Moves of each player in the picture of a game that has no record in ``pictured``."""


def write_rules(
    directory: Path,
    tallies: Mapping[str, Tally] | None = None,
    games: Iterable[str] = GAMES,
    head: Callable[[str], str] = lambda page: "",
    best: Callable[[str, int], Sequence[tuple[int, str, Rating]]] = lambda game, most: (),
    way_in: WayIn = NO_WAY_IN,
    contests: Callable[[str], Sequence[tuple[str, str]]] = lambda game: (),
) -> int:
    """Write pages of ``games``, with statistics of those that have ``tallies``; return how many are new.

    ``head`` gives HTML for the head of the page with a path, ``best`` so many of the best players of a game,
    ``contests`` the names of its ladders and leagues, and where they are.
    """
    return sum(
        _write_game(
            key, (tallies or {}).get(key), best(key, _BEST), directory, head(rules_page(key)), way_in, contests(key)
        )
        for key in sorted(games)
    )


def _write_game(
    key: str,
    tally: Tally | None,
    best: Sequence[tuple[int, str, Rating]],
    directory: Path,
    head: str,
    way_in: WayIn,
    contests: Sequence[tuple[str, str]],
) -> bool:
    """Write the page of a game; return whether it is new. Raises OSError."""
    statistics = tell_statistics(tally) if tally and tally.matches else None
    report = _tell_report(directory / report_page(key))
    rated = [(link_players([(name, number)], "../"), write_rating(rating)) for number, name, rating in best]
    text = template("rules.html").render(
        **_tell_rules(key),
        statistics=statistics,
        rated=rated,
        report=report,
        head=head,
        way_in=way_in,
        contests=contests,
    )
    return write_if_changed(directory / rules_page(key), address_links(text, way_in.host).encode())


@dataclass(frozen=True, slots=True)
class _Report:
    """What the page of a game says of a computer's report: where it is, a sentence, and where pieces go."""

    link: str
    told: Phrase | None = None
    picture: Markup | None = None


def _tell_report(page: Path) -> _Report | None:
    """Return what is told of a report that somebody has put there; None where there is none.

    Its figures lie beside it. Without them, or with others than those of today, there is just the link.
    """
    if not page.is_file():
        return None
    with suppress(OSError, ValueError, KeyError, TypeError):
        figures = page.with_suffix(".json")
        return _read_report(figures, figures.stat().st_mtime_ns)
    return _Report(page.name)


@lru_cache(maxsize=8)
def _read_report(figures: Path, changed: int) -> _Report:
    """Return what is told of the report with these figures, as they are since they were ``changed``.

    Raises OSError, ValueError, KeyError and TypeError.
    """
    found = json.loads(figures.read_text("utf-8"))
    profile = [*found["profiles"].values()][-1]  # the robots', which people can play against
    length, choices, heat = (
        profile["length"]["search"],
        profile["branching"]["search"]["mean"],
        profile["heat"]["placed"],
    )
    told = phrases(
        "Programs have played one game of it against themselves: {steps} steps, with {choices} choices each.",
        "Programs have played {count} games of it against themselves: {steps} steps a game, {choices} choices a step.",
        length["count"],
        steps=f"{length['mean']:.0f}",
        choices=f"{choices['mean']:.0f}",
    )
    view = GAMES[found["game"]].restore(found["seats"], found["options"]).view()
    words = replace(picture_words(view), title=str(phrase("Where pieces go")), description="")
    most = max(heat.values())
    drawn = heat_board(view, {cell: share / most for cell, share in heat.items()}, words)
    return _Report(figures.with_suffix(".html").name, told, Markup(drawn))


@cache
def _tell_rules(key: str) -> Mapping[str, Any]:
    """Return what the page of a game says of its rules."""
    game = GAMES[key]
    view = position_under_way(game).view()
    return {
        "game": game,
        "players": describe_seats(game),
        "rolls": listed(game.rolls),
        "options": [
            (option.key, as_typed(option.default), option.allowed if len(option.values) > 1 else "", option.help)
            for option in game.options
        ],
        "view": view,
        "picture": Markup(svg_board(view, picture_words(view))),
        "lettered": lettered(view),
        "signs": explain_picture(view),
        "end": _tell_end(game),
    }


def _tell_end(game: Game) -> tuple[Markup, str] | None:
    """Return how the match ended that the page shows under way: a small picture and a sentence; None without one."""
    record = _pictured(game)
    if record is None:
        return None
    position = replay(game, seats=record.seats, options=record.options, record=record.entries)
    outcome = position.outcome()
    if outcome is None or outcome.story is None:
        return None
    role = position.roles()[outcome.story.seat] if outcome.story.seat is not None else None
    told = outcome.story.others.about(name=phrase(role)) if role else outcome.story.others
    return Markup(small_board(position.view())), str(told)


def _pictured(game: Game) -> Record | None:
    """Return the record of a match of a game that its page shows, None if there is none.

    Its header line ``shown`` is the number of entries after which it is shown under way.
    """
    known = files(__package__).joinpath("pictured", f"{game.key}.txt")
    return read_record(known.read_text("utf-8")) if known.is_file() else None


def position_under_way(game: Game) -> Position[Any]:
    """Return a position of a match that people might play; the same one on every call.

    It is that of the record in ``pictured``. A game without one is played at random for some moves, of all sides.
    """
    if record := _pictured(game):
        entries = record.entries[: int(record.notes["shown"])]
        return replay(game, seats=record.seats, options=record.options, record=entries)
    random = Random(0)
    seats = game.seats[-1]
    position = game.begin(seats, game.short)
    moves = 0
    while moves < _MOVES * seats and (awaited := position.to_act) is not None:
        if isinstance(awaited, Chance):
            following = position.roll(1 + random.randrange(awaited.faces))
        else:
            following = position.play(position.any_move(random.randrange))
            moves += 1
        if following.outcome() is not None:
            break
        position = following
    return position
