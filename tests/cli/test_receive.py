"""``pbem receive`` takes in emails from files, directories and pipes: each gets its line, and none is lost."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from pbem.storage.database import Database
from tests.support.command_line import ANN, BOB, CARL, Pbem


def _kept(pbem: Pbem, number: int) -> bytes:
    """Return the bytes of an inbound message, as they are kept."""
    database = Database(f"sqlite:///{pbem.directory / 'pbem.db'}")
    with database.reading() as tx:
        raw = tx.inbound.raw(number)
    database.close()
    return raw


def test_a_pipe_is_told_to_try_again_whatever_is_wrong_here(pbem: Pbem) -> None:
    """An email server keeps an email for code 75 alone; a mistake in our settings must not send it back."""
    (pbem.directory / "pbem.toml").write_text("", "utf-8")
    for arguments in (["receive"], ["receive", "-"], ["receive", "--json", "-"]):
        pbem.refuses(*arguments, code=75, says="The setting “address” is missing", stdin=b"From: a@b.c\n\nHello\n")


def test_a_message_on_standard_input_is_taken_in_once(pbem: Pbem) -> None:
    """One JSON line says what became of a message; the same message again is a duplicate, and changes nothing."""
    message = pbem.answer(1, "c3\nHello!")
    (found,) = pbem.done("receive", "--json", stdin=message).lines
    assert {key: found[key] for key in ("file", "status", "reason", "match", "commands", "mails")} == {
        "file": "-",
        "status": "accepted",
        "reason": "",
        "match": 1,
        "commands": ["c3"],
        "mails": [ANN, BOB, CARL],
    }
    before = pbem.state()
    (again,) = pbem.done("receive", "--json", stdin=message).lines
    assert (again["status"], again["match"], again["commands"], again["mails"]) == ("duplicate", 1, [], [])
    assert pbem.state() == before


def test_receive_behind_a_pipe_says_nothing(pbem: Pbem) -> None:
    """An email server takes any output for a failure, so there is none."""
    assert pbem.done("receive", stdin=pbem.answer(1, "c3")).out == ""


def test_receive_takes_files_and_directories_in_order(pbem: Pbem) -> None:
    """A directory stands for the files below it, by their names, not the hidden ones; ``-`` is read in between."""
    files = {
        "mails/2": pbem.answer(1, "d4", "<2@example.org>"),
        "mails/1": pbem.answer(1, "c3", "<1@example.org>"),
        "mails/older/3": pbem.answer(1, "e5", "<3@example.org>"),
        "mails/.lock": b"",
        "mails/.index/4": b"noise",
        "stranger": b"From: x@example.org\n\nHello\n",
    }
    for name, raw in files.items():
        (pbem.directory / name).parent.mkdir(exist_ok=True, parents=True)
        (pbem.directory / name).write_bytes(raw)
    automatic = b"From: ann@example.org\nAuto-Submitted: auto-replied\n\nI am away.\n"
    found = pbem.done("receive", "--json", "mails", "-", "stranger", stdin=automatic).lines
    assert [(one["file"], one["status"], one["reason"]) for one in found] == [
        ("mails/1", "accepted", ""),
        ("mails/2", "rejected", "stale_turn"),
        ("mails/older/3", "rejected", "stale_turn"),
        ("-", "discarded", "automatic"),
        ("stranger", "rejected", "unknown_sender"),
    ]


def test_a_directory_without_emails_is_no_error(pbem: Pbem) -> None:
    """For a program there is nothing to read; a person is told so."""
    (pbem.directory / "empty" / ".hidden").mkdir(parents=True)
    assert pbem.done("receive", "--json", "empty").out == ""
    assert pbem.done("receive", "empty").out == "No emails.\n"


def test_a_file_that_cannot_be_read_keeps_no_other_waiting(pbem: Pbem) -> None:
    """Links that lead nowhere and missing files are named, everything else is taken in, and the exit code tells."""
    mails = pbem.directory / "mails"
    mails.mkdir()
    (mails / "1").symlink_to("nowhere")
    (mails / "2").write_bytes(pbem.answer(1, "c3"))
    run = pbem("receive", "--json", "missing", "mails")
    assert run.code == 66
    assert [(one["file"], one["status"]) for one in run.lines] == [("mails/2", "accepted")]
    assert run.err.splitlines() == [
        f"pbem: {name} cannot be read: No such file or directory." for name in ("missing", "mails/1")
    ]


def _mbox(*messages: bytes) -> bytes:
    """Return messages as an email program keeps them together in one file."""
    return b"".join(b"From ann@example.org Thu Nov 19 18:30:00 2026\n" + raw + b"\n" for raw in messages)


def test_an_mbox_stands_for_the_emails_in_it(pbem: Pbem) -> None:
    """Each mail is numbered; a line of an email that begins with From parts nothing, nor does one that was marked."""
    first = pbem.answer(1, "c3\n\nFrom now on it gets tight.\n\n>From Berlin, Ann", "<1@example.org>")
    (pbem.directory / "box").write_bytes(_mbox(first, pbem.answer(1, "d4", "<2@example.org>")))
    found = pbem.done("receive", "--json", "--dry-run", "box").lines
    assert [(one["file"], one["number"], one["status"]) for one in found] == [
        ("box", 1, "accepted"),
        ("box", 2, "accepted"),
    ]
    told = pbem.done("receive", "box").out.splitlines()
    assert told[0].startswith("box: accepted, match 1, c3, emails to ")
    assert told[1].startswith("box, email 2: rejected, stale_turn, ")
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection:
        ((said,),) = connection.execute("SELECT text FROM remark").fetchall()
    assert said == "From now on it gets tight.\n\nFrom Berlin, Ann"


def test_a_mail_in_a_pipe_is_one_whatever_is_in_it(pbem: Pbem) -> None:
    """Whoever writes an email cannot write another one into it, not even behind a line that parts an mbox."""
    messages = _mbox(b"From: x@example.org\n\nHello", pbem.answer(1, "c3"))
    (found,) = pbem.done("receive", "--json", stdin=messages).lines
    assert (found["status"], found["reason"]) == ("rejected", "unknown_sender")


def test_a_named_pipe_is_read_to_its_end(pbem: Pbem) -> None:
    """A FIFO, as ``<(…)`` of a shell is one, is a file like any other."""
    message, fifo = pbem.answer(1, "c3"), pbem.directory / "fifo"
    os.mkfifo(fifo)
    writing = Thread(target=fifo.write_bytes, args=[message])
    writing.start()
    (found,) = pbem.done("receive", "--json", "fifo").lines
    writing.join()
    assert found["status"] == "accepted"


@pytest.mark.parametrize("wrapped", [False, True], ids=["alone", "in an mbox"])
def test_a_huge_file_is_read_no_further_than_it_counts(pbem: Pbem, wrapped: bool) -> None:
    """What is too large is told as such, and only its beginning kept; what comes behind it in an mbox is read."""
    huge = pbem.answer(1, "c3\n" + "x" * 60 * 200_000)
    (pbem.directory / "huge").write_bytes(_mbox(huge, pbem.answer(1, "c3", "<2@example.org>")) if wrapped else huge)
    found = pbem.done("receive", "--json", "huge").lines
    assert [(one["status"], one["reason"]) for one in found] == [("rejected", "too_large"), ("accepted", "")][
        : 1 + wrapped
    ]
    assert len(_kept(pbem, 1)) == 200_000


def test_every_line_is_json_whatever_a_file_is_called(pbem: Pbem) -> None:
    """Names with line breaks, escapes or bytes that are no text break no line, and reach no terminal as they are."""
    mails = pbem.directory / "mails"
    mails.mkdir()
    for name in (b"a\nb", b"c\x1b[31m", b"d\xff", "e\u202ef".encode()):
        (mails / os.fsdecode(name)).write_bytes(b"noise")
    run = pbem("receive", "--json", "--dry-run", "mails")
    assert [one["file"] for one in run.lines] == [str(path) for path in sorted(mails.relative_to(Path.cwd()).iterdir())]
    assert run.out.replace("\n", "").isprintable()
    words = pbem("receive", "--dry-run", "mails").out
    assert len(words.splitlines()) == 4
    assert words.replace("\n", "").isprintable()


def test_a_pipe_does_not_tell_private_words(pbem: Pbem) -> None:
    """What an email server may write into its log holds nothing that is for a partner's eyes."""
    for number, (mail, body) in enumerate([(1, "c3"), (5, "take")]):
        pbem.done("receive", stdin=pbem.answer(mail, body, f"<{number}@example.org>"))
    said = pbem("--verbose", "receive", "--json", stdin=pbem.answer(9, "team: swordfish\na1", "<3@example.org>"))
    (found,) = said.lines
    assert (found["status"], found["commands"]) == ("accepted", ["team: …", "a1"])
    asked = pbem("--verbose", "receive", "--json", stdin=pbem.answer(9, "team swordfish", "<4@example.org>"))
    assert (asked.lines[0]["status"], asked.lines[0]["commands"]) == ("accepted", [])
    assert "swordfish" not in said.out + said.err + asked.out + asked.err


@pytest.mark.parametrize(
    "raw", [b"", b"\n", bytes(range(256)) * 20, b"\xff" * 5000, b"hello\n", b"\0", b"From:", b"From: a@b.c\n" * 5000]
)
def test_bytes_that_are_no_mail_are_kept_and_break_nothing(pbem: Pbem, raw: bytes) -> None:
    """An empty file or noise ends as a message like any other: with a reason, without a traceback.

    It is kept, or its beginning where it is no message to anybody here.
    """
    (pbem.directory / "noise").write_bytes(raw)
    run = pbem("receive", "--json", "noise")
    assert run.code == 0
    assert "Traceback" not in run.err
    (found,) = run.lines
    assert (found["status"], found["reason"]) in [("failed", "unreadable"), ("discarded", "no single sender")]
    (message,) = pbem.done("inbound", "list", "--json").json
    assert _kept(pbem, message["id"]) == (raw if found["status"] == "failed" else raw[:8192])
    assert pbem.done("matches", "--json").json[0]["ply"] == 0


def test_a_rehearsal_tells_what_would_happen_and_leaves_no_trace(pbem: Pbem) -> None:
    """``--dry-run`` says of every message what ``receive`` will say of it, and the database stays as it is."""
    messages = {
        "1": pbem.answer(1, "c3", "<1@example.org>"),
        "2": pbem.answer(1, "z9", "<2@example.org>"),
        "3": b"From: x@example.org\n\nHello\n",
        "4": b"noise",
    }
    for name, raw in messages.items():
        (pbem.directory / name).write_bytes(raw)
    before = pbem.state()
    rehearsed = [pbem.done("receive", "--dry-run", "--json", name).lines[0] for name in messages]
    assert pbem.state() == before
    assert [one["status"] for one in rehearsed] == ["accepted", "rejected", "rejected", "failed"]
    assert rehearsed[0]["mails"] == [ANN, BOB, CARL]
    words = pbem.done("receive", "--dry-run", "2").out
    assert words.startswith("2: rejected, move_rejected, ")
    assert "z9" in words
    assert pbem.state() == before
    for name, told in zip(messages, rehearsed, strict=True):
        if name == "2":
            continue  # it is answered to the notice that has become stale
        assert pbem.done("receive", "--json", name).lines == [told]
    assert pbem.done("receive", "--dry-run", "--json", "1").lines[0]["status"] == "duplicate"
