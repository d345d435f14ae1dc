"""The paths of archive pages, which emails, pages and feeds link to."""

import base64
import hmac
from dataclasses import dataclass, field
from typing import Literal

INDEX = "index.html"
"""The path within the archive of its first page."""


def index_page(page: int) -> str:
    """Return the path within the archive of a numbered page of its index, from 1; 0 is the first page of all."""
    return f"index-{page}.html" if page else INDEX


def rules_page(key: str) -> str:
    """Return the path of the rules of a game within the archive."""
    return f"games/{key}.html"


def report_page(key: str) -> str:
    """Return the path within the archive of a computer's report on a game, which somebody may have put there."""
    return f"games/{key}-report.html"


PRIVATE = "private"
"""The directory within the archive of all that it has of private matches; nobody may list it."""


@dataclass(frozen=True)
class Archive:
    """Where the archive is: its address, empty where it has none, and the ``secret`` that hides private matches."""

    url: str = ""
    secret: str = field(default="", repr=False)

    def address(self, page: str) -> str:
        """Return the address of the page with a path, empty where the archive has none."""
        return f"{self.url.rstrip('/')}/{page}" if self.url else ""


NO_ARCHIVE = Archive()
"""That of a service without an archive that anybody can reach."""


def match_page(number: int, kind: str = "html", *, key: str = "") -> str:
    """Return the path of the page of a match within the archive, or (``txt``) of its record, or the like.

    ``key`` is that of a private match, empty for any other.
    """
    return f"{PRIVATE}/{key}.{kind}" if key else f"matches/{number}.{kind}"


def match_key(number: int, secret: str) -> str:
    """Return what stands for the number of a private match in its paths.

    26 letters of base32, 128 bits of HMAC-SHA-256. Raise ValueError for an empty ``secret``.
    """
    if not secret:
        raise ValueError("without a secret anybody could make the key")
    digest = hmac.digest(secret.encode(), f"pbem match 1:{number}".encode(), "sha256")
    return base64.b32encode(digest[:16]).decode().rstrip("=").lower()


ABOUT_PAGE = "about.html"
"""The path within the archive of the page about the host, and about what is kept of people."""

KEY_PAGE = "key.html"
"""The path within the archive of the page with the key that signs records."""

SEARCH_PAGE = "search.html"
"""The path within the archive of the page on which one finds matches."""


CONTESTS_PAGE = "contests.html"
"""The path within the archive of the list of all ladders and leagues."""


def contest_page(number: int, season: int | None = None) -> str:
    """Return the path within the archive of the page of a ladder or a league, or of one of its seasons."""
    return f"contests/{number}.html" if season is None else f"contests/{number}-{season}.html"


MATCH_LIST, PLAYER_LIST, OFFER_LIST = "matches/index.jsonl", "players.json", "offers.json"
CONTEST_LIST = "contests.json"
"""The paths within the archive of the lists for programs."""


def search_part(kind: Literal["matches", "names"], part: int) -> str:
    """Return the path of a part of what the search looks through, counted from 1."""
    return f"search/{kind}-{part}.js"


def embed_page(number: int) -> str:
    """Return the path within the archive of the page of a match that stands in frames of other sites."""
    return f"matches/{number}-embed.html"


def player_page(number: int, part: int | str | None = None) -> str:
    """Return the path of the page of a player within the archive, or of a ``part`` of the list of all their matches."""
    return f"players/{number}.html" if part is None else f"players/{number}-{part}.html"


def news_page(page: str) -> str:
    """Return the path within the archive of the news feed that belongs to a page: it lies beside it."""
    return f"{page.removesuffix('.html')}.atom"


def sitemap_page(part: int | None = None) -> str:
    """Return the path within the archive of a part of the sitemap, or of the index of its parts."""
    return "sitemap.xml" if part is None else f"sitemap-{part}.xml"


def feed_page(key: str) -> str:
    """Return the path within the archive of the calendar feed with this key."""
    return f"calendar/{key}.ics"
