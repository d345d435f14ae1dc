"""The doctor learns from the messages that have arrived whose results to believe, and tells whose are not read."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from pbem.storage.database import Database
from pbem.storage.messages.records import Disposition
from tests.support.command_line import ANN, BOB, CARL, Pbem
from tests.support.mails import message

PASSED = "mx.example; dmarc=pass header.from=example.org; spf=pass"
ALIGNED = "mx.example; dkim=pass (2048 bits) header.d=example.org; spf=softfail smtp.mailfrom=other.example"
FOREIGN = "mx.example; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=evil.example"
SUGGESTED = 'set authserv_id = "mx.example" and authentication = '


@pytest.fixture
def database(pbem: Pbem) -> Iterator[Database]:
    """The database of a service with a match between Ann, Bob and Carl, who write from one domain."""
    database = Database(f"sqlite:///{pbem.directory / 'pbem.db'}")
    yield database
    database.close()


def put(
    database: Database,
    end: Disposition,
    results: Sequence[str] = (),
    sender: str = "",
    days: int = 0,
    above: bool = True,
) -> None:
    """Store a message that ended like this so many days ago; ``results`` stand on top of it, the topmost first.

    ``above``: they stand above the line of our own server, where no sender can write. Players take turns as senders.
    """
    received = "Received: by mx.example; Fri, 20 Nov 2026 18:30:00 +0000\n"
    results_alone = "".join(f"Authentication-Results: {each}\n" for each in results)
    fields = results_alone + received if above else received + results_alone
    at = datetime.now(UTC) - timedelta(days=days)
    with database.transaction() as tx:
        count = len(tx.inbound.latest(limit=1000))
        sender = sender or (ANN, BOB, CARL)[count % 3]
        raw = fields.encode() + message("a1", From=sender)
        number = tx.inbound.add(f"{count}", raw, True, sender, "", at)
        tx.inbound.finish(number or 0, end, at)


ACCEPTED, DISCARDED = Disposition("accepted"), Disposition("discarded", "automatic", code="automatic")


def told(pbem: Pbem) -> str:
    """Return the lines of the doctor about senders."""
    return "\n".join(line for line in pbem("doctor").out.splitlines() if line[2:9] == "senders")


@pytest.mark.parametrize(
    ("results", "wanted"),
    [
        ([(PASSED,)] * 10, '"required"'),
        ([(ALIGNED,)] * 10, '"required"'),
        ([(PASSED,)] * 9 + [("mx.example; none",)], '"if-present"'),
        ([(PASSED,)] * 9 + [(FOREIGN,)], '"if-present"'),
        ([("MX.example 1; dmarc=fail",)] * 10, '"if-present"'),
        ([(PASSED, "elsewhere.example; dmarc=fail")] * 10, '"required"'),
        ([(PASSED,)] * 9, ""),
        ([(PASSED,)] * 20 + [()], ""),
        ([(PASSED,)] * 10 + [("elsewhere.example; dmarc=pass", PASSED)], ""),
        ([('"; rm -rf ~; mx.example"; dmarc=pass',)] * 10, ""),
    ],
)
def test_the_doctor_learns_whose_results_to_believe(
    pbem: Pbem, database: Database, results: list[tuple[str, ...]], wanted: str
) -> None:
    """Only if every message that counted carries them on top, and ``required`` only if every one of them passed."""
    for each in results:
        put(database, ACCEPTED, each)
    assert (f"{SUGGESTED}{wanted}." in told(pbem)) == bool(wanted)
    assert (SUGGESTED in told(pbem)) == bool(wanted)


def test_a_player_s_own_findings_are_not_suggested(pbem: Pbem, database: Database) -> None:
    """What two people write teaches nothing; nor is proof wanted where anybody could have written."""
    for number in range(12):
        put(database, ACCEPTED, [PASSED], sender=(ANN, BOB)[number % 2])
    assert SUGGESTED not in told(pbem)
    for _ in range(12):
        put(database, ACCEPTED, [PASSED], above=False)
    assert f'{SUGGESTED}"if-present".' in told(pbem)


def test_messages_of_one_provider_alone_suggest_nothing(pbem: Pbem, database: Database) -> None:
    """They may be its own, where players write from other domains too; what was not accepted tells nothing."""
    with database.transaction() as tx:
        tx.players.add("Dora", "dora@d.example", datetime.now(UTC))
    for _ in range(10):
        put(database, ACCEPTED, [PASSED])
    for _ in range(10):
        put(database, DISCARDED, [PASSED], sender="dora@d.example")
    assert SUGGESTED not in told(pbem)
    put(database, ACCEPTED, ["mx.example; dmarc=pass"], sender="dora@d.example")
    assert SUGGESTED in told(pbem)


def test_results_that_never_come_are_told(pbem: Pbem, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that no message carries protects nobody; the name that they carry is suggested."""
    monkeypatch.setenv("PBEM_AUTHSERV_ID", "mail.example")
    for _ in range(9):
        put(database, ACCEPTED, [PASSED])
    assert told(pbem).startswith("✓")
    put(database, ACCEPTED, [PASSED])
    assert told(pbem).startswith("✗")
    assert SUGGESTED in told(pbem)
    monkeypatch.setenv("PBEM_AUTHSERV_ID", "mx.example")
    assert told(pbem).startswith("✓")
    assert "10 of the last 10" in told(pbem)


@pytest.mark.parametrize("setting", ["required", "if-present", "off"])
def test_the_doctor_says_what_is_in_force(pbem: Pbem, monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    """Whatever it is."""
    monkeypatch.setenv("PBEM_AUTHENTICATION", setting)
    monkeypatch.setenv("PBEM_AUTHSERV_ID", "mx.example")
    assert f"authentication = {setting}" in told(pbem)


def test_the_doctor_tells_of_players_whose_messages_get_lost(pbem: Pbem, database: Database) -> None:
    """Unreadable ones for two weeks; discarded ones from the fifth in a week on, and not those of strangers."""
    for days in (15, 13, 0):
        put(database, Disposition("rejected", "unreadable", match=1, seat=0, code="too_long"), sender=ANN, days=days)
    put(database, Disposition("failed", "unreadable", code="unreadable"), sender=ANN)
    for _ in range(5):
        put(database, DISCARDED, sender="stranger@example.net")
        put(database, Disposition("discarded", "a move sent again"), sender=BOB)
    for days in (0, 0, 1, 2, 8):
        put(database, DISCARDED, sender=ANN, days=days)
    with database.transaction() as tx:
        latest = tx.inbound.latest(limit=1)[0].id
    notes = [line for line in pbem("doctor").out.splitlines() if line.startswith("– messages")]
    assert len(notes) == 1
    assert notes[0].startswith("– messages  2 of players could not be read")
    assert "“pbem inbound show 3” (too_long)" in notes[0]
    put(database, DISCARDED, sender=ANN)
    notes = [line for line in pbem("doctor").out.splitlines() if line.startswith("– messages")]
    assert len(notes) == 2
    assert notes[1].startswith(f"– messages  5 from {ANN}, who plays, were discarded within a week")
    assert f"“pbem inbound show {latest + 1}”" in notes[1]
