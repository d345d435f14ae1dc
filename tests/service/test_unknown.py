"""Emails of which nobody knows whether the server took them: sent three times at most, hours apart, then left."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest

from pbem.due.needs import list_needs
from pbem.errors import OutcomeUnknown, ServerFailure, TransientFailure
from pbem.match.summary import summarise
from pbem.notices.sentences.public import tell_turn
from pbem.pipeline.deliver import DeliveryReport
from pbem.running.scheduler import run
from tests.support.bounces import addressed, postfix
from tests.support.club import Club
from tests.support.fakes import FakeCourier
from tests.support.mails import read, text_of
from tests.support.running import MakeClub

BROKEN_OFF = OutcomeUnknown("The SMTP server mx:25 may have taken the email: it has closed the connection.")
LOST = ServerFailure("No connection to the SMTP server mx:25: nothing listens there.")
LATER = TransientFailure("The SMTP server mx:25 does not take the email now: 451 4.7.1 Later.")
HOUR = timedelta(hours=1)


class ForgetfulCourier(FakeCourier):
    """A courier that carries each email, and says of some that nobody knows it; ``ends`` are the errors, in turn."""

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Carry an email, and raise the next error all the same."""
        error = self._failures.popleft() if self._failures else None
        if error is None or isinstance(error, OutcomeUnknown):
            self.carried.append((recipient, raw))
        if error:
            raise error
        return sender


class UnsureCourier(FakeCourier):
    """A courier that carries everything, and never says so of what goes to one address."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Carry an email."""
        used = await super().send(sender, recipient, raw, plain=plain)
        if recipient == self.address:
            raise BROKEN_OFF
        return used


def needs(club: Club) -> list[str]:
    """Return the codes of what needs a person."""
    with club.service.database.reading() as tx:
        return [one.code for one in list_needs(tx)]


def in_doubt(club: Club) -> list[int]:
    """Return the numbers of the emails of which nobody knows whether they arrived, and which are sent again."""
    with club.service.database.reading() as tx:
        return [one.id for one in tx.outbound.in_doubt(club.clock.now(), 10)]


async def test_it_is_sent_again_after_an_hour_then_after_a_day_and_then_left(new_club: MakeClub) -> None:
    """However long the service runs on; the operator is told when it is left, and a command ends that."""
    club = new_club(courier=ForgetfulCourier(*[BROKEN_OFF] * 100))
    club.open(days="none")
    with club.service.database.transaction() as tx:
        tx.outbound.note_attempt(1, "sent", "", club.clock.now())
    began, sent = club.clock.now(), []
    while club.clock.now() < began + timedelta(days=20):
        carried = len(club.courier.carried)
        await club.service.deliver()
        sent += [(club.clock.now() - began) / HOUR for recipient, _ in club.courier.carried[carried:]]
        if len(sent) < 3:
            assert (in_doubt(club), needs(club)) == ([2], [])
        club.clock.advance(timedelta(minutes=30) if len(sent) < 2 else timedelta(hours=24))
    assert sent[:3] == [0, 1, 25]
    assert len({raw for recipient, raw in club.courier.carried if recipient == "bob@b.example"}) == 1
    left = {mail.kind: mail.status for mail in club.queued(status="unknown")}
    assert left["opened"] == "unknown"
    assert (in_doubt(club), needs(club)) == ([], ["unknown"])
    assert all(copies <= 3 for copies in map(club.courier.carried.count, club.courier.carried))
    with club.service.database.transaction() as tx:
        assert tx.outbound.drop(2)
    assert needs(club) == []


@pytest.mark.parametrize(
    ("ends", "copies", "status"),
    [
        ([BROKEN_OFF, None], 2, "sent"),
        ([BROKEN_OFF, LATER, BROKEN_OFF, LATER, LATER, BROKEN_OFF, BROKEN_OFF, BROKEN_OFF], 3, "unknown"),
        ([LATER, LOST, BROKEN_OFF, LOST, BROKEN_OFF, *[LOST] * 5, BROKEN_OFF, BROKEN_OFF], 3, "unknown"),
        ([LOST, LATER, None], 1, "sent"),
    ],
)
async def test_no_order_of_failures_leads_to_more_than_three_copies(
    new_club: MakeClub, ends: list[Exception | None], copies: int, status: str
) -> None:
    """What the server refused before, or between, changes nothing about what is unknown."""
    club = new_club(courier=ForgetfulCourier(None, *ends))
    club.open(days="none")
    for _ in range(15):
        await club.service.deliver()
        club.clock.advance(timedelta(hours=6))
    assert club.queued()[1].status == status
    assert [recipient for recipient, _ in club.courier.carried].count("bob@b.example") == copies


async def test_a_process_that_dies_while_it_sends_counts_as_well(new_club: MakeClub) -> None:
    """Whether the end of the email was out is unknown: three deaths, and it is left."""
    club = new_club(courier=FakeCourier())
    club.open(days="none")
    for claims, wait in enumerate((HOUR, timedelta(days=1), timedelta(days=1)), start=1):
        with club.service.database.transaction() as tx:  # a process that dies before it notes the end
            assert [tx.outbound.claim_next(club.clock.now()) is None for _ in range(3)] == [False, False, True]
        assert await club.service.deliver() == DeliveryReport()
        club.clock.advance(wait - timedelta(minutes=1))
        assert await club.service.deliver() == DeliveryReport()
        assert in_doubt(club) == [1, 2], claims
        club.clock.advance(timedelta(minutes=1))
    report = await club.service.deliver()
    assert (report.unknown, needs(club)) == (2, ["unknown"])
    assert [recipient for recipient, _ in club.courier.carried if recipient.endswith("b.example")] == []


async def test_an_email_that_is_being_sent_is_not_in_doubt(club: Club) -> None:
    """Nobody is told of what is merely under way."""
    club.open()
    with club.service.database.transaction() as tx:
        assert tx.outbound.claim_next(club.clock.now())
    assert in_doubt(club) == []
    await club.service.deliver()
    assert in_doubt(club) == []


async def test_a_restart_does_not_hasten_what_is_unknown(new_club: MakeClub) -> None:
    """Else whoever restarts the service three times sends three copies."""
    club = new_club(courier=ForgetfulCourier(*[BROKEN_OFF] * 4))
    club.open(days="none")
    for wait in (HOUR, timedelta()):
        await club.service.deliver()
        club.clock.advance(wait)
    assert len(club.courier.carried) == 4
    club.service.heartbeats.set_right()
    again = new_club(courier=club.courier)
    again.clock = club.clock
    for _ in range(3):
        again.service._has_hastened = False
        await again.service.deliver()
    assert len(club.courier.carried) == 4


def test_words_at_which_a_server_breaks_off_stop_no_clock_but_that_of_their_reader(new_club: MakeClub) -> None:
    """They say nothing of the server; that clock has not begun, and the email is not written anew when it is left."""
    club = new_club(courier=ForgetfulCourier(None, *[BROKEN_OFF] * 3))
    club.open(days=3)
    club.live(timedelta(days=3), every=timedelta(hours=1))
    assert club.outages() == []
    assert [(mail.kind, mail.status) for mail in club.queued() if mail.seat == 1] == [("opened", "unknown")]
    clock = club.match().clock
    assert clock
    assert clock.since
    club.reply(0, "c3")
    club.live(timedelta(days=2), every=timedelta(hours=1))
    clock = club.match().clock
    assert clock
    assert (clock.seat, bool(clock.since)) == (1, True)


@pytest.fixture
def unsure(new_club: MakeClub) -> Club:
    """A club in which nobody knows whether Bob gets anything: it is his turn, for three days now."""
    club = new_club(courier=UnsureCourier("bob@b.example"))
    club.open(days=3)
    asyncio.run(club.service.deliver())
    club.reply(0, "c3")
    club.live(timedelta(days=3), every=timedelta(hours=1))
    return club


def test_opponents_read_no_deadline_that_never_comes(unsure: Club) -> None:
    """In the status, in answers, in lists, and where they would claim: the clock stands until an email is delivered."""
    assert {mail.status for mail in unsure.queued() if mail.seat == 1} == {"unknown"}
    for asked in ("show", "status", "claim"):
        unsure.reply(0, asked)
        said = " ".join(text_of(unsure.mail(unsure.queued()[-1])).split())
        assert (", until " in said, "stands still until" in said or asked == "claim") == (False, True), said
    listed = tell_turn(summarise(unsure.match()), unsure.clock.now())
    assert listed
    assert "until" not in listed.arguments


def statuses(club: Club, seat: int = 1) -> list[str]:
    """Return what became of the emails to a seat, oldest first."""
    return [mail.status for mail in club.queued() if mail.seat == seat]


def copies(club: Club, mail: EmailMessage) -> int:
    """Return how often an email was carried."""
    return sum(mail["Message-ID"] == read(raw)["Message-ID"] for _, raw in club.courier.carried)


@pytest.mark.parametrize("text", ["say: Hi", "c2", "what?"])
@pytest.mark.parametrize("lived", [timedelta(), timedelta(days=3)])
def test_who_answers_an_email_has_got_it(new_club: MakeClub, text: str, lived: timedelta) -> None:
    """It is sent no more, or left to nobody any longer, and its clock runs from then; whatever the answer says."""
    club = new_club(courier=UnsureCourier("bob@b.example"))
    club.open(days=3)
    club.live(timedelta(hours=1), every=timedelta(minutes=30))
    club.reply(0, "c3")
    club.live(lived + timedelta(hours=2), every=timedelta(hours=1))
    asked = club.newest(1)
    club.service.hand_in(club.answer(asked, text))
    assert statuses(club)[:2] == ["unknown" if lived else "queued", "sent"]
    clock = club.match().clock
    assert clock
    assert (clock.seat, clock.since) == ((0, None) if text == "c2" else (1, club.clock.now()))
    carried = copies(club, asked)
    club.live(timedelta(days=3), every=timedelta(hours=1))
    assert copies(club, asked) == carried


def test_nobody_says_for_another_that_an_email_has_arrived(unsure: Club) -> None:
    """By naming it in an answer to one of their own, or as the one above it in the thread."""
    bobs = unsure.newest(1)
    threads = {"References": f"{bobs['References']} {bobs['Message-ID']}"}
    unsure.reply(0, "say: Hi", In_Reply_To=str(bobs["Message-ID"]))
    unsure.reply(0, "say: Hi", References=threads["References"])
    assert set(statuses(unsure)) == {"unknown", "queued"}
    unsure.service.hand_in(unsure.answer(bobs, "say: Hi", In_Reply_To="", **threads))
    assert statuses(unsure).count("sent") == 1


def test_what_comes_back_was_taken(unsure: Club) -> None:
    """It isn't sent again, and nobody has to find out whether it arrived: it counts as any email that came back."""
    sent = [mail for mail in unsure.queued() if mail.seat == 1][-1]
    unsure.service.hand_in(addressed(postfix(unsure.mail(sent), "5.1.1"), unsure.envelope_of(sent)))
    clock = unsure.match().clock
    assert clock
    assert (statuses(unsure)[-1], clock.halted) == ("sent", "bounced")


async def test_an_answer_that_comes_before_the_end_of_the_attempt_is_not_forgotten(new_club: MakeClub) -> None:
    """The server hands the email on, its reader answers, and only then does it break off."""
    courier = SlowCourier()
    club = new_club(courier=courier)
    club.open(days="none")
    sending = asyncio.ensure_future(club.service.deliver())
    await courier.begun.wait()
    club.service.hand_in(club.answer(club.newest(0), "say: Hi"))
    sending.cancel()
    await asyncio.wait([sending])
    assert (statuses(club, 0)[0], needs(club)) == ("sent", [])


class SlowCourier(FakeCourier):
    """A courier that takes as long for the first email as it is told."""

    connections = 2

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.end = asyncio.Event(), asyncio.Event()

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Carry an email, the first one when it may."""
        if not self.begun.is_set():
            self.begun.set()
            try:
                await self.end.wait()
            except asyncio.CancelledError:
                raise BROKEN_OFF from None
        return await super().send(sender, recipient, raw, plain=plain)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something of which nobody tells."""
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.001)


def beaten(club: Club) -> datetime | None:
    """Return when the service last noted that it sends."""
    with club.service.database.reading() as tx:
        return tx.heartbeats.last().get("sends")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a pass look more often for what else is to be done."""
    monkeypatch.setattr("pbem.pipeline.deliver._LOOK_AGAIN", 0.001)


@pytest.mark.usefixtures("quick")
async def test_a_server_that_takes_ten_minutes_keeps_back_nothing_else(new_club: MakeClub) -> None:
    """Meanwhile what is due is done, the heart beats, and what is written is sent."""
    courier = SlowCourier()
    club = new_club(courier=courier)
    club.open()
    sending = asyncio.create_task(club.service.deliver())
    await until(lambda: len(courier.carried) == 1)
    club.clock.advance(timedelta(minutes=9))
    club.open(players=("carl@c.example", "dora@d.example"))
    await until(lambda: len(courier.carried) == 3)
    await until(lambda: beaten(club) == club.clock.now())
    courier.end.set()
    assert (await sending).sent == 4
    assert {mail.status for mail in club.queued()} == {"sent"}


async def test_a_service_that_ends_waits_for_the_last_answer_no_longer_than_it_may(
    new_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What may have been taken by then is noted, before it is killed."""
    monkeypatch.setattr("pbem.running.scheduler._GRACE_SECONDS", 0.01)
    courier, stop = SlowCourier(), asyncio.Event()
    club = new_club(courier=courier)
    club.open()
    running = asyncio.create_task(run(club.service, None, stop))
    await courier.begun.wait()
    stop.set()
    await asyncio.wait_for(running, 5)
    assert in_doubt(club) == [1]


async def test_a_pass_that_is_stopped_notes_what_is_unknown_and_gives_back_the_rest(new_club: MakeClub) -> None:
    """The one may have been taken; whatever was not sent is sent at the next start."""

    class TwoCourier(SlowCourier):
        """A courier that comes back with no email."""

        async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
            """Wait."""
            if self.begun.is_set():
                await asyncio.Event().wait()
            return await super().send(sender, recipient, raw, plain=plain)

    courier = TwoCourier()
    club = new_club(courier=courier)
    club.open()
    sending = asyncio.create_task(club.service.deliver())
    await courier.begun.wait()
    await asyncio.sleep(0)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    one, other = club.queued()
    assert one.due_at == club.clock.now() + HOUR
    assert in_doubt(club) == [one.id]
    assert (other.due_at, other.attempts, other.error) == (club.clock.now(), 0, "")
