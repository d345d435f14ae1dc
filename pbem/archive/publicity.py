"""What tells others of the archive: feeds, a sitemap, previews, frames, and in the head of a page where they are."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from pbem.archive.cards import SIZE, draw_card, tell_story
from pbem.archive.made_of import Made
from pbem.archive.news import News, NewsDesk, base_url
from pbem.archive.pages import Provider, template, write_if_changed
from pbem.archive.previews import Previews, can_draw
from pbem.archive.sitemap import Sitemap
from pbem.archive.standing import clean, status, title_of
from pbem.boards.svg import svg_board
from pbem.mail.archive_paths import match_page, news_page
from pbem.mail.compose import Site
from pbem.match.match import Match
from pbem.match.summary import summarise
from pbem.notices.sentences.boards import picture_words

_ADDRESSED = ("*.atom", "*/*.atom", "sitemap*.xml", "matches/*.oembed.json", "matches/*-embed.html")
"""Files with addresses in them, or for other sites alone, which go when the archive has no address any more."""


class Publicity:
    """Writes what stands beside pages for feed readers and other sites; only with an address of the archive.

    ``draws`` says whether it may draw pictures, where it can.
    """

    def __init__(self, site: Site, *, draws: bool = True) -> None:
        self._base, self._secret, self._title = base_url(site), site.secret, site.title
        self.provider = Provider(self._title, self._base) if self._base else None
        """The archive, if its address is known."""
        self._desk = NewsDesk(site)
        self._sitemap = Sitemap(self._base)
        self._previews = Previews(can_draw=bool(self._base) and draws and can_draw())
        self._is_clean = False  # whether all that needs an address is gone, where there is none

    @property
    def lists(self) -> set[str]:
        """The paths of the feeds and parts of the sitemap that there are now, but the feeds of single matches."""
        return self._desk.feeds | self._sitemap.parts if self._base else set()

    def head(self, page: str, *, has_news: bool = False) -> Markup:
        """Return what the head of a page says of itself to programs: HTML, with paths beside it, or addresses.

        ``has_news``: it has a feed that ``write_news`` writes.
        """
        return self._fill(page) if has_news or self._desk.has_news(page) else Markup("")

    def write_news(self, page: str, title: str, news: Sequence[News], directory: Path) -> bool:
        """Write the feed of a page that all of its ``news`` are on; return whether it is new. Raises OSError."""
        return bool(self._base) and self._desk.write_alone(page, title, news, directory)

    def match_head(self, match: Match, now: datetime) -> Markup:
        """Return what the head of the page of a match says of it to programs (Open Graph, https://ogp.me)."""
        page = match.page(self._secret)
        if match.private:  # others may read it who follow a link, and are shown nothing of it before
            return self._fill(page)
        has_image = self._previews.can_draw
        return self._fill(
            page,
            title=title_of(match),
            description=f"{status(summarise(match), now)}.",
            # Who keeps pictures by their addresses asks for a new one after a move.
            image=f"{self._base}/{match_page(match.id, 'png')}?{match.ply}" if has_image else "",
            alt=f"{clean(tell_story(match))}. {picture_words(match.position.view()).description}" if has_image else "",
            oembed=Path(match_page(match.id, "oembed.json")).name if self._base else "",
        )

    @property
    def is_short(self) -> bool:
        """Whether a feed needs news that are forgotten."""
        return self._desk.is_short

    @property
    def draws(self) -> bool:
        """Whether there are pictures for previews."""
        return self._previews.can_draw

    def note(self, match: Match, now: datetime) -> None:
        """Remember of a match what others are told of several."""
        if self._base:
            self._sitemap.note(match)
            self._desk.note(match, now)

    def note_contests(self, pages: Iterable[str]) -> None:
        """Remember which pages there are about ladders and leagues."""
        self._sitemap.note_contests(pages)

    def write_match(self, match: Match, directory: Path, now: datetime) -> int:
        """Write what stands beside the page of a match; return how many files are new. Raises OSError."""
        if not self._base:
            return 0
        if match.private:  # pictures are for others
            return self._desk.write_match(match, now, directory)
        view = match.position.view()
        words = picture_words(view)
        picture = write_if_changed(
            directory / match_page(match.id, "svg"), draw_card(match, svg_board(view, words)).encode()
        )
        if picture:
            self._previews.note(match.id)
        return picture + self._desk.write_match(match, now, directory)

    def look(self, match: int, directory: Path) -> None:
        """Have the picture of a match drawn that is older than its board, or not there."""
        self._previews.look(match, directory)

    @property
    def lists_waiting(self) -> int:
        """The number of feeds that wait to be written."""
        return self._desk.waiting

    @property
    def pictures_waiting(self) -> int:
        """The number of pictures that wait to be drawn."""
        return self._previews.waiting

    def write(self, directory: Path, hidden: Iterable[int] = (), made: Made | None = None) -> Iterator[int]:
        """Write what tells of many matches, as far as it has changed; yield how many files changed, step by step.

        The ``hidden`` players want no page. What was ``made`` of the same before is not made again. Raises OSError.
        """
        if self._base:
            yield from self._desk.write(directory, hidden, made)
            if changed := self._sitemap.write(directory):
                yield changed
        elif not self._is_clean:
            changed = _remove_addressed(directory)
            self._is_clean = True
            yield changed

    def draw(self, directory: Path) -> Iterator[bool]:
        """Draw the boards that have changed; yield of each picture whether it is new. Raises OSError."""
        yield from self._previews.write(directory)

    def _fill(self, page: str, **told: str) -> Markup:
        """Return the lines in the head of a page."""
        known = {"title": "", "description": "", "image": "", "alt": "", "oembed": ""} | told
        news = Path(news_page(page)).name if self._base else ""
        url = f"{self._base}/{page}" if self._base else ""
        return Markup(template("_head.html").render(url=url, news=news, size=SIZE, site=self._title, **known))


def _remove_addressed(directory: Path) -> int:
    """Remove all files with addresses in them; return how many."""
    found = [path for pattern in _ADDRESSED for path in directory.glob(pattern)]
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)
