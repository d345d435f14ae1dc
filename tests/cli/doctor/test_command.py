"""The doctor finds what is wrong, and says what to do."""

import asyncio
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.demo.servers import DemoServers
from pbem.storage.database import Database
from pbem.storage.restorations import Landmark, write_landmark
from tests.support.command_line import ANN, BOB, CARL, GAMES, Pbem
from tests.support.mail_servers import Postmaster


async def test_the_doctor_finds_everything_well(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """With servers that let us in, ``pbem doctor`` has nothing to complain of; then poll and deliver work too."""
    async with DemoServers([GAMES, ANN, BOB, CARL]) as servers:
        monkeypatch.setenv("PBEM_IMAP_URL", servers.imap_url(GAMES))
        monkeypatch.setenv("PBEM_SMTP_URL", servers.smtp_url)
        run = await asyncio.to_thread(pbem.done, "doctor")
        assert [line[0] for line in run.out.splitlines()] == ["✓", "–", "–", *["✓"] * 12]
        assert (await asyncio.to_thread(pbem.done, "deliver")).out == "3 sent, 0 postponed, 0 refused.\n"
        await servers.deliver(await asyncio.to_thread(pbem.answer, 1, "c3"), GAMES)
        assert (await asyncio.to_thread(pbem.done, "poll")).out == "1 new message.\n"
        assert (await asyncio.to_thread(pbem.done, "poll")).out == "0 new messages.\n"
    pbem.refuses("outbound", "retry", "1", code=64, says="“pbem resend 1 1” sends the board again")
    (message,) = pbem.done("inbound", "list", "--json").json
    assert (message["status"], message["commands"], message["match"]) == ("accepted", ["c3"], 1)


async def test_the_doctor_tells_of_envelope_senders_that_are_refused(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is no fault, for emails are sent nevertheless: which it is, in the server's words, and what to do."""
    postmaster = Postmaster()
    postmaster.disliked = {"+": "553 5.7.1 Not yours", "<>": "501 5.1.7 Nobody"}
    async with DemoServers([GAMES]) as servers, postmaster.serving() as port:
        monkeypatch.setenv("PBEM_IMAP_URL", servers.imap_url(GAMES))
        monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{port}")
        run = await asyncio.to_thread(pbem.done, "doctor")
        told = [line for line in run.out.splitlines() if "sending" in line]
        assert [line[0] for line in told] == ["✓", "–", "–"]
        assert re.search(r" games\+b0\.\w{10}@example\.org, .+: 553 5\.7\.1 Not yours\. .+envelope=plain", told[1])
        assert re.search(r" <>, .+: 501 5\.1\.7 Nobody\. .+envelope=plain", told[2])
        monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{port}?envelope=plain")
        assert "– sending" not in (await asyncio.to_thread(pbem.done, "doctor")).out


def test_the_doctor_says_what_is_wrong_and_what_to_do(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fault is listed at once, and the exit code tells that there is one."""
    monkeypatch.setenv("PBEM_ARCHIVE_DIR", str(pbem.directory / "pbem.db" / "archive"))
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:///missing.db")
    run = pbem("doctor")
    assert (run.code, run.err) == (1, "")
    marks = [line[0] for line in run.out.splitlines()]
    assert marks == ["✓", "–", "–", "✗", "–", "–", "✓", *["–"] * 5, *["✗"] * 3]
    for fault in ("There is no database", "PBEM_IMAP_URL", "PBEM_SMTP_URL", "is not writable"):
        assert fault in run.out
    assert run.out.count("There is no database") == 1
    found = {one["check"]: one for one in pbem("doctor", "database", "service", "files", "--json").json}
    assert [(one["sound"], bool(one["told"])) for one in found.values()] == [
        (False, False),
        (False, False),
        (True, True),
    ]


def test_a_monitor_looks_at_some_lines_alone(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its exit code is theirs, and no server is asked for the others; a line that there is not is refused."""
    sound = pbem("doctor", "database", "service")
    assert (sound.code, [line.split()[1] for line in sound.out.splitlines()]) == (0, ["database", "service"])
    pbem.refuses("doctor", "datebase", code=64, says="There is no line “datebase”: choose from settings, database")
    assert "--mail adds own mail, --dns domain" in pbem("doctor", "domain").err
    assert pbem("doctor", "database", "--dns").out.split("\n")[1].split()[1] == "domain"
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:///missing.db")
    ill = pbem("doctor", "service")
    assert (ill.code, ill.out.startswith("✗ service   There is no database missing.db")) == (1, True)


def test_the_doctor_says_when_nobody_learns_who_runs_the_service(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note without the file, a fault where it can't be read."""
    assert "name it in about_file" in pbem("doctor").out
    monkeypatch.setenv("PBEM_ABOUT_FILE", "host.md")
    assert re.search(r"✗ settings .*host\.md .*No such file", pbem("doctor").out)
    Path("host.md").write_text("Dora runs it.")
    assert "host.md" not in pbem("doctor").out
    assert "about_file" not in pbem("doctor").out


def test_the_doctor_names_the_extra_that_is_missing(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it: robots think slowly without theirs, and no domain is looked up."""
    for module in ("command", "domain"):
        monkeypatch.setattr(f"pbem.cli.doctor.{module}.find_spec", lambda _: None)
    found = {one["check"]: one for one in pbem("doctor", "settings", "--dns", "--json").json}
    assert "deploy/extras/robots.txt" in found["settings"]["told"]
    assert "bin/pip install --require-hashes -r deploy/extras/dns.txt" in found["domain"]["faults"][0]


def test_a_database_that_was_there_is_to_be_restored_and_not_made_anew(pbem: Pbem) -> None:
    """What lies beside it tells that it was; a new one would answer that no match is known."""
    assert "restore" not in pbem("doctor").out
    write_landmark(pbem.directory / "pbem.db", Landmark(NOW, 1, 2))
    (pbem.directory / "pbem.db").unlink()
    assert "though there was one: restore the newest copy of it." in pbem("doctor").out
    pbem.refuses("matches", code=78, says="restore the newest copy")


NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)


def test_the_doctor_tells_of_emails_that_are_tried_in_vain(pbem: Pbem) -> None:
    """From the fifth attempt on: how many, why in short, and what to do; before that greylisting may end it."""
    assert "tried" not in pbem("doctor").out
    database = Database("sqlite:///pbem.db")
    for number, attempts in [(1, 4), (2, 5), (3, 6)]:
        error = f"server {number} is away: {'very ' * 100}far."
        with database.transaction() as tx:
            tx.outbound.note_attempt(number, "queued", error, datetime.now(UTC), attempts=attempts)
    database.close()
    told = next(line for line in pbem("doctor").out.splitlines() if "tried" in line)
    assert re.fullmatch(
        r"✗ messages  Emails tried 5 times .+: 2\. .+ carl@example\.org: server 3 is away: [very ]+…\."
        r" .+ “pbem outbound retry 3” and “pbem deliver” .+",
        told,
    )
    assert len(told) < 450


async def test_the_doctor_tells_that_sending_is_behind(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Since when and why, in the server's words, until it has taken or judged an email."""
    postmaster = Postmaster(RCPT="452 4.3.1 Disk full")
    async with postmaster.serving() as port:
        monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{port}")
        await asyncio.to_thread(pbem, "deliver")
        told = (await asyncio.to_thread(pbem, "doctor")).out.splitlines()
        today = datetime.now(UTC).strftime("%Y-%m-%d")
        (line,) = (line for line in told if "ending is behind" in line)
        assert re.match(rf"✗ messages  Sending is behind since {today} ..:.. UTC: .+: 452 4\.3\.1 Disk full\. \w", line)
        postmaster.answers["RCPT"] = "450 4.7.1 Greylisted"
        for number in "12":
            await asyncio.to_thread(pbem.done, "outbound", "retry", number)
        await asyncio.to_thread(pbem, "deliver")
        assert "ending is behind" not in (await asyncio.to_thread(pbem, "doctor")).out


def test_the_doctor_tells_of_messages_that_met_a_bug(pbem: Pbem) -> None:
    """How many there are, how to see what happened, and how to carry them out when the bug is mended."""
    message = pbem.answer(1, "c3")
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection:
        ((options,),) = connection.execute("SELECT options FROM match").fetchall()
        connection.execute("UPDATE match SET options = ?", ['{"size": 0}'])
        connection.commit()
    assert pbem("receive", "--json", stdin=message).lines[0]["status"] == "failed"
    pbem("receive", stdin=b"noise")
    told = next(line for line in pbem("doctor").out.splitlines() if line.startswith("✗ messages"))
    assert re.fullmatch(
        r"✗ messages  Messages that failed: 1. “pbem inbound list --status failed” .+, “pbem inbound show 1” .+"
        r" “pbem inbound retry 1” .+",
        told,
    )
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection:
        connection.execute("UPDATE match SET options = ?", [options])
        connection.commit()
    assert pbem.done("inbound", "retry", "1").out == "Message 1: accepted c3.\n"
    assert "have failed" not in pbem("doctor").out


def test_the_doctor_tells_of_messages_that_wait_for_an_answer(pbem: Pbem) -> None:
    """A message held until its player says whose it is is no fault, but told; with the answer it is over."""
    held = pbem.answer(1, "c3").replace(ANN.encode(), b"ann@new.example", 1)
    assert pbem.done("receive", "--json", stdin=held).lines[0]["reason"] == "unknown_address"
    shown = pbem.done("inbound", "show", "1").out
    assert "code:         unknown_address\n" in shown
    assert "written:      c3\n" in shown
    (told,) = [line for line in pbem("doctor").out.splitlines() if line.startswith("– messages")]
    assert re.fullmatch(r"– messages  1 held, .+ “pbem inbound show 1” .+", told)
    asked = str(pbem.done("outbound", "show", "4", "--json").json["message_id"]).encode()
    pbem.done("receive", stdin=b"In-Reply-To: " + asked + b"\n" + pbem.answer(4, "yes", "<2@example.org>"))
    assert "– messages" in pbem("doctor").out  # the address itself has not answered
    pbem.done("receive", stdin=pbem.answer(6, "yes", "<3@example.org>"))
    assert "– messages" not in pbem("doctor").out
