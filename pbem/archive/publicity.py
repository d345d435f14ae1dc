"""What tells others of the archive: news feeds, a sitemap, and in the head of a page what it is and where they are."""

from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from pbem.archive.news import NewsDesk, base_url
from pbem.archive.pages import template
from pbem.archive.sitemap import Sitemap
from pbem.mail import Site
from pbem.match import Match
from pbem.paths import match_page, news_page

_ADDRESSED = ("*.atom", "*/*.atom", "sitemap*.xml")
"""Files with addresses in them, which go when the archive has none any more."""


class Publicity:
    """Writes what stands beside pages for feed readers and other sites; only with an address of the archive."""

    def __init__(self, site: Site) -> None:
        self._base = base_url(site)
        self._desk = NewsDesk(site)
        self._sitemap = Sitemap(self._base)
        self._is_clean = False  # whether all that needs an address is gone, where there is none

    def head(self, page: str) -> Markup:
        """Return what the head of a page says of itself to programs."""
        return self._fill(page)

    def match_head(self, match: Match) -> Markup:
        """Return what the head of the page of a match says of it to programs."""
        return self._fill(match_page(match.id))

    def note(self, match: Match, directory: Path, now: datetime) -> int:
        """Write what stands beside the page of a match; return how many files are new. Raises OSError."""
        if not self._base:
            return 0
        self._sitemap.note(match)
        return self._desk.note(match, now, directory)

    def write(self, directory: Path) -> int:
        """Write what tells of many matches, as far as it has changed; return how many files changed. Raises OSError."""
        if self._base:
            return self._desk.write(directory) + self._sitemap.write(directory)
        if self._is_clean:
            return 0
        self._is_clean = True
        return _remove_addressed(directory)

    def _fill(self, page: str) -> Markup:
        """Return the lines in the head of a page; in them are paths beside it, or addresses."""
        news = Path(news_page(page)).name if self._base else ""
        return Markup(template("_head.html").render(news=news))


def _remove_addressed(directory: Path) -> int:
    """Remove all files with addresses in them; return how many."""
    found = [path for pattern in _ADDRESSED for path in directory.glob(pattern)]
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)
