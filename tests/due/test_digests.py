"""The digest: when it comes and what it holds, how its replies are carried out, and what is tried with it."""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from urllib.parse import unquote

import pytest
from sqlalchemy import select

from pbem.asking.forgetting import forget
from pbem.commands.ruling import call_off
from pbem.match.time.calendar import Calendar
from pbem.match.time.digest_times import next_digest, waits_for_digest
from pbem.pipeline.act import Act
from pbem.running.operator_rulings import rule, seat_another, take_back
from pbem.running.service import Arrival
from pbem.settings.model import Settings
from pbem.storage.tables import OUTBOUND
from tests.support.bounces import addressed, postfix
from tests.support.clocks import clock, opened, wait
from tests.support.club import PLAYERS, Club
from tests.support.laid import After
from tests.support.mails import html_of, text_of

EVENING = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)


def with_digest(club: Club, matches: int = 2) -> None:
    """Open matches in which Bob moves last, so that a board of each waits for Ann, who has a digest."""
    for _ in range(matches):
        opened(club, "c3")
    assert club.reply(0, "digest 07:30").message.status == "accepted"
    club.clock.advance(timedelta(minutes=1))
    for number in range(1, matches + 1):
        club.reply(1, "b2", match=number)
    asyncio.run(club.service.deliver())


def digest_of(club: Club) -> str:
    """Let the service run until the digest; return its text."""
    wait(club, hours=14)
    return text_of(club.mail(club.queued(kind="digest")[-1]))


def _digested(club: Club) -> None:
    with_digest(club)
    digest_of(club)


@pytest.fixture
def digested(after: After) -> Club:
    """A club in which two boards wait for Ann, who has just got a digest of them."""
    return after(_digested)


def reply_to_digest(club: Club, text: str, kind: str = "digest", **headers: str) -> Arrival:
    """Answer the newest digest."""
    return club.answer_kind(kind, -1, text, **headers)


def kinds_to(club: Club, email: str, since: int) -> list[str]:
    """Return the kinds of emails to an address but for the first so many emails."""
    return [mail.kind for mail in club.queued()[since:] if mail.recipient == email]


@pytest.mark.parametrize(
    ("when", "zone", "expected"),
    [
        ("07:30", "", datetime(2026, 11, 21, 7, 30, tzinfo=UTC)),
        ("19:00", "", datetime(2026, 11, 20, 19, 0, tzinfo=UTC)),
        ("07:30", "America/New_York", datetime(2026, 11, 21, 12, 30, tzinfo=UTC)),
        ("mon 07:30", "", datetime(2026, 11, 23, 7, 30, tzinfo=UTC)),
        ("fri 18:30", "", datetime(2026, 11, 27, 18, 30, tzinfo=UTC)),
        ("nonsense", "", None),
    ],
)
def test_a_digest_comes_in_the_zone_of_its_reader(when: str, zone: str, expected: datetime | None) -> None:
    """Each day, or on one day of the week; never at the very moment that it is asked for."""
    assert next_digest(when, Calendar(zone=zone), EVENING) == expected


@pytest.mark.parametrize(("hours", "waits"), [(25, False), (26, True), (13, False), (1, False)])
def test_a_turn_is_left_to_the_digest_if_half_of_its_time_is_left_then(hours: int, waits: bool) -> None:
    """The digest of 07:30 is thirteen hours away."""
    assert waits_for_digest("07:30", Calendar(), EVENING + timedelta(hours=hours), EVENING) is waits


def test_one_email_holds_all_boards_that_wait(club: Club) -> None:
    """No other tells of these turns before it."""
    with_digest(club)
    before = len(club.queued())
    text = digest_of(club)
    assert kinds_to(club, "ann@a.example", before) == ["digest"]
    assert text.count("Pipline vs Bob") == 2


def test_a_tap_begins_a_line_for_a_match(digested: Club) -> None:
    """Each match has a button of its own, whose answer begins with its number."""
    taps = [unquote(answer) for answer in re.findall(r'href="mailto:[^"]*body=([^"]*)"', html_of(_newest(digested)))]
    assert taps == ["1 ", "1 take", "2 ", "2 take"]
    assert reply_to_digest(digested, f"{taps[2]}d4").message.commands == ("2 d4",)


def _newest(club: Club) -> EmailMessage:
    return club.mail(club.queued(kind="digest")[-1])


def test_who_has_a_digest_hears_once_that_a_move_counted(digested: Club) -> None:
    """A reply to a single email is confirmed by a receipt, one to the digest by its answer."""
    digested.reply(0, "show", match=1)
    before = len(digested.queued())
    digested.reply(0, "d4", match=1)
    assert kinds_to(digested, "ann@a.example", before) == ["move_made"]
    before = len(digested.queued())
    reply_to_digest(digested, "2 d4")
    assert kinds_to(digested, "ann@a.example", before) == ["digest_done"]


def test_where_nothing_waits_there_is_no_email(club: Club) -> None:
    """Ann waits for Bob in all of her matches."""
    opened(club, "c3")
    club.reply(0, "digest 07:30")
    wait(club, days=2)
    assert club.queued(kind="digest") == []


def test_one_reply_plays_in_all_matches_and_one_wrong_line_stops_no_other(club: Club) -> None:
    """Each line has its own result, in one answer."""
    with_digest(club, matches=3)
    digest_of(club)
    arrival = reply_to_digest(club, "1 d4\nGood luck!\n2 z9\n3: take")
    assert arrival.message.commands == ("1 d4", "3 take")
    assert [club.moves(number)[2:] for number in (1, 2, 3)] == [["d4"], [], ["take"]]
    assert [comment.text for comment in club.match(1).comments] == ["Good luck!"]
    assert [mail.kind for mail in arrival.outbound if mail.recipient == "ann@a.example"] == ["digest_done"]
    assert reply_to_digest(club, "2 d4", kind="digest_done").message.commands == ("2 d4",)


def test_two_wrong_answers_within_a_second_are_told_apart(digested: Club) -> None:
    """Each lists the turns of its own moment."""
    reply_to_digest(digested, "1 z9")
    reply_to_digest(digested, "1 d4")
    digested.reply(1, "e5", match=1)
    assert reply_to_digest(digested, "1 a1", kind="digest_done").message.status == "rejected"
    assert digested.moves(1)[2:] == ["d4", "e5"]


def test_without_a_number_nothing_is_played(digested: Club) -> None:
    """What is for all matches counts."""
    assert reply_to_digest(digested, "d4").message.code == "no_number"
    assert reply_to_digest(digested, "resign").message.status == "rejected"
    assert reply_to_digest(digested, "tz lisbon").message.commands == ("tz lisbon",)
    assert [len(digested.moves(number)) for number in (1, 2)] == [2, 2]


def test_the_clock_of_a_digest_reader_runs_from_the_turn(club: Club) -> None:
    """Nobody gains time by it: not by a weekly digest either."""
    with_digest(club)
    assert clock(club).halted == ""
    assert clock(club).since == clock(club).turned_at
    wait(club, hours=13)
    digest_of(club)
    assert clock(club).since == clock(club).turned_at


def test_a_board_whose_time_is_short_comes_at_once(club: Club) -> None:
    """A weekly digest of a match of three days: its clock waits for the email like everybody’s."""
    opened(club, "c3")
    club.reply(0, "digest thu 07:30")
    before = len(club.queued())
    club.reply(1, "b2")
    assert kinds_to(club, "ann@a.example", before) == ["your_turn"]
    assert clock(club).halted == "unsent"
    asyncio.run(club.service.deliver())
    assert clock(club).halted == ""


def test_urgent_reminders_still_come(club: Club) -> None:
    """Though the board was in digests before."""
    with_digest(club, matches=1)
    before = len(club.queued())
    wait(club, days=3)
    kinds = kinds_to(club, "ann@a.example", before)
    assert "reminder" in kinds
    assert kinds.count("digest") >= 2


def test_without_the_digest_the_boards_come_at_once(club: Club) -> None:
    """Each once; later turns are told as to everybody."""
    with_digest(club)
    before = len(club.queued())
    club.reply(0, "digest off")
    asyncio.run(club.service.deliver())
    assert sorted(kinds_to(club, "ann@a.example", before)) == ["answer", "show", "show"]
    assert clock(club).since == clock(club).turned_at


def test_a_digest_that_comes_back_stops_no_clock_for_ever(digested: Club) -> None:
    """Single emails come again; only if these come back does a clock stop, by the same rules as everybody’s."""
    sent = digested.queued(kind="digest")[-1]
    digested.service.hand_in(addressed(postfix(digested.mail(sent)), digested.envelope_of(sent)))
    asyncio.run(digested.service.deliver())
    assert not digested.match().players[0].preferences.digest
    assert clock(digested).halted == ""
    assert [mail.kind for mail in digested.queued() if mail.id > sent.id and mail.seat == 0] == ["show", "show"]


@pytest.mark.parametrize("sender", ["bob@b.example", "eve@e.example"])
def test_a_stolen_or_forwarded_digest_plays_nothing_for_anybody_else(digested: Club, sender: str) -> None:
    """Its token is the player’s alone, from an address of theirs."""
    assert reply_to_digest(digested, "1 d4\n2 resign", From=sender).message.status != "accepted"
    assert [digested.moves(number) for number in (1, 2)] == [["c3", "b2"], ["c3", "b2"]]


def test_a_digest_from_before_a_new_address_is_worth_nothing(digested: Club) -> None:
    """As all emails of before are."""
    for _ in range(2):  # asked for in answer to an older email, it is asked about
        digested.reply(0, "new address")
    assert reply_to_digest(digested, "1 d4").message.status == "rejected"
    assert digested.moves(1) == ["c3", "b2"]


@pytest.mark.parametrize("change", [(r"dig\.", "dig.9"), (r"dig\.\d", "dig.0")])
def test_a_changed_digest_token_is_none(digested: Club, change: tuple[str, str]) -> None:
    """Neither number nor signature can be made up."""
    mail = digested.mail(digested.queued(kind="digest")[-1])
    forged = re.sub(*change, str(mail["Reply-To"]))
    answer = digested.answer(mail, "1 d4", To=forged, In_Reply_To="", References="")
    assert digested.service.hand_in(answer).message.status == "rejected"
    assert digested.moves(1) == ["c3", "b2"]


def test_an_ex_player_plays_nothing_by_an_old_digest(digested: Club) -> None:
    """The seat is somebody else’s; nor does it come back with the seat."""
    seat_another(digested.service, 1, "ann", "Dora <dora@d.example>")
    assert reply_to_digest(digested, "1 d4\n2 d4").message.commands == ("2 d4",)
    seat_another(digested.service, 1, "dora", "ann")
    assert reply_to_digest(digested, "1 e4").message.status == "rejected"
    assert digested.moves(1) == ["c3", "b2"]


def test_a_digest_about_what_was_taken_back_plays_nothing(digested: Club) -> None:
    """A line for a turn that is no more is told to be stale."""
    take_back(digested.service, 1, None, 1)
    digested.reply(1, "a1", match=1)
    assert reply_to_digest(digested, "1 d4").message.code == "taken_back"
    assert digested.moves(1) == ["c3", "a1"]


def test_an_old_digest_gives_no_match_up(digested: Club) -> None:
    """What cannot be taken back needs the present email of that match."""
    reply_to_digest(digested, "1 d4")
    assert reply_to_digest(digested, "1 resign").message.status == "rejected"
    assert reply_to_digest(digested, "2 resign").message.commands == ("2 resign",)
    assert digested.match(1).outcome is None


def test_a_thousand_lines_are_not_read(digested: Club) -> None:
    """One answer says so, and nothing is done."""
    arrival = reply_to_digest(digested, "\n".join(f"{number % 2 + 1} say: {number}" for number in range(1000)))
    assert (arrival.message.status, len(arrival.outbound)) == ("rejected", 1)


def test_a_digest_lists_no_more_than_twenty_matches(club: Club) -> None:
    """The most urgent ones; a reply to it plays in all of them."""
    for _ in range(23):
        club.open()
    club.reply(0, "digest 07:30")
    text = digest_of(club)
    assert text.count("Pipline vs Bob") == 20
    arrival = reply_to_digest(club, "\n".join(f"{number} c3" for number in range(1, 24)))
    assert len(arrival.message.commands) == 20
    assert sum(mail.recipient == "ann@a.example" for mail in arrival.outbound) == 1


def test_no_remarks_of_opponents_make_a_digest_longer_than_programs_show(club: Club) -> None:
    """Signs that take five letters in HTML count as what they take; boards without room are rows of a table."""
    with_digest(club, 6)
    for number in range(1, 7):
        for _ in range(3):
            assert club.reply(1, "say: " + '"' * 1900, match=number).message.status == "accepted"
    digest_of(club)
    email = club.mail(club.queued(kind="digest")[-1])
    assert len(html_of(email).encode("ascii", "xmlcharrefreplace")) < 102_000
    assert text_of(email).count("Pipline vs Bob") == 6


def test_a_forger_has_a_digest_reader_sent_few_emails(digested: Club) -> None:
    """Whoever got hold of a digest and forges From: the answers have a limit, as all have."""
    before = len(digested.queued())
    for _ in range(40):
        reply_to_digest(digested, "1 z9")
    assert len(kinds_to(digested, "ann@a.example", before)) <= 10


def test_words_for_a_partner_go_to_the_partner_of_that_match(club: Club) -> None:
    """And to nobody in another one."""
    for _ in range(2):
        club.open("zipline", PLAYERS)
        for seat, move in ((0, "c3"), (1, "take")):
            club.reply(seat, move, match=len(club.queued(kind="opened")) // 3)
    club.reply(2, "digest 07:30")
    wait(club, hours=14)
    reply_to_digest(club, "1 d4\nteam: sh, a plan")
    assert [(comment.to_side, comment.text) for comment in club.match(1).comments] == [(True, "sh, a plan")]
    assert club.match(2).comments == ()


def test_the_operator_ends_a_match_and_a_line_for_it_is_told(digested: Club) -> None:
    """The other lines count."""
    rule(digested.service, 1, call_off)
    arrival = reply_to_digest(digested, "1 d4\n2 d4")
    assert arrival.message.commands == ("2 d4",)


def test_nothing_of_who_is_forgotten_is_left_in_the_digests_of_others(club: Club) -> None:
    """Neither their name nor what they said: in no bytes, nor in what a reply may quote; nor whose seat was offered."""
    opened(club, "c3", players=("Ann <ann@a.example>", "Quentin <q@q.example>"))
    club.open("pipline", ("Dora <dora@d.example>", "Eve <eve@e.example>"))
    club.reply(0, "digest 07:30")
    club.clock.advance(timedelta(minutes=1))
    club.reply(1, "b2\nMy purple elephant is here.")
    digest_of(club)
    club.reply(1, "standin Dora until 1 dec")
    wait(club, minutes=1)
    kept = [mail.id for mail in club.queued() if mail.kind in ("digest", "seat_offered")]
    assert len(kept) == 2
    with club.service.database.reading() as tx:
        player = tx.players.find("q@q.example")
    assert player
    with club.service.database.transaction() as tx:
        forget(Act(tx, club.service.site, club.clock.now()), player.id)
        rows = tx.outbound._rows(
            select(OUTBOUND.c.subject, OUTBOUND.c.quotable, OUTBOUND.c.kept).where(OUTBOUND.c.id.in_(kept))
        )
    for subject, quotable, is_kept in rows:
        assert not is_kept
        assert b"elephant" not in quotable.lower()
        assert "quentin" not in f"{subject} {quotable.decode()}".lower()


def test_a_quoted_digest_plays_nothing(club: Club) -> None:
    """Neither marked nor without marks."""
    with_digest(club)
    text = digest_of(club)
    for quoted in (text, "".join(f"> {line}\n" for line in text.splitlines())):
        arrival = reply_to_digest(club, f"Thanks, I’ll look at it tonight.\n\n{quoted}")
        assert arrival.message.commands == ()
    assert [club.moves(number) for number in (1, 2)] == [["c3", "b2"], ["c3", "b2"]]


def following(club: Club, new_club: Callable[..., Club]) -> Club:
    """Return the club after a restart of its service, with the settings as they are now."""
    restarted = new_club(clock=club.clock)
    restarted.written = club.written
    return restarted


@pytest.fixture
def holding(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club whose host holds moves for five minutes, and in which two boards wait for Ann in a digest."""
    found = new_club()
    with_digest(found)
    digest_of(found)
    settings.unsend_minutes = 5
    return following(found, new_club)


def minutes(club: Club, count: float) -> None:
    """Let minutes pass, and everything be done that is due."""
    club.clock.advance(timedelta(minutes=count))
    asyncio.run(club.service.deliver())
    club.service.process_waiting()
    asyncio.run(club.service.deliver())


def test_moves_in_answer_to_a_digest_are_held_like_all_others(holding: Club) -> None:
    """Nobody hears of them before their minutes are over; each is then played as if it had come by itself."""
    club, before = holding, len(holding.queued())
    arrival = reply_to_digest(club, "1 d4\nHow about that?\n2 e5")
    assert arrival.message.status == "accepted"
    assert [(mail.kind, mail.recipient) for mail in club.queued()[before:]] == [("digest_done", "ann@a.example")]
    minutes(club, 4)
    assert [club.match(number).ply for number in (1, 2)] == [2, 2]
    minutes(club, 1.1)
    assert [club.match(number).record[-1].text for number in (1, 2)] == ["d4", "e5"]
    assert [comment.text for comment in club.match(1).comments] == ["How about that?"]
    assert [(mail.kind, mail.recipient) for mail in club.queued()[before + 1 :]] == [("your_turn", "bob@b.example")] * 2


def test_oops_takes_one_move_of_a_digest_back_and_no_other(holding: Club) -> None:
    """By its number, in reply to the receipt; or in reply to an email of that match."""
    club, before = holding, len(holding.queued())
    reply_to_digest(club, "1 d4\n2 e5")
    assert reply_to_digest(club, "1 oops", "digest_done").message.status == "accepted"
    minutes(club, 6)
    assert [club.match(number).ply for number in (1, 2)] == [2, 3]
    assert [mail.match for mail in club.queued()[before:] if mail.recipient == "bob@b.example"] == [2]


def test_a_second_move_beside_one_that_is_held_is_refused_in_a_digest_too(holding: Club) -> None:
    """Whoever comes second waits; nothing is played twice."""
    club = holding
    reply_to_digest(club, "1 d4")
    again = reply_to_digest(club, "1 e5\n2 e5")
    assert again.message.status == "accepted"
    minutes(club, 6)
    assert [club.match(number).record[-1].text for number in (1, 2)] == ["d4", "e5"]
    assert reply_to_digest(club, "1 d4").message.code == "a_move_sent_again"


def test_what_is_held_of_a_digest_keeps_its_sender_as_authentic_as_they_were(
    settings: Settings, new_club: Callable[..., Club]
) -> None:
    """A host that takes nothing unproven plays it after its minutes; what was unproven is not held at all."""
    club = new_club()
    with_digest(club)
    digest_of(club)
    settings.unsend_minutes, settings.authentication, settings.authserv_id = 5, "required", "mx.play.example"
    club = following(club, new_club)
    assert reply_to_digest(club, "1 d4").message.status == "discarded"
    proven = {"Authentication-Results": "mx.play.example; dmarc=pass header.from=a.example"}
    assert reply_to_digest(club, "2 e5", **proven).message.status == "accepted"
    minutes(club, 6)
    assert [club.match(number).ply for number in (1, 2)] == [2, 3]


def test_a_flag_does_not_fall_while_a_move_of_a_digest_is_held(holding: Club) -> None:
    """It came in time, and its player was told that it counts."""
    club = holding
    club.clock.advance(timedelta(days=6, hours=10) - timedelta(minutes=4))
    reply_to_digest(club, "1 d4")
    minutes(club, 4.5)
    minutes(club, 5)
    assert club.match(1).record[-1].text == "d4"
    assert not [entry for entry in club.match(1).record if entry.text == "timeout"]
