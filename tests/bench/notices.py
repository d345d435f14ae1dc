"""Notices of whole matches, rendered and sealed, without the rest of the line."""

import random
import time
from datetime import UTC, datetime
from statistics import median

from pbem.envelope import Desk, Recipient, seal
from pbem.match import Match, Player
from pbem.notices import Told, about_match, kind_for
from pbem.tag import Tag
from rules import GAMES, Entry

_NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
_DESK = Desk("games@pbem.example", "a secret for benchmarks", archive_url="https://pbem.example/archive")


def milliseconds_per_notice(game_key: str, matches: int, moves: int) -> float:
    """Return how long a notice takes on the average of all that go to two players: the median of several matches."""
    took = []
    for seed in range(matches):
        played = _played(game_key, moves, seed)
        started = time.process_time()
        count = sum(_notify(before, match) for before, match in played)
        took.append(1000 * (time.process_time() - started) / count)
    return median(took)


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


def _notify(before: Match, match: Match) -> int:
    """Make the notices of one move; returns how many."""
    for seat, player in enumerate(match.players):
        notice = about_match(kind_for(match, seat) or "move_made", match, seat, Told(before), _DESK.archive_url)
        tag = Tag(match.id, match.ply, seat)
        seal(notice, Recipient(player.name, player.email, tag, ("<1@a>", "<2@a>")), _DESK, "a letter", _NOW, 1)
    return len(match.players)
