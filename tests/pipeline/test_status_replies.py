"""Replies to the email about all matches: a move counts in the match that it names, as long as it's as it was."""

from email.message import EmailMessage

import pytest

from pbem.running.operator_rulings import seat_another
from tests.support.clocks import opened, wait
from tests.support.club import ADDRESS, Club
from tests.support.laid import After
from tests.support.mails import message


def status_of(club: Club, sender: str = "ann@a.example") -> EmailMessage:
    """Return the email about all matches that a player has asked for, in no match."""
    asked = message("status", From=sender, To=ADDRESS, Subject="status", Message_ID=f"<status@{sender}>")
    club.service.hand_in(asked)
    return club.mail(club.queued(kind="status")[-1])


@pytest.mark.parametrize("moves", [(), ("c3", "b2")], ids=["before the first move", "later"])
def test_no_match_is_played_that_is_not_named(club: Club, moves: tuple[str, ...]) -> None:
    """It is about several; which of them would be meant, nobody can know."""
    opened(club, *moves)
    opened(club, *moves)
    status = status_of(club)
    for line in ("d4", "take", "resign"):
        assert club.service.hand_in(club.answer(status, line)).message.status == "rejected", line
    assert [club.moves(1), club.moves(2)] == [list(moves), list(moves)]


def _listed(club: Club) -> None:
    opened(club)
    opened(club)
    status_of(club)


@pytest.fixture
def listed(after: After) -> Club:
    """A club in which Ann is to move in two matches, and has just got the list of them."""
    return after(_listed)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1 e3", (["e3"], [])),
        ("1 e3\n2 c4", (["e3"], ["c4"])),
        ("match 2: c4", ([], ["c4"])),
        ("#1 - e3", (["e3"], [])),
        ("In match 2 I play c4.\n\nBest,\nAnn", ([], ["c4"])),
        ("c4 in 2", ([], ["c4"])),
        ("1 e3; 2 c4", (["e3"], ["c4"])),
        ("Good morning!\n\n[pbem 2] c4\ntz lisbon", ([], ["c4"])),
        ("1 e3\n1 d4", (["e3 d4"], [])),
        ("2 z9\n1 e3", (["e3"], [])),
        ("1 e3\n7 c4", (["e3"], [])),
    ],
)
def test_a_line_that_names_a_match_counts_there(listed: Club, text: str, moves: tuple[list[str], list[str]]) -> None:
    """In the present turn of each, in whatever words an answer may have."""
    assert listed.answer_kind("status", -1, text).message.status == "accepted"
    assert (listed.moves(1), listed.moves(2)) == moves


def test_what_is_set_in_reply_to_the_status_counts(club: Club) -> None:
    """Also before the first move, and after the match went on."""
    opened(club)
    asked = club.newest(0)
    status = status_of(club)
    assert club.service.hand_in(club.answer(status, "tz lisbon")).message.status == "accepted"
    assert club.service.hand_in(club.answer(asked, "c3")).message.status == "accepted"
    wait(club, days=1)
    assert club.service.hand_in(club.answer(status, "remind 1d")).message.status == "accepted"
    calendar = club.match().players[0].calendar
    assert (calendar.zone, calendar.remind) == ("Europe/Lisbon", (86400,))


@pytest.mark.parametrize("moves", [(), ("c3", "b2")], ids=["before the first move", "later"])
def test_the_status_of_a_former_player_proves_no_seat(club: Club, moves: tuple[str, ...]) -> None:
    """Who stands in has a status of their own, and replies to it; the one of before is worth nothing any more."""
    opened(club, *moves)
    before = status_of(club)
    seat_another(club.service, 1, "ann", "Dora <dora@d.example>")
    after = status_of(club, "dora@d.example")
    forged = club.service.hand_in(club.answer(before, "tz lisbon", From="Dora <dora@d.example>"))
    assert forged.message.status != "accepted"
    assert club.match().players[0].calendar.zone == ""
    assert club.service.hand_in(club.answer(after, "tz lisbon")).message.status == "accepted"


@pytest.mark.parametrize("moves", [(), ("c3", "b2")], ids=["before the first move", "later"])
def test_whoever_is_away_comes_back_by_a_reply_to_the_status(club: Club, moves: tuple[str, ...]) -> None:
    """It says so itself; nothing else that could not be taken back follows from it."""
    opened(club, *moves)
    assert club.reply(0, "vacation 10d").message.status == "accepted"
    status = status_of(club)
    for line in ("back\nnew address", "new address"):
        club.service.hand_in(club.answer(status, line))
        assert club.match().players[0].calendar.absences
        assert club.match().players[0].generation == 0
    assert club.service.hand_in(club.answer(status, "back")).message.status == "accepted"
    assert not club.match().players[0].calendar.absences


def test_an_older_status_brings_nobody_back(club: Club) -> None:
    """Others may have got it since, and forge a reply: the player is asked first."""
    opened(club)
    asked = club.newest(0)
    old = status_of(club)
    assert club.service.hand_in(club.answer(asked, "c3")).message.status == "accepted"
    assert club.reply(0, "vacation 10d").message.status == "accepted"
    forged = club.service.hand_in(club.answer(old, "back"))
    assert (forged.message.status, [mail.kind for mail in forged.outbound]) == ("rejected", ["confirm"])
