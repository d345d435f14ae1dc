"""What somebody who means harm tries with draws and with taking moves back: to agree for others, to pester them."""

import asyncio
import re
from urllib.parse import unquote

import pytest

from pbem.match.match import Match
from tests.support.clocks import opened
from tests.support.club import PLAYERS, Club
from tests.support.mails import html_of


def say(club: Club, seat: int, text: str, sender: str = "") -> str:
    """Let a seat answer its newest email, or somebody else with it, and return how that ended."""
    ended = (club.reply(seat, text, From=sender) if sender else club.reply(seat, text)).message
    asyncio.run(club.service.deliver())
    return ended.status


def begun(club: Club, *moves: str) -> Match:
    """Open a match of two with moves, in which Bob is to act, and return it."""
    opened(club, *(moves or ("c3", "take", "d4")))
    return club.match()


@pytest.mark.always("a core promise")
def test_one_player_cannot_agree_to_a_draw_for_both(club: Club) -> None:
    """Neither by saying it again, nor by a yes to their own email, nor from another address in another’s name."""
    begun(club)
    assert say(club, 0, "draw") == "accepted"
    for text, sender in (
        ("draw", "Ann <ann@a.example>"),
        ("yes", "Ann <ann@a.example>"),
        ("agree to draw", "Ann <ann@a.example>"),
        ("yes", "Bob <eve@e.example>"),
        ("yes", "Bob <bob@b.example>"),
    ):
        say(club, 0, text, sender)
    assert club.match().outcome is None
    offer = club.match().open_agreement
    assert offer
    assert offer.agreed == (0,)


def test_an_old_email_offers_no_draw_and_asks_for_no_undo(club: Club) -> None:
    """A friend of whoever found it could take it up at once: so its player is asked first."""
    begun(club)
    old = club.newest(0)
    say(club, 1, "b2")
    say(club, 0, "e5")
    for word in ("draw", "undo"):
        ended = club.service.hand_in(club.answer(old, word)).message
        assert (ended.status, ended.code) == ("rejected", "confirm")
    assert club.match().open_agreement is None


def test_a_yes_that_is_stale_agrees_to_nothing(club: Club) -> None:
    """Neither after the offer was taken back, nor after a move, nor to an earlier offer."""
    begun(club)
    say(club, 0, "draw")
    first = club.newest(1)
    say(club, 0, "draw off")
    say(club, 0, "undo")
    assert club.service.hand_in(club.answer(first, "yes")).message.status == "rejected"
    assert club.match().outcome is None
    assert club.match().ply == 3
    say(club, 1, "e5")
    late = club.service.hand_in(club.answer(first, "yes")).message
    assert (late.status, late.code) == ("rejected", "no_command")


def test_a_yes_to_the_draw_of_one_match_ends_no_other(club: Club) -> None:
    """Whatever was offered there."""
    for _ in range(2):
        opened(club, "c3", "take", "d4")
    for number in (1, 2):
        club.reply(0, "draw", match=number)
        asyncio.run(club.service.deliver())
    club.reply(1, "yes", match=2)
    assert club.match(1).outcome is None
    assert club.match(2).outcome


def test_a_yes_to_news_agrees_to_no_pause_that_was_not_told_there(club: Club) -> None:
    """An email about a draw proposes the draw alone, although a pause stands proposed besides."""
    begun(club)
    say(club, 0, "pause 10d")
    say(club, 0, "draw")
    say(club, 1, "yes")
    match = club.match()
    assert match.outcome
    assert match.clock
    assert match.clock.pause is None


def test_a_forged_sender_cannot_decline_for_others(club: Club) -> None:
    """Without the email of that seat nothing is heard."""
    begun(club)
    say(club, 0, "draw")
    say(club, 0, "no draw", "Bob <bob@b.example>")
    assert club.match().open_agreement


@pytest.mark.parametrize(
    ("kind", "first", "second"), [("draw", "agree to draw", "no draw"), ("undo", "agree to undo", "no undo")]
)
def test_who_is_asked_to_agree_has_a_board_to_look_at_and_a_button_for_each_answer(
    club: Club, kind: str, first: str, second: str
) -> None:
    """Whoever has offered, or agreed, has none; and both answers count."""
    club.open("zipline", PLAYERS)
    for seat, move in ((0, "c3"), (1, "take"), (2, "b2"), (0, "d4")):
        say(club, seat, move)
    say(club, 2, kind)

    def buttons(seat: int) -> list[str]:
        page = html_of(club.newest(seat))
        found = [unquote(answer) for answer in re.findall(r'href="mailto:[^"]*body=([^"]*)"', page)]
        assert ('id="board"' in page) == (first in found or club.match().to_act == seat)
        return [answer for answer in found if answer in (first, second)]

    assert [buttons(seat) for seat in (0, 1, 2)] == [[first, second], [first, second], []]
    assert say(club, 0, first) == "accepted"
    assert [buttons(seat) for seat in (0, 1, 2)] == [[], [first, second], []]
    assert say(club, 1, second) == "accepted"
    assert club.match().open_agreement is None
