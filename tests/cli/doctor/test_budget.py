"""The budget of the mail server, at the command line: how much is used, and when what waits goes."""

import asyncio
import re
from datetime import timedelta

import pytest

from pbem.cli.doctor.budget import check_budget, suggest_budget
from pbem.demo.servers import DemoServers
from pbem.settings.model import Settings
from tests.support.club import Club
from tests.support.command_line import ANN, BOB, CARL, GAMES, Pbem, Run


def _budget(pbem: Pbem) -> list[str]:
    """Return the doctor's lines about the budget."""
    return [line for line in pbem("doctor").out.splitlines() if line[2:].startswith("budget ")]


def test_what_waits_for_the_budget_is_told(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the pass that puts it off, which is no failure, by the list and by the doctor, with the time when it goes."""
    monkeypatch.setenv("PBEM_SMTP_BUDGET", "100/minute 2/day")

    async def deliver() -> Run:
        async with DemoServers([GAMES, ANN, BOB, CARL]) as servers:
            monkeypatch.setenv("PBEM_SMTP_URL", servers.smtp_url)
            return await asyncio.to_thread(pbem, "deliver")

    run = asyncio.run(deliver())
    assert run.code == 0
    assert re.fullmatch(
        r"2 sent, 0 postponed, 0 refused\.\nWaiting for the budget, until .+ UTC or longer: 1 \(2 a day are sent\)\.\n",
        run.out,
    )
    (mail,) = pbem.done("outbound", "list", "--status", "queued", "--json").json
    assert mail["error"] == "our budget: 2 a day are sent, so it waits its turn"
    used, waits = _budget(pbem)
    assert used == "✓ budget    used: 2 of 100 a minute and 2 of 2 a day"
    assert re.fullmatch(
        r"– budget    Emails that wait for the budget: 1\. 2 a day are sent, so no email goes before .+ UTC; turns go"
        r" first then\.",
        waits,
    )
    assert "✗ messages" not in pbem("doctor").out


def test_what_is_left_for_turns_is_told(club: Club) -> None:
    """While other emails wait already, and when there is room again."""
    settings = Settings(smtp_budget="5/hour")
    for _ in range(2):
        club.open()
    asyncio.run(club.service.deliver())
    with club.service.database.reading() as tx:
        found = check_budget(tx, settings, club.clock.now())
        later = check_budget(tx, settings, club.clock.now() + timedelta(hours=2))
    assert found.told == "used: 4 of 5 an hour"
    (note,) = found.notes
    assert note.startswith("What is left of 5 an hour is kept for turns and reminders: other emails go from ")
    assert (later.told, later.notes) == ("used: 0 of 5 an hour", ())


def test_a_budget_is_suggested_where_it_is_known() -> None:
    """What is set is not suggested again, and a URL that is none suggests nothing."""
    told = [
        list(suggest_budget(Settings(smtp_url=url, smtp_budget=budget)))
        for url, budget in (
            ("smtps://games:x@smtp.gmail.com", ""),
            ("smtps://games:x@smtp.gmail.com", "100/day"),
            ("smtps://games:x@smtp.example.org", ""),
            ("smtps://[", ""),
        )
    ]
    assert told == [['smtp.gmail.com takes no more than 500/day: set smtp_budget = "gmail".'], [], [], []]
