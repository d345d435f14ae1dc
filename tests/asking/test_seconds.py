"""Seconds: several people on one seat vote on its moves; what they may, what they never learn, how much email it is."""

from datetime import timedelta

import pytest

from pbem.running.service import Arrival
from tests.support.clocks import wait
from tests.support.club import PLAYERS, Club, told
from tests.support.laid import After

CARL, DORA, EVE = "Carl <carl@c.example>", "Dora <dora@d.example>", "Eve <eve@e.example>"


def _club_of_three(club: Club) -> None:
    club.open("pipline", PLAYERS[:2], days=4)
    club.open("pipline", (CARL, DORA))
    for who in ("carl@c.example", "dora@d.example"):
        club.reply(0, f"second {who}")
        club.answer_kind("second_offered", -1, "yes")


@pytest.fixture
def three(after: After) -> Club:
    """A club in which Carl and Dora are seconds of Ann, who begins."""
    return after(_club_of_three)


def vote(club: Club, who: str, words: str, kind: str = "second_turn", **headers: str) -> Arrival:
    """Let somebody answer the newest email of a kind to them."""
    (*_, mail) = (one for one in club.queued(kind=kind) if one.recipient.startswith(who))
    return club.service.hand_in(club.answer(club.mail(mail), words, **headers))


def test_most_votes_are_played_as_soon_as_all_have_voted(three: Club) -> None:
    """As if just mailed."""
    assert [one.name for one in three.match().seconds_of(0)] == ["Carl", "Dora"]
    assert vote(three, "carl", "c3").message.status == "accepted"
    assert three.moves() == []
    assert vote(three, "dora", "c3").message.status == "accepted"
    arrival = three.reply(0, "d4")
    assert three.moves() == ["c3"]
    assert arrival.message.status == "accepted"
