"""The index of the archive: its first page has boards and the latest results, and numbered pages list all matches.

Which page lists a match follows from the number of the match, so that a page whose matches are over stays as it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from pbem.archive.pages import deadline_scripts, template, without_addresses, write_if_changed
from pbem.archive.standing import shown_status
from pbem.match import MatchSummary, Player
from pbem.paths import index_page, player_page, rules_page
from rules import GAMES
from rules.text import listed

PAGE = 200
"""Matches on a numbered page of the index."""

RUNNING, FINISHED = 60, 20
"""Running matches, and finished ones, that the first page lists."""

_BOARDS = 24
"""Running matches that the first page shows with their boards: each takes some kilobytes."""


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
    newest_first = sorted(matches, key=lambda match: (match.opened_at, match.id), reverse=True)
    rows = {over: _with_status([match for match in newest_first if match.is_over == over], now) for over in (0, 1)}
    text = template("index.html").render(
        head=head,
        first_match=(page - 1) * PAGE + 1,
        last_match=page * PAGE,
        newer=index_page(page + 1 if page < last else 0),
        older=index_page(page - 1) if page > 1 else "",
        running=rows[0],
        finished=rows[1],
        linked=link_players,
        scripts=deadline_scripts(*(status for _, status in rows[0])),
    )
    return write_if_changed(directory / index_page(page), without_addresses(text).encode())


def shown_first(running: Sequence[MatchSummary]) -> list[MatchSummary]:
    """Return the running matches whose boards the first page shows: those in which something happened last."""
    return sorted(running, key=lambda match: (match.standing.changed_at, match.id), reverse=True)[:_BOARDS]


def write_front(
    running: Sequence[MatchSummary],
    finished: Sequence[MatchSummary],
    boards: Mapping[int, str],
    last: int,
    directory: Path,
    key: str,
    now: datetime,
    head: str = "",
) -> bool:
    """Write the first page: boards and more of the ``running`` matches, the latest results, and the key of the host.

    ``boards`` are small pictures by the numbers of those ``shown_first``, ``last`` is the number of the last numbered
    page. ``head`` is HTML for the head of the page. Return whether the page is new. Raises OSError.
    """
    first = shown_first(running)
    others = [match for match in reversed(running) if match not in first]
    pictured, listed = _with_status(first, now), _with_status(others, now)
    text = template("front.html").render(
        head=head,
        pictured=pictured,
        boards={number: Markup(board) for number, board in boards.items()},  # which escapes its symbols itself
        running=listed,
        finished=_with_status(finished, now),
        linked=link_players,
        all_matches=index_page(last) if last else "",
        scripts=deadline_scripts(*(status for _, status in (*pictured, *listed))),
        key=key,
        games=[(game.title, rules_page(key)) for key, game in GAMES.items()],
    )
    return write_if_changed(directory / index_page(0), without_addresses(text).encode())


def link_players(players: Iterable[Player]) -> Markup:
    """Return the names of players, each with a link to their page, for a page at the top of the archive."""
    links = [Markup('<a href="{}">{}</a>').format(player_page(player.id), player.name) for player in players]
    return Markup(listed(links))  # each of them is escaped


def _with_status(matches: Iterable[MatchSummary], now: datetime) -> list[tuple[MatchSummary, str]]:
    """Return matches, each with how it stands."""
    return [(match, shown_status(match, now)) for match in matches]
