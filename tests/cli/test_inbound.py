"""What the operator sees of a message that came in, and doing it anew."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.cli.email.inbound import explain
from pbem.commands.rejections import Rejection
from pbem.storage.messages.records import InboundRecord
from tests.support.command_line import ANN, Pbem
from tests.support.each import each


def test_raw_prints_the_bytes_as_they_are(pbem: Pbem) -> None:
    """``inbound show --raw`` gives back the very message, to be handed in elsewhere."""
    message = pbem.answer(1, "c3")
    pbem.done("receive", stdin=message)
    assert pbem.done("inbound", "show", "1", "--raw").out.encode() == message
    assert pbem.mail(1).startswith(b'From: "pbem (Bob & Carl)" <games@example.org>\r\n')


def test_a_message_that_was_accepted_is_not_carried_out_again(over: Pbem) -> None:
    """``inbound retry`` refuses what would be to play twice, and settles anew what was rejected."""
    over.refuses("inbound", "retry", "1", code=64, says="Message 1 was accepted")
    over.done("receive", stdin=over.answer(8, "c4", "<late@example.org>"))
    assert over.done("inbound", "retry", "4").out == (
        "Message 4: rejected already_over.\n“pbem inbound show 4” tells more.\n"
    )
    assert over.done("inbound", "retry", "4", "4").out.count("Message 4: rejected") == 2
    assert over.done("show", "1", "--json").json["ply"] == 3


ROOT = Path(__file__).resolve().parents[2]

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)


def _kinds(kind: type[Rejection]) -> set[str]:
    """Return the words under which messages are kept that are answered with a question."""
    below = {word for child in kind.__subclasses__() for word in _kinds(child)}
    return below | ({kind.kind} if hasattr(kind, "kind") else set())


def _discarded() -> set[str]:
    """Return the words under which messages are kept that are never answered: those in the corpus and in the source."""
    notes = "\n".join(path.read_text("utf-8", "replace") for path in (ROOT / "tests" / "corpus").rglob("*.eml"))
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "pbem").rglob("*.py"))
    ends = {word for line in re.findall(r"(?m)^#\s*end: discarded (.+)$", notes) for word in line.split(" or ")}
    return ends | set(re.findall(r'Discard\("([^"]+)"\)', source)) | {"not_his", "bulk", "loop"}


def _kept(status: str, reason: str) -> InboundRecord:
    """Return a message as it is kept."""
    return InboundRecord(1, "<1@example.org>", status, reason, "", ANN, "Re: x", None, None, (), NOW, NOW, reason)


@each("reason", sorted(_kinds(Rejection) | {"unknown_address"}))
def test_every_question_is_explained(reason: str) -> None:
    """Whatever a message was rejected for, a sentence says what that means."""
    assert explain(_kept("rejected", reason)).endswith(".")


@each("reason", sorted(_discarded()))
def test_every_silence_is_explained(reason: str) -> None:
    """Whatever a message was discarded for, a sentence says what that means."""
    assert re.fullmatch(r".+\. It is kept, and not answered\.", explain(_kept("discarded", reason)))


def test_a_message_is_shown_with_all_that_became_of_it(pbem: Pbem) -> None:
    """What was read, what it means, whose it is, and which emails it led to; seats count from 1 for people."""
    pbem.done("receive", stdin=pbem.answer(1, "Hello!\nz9\n-- \nAnn", "<1@example.org>"))
    shown = pbem.done("inbound", "show", "1").out
    for line in (
        r"message:      1, rejected: move_rejected",
        r"meaning:      .+\.",
        r"code:         [a-z_]+",
        r"detail:       .*“z9”.+",
        r"received:     \d{4}-\d\d-\d\d \d\d:\d\d UTC",
        r"from:         ann@example\.org",
        r"match:        1 \(Zipline\), seat 1, Ann",
        r"written:      Hello!\n              z9",
        r"emails:       4 move_rejected to ann@example\.org, queued",
    ):
        assert re.search(rf"(?m)^{line}$", shown), line
    assert pbem.done("inbound", "show", "1", "--json").json["written"] == ["Hello!", "z9"]
    answer = pbem.done("outbound", "show", "4").out
    assert "email:        4, queued: move_rejected\n" in answer
    assert "answers:      message 1\n" in answer


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"noise", "code:         unreadable\n"),
        (b"From: a@b.example, c@d.example\n\nHi\n", "from:         “a@b.example, c@d.example”\n"),
        (b"From: a@b.example\nFrom: c@d.example\n\nHi\n", "from:         “a@b.example” and “c@d.example”\n"),
        (b"From: a@b.example\nAuto-Submitted: auto-replied\n\nAway\n", "code:         automatic\n"),
        (b"From: a@b.example\n\nHi there\n", "written:      Hi there\n"),
    ],
    ids=["noise", "two addresses", "two senders", "a program", "a stranger"],
)
def test_a_message_of_nobody_is_shown(pbem: Pbem, raw: bytes, says: str) -> None:
    """What is no player's is shown as far as it can be read, with what From claims where that names nobody."""
    pbem("receive", stdin=raw)
    assert says in pbem.done("inbound", "show", "1").out


def test_every_way_to_see_a_message_tells_its_code(pbem: Pbem) -> None:
    """What ``receive``, ``list`` and ``show`` print says more closely than the reason why it was not carried out."""
    message = pbem.answer(1, "unsubscribe\nresume")
    (found,) = pbem.done("receive", "--json", stdin=message).lines
    (listed,) = pbem.done("inbound", "list", "--json").json
    shown = pbem.done("inbound", "show", "1", "--json").json
    assert (found["reason"], found["code"]) == ("no_command", "contradiction")
    assert found["code"] == listed["code"] == shown["code"]
    assert "code:         contradiction\n" in pbem.done("inbound", "show", "1").out
    (again,) = pbem.done("receive", "--json", stdin=message).lines
    assert (again["status"], again["code"]) == ("duplicate", "")


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


def test_a_reply_is_shown_while_the_service_writes(pbem: Pbem) -> None:
    """To look at a message changes nothing, so it does not wait for anybody, even where it may quote an email."""
    pbem.done("receive", stdin=pbem.answer(1, "c3\nsay: a few words that might be a quotation"))
    with closing(sqlite3.connect("pbem.db", isolation_level=None)) as service:
        service.execute("BEGIN IMMEDIATE")
        assert pbem.done("inbound", "show", "1", "--json").json["commands"][0] == "c3"
        service.execute("ROLLBACK")
