"""The list of all ladders and leagues, and where the pages of games lead."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from pbem.archive.contests.ladders import LadderView
from pbem.archive.contests.leagues import LeagueView
from pbem.archive.pages import template, without_addresses, write_if_changed
from pbem.clubs.contest import Contest, ContestMatch
from pbem.mail.archive_paths import CONTESTS_PAGE, contest_page
from pbem.notices.ladders import title_of
from pbem.notices.sentences.contests.leagues import title_named
from rules.phrase import phrase

ContestView: TypeAlias = LadderView | LeagueView


def write_contests(views: Iterable[ContestView], directory: Path, head: str) -> int:
    """Write the list of all ladders and leagues; return how many files are new. Raises OSError."""
    rows = [(view, contest_page(view.number)) for view in sorted(views, key=lambda view: (view.title, view.number))]
    ladders = [(view, page) for view, page in rows if isinstance(view, LadderView)]
    leagues = [(view, page) for view, page in rows if isinstance(view, LeagueView)]
    text = template("contests.html").render(head=head, ladders=ladders, leagues=leagues)
    return write_if_changed(directory / CONTESTS_PAGE, without_addresses(text).encode())


def link_season(contest: Contest, place: ContestMatch) -> tuple[str, str]:
    """Return what the page of a match calls the ladder, or the season, that it is of, and where that is."""
    if contest.kind == "ladder":
        return str(phrase("{title} ladder", title=title_of(contest))), f"../{contest_page(contest.id)}"
    title = title_named(contest.name, contest.game)
    told = phrase("{title} league, season {number}", title=title, number=place.season)
    return str(told), f"../{contest_page(contest.id, place.season)}"


def link_contest(view: ContestView) -> tuple[str, str]:
    """Return what a page beside those of contests calls one, and where it is."""
    title = phrase("{title} ladder" if isinstance(view, LadderView) else "{title} league", title=view.title)
    return str(title), f"../{contest_page(view.number)}"
