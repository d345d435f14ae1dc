"""Messages that hold too much, or take too long to read: their player is told, and nobody else suffers."""

import re
import threading
import time

import pytest
from sqlalchemy import update

from pbem.pipeline.cpu_budget import OverBudget, cpu_budget
from pbem.storage.tables import INBOUND
from tests.support.club import Club, told
from tests.support.mails import text_of
from tests.support.running import MakeClub

ENDLESS = "never\n" * 400_001


def test_a_player_is_told_that_their_message_cannot_be_read(club: Club) -> None:
    """They get one email that says what to send instead, and their next message counts."""
    club.open()
    unread = club.reply(0, ENDLESS)
    assert (unread.message.status, unread.message.code, told(unread)) == ("rejected", "unreadable", [("unread", 0)])
    assert club.reply(0, "c3").message.status == "accepted"


def test_a_stranger_is_not_told(club: Club) -> None:
    """What nobody can read, from nobody we know, ends as failed, without an answer."""
    club.open()
    unread = club.reply(0, ENDLESS, From="x@y.example", To="games@play.example", In_Reply_To="", References="")
    assert (unread.message.status, unread.message.code) == ("rejected", "unknown_sender")
    held = club.reply(0, ENDLESS, From="x@y.example")
    assert (held.message.status, held.message.code, held.outbound) == ("failed", "unreadable", ())


def test_a_reply_that_quotes_the_longest_remarks_is_read(club: Club) -> None:
    """Whatever Ann says, Bob's reply counts, with all that he has got below it; and so does hers to that."""
    club.open()
    flood = "\n".join(f"say: {number} {'x' * 1900}" for number in range(90))
    assert club.reply(0, f"c3\n\n{flood}").message.status == "accepted"
    for seat, move in ((1, "b2"), (0, "d4"), (1, "e5")):
        notice = club.newest(seat)
        quoted = "\n".join(f"> {line}" for line in text_of(notice).splitlines())
        assert club.service.hand_in(club.answer(notice, f"{move}\n{flood}\n\n{quoted}")).message.status == "accepted"
    assert club.moves() == ["c3", "b2", "d4", "e5"]


def test_a_message_over_its_budget_is_answered_and_the_next_is_processed(new_club: MakeClub) -> None:
    """The transaction is undone, its player is told, and it is no bug."""

    def at(waypoint: str) -> None:
        while waypoint == "while processing":
            pass

    slow = new_club(budget=0.05, at=at)
    slow.open()
    over = slow.reply(0, "c3")
    assert (over.message.status, over.message.code, told(over)) == ("rejected", "over_budget", [("unread", 0)])
    assert (slow.moves(), slow.queued(kind="needs")) == ([], [])
    assert new_club().reply(0, "c3", Message_ID="<again@a.example>").message.status == "accepted"


def test_a_known_player_is_answered_whatever_their_message_answers(new_club: MakeClub) -> None:
    """Without a reply token, too: what takes too long to read ends with the list of their matches."""

    def at(waypoint: str) -> None:
        while waypoint == "while processing":
            pass

    slow = new_club(budget=0.05, at=at)
    slow.open()
    over = slow.reply(0, "c3", To="games@play.example", In_Reply_To="", References="")
    assert (over.message.status, over.message.code) == ("rejected", "over_budget")
    assert told(over) == [("unknown_match", None)]
    stranger = slow.reply(0, "c3", From="x@y.example", To="games@play.example", In_Reply_To="", References="")
    assert (stranger.message.status, stranger.outbound) == ("failed", ())


def _never_end() -> None:
    """Go on whatever happens."""
    while True:
        try:
            sum(range(1000))
        except Exception:
            continue


def test_what_takes_too_long_is_interrupted_wherever_it_is() -> None:
    """In loops of Python and in a search, and even where every failure is swallowed."""
    with pytest.raises(OverBudget), cpu_budget(0.01):
        re.match(r"(?:x+x+)+y", "x" * 60)
    with pytest.raises(OverBudget), cpu_budget(0.01):
        _never_end()


def test_a_budget_that_is_not_used_up_leaves_nothing_behind() -> None:
    """Later work is not interrupted."""
    with cpu_budget(0.05):
        pass
    assert sum(range(3_000_000)) > 0


def test_what_other_threads_take_is_not_the_budget_of_a_message() -> None:
    """The archive is written beside it: nobody is told that their email takes too long to read because of that."""
    ends = threading.Event()

    def write_archive() -> None:
        while not ends.is_set():
            sum(range(1000))

    other = threading.Thread(target=write_archive)
    other.start()
    try:
        with cpu_budget(0.05):
            time.sleep(0.6)
    finally:
        ends.set()
        other.join()


@pytest.mark.parametrize(
    "hostile",
    [
        b"Content-Type: multipart/mixed; boundary*=undefined''..%FF\n\n--x\n\nd4\n",
        b"Content-Type: multipart/mixed; boundary*" + b"9" * 4400 + b"=x\n\n--x\n\nd4\n",
        b"Content-Type: message/delivery-status\n\n" + b"A:\r\r" * 200_000,
    ],
)
def test_what_the_library_stumbles_over_is_no_bug_and_stops_nobody(new_club: MakeClub, hostile: bytes) -> None:
    """It ends as unreadable, its bytes cut, and honest messages behind it are processed."""
    club = new_club(budget=2)
    club.open()
    ended = club.service.hand_in(b"From: x@evil.example\nTo: games@play.example\nMessage-ID: <1@evil>\n" + hostile)
    assert ended.message.status in ("failed", "rejected")
    assert ended.message.code in ("unreadable", "unknown_sender")
    assert club.queued(kind="needs") == []
    with club.service.database.reading() as tx:
        assert len(tx.inbound.raw(ended.message.id)) <= 16_384
    assert club.reply(0, "c3").message.status == "accepted"


def test_a_message_of_which_not_even_the_failure_can_be_told_waits_no_longer(new_club: MakeClub) -> None:
    """It would be met first in every pass, and nothing behind it would ever be processed."""
    seen = []

    def at(waypoint: str) -> None:
        if waypoint == "while processing":
            seen.append(waypoint)
            raise MemoryError("no room")

    club = new_club(at=at)
    club.open()
    with club.service.database.transaction() as tx:
        tx.inbound.add("<1@x>", b"", True, None, "", club.clock.now())
        tx.inbound._write(update(INBOUND).values(raw=b"\0zlib\0 damaged", identity="<1@x>"))
    club.service.process_waiting()
    with club.service.database.reading() as tx:
        assert tx.inbound.waiting() == []
        (row,) = tx.inbound.latest()
    assert row.status == "failed"


def test_large_messages_of_a_player_do_not_fill_the_disk(club: Club) -> None:
    """Of what is carried out, and of what is not, as much is kept as people write."""
    club.open()
    for number, words in enumerate(("show", "q99", "c3")):
        picture = "\n\n" + "".join(f"{(number + row) ** 7:x}" for row in range(60_000))
        attached = (
            "--b\nContent-Type: text/plain\n\n" + words + "\n--b\nContent-Type: image/png\n" + picture + "\n--b--\n"
        )
        ended = club.reply(0, attached, Content_Type="multipart/mixed; boundary=b")
        assert ended.message.status in ("accepted", "rejected")
        with club.service.database.reading() as tx:
            assert len(tx.inbound.raw(ended.message.id)) <= 256_000
