"""What a message costs, counted: statements, commits, parses and renders have upper bounds, which times cannot have."""

import asyncio

import pytest

from pbem.ports import Fetched
from tests.support.club import Club
from tests.support.counting import counting
from tests.support.replies import Kind, read_notice, write_reply

_MEASURED = 4  # messages
# For one message and its two emails, from its receipt to their delivery.
_BOUNDS: dict[Kind, dict[str, float]] = {
    "short": {"statements": 38, "commits": 6, "parses": 3, "templates": 6, "boards": 3},
    "quoted": {"statements": 38, "commits": 6, "parses": 3, "templates": 6, "boards": 3},
    "gmail": {"statements": 38, "commits": 6, "parses": 3, "templates": 6, "boards": 3},
}


@pytest.mark.parametrize("kind", _BOUNDS)
def test_a_message_costs_no_more_than_it_did(club: Club, kind: Kind) -> None:
    """Nobody makes the line do more for a message, of any kind, without noticing."""
    club.open("zipline")
    for number in range(8):
        _reply(club, "short", number)
    with counting() as counts:
        for number in range(_MEASURED):
            _reply(club, kind, 100 + number)
    cost = {name: count / _MEASURED for name, count in counts.items()}
    assert all(cost.values()), "something is not counted any more"
    assert {name: count for name, count in cost.items() if count > _BOUNDS[kind][name]} == {}


def _reply(club: Club, kind: Kind, number: int) -> None:
    """Let the player to act answer their latest email with a legal move, all the way to the delivery of the notices."""
    match = club.match()
    assert isinstance(match.to_act, int)
    latest = [raw for recipient, raw in club.courier.carried if recipient == match.players[match.to_act].email]
    raw = latest[-1] if latest else club.newest(match.to_act).as_bytes()
    move = next(match.position.legal_moves())
    club.service.receive([Fetched(write_reply(kind, read_notice(raw), str(move), number))])
    club.service.process_waiting()
    asyncio.run(club.service.deliver())
    assert club.match().ply > match.ply
