"""What notices cost by game: those about the moves of random matches are written and composed, without a database."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from random import Random
from statistics import median
from typing import BinaryIO

from pbem.commands.decision import MatchDecision
from pbem.mail.compose import Recipient, Site, Thread, compose
from pbem.mail.reply_token import ReplyToken
from pbem.match.match import Match, advance_automatically
from pbem.match.player import Player
from pbem.notices.audience import notices_for
from rules.games import GAMES
from rules.position import Entry
from tests.bench.report import Table

_NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
_SITE = Site("games@pbem.example", "a secret for benchmarks", archive_url="https://pbem.example")
_NAMES = ("Ann", "Bob", "Carl", "Dora", "Emil", "Fay")
_MOST_MOVES = 24  # of a match: the boards of later ones are alike
_MATCHES = 3  # a round


@dataclass(frozen=True)
class Cost:
    """What the notices of some turns took: microseconds of CPU a notice, milliseconds a turn; bytes are of a turn."""

    notice: float
    turn: float
    notices: float
    bytes: float


Costs = Mapping[str, Cost]
"""The costs of every game and number of players."""


def by_game(rounds: int, tell: Callable[[str], None], before: Callable[[int], Costs] | None = None) -> Table:
    """Return the table of the games; ``before`` measures a round of another checkout, in turns with this one."""
    found: list[tuple[Costs, Costs | None]] = []
    for number in range(rounds):
        tell(f"notices: round {number + 1} of {rounds}")
        then = before(number) if before else None
        found.append((measure(number), then))
    sides = [("now", [now for now, _ in found])]
    if before:
        sides.insert(0, ("before", [then for _, then in found if then]))
    rows = []
    for name in found[0][0]:
        figures = [
            (
                f"{median(costs[name].notice for costs in side):.0f}",
                f"{median(costs[name].notices for costs in side):.2f}",
                f"{median(costs[name].bytes for costs in side) / 1000:.1f}",
                f"{median(costs[name].turn for costs in side):.2f}",
            )
            for _, side in sides
        ]
        rows.append((name, *(figure for pair in zip(*figures, strict=True) for figure in pair)))
    heads = ("µs per notice", "notices a turn", "kB a turn", "ms per turn")
    columns = tuple(f"{head} {side}" if before else head for head in heads for side, _ in sides)
    meaning = (
        f"The CPU of writing and composing the notices about the first {_MOST_MOVES} moves of random matches on usual"
        f" boards, all players with usual preferences; the median of {rounds} rounds. What a turn takes is what the"
        " host pays; reading and deciding about its message, and sending, come on top."
    )
    return Table("Notices, by game", ("game and players", *columns), tuple(rows), meaning)


def measure(number: int) -> Costs:
    """Return what the notices of one round take."""
    return {f"{key} {seats}": _measure(key, seats, number) for key, game in GAMES.items() for seats in game.seats}


def _measure(key: str, seats: int, number: int) -> Cost:
    """Return what the notices of some matches take; other matches in each round, as no host sees the same twice."""
    turns = notices = size = 0
    spent = 0.0
    for match in range(_MATCHES):
        for before, after in _play(key, seats, Random(1000 * number + match)):
            decision = MatchDecision((), before=before, after=after, seat=_acting(before))
            started = time.process_time()
            raws = [
                compose(notice, _address(after, seat), _SITE, f"turn {after.ply}", _NOW, None).raw
                for seat, notice in notices_for(decision, after, _SITE.archive)
            ]
            spent += time.process_time() - started
            turns, notices, size = turns + 1, notices + len(raws), size + sum(map(len, raws))
    return Cost(1e6 * spent / notices, 1000 * spent / turns, notices / turns, size / turns)


def _play(key: str, seats: int, random: Random) -> Iterator[tuple[Match, Match]]:
    """Yield the match before and after each of the first turns of a random match."""
    game = GAMES[key]
    players = tuple(
        Player(seat, name, (email := f"{name.lower()}@home.example"), frozenset({email}))
        for seat, name in enumerate(_NAMES[:seats])
    )
    opened = Match(17, game, game.normalise({}), players, _NOW, secret=f"secret {random.random()}")
    match = advance_automatically(opened, _NOW)
    for _ in range(_MOST_MOVES):
        if match.outcome is not None:
            return
        move = match.position.any_move(random.randrange)
        after = advance_automatically(match.after(Entry(_acting(match), str(move)), _NOW), _NOW)
        yield match, after
        match = after


def _acting(match: Match) -> int:
    """Return whose turn it is."""
    assert isinstance(match.to_act, int)
    return match.to_act


def _address(match: Match, seat: int) -> Recipient:
    """Return the reader at ``seat``, in a thread that has begun."""
    player, thread = match.players[seat], Thread("<1@games.example>", "<2@games.example>")
    return Recipient(player.name, player.email, ReplyToken(match.id, match.ply, seat), thread)


def answer_rounds(orders: BinaryIO, answers: BinaryIO) -> None:
    """Answer each number of a round with what its notices take."""
    for order in orders:
        found = {name: asdict(cost) for name, cost in measure(json.loads(order)).items()}
        answers.write(json.dumps(found).encode() + b"\n")
        answers.flush()
