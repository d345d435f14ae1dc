"""News feeds (Atom, RFC 4287): what happened in all matches, in one, to a player, in a game, for any feed reader.

A feed stands beside the page whose news it tells. Its links have to be addresses, since whoever reads a feed is not
where the file is: without the address of the archive there is none. Identities are UUIDs of the host's key, so that a
host that moves is the same one to its readers, and nothing is told twice.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from uuid import UUID, uuid5

from pbem.archive.made_of import Made
from pbem.archive.match.rows import describe_entry
from pbem.archive.pages import template, write_if_changed
from pbem.archive.standing import clean, status, title_of
from pbem.mail.archive_paths import INDEX, match_page, news_page, player_page, rules_page
from pbem.mail.compose import Site
from pbem.mail.headers import domain_of
from pbem.match.match import Match, is_move, left_along
from pbem.match.signature import public_key
from pbem.match.summary import summarise
from pbem.notices.sentences.feed import name_feed
from rules.phrase import phrase
from rules.text import listed

MOST_NEWS = 30
"""Entries of a feed, the newest; readers keep what they have read, and fetch a feed again and again."""

_NAMESPACE = UUID("8b0d6a3e-6a2c-4c61-9d0b-2f6f7c1c54d1")
"""Tells identities of this program from all others; chosen at random, never to be changed."""

_LAST = 1_000_000  # the place of the end of a match after all entries


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened in a match at a time (UTC); ``place`` is its place among those of the same moment.

    ``key`` tells it from all others; ``title``, ``author`` and ``summary`` are text of one line, the author may be
    empty. ``match`` is the number of the match whose page tells more.
    """

    key: str
    match: int
    place: int
    at: datetime
    title: str
    summary: str
    author: str = ""


class NewsDesk:
    """Writes the news feeds, and remembers the newest news of each feed but those of single matches.

    Their memory is filled by a pass that reads every match, and kept for the next process.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._base = base_url(site)
        self._news: dict[str, dict[str, News]] = defaultdict(dict)  # by the page that the feed belongs to
        self._titles: dict[str, str] = {}
        self._pages: dict[int, set[str]] = {}  # on which a match is news
        self._changed: set[str] = set()
        self._hidden: set[str] = set()
        self._cut: set[str] = set()  # pages with more news than are remembered
        self.is_short = False
        """Whether news of a match are none any more, and what came before them in a feed is forgotten."""

    @property
    def feeds(self) -> set[str]:
        """The paths of the feeds with any news, but those of single matches."""
        return {news_page(page) for page, news in self._news.items() if news and page not in self._hidden}

    @property
    def waiting(self) -> int:
        """The number of feeds that wait to be written."""
        return len(self._changed)

    def note(self, match: Match, now: datetime) -> None:
        """Remember the news of a match for the feeds of others."""
        told = tell_course(match, now)
        titles = {
            INDEX: clean(self._site.title),
            rules_page(match.game.key): clean(match.game.title),
            **{player_page(player.id): clean(name_feed(player.name, self._site.language)) for player in match.players},
        }
        for page in self._pages.get(match.id, set()) - titles.keys():  # somebody else has the seat now
            self._replace(page, match.id, [])
        self._pages[match.id] = set(titles)
        for page, name in titles.items():
            if self._titles.get(page) != name:
                self._titles[page] = name
                self._changed.add(page)
            self._replace(page, match.id, told)

    def write_match(self, match: Match, now: datetime, directory: Path) -> bool:
        """Write the feed of a match; return whether it is new. Raises OSError."""
        news = (*tell_course(match, now), *_tell_moves(match))
        page = match.page(self._site.secret)
        return self._write(page, title_of(match), news, directory, alone=match.private)

    def write_alone(self, page: str, title: str, news: Iterable[News], directory: Path) -> bool:
        """Write the feed of a page that all of its news are on; return whether it is new. Raises OSError."""
        return self._write(page, title, news, directory, alone=True)

    def write(self, directory: Path, hidden: Iterable[int] = (), made: Made | None = None) -> Iterator[int]:
        """Write the feeds that have changed, of pages that there are; yield of each whether it is new. Raises OSError.

        The ``hidden`` players want no page, and so have no feed. What was ``made`` of the same news is not made again.
        """
        unwanted = {player_page(player) for player in hidden}
        self._changed |= unwanted ^ self._hidden
        self._hidden = unwanted
        for page in sorted(self._changed):
            if page == INDEX or (directory / page).is_file():
                news = () if page in unwanted else _newest(self._news[page].values())
                write = partial(self._write, page, self._titles.get(page, ""), news, directory)
                yield made.make(news_page(page), repr((self._titles.get(page), news)), write) if made else write()
            self._changed.discard(page)

    def has_news(self, page: str) -> bool:
        """Return whether a page has a feed: there is none where nothing has happened yet."""
        return bool(self._news.get(page))

    def _replace(self, page: str, match: int, told: Iterable[News]) -> None:
        """Remember the news of a match for the feed of a page, and of all news the newest."""
        before = self._news[page]
        after = {key: news for key, news in before.items() if news.match != match} | {news.key: news for news in told}
        if len(after) > MOST_NEWS:
            self._cut.add(page)
            after = {news.key: news for news in _newest(after.values())}
        elif len(after) < MOST_NEWS and page in self._cut:
            self.is_short = True
        if after != before:
            self._news[page] = after
            self._changed.add(page)

    def _write(self, page: str, title: str, news: Iterable[News], directory: Path, *, alone: bool = False) -> bool:
        """Write the feed of a page, which all of its news are on if it stands ``alone``; return whether it is new."""
        newest = _newest(news)
        if not newest:  # a feed has a time, and nothing has happened
            return _remove(directory / news_page(page))
        text = template("news.xml").render(
            id=self._identify(page),
            title=title,
            updated=_moment(max(one.at for one in newest)),
            author=clean(domain_of(self._site.address)),
            own=f"{self._base}/{news_page(page)}",
            page=f"{self._base}/{page}",
            items=[
                {
                    "id": self._identify(one.key),
                    "title": one.title,
                    "summary": one.summary,
                    "author": one.author,
                    "updated": _moment(one.at),
                    "page": f"{self._base}/{page if alone else match_page(one.match)}",
                }
                for one in newest
            ],
        )
        return write_if_changed(directory / news_page(page), text.encode())

    @cached_property
    def _host(self) -> UUID:
        """The identity of the host, made of its key, and so with a library that taking in email does without."""
        return uuid5(_NAMESPACE, public_key(self._site.secret))

    def _identify(self, what: str) -> str:
        """Return the identity of a feed or of news (RFC 4122)."""
        return uuid5(self._host, what).urn


def base_url(site: Site) -> str:
    """Return the address of the archive without its last slash; empty where none is set.

    An @ in it is written so that nobody takes it for that of an email address.
    """
    return site.archive_url.rstrip("/").replace("@", "%40")


def _remove(path: Path) -> bool:
    """Remove a file; return whether there was one."""
    with suppress(FileNotFoundError):
        path.unlink()
        return True
    return False


def _newest(news: Iterable[News]) -> list[News]:
    """Return the newest news, the last on top."""
    return sorted(news, key=lambda one: (one.at, one.match, one.place), reverse=True)[:MOST_NEWS]


def tell_course(match: Match, now: datetime) -> list[News]:
    """Return that a match has begun, and if it is over, how it ended."""
    names = listed([player.name for player in match.players])
    title = f"{match.game.title} {match.id}"
    begun = phrase("{match} begins: {names}", match=title, names=names)
    told = [News(f"{match.id}/begun", match.id, -1, match.opened_at, clean(begun), clean(names))]
    if match.outcome:
        over = phrase("{match} is over: {names}", match=title, names=names)
        how = status(summarise(match), now)
        told.append(News(f"{match.id}/over", match.id, _LAST, match.changed_at, clean(over), clean(how)))
    return told


def _tell_moves(match: Match) -> Iterator[News]:
    """Yield the last moves of a match, and who left, the newest first."""
    number = match.moves_made
    told = 0
    for ply in reversed(range(match.ply)):
        if match.record[ply].seat is None:
            continue
        yield tell_entry(match, ply, number)
        number -= is_move(match.record[ply])
        if (told := told + 1) == MOST_NEWS:
            return


def tell_entry(match: Match, ply: int, number: int) -> News:
    """Return what a player did after ``ply`` entries: move so and so, or how they left."""
    entry = match.record[ply]
    assert entry.seat is not None
    name, move = match.name_at(entry.seat, ply), describe_entry(entry, along=left_along(match, ply))
    said = phrase("{name}: {move}", name=name, move=move)
    if is_move(entry):
        said = phrase("Move {number} – {name}: {move}", number=number, name=name, move=move)
    title = f"{match.game.title} {match.id}"
    return News(f"{match.id}/{ply}", match.id, ply, match.times[ply], clean(said), clean(title), clean(name))


def _moment(at: datetime) -> str:
    """Return a time in UTC (RFC 3339)."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
