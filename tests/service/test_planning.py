"""Plans by email: they are kept, played at once, and hidden from everybody but their player."""

import asyncio
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.commands.ruling import call_off
from pbem.due.outages import RECEIVES, SENDS
from pbem.due.restored import note_restored
from pbem.running.operator_rulings import rule, seat_another, take_back
from pbem.settings.model import Settings
from pbem.storage.restorations import Landmark
from pbem.storage.tables import SEAT
from tests.support.club import PLAYERS, Club, make_club, settings_in, told
from tests.support.forgetting import be_forgotten
from tests.support.mails import html_of, text_of

HIDDEN = ("plan", "b4", "if b")
"""What would tell of a plan whose answer has not come yet."""


@pytest.fixture
def host(tmp_path: Path, blank_database: Path) -> Iterator[Club]:
    """A host with an archive, and a match of two in which Bob is to act; Ann plans to answer."""
    settings: Settings = settings_in(tmp_path, blank_database)
    settings.archive_dir, settings.archive_url = str(tmp_path / "archive"), "https://games.example"
    club = make_club(settings)
    club.open("pipline")
    club.reply(0, "c3")
    club.reply(1, "take")
    club.reply(0, "a1\n\nif b1 then b2, if b3 then b4")
    yield club
    club.service.database.close()


def plans(club: Club) -> list[object]:
    """Return the plans that are stored, seat by seat."""
    with club.service.database.reading() as tx:
        return [row.plan for row in tx.matches._rows(SEAT.select().order_by(SEAT.c.match_id, SEAT.c.seat))]


def test_opponents_get_one_email_with_both_moves(host: Club) -> None:
    """As if the answer had come at once by hand; its player is told that it was given."""
    arrival = host.reply(1, "b1")
    assert told(arrival) == [("move_made", 0), ("your_turn", 1)]
    assert host.moves() == ["c3", "take", "a1", "b1", "b2"]
    to_bob = text_of(host.mail(arrival.outbound[1]))
    assert to_bob.startswith("Your move, Bob\n")
    assert "You played b1. Ann played b2." in " ".join(to_bob.split())
    assert "Your plan" in text_of(host.mail(arrival.outbound[0]))
    assert arrival.message.commands == ("b1",)
    last = host.reply(1, "b3")
    assert told(last) == [("move_made", 0), ("your_turn", 1)]
    assert plans(host) == [None, None]


def test_with_a_plan_opponents_get_what_they_got_without(host: Club, tmp_path: Path, blank_database: Path) -> None:
    """Word for word, but for what names the email: nothing in it tells that an answer was planned."""
    other = tmp_path / "other"
    other.mkdir()
    twin = make_club(settings_in(other, blank_database))
    try:
        twin.open("pipline")
        twin.reply(0, "c3")
        twin.reply(1, "take")
        twin.reply(0, "a1")
        twin.reply(1, "b1")
        twin.reply(0, "b2")
        host.service.settings.archive_url = ""
        host.reply(1, "b1")
        by_plan, by_hand = text_of(host.newest(1)), text_of(twin.newest(1))
    finally:
        twin.service.database.close()
    by_plan = by_plan.replace("Match page: https://games.example/matches/1.html\n", "")
    assert " ".join(by_plan.split()).replace("You played b1. ", "") == " ".join(by_hand.split())


@pytest.mark.always("a core promise")
def test_nobody_else_learns_of_a_plan(host: Club) -> None:
    """While it stands, after its first answer, and when it has ended: in emails, pages, JSON, and what hosts see."""
    host.reply(0, "plan")
    host.reply(1, "b1")
    host.reply(1, "plan\nhistory\nrecord\nshow #3")
    host.reply(1, "e5")
    assert host.moves()[-2:] == ["b2", "e5"]
    asyncio.run(host.service.deliver())
    host.service.write_archive()
    to_bob = [text_of(host.mail(mail)) for mail in host.queued() if mail.recipient == "bob@b.example"]
    own = "To plan an answer"  # Bob asked for his own
    assert not [(word, text) for text in to_bob if own not in text for word in HIDDEN if word in text]
    pages = Path(host.service.settings.archive_dir) / "matches"
    assert "b4" not in (pages / "1.txt").read_text() + (pages / "1.json").read_text()
    assert not any(word in (pages / "1.html").read_text() for word in ("planned", "foresee", "if b1", "if b3"))
    with host.service.database.reading() as tx:
        rows = [row for number in range(1, 20) if (row := tx.inbound.get(number))]
    assert not any("b4" in f"{row.commands} {row.detail}" for row in rows)
    assert not re.search(r"\bb4\b", repr(host.match()))  # as a word: salts are random


def test_a_plan_costs_nothing_where_there_is_none(host: Club) -> None:
    """Nothing is written to the seats of a match without plans."""
    host.reply(0, "cancel plan")
    with host.service.database.reading() as tx:
        assert tx.matches.get(1).plans == ()  # type: ignore[union-attr]


def test_a_forged_or_stale_plan_is_not_kept(host: Club) -> None:
    """Without a reply token, with that of an older email, or from an address of nobody."""
    before = plans(host)
    old = host.newest(0)
    unproven = {"To": "games@play.example", "In_Reply_To": "", "References": ""}
    forged = host.answer(host.newest(0), "if b1 then resign", **unproven)
    assert host.service.hand_in(forged).message.commands == ("show 1",)
    strange = host.answer(host.newest(0), "if b1 then resign", From="Eve <eve@e.example>")
    assert host.service.hand_in(strange).message.status == "rejected"
    assert plans(host) == before
    host.reply(1, "e5")
    assert plans(host) == [None, None]
    host.reply(0, "d5")
    assert host.service.hand_in(host.answer(old, "if b1 then b2")).message.code == "stale_turn"
    assert plans(host) == [None, None]


def test_a_refused_plan_leaves_nothing_behind(host: Club) -> None:
    """Neither the move above it, nor anything for the operator to read, and the plan before it stands."""
    before = plans(host)
    arrival = host.reply(0, "if b1 then b1")
    assert (arrival.message.status, arrival.message.code) == ("rejected", "line_refused")
    assert (arrival.message.detail, plans(host)) == ("", before)
    assert told(arrival) == [("plan_refused", 0)]
    move = host.reply(1, "d4\nif e1 then d4")
    assert (move.message.status, host.moves()[-1]) == ("rejected", "a1")


def test_a_quoted_plan_is_no_new_plan(host: Club) -> None:
    """With marks or without, in text; what its player writes again is one."""
    shown = text_of(host.mail(host.reply(0, "plan").outbound[0]))
    dropped = host.reply(0, "cancel plan")
    assert plans(host) == [None, None]
    for quoted in ("\n".join(f"> {line}" for line in shown.splitlines()), shown):
        arrival = host.service.hand_in(host.answer(host.newest(0), f"say: hello\n\nOn Friday pbem wrote:\n{quoted}"))
        assert arrival.message.status == "accepted"
        assert plans(host) == [None, None]
    assert dropped.message.commands == ("cancel plan",)
    host.reply(0, "if b1 then b2, if b3 then b4")
    assert plans(host)[0] is not None


def test_a_plan_ends_with_what_it_follows(host: Club) -> None:
    """Moves that are taken back; a seat that passes on: nobody else is told that there was one."""
    take_back(host.service, 1, 2, None)
    assert plans(host) == [None, None]
    assert "taken back" in " ".join(text_of(host.newest(0)).split())
    host.reply(0, "a1\nif b1 then b2")
    seat_another(host.service, 1, "Ann", "Dora <dora@d.example>")
    assert plans(host) == [None, None]
    host.reply(1, "b1")
    assert host.moves()[-1] == "b1"
    mails = [text_of(host.mail(mail)) for mail in host.queued() if mail.recipient == "dora@d.example"]
    assert mails
    assert not any("plan" in text for text in mails)


def test_a_plan_goes_on_against_another_player(host: Club) -> None:
    """The position is the same, whoever has the other seat."""
    seat_another(host.service, 1, "Bob", "Dora <dora@d.example>")
    host.reply(1, "b1")
    assert host.moves()[-2:] == ["b1", "b2"]


def test_a_restored_backup_plays_no_plan(host: Club) -> None:
    """It may have been cancelled since."""
    copied = host.clock.now()
    host.clock.advance(timedelta(hours=2))
    with host.service.database.transaction() as tx:
        tx.heartbeats.beat(RECEIVES, copied)
        tx.heartbeats.beat(SENDS, copied)
        note_restored(tx, Landmark(copied + timedelta(hours=1), 1, 2), host.clock.now())
    assert plans(host) == [None, None]


def test_leaving_and_the_end_of_a_match_drop_plans(host: Club) -> None:
    """So does being forgotten."""
    host.open("pipline")
    host.reply(0, "c3\nif take then b1", match=2)
    rule(host.service, 2, call_off)
    assert plans(host)[2:] == [None, None]
    be_forgotten(host, "ann@a.example")
    assert plans(host) == [None] * 4


def test_three_players_by_mail(club: Club) -> None:
    """Each gets one email of a decision with several moves in it."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3\nif take, a1 then b1")
    assert told(club.reply(1, "take")) == [("partner_turn", 0), ("move_made", 1), ("your_turn", 2)]
    arrival = club.reply(2, "a1\n\nHello")
    assert told(arrival) == [("move_made", 0), ("your_turn", 1), ("move_made", 2)]
    assert club.moves() == ["c3", "take", "a1", "b1"]
    assert "1. Carl played a1. 2. Ann played b1." in " ".join(text_of(club.newest(1)).split())
    assert 'id="board"' in html_of(club.newest(2))  # they know the board before it, not this one
