"""Messages judged without a database: a match, the lines of a reply, and the decision or the refusal."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.commands.asking_effects import AskForWhom
from pbem.commands.decision import MatchDecision
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge
from pbem.commands.rejections import Rejection
from pbem.match.match import Match
from pbem.match.player import Player
from rules.game import Game
from rules.games import GAMES
from rules.position import Chance, Entry, Seat
from tests.support.climb import CLIMB, FACES

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Carl")
AUCTION = (Entry(0, "c3"), Entry(1, "take"))
"""Of a match of three: Bob is Zip alone; Carl and Ann are Pip, and Carl is to act."""


def start(key: str = "zipline", seats: int = 3, *record: Entry, game: Game | None = None) -> Match:
    """Return a match on the smallest board after these entries."""
    rules = game or GAMES[key]
    players = tuple(Player(n, name, f"{name}@a.example".lower(), frozenset()) for n, name in enumerate(NAMES[:seats]))
    options = rules.normalise({} if game else {"size": 5})
    return Match(1, rules, options, players, NOW, record, (NOW,) * len(record))


def partners(*record: Entry) -> Match:
    """Return a match of three in which Carl, the partner of Ann, is to act; ``record`` follows the auction."""
    return start("zipline", 3, *AUCTION, *record)


def put(match: Match, seat: Seat, text: str, *, ply: int | None = None) -> MatchDecision:
    """Return what a message with these lines leads to; it answers the newest notice unless ``ply`` is given."""
    seen = match.ply if ply is None else ply
    return judge(match, seat, seen, read_commands(text.splitlines()), now=NOW)


def refusal(match: Match, seat: Seat, text: str, *, ply: int | None = None) -> Rejection:
    """Return the rejection that a message with these lines ends in."""
    with pytest.raises(Rejection) as raised:
        put(match, seat, text, ply=ply)
    return raised.value


def withheld(match: Match, seat: Seat, text: str) -> list[str]:
    """Return the lines of a message whose sender is asked for whom they are; what else it did, it did."""
    decision = put(match, seat, text)
    assert decision.asides == ()
    (found,) = (one for one in decision.effects if isinstance(one, AskForWhom))
    assert not any(line in comment.text for comment in decision.comments for line in found.lines if line)
    return list(found.lines)


def moves(decision: MatchDecision) -> tuple[str, ...]:
    """Return the moves that whoever wrote the message made, as the record has them."""
    return tuple(new.entry.text for new in decision.appended if new.entry.seat == decision.seat)


def said(decision: MatchDecision) -> list[tuple[str, bool]]:
    """Return the words for others, each with whether it is for the own side alone."""
    return [(comment.text, comment.to_side) for comment in decision.comments]


def climbing(wanted: tuple[int, ...] = ()) -> Match:
    """Return a match of Climb whose first rolls fall as ``wanted``, by trying secrets; all seats are ready."""
    for number in range(10_000):
        match = replace(start(game=CLIMB, seats=2), secret=f"secret {number}", seeds=("", ""))
        # The rolls of Climb stand at every second entry.
        if all(match.fair_rolls.value(2 * turn, Chance("die", FACES)) == value for turn, value in enumerate(wanted)):
            return match
    raise AssertionError("no such secret")


def waiting() -> Match:
    """Return a match of Climb whose first roll waits for both seats."""
    return replace(climbing(), seeds=(None, None), rolls_due=NOW + timedelta(hours=1))
