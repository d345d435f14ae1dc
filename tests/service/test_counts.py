"""What a message costs, counted: statements, commits, parses and renders have upper bounds, which times cannot have."""

import asyncio
from collections import Counter

import pytest

from pbem.ports import Fetched
from tests.support.club import Club
from tests.support.counting import counting
from tests.support.replies import Kind, read_notice, write_reply

_MEASURED = 4  # messages
# For one message and its two emails, from its receipt to their delivery. Six of the statements are for the clock of the
# match: it is stored, its end and the reminder before it are scheduled, both emails that were sent let it run if they
# went to whoever is to act, and a pass reads the heartbeats.
_BOUNDS: dict[Kind, dict[str, float]] = {
    "short": {"statements": 28.5, "commits": 5, "parses": 1, "templates": 6, "boards": 2.5},
    "quoted": {"statements": 28.5, "commits": 5, "parses": 1, "templates": 6, "boards": 2.5},
    "gmail": {"statements": 28.5, "commits": 5, "parses": 1, "templates": 6, "boards": 2.5},
}


@pytest.mark.parametrize("kind", _BOUNDS)
def test_a_message_costs_no_more_than_it_did(club: Club, kind: Kind) -> None:
    """Nobody makes the line do more for a message, of any kind, without noticing."""
    club.open("zipline")
    for number in range(8):
        _carry(club, _reply(club, "short", number))
    total = Counter[str]()
    for number in range(100, 100 + _MEASURED):
        reply, ply = _reply(club, kind, number), club.match().ply
        with counting() as counts:
            _carry(club, reply)
        assert club.match().ply > ply
        total += counts
    cost = {name: total[name] / _MEASURED for name in counts}
    assert all(cost.values()), "something is not counted any more"
    assert {name: count for name, count in cost.items() if count > _BOUNDS[kind][name]} == {}


def _reply(club: Club, kind: Kind, number: int) -> bytes:
    """Return the answer of the player to act to their latest email, with a legal move."""
    match = club.match()
    assert isinstance(match.to_act, int)
    latest = [raw for recipient, raw in club.courier.carried if recipient == match.players[match.to_act].email]
    raw = latest[-1] if latest else club.newest(match.to_act).as_bytes()
    return write_reply(kind, read_notice(raw), str(next(match.position.legal_moves())), number)


def _carry(club: Club, raw: bytes) -> None:
    """Take a message all the way to the delivery of the notices."""
    club.service.receive([Fetched(raw)])
    club.service.process_waiting()
    asyncio.run(club.service.deliver())
