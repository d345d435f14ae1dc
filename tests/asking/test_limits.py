"""What one address, and all of them together, may cause in a day: more than people need, less than machines send."""

from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.asking.limit_table import LIMITS
from pbem.asking.limits import OVERLOADED, SILENT
from pbem.commands.decision import Decision, Step
from pbem.commands.effects import Reply
from pbem.commands.rejections import Discard
from pbem.mail.compose import OutboundMessage
from pbem.match.preferences import Preferences
from pbem.notices.notice_kinds import notice_kinds
from pbem.notices.sentences.reasons import say
from pbem.pipeline.act import Act
from pbem.pipeline.decide import limit_outside
from pbem.reading.reason import because
from pbem.running.service import Arrival
from tests.support.club import Club
from tests.support.laid import After
from tests.support.mails import text_of


def kinds(arrival: Arrival) -> list[str]:
    """Return what was mailed because of a message."""
    return [mail.kind for mail in arrival.outbound]


def test_every_limit_is_one_of_a_kind_that_is_sent() -> None:
    """A limit of a kind that was renamed would limit nothing."""
    assert LIMITS.keys() <= notice_kinds()


def cause(club: Club, mail: EmailMessage, count: int) -> None:
    """Let the reader of ``mail`` cause as many emails without news: five by asking, the others are just queued."""
    asked = club.service.hand_in(club.answer(mail, "display test"))
    assert kinds(asked) == ["display"] * 5
    number, recipient = asked.message.id, asked.outbound[0].recipient
    with club.service.database.transaction() as tx:
        more = (
            OutboundMessage(f"<{number}.{n}@x>", "display", recipient, "Subject", b"raw", None, None, number)
            for n in range(count - 5)
        )
        tx.outbound.enqueue(list(more), club.clock.now())


def _tired(club: Club) -> None:
    club.open()
    cause(club, club.newest(0), 100)


@pytest.fixture
def tired(after: After) -> Club:
    """A club in which Ann has caused a hundred emails by asking for boards."""
    return after(_tired)


def test_a_player_gets_a_hundred_emails_a_day_for_the_asking(tired: Club) -> None:
    """The next wish is refused with one email that says why, further ones without; a day later all is as before."""
    first = next(tired.mail(mail) for mail in tired.queued() if mail.seat == 0)
    refused = tired.reply(0, "show")
    assert (refused.message.status, refused.message.reason, kinds(refused)) == ("rejected", "too_often", ["too_often"])
    silent = tired.service.hand_in(tired.answer(first, "help"))
    assert (silent.message.reason, kinds(silent)) == ("too_often", [])
    assert silent.message.detail == SILENT
    tired.clock.advance(timedelta(days=1, minutes=1))
    assert kinds(tired.service.hand_in(tired.answer(first, "show"))) == ["show"]


def test_words_for_others_count_as_well(tired: Club) -> None:
    """Nobody can fill an opponent's mailbox: the words are not passed on, and their sender is told so."""
    refused = tired.reply(0, "say: hello, hello, hello")
    assert refused.message.reason == "too_often"
    assert tired.match().comments == ()
    assert [mail.recipient for mail in refused.outbound] == ["ann@a.example"]


def test_a_move_is_always_played(tired: Club) -> None:
    """Its notices go out, with the words below it; what was asked for besides waits, and its sender is told so."""
    played = tired.reply(0, "c3\n\nGood luck!\n\nhelp")
    assert played.message.status == "accepted"
    assert tired.moves() == ["c3"]
    assert sorted(kinds(played)) == ["move_made", "your_turn"]
    assert played.message.detail
    assert [comment.text for comment in tired.match().comments] == ["Good luck!"]


def test_a_player_over_the_limit_can_unsubscribe(tired: Club) -> None:
    """It makes for less email, so it is carried out at any time, and who waits is told; to come back has to wait."""
    assert sorted(kinds(tired.reply(0, "unsubscribe"))) == ["time_news", "unsubscribe"]
    assert tired.match().players[0].preferences.muted
    assert tired.reply(0, "resume").message.reason == "too_often"
    assert tired.reply(0, "unsubscribe").message.reason == "too_often"


def test_another_player_can_still_ask(tired: Club) -> None:
    """The limit is each address's own."""
    assert kinds(tired.reply(1, "show")) == ["show"]


def test_all_addresses_together_have_a_limit_too(club: Club) -> None:
    """Five hundred emails in an hour that tell of no move are too many, whoever asked for them; moves go on."""
    firsts = []
    for number in range(1, 6):
        club.open(players=(f"p{number}@a.example", f"q{number}@a.example"))
        firsts.append(club.newest(0, number))
    for first in firsts:
        cause(club, first, 100)
    assert len(club.queued(kind="display")) == 500
    assert kinds(club.reply(0, "show", match=3)) == ["too_often"]
    assert [kinds(club.reply(1, "show", match=3)) for _ in range(6)] == [["show"]] * 5 + [["too_often"]]  # never none
    assert kinds(club.reply(1, "z99", match=3)) == ["not_your_turn"]  # a reply to the present email is answered
    assert club.service.hand_in(club.answer(firsts[2], "c3")).message.status == "accepted"
    stale = club.service.hand_in(club.answer(firsts[2], "d4"))
    assert (stale.message.status, stale.outbound, stale.message.detail) == ("rejected", (), OVERLOADED)
    club.clock.advance(timedelta(hours=1, minutes=1))
    assert sorted(kinds(club.reply(1, "say: hello", match=4))) == ["passed_on", "remark"]


def test_answers_outside_matches_are_limited_as_well(tired: Club) -> None:
    """A machine cannot be answered without end by a command that needs no match."""
    decision = Decision((Step("ping", (Reply("answer", (because("more_left_out"),)),)),))
    with tired.service.database.transaction() as tx:
        act = Act(tx, tired.service.site, tired.clock.now())
        assert limit_outside(act, decision, "bob@b.example") == decision
        with pytest.raises(Discard):
            limit_outside(act, decision, "ann@a.example")


def test_a_display_chosen_beside_unsubscribe_is_kept_over_the_limit(tired: Club) -> None:
    """Only emails are left out: what the player prefers costs nobody anything."""
    arrival = tired.reply(0, "board large; unsubscribe")
    assert arrival.message.commands == ("board large", "unsubscribe")
    assert sorted(kinds(arrival)) == ["time_news", "unsubscribe"]
    assert tired.match().players[0].preferences == Preferences("large", muted=True)


@pytest.mark.parametrize(("count", "size"), [(150, 10), (31, 100_000)])
def test_nobody_gets_more_than_so_much_a_day_whoever_causes_it(club: Club, count: int, size: int) -> None:
    """By number or by bytes, remarks to Bob come to an end; moves go on, and his own mistakes are answered."""
    club.open()
    with club.service.database.transaction() as tx:
        more = (
            OutboundMessage(f"<{n}@x>", "remark", "bob@b.example", "Subject", b"x" * size, 1, 1, None)
            for n in range(count)
        )
        tx.outbound.enqueue(list(more), club.clock.now())
    refused = club.reply(0, "say: and one more")
    assert (refused.message.status, refused.message.code, kinds(refused)) == ("rejected", "told_enough", ["too_often"])
    assert sorted(kinds(club.reply(0, "c3\n\nGood luck!"))) == ["move_made", "your_turn"]
    assert kinds(club.reply(1, "z99")) == ["move_rejected"]
    club.clock.advance(timedelta(days=1, minutes=1))
    assert sorted(kinds(club.reply(0, "say: good morning"))) == ["passed_on", "remark"]


def test_the_last_answer_to_mistakes_says_so(club: Club) -> None:
    """Silence has a reason that its reader knows; moves still count, and a day later there are answers again."""
    club.open()
    mail = club.newest(0)

    def mistake() -> tuple[list[str], bool]:
        arrival = club.service.hand_in(club.answer(mail, "z99"))
        text = " ".join(text_of(club.mail(arrival.outbound[0])).split()) if arrival.outbound else ""
        return kinds(arrival), say(because("last_answer")) in text

    assert [mistake() for _ in range(9)] == [(["move_rejected"], False)] * 9
    assert mistake() == (["move_rejected"], True)
    assert mistake() == ([], False)
    assert club.service.hand_in(club.answer(mail, "c3")).message.status == "accepted"
    club.clock.advance(timedelta(days=1, minutes=1))
    club.reply(1, "b2")
    mail = club.newest(0)
    assert mistake() == (["move_rejected"], False)
