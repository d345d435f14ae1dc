"""Pages of the archive, as a browser reads them."""

from html.parser import HTMLParser
from pathlib import Path

from pbem.archive.match.page import write_match
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
    """Collects links, the files that the page is shown with, places within it and elsewhere, its title, and text.

    It checks that what is opened is closed, that whatever the page points to within itself is there, and that no two
    places have the same name.
    """

    VOID = frozenset({"meta", "br", "link", "input", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.files: list[str] = []
        self.words: list[str] = []
        self.places: list[str] = []
        self.pointed: set[str] = set()
        self.elsewhere: list[tuple[str, str]] = []
        self.title = ""
        self.feed(text)
        self.close()
        assert self.open == []
        assert len(self.places) == len(set(self.places))
        assert self.pointed <= set(self.places)

    def handle_starttag(self, token: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and where it points."""
        if token in ("td", "tr"):
            self.close_cell()
        self.handle_startendtag(token, attrs)
        if token not in self.VOID:
            self.open.append(token)

    def handle_startendtag(self, token: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an empty element, as SVG has them."""
        for key, value in attrs:
            if key in ("href", "src", "action", "srcset", "data"):
                file, _, place = (value or "").partition("#")
                found = self.files if token in ("link", "script") else self.links
                found += [file.partition("?")[0]] if file or not place else []
                self.pointed |= {place} if place and not file else set()
                self.elsewhere += [(file, place)] if file and place else []
            if key == "id":
                self.places.append(value or "")

    def handle_endtag(self, token: str) -> None:
        """Close the element opened last, and before a row its last cell: HTML lets cells do without end tags."""
        if token == "tr":
            self.close_cell()
        assert self.open.pop() == token

    def close_cell(self) -> None:
        """Close a cell, if it was opened last."""
        if self.open[-1:] == ["td"]:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        """Collect words outside of style sheets and scripts."""
        if self.open[-1:] == ["title"] and "svg" not in self.open:
            self.title += data
        if self.open[-1:] not in (["style"], ["script"]):
            self.words += data.split()

    @property
    def text(self) -> str:
        """What there is to read."""
        return " ".join(self.words)


def page_of(one: Match, directory: Path) -> str:
    """Return the page written for a match."""
    write_match(one, directory, SECRET, NOW)
    return (directory / "matches" / "17.html").read_text("utf-8")
