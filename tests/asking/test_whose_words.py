"""Words that may be for one side alone wait until their sender says who may read them; nobody else can say it."""

from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.running.operator_rulings import seat_another
from tests.support.club import PLAYERS, Club
from tests.support.each import each
from tests.support.judging import partners, put, said, withheld
from tests.support.laid import Laid
from tests.support.mails import text_of

WORDS = "Ann: go left, he is weak there"


def whisper(club: Club) -> EmailMessage:
    """Let Carl play, and write below what may be for Ann, his partner, alone; return the email that asks him."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    club.reply(1, "take")
    club.reply(2, f"a1\n{WORDS}")
    (asked,) = club.queued(kind="whose_words")
    assert asked.recipient == "carl@c.example"
    return club.mail(asked)


def asked(laid: Laid) -> tuple[Club, EmailMessage]:
    """Return a club in which Carl is asked, and that email."""
    club, question = laid.after(whisper)
    assert isinstance(question, EmailMessage)
    return club, question


def heard(club: Club) -> list[tuple[str, bool]]:
    """Return the words of the match, each with whether it is for one side alone."""
    with club.service.database.reading() as tx:
        match = tx.matches.get(1, comments=True)
    assert match
    return [(comment.text, comment.to_side) for comment in match.comments]


@each(
    "line",
    [
        *("Leave Bob to me", "Bob can't stop both of us", "you take Bob, I extend", "squeeze Bob with me"),
        *("connect to me next", "c4 would be strong for you", "Bob, don't read: hold it", "nicht für Bob: halten"),
        *("A, hold it", "A: hold it", "you take Bob", "you're ahead of Bob."),
    ],
)
def test_advice_against_an_opponent_waits(line: str) -> None:
    """Whoever is advised need not be named."""
    assert withheld(partners(), 2, f"a5\n{line}") == [line]


@each(
    "line",
    [
        *("Bob, you played well", "You were lucky, Bob!", "Sorry Bob, no idea what you mean", "Bob is slow today"),
        *("Hello Bob and Ann, nice to play with you", "I, too, like it", "I will come to you for coffee"),
        *("Dapper van je Bob, in je eentje tegen ons twee!", "Watch out Bob, I am coming for you!"),
    ],
)
def test_talk_with_everybody_does_not_wait(line: str) -> None:
    """An opponent who is spoken to is to read it."""
    assert said(put(partners(), 2, f"a5\n{line}")) == [(line, False)]


def test_the_move_counts_and_only_the_words_wait(laid: Laid) -> None:
    """Nobody reads them, and their sender gets one email."""
    club, _ = asked(laid)
    assert club.moves()[-1] == "a1"
    assert heard(club) == []
    assert [mail.kind for mail in club.queued() if mail.recipient == "carl@c.example"][-1] == "whose_words"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("everyone", [(WORDS, False)]),
        ("To everybody, please!", [(WORDS, False)]),
        ("Ann", [(WORDS, True)]),
        ("only Ann", [(WORDS, True)]),
        ("my partner", [(WORDS, True)]),
        ("team", [(WORDS, True)]),
        ("nobody", []),
        ("no", []),
        ("yes", []),
        ("Bob", []),
        ("everyone but Bob", []),
        ("not everyone", []),
        ("everyone\n\nNo, wait!", []),
        ("Hi all,\n\nthese were for Ann", []),
        ("keep all private", []),
        ("everyone?", []),
        ("pas tous", []),
        ("Dear all,\nI am away.", []),
        ("Ann or everyone, I don't care", []),
        ("I think everyone should be told about the weather", []),
    ],
)
def test_a_word_says_who_may_read_them(laid: Laid, answer: str, told: list[tuple[str, bool]]) -> None:
    """Whatever else is no answer to that, and passes nothing on."""
    club, question = asked(laid)
    club.service.hand_in(club.answer(question, answer))
    assert heard(club) == told
    club.service.hand_in(club.answer(question, answer))
    assert heard(club) == told


@each("answer", ["everyone", "Ann", "yes"])
def test_whoever_gets_the_seat_says_nothing_about_words_of_whom_had_it(laid: Laid, answer: str) -> None:
    """Neither by an email of their own, nor by the question, nor when its sender answers that afterwards."""
    club, question = asked(laid)
    if not club.queued(kind="replaced"):
        seat_another(club.service, 1, "Carl", "Dora <dora@d.example>")
    club.service.hand_in(club.answer(question, answer, From="dora@d.example"))
    club.service.hand_in(club.answer(club.newest(2), answer))
    club.service.hand_in(club.answer(question, answer))
    assert heard(club) == []


@each("sender", ["bob@b.example", "ann@a.example", "stranger@s.example"])
def test_nobody_else_has_words_passed_on(laid: Laid, sender: str) -> None:
    """Though they have got hold of the question."""
    club, question = asked(laid)
    club.service.hand_in(club.answer(question, "everyone", From=sender))
    club.reply(1, "everyone")
    club.reply(0, "everyone")
    assert heard(club) == []


def test_a_complaint_goes_to_the_operator_alone_if_its_writer_says_so(club: Club) -> None:
    """Whatever is nearly for them waits, and can be handed on by a word."""
    club.open()
    club.reply(0, "c3\nreport Bob is rude")
    (asked,) = club.queued(kind="whose_words")
    arrival = club.service.hand_in(club.answer(club.mail(asked), "only the operator, please"))
    assert arrival.message.commands == ("operator: …",)
    with club.service.database.reading() as tx:
        (report,) = tx.questions.find("report")
    assert report.about["text"] == "report Bob is rude"
    assert heard(club) == []
    assert "rude" not in text_of(club.newest(1))


def test_words_are_passed_on_no_more_when_that_is_late(laid: Laid) -> None:
    """After two weeks nobody knows what they were about."""
    club, question = asked(laid)
    club.serve(timedelta(days=15))
    for words in ("everyone", "hm, what?"):
        assert club.service.hand_in(club.answer(question, words)).message.code == "closed"
    assert heard(club) == []
