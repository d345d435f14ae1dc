"""The doctor sends the service an email, and reads in it what other servers will think of those to players."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from pbem.cli.doctor.probe import Probe, judge_probe, send_probe
from pbem.demo.servers import DemoServers
from pbem.errors import BadInput
from pbem.inbound.automatic import classify
from pbem.mail.message import parse
from pbem.ports import Cursor
from pbem.transport.imap import ImapMailbox
from tests.support.command_line import GAMES, Pbem
from tests.support.fakes import FakeCourier

SUBADDRESS = "games+doctor@example.org"


class Echo:
    """A mailbox that holds what a courier carried, from the given look on; ``lost`` is lost."""

    def __init__(self, courier: FakeCourier, *, looks: int = 1, lost: Sequence[str] = (), top: bytes = b"") -> None:
        self.courier, self.looks, self.lost, self.top = courier, looks, lost, top

    async def find(self, message_id: str) -> bytes | None:
        """Return an email by its Message-ID."""
        self.looks -= 1
        if self.looks > 0:
            return None
        arrived = (raw for recipient, raw in self.courier.carried if recipient not in self.lost)
        return next((self.top + raw for raw in arrived if message_id.encode() in raw), None)


async def probe(**settings: object) -> tuple[Probe, FakeCourier]:
    """Send the emails through fakes, whose clock goes on with every pause."""
    courier, clock = FakeCourier(), [0.0]

    async def pause(seconds: float) -> None:
        clock[0] += seconds

    echo = Echo(courier, **settings)  # type: ignore[arg-type]  # what a test sets
    return await send_probe(courier, echo, GAMES, pause=pause, now=lambda: clock[0]), courier


async def test_the_emails_of_the_doctor_are_answered_by_nobody() -> None:
    """They are marked as automatic, and come from the service itself."""
    _, courier = await probe()
    assert [recipient for recipient, _ in courier.carried] == [SUBADDRESS, GAMES]
    for _, raw in courier.carried:
        assert classify(parse(raw), GAMES)
        assert parse(raw).header("Auto-Submitted") == "auto-generated"


async def test_an_email_that_arrives_tells_how_long_it_took_and_what_was_found() -> None:
    """Without results it says how to check from outside."""
    found, _ = await probe(looks=5, top=b"Authentication-Results: mx.example; spf=pass; dkim=pass; dmarc=pass\r\n")
    assert found.seconds == 4
    told = judge_probe(found, GAMES)
    assert f"{SUBADDRESS} arrived within 4 s" in told
    assert "SPF pass, DKIM pass, DMARC pass" in told
    assert "outside" in judge_probe((await probe())[0], GAMES)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"top": b"Authentication-Results: mx.example; spf=pass; dkim=fail; dmarc=pass\r\n"}, "DKIM fail"),
        ({"lost": (SUBADDRESS,)}, "RFC 5233"),
        ({"lost": (SUBADDRESS, GAMES)}, "spam"),
    ],
)
async def test_an_email_that_fails_or_gets_lost_is_a_fault(settings: dict[str, object], says: str) -> None:
    """It says which of them, and what to mend; it is waited for for a minute."""
    found, _ = await probe(**settings)
    with pytest.raises(BadInput, match=says):
        judge_probe(found, GAMES)
    assert found.seconds == (60 if "lost" in settings else 0)


async def test_the_doctor_sends_an_email_through_real_servers(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """It arrives, and the service discards it unanswered; looking for it has moved no cursor."""
    async with DemoServers([GAMES]) as servers:
        monkeypatch.setenv("PBEM_IMAP_URL", servers.imap_url(GAMES))
        monkeypatch.setenv("PBEM_SMTP_URL", servers.smtp_url)
        run = await asyncio.to_thread(pbem.done, "doctor", "--mail")
        assert SUBADDRESS in run.out.splitlines()[-1]
        mailbox = ImapMailbox(servers.imap_url(GAMES))
        try:
            assert await mailbox.find("<nothing@example.org>") is None
            batches = [batch async for batch in mailbox.batches(Cursor(1, 0), datetime.now(UTC).date())]
        finally:
            await mailbox.close()
        raws = [fetched.raw for batch in batches for fetched in batch.messages]
        assert len(raws) == 2
    for raw in raws:
        (end,) = pbem.done("receive", "--json", stdin=raw).lines
        assert (end["status"], end["mails"]) == ("discarded", [])
