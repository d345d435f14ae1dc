"""Being forgotten meets following: nothing of either stays behind, and no name that is taken out breaks anything."""

import asyncio
from datetime import timedelta

import pytest

from pbem.running.operator_rulings import find_stranger, find_to_forget, forget_player, forget_stranger
from pbem.running.service import Arrival
from tests.support.bounces import addressed, postfix
from tests.support.club import Club
from tests.support.forgetting import EMAIL, WANDA, be_forgotten, unpacked, write
from tests.support.mails import text_of

BOB, CARL = "Bob <bob@b.example>", "Carl <carl@c.example>"
ZOE = "zoe@z.example"


def follow(club: Club, number: int, sender: str = ZOE) -> Arrival:
    """Let somebody follow a match."""
    assert write(club, f"watch {number}", sender).message.status == "accepted"
    return club.service.hand_in(club.answer(club.mail(club.queued(kind="confirm_follow")[-1]), "yes"))


def later(club: Club, hours: int = 2) -> None:
    """Let time pass, and a pass of the service come."""
    club.clock.advance(timedelta(hours=hours))
    asyncio.run(club.service.deliver())


def answer(club: Club, text: str, reader: str, *, quoting: bool = False) -> Arrival:
    """Let a follower answer the latest email about a match."""
    mail = club.mail([mail for mail in club.queued(kind="followed") if mail.recipient == reader][-1])
    quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines()) if quoting else ""
    return club.service.hand_in(club.answer(mail, f"{text}\n\n{quoted}"))


def kept(club: Club) -> str:
    """Return all that stands in the database, in small letters."""
    assert club.service.database.file
    return unpacked(club.service.database.file)


def test_a_followers_answer_that_quotes_a_player_keeps_nothing_of_them(club: Club) -> None:
    """Nor do emails to followers, nor what the player followed and wrote there, nor a bounce of what named them."""
    club.open("pipline", (WANDA, BOB))
    club.open("pipline", (BOB, CARL))
    follow(club, 1)
    follow(club, 2, EMAIL)
    later(club)
    club.reply(0, "c3\n\nbalderdash my friend, such a fine day")
    club.reply(0, "c3", match=2)
    later(club)
    answer(club, "Nice move, Wandalina!", ZOE, quoting=True)
    answer(club, "lollygag here?", EMAIL, quoting=True)
    theirs = next(mail for mail in club.queued(kind="your_turn") if mail.recipient == "bob@b.example")
    proven = addressed(postfix(club.mail(theirs)), club.envelope_of(theirs))
    bounces = [club.service.hand_in(one) for one in (postfix(club.newest(1), "5.1.2"), proven)]
    assert [(one.message.code, one.message.match) for one in bounces] == [("bounce", None), ("bounce", 1)]
    traces = ("wandalina", "zephyr", "balderdash", "lollygag")
    assert [trace for trace in traces if trace not in kept(club)] == []
    be_forgotten(club)
    later(club)
    assert [trace for trace in traces if trace in kept(club)] == []


@pytest.mark.parametrize("name", ["On", "1", "Over"])
def test_a_forgotten_player_whose_name_is_a_word_of_ours_stops_no_email(
    club: Club, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What says up to where a follower was told holds such words; damaged, it stopped all sending."""
    club.open("zipline", (f"{name} <{EMAIL}>", BOB, CARL))
    follow(club, 1)
    club.reply(0, "d4\n\nhello everybody")
    later(club)
    forget_player(club.service, find_to_forget(club.service, EMAIL))
    later(club)
    club.reply(1, "c2")
    later(club)
    told = [text_of(club.mail(mail)) for mail in club.queued(kind="followed")]
    assert len(told) == 4
    assert "c2" in told[-1]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("hold", ["answer", "new"])
def test_a_follower_who_wants_to_be_forgotten_follows_no_longer(club: Club, hold: str) -> None:
    """They are no player; what is kept of them is for the operator to erase, which they read."""
    club.open()
    follow(club, 1)
    later(club)
    wanted = answer(club, "forget me", ZOE) if hold == "answer" else write(club, "forget me", ZOE)
    assert [(mail.kind, mail.recipient) for mail in wanted.outbound] == [("following", ZOE)]
    with club.service.database.reading() as tx:
        assert tx.followers.of_address(ZOE) == []


def test_the_operator_forgets_an_address_that_only_follows(club: Club) -> None:
    """Nothing of it is left; a player's address, or one that nobody knows, is none of those."""
    club.open()
    follow(club, 1)
    answer(club, "b2", ZOE)
    later(club)
    assert "z.example" in kept(club)
    assert find_stranger(club.service, f"Zoe <{ZOE.upper()}>") == ZOE
    assert [find_stranger(club.service, who) for who in ("ann@a.example", "eve@e.example", "Ann", "")] == [""] * 4
    forget_stranger(club.service, ZOE)
    assert "z.example" not in kept(club)
    club.reply(0, "c3")
    later(club)
    assert not [mail for mail in club.queued() if mail.recipient == ZOE]


def test_a_player_who_asks_in_answer_to_what_they_follow_is_asked(club: Club) -> None:
    """They play elsewhere: the question goes to them as from any other email."""
    club.open("pipline", (WANDA, BOB))
    club.open("pipline", (BOB, CARL))
    follow(club, 2, EMAIL)
    assert [(mail.kind, mail.recipient) for mail in answer(club, "forget me", EMAIL).outbound] == [("forget", EMAIL)]


def test_thanks_for_a_match_that_is_over_are_not_told_that_they_follow_it(club: Club) -> None:
    """Who follows no longer is answered as anybody is, not offered to end it."""
    club.open()
    follow(club, 1)
    club.reply(0, "c3")
    club.reply(1, "resign")
    later(club)
    assert answer(club, "Thank you!", ZOE).message.code == "unknown_sender"
