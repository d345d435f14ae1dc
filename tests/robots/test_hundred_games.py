"""Robots against robots, a hundred matches of every game: the rules accept each move, and name the same winner."""

from random import Random
from typing import Any

import pytest

from pbem.robots.board import OVER
from pbem.robots.thinking import follow, think
from rules import GAMES, Chance, Entry, Position, Value

_MATCHES = 100
_PLAYOUTS = (2, 6)
"""For an action of one seat and of the others: few, since a move is to be legal, not good. On slow boards it is one."""


def _options(key: str, seats: int, random: Random) -> dict[str, Value]:
    """Return random options: in three matches of four those with which one is soon over, where there are such."""
    game, chosen = GAMES[key], dict[str, Value]()
    for option in game.options:
        if not option.seats or seats in option.seats:
            short = option.key in game.short and random.random() < 0.75
            chosen[option.key] = game.short[option.key] if short else random.choice(option.values)
    return game.normalise(chosen)


def _play(key: str, seats: int, options: dict[str, Value], random: Random) -> tuple[list[Entry], Position[Any]]:
    """Return the record of a match of robots and the position at its end; what the rules refuse is raised."""
    record, position, match = list[Entry](), GAMES[key].restore(seats, options), None
    weaker = random.randrange(seats)
    while (awaited := position.to_act) is not None:
        if isinstance(awaited, Chance):
            value = random.randint(1, awaited.faces)
            record.append(Entry(None, str(value)))
            position = position.roll(value)
            if match:
                match.play(value - 1)
            continue
        match = match or follow(key, seats, options, record)
        assert match.actor == awaited
        playouts = _PLAYOUTS[awaited != weaker] if match.board.kernel.fast else 1
        thought = think(match, playouts, random.getrandbits(32))
        move = position.parse(thought.move)
        assert str(move) == thought.move
        record.append(Entry(awaited, thought.move))
        for action in match.board.actions(match.opened, match.state, thought.move):
            match.play(action)
        position = position.play(move)
    return record, position


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, _MATCHES, 25))
@pytest.mark.parametrize(("key", "seats"), [(key, seats) for key, game in GAMES.items() for seats in game.seats])
def test_a_hundred_matches_of_robots_have_no_illegal_move(key: str, seats: int, first: int) -> None:
    """With any options, on boards of any size; at the end the robots' board knows who has won."""
    for number in range(first, first + 25):
        random = Random(number)
        options = _options(key, seats, random)
        record, position = _play(key, seats, options, random)
        match, outcome = follow(key, seats, options, record), position.outcome()
        assert outcome is not None
        assert match.actor == OVER
        assert {seat for seat in range(seats) if match.rewards()[seat]} == outcome.winners
