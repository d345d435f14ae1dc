"""The board of Pipline and Zipline plays by the rules."""

import json
from collections.abc import Hashable, Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.robots.board import OVER, WHOLE
from pbem.robots.boards.pippinzip_play import BLACK, WHITE, black_wins
from pbem.robots.chance import state_of
from pbem.robots.thinking import Match, choose, follow, think, versions_of
from rules.board.square import bits_in, square
from rules.games import GAMES
from rules.games.pippinzip.position import winning_group
from rules.position import Entry
from tests.robots.lockstep import in_step, one_by_day, same_compiled, whole_moves
from tests.support.examples import examples

_VARIANTS: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("pipline", 2, {}),
    ("zipline", 2, {}),
    ("zipline", 2, {"freestyle": True}),
    ("zipline", 3, {}),
    ("zipline", 3, {"partner_gap": True}),
)
_SIZES = (5, 5, 6, 7, 9, 13, 19)


def _same(text: str) -> Hashable:
    """Stones may be placed in any order, unless one wins before the others."""
    return frozenset(text.split())


@pytest.mark.parametrize(("game", "seats", "options"), _VARIANTS)
@given(seed=st.integers(0, 2**32), size=st.sampled_from(_SIZES), leaving=st.sampled_from((0, 0, 0.05, 0.3)))
@examples(80)
def test_a_random_match_goes_as_by_the_rules(
    game: str, seats: int, options: dict[str, object], seed: int, size: int, leaving: float
) -> None:
    """Seat to act, whole moves, seats that leave and winners, on boards of any size."""
    in_step(game, seats, options | {"size": size}, seed, leaving=leaving, same=_same)


def test_the_vectors_come_to_the_same_winners() -> None:
    """Matches that were played by another program end as they ended there, and not before."""
    lines = (Path(__file__).parents[1] / "rules/games/pippinzip/pippinzip.jsonl").read_text(encoding="utf-8")
    for vector in map(json.loads, lines.splitlines()):
        record = [Entry(seat, text) for seat, text in vector["moves"]]
        match = follow(vector["game"], vector["seats"], GAMES[vector["game"]].normalise(vector["options"]), record[:-1])
        assert match.actor == record[-1].seat
        for action in match.board.actions(match.opened, match.state, record[-1].text):
            match.play(action)
        assert match.actor == OVER
        assert match.rewards() == tuple(WHOLE * (seat in vector["winners"]) for seat in range(vector["seats"]))


def test_a_stone_whose_neighbours_are_all_that_is_left_ends_the_turn() -> None:
    """Pip's second stone has to stand apart from the first, so there's none: five points are empty, in a cross."""
    moves = ["a1 a5", "take", "a3 b2", "b1", "b5 e4", "c1", "e2 d4", "d1", "c5 a4", "d5", "b4 e1", "e3", "a2 d2", "e5"]
    options = GAMES["zipline"].normalise({"size": 5})
    position = GAMES["zipline"].restore(2, options)
    for move in moves:
        position = position.play(position.parse(move))
    match = follow("zipline", 2, options, [Entry(place % 2, move) for place, move in enumerate(moves)])
    ours, theirs = set(whole_moves(match)), {str(move) for move in position.legal_moves()}
    assert {_same(move) for move in ours} == {_same(move) for move in theirs}
    assert "c3" in ours


@given(size=st.integers(5, 19), black=st.randoms(use_true_random=False), share=st.sampled_from((0.3, 0.5, 0.6, 0.7)))
@examples(80)
def test_a_full_board_is_won_as_by_the_rules(size: int, black: Random, share: float) -> None:
    """By black if it joins two opposite sides in straight steps, else by white, which joins all four."""
    grid = square(size)
    colours = {bit: black.random() < share for bit in grid.order}
    tables = follow("zipline", 2, GAMES["zipline"].normalise({"size": size}), []).opened.tables
    wins = black_wins(tables, [BLACK if colours[bit] else WHITE for bit in grid.order], [0] * (size * size))
    stones = {colour: sum(bit for bit in grid.order if colours[bit] == colour) for colour in (True, False)}
    for colour, own in stones.items():
        line = any(winning_group(grid, colour, own, bit) for bit in bits_in(own & (grid.left | grid.bottom)))
        assert line == (wins == colour)


@pytest.mark.parametrize(("game", "seats", "options"), _VARIANTS)
def test_playouts_win_as_often_as_legal_actions_drawn_uniformly(
    game: str, seats: int, options: dict[str, object]
) -> None:
    """From the opening, and from some way on after the auction; four standard deviations are allowed."""
    chosen, random, count = GAMES[game].normalise(options | {"size": 5}), Random(3), 500
    starts = [follow(game, seats, chosen, [])]
    for stones in (0, 12, 18):
        starts.append(follow(game, seats, chosen, [Entry(0, "b2 d4"), Entry(1, "take")]))
        while starts[-1].actor != OVER and stones > 0:
            starts[-1].play(random.choice(starts[-1].legal()))
            stones -= 1
    tried = 0
    for start in starts:
        if start.actor == OVER:
            continue
        tried += 1
        drawn = sum(_by_actions(start, random) for _ in range(count))
        state, kernel, wins = start.ints(1), start.board.kernel, 0
        state[0] = state_of(tried)
        for _ in range(count):
            trial = start.copy()
            kernel.playout(start.opened.tables, trial.state, state, trial.ints(start.opened.most))
            wins += trial.rewards()[0] > 0
        assert abs(drawn - wins) < 4 * (count / 2) ** 0.5, (drawn, wins)
    assert tried >= 2


def _by_actions(start: Match, random: Random) -> bool:
    """Return whether the first seat wins when each action is drawn from the legal ones."""
    trial = start.copy()
    while trial.actor != OVER:
        trial.play(random.choice(trial.legal()))
    return trial.rewards()[0] > 0


def _opened(game: str, seats: int, *bids: str) -> list[Entry]:
    """Return the record of moves that seats make in turn."""
    return [Entry(place % seats, text) for place, text in enumerate(bids)]


@pytest.mark.parametrize(
    ("game", "seats", "size", "bids"),
    [
        ("zipline", 2, 7, ("b3 d3 f3", "c5 e5 d6", "d2 c2 g4")),
        ("zipline", 3, 7, ("b3 d3 f3", "c5 e5 d6", "d2 c2 g4")),
        ("pipline", 2, 9, ("e1 e2 e3", "e4 e5 c7", "g7 d6 f6")),
    ],
)
def test_a_strong_side_is_taken_and_a_weak_one_is_not(game: str, seats: int, size: int, bids: tuple[str, ...]) -> None:
    """Stones that nearly make the line are taken at once; before there are any, nobody does."""
    options = GAMES[game].normalise({"size": size})
    assert choose(game, seats, options, _opened(game, seats, *bids), 1, 1).move == "take"
    opening = choose(game, seats, options, [], 1, 1)
    assert opening.move != "take"
    assert len(opening.lines) == size * size + 1


def test_who_can_win_by_a_bid_does() -> None:
    """The two stones that are missing are placed; with fewer, the other seat would take or win."""
    options, record = GAMES["zipline"].normalise({"size": 5}), _opened("zipline", 2, "c1 c2", "c3 a3", "b3 c4 d3")
    match = follow("zipline", 2, options, record)
    for action in match.board.actions(match.opened, match.state, think(match, 400, 1).move):
        match.play(action)
    assert match.rewards() == (0, WHOLE)


def test_the_weakest_robot_sees_the_two_stones_that_complete_its_line() -> None:
    """Pip joins the lowest row to the highest with both of a turn, and places them, whatever the seed."""
    record = _opened("zipline", 2, "a1", "take", "c1 c3", "e5", "c5 a3", "e1")
    thoughts = [choose("zipline", 2, GAMES["zipline"].normalise({"size": 5}), record, 1, seed) for seed in range(5)]
    assert {_same(thought.move) for thought in thoughts} == {_same("c2 c4")}


_FIRST_THOUGHTS = {
    (): ("c6", "e1", "d2"),
    ("d4 e5",): ("f7 e2 b3", "f6", "f6"),
    ("d4 e5", "c3 f2"): ("d2", "f4", "g2"),
    ("d4 e5 b6", "c3 f2"): ("a7", "take", "take"),
}
"""By bids, what the first robots of strength 1 thought of auctions of Zipline on 7×7, with the seeds 1 to 3."""


_SECOND_THOUGHTS = {
    (): ("i2 d7 a8", "a7 b1 h4", "i1 c2 f5"),
    ("d4 e5",): ("h6 f3 a6", "i4", "e8 g2 b9"),
    ("d4 e5", "c3 f2", "b4"): ("h2 h6 b8", "c8 a4 c2", "f6 h6 h1"),
}
"""The same of the second robots, with three seats on 9×9."""


def _think_of_bids(
    seats: int, size: int, version: int, thoughts: Mapping[tuple[str, ...], object]
) -> dict[object, object]:
    """Return what robots of strength 1, and of a version, think after the bids of ``thoughts``, with the same seeds."""
    options = GAMES["zipline"].normalise({"size": size})
    return {
        bids: tuple(
            choose("zipline", seats, options, _opened("zipline", seats, *bids), 1, seed, version).move
            for seed in (1, 2, 3)
        )
        for bids in thoughts
    }


@pytest.mark.nightly("old versions of robots change no more")
def test_what_former_robots_thought_is_thought_again() -> None:
    """In records that they played in, for ever; robots now bid and take otherwise, and Pipline is as it was."""
    first, *later = (_think_of_bids(2, 7, version, _FIRST_THOUGHTS) for version in (1, 2, 3))
    assert first == _FIRST_THOUGHTS != later[0] == later[1]
    second, third = (_think_of_bids(3, 9, version, _SECOND_THOUGHTS) for version in (2, 3))
    assert second == _SECOND_THOUGHTS != third
    assert (versions_of("zipline"), versions_of("pipline")) == ((4, 3, 2, 1), (2, 1))


@pytest.mark.slow("compiles")
@pytest.mark.parametrize(("game", "seats", "options"), one_by_day(_VARIANTS))
def test_the_compiled_board_plays_the_same(game: str, seats: int, options: dict[str, object]) -> None:
    """The same matches, playouts and searches from the same seeds."""
    same_compiled(game, seats, options | {"size": 7}, range(10))
