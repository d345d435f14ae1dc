"""Blocked senders: what they try so that something counts, or so that they learn that they are blocked."""

import pytest

from pbem.errors import BadInput
from tests.support.bounces import postfix
from tests.support.club import ADDRESS, PLAYERS, Club
from tests.support.counting import counting
from tests.support.mails import message


def block(club: Club, sender: str) -> None:
    """Block a mailbox or a domain."""
    with club.service.database.transaction() as tx:
        assert tx.blocked.add(sender, "a note", club.clock.now())


@pytest.mark.parametrize("blocked", ["ann@a.example", "@a.example"])
def test_nothing_that_a_blocked_sender_writes_counts(club: Club, blocked: str) -> None:
    """No move, no word, no preference: the message ends, and there is no email to anybody."""
    club.open()
    block(club, blocked)
    for words in ("c3", "resign", "say: hello", "help", "show", "unsubscribe", "nonsense"):
        ended = club.reply(0, words)
        assert (ended.message.status, ended.message.reason, ended.outbound) == ("discarded", "blocked", ()), words
        assert (club.moves(), club.match().outcome, club.match().comments) == ([], None, ()), words
    assert not club.match().players[0].preferences.muted


def test_another_spelling_of_a_blocked_address_is_blocked_and_nobody_else(club: Club) -> None:
    """Letter case, names and subaddresses do not lead around it; addresses that begin or end alike are of others."""
    block(club, "ann@a.example")
    block(club, "@a.example.com")
    blocked = (
        *("ANN@A.EXAMPLE", "ann+x@a.example", "ann+@a.example", "Ann <Ann+Games+2@a.example>", '"Bob" <ann@a.example>'),
    )
    others = ("joann@a.example", "ann@b.a.example", "ann@a.example.org", "ann@xa.example")
    found = {sender: club.write("hello", sender, To=ADDRESS).message.reason for sender in (*blocked, *others)}
    assert found == dict.fromkeys(blocked, "blocked") | dict.fromkeys(others, "unknown_sender")


def test_a_blocked_stranger_is_told_nothing(club: Club) -> None:
    """Neither about the block nor, as other strangers are, that nobody knows them."""
    block(club, "@m.example")
    for number in range(3):
        raw = message("hello", From=f"m{number}@m.example", To=ADDRESS, Message_ID=f"<{number}@m.example>")
        assert club.service.hand_in(raw).outbound == ()
    assert club.queued() == []


def test_a_blocked_player_cannot_write_through_another_address(club: Club) -> None:
    """Their reply token works from nowhere else: they are not asked, since they get no emails, as ``block`` sees to."""
    club.open()
    mail = club.newest(0)
    block(club, "ann@a.example")
    with club.service.database.transaction() as tx:
        tx.players.set_preference(club.match().players[0], "muted", True)
    arrival = club.service.hand_in(club.answer(mail, "c3", From="ann2@x.example"))
    assert (arrival.message.reason, arrival.outbound) == ("unknown_address", ())


def test_a_bounce_from_a_blocked_domain_counts_nothing(club: Club) -> None:
    """Whoever runs a mail server cannot make the operator write to themselves once it is blocked."""
    club.open()
    block(club, "@mx.play.example")
    for number in range(3):
        assert club.service.hand_in(postfix(club.newest(0), f"5.1.{number}")).message.reason == "blocked"
    with club.service.database.reading() as tx:
        assert tx.players.bouncing() == []


def test_a_forged_blocked_sender_keeps_nobody_out(club: Club) -> None:
    """Messages in the name of a blocked address end, and others go on."""
    club.open()
    block(club, "mallory@m.example")
    club.reply(0, "resign", From="mallory@m.example")
    assert club.reply(0, "c3").message.status == "accepted"


@pytest.mark.parametrize("blocked", ["bob@b.example", "@b.example"])
@pytest.mark.parametrize("typed", ["Bob <bob@b.example>", "bob@b.example", "bob+x@b.example"])
def test_a_blocked_address_gets_no_seat(club: Club, blocked: str, typed: str) -> None:
    """Neither a player nor a newcomer, and no match is left behind."""
    block(club, blocked)
    with pytest.raises(BadInput, match="is blocked"):
        club.open("pipline", (PLAYERS[0], typed))
    assert club.queued() == []


def test_a_blocked_player_gets_no_seat_by_name(club: Club) -> None:
    """One blocked address is enough."""
    club.open()
    block(club, "bob@b.example")
    with pytest.raises(BadInput, match="is blocked"):
        club.open("pipline", ("Ann", "Bob"))


def test_an_unblocked_sender_counts_again(club: Club) -> None:
    """From the next message on."""
    club.open()
    block(club, "ann@a.example")
    club.reply(0, "c3")
    with club.service.database.transaction() as tx:
        assert tx.blocked.remove("ann@a.example")
        assert not tx.blocked.remove("ann@a.example")
    assert club.reply(0, "d4").message.status == "accepted"


def test_a_look_at_the_blocked_is_one_statement(club: Club) -> None:
    """However many are blocked: mailbox and domain are looked up together, by the key of the table."""
    for number in range(50):
        block(club, f"m{number}@m.example")
    with club.service.database.reading() as tx, counting() as counts:
        assert tx.blocked.has("m7+x@m.example")
    assert counts["statements"] == 1
