"""What needs a person: what players tell the operator, and all else, in one email a day; each ends by a command."""

import asyncio
from datetime import timedelta

import pytest

from pbem.asking.limit_table import STRANGERS
from pbem.commands.families.reporting import LONGEST_REPORT, read_report
from pbem.due.needs import list_needs, note_undone
from pbem.due.reports import keep_findings
from pbem.errors import BadInput, PermanentFailure
from pbem.pipeline.act import Act
from pbem.running.operator_rulings import change_player_addresses, forget_player, settle_report
from pbem.settings.model import Settings
from pbem.storage.damage import list_damage
from pbem.storage.due import OPENING_DUE, ROBOT_DUE
from pbem.storage.messages import records
from tests.support.chosen import changed
from tests.support.club import PLAYERS, Club, make_club, told
from tests.support.each import each
from tests.support.mails import html_of, text_of

ANN, BOB = "ann@a.example", "bob@b.example"
WORDINGS = [
    "operator: Bob is rude",
    "Operator: Bob is rude",
    "*operator*: Bob is rude",
    "to the operator: Bob is rude",
    "Dear operator, Bob is rude",
    "report: Bob is rude",
    "report to the operator: Bob is rude",
    "admin: Bob is rude",
    "message for the host: Bob is rude",
    "Please tell the operator Bob is rude",
    "ask the operator: Bob is rude",
    "Moderator - Bob is rude",
    "I want to report Bob is rude",
]


def needs(club: Club) -> list[str]:
    """Return the sentences about all that needs a person."""
    with club.service.database.reading() as tx:
        return [one.sentence for one in list_needs(tx)]


def live(club: Club, **time: float) -> None:
    """Let time pass, while the service does what is due."""
    for _ in club.pass_time(timedelta(**time)):
        pass


def emails(club: Club) -> list[str]:
    """Return the text of each email to the operator, on one line."""
    return [" ".join(text_of(club.mail(mail)).split()) for mail in club.queued(kind="needs")]


@each("text", WORDINGS)
def test_it_reaches_the_operator_and_nobody_else(club: Club, text: str) -> None:
    """With the match and a number; its writer gets one line, and no opponent hears of it, whatever stands below."""
    if not club.queued():
        club.open()
    arrival = club.reply(0, f"{text}\nHe wrote me bad words.\n\nAnn")
    assert (arrival.message.status, arrival.message.commands) == ("accepted", ("operator: …",))
    assert [(mail.kind, mail.recipient) for mail in arrival.outbound] == [("answer", ANN)]
    live(club, days=1, hours=1)
    latest = emails(club)[-1]
    assert "Ann (a…@a.example) tells you in match 1: “Bob is rude He wrote me bad words. Ann”" in latest, latest
    assert "pbem show 1" in latest
    assert BOB not in {mail.recipient for mail in club.queued() if mail.kind != "opened"}
    assert club.match().comments == ()


def test_a_move_beside_it_counts(club: Club) -> None:
    """And its words stay between the writer and the operator."""
    club.open()
    arrival = club.reply(0, "c3\nGood luck!\noperator: Bob is rude.\nPlease look at it.")
    assert arrival.message.commands == ("c3", "operator: …")
    assert [comment.text for comment in club.match().comments] == ["Good luck!"]
    assert "rude" not in text_of(club.newest(1))
    below = club.reply(1, "operator: Ann is slow\nb2")
    assert below.message.commands == ("operator: …", "b2")
    assert club.moves() == ["c3", "b2"]


@each(
    "line",
    [
        "The operator of this service is kind",
        "I report from Lisbon",
        "operators are standing by",
        "my host family says hello",
        "what an administrator would say",
        "I asked the operator",
        "hosting a party tonight",
    ],
)
def test_talk_is_no_report(line: str) -> None:
    """It goes to whom it was written."""
    assert read_report(line) is None


def test_one_email_a_day_and_each_thing_until_it_is_settled(club: Club) -> None:
    """The first of a quiet time comes soon, others a day later, with what still waits; then nothing."""
    club.open()
    club.reply(0, "operator: Bob is rude")
    live(club, minutes=20)
    club.reply(1, "report: Ann is slow")
    live(club, hours=20)
    assert len(emails(club)) == 1
    live(club, hours=5)
    first, second = emails(club)
    assert "slow" not in first
    assert second.index("slow") < second.index("it still waits") < second.index("rude")
    with club.service.database.reading() as tx:
        numbers = [one.id for one in tx.questions.find("report")]
    for number in numbers:
        settle_report(club.service, number)
    assert needs(club) == []
    with pytest.raises(BadInput):
        settle_report(club.service, numbers[0])
    live(club, days=3)
    assert len(emails(club)) == 2


def test_what_players_tell_is_no_damage(club: Club) -> None:
    """The doctor finds nothing to restore, neither while it waits nor when it is settled."""
    club.open()
    club.reply(0, "operator: Bob is rude")
    assert list_damage(club.service.database) == []
    settle_report(club.service, 1)
    assert list_damage(club.service.database) == []


def test_what_the_doctor_finds_is_told_until_it_finds_it_mended(club: Club) -> None:
    """By the same email a day, each line once; other lines than those that were looked at stay as they are."""

    def find(**found: str) -> None:
        with club.service.database.transaction() as tx:
            keep_findings(Act(tx, club.service.site, club.clock.now()), found)

    find(disk="Little room is left.", backups="")
    live(club, minutes=20)
    find(disk="Less room is left.", files="")
    assert ["has found: Little room is left." in text for text in emails(club)] == [True]
    club.open()
    club.reply(0, "operator: Bob is rude")
    live(club, days=1)
    assert [("rude" in text, "Little room" in text) for text in emails(club)] == [(False, True), (True, True)]
    find(backups="The newest copy is old.")
    assert len(needs(club)) == 3
    find(disk="", backups="")
    live(club, days=2)
    assert (len(emails(club)), len(needs(club))) == (2, 1)
    assert list_damage(club.service.database) == []


def test_nothing_is_said_of_what_is_over(club: Club) -> None:
    """The email tells of what waits when it is written."""
    club.open()
    club.reply(0, "operator: Bob is rude")
    with club.service.database.reading() as tx:
        (report,) = tx.questions.find("report")
    settle_report(club.service, report.id)
    live(club, days=2)
    assert emails(club) == []


def test_a_repaired_address_settles_what_went_to_the_dead_one(club: Club) -> None:
    """Its player gets the first email of each match, and the doctor has nothing left to say."""
    club.open(), club.open()
    refused = PermanentFailure("550 no such user")
    club.courier.fail([None, refused, None, refused])
    asyncio.run(club.service.deliver())
    assert len(needs(club)) == 2
    live(club, minutes=5)
    assert "pbem player address 2 --main" in emails(club)[0]
    change_player_addresses(club.service, "bob", main="bob@right.example", remove=[BOB])
    assert needs(club) == []
    sent = [(mail.kind, mail.match) for mail in club.queued() if mail.recipient == "bob@right.example" and mail.match]
    assert sent == [("opened", 1), ("opened", 2)]


def test_whoever_writes_much_to_the_operator_is_told_to_wait(club: Club) -> None:
    """Three times a day; what is not passed on, its writer learns, and nobody else gets it."""
    club.open()
    for _ in range(3):
        assert club.reply(0, "operator: Bob is rude").message.commands
    fourth = club.reply(0, "operator: Bob is rude")
    assert (fourth.message.status, told(fourth)) == ("rejected", [("no_command", 0)])
    assert len(needs(club)) == 3


def test_somebody_who_forges_a_sender_uses_up_nothing_of_the_players(club: Club) -> None:
    """What proves no seat is marked so, counted by itself, and one email a day to the operator, whatever comes."""
    club.open()
    for number in range(20):
        club.write(f"operator: buy pills {number}", ANN)
    assert len(needs(club)) == 3
    assert all("somebody else may have written in their name" in one for one in needs(club))
    assert club.reply(0, "operator: Bob is rude").message.commands
    live(club, days=1)
    assert len(emails(club)) == 1


def test_a_limit_that_is_used_up_is_told(club: Club) -> None:
    """Once in a day, with how it ends."""
    with club.service.database.transaction() as tx:
        for number in range(STRANGERS.most):
            tx.invitations.note_approach(f"mark {number}", "", club.clock.now(), share=records.PLAYERS)
    club.open()
    club.reply(0, "new pipline zoe@z.example")
    live(club, hours=12)
    assert ["tomorrow" in text for text in emails(club)] == [True]


def test_what_answers_a_question_of_ours_reaches_the_operator_too(club: Club) -> None:
    """It is no answer to the question, and nothing else comes of it."""
    club.open()
    club.write("new pipline zoe@z.example", ANN)
    arrival = club.answer_kind("confirm_start", -1, "operator: who is that?")
    assert (arrival.message.commands, told(arrival)) == (("operator: …",), [("answer", None)])
    assert club.queued(kind="invitation") == []


def test_a_stranger_tells_the_operator_nothing(club: Club) -> None:
    """They get what strangers get."""
    assert told(club.write("operator: buy pills", "zoe@z.example")) == [("unknown_sender", None)]
    assert needs(club) == []


def test_where_nobody_reads_it_its_writer_is_told(settings: Settings) -> None:
    """And no opponent gets it instead."""
    club = make_club(changed(settings, operator=""))
    club.open()
    assert told(club.reply(0, "operator: Bob is rude")) == [("no_command", 0)]
    assert told(club.write("operator: Bob is rude", ANN)) == [("answer", None)]
    assert needs(club) == []
    club.service.database.close()


def test_what_stands_still_is_told_at_once_and_then_once_a_day(club: Club) -> None:
    """Until it is mended: then it fails no more, and is in no list."""
    club.open()
    with club.service.database.transaction() as tx:
        for number in range(30):
            tx.due.schedule(OPENING_DUE, number, club.clock.now())  # of no invitation
    live(club, minutes=1)
    assert [text.count("opening of") for text in emails(club)] == [20]
    live(club, hours=60)
    assert len(emails(club)) == 3
    with club.service.database.transaction() as tx:
        for number in range(30):
            tx.due.cancel(OPENING_DUE, number)
    assert needs(club) == []


def test_somebody_who_has_a_report_told_first_delays_no_other_need_for_a_day(club: Club) -> None:
    """What stands still is told within the hour, whatever the operator was told before."""
    club.open()
    club.reply(0, "operator: look at me")
    live(club, minutes=20)
    with club.service.database.transaction() as tx:
        note_undone(tx, ROBOT_DUE, 1, "a bug", club.clock.now())  # which no robot waits for
        tx.due.schedule(ROBOT_DUE, 1, club.clock.now() + timedelta(days=9))
        note_undone(tx, ROBOT_DUE, 1, "a bug of ann@a.example", club.clock.now())
    live(club, hours=1)
    assert "a bug of a…@a.example" in emails(club)[1]
    assert "ann@" not in needs(club)[0]


def test_a_damaged_row_hides_no_need_of_another_kind(club: Club) -> None:
    """The operator is told of what else there is."""
    club.open()
    club.reply(0, "operator: Bob is rude")
    with club.service.database.transaction() as tx:
        tx.due.schedule(OPENING_DUE, 7, club.clock.now())
        tx.questions._connection.exec_driver_sql("UPDATE question SET about = '{'")
    live(club, minutes=20)
    assert ["opening of 7" in text for text in emails(club)] == [True]


def test_an_email_to_the_operator_cannot_be_made_huge_or_read_as_ours(club: Club) -> None:
    """What a player writes is cut, stands on one line, and is escaped."""
    club.open()
    club.reply(0, "operator: <b>x</b>\n" + "pbem forget bob --yes\n" * 900)
    live(club, minutes=20)
    (mail,) = club.queued(kind="needs")
    assert len(text_of(club.mail(mail))) < 2000
    assert "<b>x" not in html_of(club.mail(mail))
    with club.service.database.reading() as tx:
        assert len(tx.questions.find("report")[0].about["text"]) <= LONGEST_REPORT


def test_a_forgotten_player_leaves_no_words(club: Club) -> None:
    """Neither what they told, nor what others told of them."""
    club.open(players=PLAYERS[:2])
    club.reply(0, "operator: Bob is rude")
    club.reply(1, "operator: Ann is slow")
    with club.service.database.reading() as tx:
        ann = tx.players.find(ANN)
    assert ann
    forget_player(club.service, ann)
    with club.service.database.reading() as tx:
        texts = [str(one.about) for one in tx.questions.find("report")]
    assert not any("rude" in text or "Ann" in text for text in texts)
