"""A move mailed from a page bears no reply token: its player is asked, and nobody plays, or floods, in their name."""

from collections import Counter
from datetime import timedelta

import pytest

from pbem.running.service import Arrival
from tests.support.club import PLAYERS, Club
from tests.support.mails import message

ZOE = "zoe@z.example"
PLAYER = {
    "unproven": 5,
    "unknown_match": 3,
    "following": 3,
    "show": 5,
    "status": 5,
    "forget": 1,
    "confirm_start": 3,
    "starting": 3,
}
STARTING = ("offers", "seek pipline", "new pipline bob@b.example", "help matches", "sign up", "join 1")
STRANGER = {"unknown_sender": 1, "confirm_follow": 1, "following": 3}
"""What any address of nobody can be sent in a day."""


def mail_move(
    club: Club, text: str = "c3", *, sender: str = "ann@a.example", subject: str = "[pbem 1] Pipline", **headers: str
) -> Arrival:
    """Hand in a new message as a link on a page of the archive opens it: a subject, a move, no reply token."""
    club.written += 1
    given = {"From": sender, "Subject": subject, "Message_ID": f"<page-{club.written}@x.example>"} | headers
    return club.service.hand_in(message(text, **given))


def answers(arrival: Arrival) -> list[tuple[str, str]]:
    """Return the kind and the reader of each email that a message led to."""
    return [(mail.kind, mail.recipient) for mail in arrival.outbound]


def test_a_forged_move_is_proposed_and_not_played(club: Club) -> None:
    """Whoever forges From plays nothing; the player is asked, and their yes plays it."""
    club.open()
    asked = mail_move(club)
    assert answers(asked) == [("unproven", "ann@a.example")]
    assert (asked.message.status, asked.message.code) == ("rejected", "unproven")
    assert (asked.message.match, asked.message.seat) == (1, 0)
    assert club.moves() == []
    said = club.reply(0, "yes")
    assert (said.message.status, said.message.commands) == ("accepted", ("c3",))
    assert club.moves() == ["c3"]


def test_the_question_shows_nothing_that_was_written_beside_the_move(club: Club) -> None:
    """A stranger cannot have words of theirs sent to a player: a message with any is answered as before."""
    club.open()
    assert answers(mail_move(club, "c3\nBuy cheap pills at x.example")) == [("show", "ann@a.example")]
    asked = mail_move(club, subject="[pbem 1] Buy cheap pills")
    mail = club.mail(asked.outbound[0])
    assert "pills" not in mail.as_string()


def test_anything_but_one_legal_move_is_answered_as_before(club: Club) -> None:
    """Two moves, an illegal one, a word, no match or another one, or a player who is not to act: nothing is played.

    Whoever names a match of theirs is sent its board, all others the list.
    """
    club.open()
    club.open(players=PLAYERS[1:])
    tries: tuple[tuple[str, dict[str, str]], ...] = (
        *((text, {}) for text in ("c3\nd3", "z9", "resign", "unsubscribe", "show", "I play c3 now")),
        *(("c3", {"subject": text}) for text in ("my move", "[pbem 2] Pipline", "[pbem 999999999] Pipline")),
        ("c3", {"sender": "bob@b.example"}),
    )
    for text, headers in tries:
        kind = "unknown_match" if headers.get("subject") else "show"
        assert {kind for kind, _ in answers(mail_move(club, text, **headers))} == {kind}, (text, headers)
        club.clock.advance(timedelta(days=1))  # so that each is answered
    assert club.moves() == []


def test_a_stranger_is_told_no_match(club: Club) -> None:
    """From an address of nobody the number of a match makes no difference."""
    club.open()
    assert answers(mail_move(club, sender="eve@e.example")) == [("unknown_sender", "eve@e.example")]


def test_forged_moves_do_not_flood_a_player(club: Club) -> None:
    """One question in six hours for a match, however often somebody writes, then what any such message gets."""
    club.open()
    kinds = [answers(mail_move(club, move)) for move in ("c3", "c3", "d3", "b2", "c3", "a1")]
    assert kinds == [[("unproven", "ann@a.example")], *[[("show", "ann@a.example")]] * 5]
    club.clock.advance(timedelta(hours=5, minutes=59))
    assert ("unproven", "ann@a.example") not in answers(mail_move(club))
    club.clock.advance(timedelta(minutes=1))
    assert answers(mail_move(club)) == [("unproven", "ann@a.example")]


def test_forged_moves_in_many_matches_do_not_flood_a_player(club: Club) -> None:
    """A player is asked five times a day, in however many matches it is their turn."""
    for _ in range(7):
        club.open()
    kinds = [kind for number in range(1, 8) for kind, _ in answers(mail_move(club, subject=f"[pbem {number}]"))]
    assert kinds.count("unproven") == 5


def test_a_move_with_a_revoked_token_is_not_proposed(club: Club) -> None:
    """Whoever has an old email, and the address, gets the answer that revoked emails get."""
    club.open()
    old = club.mail(club.queued(kind="opened")[0])
    club.reply(0, "new address")
    arrival = club.service.hand_in(club.answer(old, "c3"))
    assert answers(arrival) == [("unknown_match", "ann@a.example")]


def test_an_automatic_answer_is_never_a_move(club: Club) -> None:
    """A machine that quotes the subject, and answers with a word, starts no conversation."""
    club.open()
    assert answers(mail_move(club, Auto_Submitted="auto-replied")) == []


@pytest.mark.parametrize("subject", ["[pbem\r\n 1] Pipline", "Re: [PBEM 1]", "=?utf-8?b?W3BiZW0gMV0gUGlwbGluZQ==?="])
def test_a_subject_names_the_match_however_it_is_folded_or_encoded(club: Club, subject: str) -> None:
    """Programs fold long subjects at any space."""
    club.open()
    raw = f"From: Ann <ANN@a.example>\r\nSubject: {subject}\r\nMessage-ID: <1@x.example>\r\n\r\nc3\r\n"
    assert answers(club.service.hand_in(raw.encode())) == [("unproven", "ann@a.example")]


@pytest.mark.parametrize(
    ("sender", "most"),
    [("ann@a.example", PLAYER), (ZOE, STRANGER)],
)
def test_all_that_one_forger_can_have_sent_to_one_reader_in_a_day(
    club: Club, sender: str, most: dict[str, int]
) -> None:
    """With every wish that needs no token, in many matches, for hours: twenty-eight to a player, five to others."""
    for _ in range(6):
        club.open()
    counts: Counter[str] = Counter()
    for _ in range(2):
        for _ in range(6):
            counts.update(mail.kind for mail in mail_move(club, "Hi", sender=sender, subject="Hi").outbound)
        for number in range(1, 7):
            for text in (
                "c3",
                f"watch {number}",
                "watch 99",
                "unwatch",
                "forget me",
                "status",
                "help",
                "resign",
                "Hi",
                *STARTING,
            ):
                counts.update(
                    mail.kind for mail in mail_move(club, text, sender=sender, subject=f"[pbem {number}]").outbound
                )
        club.clock.advance(timedelta(hours=11))
    assert counts == most
