"""An upgrade loses nothing: filled databases go on with the next version, by answers to the emails sent before it."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from db.packed import unpack
from pbem.errors import BadInput
from pbem.match.player import FORMER
from pbem.running.operator_rulings import find_to_forget, put_back
from pbem.running.service import Arrival
from pbem.storage.messages.records import OutboundRecord
from tests.support.clocks import return_email
from tests.support.club import OPERATOR, Club
from tests.support.fixture import (
    FIXTURES,
    FLAGGED,
    LENT,
    OVER,
    PAUSED,
    PLANNED,
    PLAYED,
    PRIVATE,
    REPLACED,
    REWOUND,
    ROBOT,
    SEEDS,
    SNIPSNIP,
    SPAM,
    TEAM,
    YVE,
    ZOE,
    Fixture,
    answer_all,
    describe_contests,
    describe_files,
    describe_matches,
    legal_move,
    list_fixtures,
    move_on,
    newest_match,
)
from tests.support.mails import text_of
from tests.support.migrations import cells, schema, upgrade


def without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return a match, or a row, without some of its parts."""
    return {name: value for name, value in row.items() if name not in names}


def emails(club: Club, kind: str = "", *, match: int | None = None, to: str = "") -> list[OutboundRecord]:
    """Return the emails of a kind, about a match, or to somebody, the oldest first."""
    found = club.queued(kind=kind)
    return [mail for mail in found if match in (None, mail.match) and mail.recipient.startswith(to)]


def answer(club: Club, mail: OutboundRecord, text: str) -> Arrival:
    """Let whoever got an email answer it, and the service do what is due."""
    club.written += 1000  # so that no message has the number of one from before
    arrival = club.service.hand_in(club.answer(club.mail(mail), text))
    asyncio.run(club.service.deliver())
    return arrival


def deliver(club: Club) -> list[str]:
    """Send what is due; return to whom emails went."""
    club.courier.carried.clear()
    asyncio.run(club.service.deliver())
    return [recipient for recipient, _ in club.courier.carried]


def test_the_tables_become_those_of_a_new_database(upgraded: Path, next_version: None, tmp_path: Path) -> None:
    """Columns, indexes and references are those of a database made anew, and every reference leads to a row."""
    upgrade(tmp_path / "new.db")
    assert schema(upgraded) == schema(tmp_path / "new.db")
    with closing(sqlite3.connect(upgraded)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_no_row_is_lost_or_changed(left: Fixture, upgraded: Path, tmp_path: Path) -> None:
    """Every table has the rows it had, and they say the same in every column that is still there."""
    before, after = cells(left.load(tmp_path / "old.db")), cells(upgraded)
    del before["alembic_version"]
    empty = {table for table, old in before.items() if not old}
    never = {"restoration", "worker", "mailboxcursor", "unread_message", "webhook", "webhook_told"}
    never |= {"approached", "refused_inviter", "former_address"}
    came_later = {"result", "rating", "contest", "contest_event", "contest_match", "second", "vote"}
    assert empty <= never | (came_later if left.directory == FIXTURES else set())
    for table, old in before.items():
        kept = old[0].keys() & after[table][0].keys() if old else set[str]()
        assert kept or table in empty
        assert [without(row, *row.keys() - kept) for row in after[table]] == [
            without(row, *row.keys() - kept) for row in old
        ]


def test_the_next_version_has_what_it_brings(upgraded: Path) -> None:
    """Else nothing would have been tried: a column and a table are there, and filled."""
    after = cells(upgraded)
    assert {row["id"]: row["mood"] for row in after["match"]}[OVER] == "over"
    assert len(after["cup"]) == len(after["player"])


def test_every_match_is_what_it_was(left: Fixture, club: Club) -> None:
    """Records, times, clocks, logs and comments are what the program before said; no option is another."""
    found, said = describe_matches(club), left.said["matches"]
    assert {number: without(match, "options") for number, match in found.items()} == {
        number: without(match, "options") for number, match in said.items()
    }
    assert all(said[number]["options"].items() <= match["options"].items() for number, match in found.items())


def test_ladders_leagues_and_ratings_are_what_they_were(left: Fixture, club: Club) -> None:
    """There were none in 1.0.0."""
    assert describe_contests(club) == left.said.get("contests", {})


def test_pages_and_feeds_stay_where_they_are(left: Fixture, club: Club) -> None:
    """Players have subscribed to feeds, and know the address of a private page; no turn shows twice."""
    found = describe_files(club)
    assert {path: found.get(path) for path in left.said["files"]} == left.said["files"]
    assert not (Path(club.service.settings.archive_dir) / "matches" / f"{PRIVATE}.html").exists()


def test_replies_to_old_emails_are_played(left: Fixture, club: Club) -> None:
    """Each is carried out, and what follows has the Message-IDs, reply tokens and threads promised."""
    club.service.process_waiting()
    said = left.said["replies"]
    found = answer_all(club, {int(number): reply["move"] for number, reply in said.items()})
    assert len(said) > 10
    for number, reply in said.items():
        assert [one for one in found[number]["sent"] if one in reply["sent"]] == reply["sent"]


def test_words_of_old_emails_that_come_back_unmarked_are_no_commands(club: Club) -> None:
    """Whole, or its end in narrow lines: the example and “resign” of a quotation without marks stay words."""
    for number in (PLAYED, TEAM):
        before = club.moves(number)
        for seat in (0, 1):
            mail = emails(club, match=number, to=club.match(number).players[seat].email)[-1]
            old = text_of(club.mail(mail))
            for words in (old, "\n".join(old.split()[-40:])):
                assert answer(club, mail, f"What does this mean?\n\n{words}").message.status == "rejected"
        assert club.moves(number)[: len(before)] == before
        assert "resign" not in club.moves(number)


def test_a_message_that_waited_is_processed(left: Fixture, club: Club) -> None:
    """A message that was kept and not yet processed is played."""
    before = left.said["matches"][str(TEAM)]["record"]
    club.service.process_waiting()
    assert club.moves(TEAM)[:-1] == [text for _, text in before]


def test_emails_that_were_queued_are_sent_and_can_be_answered(club: Club) -> None:
    """A match whose first emails had not gone out begins with them; nothing else becomes due by an upgrade."""
    assert sorted(deliver(club)) == ["ann@a.example", "bob@b.example"]
    club.written = 1000
    move_on(club, newest_match(club))
    assert len(club.moves(newest_match(club))) == 1


def test_a_message_from_before_is_recognised(club: Club, tmp_path: Path) -> None:
    """Whatever had been processed counts as a duplicate when the mailbox is read from its beginning again."""
    club.service.process_waiting()
    before = describe_matches(club)
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as connection:
        stored = [unpack(raw) for (raw,) in connection.execute("SELECT raw FROM inbound WHERE kept")]
    assert len(stored) > 40
    assert all(club.service.hand_in(raw).duplicate for raw in stored)
    assert describe_matches(club) == before


def test_a_held_message_is_played_when_its_sender_says_yes(club: Club) -> None:
    """The question whether an unknown address belongs to a player can still be answered; then the address is asked."""
    before = club.moves(SNIPSNIP)
    assert answer(club, emails(club, "was_this_you")[-1], "yes").message.status == "accepted"
    assert club.moves(SNIPSNIP) == before
    assert answer(club, emails(club, "confirm_address")[-1], "yes").message.status == "accepted"
    assert len(club.moves(SNIPSNIP)) == len(before) + 1


def followers(club: Club) -> list[tuple[int, str]]:
    """Return who follows which match."""
    with club.service.database.reading() as tx:
        return [(number, reader) for reader in (ZOE, YVE) for number in tx.followers.of_address(reader)]


def players(club: Club, match: int) -> list[str]:
    """Return the names of who plays a match."""
    return [player.name for player in club.match(match).players]


ANSWERED: dict[str, tuple[str, str, str, Callable[[Club], object], object]] = {
    "an invitation": ("invitation", "bob@", "accept", lambda club: players(club, newest_match(club)), ["Eve", "Bob"]),
    "a seat": ("seat_offered", YVE, "yes Yve", lambda club: players(club, LENT)[2], "Yve"),
    "a stand-in": ("replaced", "kim@", "standin off", lambda club: players(club, LENT)[0], "Kim"),
    "whether to follow": ("confirm_follow", YVE, "yes", followers, [(PLAYED, ZOE), (PLAYED, YVE)]),
    "what they follow": ("confirm_follow", ZOE, "unwatch", followers, []),
    "whether to be forgotten": ("forget", "eve@", "forget me", lambda club: players(club, PRIVATE)[0], FORMER),
}


@pytest.mark.parametrize("what", ANSWERED)
def test_what_somebody_was_asked_can_be_answered(what: str, club: Club) -> None:
    """The question came before the upgrade."""
    kind, to, words, found, after = ANSWERED[what]
    assert answer(club, emails(club, kind, to=to)[-1], words).message.status == "accepted"
    assert found(club) == after


AGREED: dict[str, tuple[int, int, str, Callable[[Club], object], object]] = {
    "a draw": (PLAYED, 1, "draw", lambda club: club.match(PLAYED).outcome is not None, True),
    "a pause": (PAUSED, 1, "pause 10d", lambda club: bool(getattr(club.match(PAUSED).clock, "pause", None)), True),
    "a flag that fell": (FLAGGED, 0, "claim", lambda club: club.moves(FLAGGED)[-1], "timeout"),
    "a move that was foreseen": (PLANNED, 1, "b1", lambda club: club.moves(PLANNED)[-2:], ["b1", "b2"]),
    "the last seed": (SEEDS, 1, "ready", lambda club: club.moves(SEEDS) != [], True),
}


@pytest.mark.parametrize("what", AGREED)
def test_what_others_have_begun_in_a_match_can_be_finished(what: str, club: Club) -> None:
    """A draw and a pause were offered, a time was up, a plan made, and rolls waited for a player seed."""
    match, seat, words, found, after = AGREED[what]
    assert found(club) != after
    own = [mail for mail in emails(club, match=match) if mail.seat == seat]
    assert answer(club, own[-1], words).message.status == "accepted"
    assert found(club) == after


def test_rolls_that_nobody_waits_for_any_more_are_made_when_they_were_due(club: Club) -> None:
    """A day after the match was opened."""
    deliver(club)
    assert club.moves(SEEDS) == []
    for _ in club.pass_time(timedelta(hours=24)):
        pass
    assert club.moves(SEEDS) != []


def test_a_robot_goes_on(club: Club) -> None:
    """It has its seat still, and moves when it is its turn."""
    club.written = 1000
    move_on(club, ROBOT)
    club.let_robots_move()
    assert len(club.moves(ROBOT)) == 4


def test_entries_that_were_taken_back_can_be_put_back(club: Club) -> None:
    """With the times at which they were made."""
    before = club.match(REWOUND)
    put_back(club.service, REWOUND)
    after = club.match(REWOUND)
    assert after.record[:-1] == before.record
    assert after.times[-1] < club.clock.now()


def test_no_move_in_reply_to_what_is_gone_is_played(club: Club) -> None:
    """Of before entries were taken back, of before a new address was asked for, and to a player who lost their seat."""
    for match, to, kind in ((REWOUND, "jon@", "your_turn"), (SNIPSNIP, "ann@", "your_turn"), (REPLACED, "fay@", "")):
        before, mail = club.moves(match), emails(club, kind, match=match, to=to)[0]
        assert answer(club, mail, legal_move(club, match)).message.status == "rejected"
        assert club.moves(match) == before


def test_what_players_want_of_emails_stays(club: Club) -> None:
    """Carl has unsubscribed, Bob wants boards in words, Jon email on his turn alone."""
    deliver(club)
    sent = {mail.id for mail in club.queued()}
    club.written = 1000
    for match in (TEAM, REPLACED):
        move_on(club, match)
    told = {(mail.match, mail.recipient) for mail in club.queued() if mail.id not in sent}
    assert {to for match, to in told if match == TEAM} == {"ann@a.example", "bob@b.example"}
    assert {to for match, to in told if match == REPLACED} == {"moe@m.example"}
    shown = [club.mail(emails(club, match=PLAYED)[-1]) for seat in (0, 1) if club.reply(seat, "show", match=PLAYED)]
    assert ["a  b  c  d" in text_of(mail) for mail in shown] == [True, False]


def test_who_was_blocked_or_forgotten_is_nobody(club: Club) -> None:
    """Others who write for the first time are answered."""
    club.written = 1000
    found = {sender: club.write("May I play?", sender).message.status for sender in (SPAM, "new@n.example")}
    assert found == {SPAM: "discarded", "new@n.example": "rejected"}
    for who in ("Nan", "nan@n.example"):
        with pytest.raises(BadInput):
            find_to_forget(club.service, who)


def test_what_the_operator_was_told_is_not_told_again(club: Club) -> None:
    """An email to Gus came back before; now another one does."""
    first, second = emails(club, match=FLAGGED, to="gus@")[:2]
    assert first.error.startswith("came back")
    club.written = 1000
    assert return_email(club, second).message.code == "bounce"
    assert [mail.kind for mail in emails(club, to=OPERATOR)] == ["needs"]


def test_a_follower_hears_of_what_was_played_before_once(club: Club) -> None:
    """Not sooner than an hour after they began to follow."""
    before = len(emails(club, "followed"))
    for _ in club.pass_time(timedelta(hours=3)):
        pass
    assert len(emails(club, "followed")) == before
    club.written = 1000
    move_on(club, PLAYED)
    for _ in club.pass_time(timedelta(hours=3)):
        pass
    assert len(emails(club, "followed")) == before + 1


def test_a_database_of_before_webhooks_gets_all_later_tables(tmp_path: Path) -> None:
    """They are those of a new database, and empty; nothing that was there is changed."""
    file = list_fixtures()[0].load(tmp_path / "old.db")
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(
            "DROP TABLE webhook_told; DROP TABLE webhook; UPDATE alembic_version SET version_num = '0101';"
        )
    before = cells(file)
    del before["alembic_version"]
    upgrade(file)
    upgrade(tmp_path / "new.db")
    assert schema(file) == schema(tmp_path / "new.db")
    after = cells(file)
    later = after.keys() - before.keys() - {"alembic_version"}
    assert {"webhook", "webhook_told", "contest", "contest_event", "contest_match"} <= later
    assert [after[table] for table in later] == [[]] * len(later)
    for table, old in before.items():
        added = after[table][0].keys() - old[0].keys() if old else set[str]()
        assert [without(row, *added) for row in after[table]] == old
