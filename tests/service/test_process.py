"""One message, one transaction: bugs, dead processes, two workers, and what it costs."""

import asyncio

import pytest
from sqlalchemy import Engine, event

from pbem.ports import Fetched
from tests.support.club import OPERATOR, Club, told
from tests.support.mails import text_of
from tests.support.running import Kill, MakeClub, inbound_messages


def test_a_bug_ends_one_message_and_the_service_goes_on(new_club: MakeClub) -> None:
    """None of its effects is kept, its bytes are, the operator is told, and the next message is processed."""
    failing = True

    def at(passed: str) -> None:
        if passed == "while processing" and failing:
            raise ZeroDivisionError("a bug")

    club = new_club(at=at)
    club.open()
    raw = club.answer(club.newest(0), "c3\nhello")
    arrival = club.service.hand_in(raw)
    assert (arrival.message.status, arrival.message.reason) == ("failed", "ZeroDivisionError: a bug")
    assert "Traceback" in arrival.message.detail
    assert (club.moves(), club.match().comments) == ([], ())
    assert arrival.outbound == ()
    asyncio.run(club.service.deliver())
    (told,) = club.queued(kind="needs")
    assert told.recipient == OPERATOR
    with club.service.database.reading() as tx:
        assert tx.inbound.raw(arrival.message.id) == raw
    assert "ZeroDivisionError: a bug" in text_of(club.mail(told))
    club.reply(0, "c3")
    asyncio.run(club.service.deliver())
    assert len(club.queued(kind="needs")) == 1  # once an hour
    failing = False
    assert club.reply(0, "d4").message.status == "accepted"


def test_a_failed_message_can_be_processed_later(new_club: MakeClub) -> None:
    """Once the bug is mended, the message that met it is settled as if it had just come."""

    def at(waypoint: str) -> None:
        if waypoint == "while processing":
            raise ZeroDivisionError

    club = new_club(at=at)
    club.open()
    number = club.reply(0, "c3").message.id
    mended = new_club()
    with mended.service.database.transaction() as tx:
        assert tx.inbound.requeue(number)
    assert mended.service.process_waiting() == 1
    assert mended.moves() == ["c3"]
    assert inbound_messages(mended)[0].status == "accepted"


def test_a_message_handed_in_again_after_a_death_is_carried_out_once(new_club: MakeClub) -> None:
    """An email server that was not answered tries again: the message it hands in is then carried out, once."""
    dying = True

    def at(waypoint: str) -> None:
        if waypoint == "before processing" and dying:
            raise Kill

    club = new_club(at=at)
    club.open()
    raw = club.answer(club.newest(0), "c3")
    with pytest.raises(Kill):
        club.service.hand_in(raw)
    dying = False
    arrival = club.service.hand_in(raw)
    assert (arrival.message.status, arrival.duplicate) == ("accepted", False)
    assert club.service.hand_in(raw).duplicate
    assert club.moves() == ["c3"]


def test_two_workers_carry_a_message_out_once(new_club: MakeClub) -> None:
    """Two workers that come to the same message carry it out once, and tell its sender once."""
    second = new_club()
    second.open()
    first_is_done = False

    def at(waypoint: str) -> None:
        nonlocal first_is_done
        if waypoint == "before processing" and not first_is_done:
            first_is_done = True
            second.service.processing.process(1)

    club = new_club(at=at)
    arrival = club.reply(0, "c3")
    assert (arrival.message.status, told(arrival)) == ("accepted", [("move_made", 0), ("your_turn", 1)])
    assert club.moves() == ["c3"]


def test_a_message_takes_as_many_statements_however_many_matches_run(club: Club) -> None:
    """With forty matches open, a message takes as many statements as with one, whatever it asks for."""
    counts: dict[str, list[int]] = {}
    statements = 0

    def count(*_: object) -> None:
        nonlocal statements
        statements += 1

    event.listen(Engine, "before_cursor_execute", count)
    try:
        for number in (1, 40):
            while club.open().id < number:
                pass
            for rest in ("say: hello", "help", "hello there, what now", "c3"):
                reply = club.answer(club.newest(0, number), rest)
                statements = 0
                assert club.service.hand_in(reply).message.status in ("accepted", "rejected")
                counts.setdefault(rest, []).append(statements)
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    assert all(few == many > 0 for few, many in counts.values()), counts


@pytest.mark.slow("plays two hundred matches")
def test_two_hundred_matches_are_played_at_once(club: Club) -> None:
    """One move in each of two hundred matches: every one is where it belongs."""
    for _ in range(200):
        club.open()
    mails = {mail.match: mail for mail in club.queued() if mail.seat == 0}
    moves = ["a1", "b2", "c3", "d4", "e5"]
    raw = [club.answer(club.mail(mails[number]), moves[number % 5]) for number in range(1, 201)]
    club.service.receive(Fetched(one) for one in raw)
    assert club.service.process_waiting() == 200
    with club.service.database.reading() as tx:
        assert [match.record[0].text for match in tx.matches.all()] == [moves[n % 5] for n in range(1, 201)]
