"""Statistics on the page of a game."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.archive.lists.ledger import Ledger
from pbem.archive.lists.rules_pages import write_rules
from pbem.archive.lists.statistics import Branch, Statistics, tell_statistics
from rules.games import GAMES
from tests.support.ledgers import played
from tests.support.pages import Page


def ledger() -> Ledger:
    """Return some finished matches of Pipline, and one that goes on."""
    found = Ledger()
    found.note(played(1, (1, 2), "a1", "take", "b2", "resign"))
    found.note(played(2, (1, 2), "a1", "take", "resign"))
    found.note(played(3, (1, 2), "b2", "resign"))
    found.note(played(4, (1, 2), "b2"))
    return found


def statistics() -> Statistics:
    """Return what the page of Pipline tells of these."""
    found = tell_statistics(ledger().tallies["pipline"])
    assert found
    return found


def test_a_tree_shows_what_was_played_more_than_once() -> None:
    """Each first move is told, what follows only where several matches agree; beside it who won."""
    assert statistics().openings == (
        Branch("a1", 2, "Pip: 1, Zip: 1", (Branch("take", 2, "Pip: 1, Zip: 1", ()),)),
        Branch("b2", 1, "seat 1: 1", ()),
    )


def test_the_picture_of_the_board_names_the_cells_taken_most_often() -> None:
    """Its dots are the larger the more often; those who do not see it hear of the largest."""
    pictures = {name: ElementTree.fromstring(picture) for name, picture in statistics().heat}
    assert {root.get("role") for root in pictures.values()} == {"img"}
    assert {name: root.findtext("desc") for name, root in pictures.items()} == {
        "black": "a1: 67%, b2: 33%",
        "white": "b2: 33%",
    }
    sizes = [path.get("stroke-width") for path in pictures["black"].iter("path")]
    assert [size for size in sizes if size] == ["10", "15"]


def test_the_page_of_a_game_tells_how_its_matches_went(tmp_path: Path) -> None:
    """The numbers stand in tables; bars beside them say nothing more."""
    assert write_rules(tmp_path, ledger().tallies) == len(GAMES)
    page = Page((tmp_path / "games" / "pipline.html").read_text("utf-8"))
    assert "Finished: 3, without a winner: 0." in page.text
    assert "../matches/1.html" in page.links
    assert "Pip 2 1 Zip 2 1" in page.text


@pytest.mark.parametrize("key", GAMES)
def test_a_game_without_finished_matches_has_none(key: str, tmp_path: Path) -> None:
    """Only its rules are told."""
    write_rules(tmp_path, Ledger().tallies)
    assert 'class="scores"' not in (tmp_path / "games" / f"{key}.html").read_text("utf-8")


def test_only_the_pages_asked_for_are_written(tmp_path: Path) -> None:
    """When a match is over, the page of its game is written, and no other."""
    found = ledger()
    write_rules(tmp_path, found.tallies)
    found.note(played(4, (1, 2), "b2", "resign"))
    assert write_rules(tmp_path, found.tallies, {"pipline"}) == 1


def test_a_report_on_a_game_is_linked_where_there_is_one(tmp_path: Path) -> None:
    """Whoever has a computer's report puts it beside the page of the game."""
    assert write_rules(tmp_path)
    (tmp_path / "games" / "pipline-report.html").write_text("<!DOCTYPE html><title>Report</title>", encoding="utf-8")
    assert write_rules(tmp_path) == 1
    linked = [key for key in GAMES if "-report.html" in (tmp_path / "games" / f"{key}.html").read_text("utf-8")]
    assert linked == ["pipline"]


def test_the_page_tells_how_auctions_end_and_which_chains_were_longest(tmp_path: Path) -> None:
    """Where a game has auctions and chains."""
    found = ledger()
    found.note(played(5, (1, 2), "a1 b1", "take", "c1", "resign"))
    write_rules(tmp_path, found.tallies)
    page = Page((tmp_path / "games" / "pipline.html").read_text("utf-8"))
    assert "1 2 1 2 1 0" in page.text
    assert page.places.index("auctions") < page.places.index("chains")
    assert next(link for link in page.links if "matches" in link) == "../matches/5.html"
