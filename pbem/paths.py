"""The paths of templates and of archive pages, the same in a checkout and in an installed wheel."""

from pathlib import Path
from typing import Literal

TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
"""The templates of emails and of the archive, beside the package."""

PROGRAM = tuple(TEMPLATES.with_name(name) for name in ("pbem", "rules", "templates"))
"""The directories of what decides how a page looks."""


INDEX = "index.html"
"""The path within the archive of its first page."""


def rules_page(key: str) -> str:
    """Return the path of the rules of a game within the archive."""
    return f"games/{key}.html"


def match_page(number: int, kind: str = "html") -> str:
    """Return the path of the page of a match within the archive, or (``txt``) of its record, or the like."""
    return f"matches/{number}.{kind}"


SEARCH_PAGE = "search.html"
"""The path within the archive of the page on which one finds matches."""


def search_part(kind: Literal["matches", "names"], part: int) -> str:
    """Return the path of a part of what the search looks through, counted from 1."""
    return f"search/{kind}-{part}.js"


def embed_page(number: int) -> str:
    """Return the path within the archive of the page of a match that stands in frames of other sites."""
    return f"matches/{number}-embed.html"


def player_page(number: int) -> str:
    """Return the path of the page of a player within the archive."""
    return f"players/{number}.html"


def news_page(page: str) -> str:
    """Return the path within the archive of the news feed that belongs to a page: it lies beside it."""
    return f"{page.removesuffix('.html')}.atom"


def sitemap_page(part: int | None = None) -> str:
    """Return the path within the archive of a part of the sitemap, or of the index of its parts."""
    return "sitemap.xml" if part is None else f"sitemap-{part}.xml"


def feed_page(key: str) -> str:
    """Return the path within the archive of the calendar feed with this key."""
    return f"calendar/{key}.ics"
