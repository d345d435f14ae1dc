"""Robots against robots, in matches of every game: the rules accept each move, and name the same winner."""

from random import Random

import pytest

from rules.games import GAMES
from tests.robots.matches import any_options, one_weaker, play_match
from tests.support.examples import share


@pytest.mark.slow("plays matches of every game")
@pytest.mark.parametrize(("key", "seats"), [(key, seats) for key, game in GAMES.items() for seats in game.seats])
def test_matches_of_robots_have_no_illegal_move(key: str, seats: int) -> None:
    """On small boards, with any other options; `make bench` plays a hundred on boards of any size."""
    for number in range(share(20)):
        random = Random(number)
        options = any_options(key, seats, random, shortly=1)
        played = play_match(key, seats, options, one_weaker(seats, random), random)
        assert 0 < sum(won > 0 for won in played.won) <= seats
