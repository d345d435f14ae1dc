"""Reviews by email: who gets one, how often, and what nobody can do with them to anybody else."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from pbem.commands.ruling import adjudicate, reinstate
from pbem.running.operator_rulings import rule, seat_another
from pbem.storage.due import REVIEW_DUE
from tests.support.chosen import changed
from tests.support.club import Club, make_club, told
from tests.support.mails import text_of


def finished(club: Club) -> Club:
    """Let a match be played that Bob gives up."""
    club.open()
    for seat, words in ((0, "b2"), (1, "take"), (0, "d4"), (1, "resign")):
        club.reply(seat, words)
    return club


def waiting(club: Club) -> bool:
    """Return whether a review is waiting to be made."""
    with club.service.database.reading() as tx:
        return tx.due.waiting_longest(REVIEW_DUE, club.clock.now()) is not None


def reviews(club: Club) -> Mapping[str, int]:
    """Return how many reviews each address was sent."""
    recipients = [mail.recipient for mail in club.queued(kind="review")]
    return {recipient: recipients.count(recipient) for recipient in recipients}


def test_the_one_who_asks_is_told_and_nobody_else(club: Club) -> None:
    """The answer goes to them alone, and it's about their own moves; of the match nothing has changed."""
    finished(club)
    before = len(club.queued())
    assert told(club.reply(0, "review")) == [("answer", 0)]
    assert club.let_robots_move() == 1
    assert reviews(club) == {"ann@a.example": 1}
    assert len(club.queued()) == before + 2
    assert "Your costliest move was number 1, b2" in text_of(club.newest(0))
    assert club.thinker.problems[-1].strength == 3


def test_what_is_thought_about_has_nothing_of_the_secret(club: Club) -> None:
    """The process that looks knows the record and a seed."""
    finished(club)
    club.reply(0, "review")
    club.let_robots_move()
    match = club.service.database
    with match.reading() as tx:
        found = tx.matches.get(1)
    assert found is not None
    assert not found.secret or found.secret not in repr(club.thinker.problems[-1])


def test_while_the_match_goes_on_nobody_is_told_how_to_play(club: Club) -> None:
    """A review is refused until the end, and nothing is left to be made then."""
    club.open()
    club.reply(0, "b2")
    assert told(club.reply(1, "review")) == [("answer", 1)]
    assert not waiting(club)
    assert club.let_robots_move() == 0


def test_asking_again_and_again_costs_one_thought(club: Club) -> None:
    """However many messages ask, before and after it is made, a player has one review of a match."""
    finished(club)
    for _ in range(5):
        club.reply(0, "review")
    assert club.let_robots_move() == 1
    club.reply(0, "review")
    assert not waiting(club)
    assert club.let_robots_move() == 0
    assert len(club.thinker.problems) == 1
    assert reviews(club) == {"ann@a.example": 1}


def test_a_stranger_who_forges_from_gets_and_causes_none(club: Club) -> None:
    """Without a reply token nothing is asked for; with one, from another address, nothing is carried out."""
    finished(club)
    notice = club.newest(0)
    club.service.hand_in(club.answer(notice, "review", To="games@play.example", In_Reply_To="", References=""))
    club.service.hand_in(club.answer(notice, "review", From="mallory@m.example"))
    assert not waiting(club)
    assert club.let_robots_move() == 0
    assert reviews(club) == {}


def test_a_match_that_goes_on_again_is_not_reviewed(club: Club) -> None:
    """The operator decided it, Ann asked, and the operator took that back: she isn't told how to play on."""
    club.open()
    club.reply(0, "b2")
    rule(club.service, 1, lambda match, now: adjudicate(match, [0], now))
    club.reply(0, "review")
    assert waiting(club)
    rule(club.service, 1, lambda match, now: reinstate(match, "adjudicated", now))
    assert club.let_robots_move() == 0
    assert not waiting(club)
    assert reviews(club) == {}


def test_who_has_lost_their_seat_meanwhile_gets_none(club: Club) -> None:
    """Bob asks, and Dora has his seat then: neither of them is sent what he asked for."""
    club.open()
    club.reply(0, "b2")
    rule(club.service, 1, lambda match, now: adjudicate(match, [0], now))
    club.reply(1, "review")
    rule(club.service, 1, lambda match, now: reinstate(match, "adjudicated", now))
    seat_another(club.service, 1, "Bob", "Dora <dora@d.example>")
    rule(club.service, 1, lambda match, now: adjudicate(match, [0], now))
    club.let_robots_move()
    assert reviews(club) == {}


@pytest.mark.parametrize(("lost", "tried"), [({3}, [3, 2]), ({3, 2}, [3, 2, 1])])
def test_what_comes_to_no_end_is_tried_shorter(club: Club, lost: set[int], tried: list[int]) -> None:
    """The time for a thought is limited; then one looks as weaker robots do."""
    finished(club)
    club.thinker.lost = lost
    club.reply(0, "review")
    assert club.let_robots_move() == 1
    assert [problem.strength for problem in club.thinker.problems] == tried
    assert "costliest move" in text_of(club.newest(0))


def test_a_review_that_never_ends_is_given_up(club: Club) -> None:
    """The one who asked is told so, nothing is tried for ever, and they can ask again."""
    finished(club)
    club.thinker.lost = {1, 2, 3}
    club.reply(0, "review")
    assert club.let_robots_move() == 1
    assert reviews(club) == {}
    assert "took too long" in text_of(club.newest(0))
    assert not waiting(club)
    club.thinker.lost = set()
    club.reply(0, "review")
    assert club.let_robots_move() == 1
    assert reviews(club) == {"ann@a.example": 1}


def test_where_there_are_no_robots_nothing_is_looked_at(club: Club) -> None:
    """The setting that turns robots off is for reviews, too; the player is told so at once."""
    finished(club)
    off = make_club(changed(club.service.settings, robots="off"), clock=club.clock)
    off.written = club.written  # another Message-ID than those before
    try:
        assert told(off.reply(0, "review")) == [("answer", 0)]
        assert not waiting(off)
    finally:
        off.service.database.close()


def test_moves_of_a_stand_in_are_not_called_ones_own(club: Club) -> None:
    """A robot had Bob's seat for some days: what he played himself is looked at, before and after."""
    club.open(size=9)
    for seat, words in ((0, "c3"), (1, "take"), (0, "d4"), (1, "standin robot:1 until 22 nov")):
        club.reply(seat, words)
    club.answer_kind("seat_question", -1, "yes")
    for _ in club.pass_time(timedelta(minutes=1)):
        pass
    club.let_robots_move()
    club.reply(0, "h8")
    club.let_robots_move()
    club.reply(0, "h7")
    for _ in club.pass_time(timedelta(days=3)):
        pass
    assert club.match().players[1].name == "Bob"
    club.reply(1, "a9")
    club.reply(0, "resign")
    club.reply(1, "review")
    club.let_robots_move()
    (asked,) = club.thinker.reviewed
    assert [ply for ply, entry in enumerate(club.match().record) if entry.seat == 1 and ply not in asked] == [1, 7]


def test_moves_of_whoever_had_the_seat_before_are_not_ones_own(club: Club) -> None:
    """Dora plays on for Bob: she is told of what she has played."""
    club.open(size=9)
    for seat, words in ((0, "c3"), (1, "take"), (0, "d4")):
        club.reply(seat, words)
    seat_another(club.service, 1, "Bob", "Dora <dora@d.example>")
    for seat, words in ((1, "e5"), (0, "h8"), (1, "a9"), (0, "h7"), (1, "resign")):
        club.reply(seat, words)
    club.reply(1, "review")
    club.let_robots_move()
    (asked,) = club.thinker.reviewed
    assert [ply for ply, entry in enumerate(club.match().record) if entry.seat == 1 and ply not in asked] == [3, 5, 7]


def test_nobody_keeps_the_robots_busy_with_reviews(club: Club) -> None:
    """Ten a day are enough, whether they are made by then or not; after a day there are more."""
    for number in range(1, 13):
        club.open()
        club.reply(0, "b2", match=number)
        club.reply(1, "resign", match=number)
        club.reply(0, "review", match=number)
    assert "you can ask for 10 a day" in text_of(club.newest(0, match=12)).replace("\n", " ")
    assert club.let_robots_move() == 10
    club.clock.advance(timedelta(days=1, minutes=1))
    club.reply(0, "review", match=12)
    assert club.let_robots_move() == 1
    assert reviews(club) == {"ann@a.example": 11}
