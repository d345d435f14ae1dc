"""A service that does not work is a fault, whatever else is well: the doctor says what, since when, and what to do."""

import os
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem.pipeline.rationing import OUR_BUDGET
from pbem.running.scheduler import exclusive_lock
from tests.support.command_line import ANN, BOB, Pbem

SOUND = {"sends": 0, "receives": 0}


def beat(pbem: Pbem, **minutes: float) -> None:
    """Note when the service last did what, so many minutes ago."""
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as database, database:
        database.execute("DELETE FROM heartbeat")
        for name, ago in minutes.items():
            database.execute("INSERT INTO heartbeat VALUES (?, ?)", (name, moment(ago)))


def moment(minutes: float) -> str:
    """Return a time so many minutes ago, as the database writes it."""
    return (datetime.now(UTC) - timedelta(minutes=minutes)).strftime("%Y-%m-%d %H:%M:%S.%f")


def change(pbem: Pbem, statement: str, *values: object) -> None:
    """Change the database by hand."""
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as database, database:
        assert database.execute(statement, values).rowcount


def finding(pbem: Pbem, check: str = "service") -> dict[str, Any]:
    """Return what a check finds."""
    found: list[dict[str, Any]] = pbem("doctor", "--json").json
    return next(one for one in found if one["check"] == check)


def test_a_service_that_has_not_run_yet_is_no_fault(pbem: Pbem) -> None:
    """Whoever installs it asks the doctor before the first start."""
    assert finding(pbem)["sound"]


def test_a_service_that_runs_is_told_from_one_that_only_did(pbem: Pbem) -> None:
    """By the lock that it holds; an hour without it is no fault, for somebody may poll by hand."""
    beat(pbem, **SOUND)
    assert finding(pbem)["notes"]
    with exclusive_lock(pbem.directory / "pbem.db"):
        assert (finding(pbem)["notes"], finding(pbem)["sound"]) == ([], True)


@pytest.mark.parametrize(("name", "words"), [("sends", "sends nothing"), ("receives", "been able to read email")])
def test_a_service_that_stands_still_is_a_fault(pbem: Pbem, name: str, words: str) -> None:
    """Also while its process is there, and only one of both things works; it is told once."""
    beat(pbem, **SOUND | {name: 61})
    with exclusive_lock(pbem.directory / "pbem.db"):
        found = pbem("doctor")
    assert (found.out.count(words), found.out.count("since 20"), found.code) == (1, 1, 1)


def test_a_clock_that_was_wrong_is_a_fault(pbem: Pbem) -> None:
    """What the service noted lies in the future: it was wrong then, or is now."""
    beat(pbem, sends=0, receives=-120)
    assert len(finding(pbem)["faults"]) == 1


@pytest.mark.parametrize(("minutes", "faults"), [(61, 1), (59, 0), (-300, 0), (-40 * 1440, 1)])
def test_an_email_that_nobody_tries_to_send_is_a_fault(pbem: Pbem, minutes: float, faults: int) -> None:
    """It has been due for an hour, or is put off for weeks since a clock was wrong."""
    beat(pbem, **SOUND)
    change(pbem, "UPDATE outbound SET due_at = ?", moment(0))
    change(pbem, "UPDATE outbound SET due_at = ? WHERE id = 2", moment(minutes))
    assert len(finding(pbem)["faults"]) == faults


@pytest.mark.parametrize("minutes", [-10, 30])
def test_a_single_email_that_was_put_off_is_told_and_no_fault(pbem: Pbem, minutes: float) -> None:
    """To whom, why, and when it is tried again, or should have been."""
    beat(pbem, **SOUND)
    change(pbem, "UPDATE outbound SET status = 'sent' WHERE id <> 2")
    change(pbem, "UPDATE outbound SET due_at = ?", due := moment(minutes))
    assert finding(pbem, "messages")["notes"] == []
    change(pbem, "UPDATE outbound SET attempts = 1, error = '450 4.7.1 Greylisted.' WHERE id = 2")
    (note,) = finding(pbem, "messages")["notes"]
    assert finding(pbem, "messages")["sound"]
    assert BOB in note
    assert due[:16] in note
    assert "450 4.7.1 Greylisted." in note
    assert ("pbem deliver" in note) == (minutes > 0)


def test_what_waits_for_the_budget_was_not_put_off_by_a_server(pbem: Pbem) -> None:
    """The line about the budget tells of it, and says when there is room again."""
    change(pbem, "UPDATE outbound SET attempts = 1, error = ?", f"{OUR_BUDGET}500 a day are sent, so it waits its turn")
    assert finding(pbem, "messages")["notes"] == []


def test_a_message_that_nobody_processes_is_a_fault(pbem: Pbem) -> None:
    """It was stored, and then the process died."""
    beat(pbem, **SOUND)
    pbem.done("receive", stdin=pbem.answer(1, "c3"))
    assert finding(pbem)["faults"] == []
    change(pbem, "UPDATE inbound SET status = 'received', received_at = ?", moment(61))
    assert len(finding(pbem)["faults"]) == 1


def test_copies_that_are_no_longer_made_are_a_fault(pbem: Pbem) -> None:
    """None at all is none on the first day; an old one tells that the timer has stopped."""
    assert finding(pbem, "backups")["sound"]
    pbem.done("backup", "--keep", "2", "backups")
    assert finding(pbem, "backups")["sound"]
    (copy,) = (pbem.directory / "backups").iterdir()
    os.utime(copy, (time.time() - 3 * 86400,) * 2)
    assert not finding(pbem, "backups")["sound"]


def test_what_the_doctor_finds_is_the_same_as_json(pbem: Pbem) -> None:
    """Each check once, with its faults and notes, in the order of the lines; and the same exit code."""
    beat(pbem, sends=61, receives=61)
    lines, run = pbem("doctor").out.splitlines(), pbem("doctor", "--json")
    assert run.code == 1
    assert len({one["check"] for one in run.json}) == len(run.json)
    told = [
        f"{mark} {one['check']:<9} {sentence}"
        for one in run.json
        for mark, sentences in (
            ("✗", one["faults"]),
            ("✓", [] if one["faults"] else [one["told"]]),
            ("–", one["notes"]),
        )
        for sentence in sentences
    ]
    assert told == lines


def test_robots_that_may_not_move_are_told(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where robots are off, and one still has a seat: no fault, since somebody may want it so."""
    pbem.done("open", "pippip", BOB, "robot:1")
    assert "robot" not in str(finding(pbem, "matches"))
    monkeypatch.setenv("PBEM_ROBOTS", "off")
    found = finding(pbem, "matches")
    assert not found["faults"]
    (note,) = found["notes"]
    assert "pbem replace" in note


def test_what_is_wrong_is_told_to_the_operator(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """If they have an address; the line about messages, which has what they are told, doesn't repeat it."""

    def count_told() -> int:
        with closing(sqlite3.connect(pbem.directory / "pbem.db")) as database:
            return int(database.execute("SELECT count(*) FROM question WHERE state = 'open'").fetchone()[0])

    (pbem.directory / "pbem.db").chmod(0o644)
    assert (pbem("doctor", "files", "--tell").code, count_told()) == (78, 0)
    monkeypatch.setenv("PBEM_OPERATOR", ANN)
    assert (pbem("doctor", "files", "--tell").code, count_told()) == (1, 1)
    assert pbem.done("doctor", "messages", "--tell").out.startswith("✓")
    (pbem.directory / "pbem.db").chmod(0o600)
    assert count_told() == 1
    pbem.done("doctor", "files", "--tell")
    assert count_told() == 0
