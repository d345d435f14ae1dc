"""Emails to all players: to each their own, to nobody twice, after turns; and what comes of answers to them."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.due.broadcast import Reason, broadcast, choose_readers
from pbem.pipeline.act import Act
from pbem.storage.messages.records import OutboundRecord
from tests.support.bounces import addressed, postfix
from tests.support.club import OPERATOR, PLAYERS, Club
from tests.support.laid import After
from tests.support.mails import html_of, text_of

ANN, BOB, CARL, DORA = "ann@a.example", "bob@b.example", "carl@c.example", "dora@d.example"
SUBJECT, TEXT = "No emails on Sunday", "Hello all,\n\nthe server moves.\nNo emails until noon.\n\nd4\n\nresign"
_DAY = timedelta(days=1)


def _busy(club: Club) -> None:
    club.open()
    club.open(players=(PLAYERS[2], f"Dora <{DORA}>"))
    club.reply(0, "resign", match=2)
    asyncio.run(club.service.deliver())


@pytest.fixture
def busy(after: After) -> Club:
    """A club with a running match of Ann and Bob, and a finished one of Carl and Dora."""
    return after(_busy)


def send(
    club: Club, text: str = TEXT, *, match: int | None = None, everybody: bool = False, again: bool = False
) -> tuple[list[str], Mapping[Reason, int]]:
    """Write to the players; return the addresses that get it, and how many get none, by the reason."""
    now = club.clock.now()
    with club.service.database.transaction() as tx:
        readers = choose_readers(tx, SUBJECT, text, now, match=match, everybody=everybody, again=again)
        broadcast(Act(tx, club.service.site, now), readers.players, SUBJECT, text)
    return [player.email for player in readers.players], readers.without


def sent(club: Club) -> list[OutboundRecord]:
    """Return these emails."""
    return club.queued(kind="broadcast")


def mail_to(club: Club, recipient: str) -> EmailMessage:
    """Return the latest of them to an address."""
    return club.mail([mail for mail in sent(club) if mail.recipient == recipient][-1])


def test_who_gets_it(busy: Club) -> None:
    """Players of running matches, unless told otherwise; each once, in an email of their own."""
    assert send(busy) == ([ANN, BOB], {})
    assert send(busy, "2", match=2) == ([CARL, DORA], {})
    assert send(busy, "3", everybody=True) == ([ANN, BOB, CARL, DORA], {})
    for mail in sent(busy):
        read = busy.mail(mail)
        assert read["To"].addresses[0].addr_spec == mail.recipient
        assert len(read["To"].addresses) == 1
        assert (read["Cc"], read["Bcc"]) == (None, None)


def test_who_gets_none(busy: Club) -> None:
    """Whoever has unsubscribed, is blocked, was forgotten, or gets no email anyway."""
    busy.open("zipline", (PLAYERS[0], PLAYERS[2], f"Dora <{DORA}>"))
    busy.reply(0, "unsubscribe")
    with busy.service.database.transaction() as tx:
        tx.blocked.add(BOB, "", busy.clock.now())
    asyncio.run(busy.service.deliver())
    lost = next(mail for mail in busy.queued() if mail.recipient == DORA and mail.match == 3)
    busy.service.hand_in(addressed(postfix(busy.mail(lost)), busy.envelope_of(lost)))
    assert send(busy, everybody=True) == ([CARL], {"unsubscribed": 1, "blocked": 1, "unreachable": 1})


def test_nobody_gets_the_same_twice_in_a_day(busy: Club) -> None:
    """Run by mistake it sends nothing; whoever had not been among the readers gets it."""
    send(busy)
    assert send(busy) == ([], {"had it": 2})
    assert send(busy, everybody=True) == ([CARL, DORA], {"had it": 2})
    assert send(busy, again=True) == ([ANN, BOB], {})
    busy.clock.advance(_DAY + timedelta(minutes=1))
    assert send(busy) == ([ANN, BOB], {})


@pytest.mark.parametrize("quoting", [False, True])
def test_an_answer_is_neither_a_move_nor_told_to_anybody(busy: Club, quoting: bool) -> None:
    """Written to the service itself, whatever the email program says of Reply-To."""
    send(busy)
    mail = mail_to(busy, ANN)
    quoted = "\n\nOp wrote:\n" + "\n".join(f"> {line}" for line in text_of(mail).splitlines()) if quoting else ""
    for text in ("d4", "c3", "resign", "Thanks, see you there!", "say: hello", "yes", "2"):
        before = len(busy.queued())
        arrival = busy.service.hand_in(busy.answer(mail, text + quoted, To="games@play.example"))
        assert (arrival.message.status, arrival.message.reason) == ("rejected", "unknown_match"), text
        assert busy.moves() == [], text
        assert [(one.kind, one.recipient) for one in busy.queued()[before:]] == [("unknown_match", ANN)], text
        busy.clock.advance(timedelta(days=1))  # so that each is answered


def test_answers_go_to_the_operator(busy: Club) -> None:
    """Or, if there is none, to the service, and the email says which."""
    send(busy)
    assert str(mail_to(busy, ANN)["Reply-To"]) == OPERATOR
    assert OPERATOR in text_of(mail_to(busy, ANN))
    busy.service.site = type(busy.service.site)("games@play.example", busy.service.site.secret)
    send(busy, "another")
    assert str(mail_to(busy, ANN)["Reply-To"]) == "pbem <games@play.example>"
    assert OPERATOR not in text_of(mail_to(busy, ANN))


@pytest.mark.parametrize(("seat", "match", "reader"), [(0, 1, ANN), (1, 2, DORA)])
def test_the_button_for_unsubscribing_works(busy: Club, seat: int, match: int, reader: str) -> None:
    """As in any other email, also for a player whose matches are over; and it does nothing else."""
    send(busy, everybody=True)
    mail = mail_to(busy, reader)
    button = str(mail["List-Unsubscribe"]).strip("<>").removeprefix("mailto:").partition("?")[0]
    answer = busy.answer(mail, "", To=button, Subject="unsubscribe", In_Reply_To="", References="")
    assert busy.service.hand_in(answer).message.status == "accepted"
    assert busy.match(match).players[seat].preferences.muted
    assert send(busy, "next", everybody=True)[1] == {"unsubscribed": 1}


def test_a_move_to_the_address_of_the_button_moves_nothing(busy: Club) -> None:
    """Its token is of no turn."""
    send(busy)
    mail = mail_to(busy, ANN)
    button = str(mail["List-Unsubscribe"]).strip("<>").removeprefix("mailto:").partition("?")[0]
    busy.service.hand_in(busy.answer(mail, "c3", To=button))
    assert busy.moves() == []


def test_turns_that_come_meanwhile_are_told_first(busy: Club) -> None:
    """Thirty a minute are due: the email about a move overtakes those that are due later."""
    with busy.service.database.transaction() as tx:
        for number in range(60):
            tx.players.add(f"Player {number}", f"p{number}@x.example", busy.clock.now())
    send(busy, everybody=True)
    asyncio.run(busy.service.deliver())
    first = len(busy.courier.carried)
    busy.clock.advance(timedelta(seconds=30))
    busy.reply(0, "c3")
    busy.clock.advance(timedelta(minutes=5))
    asyncio.run(busy.service.deliver())
    order = [recipient for recipient, _ in busy.courier.carried[first:]]
    assert order.index(BOB) < 40
    assert len(order) > 60
    assert not any(mail.status == "queued" for mail in busy.queued())


def test_it_reads_the_same_as_text_and_html(busy: Club) -> None:
    """Signs of HTML are signs; nothing in it is a template; whoever wants plain text gets no HTML."""
    text = "1 < 2 & {{ you }}\n\n<script>alert(1)</script>\nhttps://example.org/a?b=c&d=e"
    busy.reply(1, "board plain")
    send(busy, text)
    mail = mail_to(busy, ANN)
    assert text in text_of(mail)
    assert "<script" not in html_of(mail)
    assert "1 &lt; 2 &amp; {{ you }}" in html_of(mail)
    assert mail_to(busy, BOB).get_body(("html",)) is None
