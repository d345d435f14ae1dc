"""Ratings and reliability on the pages that show them."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.archive.lists.curves import draw_curve
from pbem.archive.lists.ledger import Changes, Ledger
from pbem.archive.lists.players import write_players
from pbem.archive.lists.rules_pages import write_rules
from pbem.clubs.glicko2 import Rating
from pbem.clubs.ratings import Mark, month_of
from pbem.match.endings import Ruling
from pbem.match.holders import Passed
from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.match.preferences import Preferences
from pbem.match.time.time_control import read_time_control
from pbem.match.timing import start_clock
from pbem.notices.sentences.ratings import write_rating
from tests.support.ledgers import played
from tests.support.matches import OPENED
from tests.support.pages import HOSTILE_NAMES, Page

WON = "a1", "take", "b2", "c3", "d4", "resign"
"""Moves after which the first player has won."""


def won(number: int, *players: int, name: str = "") -> Match:
    """Return a rated match that the first of its players wins."""
    return replace(played(number, players, *WON, name=name), rated=True)


def ledger_of(*matches: Match) -> Ledger:
    """Return a ledger of matches, its ratings reckoned."""
    ledger = Ledger()
    for match in matches:
        ledger.note(match)
    ledger.refresh_ratings()
    return ledger


def circle(name: str = "") -> list[Match]:
    """Return matches in which player 0 wins twice against each of four others, in one month after the other."""
    return [won(35 * month + other, 0, other, name=name) for month in range(2) for other in range(1, 5)]


def rating(ledger: Ledger, player: int) -> Rating:
    """Return the rating of a player."""
    found = ledger.ratings["pipline"].of(player)
    assert found
    return found


def game_page(ledger: Ledger, directory: Path) -> Page:
    """Return the page of the game that was played."""
    write_rules(directory, ledger.tallies, ["pipline"], best=ledger.best_players)
    return Page((directory / "games" / "pipline.html").read_text("utf-8"))


def player_page(ledger: Ledger, directory: Path, player: int = 0) -> Page:
    """Return the page of a player."""
    write_players(ledger, directory, players=[player])
    return Page((directory / "players" / f"{player}.html").read_text("utf-8"))


def test_pages_of_players_and_games_show_ratings(tmp_path: Path) -> None:
    """With what is behind the ±; the game's page those of whom enough is known."""
    few = ledger_of(*circle()[:1])
    assert write_rating(rating(few, 0)) in player_page(few, tmp_path).text
    assert "ratings" not in game_page(few, tmp_path).places

    enough = ledger_of(*circle())
    shown = write_rating(rating(enough, 0))
    assert f"Pipline 8 8 {shown}" in player_page(enough, tmp_path).text
    assert f"Ann {shown}" in game_page(enough, tmp_path).text


def test_a_player_without_rated_matches_has_no_rating(tmp_path: Path) -> None:
    """Unrated ones count for the score alone."""
    ledger = ledger_of(*(replace(one, rated=False) for one in circle()))
    assert "Pipline 8 8 –" in player_page(ledger, tmp_path).text
    assert "±" not in player_page(ledger, tmp_path).text


def test_what_counts_for_nobody_moves_no_rating() -> None:
    """A match that was called off, and one that goes on."""
    ledger = ledger_of(replace(won(1, 0, 1), ruling=Ruling("void")), replace(played(2, (0, 1), "a1"), rated=True))
    assert ledger.ratings["pipline"].of(0) is None


def test_a_seat_that_passed_on_is_that_of_its_owner(tmp_path: Path) -> None:
    """As in the database: Bob, who let Carl play for him, has lost, and is less reliable for a late turn of his own.

    Of somebody who has no seat any more nobody knows a name.
    """
    control, _ = read_time_control({"days": "3"})
    matches = [start_clock(won(number, 0, 2), control, OPENED) for number in range(1, 7)]
    ledger = ledger_of(*(replace(one, passed=(Passed(5, 1, "Bob", how="lent", owner=1),)) for one in matches))
    assert rating(ledger, 1).points < rating(ledger, 0).points
    assert ledger.ratings["pipline"].of(2) is None
    assert (ledger.reliability_of(1).matches, ledger.reliability_of(2).matches) == (6, 0)
    assert [player for player, *_ in ledger.best_players("pipline", 9)] == []
    assert "±" not in player_page(ledger, tmp_path, 2).text
    ledger.note(won(9, 1, 3))
    ledger.note(replace(matches[0], passed=()))
    ledger.refresh_ratings()
    assert (ledger.reliability_of(1).matches, ledger.reliability_of(2).matches) == (5, 1)
    assert write_rating(rating(ledger, 1)) in player_page(ledger, tmp_path, 1).text


def test_a_curve_shows_each_month(tmp_path: Path) -> None:
    """In words, too; one month makes none."""
    marks = [Mark(24322 + number, Rating(1500 + 10 * number, 100 - number)) for number in range(40)]
    assert draw_curve(marks[:1]) is None
    curve = draw_curve(marks)
    assert curve
    assert (curve.first, curve.last, curve.line.count(" ") + 1) == ("2027-03", "2030-02", 36)
    assert curve.band.count(" ") + 1 == 72
    assert curve.told.endswith("2030-02: 1890 ± 61")
    ledger = ledger_of(*circle())
    assert month_of(OPENED) < max(month_of(one.changed_at) for one in circle())
    assert "curves" in player_page(ledger, tmp_path).places


def test_the_bias_of_a_role_is_shown_with_its_error(tmp_path: Path) -> None:
    """By the number of players; it's a share of all matches, rated or not."""
    page = game_page(ledger_of(*(replace(one, rated=False) for one in circle())), tmp_path)
    assert "2 94 ± 8 %" in page.text
    assert "2 6 ± 8 %" in page.text


def test_reliability_is_that_of_a_year(tmp_path: Path) -> None:
    """Of matches with a clock; new below five of them."""
    control, _ = read_time_control({"days": "3"})
    matches = [start_clock(won(number, 0, 1), control, OPENED) for number in (1, 400, 401, 402, 403, 404)]
    ledger = Ledger()
    for match in matches[:5]:
        ledger.note(match, [LogEntry("flagged", 0, {}, 2), LogEntry("flagged", 0, {"again": True}, 2)])
    assert ledger.reliability_of(0).percent is None
    ledger.note(matches[5])
    assert (ledger.reliability_of(0).late, ledger.reliability_of(0).turns) == (4, 15)
    assert (ledger.reliability_of(0).percent, ledger.reliability_of(1).percent) == (73, 100)
    assert "73 percent" in player_page(ledger, tmp_path).text
    assert matches[5].changed_at - matches[0].changed_at > timedelta(days=365)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_is_text_among_the_best(name: str, tmp_path: Path) -> None:
    """Whatever it looks like."""
    page = game_page(ledger_of(*circle(name)), tmp_path)
    assert " ".join(name.replace("@a.example", "@…").split()) in page.text


def test_who_wants_no_page_is_not_among_the_best(tmp_path: Path) -> None:
    """`page off` writes the page of the game anew, too; so does another name."""
    matches = circle()
    ledger = ledger_of(*matches)
    ledger.changes = Changes()
    assert "../players/0.html" in game_page(ledger, tmp_path).links
    ann = matches[0].players[0]
    ledger.note_players([replace(ann, preferences=Preferences(ann.preferences.display, page=False))])
    assert ledger.changes.games == {"pipline"}
    found = game_page(ledger, tmp_path)
    assert "../players/0.html" not in found.links
    assert "Ann" not in found.text


def test_a_result_that_is_taken_back_changes_the_pages_of_all_whom_it_moved() -> None:
    """Those who met its players in a later month have other ratings now, and nobody else."""
    matches = [won(1, 0, 1), won(40, 1, 2), won(41, 4, 5)]
    ledger = ledger_of(*matches)
    ledger.changes = Changes()
    ledger.note(replace(matches[0], ruling=Ruling("void")))
    ledger.refresh_ratings()
    assert ledger.changes.players == {0, 1, 2}
    assert ledger.changes.games == {"pipline"}
