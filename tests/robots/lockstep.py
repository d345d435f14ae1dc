"""Random matches on a robot's board and by the rules, side by side; and the same matches by compiled boards.

A board is right if it agrees with the rules at each step: whose turn it is, which whole moves are legal, who won.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest

from pbem.robots.board import CHANCE, OVER, WHOLE
from pbem.robots.chance import state_of
from pbem.robots.thinking import Match, follow, think
from rules.errors import RulesError
from rules.game import Value
from rules.games import GAMES
from rules.position import Chance, Entry, Position

Same = Callable[[str], Hashable]
"""Says of two moves whether they are one: the rules list stones that are placed in any order only once."""

Further = Callable[[Position[Any], Match, Random], None]
"""Asserts that the rules and the board know the same moves."""


def in_step(
    game: str,
    seats: int,
    options: Mapping[str, object],
    seed: int,
    *,
    leaving: float = 0,
    same: Same = str,
    listed: int = 500,
    sampled: int = 2,
    further: Further | None = None,
    alike: Callable[[Position[Any], Match], None] = lambda position, match: None,
    foolish: Callable[[Match, str], bool] = lambda match, text: False,
) -> list[Entry]:
    """Play one random match both ways, assert that they agree at each step, and return its record.

    At each turn a seat leaves with the probability ``leaving``. All whole moves are compared where the rules list no
    more than ``listed``; ``sampled`` of either side, at least one, are tried on the other in any case. With
    ``further`` that compares the moves instead, and a move of the rules may go on behind one that the board knows.
    ``alike`` asserts what decides nothing before the end, such as whose pieces those on the board are. A robot thinks
    of no ``foolish`` move, which others may play.
    """
    chosen, random, record = GAMES[game].normalise(options), Random(seed), list[Entry]()
    position, match = GAMES[game].restore(seats, chosen), follow(game, seats, chosen, [])
    while position.to_act is not None:
        _agree(position, match)
        alike(position, match)
        present = sorted(set(range(seats)) - position.departed())
        if random.random() < leaving:
            seat = random.choice(present)
            record.append(Entry(seat, "resign"))
            position = position.leave(seat, "resign")
            match.board.leave(match.opened, match.state, match.order.index(seat))
        elif isinstance(position.to_act, Chance):
            value = 1 + random.randrange(position.to_act.faces)
            record.append(Entry(None, str(value)))
            position = position.roll(value)
            match.play(value - 1)
        else:
            if further:
                further(position, match, random)
            else:
                _same_moves(position, match, random, same, listed, foolish)
            for _ in range(sampled):
                ours = any_move(match, random)
                accepts(position, ours[0])
                text = str(position.any_move(random.randrange))
                theirs = text, match.board.actions(match.opened, match.state, text)
                if not foolish(match, text):
                    known = _replayed(match, theirs[1], going_on=further is not None)
                    assert text == known or (further and known and text.startswith(f"{known} ")), theirs
            # The two draw differently: a match in which both do comes to more kinds of positions.
            text, actions = random.choice((ours, theirs))
            record.append(Entry(position.to_act, text))
            position = position.play(position.parse(text))
            for action in actions:
                match.play(action)
    _agree(position, match)
    assert list(match.state) == list(follow(game, seats, chosen, record).state), record
    return record


def any_move(match: Match, random: Random) -> tuple[str, tuple[int, ...]]:
    """Return a whole move made of random legal actions, and these; ``match`` stays as it is."""
    actions, trial, text = list[int](), match.copy(), None
    while text is None:
        actions.append(random.choice(trial.legal()))
        trial.play(actions[-1])
        text = match.board.text(match.opened, match.state, actions)
    return text, tuple(actions)


def whole_moves(match: Match, before: tuple[int, ...] = (), root: Match | None = None) -> Iterator[str]:
    """Yield every whole move that legal actions make, in every order of them."""
    root = root or match
    for action in match.legal():
        actions = (*before, action)
        text = root.board.text(root.opened, root.state, actions)
        if text is not None:
            yield text
        else:
            following = match.copy()
            following.play(action)
            yield from whole_moves(following, actions, root)


def _agree(position: Position[Any], match: Match) -> None:
    """Assert that it is the same actor's turn, or the same roll, or the same end; and that playouts come to one."""
    awaited, outcome = position.to_act, position.outcome()
    if outcome is not None:
        sides = {position.side(seat) for seat in outcome.winners}
        seats = range(len(position.roles()))
        assert match.actor == OVER
        assert match.rewards() == tuple(WHOLE // len(sides) if seat in outcome.winners else 0 for seat in seats)
        lying = Counter((cell.piece.key, cell.die) for cell in position.view().cells if cell.piece)
        assert sorted(Counter(filter(None, match.cells())).values()) == sorted(lying.values())
        return
    assert match.actor == (CHANCE if isinstance(awaited, Chance) else awaited)
    if isinstance(awaited, Chance):
        # What has too many results to be listed is drawn by the board in a way of its own.
        assert awaited.faces > match.opened.most or match.legal() == list(range(awaited.faces))
        return
    assert 0 < len(match.legal()) == len(set(match.legal())) <= match.opened.most
    trial, kernel, random = match.copy(), match.board.kernel, match.ints(1)
    random[0] = state_of(len(match.legal()))
    kernel.playout(match.opened.tables, trial.state, random, match.ints(match.opened.most))
    assert trial.actor == OVER
    assert 0 <= min(trial.rewards()) < max(trial.rewards()) <= WHOLE or len(set(trial.rewards())) == 1


def _same_moves(
    position: Position[Any],
    match: Match,
    random: Random,
    same: Same,
    listed: int,
    foolish: Callable[[Match, str], bool],
) -> None:
    """Assert that both sides know the same whole moves, if they are few."""
    theirs = {same(str(move)) for move in islice(position.legal_moves(), listed + 1)}
    if len(theirs) > listed:
        return
    ours = set(whole_moves(match))
    assert {same(text) for text in ours} == {text for text in theirs if not foolish(match, str(text))}
    for text in random.sample(sorted(ours), min(10, len(ours))):
        accepts(position, text)


def accepts(position: Position[Any], text: str) -> None:
    """Assert that ``text`` is a legal move in canonical notation."""
    try:
        move = position.parse(text)
        position.play(move)
    except RulesError as error:
        raise AssertionError(f"the rules refuse {text}: {error}") from error
    assert str(move) == text


def _replayed(match: Match, actions: Iterable[int], *, going_on: bool) -> str | None:
    """Return the move that ``actions`` make, each of which must be legal, and none too many but when ``going_on``."""
    trial, done, text = match.copy(), list[int](), None
    for action in actions:
        if going_on and text is not None:
            break
        assert text is None
        assert action in trial.legal()
        trial.play(action)
        done.append(action)
        text = match.board.text(match.opened, match.state, done)
    return text


def account(game: str, seats: int, options: Mapping[str, Value], seeds: Iterable[int], playouts: int) -> list[object]:
    """Return what random matches, playouts and thoughts come to, for each of ``seeds``: the same wherever they run."""
    found = list[object]()
    for seed in seeds:
        random, match, moves = Random(seed), follow(game, seats, options, []), list[object]()
        while match.actor != OVER:
            if match.actor == CHANCE:
                value = random.choice(match.legal())
                match.play(value)
                moves.append(value)
                continue
            if random.random() < 0.2:
                thought = think(match, playouts, seed)
                moves += [thought.move, *((line.action, line.playouts, line.value) for line in thought.lines[:20])]
                trial, state = match.copy(), match.ints(1)
                state[0] = state_of(seed)
                match.board.kernel.playout(match.opened.tables, trial.state, state, trial.ints(match.opened.most))
                moves.append((int(state[0]), trial.rewards()))
            text, actions = any_move(match, random)
            moves.append(text)
            for action in actions:
                match.play(action)
        found.append((moves, match.rewards()))
    return found


def one_by_day(variants: Iterable[Any]) -> list[Any]:
    """Return variants of a game for a test that compiles, which takes a while: all but one wait for the night.

    They are the same functions, called with other numbers.
    """
    nightly = pytest.mark.nightly("another variant of a game is compiled")
    return [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=(nightly,) if number else ())
        for number, one in enumerate(variants)
    ]


def same_compiled(
    game: str, seats: int, options: Mapping[str, object], seeds: Iterable[int], playouts: int = 40
) -> None:
    """Assert that a process with the compiled board gives the same account; this one runs the pure one."""
    chosen, seeds = GAMES[game].normalise(options), list(seeds)
    command = [sys.executable, "-m", "tests.robots.lockstep", json.dumps([game, seats, chosen, seeds, playouts])]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    fast, theirs = json.loads(done.stdout)
    assert fast, "nothing was compiled"
    assert theirs == json.loads(json.dumps(account(game, seats, chosen, seeds, playouts)))


def main() -> None:
    """Print whether functions are compiled here, and the account that was asked for."""
    game, seats, options, seeds, playouts = json.loads(sys.argv[1])
    fast = hasattr(follow(game, seats, options, []).board.kernel.play, "py_func")
    print(json.dumps([fast, account(game, seats, options, seeds, playouts)]))


if __name__ == "__main__":
    main()
