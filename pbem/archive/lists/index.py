"""The index of the archive: its first page has boards and the latest results, and numbered pages list all matches.

Which page lists a match follows from the number of the match, so that a page whose matches are over stays as it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from pbem.archive.lists.listing import PAGE, Part, summary_row, write_part
from pbem.archive.lists.shop_window import OfferRow, Window, draw_phone
from pbem.archive.match.rolls import unfold
from pbem.archive.pages import address_links, deadline_scripts, template, without_addresses, write_if_changed
from pbem.archive.way_in import NO_WAY_IN, WayIn
from pbem.boards.small import SmallFilm, small_film
from pbem.mail.archive_paths import index_page, rules_page
from pbem.match.match import Match
from pbem.match.summary import MatchSummary
from rules.games import GAMES
from rules.phrase import phrase

RUNNING, FINISHED = 60, 20
"""Running matches, and finished ones, that the first page lists."""

_BOARDS = 12
"""Running matches that the first page shows with their boards: more would hide the results below them."""

_RESULTS = 6
"""Finished matches that it shows with their boards."""

_FILMS, _STEPS = 6, 5
"""Of these boards, those that a script steps through so many moves: each takes up to some kilobytes."""


def page_of(match: int) -> int:
    """Return the number, from 1, of the page that lists the match with this number."""
    return (match - 1) // PAGE + 1


def last_page(newest: int) -> int:
    """Return the number of the last numbered page, 0 where there is no match."""
    return page_of(newest) if newest else 0


def write_index(
    page: int, last: int, matches: Iterable[MatchSummary], directory: Path, now: datetime, head: str = ""
) -> bool:
    """Write a numbered page of the index, its newest match on top; return whether it is new. Raises OSError.

    ``last`` is the number of the last page, ``head`` is HTML for the head of this one.
    """
    newest = sorted(matches, key=lambda match: (match.opened_at, match.id), reverse=True)
    running, finished = ([summary_row(match, now) for match in newest if match.is_over == over] for over in (0, 1))
    title = str(phrase("Matches {first} to {last}", first=(page - 1) * PAGE + 1, last=page * PAGE))
    up = [(str(phrase("All matches")), index_page(0))]
    newer, older = index_page(page + 1 if page < last else 0), index_page(page - 1) if page > 1 else ""
    return write_part(Part(index_page(page), title, up, newer, older), running, finished, directory, head)


def shown_first(
    running: Iterable[MatchSummary], finished: Sequence[MatchSummary] = ()
) -> tuple[Sequence[MatchSummary], Sequence[MatchSummary]]:
    """Return the running matches, and the finished ones, whose boards the first page shows.

    Of those that run, the last move comes first, those without one last; ``finished`` are the latest results in order.
    """
    latest = sorted(
        running, key=lambda match: (match.standing.moves > 0, match.standing.changed_at, match.id), reverse=True
    )
    return latest[:_BOARDS], finished[:_RESULTS]


def draw_film(match: Match) -> SmallFilm:
    """Return the board of a running match as it is now, and as it was before each of its latest moves."""
    match, positions, _ = unfold(match)
    moves = [ply for ply, entry in enumerate(match.record) if entry.seat is not None][-_STEPS:]
    return small_film([*(positions[ply].view() for ply in moves), positions[-1].view()])


def write_front(
    running: Sequence[MatchSummary],
    finished: Sequence[MatchSummary],
    boards: Mapping[int, SmallFilm],
    last: int,
    directory: Path,
    now: datetime,
    head: str = "",
    parts: Mapping[int, int] | None = None,
    window: Window | None = None,
    offers: Sequence[OfferRow] = (),
    way_in: WayIn = NO_WAY_IN,
    contests: str = "",
) -> bool:
    """Write the first page: how one plays, boards and more of the ``running`` matches, and the latest results.

    ``boards`` are those of the matches ``shown_first`` by their numbers, ``last`` is the number of the last numbered
    page. ``parts`` has for numbered pages how many running matches each lists. ``head`` is HTML for the head of the
    page. The ``window`` has a match that is shown large, and not among the others. ``offers`` are what a stranger may
    join, where there is a ``way_in``, ``contests`` the path of the
    list of ladders and leagues, if there are any. Return whether the page is new. Raises OSError.
    """
    first, ended = shown_first(running, finished)
    others = [match for match in reversed(running) if match not in first]
    standing = Markup("")
    if window:
        standing = next((summary_row(one, now).status for one in (*first, *ended) if one.id == window.match), standing)
        first, ended = ([match for match in some if match.id != window.match] for some in (first, ended))
    films = [boards.get(match.id) for match in (*first, *ended)]
    moves = any(film.past for film in films[:_FILMS] if film)
    pictures = (
        Markup((film.moving if place < _FILMS else film.still) if film else "")  # which escapes its symbols itself
        for place, film in enumerate(films)
    )
    pictured, results = (
        [(summary_row(match, now, drawn=True), next(pictures)) for match in some] for some in (first, ended)
    )
    rest = [summary_row(match, now) for match in others]
    all_running = sum((parts or {}).values())
    text = template("front.html").render(
        head=head,
        pictured=pictured,
        results=results,
        moves=moves,
        running=rest,
        finished=[summary_row(match, now) for match in finished[_RESULTS:]],
        all_matches=index_page(last) if last else "",
        all_running=all_running if all_running > len(running) else 0,
        parts=[
            ((part - 1) * PAGE + 1, part * PAGE, count, f"{index_page(part)}#running")
            for part, count in sorted((parts or {}).items(), reverse=True)
        ],
        scripts=[
            *(["films.js"] if moves else []),
            *deadline_scripts(standing, *(row.status for row in (*(row for row, _ in pictured), *rest))),
        ],
        window=window,
        phone=draw_phone(),
        standing=standing,
        offers=offers,
        way_in=way_in,
        contests=contests,
        games=[
            (game.title, rules_page(key), str(game.summary or ""), way_in.robot(key)) for key, game in GAMES.items()
        ],
    )
    page = address_links(without_addresses(text), way_in.host)
    return write_if_changed(directory / index_page(0), page.encode())
