"""The sitemap: every page once, in parts that stay as they are."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

from pbem.archive.publicity import Publicity
from pbem.archive.sitemap import PART, Sitemap
from pbem.mail.archive_paths import CONTESTS_PAGE, INDEX, contest_page, match_page, rules_page, sitemap_page
from pbem.mail.compose import Site
from pbem.match.match import Match
from rules.games import GAMES
from tests.support.club import ADDRESS, SECRET
from tests.support.matches import OPENED, pipline
from tests.support.telling import tell

URL = "https://games.example/a&b"
SCHEMA = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def numbered(*numbers: int) -> list[Match]:
    """Return matches with these numbers."""
    return [replace(pipline(), id=number) for number in numbers]


def read(directory: Path, part: int | None = None) -> dict[str, str]:
    """Return the addresses of a part, or of the index, each with its day."""
    root = ElementTree.fromstring((directory / sitemap_page(part)).read_bytes())
    assert root.tag == SCHEMA + ("sitemapindex" if part is None else "urlset")
    found = {}
    for one in root:
        assert one.tag == SCHEMA + ("sitemap" if part is None else "url")
        address = one.findtext(f"{SCHEMA}loc") or ""
        assert address not in found
        found[address] = one.findtext(f"{SCHEMA}lastmod") or ""
    return found


def test_the_sitemap_leads_to_every_page(tmp_path: Path) -> None:
    """Its index to parts, these to the first page, to games and matches, with the days of their last changes."""
    sitemap = Sitemap(URL)
    for one in numbered(1, PART, PART + 1):
        sitemap.note(one)
    assert sitemap.write(tmp_path) == 4
    day = f"{OPENED:%Y-%m-%d}"
    parts = {f"{URL}/{sitemap_page(part)}": day if part else "" for part in range(3)}
    assert read(tmp_path) == parts
    assert set(read(tmp_path, 0)) == {f"{URL}/{page}" for page in (INDEX, *map(rules_page, GAMES))}
    assert read(tmp_path, 1) == {f"{URL}/{match_page(number)}": day for number in (1, PART)}
    assert read(tmp_path, 2) == {f"{URL}/{match_page(PART + 1)}": day}


def test_only_parts_that_changed_are_written(tmp_path: Path) -> None:
    """A second move of the same day changes nothing; one of the next day its part, and the index."""
    sitemap = Sitemap(URL)
    first, last = numbered(1, PART + 1)
    sitemap.note(first)
    sitemap.note(last)
    sitemap.write(tmp_path)
    sitemap.note(replace(first, opened_at=OPENED + timedelta(hours=1)))
    assert sitemap.write(tmp_path) == 0
    before = (tmp_path / sitemap_page(2)).stat().st_ino
    sitemap.note(replace(first, opened_at=OPENED + timedelta(days=1)))
    assert sitemap.write(tmp_path) == 2
    assert (tmp_path / sitemap_page(2)).stat().st_ino == before


def test_ladders_and_leagues_are_in_the_part_of_no_match(tmp_path: Path) -> None:
    """That part is written again only where there is another one of them."""
    sitemap = Sitemap(URL)
    sitemap.note_contests([contest_page(1), CONTESTS_PAGE])
    sitemap.write(tmp_path)
    assert {f"{URL}/{page}" for page in (CONTESTS_PAGE, contest_page(1))} <= set(read(tmp_path, 0))
    sitemap.note_contests([CONTESTS_PAGE, contest_page(1)])
    assert sitemap.write(tmp_path) == 0
    sitemap.note_contests([CONTESTS_PAGE, contest_page(1), contest_page(1, 1)])
    assert sitemap.write(tmp_path) == 1
    assert f"{URL}/{contest_page(1, 1)}" in read(tmp_path, 0)


def test_without_an_address_there_is_no_sitemap(tmp_path: Path) -> None:
    """It has addresses only; an old one goes."""
    for url in (URL, ""):
        publicity = Publicity(Site(ADDRESS, SECRET, archive_url=url))
        tell(publicity, tmp_path, pipline())
        assert bool(list(tmp_path.glob("sitemap*"))) == bool(url)
