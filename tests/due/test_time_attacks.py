"""What somebody who means harm tries with time: to have more of it, to take it from others, to have others mailed."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta

import pytest

from pbem.asking.limits import UNSOLICITED
from pbem.errors import PermanentFailure, ServerFailure
from pbem.mail.compose import OutboundMessage
from pbem.match.timing import deadline_of, time_left
from pbem.settings.model import Settings
from tests.support.clocks import clock, entries, opened, return_email, wait
from tests.support.club import ADDRESS, PLAYERS, Club
from tests.support.fakes import FakeClock, FakeCourier
from tests.support.mails import html_of, message, text_of
from tests.support.year import Postman

ANN = "ann@a.example"
DAY = 86400


@pytest.fixture
def club(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club where nobody has days of vacation, so that time is over when it is over."""
    settings.vacation_days = 0
    return new_club()


def flags(club: Club, number: int = 1) -> int:
    """Return how often time was over in a match."""
    with club.service.database.reading() as tx:
        return sum(entry.kind == "flagged" for entry in tx.clocks.log(number))


def come_back(club: Club, seat: int, number: int = 1) -> None:
    """Let the latest email to a seat that has an envelope sender of its own come back, as its reader can forge it."""
    sent = [mail for mail in club.queued() if (mail.match, mail.seat) == (number, seat) and mail.kind in UNSOLICITED][
        -1
    ]
    return_email(club, sent)


# to have more time


def test_forging_bounces_of_ones_own_notices_stops_no_clock_for_ever(club: Club) -> None:
    """Each email of a turn comes back, whoever caused it, while its reader writes: the time is over all the same.

    The others wait two weeks longer at most.
    """
    opened(club, "c3")
    club.reply(1, "remind 2d 1d 12h 6h 3h")
    for _ in range(40):
        if flags(club):
            break
        club.reply(0, "say: hello?")
        asyncio.run(club.service.deliver())
        come_back(club, 1)
        wait(club, hours=12)
        club.reply(1, "say: still thinking")
        asyncio.run(club.service.deliver())
        wait(club, hours=12)
    assert flags(club)
    assert club.clock.now() - club.match().times[-1] <= timedelta(days=3 + 14)


def test_an_email_that_comes_back_late_gives_no_time_back_that_was_used_before(club: Club) -> None:
    """A reminder is proof that the notice of the turn had arrived; what was spent by then is spent."""
    opened(club, "c3", "b2", days=7)
    wait(club, days=5, minutes=1)
    assert club.queued()[-1].kind == "reminder"
    come_back(club, 0)
    assert clock(club).bank <= 2 * DAY


def test_whoever_writes_in_one_match_does_not_keep_the_clock_of_another_stopped(club: Club) -> None:
    """A bounce there, a word here: the notice of the other match goes out anew, and its time runs."""
    for name in ("Carl <carl@c.example>", "Dora <dora@d.example>"):
        opened(club, "c3", players=(name, "Bob <bob@b.example>"))
    come_back(club, 1, 2)
    assert clock(club, 2).halted == "bounced"
    club.reply(1, "show", match=1)
    asyncio.run(club.service.deliver())
    wait(club, days=3, hours=1)
    assert clock(club, 2).halted == "flagged"


def test_a_pause_or_a_vacation_of_ones_own_does_not_undo_a_flag(club: Club) -> None:
    """Once the others are asked, only they decide how it goes on, or a move."""
    opened(club, "c3", "b2")
    wait(club, days=3)
    for line in ("emergency", "tz Asia/Tokyo", "auto on", "remind 1d", "back"):
        club.reply(0, line)
        wait(club, hours=2)
        assert clock(club).halted == "flagged"
    assert club.reply(1, "claim").message.commands == ("claim",)


def test_another_zone_changes_no_weekend_that_is_past(club: Club) -> None:
    """What was spent is spent by the zone that was theirs then, in every match where weekends are free."""
    for number in (1, 2, 3):
        opened(club, players=(f"p{number}@a.example", "bob@b.example"), weekends="free", days=9)
        club.reply(0, "c3", match=number)
        asyncio.run(club.service.deliver())
    with closing(sqlite3.connect(str(club.service.database.file))) as connection, connection:
        connection.execute("UPDATE matchentry SET text = '?' WHERE match_id = 2")  # which is in nobody's way
    wait(club, days=3, hours=2)
    now = club.clock.now()
    before = [time_left(club.match(number), now) for number in (1, 3)]
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"):
        assert club.reply(1, f"tz {zone}", match=1).message.status == "accepted"
        assert [time_left(club.match(number), now) for number in (1, 3)] == before


def puppets(club: Club, *, seats: int) -> list[str]:
    """Open matches of pairs of sock puppets, and return their addresses."""
    names = [f"puppet{number}@evil.example" for number in range(seats)]
    for pair in zip(names[::2], names[1::2], strict=True):
        club.open("pipline", pair, days=9)
    return names


def test_dead_mailboxes_stop_nobody_elses_clock(settings: Settings, new_club: Callable[..., Club]) -> None:
    """However many somebody makes, and however they are refused: our own server works."""
    settings.vacation_days = 0
    clock_of_all = FakeClock()
    courier = Postman(clock_of_all)
    club = new_club(clock=clock_of_all, courier=courier)
    opened(club, "c3", "b2")
    end = deadline_of(club.match())
    names = puppets(club, seats=20)
    courier.full |= set(names[:15])
    courier.refuses |= set(names[15:])
    club.live(timedelta(days=2), every=timedelta(minutes=23))
    assert {mail.status for mail in club.queued() if mail.recipient in names[:15]} == {"queued"}
    assert club.outages() == []
    assert deadline_of(club.match()) == end
    club.live(timedelta(days=1, minutes=23), every=timedelta(minutes=23))
    assert clock(club).flagged_at == end


def test_an_email_that_the_server_cannot_digest_stops_nobodys_clock_for_long(
    settings: Settings, new_club: Callable[..., Club]
) -> None:
    """Somebody finds words at which the server hangs up, and writes them: after a few attempts the email is suspect."""

    class Choking(FakeCourier):
        """A courier that loses the connection at a word."""

        async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
            """Carry an email."""
            if b"abracadabra" in raw:
                raise ServerFailure("No connection: it has closed the connection.", on_message=True)
            return await super().send(sender, recipient, raw, plain=plain)

    settings.vacation_days = 0
    club = new_club(courier=Choking())
    opened(club, "c3", "b2", days=20)
    club.open("pipline", ("eve@evil.example", "mallory@evil.example"))
    asyncio.run(club.service.deliver())
    club.reply(0, "say: abracadabra", match=2)
    for _ in range(16):
        club.live(timedelta(hours=6), every=timedelta(hours=1))
        club.reply(1, "show")
    lost = club.outages()
    assert len(lost) <= 6
    assert sum(lost, timedelta()) < timedelta(days=2)
    for _ in range(12):
        club.live(timedelta(hours=6), every=timedelta(hours=1))
        club.reply(1, "show")
    assert club.outages() == lost


@pytest.mark.parametrize(("words", "hours"), [("", 8), ("say: abracadabra", 14)], ids=["one email", "two emails"])
def test_an_email_that_the_server_cannot_digest_stops_no_clock_of_a_quiet_host(
    words: str, hours: int, settings: Settings, new_club: Callable[..., Club]
) -> None:
    """Nothing else is sent for days that would show that the server works: each email costs some hours at most."""

    class Choking(FakeCourier):
        """A courier that loses the connection at one recipient's emails, or at a word."""

        async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
            """Carry an email."""
            if (b"abracadabra" in raw) if words else (recipient == "eve@evil.example"):
                raise ServerFailure("No connection: it has closed the connection.", on_message=True)
            return await super().send(sender, recipient, raw, plain=plain)

    settings.vacation_days = 0
    club = new_club(courier=Choking())
    opened(club, "c3", "b2", days=20)
    club.open("pipline", ("eve@evil.example", "mallory@evil.example"), days="none")
    if words:
        asyncio.run(club.service.deliver())
        club.reply(0, words, match=2)
    club.live(timedelta(days=3), every=timedelta(minutes=20))
    lost = club.outages()
    assert timedelta(hours=6) < sum(lost, timedelta()) < timedelta(hours=hours)
    club.live(timedelta(days=3), every=timedelta(minutes=20))
    assert club.outages() == lost


# to take time, or a match, from others


def test_a_server_that_refuses_everything_flags_nobody(
    club: Club, settings: Settings, new_club: Callable[..., Club]
) -> None:
    """One email at a time is due, as on a small host, and the service begins anew now and then."""
    opened(club, "c3", "b2")
    end = deadline_of(club.match())
    assert end
    club.live(timedelta(hours=5), every=timedelta(minutes=15))
    club.reply(1, "show")
    club.courier.fail([ServerFailure("421 4.3.2 Not now")] * 10_000)
    for _ in range(4):
        club.live(timedelta(days=2), every=timedelta(hours=1))
        asyncio.run(club.service.close())
        club = new_club(clock=club.clock, courier=club.courier)
    assert (flags(club), len(club.queued(status="queued"))) == (0, 1)
    club.courier.repair()
    club.live(timedelta(hours=1))
    (outage,) = club.outages()
    assert timedelta(days=8) <= outage <= timedelta(days=8, minutes=30)
    assert deadline_of(club.match()) == end + outage
    wait(club, days=3)
    assert clock(club).flagged_at == end + outage


def test_a_server_that_refuses_everything_for_good_flags_nobody_either(club: Club) -> None:
    """It is on a list of spammers, for instance: each clock stops, or never runs, as its player's email was refused."""
    opened(club, "c3", "b2")  # Ann has had her email, and her clock runs
    opened(club, "c3", players=PLAYERS[1:])
    club.courier.fail([PermanentFailure("554 5.7.1 We have found you on a list")] * 10_000)
    club.reply(1, "d4", match=2)  # Bob is to act, and is never told
    club.live(timedelta(days=13), every=timedelta(hours=1))
    assert [clock(club, number).halted for number in (1, 2)] == ["bounced", "bounced"]
    assert [clock(club, number).since for number in (1, 2)] == [None, None]
    assert (flags(club, 1), flags(club, 2)) == (0, 0)


def test_an_old_email_claims_nothing(club: Club) -> None:
    """Who has got one of somebody's may forge it: the player is asked first."""
    opened(club, "c3", "b2", "b4")
    old = club.mail(next(mail for mail in club.queued() if mail.seat == 0))
    wait(club, days=3)
    assert clock(club).halted == "flagged"
    forged = club.service.hand_in(club.answer(old, "claim"))
    assert (forged.message.status, [mail.kind for mail in forged.outbound]) == ("rejected", ["confirm"])
    assert club.match().outcome is None


def test_an_old_email_gives_no_time_away_and_brings_nobody_back(
    settings: Settings, new_club: Callable[..., Club]
) -> None:
    """Who has got one of somebody's may forge it: what its player could not undo, they are asked about first."""
    settings.vacation_days = 30
    club = new_club()
    opened(club, "c3", "b2", "b4", "d2")
    old = club.mail(next(mail for mail in club.queued() if mail.seat == 1))
    club.reply(1, "vacation 2026-11-20 - 2026-12-03")
    club.reply(0, "pause 10d")
    away, before = club.match().players[1].calendar, clock(club)
    for line in ("back", "give 9d", "pause 10d"):
        forged = club.service.hand_in(club.answer(old, line))
        assert (forged.message.status, [mail.kind for mail in forged.outbound]) == ("rejected", ["confirm"])
    assert (club.match().players[1].calendar, clock(club)) == (away, before)
    asked = club.mail(club.queued(kind="confirm")[0])
    home = club.service.hand_in(club.answer(asked, "back"))
    assert (home.message.status, home.message.commands) == ("accepted", ("back",))


def test_who_has_left_the_match_claims_gives_and_pauses_nothing(club: Club) -> None:
    """Nor does anybody who never sat in it."""
    club.open("zipline", PLAYERS, days=3)
    asyncio.run(club.service.deliver())
    for seat, move in ((0, "c3"), (1, "take")):
        club.reply(seat, move)
    club.reply(0, "resign")
    asyncio.run(club.service.deliver())
    wait(club, days=3)
    before = clock(club)
    assert before.halted == "flagged"
    for line in ("claim", "give 3d", "wait 3d", "pause 3d", "pause off"):
        assert club.reply(0, line).message.status == "rejected"
        assert club.reply(1, line, From="Eve <eve@e.example>").message.status == "rejected"
    assert clock(club) == before


def test_one_player_cannot_agree_to_a_pause_for_both(club: Club) -> None:
    """Neither by saying it again, nor by a yes to their own email, or from another address of theirs."""
    opened(club, "c3")
    with club.service.database.transaction() as tx:
        tx.players.add_address(club.match().players[0], "ann@home.example")
    ann, home, eve = "Ann <ann@a.example>", "Ann <ann@home.example>", "Bob <eve@e.example>"
    for line, sender in (("pause 10d", ann), ("yes", ann), ("pause 10d", home), ("yes", eve)):
        club.reply(0, line, From=sender)
        asyncio.run(club.service.deliver())
    assert clock(club).pause is None
    proposal = clock(club).proposal
    assert proposal
    assert proposal.seats == (0,)


def test_a_yes_to_the_pause_of_one_match_pauses_no_other(club: Club) -> None:
    """Whatever was proposed where."""
    for _ in range(2):
        opened(club, "c3")
    for number in (1, 2):
        club.reply(0, "pause 10d", match=number)
        asyncio.run(club.service.deliver())
    club.reply(1, "yes", match=2)
    assert clock(club, 1).pause is None
    assert clock(club, 2).pause


@pytest.mark.parametrize("sender", ["Bob <bob@b.example>", "Eve <eve@e.example>"])
def test_a_forged_automatic_reply_offers_nothing_to_anybody_else(club: Club, sender: str) -> None:
    """An opponent answers their own email in the name of another, or a stranger in their own."""
    opened(club, "c3")
    away = {"Auto_Submitted": "auto-replied", "From": sender, "Subject": "Out of office"}
    raw = club.answer(club.newest(0), "I am on vacation from 2026-12-01 to 2026-12-09.", **away)
    assert club.service.hand_in(raw).message.status == "discarded"
    assert [player.calendar.away for player in club.match().players] == [None, None]


# to have others mailed


def mailed(club: Club, name: str) -> int:
    """Return how many emails went to an address so far."""
    return sum(mail.recipient == name for mail in club.queued())


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "lines",
    [("vacation 2026-12-01 - 2026-12-03", "back"), ("give 1h",), ("pause 3d", "pause off"), ("unsubscribe", "resume")],
    ids=lambda lines: lines[0].split()[0],
)
def test_news_of_time_fill_nobodys_mailbox(
    settings: Settings, new_club: Callable[..., Club], lines: tuple[str, ...]
) -> None:
    """However often somebody changes their mind, and in however many of their emails."""
    settings.vacation_days = 300
    club = new_club()
    opened(club, "c3", "b2", days=50)
    first = club.newest(1)
    before = mailed(club, ANN)
    number = club.service.hand_in(club.answer(first, "show")).message.id
    with club.service.database.transaction() as tx:  # as if it had gone on like this for a while
        mails = [OutboundMessage(f"<{n}@x>", "time_news", ANN, "?", b"x", 1, 0, number) for n in range(80)]
        tx.outbound.enqueue(mails, club.clock.now())
    for _ in range(30):
        for line in lines:
            club.service.hand_in(club.answer(first, line))
        club.clock.advance(timedelta(minutes=1))
    assert mailed(club, ANN) - before <= 100


def test_no_opponents_together_fill_a_mailbox_with_news_of_time(club: Club) -> None:
    """What somebody gets of them in a day is limited, whoever causes it, like comments; moves go on."""
    opened(club, "c3", "b2", days=30)
    turn, now = club.newest(0), club.clock.now()
    with club.service.database.transaction() as tx:
        tx.outbound.enqueue(
            [OutboundMessage(f"<{n}@x>", "time_news", "ann@a.example", "?", b"x", 1, 0, None) for n in range(150)], now
        )
    refused = club.reply(1, "give 1d")
    assert (refused.message.status, refused.message.reason) == ("rejected", "too_often")
    assert [mail.recipient for mail in refused.outbound] == ["bob@b.example"]
    away = club.reply(1, "emergency")  # which nobody can keep them from
    assert (away.message.status, [mail.recipient for mail in away.outbound]) == ("accepted", ["bob@b.example"])
    assert club.match().players[1].calendar.absences
    assert club.service.hand_in(club.answer(turn, "b4")).message.status == "accepted"


def test_being_away_in_many_matches_is_told_in_few_emails_a_day(
    settings: Settings, new_club: Callable[..., Club]
) -> None:
    """Somebody who plays many opponents at once reaches each of them rarely."""
    settings.vacation_days = 300
    club = new_club()
    for number in range(12):
        opened(club, players=(f"p{number}@a.example", "bob@b.example"), days=30)
        club.reply(0, "c3", match=number + 1)
    before = len(club.queued())
    first = club.newest(1)
    for _ in range(20):
        for line in ("vacation 2026-12-01 - 2026-12-03", "back"):
            club.service.hand_in(club.answer(first, line))
    assert len(club.queued()) - before <= 130


def test_who_uses_up_a_players_share_cannot_keep_them_from_going_away(
    settings: Settings, new_club: Callable[..., Club]
) -> None:
    """Somebody with an old email asks for boards all day: the vacation counts, though it is told to nobody."""
    settings.vacation_days = 30
    club = new_club()
    opened(club, "c3")
    turn, now = club.newest(1), club.clock.now()
    number = club.service.hand_in(club.answer(turn, "show")).message.id
    with club.service.database.transaction() as tx:
        mails = [
            OutboundMessage(f"<{n}@x>", "show", "bob@b.example", "?", b"x", None, None, number) for n in range(100)
        ]
        tx.outbound.enqueue(mails, now)
    for line in ("vacation 2026-12-01 - 2026-12-03", "give 3d\nemergency"):
        away = club.service.hand_in(club.answer(turn, line))
        assert (away.message.status, away.outbound) == ("accepted", ())
    assert len(club.match().players[1].calendar.absences) == 2
    assert entries(club) == []
    assert club.service.hand_in(club.answer(turn, "pause 3d")).message.reason == "too_often"


def test_nobody_is_told_of_their_own_absence_in_every_match(club: Club) -> None:
    """They get one answer; those who wait for them get one email for each match."""
    for number in range(5):
        opened(club, "c3", players=(f"p{number}@a.example", "bob@b.example"))
    away = club.reply(1, "emergency", match=2)
    assert sorted(mail.recipient for mail in away.outbound) == ["bob@b.example", *(f"p{n}@a.example" for n in range(5))]


def test_a_stranger_has_a_player_sent_few_emails_in_their_name(club: Club) -> None:
    """Without any email of ours one may only ask for the status, which goes to the player, a few times a day."""
    opened(club, "c3")
    before = mailed(club, "bob@b.example")
    for number in range(40):
        head = {"From": "bob@b.example", "To": ADDRESS, "Subject": "status", "Message_ID": f"<{number}@e.example>"}
        club.service.hand_in(message("status", **head))
    assert 0 < mailed(club, "bob@b.example") - before <= 5


# what others learn


PRIVATE = ("emergency", "Kiritimati", "kiritimati", "home.example", "allowance", "remind")


def test_what_others_are_told_of_time_holds_nothing_private(club: Club) -> None:
    """No address, no zone, no reminders, no quiet hours, and not whether an absence is a vacation or an emergency."""
    opened(club, "c3")
    with club.service.database.transaction() as tx:
        tx.players.add_address(club.match().players[1], "bob@home.example")
    lines = ("tz Pacific/Kiritimati", "remind 1d", "quiet 1-6", "auto off", "emergency", "back", "unsubscribe")
    for line in lines:
        assert club.reply(1, line).message.status == "accepted"
        asyncio.run(club.service.deliver())
        club.clock.advance(timedelta(minutes=5))
    wait(club, days=10)
    news = [club.mail(mail) for mail in club.queued() if mail.seat == 0 and mail.kind in ("time_news", "time_up")]
    assert len(news) >= 4
    for mail in news:
        text = f"{mail['Subject']} {text_of(mail)} {html_of(mail)}"
        assert [word for word in PRIVATE if word in text] == []
