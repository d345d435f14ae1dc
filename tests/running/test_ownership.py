"""Whose the mailbox is: of two services with one mailbox, one answers, and the other stops and says so."""

import asyncio
import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from shutil import copy, copytree

import pytest

from pbem.errors import MailboxLost, MailboxTaken
from pbem.ports import Note
from pbem.running import scheduler
from pbem.running.ownership import LOOK_EVERY, Owner, read_claims, write_note
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from tests.support.club import ADDRESS, SECRET
from tests.support.fakes import FakeClock, FakeCourier, FakeDice, FakeMailbox, FakeNotes
from tests.support.mails import message

ANN, BOB = "ann@a.example", "bob@b.example"
SOON = 5.0  # seconds
STRANGER = {"From": "stranger@x.example", "To": ADDRESS, "Message-ID": "<1@x.example>"}


class Machines:
    """Machines that share one mailbox: each has a directory, a clock and a courier of its own."""

    def __init__(self, home: Path, blank: Path) -> None:
        self.home, self.blank = home, blank
        self.notes, self.mailbox = FakeNotes(), FakeMailbox()
        self.clock = FakeClock()
        self.started: list[Service] = []

    def install(self, name: str) -> None:
        """Make a new database on a machine."""
        (self.home / name).mkdir()
        copy(self.blank, self.home / name / "pbem.db")

    def start(self, name: str, clock: FakeClock | None = None) -> tuple[Service, FakeCourier]:
        """Return the service of a machine, and what it sends by."""
        settings = Settings(address=ADDRESS, secret=SECRET, database_url=f"sqlite:///{self.home / name}/pbem.db")
        courier = FakeCourier()
        service = Service(
            settings,
            Database(settings.database_url),
            clock=clock or self.clock,
            dice=FakeDice(),
            mailbox=self.mailbox,
            courier=courier,
        )
        service.own(self.notes)
        self.started.append(service)
        return service, courier

    def whose(self) -> list[str]:
        """Return the directories that the notes name."""
        return [claim.owner.where.split(" on ")[0].split("/")[-2] for claim in read_claims(self.notes.lying)]


@pytest.fixture
def machines(tmp_path: Path, blank_database: Path) -> Iterator[Machines]:
    """Two machines, each with a database of its own."""
    machines = Machines(tmp_path, blank_database)
    machines.install("old")
    machines.install("new")
    yield machines
    for service in machines.started:
        service.database.close()


async def test_a_second_service_with_another_database_answers_nobody(machines: Machines) -> None:
    """It stops before it reads, does or sends anything; the first goes on, and no letter is lost."""
    old, answers = machines.start("old")
    old.open("pipline", [ANN, BOB], {"size": 5})
    await old.poll()
    await old.deliver()
    machines.mailbox.put(message("Hello?", **STRANGER))
    new, nothing = machines.start("new")
    new.open("pipline", [ANN, BOB], {"size": 5})
    for _ in range(2):
        with pytest.raises(MailboxTaken, match=r"is read by \S+/old/pbem\.db on \S+ since 2026-11-20 18:30 UTC, says"):
            await new.poll()
        await new.deliver()
    with new.database.reading() as tx:
        assert (tx.inbound.latest(), tx.heartbeats.last(), nothing.carried) == ([], {}, [])
    sent = len(answers.carried)
    assert (await old.poll(), machines.whose()) == (1, ["old"])
    await old.deliver()
    assert len(answers.carried) == sent + 1


async def test_a_service_that_was_killed_starts_again_at_once(machines: Machines) -> None:
    """No note has to run out, whatever its clock says now; a restored backup in the same place is no copy either."""
    old, _ = machines.start("old")
    await old.poll()
    backup = copy(machines.home / "old" / "pbem.db", machines.home / "backup.db")
    old.database.close()
    again, _ = machines.start("old", FakeClock(machines.clock.now() - timedelta(days=400)))
    await again.poll()
    again.database.close()
    for file in (machines.home / "old").glob("pbem.db-*"):
        file.unlink()
    copy(backup, machines.home / "old" / "pbem.db")
    restored, _ = machines.start("old")
    await restored.poll()
    assert (machines.whose(), len(machines.notes.lying)) == (["old"], 1)


async def test_a_copy_of_the_database_elsewhere_answers_nobody(machines: Machines) -> None:
    """It may be of yesterday, and its deadlines long past."""
    old, _ = machines.start("old")
    await old.poll()
    copytree(machines.home / "old", machines.home / "copy")
    copied, _ = machines.start("copy")
    with pytest.raises(MailboxTaken, match=r"is read by \S+/old/pbem\.db on"):
        await copied.poll()


@pytest.mark.parametrize("order", [("old", "new"), ("new", "old")])
async def test_of_two_that_start_together_one_goes_on(machines: Machines, order: tuple[str, str]) -> None:
    """Both have found nobody's note; the first note counts, and the other is taken back."""
    ends = await asyncio.gather(*(machines.start(name)[0].poll() for name in order), return_exceptions=True)
    assert [type(end) for end in ends] == [int, MailboxTaken]
    assert machines.whose() == [order[0]]


async def test_who_lost_the_mailbox_stops_within_five_minutes(machines: Machines) -> None:
    """What it has stored stays, what comes then is the other's to answer."""
    old, _ = machines.start("old")
    await old.poll()
    new, answers = machines.start("new")
    new.open("pipline", [ANN, BOB], {"size": 5})
    assert await new.own(machines.notes).take_over() == ""
    machines.clock.advance(timedelta(minutes=1))
    await new.poll()
    machines.clock.advance(LOOK_EVERY)
    machines.mailbox.put(message("Hello?", **STRANGER))
    with pytest.raises(MailboxTaken, match=r"/new/pbem\.db"):
        await old.poll()
    with old.database.reading() as tx:
        assert tx.inbound.latest() == []
    assert (await new.poll(), machines.whose()) == (1, ["new"])
    await new.deliver()
    assert {recipient for recipient, _ in answers.carried} == {ANN, BOB, "stranger@x.example"}


async def test_a_running_service_that_loses_the_mailbox_ends(machines: Machines) -> None:
    """Not only its poll: what is due in it is out of date, and systemd does not start it again after this error."""
    old, _ = machines.start("old")
    run = asyncio.create_task(scheduler.run(old, None, asyncio.Event()))
    async with asyncio.timeout(SOON):
        while not machines.notes.lying:  # noqa: ASYNC110 - the note has no event
            await asyncio.sleep(0.005)
    new, _ = machines.start("new")
    await new.own(machines.notes).take_over()
    machines.clock.advance(LOOK_EVERY)
    await old.close()
    again, _ = machines.start("old")
    with pytest.raises(MailboxTaken):
        await asyncio.wait_for(scheduler.run(again, None, asyncio.Event()), SOON)
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)


async def test_a_note_that_somebody_has_tidied_away_is_put_back(machines: Machines) -> None:
    """Only to see to it costs anything, and that every five minutes."""
    old, _ = machines.start("old")
    for _ in range(5):
        await old.poll()
    assert machines.notes.asked == 2  # once before the note was written, and once after
    machines.notes.lying.clear()
    machines.clock.advance(LOOK_EVERY)
    await old.poll()
    assert machines.whose() == ["old"]


async def test_nothing_happens_before_it_is_known_whose_the_mailbox_is(machines: Machines) -> None:
    """Once it is, a server that is away keeps nothing from being processed and sent."""
    old, sent = machines.start("old")
    old.open("pipline", [ANN, BOB], {"size": 5})
    machines.notes.error = MailboxLost("It is away.")
    with pytest.raises(MailboxLost):
        await old.poll()
    await old.deliver()
    assert sent.carried == []
    machines.notes.error = None
    await old.poll()
    machines.notes.error = MailboxLost("It is away.")
    machines.clock.advance(LOOK_EVERY)
    await old.poll()
    await old.deliver()
    assert len(sent.carried) == 2


async def test_a_server_that_takes_no_note_is_told_once(machines: Machines, caplog: pytest.LogCaptureFixture) -> None:
    """The service goes on, as unguarded as it was before there were notes."""
    machines.notes.refusal = "NO you may not"
    old, _ = machines.start("old")
    for _ in range(2):
        machines.mailbox.put(message("Hello?", **STRANGER))
        await old.poll()
        machines.clock.advance(LOOK_EVERY)
    told = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert [vars(record)["event"] for record in told] == ["no_note"]
    assert "NO you may not" in told[0].getMessage()


async def test_nobody_stops_a_service_by_email(machines: Machines) -> None:
    """Some servers deliver games+pbem-owner@ into that folder: what was delivered is no note, nor is nonsense."""
    forged = write_note(Owner("1-1", "nowhere"), "games@play.example", machines.clock.now())
    await machines.notes.add(b"Received: from x.example by play.example; now\r\n" + forged)
    await machines.notes.add(b"X-Pbem-Place: ../../x\r\n\r\n")
    await machines.notes.add(b"\xff\x00 no email")
    old, _ = machines.start("old")
    await old.poll()
    assert machines.whose() == ["old"]


def test_a_note_is_read_back_whatever_it_names() -> None:
    """Names of files and machines can hold anything; what a terminal or a header would obey does no harm."""
    owner = Owner("1f-2e", "/ünï/\r\nX-Pbem-Place: 9\x1b[2J/" + "x" * 500)
    raw = write_note(owner, "games@play.example", FakeClock().now())
    (claim,) = read_claims([Note(3, raw)])
    assert (claim.uid, claim.is_of(owner), claim.at) == (3, True, FakeClock().now())
    assert len(claim.owner.where) <= 200
    assert claim.owner.where.isascii()
    assert b"\r\nX-Pbem-Place: 9" not in raw
    long = Owner("1f-2e", f"/{'a_long_name' * 12}/pbem.db on vm")
    (claim,) = read_claims([Note(3, write_note(long, "games@play.example", FakeClock().now()))])
    assert claim.owner == long


async def test_a_note_that_is_read_as_an_email_is_not_answered(machines: Machines) -> None:
    """Where the mailbox that is read holds all folders, as with Gmail's All Mail."""
    old, sent = machines.start("old")
    old.open("pipline", [ANN, BOB], {"size": 5})
    await old.poll()
    machines.mailbox.put(machines.notes.lying[0].raw)
    assert await old.poll() == 1
    with old.database.reading() as tx:
        assert [(message.status, message.reason) for message in tx.inbound.latest()] == [("discarded", "our own mail")]
    await old.deliver()
    assert {recipient for recipient, _ in sent.carried} == {ANN, BOB}
