"""Nobody else can have a player forgotten, and nobody is by accident: each test is an attempt."""

import asyncio
import logging
import re
from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.commands.ruling import call_off
from pbem.ports import Fetched
from pbem.running.operator_rulings import find_to_forget, forget_player, rule
from pbem.storage.due import FORGETTING_DUE, DueThing
from tests.support.club import OPERATOR, PLAYERS, Club
from tests.support.forgetting import be_forgotten, confirm, found_player, is_forgotten, write
from tests.support.laid import After
from tests.support.mails import text_of

ANN, BOB = "ann@a.example", "bob@b.example"
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def _asked(club: Club) -> None:
    club.open("zipline", PLAYERS)
    write(club, "forget me", ANN)


@pytest.fixture
def asked(after: After) -> Club:
    """A club in which Ann was asked whether she is to be forgotten."""
    return after(_asked)


def question(club: Club) -> EmailMessage:
    """Return the latest question."""
    return club.mail(club.queued(kind="forget")[-1])


def test_a_forged_sender_only_has_the_player_asked_and_once_a_day(club: Club) -> None:
    """By an email to their own address, wherever a reply would go; nobody is told anything else."""
    club.open("zipline", PLAYERS)
    for _ in range(5):
        write(club, "forget me", ANN, Reply_To="evil@x.example")
    club.reply(0, "forget me")
    assert [mail.recipient for mail in club.queued(kind="forget")] == [ANN]
    assert str(question(club)["Reply-To"]).startswith("pbem <games+q.1.")  # it gives no seat away
    assert not is_forgotten(club)
    club.clock.advance(2 * _DAY)
    write(club, "forget me", ANN)
    assert len(club.queued(kind="forget")) == 2


def test_a_second_address_is_asked_at_the_first_one(club: Club) -> None:
    """Whoever holds the phone cannot see the question."""
    club.open()
    with club.service.database.transaction() as tx:
        tx.players.add_address(found_player(club), "ann@phone.example")
    write(club, "forget me", "ann@phone.example")
    assert [mail.recipient for mail in club.queued(kind="forget")] == [ANN]


def test_an_address_that_was_theirs_can_neither_ask_nor_confirm(asked: Club) -> None:
    """Although it may have kept the emails of before."""
    with asked.service.database.transaction() as tx:
        tx.players.add_address(found_player(asked), "ann@old.example")
        tx.players.drop_address(found_player(asked), "ann@old.example")
    assert write(asked, "forget me", "ann@old.example").message.reason == "unknown_sender"
    assert confirm(asked, From="ann@old.example").message.reason == "unknown_sender"
    assert not is_forgotten(asked)


def test_a_partner_with_an_email_of_theirs_only_asks_about_himself(club: Club) -> None:
    """The reply token in it is of another seat."""
    club.open("zipline", PLAYERS)
    club.service.hand_in(club.answer(club.newest(0), "forget me", From=BOB))
    assert [mail.recipient for mail in club.queued(kind="forget")] == [BOB]


def test_nothing_but_the_words_themselves_confirms(asked: Club) -> None:
    """Neither a yes nor words that look like it."""
    for text in (
        *("yes", "Yes, please!", "ok", "forget me not", "forget me?", "don't forget me", "> forget me", "no", "forget"),
    ):
        assert confirm(asked, text).message.reason == "unknown_match", text
        assert not is_forgotten(asked), text


def test_a_quoted_question_does_not_confirm(asked: Club) -> None:
    """However an email program marks and wraps it: what counts is typed."""
    for width in (30, 65, 200):
        lines = [""]
        for word in text_of(question(asked)).split():
            fits = len(lines[-1]) + len(word) < width
            lines = [*lines[:-1], f"{lines[-1]} {word}".strip()] if fits else [*lines, word]
        for mark in ("> ", "", "  "):
            confirm(asked, "Hm, no.\n\n" + "\n".join(f"{mark}{line}" for line in lines))
            assert not is_forgotten(asked), (width, mark)
    confirm(asked)
    assert is_forgotten(asked)


def test_a_quoted_question_with_the_words_on_a_line_of_their_own_does_not_confirm(asked: Club) -> None:
    """A program breaks the lines of what it quotes just there, or takes bold words for a paragraph."""
    for broken in ("\nforget me\n", "\n\nforget me\n\n", "\n\n*forget me*\n\n"):
        text = text_of(question(asked)).replace("forget me ", broken)
        assert broken in text
        confirm(asked, f"Let me think.\n\n{text}")
        assert not is_forgotten(asked), broken


def test_an_automatic_reply_does_not_confirm(asked: Club) -> None:
    """Even one that says just these words."""
    for name, value in (("Auto_Submitted", "auto-replied"), ("Precedence", "auto_reply"), ("X_Autoreply", "yes")):
        assert confirm(asked, "forget me", **{name: value}).message.status == "discarded"
        assert not is_forgotten(asked), name


def test_a_question_of_long_ago_confirms_nothing(asked: Club) -> None:
    """After two weeks its answer is a new wish, which is asked about."""
    asked.serve(15 * _DAY)
    confirm(asked)
    assert not is_forgotten(asked)
    assert len(asked.queued(kind="forget")) == 2


def test_a_crash_in_the_middle_leaves_all_or_nothing(asked: Club, caplog: pytest.LogCaptureFixture) -> None:
    """What failed is undone, and done an hour later; the operator hears of it, once a day; the log names nobody."""
    caplog.set_level(logging.INFO)
    confirm(asked)
    with asked.service.database.transaction() as tx:  # a row that cannot be written any more
        tx.forgetting._connection.exec_driver_sql(
            "CREATE TRIGGER broken BEFORE INSERT ON matchentry BEGIN SELECT RAISE(FAIL, 'disk'); END"
        )
    assert not is_forgotten(asked)
    assert found_player(asked).email == ANN
    for _ in range(3):
        asked.clock.advance(2 * _HOUR)
        assert not is_forgotten(asked)
    (told,) = asked.queued(kind="needs")
    assert (told.recipient, "pbem forget 1" in text_of(asked.mail(told))) == (OPERATOR, True)
    with asked.service.database.transaction() as tx:
        tx.forgetting._connection.exec_driver_sql("DROP TRIGGER broken")
    asked.clock.advance(2 * _HOUR)
    assert is_forgotten(asked)
    assert asked.moves() == ["resign"]
    assert "player 1 was forgotten" in caplog.text
    assert not {"Ann", ANN, "ann@a"} & set(re.split(r"[\s,:;<>()'\"]", caplog.text))


def test_what_waits_to_be_read_is_not_read_as_a_stranger_s(asked: Club) -> None:
    """A message that came in before they were forgotten, and is processed after it, ends unread."""
    raw = asked.answer(asked.newest(0), "d4")
    ((number, _),) = asked.service.receive([Fetched(raw, True)])
    forget_player(asked.service, find_to_forget(asked.service, ANN))
    assert not asked.service.processing.process(number)
    with asked.service.database.reading() as tx:
        found = tx.inbound.get(number)
    assert found is not None
    assert (found.status, found.code, found.sender) == ("discarded", "forgotten", None)


def test_their_old_emails_open_nothing_and_bounces_of_these_count_for_nobody(club: Club) -> None:
    """They write as a stranger does; a bounce of before finds no email."""
    club.open("zipline", PLAYERS)
    asyncio.run(club.service.deliver())
    first, mail = club.newest(0), club.queued()[0]
    envelope = club.envelope_of(mail)
    be_forgotten(club, ANN)
    assert club.service.hand_in(club.answer(first, "d4")).message.reason == "unknown_sender"
    assert club.service.hand_in(club.answer(first, "d4", From=BOB)).message.code in ("unknown_match", "revoked_token")
    bounce = write(club, "user unknown", "MAILER-DAEMON@b.example", To=envelope, Auto_Submitted="auto-replied")
    assert bounce.message.status == "discarded"
    assert club.moves() == ["resign"]


def test_someone_unsubscribed_and_someone_out_of_all_matches_can_be_forgotten(club: Club) -> None:
    """The question is an answer to them; there is nothing to resign."""
    club.open()
    club.reply(0, "unsubscribe")
    rule(club.service, 1, call_off)
    be_forgotten(club, ANN)
    assert is_forgotten(club)


def test_a_reply_to_an_email_that_counts_no_more_still_has_them_asked(club: Club) -> None:
    """Nothing else in it is done."""
    club.open("zipline", PLAYERS)
    old = club.newest(0)
    club.reply(0, "d4")
    club.clock.advance(100 * _DAY)
    assert club.service.hand_in(club.answer(old, "forget me")).message.commands == ("forget me",)
    assert len(club.queued(kind="forget")) == 1


def test_what_is_due_twice_is_done_once(asked: Club) -> None:
    """Another worker may have begun it."""
    confirm(asked)
    assert is_forgotten(asked)
    sent = len(asked.queued())
    with asked.service.database.transaction() as tx:
        tx.due.schedule(FORGETTING_DUE, 1, asked.clock.now())
    assert DueThing(FORGETTING_DUE, 1) in _due(asked)
    assert is_forgotten(asked)
    assert len(asked.queued()) == sent


def _due(club: Club) -> list[DueThing]:
    """Return what is due."""
    with club.service.database.reading() as tx:
        return tx.due.by(club.clock.now())
