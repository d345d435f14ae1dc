"""A lost email can be had again: a new email from a known address brings the board, or the list, to their own address.

Anybody can write in the name of a player, so nothing of it goes anywhere else, and only a few times a day.
"""

import asyncio
import re
from datetime import timedelta
from email.message import EmailMessage
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.asking.limit_table import LIMITS
from pbem.commands.families.asking_again import named_matches
from pbem.errors import BadInput
from pbem.running.operator_rulings import change_player_addresses, send_present
from pbem.running.service import Arrival
from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import ADDRESS, PLAYERS, Club, make_club, told
from tests.support.each import each
from tests.support.mails import html_of, message

ANN, BOB = "ann@a.example", "bob@b.example"
_LINK = re.compile(r'href="(mailto:[^"]+)"')


@pytest.fixture
def playing(club: Club) -> Club:
    """Return a club in which Ann and Bob play matches 1 and 2, and Bob and Carl match 3."""
    club.open(), club.open(), club.open(players=PLAYERS[1:])
    return club


@each(
    "subject, text",
    [
        ("Hello", "I have deleted the mail of match 1, please send it again"),
        ("[pbem 1]", "show"),
        ("[pbem 1] Pipline vs Bob", "I can't find your email"),
        ("show 1", ""),
        ("Hello", "show 1"),
        ("Hello", "Please show me match 1"),
        ("Hello", "resend 1, please"),
        ("Hello", "status of game 1"),
        ("Hello", "board 1"),
        ("Hello", "Hi!\n\nThe mail of #1 is gone."),
        ("Hello", "1"),
        ("Re: what's up with match no. 1?", ""),
        ("[pbem 2]", "show match 1"),
    ],
)
def test_whoever_names_a_match_gets_its_board(playing: Club, subject: str, text: str) -> None:
    """However it is asked for; nobody else hears of it, and an answer to it is one in that match."""
    arrival = playing.write(text, ANN, Subject=subject)
    assert (arrival.message.status, arrival.message.commands) == ("accepted", ("show 1",))
    assert [(mail.kind, mail.match, mail.recipient) for mail in arrival.outbound] == [("show", 1, ANN)]
    playing.clock.advance(timedelta(days=1))


def test_the_subject_of_an_answer_to_an_answer_asks_for_nothing_again(playing: Club) -> None:
    """It is what they wrote before: our answer has the same, and an empty reply to that must not do it once more."""
    again = {"Subject": "Re: show 1", "In_Reply_To": f"<0123456789abcdef@{ADDRESS.rpartition('@')[2]}>"}
    assert playing.write("", ANN, **again).message.commands == ()
    assert playing.write("", ANN, Subject="show 1", In_Reply_To="<1@x>").message.commands == ("show 1",)


def test_an_answer_outside_a_match_stands_below_what_it_answers(settings: Settings) -> None:
    """With its subject where our server found it authentic; without, where anybody may have written it."""
    club = make_club(changed(settings, authserv_id="mx.play.example"))
    club.open()
    proof = {"Authentication_Results": "mx.play.example; dmarc=pass header.from=a.example"}
    subjects = []
    for number, proven in enumerate((proof, {})):
        arrival = club.write("status", ANN, Subject="Hello", Message_ID=f"<{number}@a.example>", **proven)
        mail = club.mail(arrival.outbound[0])
        assert (mail["In-Reply-To"], mail["References"]) == (f"<{number}@a.example>", f"<{number}@a.example>")
        subjects.append(str(mail["Subject"]))
    assert subjects == ["Re: Hello", "[pbem] Your matches"]


def test_a_move_in_answer_to_the_board_counts(playing: Club) -> None:
    """As in answer to any other email of the present turn."""
    playing.write("show 1", ANN)
    assert playing.reply(0, "c3").message.commands == ("c3",)


@each(
    "subject, text, kind",
    [
        ("Hello", "where are my games?", "unknown_match"),
        ("Hello", "I have lost all your emails", "unknown_match"),
        ("Hello", "resend", "unknown_match"),
        ("Hello", "show", "unknown_match"),
        ("Hello", "board 3", "unknown_match"),
        ("[pbem 17]", "show", "unknown_match"),
        ("my matches", "", "unknown_match"),
        ("Hello", "help", "unknown_match"),
        ("status", "", "status"),
        ("Hello", "status", "status"),
        ("Hello", "Please, status", "status"),
    ],
)
def test_whoever_names_none_gets_the_list(playing: Club, subject: str, text: str, kind: str) -> None:
    """With a button for each of their own matches: it asks for the board as a reply to an email of that match does."""
    arrival = playing.write(text, ANN, Subject=subject)
    assert [(mail.kind, mail.recipient) for mail in arrival.outbound] == [(kind, ANN)]
    asked = [tap(playing, link) for link in links_in(playing.mail(arrival.outbound[0]))]
    assert [told(one) for one in asked] == [[("show", 0)], [("show", 0)]]
    assert [one.outbound[0].match for one in asked] == [1, 2]
    playing.clock.advance(timedelta(days=1))


def test_a_move_in_answer_to_the_list_counts(playing: Club) -> None:
    """With the number of its match in front, and while it is the present turn."""
    listing = playing.mail(playing.write("where are my games?", ANN).outbound[0])
    assert playing.service.hand_in(playing.answer(listing, "1 c3\n2 show")).message.commands == ("1 c3", "2 show")
    assert playing.moves(1) == ["c3"]
    playing.reply(1, "b2")
    assert playing.service.hand_in(playing.answer(listing, "1 d4")).message.status == "rejected"
    assert playing.moves(1) == ["c3", "b2"]


def test_the_operator_sends_it_again(playing: Club) -> None:
    """To the main address, once while it waits to be sent; whoever wants no email gets none, and a robot has none."""
    asyncio.run(playing.service.deliver())
    before = playing.match()
    assert send_present(playing.service, 1, "bob").email == BOB
    assert send_present(playing.service, 1, None).email == ANN
    assert [(mail.recipient, mail.kind) for mail in playing.queued(status="queued")] == [(BOB, "show"), (ANN, "show")]
    assert playing.match() == before
    for again in ("bob", "2", BOB, None):
        with pytest.raises(BadInput, match="waits to be sent"):
            send_present(playing.service, 1, again)
    assert told(playing.reply(0, "c3")) == [("move_made", 0), ("your_turn", 1)]
    playing.reply(1, "unsubscribe")
    playing.reply(0, "resign", match=2)
    asyncio.run(playing.service.deliver())
    playing.open(players=(ANN, "robot:1"))
    for number, who in ((1, "bob"), (1, "zoe"), (17, "bob"), (2, None), (4, "2")):
        with pytest.raises(BadInput):
            send_present(playing.service, number, who)
    assert send_present(playing.service, 2, ANN).email == ANN


def test_a_clock_takes_no_notice_of_what_the_operator_sends_again(playing: Club) -> None:
    """It neither stops nor begins anew; and the answer to either email is a move, the first one that comes."""
    asyncio.run(playing.service.deliver())
    first, clock = playing.newest(0), playing.match().clock
    playing.serve(timedelta(days=2))
    send_present(playing.service, 1, None)
    asyncio.run(playing.service.deliver())
    assert playing.match().clock == clock
    playing.service.hand_in(playing.answer(first, "c3"))
    assert playing.moves() == ["c3"]


def test_a_forged_sender_has_it_sent_nowhere_else(playing: Club) -> None:
    """It goes to the main address, whichever of theirs asks, and whoever asks for answers elsewhere."""
    change_player_addresses(playing.service, "ann", add=["ann@work.example"])
    arrival = playing.write("show 1", "ann@work.example", Reply_To="mallory@z.example")
    assert [mail.recipient for mail in arrival.outbound] == [ANN]


@pytest.mark.parametrize(("text", "kind"), [("show 1", "show"), ("my games?", "unknown_match"), ("status", "status")])
def test_nobody_is_sent_many_by_somebody_who_forges_their_address(playing: Club, text: str, kind: str) -> None:
    """A few a day; after that nothing, and what the player asks for in a match comes as before."""
    most = LIMITS[kind].to
    assert most
    sent = [len(playing.write(text, ANN).outbound) for _ in range(most.most + 3)]
    assert sent == [1] * most.most + [0] * 3
    assert told(playing.reply(0, "show")) == [("show", 0)]


def test_a_stranger_learns_nothing_of_a_match(playing: Club) -> None:
    """Neither whether there is one, nor anything of it."""
    kinds = [
        told(playing.write(text, f"x{n}@z.example")) for n, text in enumerate(("show 1", "[pbem 1] show", "status"))
    ]
    assert kinds == [[("unknown_sender", None)]] * 3


def test_a_revoked_reply_address_brings_no_board(playing: Club) -> None:
    """What was revoked proves less than nothing: its reader may not be the player any more."""
    old = playing.newest(0)
    playing.reply(0, "new address")
    arrival = playing.service.hand_in(playing.answer(old, "show match 1"))
    assert (arrival.message.code, told(arrival)) == ("revoked_token", [("unknown_match", None)])


def test_the_list_of_somebody_else_proves_nothing(playing: Club) -> None:
    """Bob got hold of the list that Ann was sent: what he writes in answer to it is no word of hers."""
    listing = playing.mail(playing.write("my games?", ANN).outbound[0])
    playing.service.hand_in(playing.answer(listing, "1 c3", From=BOB))
    assert playing.moves(1) == []


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("match 12 and game 13", [12, 13]),
        ("games of 2026", []),
        ("show@1.example", []),
        ("board of match #7", [7]),
        ("status4@x.example", []),
        ("I moved to number 4 of match 5", [4, 5]),
        ("match " * 1000 + "1", []),
    ],
)
def test_which_matches_a_line_names(line: str, numbers: list[int]) -> None:
    """Numbers behind a word for a match, however many words there are, and never part of an address."""
    assert list(named_matches([line], None)) == numbers


def links_in(mail: EmailMessage) -> list[str]:
    """Return the links of an email that open an answer to an email of a match."""
    links = (unescape(found) for found in _LINK.findall(html_of(mail)))
    return [link for link in links if "body=show" in link]


def tap(club: Club, link: str) -> Arrival:
    """Send what a link opens, as Ann."""
    parts = urlsplit(link)
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    club.written += 1
    mail = message(
        asked["body"],
        From=ANN,
        To=unquote(parts.path),
        Subject=asked["subject"],
        Message_ID=f"<tapped-{club.written}@a.example>",
    )
    return club.service.hand_in(mail)
