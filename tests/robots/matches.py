"""Whole matches of robots, which the rules check move by move."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Any

from pbem.robots.board import OVER, WHOLE
from pbem.robots.thinking import Match, follow, think
from rules.game import Value
from rules.games import GAMES
from rules.position import Chance, Entry

FEW = (2, 6)
"""Playouts for an action of the weaker seat and of the others, where a move is to be legal, not good."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that the rules have accepted: its ``record``, and what each seat has ``won``, in parts of a win.

    ``longest`` is the longest thought of each seat about one move, in seconds of CPU.
    """

    record: tuple[Entry, ...]
    won: tuple[float, ...]
    longest: tuple[float, ...]


def any_options(key: str, seats: int, random: Random, *, shortly: float) -> dict[str, Value]:
    """Return random options; those with which a match is soon over with the probability ``shortly``."""
    game, chosen = GAMES[key], dict[str, Value]()
    for option in game.options:
        if not option.seats or seats in option.seats:
            short = option.key in game.short and random.random() < shortly
            chosen[option.key] = game.short[option.key] if short else random.choice(option.values)
    return game.normalise(chosen)


def one_weaker(seats: int, random: Random) -> tuple[int, ...]:
    """Return few playouts for each seat, fewest for one of them."""
    weaker = random.randrange(seats)
    return tuple(FEW[seat != weaker] for seat in range(seats))


def play_naive(
    key: str, options: Mapping[str, Value], playouts: int, seat: int, naive: Callable[[Any], str], random: Random
) -> float:
    """Return what a robot with so many playouts has won on ``seat``, in parts of a win, against a naive opponent."""
    record, position = list[Entry](), GAMES[key].restore(2, options)
    while (awaited := position.to_act) is not None:
        if isinstance(awaited, Chance):
            value = random.randint(1, awaited.faces)
            record.append(Entry(None, str(value)))
            position = position.roll(value)
            continue
        text = naive(position)
        if awaited == seat:
            text = think(follow(key, 2, options, record), playouts, random.getrandbits(32)).move
        record.append(Entry(awaited, text))
        position = position.play(position.parse(text))
    outcome = position.outcome()
    assert outcome is not None
    return (seat in outcome.winners) / len({position.side(winner) for winner in outcome.winners})


def play_match(
    key: str,
    seats: int,
    options: Mapping[str, Value],
    playouts: Sequence[int],
    random: Random,
    versions: Sequence[int | None] | None = None,
) -> Played:
    """Return a match in which each seat makes so many playouts for an action; on slow boards it is one.

    Seats think as robots of these ``versions`` did, or as those of today.

    Raises RulesError for a move that the rules refuse, and AssertionError where board and rules disagree otherwise:
    on whose turn it is, how a move is written, or who has won.
    """
    record, position = list[Entry](), GAMES[key].restore(seats, options)
    longest, matches = [0.0] * seats, dict[int | None, Match]()
    while (awaited := position.to_act) is not None:
        if isinstance(awaited, Chance):
            value = random.randint(1, awaited.faces)
            record.append(Entry(None, str(value)))
            position = position.roll(value)
            for match in matches.values():
                match.play(value - 1)
            continue
        for version in set(versions or [None]) - set(matches):
            matches[version] = follow(key, seats, options, record, version)
        match = matches[versions[awaited] if versions else None]
        assert match.actor == awaited, (match.actor, awaited, record)
        begun = process_time()
        thought = think(match, playouts[awaited] if match.board.kernel.fast else 1, random.getrandbits(32))
        longest[awaited] = max(longest[awaited], process_time() - begun)
        move = position.parse(thought.move)
        assert str(move) == thought.move, (str(move), thought.move)
        record.append(Entry(awaited, thought.move))
        for match in matches.values():
            for action in match.board.actions(match.opened, match.state, thought.move):
                match.play(action)
        position = position.play(move)
    match, outcome = follow(key, seats, options, record), position.outcome()
    assert outcome is not None
    assert match.actor == OVER, record
    rewards = match.rewards()
    assert {seat for seat in range(seats) if rewards[seat]} == outcome.winners, record
    return Played(tuple(record), tuple(reward / WHOLE for reward in rewards), tuple(longest))
