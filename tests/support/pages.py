"""Pages of the archive, as a browser reads them."""

from html.parser import HTMLParser
from pathlib import Path

from pbem.archive.pages import (
    write_match,
)
from pbem.match.match import Match
from tests.support.club import SECRET
from tests.support.matches import NOW

HOSTILE_NAMES = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><b>",
    "{{ 7 * 7 }} {% raw %}",
    "Robert'); DROP TABLE match;--",
    "javascript:alert(1)",
    "ann@a.example",
    "</script><!-- \u2028 \\u003c",
)
"""Names that are more than names where a page forgets that everything a player wrote is text."""


class Page(HTMLParser):
    """Collects the links and the text of a page, and checks that what is opened is closed."""

    VOID = frozenset({"meta", "br", "link", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, token: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and where it points."""
        self.links += [value or "" for key, value in attrs if key in ("href", "src", "action", "srcset", "data")]
        if token not in self.VOID:
            self.open.append(token)

    def handle_startendtag(self, token: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an empty element, as SVG has them."""

    def handle_endtag(self, token: str) -> None:
        """Close the element opened last."""
        assert self.open.pop() == token

    def handle_data(self, data: str) -> None:
        """Collect words outside of style sheets."""
        if self.open[-1:] != ["style"]:
            self.words += data.split()

    @property
    def text(self) -> str:
        """What there is to read."""
        return " ".join(self.words)


def page_of(one: Match, directory: Path) -> str:
    """Return the page written for a match."""
    write_match(one, directory, SECRET, NOW)
    return (directory / "matches" / "17.html").read_text("utf-8")
