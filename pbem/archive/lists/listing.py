"""Lists of matches: the rows of their tables, and pages that list many of them, part by part."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from markupsafe import Markup, escape

from pbem.archive.icons import icons
from pbem.archive.pages import deadline_scripts, template, without_addresses, write_if_changed
from pbem.archive.standing import format_moment, is_drawn, shown_status
from pbem.mail.archive_paths import match_page, player_page
from pbem.match.summary import MatchSummary
from rules.text import listed

PAGE = 200
"""Matches in a part of a list."""


@dataclass(frozen=True, slots=True)
class Row:
    """A match as a table lists it; ``players`` and ``status`` are HTML, ``day`` is when it was opened or ended."""

    title: str
    page: str
    players: Markup
    status: Markup
    moves: int
    day: str


@dataclass(frozen=True, slots=True)
class Part:
    """A page that lists a part of many matches: its ``path`` in the archive, its ``title``, and where it leads to.

    ``up`` are the names and paths of pages that stand above it, ``newer`` and ``older`` the paths beside it, or empty.
    """

    path: str
    title: str
    up: Sequence[tuple[str, str]]
    newer: str
    older: str


def summary_row(match: MatchSummary, now: datetime, *, drawn: bool = False) -> Row:
    """Return a match as pages at the top of the archive list it; ``drawn``: beside its board, with icons of sides."""
    players = link_players(
        ((player.name, player.id if player.has_page else None) for player in match.players),
        icons=icons(match.game, match.standing.roles) if drawn else (),
        won=[] if is_drawn(match) else match.standing.winners or [],
    )
    title, at = f"{match.game.title} {match.id}", match.standing.changed_at if match.is_over else match.opened_at
    status = Markup(shown_status(match, now))  # which escapes names itself
    return Row(title, match_page(match.id), players, status, match.standing.moves_made, format_moment(at)[:10])


def link_players(
    players: Iterable[tuple[str, int | None]],
    root: str = "",
    won: Collection[int] = (),
    icons: Sequence[Markup] = (),
) -> Markup:
    """Return the names of players, each with a link to the page with their number, if they have one.

    ``root`` is the path of the top of the archive from the page that shows them. The places in ``won`` are bold, and
    each of ``icons`` stands before its name.
    """
    names = [_link(name, number, root) for name, number in players]
    names = [Markup("<b>{}</b>").format(name) if place in won else name for place, name in enumerate(names)]
    return Markup(listed(map("".join, zip(icons, names, strict=True)) if icons else names))  # each of them is escaped


def _link(name: str, number: int | None, root: str) -> Markup:
    """Return the name of a player with a link."""
    if number is None:
        return escape(name)
    return Markup('<a href="{}{}">{}</a>').format(root, player_page(number), name)


def write_part(part: Part, running: Sequence[Row], finished: Sequence[Row], directory: Path, head: str = "") -> bool:
    """Write a page that lists matches; return whether it is new. Raises OSError.

    ``head`` is HTML for the head of the page.
    """
    text = template("list.html").render(
        head=head,
        part=part,
        root="../" * part.path.count("/"),
        running=running,
        finished=finished,
        scripts=deadline_scripts(*(row.status for row in running)),
    )
    return write_if_changed(directory / part.path, without_addresses(text).encode())
