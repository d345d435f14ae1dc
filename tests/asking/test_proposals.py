"""A yes or a no to an email that proposed something, and what somebody may try with it."""

import re
from email.message import EmailMessage
from html import unescape
from urllib.parse import unquote

import pytest

from pbem.commands.grammar import is_harmless, reads_as_command
from pbem.running.service import Arrival
from pbem.storage.messages.records import OutboundRecord
from tests.support.club import PLAYERS, Club, told
from tests.support.laid import After
from tests.support.mails import html_of, text_of
from tests.support.questions import ANN, BY_NAME, Clubs

ONE, SEVERAL = "c33", "c3 or d4"
UNREAD = ("no_command", "move_rejected")
"""The reasons of messages in which a yes is a word like any."""

NOTHING_ASKED = ("offer_open", "nothing_to_accept")


def _asked(club: Club) -> None:
    club.open()
    assert club.reply(0, ONE).message.reason == "move_rejected"


@pytest.fixture
def asked(after: After) -> Club:
    """A club in which Ann, who is to act, was asked whether she meant c3."""
    return after(_asked)


def proposal(club: Club) -> OutboundRecord:
    """Return the first email that proposed something."""
    return club.queued(kind="move_rejected")[0]


def answer(club: Club, text: str, **headers: str) -> Arrival:
    """Let the reader of that email answer it, whatever came since."""
    return club.service.hand_in(club.answer(club.mail(proposal(club)), text, **headers))


def end(arrival: Arrival) -> tuple[str, str]:
    """Return how a message ended."""
    return arrival.message.reason, arrival.message.code


def links(mail: EmailMessage) -> dict[str, str]:
    """Return the names of the links that answer with what was proposed, by their answers."""
    above_board, _, _ = html_of(mail).partition('id="your-move"')
    found = re.findall(r'<a href="mailto:[^"]*body=([^"]*)" class[^>]*><i[^>]*>. </i>([^<]*)</a>', above_board)
    return {unquote(body): unescape(name) for body, name in found}


@pytest.mark.parametrize(
    "words",
    [
        "yes",
        "Yes!",
        "yes please",
        "Ja.",
        "oui",
        "sí",
        "да",
        "はい",
        "yes\n\nAnn",
        "yes\n\nCheers,\nAnn",
        "Yes\nThanks!",
    ],
)
def test_a_yes_plays_the_one_move_that_was_proposed(clubs: Clubs, words: str) -> None:
    """In any language, and it is kept as the move that it is."""
    posed = clubs.asked(BY_NAME["near miss"])
    played = posed.answer(words)
    assert (played.message.status, played.message.commands, posed.club.moves()) == ("accepted", ("c3",), ["c3"])


def test_words_to_the_partner_below_a_yes_go_to_them(clubs: Clubs) -> None:
    """Both happen: the move that they proposed is played."""
    posed = clubs.asked(BY_NAME["proposal to a partner"])
    answered = posed.answer("Yes, good plan!\n\nteam: I trust you")
    assert (posed.granted(), answered.message.commands) == (True, ("d4", "team: …"))
    to_ann = next(mail for mail in answered.outbound if mail.recipient == ANN)
    assert "I trust you" in text_of(posed.club.mail(to_ann))


def test_a_yes_that_says_more_plays_nothing(asked: Club) -> None:
    """What stands beside it may take it back."""
    for words in (
        *("yes?", "yes, but not now", "yes\nbut let me think", "yes\nthanks, but wait"),
        *("yes and no", "¿sí?", "yes 👎", "maybe"),
    ):
        assert end(answer(asked, words))[0] in (*UNREAD, "offer_open"), words
        assert asked.moves() == [], words
    answer(asked, "yes")
    assert asked.moves() == ["c3"]


def test_what_was_proposed_is_not_read_from_the_quotation(asked: Club) -> None:
    """Whatever an email program, or a person, makes of our text: it is what we wrote that counts."""
    quoted = "\n".join(f"> {line}" for line in text_of(asked.mail(proposal(asked))).replace("c3", "d4").splitlines())
    assert answer(asked, f"yes\n\n{quoted}").message.commands == ("c3",)


def test_a_yes_to_an_email_that_proposed_nothing_is_told_so(club: Club) -> None:
    """So is a no, also of whoever waits; after the end it is talk. Without a hint which email is meant it is a word."""
    club.open()
    assert end(club.reply(0, "no")) == ("offer_open", "nothing_to_decline")
    assert end(club.reply(1, "yes")) == NOTHING_ASKED
    assert end(club.reply(0, "yes", In_Reply_To="", References=""))[0] in UNREAD
    assert end(club.reply(0, "yes")) == NOTHING_ASKED
    assert club.moves() == []
    club.reply(0, "resign")
    assert end(club.reply(1, "yes")) == ("", "")
    assert [mail.kind for mail in club.queued()][-2:] == ["remark", "passed_on"]


def test_a_yes_to_several_moves_is_asked_which(club: Club) -> None:
    """They are named once more, each with its link; another yes is no better, and the move itself is."""
    club.open()
    assert club.reply(0, SEVERAL).message.reason == "move_rejected"
    for _ in range(2):
        which = club.reply(0, "yes")
        assert (end(which), told(which), club.moves()) == (("offer_open", "which_one"), [("offer_open", 0)], [])
        assert list(links(club.newest(0))) == ["c3", "d4"]
    assert club.reply(0, "d4").message.commands == ("d4",)


def test_a_no_changes_nothing_and_is_answered(asked: Club) -> None:
    """Nothing is offered with that answer, so that a yes to it means nothing."""
    assert end(answer(asked, "no")) == ("offer_open", "not_meant_to_act")
    assert end(asked.reply(0, "yes")) == NOTHING_ASKED
    assert asked.moves() == []


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ("rules", "help"),
        ("board", "show"),
        ("moves", "history"),
        ("I quit", "resign"),
        ("stop sending me mail", "unsubscribe"),
    ],
)
def test_a_word_that_is_nearly_ours_has_a_link_that_writes_it(club: Club, words: str, word: str) -> None:
    """It is named by what it does, and reads as no command when it comes back as a quotation."""
    club.open()
    assert club.reply(0, words).message.reason in UNREAD
    (name,) = links(club.newest(0)).values()
    assert list(links(club.newest(0))) == [word]
    assert is_harmless(name)


def test_the_link_of_a_move_reads_as_no_move(asked: Club) -> None:
    """An email program may quote its name on a line of its own."""
    assert list(links(asked.newest(0))) == ["c3"]
    assert not any(reads_as_command(name, asked.match().position) for name in links(asked.newest(0)).values())


def test_a_yes_asks_for_a_word_that_harms_nobody(club: Club) -> None:
    """The rules are sent; what gives the match up, or ends all email, has to be written out."""
    club.open()
    club.reply(0, "rules")
    assert told(club.reply(0, "yes")) == [("help", 0)]
    for words in ("I give up", "stop sending me mail"):
        club.reply(0, words)
        assert end(club.reply(0, "yes")) == ("offer_open", "write_it")
        assert end(club.reply(0, "yes")) == ("offer_open", "write_it")
    assert club.match().outcome is None
    assert not club.match().players[0].preferences.muted


def test_a_yes_before_the_first_roll_says_ready(club: Club) -> None:
    """That is what was proposed."""
    club.service.open("pippip", PLAYERS[:2], {})
    club.reply(0, "okay")
    assert club.reply(0, "yes").message.commands == ("ready",)


def test_a_yes_sent_twice_plays_once(asked: Club) -> None:
    """The second one is the same move sent again."""
    assert answer(asked, "yes").message.status == "accepted"
    again = answer(asked, "yes")
    assert (again.message.status, end(again)[0], again.outbound) == ("discarded", "said yes before", ())
    asked.reply(1, "b2")
    assert answer(asked, "yes").message.status == "discarded"
    assert asked.moves() == ["c3", "b2"]


def test_a_yes_to_an_old_email_plays_nothing(asked: Club) -> None:
    """The match has gone on, even if the address that it goes to is that of the present email."""
    asked.reply(0, "d4")
    asked.reply(1, "e5")
    assert end(answer(asked, "yes"))[0] == "stale_turn"
    assert end(answer(asked, "yes", To=str(asked.newest(0)["Reply-To"])))[0] == "stale_turn"
    assert asked.moves() == ["d4", "e5"]


def test_an_old_address_makes_a_present_proposal_an_old_one(club: Club) -> None:
    """The older of the two counts."""
    club.open()
    old = str(club.newest(0)["Reply-To"])
    club.reply(0, "d4")
    club.reply(1, "e5")
    club.reply(0, ONE)
    assert end(club.reply(0, "yes", To=old))[0] == "stale_turn"
    assert club.moves() == ["d4", "e5"]


def test_a_yes_counts_in_its_own_match(asked: Club) -> None:
    """A proposal of one match is none in another, for the same player at the same ply."""
    asked.open()
    hers = str(asked.mail(proposal(asked))["Message-ID"])
    assert end(asked.reply(0, "yes", match=2, In_Reply_To=hers))[0] in UNREAD
    assert asked.moves(2) == asked.moves() == []


def test_a_yes_that_only_refers_to_the_proposal_plays_nothing(asked: Club) -> None:
    """It has to answer that very email, not a later one of the same thread."""
    asked.reply(1, "say: hello")
    later = asked.newest(0)
    assert str(asked.mail(proposal(asked))["Message-ID"]) != str(later["Message-ID"])
    assert end(asked.reply(0, "yes")) == NOTHING_ASKED
    assert asked.moves() == []


def test_a_resignation_that_is_asked_about_twice_still_needs_its_message_id(club: Club) -> None:
    """Whoever has a reply address alone, and reads no email of the player, says yes in vain."""
    club.open()
    club.reply(0, "c3")
    club.reply(1, "Hello!\nresign")
    club.reply(1, "yes, but not before Monday")
    club.reply(1, "yes", In_Reply_To="<made-up@x.example>", References="<made-up@x.example>")
    assert "resign" not in club.moves()
    assert club.answer_kind("resigning", -1, "yes").message.status == "accepted"
    assert "resign" in club.moves()


def test_a_machines_ok_takes_no_move_back(club: Club) -> None:
    """Where its headers are those of a machine, only the word that we ask for is a yes; else it is asked again."""
    club.open()
    club.reply(0, "c3")
    club.reply(0, "undo")
    asked, headers = club.newest(1), {"Precedence": "bulk", "X-Auto-Response-Suppress": "All"}
    assert club.service.hand_in(club.answer(asked, "OK", **headers)).message.code == "unclear"
    assert club.moves() == ["c3"]
    club.service.hand_in(club.answer(asked, "yes", Message_ID="<2@bob.example>", **headers))
    assert club.moves() == []
