"""The sitemap (sitemaps.org): the addresses of all pages worth finding, for search engines; an index of parts.

Which part has a match follows from its number, and it says of a match on which day it last changed: so a match changes
its part once a day at most, and a part whose matches are over stays as it is.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date
from pathlib import Path

from pbem.archive.pages import template, write_if_changed
from pbem.mail.archive_paths import INDEX, match_page, rules_page, sitemap_page
from pbem.match.match import Match
from rules.games import GAMES

PART = 500
"""Matches in a part: so many lines are written anew when one of them has changed on another day than before."""


class Sitemap:
    """Writes the sitemap under the address ``base``, and remembers when each match last changed.

    Its memory is filled by a pass that reads every match, and kept for the next process.
    """

    def __init__(self, base: str) -> None:
        self._base = base
        self._days: dict[int, dict[int, date]] = defaultdict(dict)  # by part, by match
        self._changed = {0}
        self._contests: tuple[str, ...] = ()

    @property
    def parts(self) -> set[str]:
        """The paths of its parts."""
        return {sitemap_page(part) for part in (0, *(part for part, days in self._days.items() if days))}

    def note(self, match: Match) -> None:
        """Remember when a match has changed."""
        part, day = (match.id - 1) // PART + 1, match.changed_at.astimezone(UTC).date()
        if self._days[part].get(match.id) != day:
            self._days[part][match.id] = day
            self._changed.add(part)

    def note_contests(self, pages: Iterable[str]) -> None:
        """Remember which pages there are about ladders and leagues."""
        found = tuple(sorted(pages))
        if found != self._contests:
            self._contests = found
            self._changed.add(0)

    def write(self, directory: Path) -> int:
        """Write the parts that have changed, and their index; return how many files are new. Raises OSError."""
        if not self._changed:
            return 0
        written = sum(self._write(sitemap_page(part), self._pages(part), directory) for part in sorted(self._changed))
        days = [(sitemap_page(part), max(days.values())) for part, days in sorted(self._days.items())]
        parts = [(sitemap_page(0), None), *days]
        written += self._write(sitemap_page(), parts, directory, is_index=True)
        self._changed.clear()
        return written

    def _pages(self, part: int) -> list[tuple[str, date | None]]:
        """Return the paths of the pages of a part, and when each last changed; part 0 has those of no match."""
        if not part:
            return [(page, None) for page in (INDEX, *map(rules_page, GAMES), *self._contests)]
        return [(match_page(number), day) for number, day in sorted(self._days[part].items())]

    def _write(
        self, path: str, pages: Iterable[tuple[str, date | None]], directory: Path, *, is_index: bool = False
    ) -> bool:
        """Write a part, or the index of parts; return whether it is new."""
        text = template("sitemap.xml").render(base=self._base, pages=pages, is_index=is_index)
        return write_if_changed(directory / path, text.encode())
