"""Notices of whole matches, rendered and sealed, without the rest of the line."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from typing import TypeVar

from pbem.mail.compose import Notice, Recipient, Site, compose
from pbem.mail.reply_token import ReplyToken
from pbem.match.match import Match, Player
from pbem.notices.render import NoticeContent, kind_for, match_notice
from rules import GAMES, Entry, Seat

_NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
_DESK = Site("games@pbem.example", "a secret for benchmarks", archive_url="https://pbem.example/archive")


_LOOP = 10_000  # rounds
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Cost:
    """What one notice takes: milliseconds to render and to seal it, and all of it in runs of a fixed loop.

    How fast a machine is at the moment hardly changes the last figure.
    """

    rendering: float
    sealing: float
    loops: float


def cost_of_a_notice(game_key: str, matches: int, moves: int) -> Cost:
    """Return what a notice takes on the average of all that go to two players: the median of several matches."""
    costs = []
    for seed in range(matches):
        played = _played(game_key, moves, seed)
        loop, _ = _timed(_fixed_loop)
        rendering, made = _timed(_rendered, played)
        sealing, _ = _timed(_sealed, made)
        again, _ = _timed(_fixed_loop)
        loops = (rendering + sealing) / ((loop + again) / 2)
        costs.append([figure / len(made) for figure in (rendering, sealing, loops)])
    return Cost(*map(median, zip(*costs, strict=True)))


def _timed(work: Callable[..., _Result], *args: object) -> tuple[float, _Result]:
    """Return for how many milliseconds ``work`` keeps the processor busy, and what it returns."""
    started = time.process_time()
    result = work(*args)
    return 1000 * (time.process_time() - started), result


def _fixed_loop() -> int:
    """Do always the same work, in Python alone."""
    return sum(number * number % 7 for number in range(_LOOP))


def _played(game_key: str, moves: int, seed: int) -> list[tuple[Match, Match]]:
    """Return a random match of two before and after each of its moves, replayed already."""
    game, chance = GAMES[game_key], random.Random(seed)
    players = tuple(Player(n, name, f"{name}@a.example", frozenset()) for n, name in enumerate(("Ann", "Bob")))
    match = Match(17, game, game.normalise({}), players, _NOW)
    found: list[tuple[Match, Match]] = []
    while len(found) < moves and isinstance(match.to_act, int):
        before, move = match, str(match.position.any_move(chance.randrange))
        match = match.after(Entry(match.to_act, move), _NOW)
        found.append((before, match))
    return found


def _rendered(played: list[tuple[Match, Match]]) -> list[tuple[Match, Seat, Notice]]:
    """Return the notices of all moves, and to whom they go."""
    return [
        (
            match,
            seat,
            match_notice(kind_for(match, seat) or "move_made", match, seat, NoticeContent(before), _DESK.archive_url),
        )
        for before, match in played
        for seat in range(len(match.players))
    ]


def _sealed(made: list[tuple[Match, Seat, Notice]]) -> None:
    """Turn all of them into emails."""
    for match, seat, notice in made:
        player, token = match.players[seat], ReplyToken(match.id, match.ply, seat)
        compose(notice, Recipient(player.name, player.email, token, ("<1@a>", "<2@a>")), _DESK, "a letter", _NOW, 1)
