"""What an operator is told: why a message was not carried out, what waits for him, and nothing that harms a terminal."""

import os
import pty
import re
import sqlite3
import subprocess
import sys
from base64 import b64encode
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.cli.reasons import meaning
from pbem.commands.rejections import Rejection
from pbem.storage.database import Database
from pbem.storage.records import InboundRecord
from tests.cli.conftest import ANN, Pbem

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
OBEYED = "\x1b[31m\x1b]0;title\x07\u202e\u2066\u009b2J\u200f"
"""What colours a terminal, names its window, clears it, and turns round what stands behind."""


def _kinds(kind: type[Rejection]) -> set[str]:
    """Return the words under which messages are kept that are answered with a question."""
    below = {word for child in kind.__subclasses__() for word in _kinds(child)}
    return below | ({kind.kind} if hasattr(kind, "kind") else set())


def _discarded() -> set[str]:
    """Return the words under which messages are kept that are never answered: those in the corpus and in the source."""
    notes = "\n".join(path.read_text("utf-8", "replace") for path in (ROOT / "tests" / "letters").rglob("*.eml"))
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "pbem").glob("*.py"))
    ends = {word for line in re.findall(r"(?m)^#\s*end: discarded (.+)$", notes) for word in line.split(" or ")}
    return ends | set(re.findall(r'Discard\("([^"]+)"\)', source)) | {"not_his", "bulk", "loop"}


def _kept(status: str, reason: str) -> InboundRecord:
    """Return a message as it is kept."""
    return InboundRecord(1, "<1@example.org>", status, reason, "", ANN, "Re: x", None, None, (), NOW, NOW)


@pytest.mark.parametrize("reason", sorted(_kinds(Rejection) | {"unknown_address"}))
def test_every_question_is_explained(reason: str) -> None:
    """Whatever a message was rejected for, a sentence says what that means."""
    assert meaning(_kept("rejected", reason)).endswith(".")


@pytest.mark.parametrize("reason", sorted(_discarded()))
def test_every_silence_is_explained(reason: str) -> None:
    """Whatever a message was discarded for, a sentence says what that means."""
    assert re.fullmatch(r".+\. It is kept, and not answered\.", meaning(_kept("discarded", reason)))


def test_a_message_is_shown_with_all_that_became_of_it(pbem: Pbem) -> None:
    """What was read, what it means, whose it is, and which emails it led to; seats count from 1 for people."""
    pbem.done("receive", stdin=pbem.answer(1, "Hello!\nz9\n-- \nAnn", "<1@example.org>"))
    shown = pbem.done("inbound", "show", "1").out
    for line in (
        r"letter:       1, rejected: move_rejected",
        r"meaning:      The rules say no to the move, or cannot make out which one is meant\.",
        r"detail:       “z9” is not .+",
        r"received:     \d{4}-\d\d-\d\d \d\d:\d\d UTC",
        r"from:         ann@example\.org",
        r"match:        1 \(Zipline\), seat 1, Ann",
        r"written:      Hello!\n              z9",
        r"mails:        4 move_rejected to ann@example\.org, queued",
    ):
        assert re.search(rf"(?m)^{line}$", shown), line
    assert pbem.done("inbound", "show", "1", "--json").json["written"] == ["Hello!", "z9"]
    answer = pbem.done("outbound", "show", "4").out
    assert "mail:         4, queued: move_rejected\n" in answer
    assert "answers:      letter 1\n" in answer


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"noise", "The bytes are no mail that can be read. They are kept. You need do nothing."),
        (b"From: a@b.example, c@d.example\n\nHi\n", "from:         “a@b.example, c@d.example”\n"),
        (b"From: a@b.example\nFrom: c@d.example\n\nHi\n", "from:         “a@b.example” and “c@d.example”\n"),
        (b"From: a@b.example\nAuto-Submitted: auto-replied\n\nAway\n", "A program wrote it, such as a note"),
        (b"From: a@b.example\n\nHi there\n", "written:      Hi there\n"),
    ],
    ids=["noise", "two addresses", "two senders", "a program", "a stranger"],
)
def test_a_message_of_nobody_is_shown(pbem: Pbem, raw: bytes, says: str) -> None:
    """What is no player's is shown as far as it can be read, with what From claims where that names nobody."""
    pbem("receive", stdin=raw)
    assert says in pbem.done("inbound", "show", "1").out


def test_private_words_are_not_shown_to_the_host(pbem: Pbem) -> None:
    """The host may play himself: of what is, or may be, for a partner alone he sees only that it is there."""
    bodies = ["c3", "take", "team: swordfish\nhalibut, too\na1", "team swordfish\nand halibut\na1"]
    for number, (mail, body) in enumerate(zip([1, 5, 9, 9], bodies, strict=True)):
        pbem.done("receive", stdin=pbem.answer(mail, body, f"<{number}@example.org>"))
    assert [pbem.done("inbound", "show", str(number), "--json").json["written"] for number in (3, 4)] == [
        ["team: …", "a1"],
        ["…", "a1"],
    ]
    for message in ("3", "4"):
        shown = pbem.done("inbound", "show", message).out
        assert "swordfish" not in shown
        assert "halibut" not in shown


def _as_header(text: str) -> str:
    """Return a text as a header may hold it."""
    return f"=?utf-8?b?{b64encode(text.encode()).decode()}?="


def test_nothing_from_a_message_or_server_is_obeyed_by_a_terminal(pbem: Pbem) -> None:
    """Neither escape sequences nor marks that turn the direction of writing are printed, from wherever they come."""
    message = pbem.answer(1, f"c3\nHello {OBEYED}!").replace(b"Subject:", b"X:")
    message = f"Subject: {_as_header(OBEYED)}\nFrom: {_as_header(OBEYED)} <{ANN}>\n".encode() + message.replace(
        b"From:", b"X-From:", 1
    )
    pbem.done("receive", stdin=message)
    pbem("receive", stdin=f"From: {OBEYED} {OBEYED}\nSubject: {OBEYED}\n\nHi\n".encode())
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection:
        connection.execute("UPDATE outbound SET error = ?", [f"550 {OBEYED} no"])
        connection.execute("UPDATE inbound SET detail = ?", [f"{OBEYED}\r\nfine"])
        connection.commit()
    for arguments in (
        *(["inbound", "list"], ["inbound", "show", "1"], ["inbound", "show", "2"]),
        *(["outbound", "list"], ["outbound", "show", "1"], ["outbound", "show", "5"]),
    ):
        for flags in ([], ["--json"]):
            printed = pbem.done(*arguments, *flags).out
            assert not [char for char in printed if not char.isprintable() and char != "\n"], arguments
    assert pbem.done("outbound", "list", "--json").json[0]["error"] == f"550 {OBEYED} no"


def test_raw_bytes_do_no_harm_to_a_terminal(pbem: Pbem) -> None:
    """``--raw`` gives a file or pipe the very bytes, and a person before a screen what can be shown of them."""
    message = f"From: a@b.example\n\nHi {OBEYED}\n".encode()
    pbem.done("receive", stdin=message)
    assert pbem.done("inbound", "show", "1", "--raw").out.encode() == message
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from pbem.cli import main; main()", "inbound", "show", "1", "--raw"]
    subprocess.run(command, stdout=theirs, check=True, timeout=30)
    os.close(theirs)
    seen = os.read(ours, 10_000).decode()
    os.close(ours)
    assert seen.startswith("From: a@b.example\r\n\r\nHi \ufffd[31m")
    assert not {"\x1b", "\u202e", "\u009b"} & set(seen)


def test_nothing_is_cut_in_a_pipe_or_file(pbem: Pbem) -> None:
    """However long an address is, a program that reads a table finds it whole, in one line a row."""
    long = f"x{'-long' * 10}@{'sub.' * 15}example.org"
    pbem.done("open", "pipline", ANN, f"Somebody Else :smile: [bold] <{long}>")
    for arguments, rows in [(["players"], 4), (["matches"], 2), (["outbound", "list"], 5)]:
        lines = pbem.done(*arguments).out.splitlines()
        assert len(lines) == 1 + rows
        assert "…" not in "".join(lines)
    assert long in pbem.done("outbound", "list").out
    assert f"Somebody Else :smile: [bold]  {long}" in pbem.done("players").out


def test_the_doctor_tells_of_emails_that_are_tried_in_vain(pbem: Pbem) -> None:
    """From the fifth attempt on: how many, why in short, and what to do; before that greylisting may end it."""
    assert "tried" not in pbem("doctor").out
    database = Database("sqlite:///pbem.db")
    for number, attempts in [(1, 4), (2, 5), (3, 6)]:
        with database.transaction() as tx:
            for _ in range(attempts):
                assert tx.outbound.claim(number, datetime.now(UTC), NOW)
            tx.outbound.note_attempt(
                number, "queued", f"server {number} is away: {'very ' * 100}far.", datetime.now(UTC)
            )
    database.close()
    told = next(line for line in pbem("doctor").out.splitlines() if "tried" in line)
    assert re.fullmatch(
        r"✗ database  Mails tried 5 times or more, and not sent yet: 2\. The latest, to carl@example\.org:"
        r" server 3 is away: [very ]+…\. They are tried for five days; when the cause is mended,"
        r" “pbem outbound retry 3” and “pbem deliver” send it at once\.",
        told,
    )
    assert len(told) < 450


def test_the_doctor_tells_of_messages_that_met_a_bug(pbem: Pbem) -> None:
    """How many there are, how to see what happened, and how to carry them out when the bug is mended."""
    message = pbem.answer(1, "c3")
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection:
        ((options,),) = connection.execute("SELECT options FROM match").fetchall()
        connection.execute("UPDATE match SET options = ?", ['{"size": 0}'])
        connection.commit()
    assert pbem("receive", "--json", stdin=message).lines[0]["status"] == "failed"
    pbem("receive", stdin=b"noise")
    assert (
        "✗ database  Letters that have failed: 1; “pbem inbound list --status failed” shows them,"
        " “pbem inbound show 1” what the latest has met. Nothing is lost: when the bug is mended,"
        " “pbem inbound retry 1” carries it out.\n"
    ) in pbem("doctor").out
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection:
        connection.execute("UPDATE match SET options = ?", [options])
        connection.commit()
    assert pbem.done("inbound", "retry", "1").out == "Letter 1: accepted c3.\n"
    assert "have failed" not in pbem("doctor").out


def test_the_doctor_tells_of_messages_that_wait_for_an_answer(pbem: Pbem) -> None:
    """A message held until its player says whose it is is no fault, but told; with the answer it is over."""
    held = pbem.answer(1, "c3").replace(ANN.encode(), b"ann@new.example", 1)
    assert pbem.done("receive", "--json", stdin=held).lines[0]["reason"] == "unknown_address"
    shown = pbem.done("inbound", "show", "1").out
    assert "says yes within two weeks." in shown
    assert "written:      c3\n" in shown
    (told,) = [line for line in pbem("doctor").out.splitlines() if line.startswith("– letters")]
    assert told == (
        "– letters   1 held, from an address that is no player's, until the player whose reply it seems to be says"
        " that it is; “pbem inbound show 1” shows the latest. There is nothing for you to do."
    )
    asked = str(pbem.done("outbound", "show", "4", "--json").json["message_id"]).encode()
    pbem.done("receive", stdin=b"In-Reply-To: " + asked + b"\n" + pbem.answer(4, "yes", "<2@example.org>"))
    assert "– letters" not in pbem("doctor").out
