"""News feeds, read back as XML, and what Atom (RFC 4287) asks of them."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from urllib.parse import urlsplit
from uuid import UUID
from xml.etree import ElementTree

import pytest

from pbem.archive.lists.index import write_front
from pbem.archive.lists.rules_pages import write_rules
from pbem.archive.news import MOST_NEWS
from pbem.archive.pages import write_if_changed
from pbem.archive.publicity import Publicity
from pbem.log.redaction import OBEYED
from pbem.mail.archive_paths import INDEX, match_page, news_page, player_page, rules_page
from pbem.mail.compose import Site
from pbem.match.endings import Ruling
from pbem.match.holders import Passed
from pbem.match.match import Match
from pbem.match.player import Player
from rules.games import GAMES
from rules.position import Entry
from tests.support.club import ADDRESS, KEY, SECRET
from tests.support.matches import AUCTION, NOW, OPENED, pipline, zipline
from tests.support.telling import tell

URL = "https://games.example/archive"
SITE = Site(ADDRESS, SECRET, archive_url=f"{URL}/")
ATOM = "{http://www.w3.org/2005/Atom}"
LEFT = Entry(0, "resign")
HOSTILE = (
    "</title><script>alert(1)</script>",
    "]]>&amp;<![CDATA[",
    "\x00\x08\x1b[2J\ufffe\uffff\ud800Lee",
    "\u202eeeL\u2066 nnA",
    "ann@a.example",
    "x" * 500,
)


def publish(*matches: Match, directory: Path, site: Site = SITE) -> Publicity:
    """Write what tells of these matches, as a first pass does."""
    publicity = Publicity(site)
    write_rules(directory, head=publicity.head)
    tell(publicity, directory, *matches)
    return publicity


def feed_of(page: str, directory: Path) -> ElementTree.Element:
    """Return the feed that belongs to a page, its form checked."""
    feed = ElementTree.fromstring((directory / news_page(page)).read_bytes())
    check_form(feed)
    return feed


def check_form(feed: ElementTree.Element) -> None:
    """Assert what RFC 4287 asks: 4.1.1 of the feed, 4.1.2 of each entry, 4.2.6 of identities, 3.3 of dates."""
    assert feed.tag == f"{ATOM}feed"
    assert all(part.tag.startswith(ATOM) for part in feed.iter())
    entries = feed.findall(f"{ATOM}entry")
    for part in (feed, *entries):
        for name in ("id", "title", "updated"):
            assert len(part.findall(f"{ATOM}{name}")) == 1
        assert len(part.findall(f"{ATOM}link[@rel='alternate']")) == 1
        assert UUID(text(part, "id"))
        assert text(part, "id").startswith("urn:uuid:")
        assert datetime.fromisoformat(text(part, "updated")).utcoffset() == timedelta()
        assert text(part, "updated").endswith("Z")
        assert all(urlsplit(link.attrib["href"]).netloc for link in part.findall(f"{ATOM}link"))
    assert text(feed, "author/name")
    assert len(feed.findall(f"{ATOM}link[@rel='self']")) == 1
    assert len({text(entry, "id") for entry in entries} | {text(feed, "id")}) == len(entries) + 1
    times = [text(entry, "updated") for entry in entries]
    assert times == sorted(times, reverse=True)
    assert text(feed, "updated") == times[0]
    assert 0 < len(entries) <= MOST_NEWS


def text(part: ElementTree.Element, path: str) -> str:
    """Return the text of an element."""
    found = part.find("/".join(f"{ATOM}{name}" for name in path.split("/")))
    assert found is not None
    return found.text or ""


def titles(page: str, directory: Path) -> list[str]:
    """Return the titles of the entries of a feed."""
    return [text(entry, "title") for entry in feed_of(page, directory).findall(f"{ATOM}entry")]


def ids(page: str, directory: Path) -> list[str]:
    """Return the identities of the entries of a feed."""
    return [text(entry, "id") for entry in feed_of(page, directory).findall(f"{ATOM}entry")]


def test_the_feed_of_a_match_has_its_moves(tmp_path: Path) -> None:
    """The newest on top: the end, who left, the moves with their numbers, the beginning."""
    publish(pipline(*AUCTION, LEFT), directory=tmp_path)
    feed = feed_of(match_page(17), tmp_path)
    entries = feed.findall(f"{ATOM}entry")
    assert [text(entry, "author/name") for entry in entries[1:4]] == ["Ann", "Bob", "Ann"]
    assert "take" in text(entries[2], "title")
    assert "2" in text(entries[2], "title")
    times = [datetime.fromisoformat(text(entry, "updated")) for entry in entries]
    assert times == [OPENED + timedelta(hours=hours) for hours in (3, 3, 2, 1, 0)]
    assert feed.find(f"{ATOM}link[@rel='self']").attrib["href"] == f"{URL}/matches/17.atom"  # type: ignore[union-attr]
    assert {link.attrib["href"] for link in feed.iter(f"{ATOM}link") if link.attrib["rel"] == "alternate"} == {
        f"{URL}/matches/17.html"
    }


def test_a_feed_has_the_name_of_who_had_the_seat_then(tmp_path: Path) -> None:
    """Nobody has the moves of the player whom they replaced."""
    write_rules(tmp_path)
    passed = (Passed(1, 0, "Zoe"),)
    Publicity(SITE).write_match(replace(pipline(*AUCTION), passed=passed), tmp_path, NOW)
    said = titles(match_page(17), tmp_path)
    assert [title.split(":")[0] for title in said if title.startswith("Move")][-2:] == ["Move 2 – Bob", "Move 1 – Zoe"]


def test_other_feeds_have_beginnings_and_ends(tmp_path: Path) -> None:
    """One of all matches, one of each game; moves would drown the rest."""
    over = replace(zipline(Entry(0, "take"), LEFT), id=18)
    publish(pipline(*AUCTION), over, directory=tmp_path)
    assert len(ids(INDEX, tmp_path)) == 3
    assert len(ids(rules_page("pipline"), tmp_path)) == 1
    assert len(ids(rules_page("zipline"), tmp_path)) == 2
    assert set(ids(rules_page("zipline"), tmp_path)) < set(ids(INDEX, tmp_path))
    assert not (tmp_path / news_page(rules_page("pippip"))).exists()


def test_a_player_has_a_feed_where_they_have_a_page(tmp_path: Path) -> None:
    """A feed stands beside its page, and without that there is none."""
    page = player_page(0)
    publish(pipline(), directory=tmp_path)
    assert not (tmp_path / news_page(page)).exists()
    write_if_changed(tmp_path / page, b"a page")
    publish(pipline(), directory=tmp_path)
    assert len(ids(page, tmp_path)) == 1
    assert "Ann" in text(feed_of(page, tmp_path), "title")


def test_whose_seat_was_given_away_reads_no_news_of_the_match(tmp_path: Path) -> None:
    """Their feed goes when it has nothing to tell; the new player's begins."""
    for number in (0, 5):
        write_if_changed(tmp_path / player_page(number), b"a page")
    one = pipline()
    publicity = publish(one, directory=tmp_path)
    tell(publicity, tmp_path, replace(one, players=(Player(5, "Eve", "", frozenset()), one.players[1])))
    assert not (tmp_path / news_page(player_page(0))).exists()
    assert len(ids(player_page(5), tmp_path)) == 1


def test_identities_stay(tmp_path: Path) -> None:
    """After more moves, under another address, and in every feed: a reader shows nothing twice."""
    publish(pipline(*AUCTION), directory=tmp_path)
    before = ids(match_page(17), tmp_path)
    publish(pipline(*AUCTION, LEFT), directory=tmp_path, site=replace(SITE, archive_url="https://elsewhere.example"))
    assert ids(match_page(17), tmp_path)[-3:] == before
    publish(pipline(*AUCTION), directory=tmp_path, site=replace(SITE, secret="another host, another secret"))
    assert not set(ids(match_page(17), tmp_path)) & set(before)
    assert KEY not in (tmp_path / news_page(match_page(17))).read_text("utf-8")


def test_feeds_are_bounded(tmp_path: Path) -> None:
    """The newest thirty, in whatever order the matches came."""
    matches = [replace(pipline(), id=number, opened_at=OPENED + timedelta(hours=number)) for number in range(1, 41)]
    publish(*matches[::-1], directory=tmp_path)
    found = feed_of(INDEX, tmp_path).findall(f"{ATOM}entry/{ATOM}link")
    assert [link.attrib["href"] for link in found] == [f"{URL}/matches/{number}.html" for number in range(40, 10, -1)]
    random, long = Random(0), replace(zipline(), options=GAMES["zipline"].normalise({"size": 13}))
    while long.ply < 40:
        seat = long.to_act
        assert isinstance(seat, int)
        long = long.after(Entry(seat, str(long.position.any_move(random.randrange))), NOW)
    publish(long, directory=tmp_path)
    assert len(ids(match_page(17), tmp_path)) == MOST_NEWS
    assert str(long.moves_made) in titles(match_page(17), tmp_path)[0]


def test_a_result_that_is_taken_back_is_no_news(tmp_path: Path) -> None:
    """A ruling that is undone leaves the feeds, as it leaves the page."""
    one = pipline(*AUCTION)
    publicity = publish(replace(one, ruling=Ruling("void", at=NOW)), directory=tmp_path)
    assert len(ids(INDEX, tmp_path)) == 2
    tell(publicity, tmp_path, one)
    assert len(ids(INDEX, tmp_path)) == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_breaks_out_of_a_feed(name: str, tmp_path: Path) -> None:
    """What players wrote is text, on one line, without addresses and without what XML cannot hold."""
    publish(pipline(*AUCTION, LEFT, names=(name, "Bob")), directory=tmp_path)
    feed = feed_of(match_page(17), tmp_path)
    plain = pipline(*AUCTION, LEFT)
    publish(plain, directory=tmp_path / "plain")
    tags = [part.tag for part in feed_of(match_page(17), tmp_path / "plain").iter()]
    assert [part.tag for part in feed.iter()] == tags
    written = (tmp_path / news_page(match_page(17))).read_text("utf-8")
    assert not OBEYED.search(written)
    assert "a.example" not in written


def test_without_an_address_there_are_no_feeds(tmp_path: Path) -> None:
    """Links have to be addresses; what was written under one goes, and no page names a feed."""
    publish(pipline(), directory=tmp_path)
    assert list(tmp_path.rglob("*.atom"))
    publicity = publish(pipline(), directory=tmp_path, site=replace(SITE, archive_url=""))
    assert not list(tmp_path.rglob("*.atom"))
    assert not publicity.head(INDEX)


def test_pages_name_their_feeds(tmp_path: Path) -> None:
    """The first page, those of games and those of matches, each with a path beside it; not one that is not there."""
    publicity = publish(pipline(), directory=tmp_path)
    write_front([], [], {}, 0, tmp_path, NOW, publicity.head(INDEX))
    write_rules(tmp_path, head=publicity.head)
    for page in (INDEX, *map(rules_page, GAMES)):
        told = f'<link rel="alternate" type="application/atom+xml" href="{Path(news_page(page)).name}">' in (
            tmp_path / page
        ).read_text("utf-8")
        assert told == (tmp_path / news_page(page)).is_file() == (page in (INDEX, rules_page("pipline")))
    assert 'href="17.atom"' in publicity.match_head(pipline(), NOW)


def test_unchanged_feeds_are_not_written_again(tmp_path: Path) -> None:
    """Neither in the same process nor by another one."""
    publicity = publish(pipline(), directory=tmp_path)
    assert tell(publicity, tmp_path, pipline()) == 0
    assert tell(Publicity(SITE), tmp_path, pipline()) == 0


def test_who_wants_no_page_has_no_feed(tmp_path: Path) -> None:
    """Nor one of before, and they have one again when they want the page again."""
    one = pipline()
    page, feed = (tmp_path / path(player_page(one.players[0].id)) for path in (str, news_page))
    page.parent.mkdir(parents=True)
    page.write_text("a page", "utf-8")
    publicity = publish(one, directory=tmp_path)
    assert feed.is_file()
    tell(publicity, tmp_path, hidden={one.players[0].id})
    assert not feed.is_file()
    tell(publicity, tmp_path, one, hidden={one.players[0].id})
    assert not feed.is_file()
    tell(publicity, tmp_path)
    assert feed.is_file()
