"""The pages of ladders and leagues: what is on them, and that a pass reads a contest only where it has changed."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.archive.contests.leagues import view_season, write_season
from pbem.archive.whole import rebuild, write_lines
from pbem.clubs.contest import Contest
from pbem.clubs.league import League, Season
from pbem.clubs.league_draw import split
from pbem.clubs.league_table import Meeting
from pbem.match.player import FORMER
from pbem.running.operator_rulings import forget_player
from pbem.settings.model import Settings
from rules.games import GAMES
from tests.support.club import Club
from tests.support.leagues import (
    NAMES,
    begin_season,
    decide,
    decide_rest,
    enter_all,
    match_between,
    pass_until,
    season_of,
)
from tests.support.matches import OPENED
from tests.support.pages import Page
from tests.support.publishers import pages, publisher, texts
from tests.support.schemas import validator

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def league(club: Club, archive: Path) -> Path:
    """The archive of a club in which the first season of a league of Pipline is being played."""
    begin_season(club)
    publish(club)
    return archive


def publish(club: Club) -> int:
    """Publish in another process; return how many files are new."""
    return publisher(club).publish(club.clock.now())


def read(archive: Path, name: str) -> Page:
    """Return a page."""
    return Page((archive / name).read_text("utf-8"))


def listed(archive: Path) -> list[Any]:
    """Return what the list for programs has, which fits its schema."""
    told = json.loads((archive / "contests.json").read_text("utf-8"))
    validator("contests")(told)
    assert isinstance(told["contests"], list)
    return told["contests"]


def test_a_season_has_a_page_that_leads_to_its_matches(league: Path) -> None:
    """Its cross table has a link to each match, which leads back, and names everybody."""
    page = read(league, "contests/1-1.html")
    assert {f"../matches/{number}.html" for number in range(1, 11)} <= {*page.links}
    assert all(name in page.text for name in NAMES)
    assert "../contests/1-1.html" not in page.links
    assert "../contests/1-1.html" in read(league, "matches/1.html").links


def test_the_page_of_a_season_of_two_hundred_players_is_not_too_long(tmp_path: Path) -> None:
    """No page may reach 150 kB; this one has room for some more than 25 divisions."""
    players, game = range(1001, 1201), GAMES["pipline"]
    season = Season(1, 1, OPENED, split(players, 2, 8, "lot"))
    league = League(Contest(2, "league", game, "pipline", {}, OPENED), seasons=(season,))
    meetings = [list[Meeting]() for _ in season.divisions]
    for number, (division, two) in enumerate(season.list_matches(2), 10_001):
        meetings[division - 1].append(Meeting(two, (0, 1), (2, 0), over=True, match=number))
    names = {player: (f"Maximiliane von {player}", player) for player in players}
    assert write_season(view_season(league, season, meetings, names, ()), tmp_path, "") == 1
    text = (tmp_path / "contests/2-1.html").read_text("utf-8")
    assert text.count("../matches/") == 2 * 700
    assert len(text.encode()) < 125_000


def test_a_league_that_somebody_has_only_entered_is_listed(club: Club, archive: Path) -> None:
    """One email opens one, and its first season may be long in coming: no page is missing for that."""
    enter_all(club, ("Ann",), "snipsnip")
    publish(club)
    assert "contests/1.html" in {link.removeprefix("./") for link in read(archive, "contests.html").links}


def test_results_stand_in_both_tables_and_on_the_pages_of_players(club: Club, league: Path) -> None:
    """A win is 1 in the line of who won, and 0 in the other's; both have a line about the season on their own pages."""
    one = match_between(club, "Ann", "Bob")
    decide(club, one, "Bob")
    publish(club)
    text = (league / "contests/1-1.html").read_text("utf-8")
    link = f'<a href="../matches/{one.id}.html">'
    assert sorted(text.split(link)[1:][place][0] for place in range(2)) == ["0", "1"]
    bob = next(player.id for player in one.players if player.name == "Bob")
    assert "../contests/1-1.html" in read(league, f"players/{bob}.html").links
    [told] = listed(league)
    ([division],) = [season["divisions"] for season in told["seasons"]]
    rows = {row["name"]: row for row in division["table"]}
    assert rows["Bob"] | {"place": 1, "player": bob, "points": 1, "won": 1, "running": 3} == rows["Bob"]
    assert rows["Ann"] | {"points": 0, "lost": 1, "running": 3} == rows["Ann"]
    assert sorted(division["matches"]) == [*range(1, 11)]


def test_what_a_season_came_to_stands_on_the_page_of_its_league_and_in_the_list(club: Club, league: Path) -> None:
    """Who won it is named where one looks first."""
    decide_rest(club)
    pass_until(club, lambda: season_of(club).ended_at is not None)
    publish(club)
    for name in ("contests.html", "contests/1.html"):
        assert "Ann" in read(league, name).text
    assert "../contests/1-1.html" in read(league, "contests/1.html").links


def test_the_first_page_and_that_of_the_game_lead_to_contests(league: Path) -> None:
    """But that of no other game does."""
    assert "contests.html" in read(league, "index.html").links
    assert "contests/1.html" in read(league, "contests.html").links
    assert "../contests/1.html" in read(league, "games/pipline.html").links
    assert "../contests/1.html" not in read(league, "games/zipline.html").links


def test_without_ladders_and_leagues_nothing_leads_there(club: Club, archive: Path) -> None:
    """There is no list, and no link to one."""
    club.open(players=("Ann <ann@a.example>", "Bob <bob@b.example>"))
    publish(club)
    assert "contests.html" not in read(archive, "index.html").links
    assert not (archive / "contests.html").exists()
    assert not (archive / "contests.json").exists()


def test_a_ladder_has_a_page_with_who_challenges_whom(club: Club, archive: Path) -> None:
    """First a challenge, then its match, and then who took the place."""
    club.open(players=("Ann <ann@a.example>", "Bob <bob@b.example>"))
    club.reply(0, "ladder pipline")
    club.reply(1, "ladder pipline")
    publish(club)
    assert "../players/1.html" in read(archive, "contests/1.html").links
    club.reply(1, "challenge Ann")
    publish(club)
    assert "../players/2.html" in read(archive, "contests/1.html").links[4:]
    club.answer_kind("invitation", -1, "accept")
    for _ in club.pass_time(timedelta(minutes=1)):
        pass
    publish(club)
    page = read(archive, "contests/1.html")
    assert "../matches/2.html" in page.links
    assert "../contests/1.html" in read(archive, "matches/2.html").links
    assert "../contests/1.html" not in read(archive, "matches/1.html").links
    assert "../contests/1.html" in read(archive, "players/2.html").links
    [told] = listed(archive)
    first = next(place for place in told["places"] if place["robot"] is None)
    assert (first["name"], first["challenger"]) == ("Ann", {"player": 2, "name": "Bob", "match": 2})
    decide(club, club.match(2), "Bob")
    publish(club)
    text = read(archive, "contests/1.html").text
    assert text.index("Bob") < text.index("Ann")


def test_a_pass_reads_no_contest_for_a_move(club: Club, league: Path) -> None:
    """Only an end is news there; and the page of the league stays the same file when a match of a season ends."""
    own = publisher(club)
    own.publish(club.clock.now())
    before, view = pages(league), own._contests._views[1]
    match = match_between(club, "Ann", "Bob")
    club.reply(0, "a1", match=match.id)
    assert own.publish(club.clock.now())
    assert own._contests._views[1] is view
    decide(club, match, "Ann")
    own.publish(club.clock.now())
    assert own._contests._views[1] is not view
    changed = {name for name, (inode, _) in pages(league).items() if name in before and before[name][0] != inode}
    assert "contests/1-1.html" in changed
    assert "contests/1.html" not in changed


def test_another_process_makes_nothing_again_and_goes_on_from_what_was_kept(club: Club, league: Path) -> None:
    """It makes the same pages of the same rows, wherever it begins."""
    before, first = pages(league), publisher(club)
    assert first.publish(club.clock.now()) == 0
    first.keep()
    decide(club, match_between(club, "Ann", "Bob"), "Ann")
    second = publisher(club)
    second.publish(club.clock.now())
    assert pages(league)["contests/1-1.html"] != before["contests/1-1.html"]
    after = texts(league)
    for file in league.glob("contests*/*"):
        file.unlink()
    (league / ".made").unlink()
    publish(club)
    assert texts(league) == after


def test_who_is_forgotten_is_named_nowhere_and_who_wants_no_page_has_no_link(club: Club, league: Path) -> None:
    """Their place, and what they played, stays."""
    carl, dora = (next(one for one in people(club) if one[1] == name)[0] for name in ("Carl", "Dora"))
    with club.service.database.reading() as tx:
        found = tx.players.get(carl)
    assert found
    forget_player(club.service, found)
    match = match_between(club, "Ann", "Dora")
    club.reply([player.name for player in match.players].index("Dora"), "page off", match=match.id)
    publish(club)
    page = read(league, "contests/1-1.html")
    assert FORMER in page.text
    assert "Carl" not in page.text
    assert f"../players/{carl}.html" not in page.links
    assert f"../players/{dora}.html" not in page.links
    assert "Carl" not in read(league, "contests/1.html").text
    text = (league / "contests.json").read_text("utf-8")
    assert "Carl" not in text
    assert '"player":null,"name":"Dora"' in text
    assert f'"player":{dora}' not in text
    listed(league)


def test_contests_have_feeds_where_the_archive_has_an_address(
    settings: Settings, new_club: Callable[..., Club], tmp_path: Path
) -> None:
    """A feed leads to the page that it belongs to; the sitemap has all pages."""
    league = tmp_path / "archive"
    settings.archive_dir, settings.archive_url = str(league), "https://games.example.org"
    club = new_club()
    begin_season(club)
    publish(club)
    feed = ElementTree.fromstring((league / "contests/1.atom").read_bytes())
    links = [link.get("href") for link in feed.iter(f"{ATOM}link") if link.get("rel") == "alternate"]
    assert {*links} == {"https://games.example.org/contests/1.html"}
    assert len(feed.findall(f"{ATOM}entry")) == 1
    assert "1.atom" in read(league, "contests/1.html").files
    sitemap = (league / "sitemap-0.xml").read_text("utf-8")
    assert all(f"example.org/{page}<" in sitemap for page in ("contests.html", "contests/1.html", "contests/1-1.html"))


def test_the_whole_archive_has_the_pages_of_contests(club: Club, league: Path, tmp_path: Path) -> None:
    """They are among what anybody can find."""
    rebuild(write_lines(league), tmp_path / "again")
    assert (tmp_path / "again/contests/1-1.html").read_bytes() == (league / "contests/1-1.html").read_bytes()
    assert (tmp_path / "again/contests.html").is_file()
    assert (tmp_path / "again/contests.json").read_bytes() == (league / "contests.json").read_bytes()


def people(club: Club) -> list[tuple[int, str]]:
    """Return the numbers and names of the players of a season."""
    with club.service.database.reading() as tx:
        return [(player.id, player.name) for player, _ in tx.players.some(season_of(club).players)]
