"""The index of the archive: its first page lists the newest matches, and numbered pages the others.

Which page lists a match follows from the number of the match, so that a page whose matches are over stays as it is.
"""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from pbem.archive.pages import deadline_script, template, without_addresses, write_if_changed
from pbem.archive.standing import shown_status
from pbem.match import MatchSummary
from pbem.paths import rules_page
from rules import GAMES

PAGE = 200
"""Matches on a page of the index."""


def page_of(match: int) -> int:
    """Return the number, from 1, of the page that lists the match with this number."""
    return (match - 1) // PAGE + 1


def last_page(newest: int) -> int:
    """Return the number of the last numbered page, 0 where there is none: the first page shows the newest matches."""
    return max(0, page_of(newest) - 1)


def write_index(
    page: int, last: int, matches: Iterable[MatchSummary], directory: Path, key: str, now: datetime, head: str = ""
) -> bool:
    """Write one page of the index, its newest match on top; return whether it is new. Raises OSError.

    ``page`` 0 is the first page, which shows the public ``key`` of the host; ``last`` is the last of the numbered ones.
    ``head`` is HTML for the head of the page.
    """
    newest_first = sorted(matches, key=lambda match: (match.opened_at, match.id), reverse=True)
    running = [(match, shown_status(match, now)) for match in newest_first if not match.is_over]
    text = template("index.html").render(
        page=page,
        head=head,
        first_match=(page - 1) * PAGE + 1,
        last_match=page * PAGE,
        newer=_path(page + 1 if page < last else 0) if page else "",
        older=_path(page - 1 if page else last) if page != 1 and last else "",
        running=running,
        finished=[(match, shown_status(match, now)) for match in newest_first if match.is_over],
        script=deadline_script(*(status for _, status in running)),
        key="" if page else key,
        games=[(game.title, rules_page(key)) for key, game in GAMES.items()],
    )
    return write_if_changed(directory / _path(page), without_addresses(text).encode())


def _path(page: int) -> str:
    """Return the path of a page of the index within the archive."""
    return f"index-{page}.html" if page else "index.html"
