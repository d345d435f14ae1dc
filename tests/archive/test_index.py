"""The index of the archive: its first page, and the numbered ones."""

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.archive.lists.index import draw_film, last_page, shown_first, write_front, write_index
from pbem.archive.lists.listing import PAGE
from pbem.archive.lists.shop_window import OfferRow, draw_window
from pbem.archive.pages import without_addresses
from pbem.archive.way_in import WayIn, find_way_in
from pbem.boards.small import small_film
from pbem.mail.compose import Site
from pbem.match.match import Comment
from pbem.match.summary import MatchSummary, summarise
from rules.games import GAMES
from tests.support.each import each
from tests.support.matches import AUCTION, HEAVIEST, NOW, OPENED, pipline, random_match, summary
from tests.support.pages import HOSTILE_NAMES, Page
from tests.support.walks import Case, walk


def index(directory: Path, page: int = 0) -> Page:
    """Return a page of the index."""
    return Page((directory / (f"index-{page}.html" if page else "index.html")).read_text("utf-8"))


def moved(number: int, after: timedelta) -> MatchSummary:
    """Return a running match whose latest entry came that long after its opening."""
    one = summary(number)
    return replace(one, standing=replace(one.standing, changed_at=OPENED + after))


def test_the_first_page_shows_where_something_happened_last(tmp_path: Path) -> None:
    """Boards come in the order of the latest moves, then the latest results, then further running matches."""
    running = [moved(number, timedelta(hours=number % 7)) for number in range(1, 31)]
    shown = [match.id for match in shown_first(running)[0]]
    boards = {number: draw_film(pipline(*AUCTION)) for number in shown}
    finished = [summary(number, over=True) for number in (32, 31)]
    write_front(running, finished, boards, 1, tmp_path, NOW)
    page = index(tmp_path)
    others = sorted({match.id for match in running} - set(shown), reverse=True)
    assert shown[:4] == [27, 20, 13, 6]
    assert [link for link in page.links if link.startswith("matches")] == [
        f"matches/{number}.html" for number in [*shown, 32, 31, *others]
    ]
    assert (tmp_path / "index.html").read_text("utf-8").count('class="small"') == len(shown) < len(running)


def test_the_newest_boards_can_be_stepped_through_their_last_moves(tmp_path: Path) -> None:
    """A few of them, through a few moves; without the script they show the present position, as all others do."""
    entries = walk(Case("pipline", 2, (("size", 5),)), 1).entries[:9]
    films = {number: draw_film(replace(pipline(*entries), id=number)) for number in range(1, 9)}
    assert films[1].past.count('class="past"') == 5
    assert films[1].still == small_film([pipline(*entries).position.view()]).still
    write_front([moved(number, timedelta(hours=number)) for number in films], [], films, 1, tmp_path, NOW)
    text = (tmp_path / "index.html").read_text("utf-8")
    assert text.count('class="past"') == 6 * 5
    assert "films.js" in index(tmp_path).files
    assert len(set(re.findall(r'<button[^>]*id="films"[^>]* hidden>', text))) == 1


def test_the_latest_results_have_boards(tmp_path: Path) -> None:
    """Six of them, below the running ones; their winners stand out."""
    films = {number: draw_film(replace(pipline(*AUCTION), id=number)) for number in range(1, 11)}
    finished = [summary(number, over=True) for number in range(10, 2, -1)]
    for running in ([moved(1, timedelta(hours=1)), moved(2, timedelta(hours=2))], []):
        write_front(running, finished, films, 1, tmp_path, NOW)
        page, text = index(tmp_path), (tmp_path / "index.html").read_text("utf-8")
        links = [f"matches/{one.id}.html" for one in (*running[::-1], *finished)]
        assert [link for link in page.links if link.startswith("matches")] == links
        assert text.count('class="small"') == len(running) + 6
        assert text.count("<b>") == len(finished)


def test_one_match_is_shown_large(tmp_path: Path) -> None:
    """With its board, its players and the latest comment, and not once more among the others."""
    match = replace(pipline(*AUCTION), comments=(Comment(0, 1, "first"), Comment(1, 2, f"last {'x' * 200}")))
    write_front([summarise(match)], [], {}, 1, tmp_path, NOW, window=draw_window(match))
    page = index(tmp_path)
    assert "Pipline 17 · Ann and Bob · Ann to move since" in page.text
    assert " · Bob: “last xxx" in page.text
    assert "x…”" in page.text
    assert page.links.count("matches/17.html") == 1


def test_words_for_a_partner_are_not_shown_large() -> None:
    """Nor before the end, nor after it: the first page is for whoever passes by."""
    match = random_match(Case("zipline", 3, (("size", 5),)), 6)
    assert draw_window(replace(match, comments=(Comment(0, 1, "hush", to_side=True),))).words == ""


ANYBODY = WayIn("games@play.example", robots=True)


def test_the_first_page_lets_strangers_in(tmp_path: Path) -> None:
    """By links that open an email which begins a match as it stands; what players wrote shows no address even so."""
    offer = OfferRow("Zipline", "The board is 9 × 9.", "ann@a.example", "one place is free", "join 12")
    write_front([], [], {}, 0, tmp_path, NOW, offers=[offer], way_in=ANYBODY)
    text = (tmp_path / "index.html").read_text("utf-8")
    links = [unescape(link) for link in re.findall('href="(mailto:[^"]*)"', text)]
    assert {parse_qs(urlsplit(link).query)["body"][0] for link in links} == {
        "join 12",
        "seek pipline size=7",
        *(ANYBODY.robot(key) for key in GAMES),
    }
    assert {urlsplit(link).path for link in links} == {"games@play.example"}
    assert "games@play.example" in index(tmp_path).text
    assert "a.example" not in text


def test_who_lets_nobody_in_has_nothing_of_it(tmp_path: Path) -> None:
    """Neither a link nor the address; without robots, no word of them."""
    write_front([], [], {}, 0, tmp_path, NOW)
    assert not [word for word in ("mailto:", "play.example", "robot") if word in (tmp_path / "index.html").read_text()]
    write_front([], [], {}, 0, tmp_path, NOW, way_in=WayIn("games@play.example"))
    assert "robot" not in (tmp_path / "index.html").read_text()


def test_the_first_page_says_whose_it_is(tmp_path: Path) -> None:
    """By the name that the host has given the service."""
    write_front([], [], {}, 0, tmp_path, NOW, way_in=find_way_in(Site("", "", name="Zip & Club")))
    assert "<title>Zip &amp; Club</title>" in (tmp_path / "index.html").read_text()


def test_the_first_page_stays_small_with_the_largest_boards(tmp_path: Path) -> None:
    """As small as the page of a match has to be, with the longest lists that it can have below the boards."""
    large = [replace(random_match(case, 100, seed=seed), id=100 + n) for n, (case, seed) in enumerate(HEAVIEST.items())]
    running = [moved(number, timedelta(hours=number)) for number in range(100, 160)]
    films = {match.id: draw_film(large[place % len(large)]) for place, match in enumerate(shown_first(running)[0])}
    finished = [summary(number, over=True) for number in range(20)]
    write_front(running, finished, films, 1, tmp_path, NOW, parts={1: 60})
    assert (tmp_path / "index.html").read_text("utf-8").count('class="small"') == len(films) == 12
    assert len((tmp_path / "index.html").read_bytes()) < 150_000


def test_a_first_page_on_which_nothing_has_moved_has_nothing_to_play(tmp_path: Path) -> None:
    """Neither script nor button."""
    write_front([summary(1)], [], {1: draw_film(pipline())}, 1, tmp_path, NOW)
    text = (tmp_path / "index.html").read_text("utf-8")
    assert "films" not in text
    assert text.count('class="small"') == 1


def test_running_matches_beyond_those_of_the_first_page_are_one_step_away(tmp_path: Path) -> None:
    """It counts them by the numbered pages that list them."""
    running = [summary(number) for number in range(1, 61)]
    write_front(running, [], {}, 3, tmp_path, NOW, parts={1: 60, 3: 2})
    page = index(tmp_path)
    assert [link for link in page.links if "index-" in link] == ["index-3.html", "index-3.html", "index-1.html"]
    assert "All 62 running matches, by number: 401–600 (2), 1–200 (60)." in page.text
    write_front(running, [], {}, 3, tmp_path, NOW, parts={1: 60})
    assert "by number:" not in index(tmp_path).text


def test_a_numbered_page_lists_the_newest_first(tmp_path: Path) -> None:
    """Running and finished matches stand apart, each with the newest on top."""
    later = summary(3, opened=OPENED + timedelta(days=10))
    matches = [summary(1), summary(2, over=True), summary(9), summary(10), summary(11, over=True), later]
    write_index(1, 1, matches, tmp_path, NOW)
    page = index(tmp_path, 1)
    assert [link for link in page.links if link.startswith("matches")] == [
        f"matches/{number}.html" for number in (3, 10, 9, 1, 11, 2)
    ]
    assert page.text.index("Running") < page.text.index("Pipline 1 ") < page.text.index("Finished")


def test_the_index_says_how_a_match_stands(tmp_path: Path) -> None:
    """A line of the index has the players, how the match stands, its moves and the day it was opened."""
    write_index(1, 1, [summarise(pipline(*AUCTION))], tmp_path, NOW)
    text = index(tmp_path, 1).text
    assert "Pipline 17 Ann and Bob Ann to move since 20 Nov 2 2026-11-20" in text
    assert text.count("Pipline 17") == 1


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_is_text_whatever_it_is(name: str, tmp_path: Path) -> None:
    """On the first page and on the numbered ones; what would be markup is shown."""
    one = summarise(pipline(*AUCTION, names=(name, "Bob")))
    write_index(1, 1, [one], tmp_path, NOW)
    write_front([one], [], {}, 1, tmp_path, NOW)
    for page in (0, 1):
        assert without_addresses(" ".join(name.split())) in index(tmp_path, page).text


def test_an_empty_index_is_friendly(tmp_path: Path) -> None:
    """Before the first match the first page says so instead of showing empty tables."""
    write_front([], [], {}, 0, tmp_path, NOW)
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "<table" not in page
    assert '<section aria-labelledby="running"' not in page


@each("newest, last", [(0, 0), (1, 1), (PAGE, 1), (PAGE + 1, 2), (2 * PAGE, 2), (2 * PAGE + 1, 3)])
def test_every_match_has_a_numbered_page(newest: int, last: int) -> None:
    """The numbered pages reach up to the newest match."""
    assert last_page(newest) == last


def test_pages_lead_to_each_other(tmp_path: Path) -> None:
    """From the first page one comes to the last numbered page, from there down to page 1, and back again."""
    seen = []
    write_front([summary(600)], [], {}, 3, tmp_path, NOW)
    for page in range(1, 4):
        write_index(page, 3, [summary(page * PAGE)], tmp_path, NOW)
    for page in range(4):
        seen.append([link for link in index(tmp_path, page).links if link.startswith("index")])
    assert seen == [
        ["index-3.html"],
        ["index.html", "index-2.html", "index-2.html"],
        ["index.html", "index-3.html", "index-1.html", "index-3.html", "index-1.html"],
        ["index.html", "index.html", "index-2.html", "index.html", "index-2.html"],
    ]


def test_a_numbered_page_is_left_alone_when_matches_are_opened(tmp_path: Path) -> None:
    """With ever more matches a page whose matches stay as they are has the same bytes, once a newer page is there."""
    matches = [summary(number, over=True) for number in range(1, 4)]
    assert write_index(1, 2, matches, tmp_path, NOW)
    assert not write_index(1, 3, matches, tmp_path, NOW)
    assert not write_index(1, 500, matches, tmp_path, NOW)
