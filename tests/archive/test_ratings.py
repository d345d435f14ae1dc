"""Ratings of players, and the pages that show them."""

from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from pbem.archive.lists.ledger import Changes, Ledger
from pbem.archive.lists.players import write_players
from pbem.archive.lists.ratings import FIRST, SHOWN_AFTER, Ratings, Result
from pbem.archive.lists.rules_pages import write_rules
from pbem.match.endings import Ruling
from pbem.match.match import Match
from pbem.match.preferences import Preferences
from tests.support.ledgers import played
from tests.support.matches import OPENED
from tests.support.pages import HOSTILE_NAMES, Page


def result(match: int, *players: int, won: tuple[int, ...] = (0,)) -> Result:
    """Return how a match ended, on the day of its number, won by the seats ``won``."""
    return Result(match, OPENED + timedelta(days=match), players, frozenset(won))


def rated(*results: Result) -> Ratings:
    """Return the ratings after these results."""
    ratings = Ratings()
    for one in results:
        ratings.note(one.match, one)
    ratings.refresh()
    return ratings


def points(ratings: Ratings, *players: int) -> list[float]:
    """Return the ratings of players, to a tenth."""
    return [round(ratings.of(player).points, 1) for player in players]


def test_a_first_win_is_worth_half_of_what_a_match_can_change() -> None:
    """Between equals either side was expected to win every second match."""
    assert points(rated(result(1, 7, 8)), 7, 8, 9) == [FIRST + 20, FIRST - 20, FIRST]


@pytest.mark.parametrize(("difference", "expected"), [(0, 0.5), (200, 0.76), (400, 0.909)])
def test_expectations_are_those_of_elo(difference: int, expected: float) -> None:
    """As tables of the chess world have them: 200 points more win three matches of four."""
    ratings = rated(result(1, 1, 2))
    ratings._ratings = {1: replace(ratings.of(1), points=FIRST + difference), 2: replace(ratings.of(2), points=FIRST)}
    ratings.note(2, result(2, 1, 2))
    assert ratings.of(1).points - FIRST - difference == pytest.approx(40 * (1 - expected), abs=0.1)


@pytest.mark.parametrize(
    ("won", "found"),
    [
        ((0, 2), [20, -20, 20]),  # partners beat the third, and not one another
        ((1,), [-20, 20, -20]),
        ((), [0, 0, 0]),  # nobody: each drew with each
        ((0, 1, 2), [0, 0, 0]),
    ],
)
def test_three_players_are_compared_with_those_who_fared_otherwise(won: tuple[int, ...], found: list[int]) -> None:
    """However many win, nobody gains or loses more than in a match of two."""
    assert points(rated(result(1, 1, 2, 3, won=won)), 1, 2, 3) == [FIRST + gained for gained in found]


def test_a_player_with_two_seats_gains_nothing_from_themselves() -> None:
    """As where two accounts were merged that had played one another."""
    assert points(rated(result(1, 5, 5)), 5) == [FIRST]


def test_a_draw_brings_unequal_players_nearer() -> None:
    """The weaker one gains by it."""
    strong, weak = points(rated(result(1, 1, 2), result(2, 1, 2, won=())), 1, 2)
    assert FIRST + 20 > strong > weak > FIRST - 20


def test_later_matches_change_less() -> None:
    """Who has played twenty matches is known."""
    matches = [result(number, 1, 100 + number) for number in range(1, 22)]
    ratings, moved = Ratings(), list[float]()
    for one in matches:
        before = ratings.of(1).points
        ratings.note(one.match, one)
        moved.append(ratings.of(1).points - before)
    assert moved[19] > 1.9 * moved[20]


def test_ratings_are_the_same_in_whatever_order_matches_are_read() -> None:
    """Also when some of them were others before, and some have been taken out again."""
    matches = [result(1, 1, 2), result(2, 2, 3), result(3, 3, 1), result(4, 1, 2, 3, won=(1, 2))]
    wanted = points(rated(*matches), 1, 2, 3)
    for order in permutations(matches):
        assert points(rated(*order), 1, 2, 3) == wanted
    ratings = rated(*matches, result(5, 2, 1))
    ratings.note(1, result(1, 2, 1))
    ratings.note(5, None)
    ratings.note(1, matches[0])
    assert ratings.refresh() == {1, 2}
    assert points(ratings, 1, 2, 3) == wanted


def test_a_match_that_ends_last_moves_its_own_players_alone() -> None:
    """What a match costs doesn't grow with their number: nothing is worked out anew."""
    random = Random(1)
    ratings = rated(*(result(number, *random.sample(range(20), 2)) for number in range(1, 200)))
    before = points(ratings, *range(20))
    ratings.note(200, result(200, 3, 4))
    assert [player for player in range(20) if points(ratings, player) != before[player : player + 1]] == [3, 4]
    assert ratings.refresh() == set()


def test_the_best_are_those_with_enough_matches() -> None:
    """One lucky win puts nobody on top; who wants no page isn't there."""
    ratings = rated(
        *(result(number, 1, 2) for number in range(1, SHOWN_AFTER)),
        result(50, 9, 8),
        result(60, 2, 3),
        result(61, 4, 1),
    )
    assert [player for player, _ in ratings.best(10)] == [1, 2]
    assert [player for player, _ in ratings.best(10, without={1})] == [2]
    assert [player for player, _ in ratings.best(1)] == [1]


def ledger_of(*matches: Match) -> Ledger:
    """Return a ledger of matches, its ratings worked out."""
    ledger = Ledger()
    for match in matches:
        ledger.note(match)
    ledger.refresh_ratings()
    return ledger


def won(number: int, *players: int, name: str = "") -> Match:
    """Return a match that the first of its players wins."""
    return played(number, players, "a1", "take", "b2", "resign", name=name)


def game_page(ledger: Ledger, directory: Path) -> Page:
    """Return the page of the game that was played."""
    write_rules(directory, ledger.tallies, ["pipline"], best=ledger.best_players)
    return Page((directory / "games" / "pipline.html").read_text("utf-8"))


def test_pages_of_players_and_games_show_ratings(tmp_path: Path) -> None:
    """From the fifth match on; before, there is a dash."""
    few = ledger_of(*(won(number, 0, 1) for number in range(1, SHOWN_AFTER)))
    write_players(few, tmp_path, players=[0])
    assert "Pipline 4 4 –" in Page((tmp_path / "players" / "0.html").read_text("utf-8")).text
    assert "ratings" not in game_page(few, tmp_path).places

    enough = ledger_of(*(won(number, 0, 1) for number in range(1, SHOWN_AFTER + 1)))
    best, worst = (enough.ratings["pipline"].of(player).shown for player in (0, 1))
    write_players(enough, tmp_path, players=[0])
    assert f"Pipline 5 5 {best}" in Page((tmp_path / "players" / "0.html").read_text("utf-8")).text
    assert f"Player Played Rating Ann 5 {best} Bob 5 {worst}" in game_page(enough, tmp_path).text


def test_what_counts_for_nobody_moves_no_rating() -> None:
    """A match that was called off, and one that goes on."""
    over = won(1, 0, 1)
    ledger = ledger_of(replace(over, ruling=Ruling("void")), played(2, (0, 1), "a1"))
    assert ledger.ratings["pipline"].of(0).matches == 0


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_is_text_among_the_best(name: str, tmp_path: Path) -> None:
    """Whatever it looks like."""
    page = game_page(ledger_of(*(won(number, 0, 1, name=name) for number in range(1, 6))), tmp_path)
    assert " ".join(name.replace("@a.example", "@…").split()) in page.text


def test_who_wants_no_page_is_not_among_the_best(tmp_path: Path) -> None:
    """`page off` writes the page of the game anew, too; so does another name."""
    matches = [won(number, 0, 1) for number in range(1, 6)]
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
    """Those who met its players later have other ratings now."""
    matches = [won(1, 0, 1), won(2, 1, 2), won(3, 4, 5)]
    ledger = ledger_of(*matches)
    ledger.changes = Changes()
    ledger.note(replace(matches[0], ruling=Ruling("void")))
    ledger.refresh_ratings()
    assert ledger.changes.players == {0, 1, 2}
    assert ledger.changes.games == {"pipline"}
