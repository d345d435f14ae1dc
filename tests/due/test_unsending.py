"""Moves that are held for some minutes: nobody hears of them, and their player can take them back."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.match.timing import time_left
from pbem.settings.model import Settings
from tests.support.clocks import clock, opened
from tests.support.club import Club
from tests.support.mails import text_of


@pytest.fixture
def club(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club whose host holds moves for five minutes; Bob is to act in its match."""
    settings.vacation_days = 0
    found = new_club()
    opened(found, "c3")
    settings.unsend_minutes = 5
    return new_club()


def say(club: Club, seat: int, text: str) -> tuple[str, str]:
    """Let a seat answer its newest email, and return how that ended."""
    ended = club.reply(seat, text).message
    asyncio.run(club.service.deliver())
    return ended.status, ended.code


def wait(club: Club, minutes: float) -> None:
    """Let minutes pass, and everything be done that is due."""
    club.clock.advance(timedelta(minutes=minutes))
    asyncio.run(club.service.deliver())
    club.service.process_waiting()
    asyncio.run(club.service.deliver())


def test_a_move_is_played_when_its_minutes_are_over(club: Club) -> None:
    """Until then nothing is recorded; its player has one receipt, and the others one email."""
    before = len(club.queued())
    assert say(club, 1, "e5\nHow about that?") == ("rejected", "unsent")
    assert [mail.kind for mail in club.queued()[before:]] == ["unsent"]
    wait(club, 4)
    assert club.match().ply == 1
    wait(club, 1.1)
    assert club.match().record[-1].text == "e5"
    assert [(mail.kind, mail.seat) for mail in club.queued()[before:]] == [("unsent", 1), ("your_turn", 0)]


def test_oops_takes_it_back_before_anybody_was_told(club: Club) -> None:
    """Nobody else gets an email, nothing of it is recorded, and the clock is as if it had not been written."""
    before, running = len(club.queued()), clock(club)
    say(club, 1, "e5\nHow about that?")
    assert say(club, 1, "oops") == ("accepted", "")
    wait(club, 30)
    assert club.match().ply == 1
    assert not club.match().comments
    assert {mail.seat for mail in club.queued()[before:]} == {1}
    assert clock(club) == running
    assert say(club, 1, "d4") == ("rejected", "unsent")


def test_oops_with_another_move_plays_that_at_once(club: Club) -> None:
    """Whoever has thought twice is not asked to wait again."""
    say(club, 1, "e5")
    assert say(club, 1, "oops\nd4") == ("accepted", "")
    wait(club, 10)
    assert [entry.text for entry in club.match().record] == ["c3", "d4"]


def test_oops_after_the_others_were_told_takes_nothing_back(club: Club) -> None:
    """For that they have to agree."""
    say(club, 1, "e5")
    wait(club, 6)
    assert say(club, 1, "oops")[0] == "rejected"
    assert club.match().ply == 2


def test_a_second_move_waits_for_the_first_to_be_taken_back(club: Club) -> None:
    """Nobody guesses which one is meant."""
    say(club, 1, "e5")
    assert say(club, 1, "d4") == ("rejected", "another_held")
    wait(club, 6)
    assert [entry.text for entry in club.match().record] == ["c3", "e5"]


def test_nobody_sees_what_is_held(club: Club) -> None:
    """Whatever the opponent asks for in the meantime: board, moves so far, or all matches."""
    say(club, 1, "e5")
    for wish in ("show", "history", "status"):
        before = len(club.queued())
        assert say(club, 0, wish)[0] == "accepted"
        for mail in map(club.mail, club.queued()[before:]):
            assert "played e5" not in text_of(mail)
            assert mail["X-Pbem-Turn"] != "yes"


def test_nobody_takes_back_the_move_of_another(club: Club) -> None:
    """Neither an opponent with their own email, nor in the player’s name, nor with an old email of theirs."""
    old = club.newest(1)
    say(club, 1, "e5")
    say(club, 0, "oops")
    club.service.hand_in(club.answer(club.newest(0), "oops", From="Bob <bob@b.example>"))
    club.service.hand_in(club.answer(old, "oops", From="Ann <ann@a.example>"))
    wait(club, 6)
    assert club.match().ply == 2


def test_no_time_is_over_while_a_move_is_held(club: Club) -> None:
    """It came in time."""
    club.clock.advance(timedelta(days=3) - timedelta(minutes=3))
    say(club, 1, "e5")
    wait(club, 4)
    assert clock(club).halted != "flagged"
    wait(club, 2)
    assert club.match().ply == 2
    assert time_left(club.match(), club.clock.now()) > 0


def test_with_an_outage_the_move_is_played_once(club: Club) -> None:
    """After hours in which the service stood still its minutes go on, and it is played when they are over."""
    say(club, 1, "e5")
    club.clock.advance(timedelta(hours=5))
    wait(club, 0)
    wait(club, 5.1)
    assert [entry.text for entry in club.match().record] == ["c3", "e5"]
