"""Sending what is queued: once, later, or never."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest

from pbem.errors import Busy, LoginRefused, PermanentFailure, ServerFailure, TransientFailure
from pbem.notices.notice_kinds import notice_kinds
from pbem.pipeline.deliver import _WANTS_BOUNCES, DeliveryReport
from pbem.storage.transaction import Transaction
from tests.support.bounces import addressed, postfix
from tests.support.club import OPERATOR, Club
from tests.support.fakes import FakeCourier
from tests.support.mails import read
from tests.support.running import MakeClub

TRANSIENT = TransientFailure("451 try again later")
LOST = ServerFailure("No connection to the SMTP server.")


async def test_what_is_queued_is_sent_once(club: Club) -> None:
    """A pass sends what is due, the oldest first, as it was written."""
    club.open()
    assert await club.service.deliver() == DeliveryReport(sent=2)
    assert await club.service.deliver() == DeliveryReport()
    assert [recipient for recipient, _ in club.courier.carried] == ["ann@a.example", "bob@b.example"]
    assert {mail.status for mail in club.queued()} == {"sent"}
    assert read(club.courier.carried[0][1])["Message-ID"] == club.queued()[0].message_id


async def test_an_email_that_cannot_be_sent_now_is_sent_later(new_club: MakeClub) -> None:
    """The delay doubles up to six hours; the email stays the same to the byte."""
    club = new_club(courier=FakeCourier(None, *[TRANSIENT] * 12))
    club.open()
    assert await club.service.deliver() == DeliveryReport(sent=1, deferred=1)
    waits = []
    while (mail := club.queued()[1]).status == "queued":
        assert mail.error == "451 try again later"
        waits.append(mail.due_at - club.clock.now())
        club.clock.advance(waits[-1] - timedelta(seconds=1))
        assert await club.service.deliver() == DeliveryReport()
        club.clock.advance(timedelta(seconds=1))
        await club.service.deliver()
    minutes = [wait / timedelta(minutes=1) for wait in waits]
    assert minutes == [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]
    with club.service.database.reading() as tx:
        assert club.courier.carried[-1] == ("bob@b.example", tx.outbound.raw(mail.id))


async def test_an_email_put_off_into_a_wrong_future_is_sent_after_the_next_start(club: Club) -> None:
    """Nothing else shows that the clock was wrong: it was so between two heartbeats, and the service was killed."""
    club.open()
    far = club.clock.now() + timedelta(days=40)
    with club.service.database.transaction() as tx:
        for email in club.queued():
            tx.outbound.note_attempt(email.id, "queued", "451 try again later", far)
    assert await club.service.deliver() == DeliveryReport(sent=2)


async def test_an_email_is_given_up_after_five_days(new_club: MakeClub) -> None:
    """It is then refused, with the last reason, and visible as such."""
    club = new_club(courier=FakeCourier(None, *[TRANSIENT] * 100))
    club.open()
    opened_at = club.clock.now()
    await club.service.deliver()
    while club.queued()[1].status == "queued":
        club.clock.advance(timedelta(hours=1))
        await club.service.deliver()
    assert timedelta(days=4, hours=12) < club.clock.now() - opened_at <= timedelta(days=5, hours=12)
    assert club.queued()[1].status == "refused"
    assert club.queued()[1].error.endswith("451 try again later")


async def test_an_email_that_can_never_be_sent_is_refused(new_club: MakeClub) -> None:
    """It is not tried again, and the others go out."""
    club = new_club(courier=FakeCourier(PermanentFailure("550 no such user")))
    club.open(days="none")
    assert await club.service.deliver() == DeliveryReport(sent=1, refused=1)
    assert [(mail.status, mail.error) for mail in club.queued(status="refused")] == [("refused", "550 no such user")]
    club.clock.advance(timedelta(days=1))
    assert await club.service.deliver() == DeliveryReport(sent=1)
    assert [mail.kind for mail in club.queued()] == ["opened", "opened", "needs"]


async def test_after_three_failures_in_a_row_a_pass_ends(new_club: MakeClub) -> None:
    """A server that is down is not asked for every email; one failure among others does not end the pass."""
    club = new_club(courier=FakeCourier(LOST, None, LOST, LOST, LOST))
    for _ in range(4):
        club.open()
    assert await club.service.deliver() == DeliveryReport(sent=1, deferred=4, behind=True)
    assert len([mail for mail in club.queued(status="queued") if not mail.error]) == 3


async def test_mailboxes_that_take_nothing_end_no_pass(new_club: MakeClub) -> None:
    """However many of them come one after the other: the server works, and the others get their email."""
    club = new_club(courier=FakeCourier(*[TRANSIENT] * 7))
    for _ in range(4):
        club.open()
    assert await club.service.deliver() == DeliveryReport(sent=1, deferred=7)


async def test_an_email_waits_for_our_own_server_as_long_as_that_fails(new_club: MakeClub) -> None:
    """It is not at fault, so it is never given up for that, and it goes out soon after the server is back."""
    club = new_club()
    club.open()
    opened_at = club.clock.now()
    while club.clock.now() < opened_at + timedelta(days=30):
        club.courier.fail([LOST] * 2)
        assert (await club.service.deliver()).behind
        club.clock.advance(timedelta(hours=6))
    assert {(mail.status, mail.attempts <= 1) for mail in club.queued()} == {("queued", True)}
    club.courier.fail([TRANSIENT])
    assert await club.service.deliver() == DeliveryReport(sent=1, deferred=1)


async def test_our_own_server_is_asked_again_within_a_quarter_of_an_hour(new_club: MakeClub) -> None:
    """Other than a mailbox that takes nothing: the delay grows with the time for which sending has been behind."""
    club = new_club(courier=FakeCourier(None, *[LOST] * 8))
    club.open()
    waits = []
    while (await club.service.deliver()).behind:
        (mail,) = club.queued(status="queued")
        waits.append((mail.due_at - club.clock.now()) / timedelta(minutes=1))
        club.clock.advance(mail.due_at - club.clock.now())
    assert waits == [1, 1, 2, 4, 8, 15, 15, 15]


async def test_an_email_put_off_by_a_wrong_clock_goes_out_when_that_is_set_back(new_club: MakeClub) -> None:
    """It was put off by a minute, at a time that comes again in half an hour."""
    club = new_club(courier=FakeCourier(TRANSIENT, TRANSIENT))
    club.open()
    assert await club.service.deliver() == DeliveryReport(deferred=2)
    club.clock.advance(timedelta(minutes=-30))
    assert await club.service.deliver() == DeliveryReport()
    club.service.heartbeats.set_right()
    assert await club.service.deliver() == DeliveryReport(sent=2)


async def test_a_refused_login_stops_the_pass(new_club: MakeClub) -> None:
    """It is raised, for it needs a person; the email is tried again in a minute."""
    club = new_club(courier=FakeCourier(LoginRefused("535 wrong password")))
    club.open()
    with pytest.raises(LoginRefused):
        await club.service.deliver()
    assert [mail.status for mail in club.queued()] == ["queued", "queued"]
    club.clock.advance(timedelta(minutes=1))
    assert await club.service.deliver() == DeliveryReport(sent=2)


async def test_refused_logins_do_not_count_as_attempts(new_club: MakeClub) -> None:
    """Nothing is wrong with an email when the server refuses us: however long that lasts, it is tried after it."""
    club = new_club(courier=FakeCourier(*[LoginRefused("535 no")] * 40, TransientFailure("451 later")))
    club.open()
    for _ in range(40):
        with pytest.raises(LoginRefused):
            await club.service.deliver()
        club.clock.advance(timedelta(minutes=15))
    await club.service.deliver()
    assert club.queued(status="refused") == []


def let_notes_fail(club: Club, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Let the database fail so many times after the first email was sent; without a pause between two tries."""
    share, left = club.service.database.share, [times]

    def fail(action: Callable[[Transaction], Any]) -> Any:
        if club.courier.carried and left[0]:
            left[0] -= 1
            raise Busy("The database cannot be used now: the server is away.")
        return share(action)

    monkeypatch.setattr(club.service.database, "share", fail)
    monkeypatch.setattr(import_module("pbem.pipeline.deliver"), "_ASK_AGAIN", 0)


@pytest.mark.parametrize("times", [1, 2, 3, 9])
async def test_what_was_sent_while_the_database_failed_is_not_sent_again(
    new_club: MakeClub, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """The pass waits until the database can be told, and sends nothing else meanwhile."""
    club = new_club(courier=WideCourier())
    for _ in range(4):
        club.open()
    let_notes_fail(club, monkeypatch, times)
    with pytest.raises(Busy):
        await club.service.deliver()
    sent = len(club.courier.carried)
    assert 1 <= sent <= WideCourier.connections
    assert len(club.queued(status="sent")) == sent
    club.clock.advance(timedelta(minutes=10))
    await club.service.deliver()
    assert len(club.courier.carried) == len(club.queued(status="sent")) == 8


async def test_a_database_that_fails_for_long_is_not_waited_for_for_ever(
    new_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then what was sent is sent once more when its claim has ended: nobody knows any more that it was."""
    club = new_club(courier=FakeCourier())
    club.open()
    with monkeypatch.context() as patched:
        let_notes_fail(club, patched, 10**9)
        patched.setattr(import_module("pbem.pipeline.deliver"), "_LONGEST_WAIT", 0.05)
        with pytest.raises(Busy):
            await club.service.deliver()
    assert len(club.queued(status="queued")) == 2
    club.clock.advance(timedelta(minutes=59))
    await club.service.deliver()
    assert len(club.courier.carried) == 2
    club.clock.advance(timedelta(minutes=1))
    await club.service.deliver()
    assert len(club.courier.carried) == 3


async def test_what_was_sent_before_a_pass_is_stopped_is_not_sent_again(new_club: MakeClub) -> None:
    """A service that ends gives its pass ten seconds, and one email may be under way longer than that."""

    class StuckCourier(FakeCourier):
        """A courier that carries the first email, and never comes back with the second."""

        connections = 2
        carrying = asyncio.Event()

        async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
            """Carry one."""
            if self.carried:
                await asyncio.Event().wait()
            self.carrying.set()
            return await super().send(sender, recipient, raw, plain=plain)

    club = new_club(courier=StuckCourier())
    club.open()
    sending = asyncio.create_task(club.service.deliver())
    await StuckCourier.carrying.wait()
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert [mail.status for mail in club.queued()] == ["sent", "queued"]


async def test_a_refused_login_is_told_though_the_database_fails(
    new_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs a person; a database that is away for a moment does not."""

    class RefusedCourier(FakeCourier):
        """A courier whose login is refused once, while the database fails."""

        async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
            """Break the database first."""
            if not self.carried:
                patched.setattr(club.service.database, "transaction", fail)
            return await super().send(sender, recipient, raw, plain=plain)

    def fail(**kind: bool) -> Any:
        if left.pop():
            raise Busy("The database cannot be used now: the server is away.")
        patched.undo()
        return club.service.database.transaction(**kind)

    left = [False, True, True, True]
    club = new_club(courier=RefusedCourier(LoginRefused("535 wrong password")))
    club.open()
    monkeypatch.setattr(import_module("pbem.pipeline.deliver"), "_ASK_AGAIN", 0)
    with monkeypatch.context() as patched, pytest.raises(LoginRefused):
        await club.service.deliver()
    club.clock.advance(timedelta(minutes=10))
    club.courier.carried.append(("", b""))
    assert await club.service.deliver() == DeliveryReport(sent=2)


async def test_two_workers_do_not_send_the_same_email(new_club: MakeClub) -> None:
    """While one is sending, the other leaves that email alone."""
    other = new_club()
    passes: list[DeliveryReport] = []

    class SlowCourier(FakeCourier):
        """A courier during whose work the other worker makes a pass."""

        async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
            """Let the other work first."""
            if not passes:
                passes.append(await other.service.deliver())
            return await super().send(sender, recipient, raw, plain=plain)

    club = new_club(courier=SlowCourier())
    club.open()
    assert await club.service.deliver() == DeliveryReport(sent=1)
    assert passes == [DeliveryReport(sent=1)]
    assert len({raw for _, raw in club.courier.carried + other.courier.carried}) == 2


class WideCourier(FakeCourier):
    """A courier that sends three emails at once, and waits until as many as it can take have begun."""

    connections = 3

    def __init__(self, *failures: Exception | None) -> None:
        super().__init__(*failures)
        self.under_way = self.most_under_way = 0

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Carry an email while others are carried."""
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            for _ in range(3):
                await asyncio.sleep(0)
            return await super().send(sender, recipient, raw, plain=plain)
        finally:
            self.under_way -= 1


async def test_several_emails_are_sent_at_once(new_club: MakeClub) -> None:
    """As many as the courier has connections, each once."""
    courier = WideCourier()
    club = new_club(courier=courier)
    for _ in range(5):
        club.open()
    assert await club.service.deliver() == DeliveryReport(sent=10)
    assert courier.most_under_way == 3
    assert len({raw for _, raw in courier.carried}) == 10


async def test_three_failures_in_a_row_end_all_that_is_sent_at_once(new_club: MakeClub) -> None:
    """What is under way ends; nothing new is begun."""
    club = new_club(courier=WideCourier(*[LOST] * 20))
    for _ in range(5):
        club.open()
    report = await club.service.deliver()
    assert report.sent == 0
    assert 3 <= report.deferred <= 5
    assert len([mail for mail in club.queued() if not mail.error]) == 10 - report.deferred


async def test_a_refused_login_lets_what_is_under_way_end(new_club: MakeClub) -> None:
    """The emails that other connections are sending are sent, and noted as sent: none goes out twice."""
    courier = WideCourier(LoginRefused("535 wrong password"))
    club = new_club(courier=courier)
    for _ in range(5):
        club.open()
    with pytest.raises(LoginRefused):
        await club.service.deliver()
    carried = len(courier.carried)
    assert carried == 2
    assert len(club.queued(status="sent")) == carried
    club.clock.advance(timedelta(minutes=1))
    assert await club.service.deliver() == DeliveryReport(sent=10 - carried)
    assert len({raw for _, raw in courier.carried}) == 10


async def test_an_email_that_takes_longer_than_its_claim_is_sent_once(new_club: MakeClub) -> None:
    """Whoever looks for the next email meanwhile leaves it alone, though others might take it for abandoned by then."""
    begun: list[bytes] = []
    over = asyncio.Event()

    class SlowCourier(FakeCourier):
        """A courier with whom the first email takes until an hour has passed, and nothing else is left to send."""

        connections = 2

        async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
            """Carry an email."""
            begun.append(raw)
            if len(begun) == 1:
                await over.wait()
            elif len(begun) == 2:
                club.clock.advance(timedelta(hours=1))
            elif len(begun) == 4:
                ending.append(asyncio.create_task(end_later()))
            return await super().send(sender, recipient, raw, plain=plain)

    async def end_later() -> None:
        """Let the first email be sent when the fourth is, and the pass has looked for another."""
        for _ in range(20):
            await asyncio.sleep(0)
        over.set()

    ending: list[asyncio.Task[None]] = []
    club = new_club(courier=SlowCourier())
    for _ in range(2):
        club.open()
    assert await asyncio.wait_for(club.service.deliver(), 5) == DeliveryReport(sent=4)
    assert len(begun) == len(set(begun)) == 4


def envelopes(club: Club) -> list[str]:
    """Return the kind of the envelope sender that each email was sent with, as it is stored."""
    with closing(sqlite3.connect(club.service.settings.database_url.removeprefix("sqlite:///"))) as connection:
        return [kind for (kind,) in connection.execute("SELECT envelope FROM outbound ORDER BY id")]


async def test_a_notice_has_an_envelope_sender_of_its_own_and_an_answer_has_none(club: Club) -> None:
    """Nobody waits for what answers a message, so no machine may answer that; a bounce of a notice is of that alone."""
    club.open()
    club.reply(0, "what is this?")
    club.reply(0, "help")
    club.service.hand_in(b"From: x@nowhere.example\nTo: games@play.example\nMessage-ID: <1@x>\n\nbuy\n")
    club.reply(0, "c3")
    await club.service.deliver()
    mails = club.queued()
    assert len(mails) == len(club.courier.senders) >= 6
    for mail, sender, kind in zip(mails, club.courier.senders, envelopes(club), strict=True):
        notice = mail.kind in ("opened", "your_turn", "move_made")
        assert (sender, kind) == ((club.envelope_of(mail), "verp") if notice else ("", "null")), mail.kind
    assert {"", club.envelope_of(mails[0]), club.envelope_of(mails[1])} <= set(club.courier.senders)


async def test_an_email_to_the_operator_may_come_back(club: Club) -> None:
    """It answers nobody; that it came back is noted, and leads to no further one."""
    club.open()
    club.service.hand_in(addressed(postfix(club.newest(1)), club.envelope_of(club.queued()[1])))
    await club.service.deliver()
    told = club.queued(kind="needs")
    assert [mail.recipient for mail in told] == [OPERATOR]
    assert club.courier.senders[-1] == club.envelope_of(told[0])
    again = postfix(club.mail(told[0])).replace(b"Message-Id: <", b"Message-Id: <2.")
    arrival = club.service.hand_in(addressed(again, club.envelope_of(told[0])))
    assert arrival.message.detail == f"mail {told[0].id} to {OPERATOR}: hard (5.1.1), no player's address"
    club.clock.advance(timedelta(days=1))
    await club.service.deliver()
    assert len(club.queued(kind="needs")) == 1


async def test_the_plain_address_is_stored_where_the_server_takes_nothing_else(new_club: MakeClub) -> None:
    """Then bounces are known in another way; what is not sent yet has no envelope sender."""
    club = new_club(courier=FakeCourier(None, TRANSIENT))
    club.courier.takes_plain_alone = True
    club.open()
    club.reply(0, "help")
    await club.service.deliver()
    assert envelopes(club) == ["plain", "", "plain"]
    club.clock.advance(timedelta(minutes=1))
    club.courier.takes_plain_alone = False
    await club.service.deliver()
    assert envelopes(club) == ["plain", "verp", "plain"]


def test_every_email_that_answers_nothing_is_of_a_kind_that_there_is() -> None:
    """A kind that is renamed would else lose its bounces."""
    assert notice_kinds() >= _WANTS_BOUNCES
