"""Moves that partners propose to each other: drawn for them, played by a yes, and seen by nobody else."""

import asyncio
import re
from urllib.parse import unquote

import pytest

from tests.support.club import PLAYERS, Club
from tests.support.laid import After
from tests.support.mails import html_of, text_of


def _begin(club: Club) -> None:
    club.open("zipline", PLAYERS)
    asyncio.run(club.service.deliver())
    for seat, move in ((0, "c3"), (1, "take")):
        say(club, seat, move)


@pytest.fixture
def club(after: After) -> Club:
    """A club with a match of three: Carl, the partner of Ann, is to act against Bob."""
    return after(_begin)


def say(club: Club, seat: int, text: str) -> str:
    """Let a seat answer its newest email, and return how that ended."""
    ended = club.reply(seat, text).message
    asyncio.run(club.service.deliver())
    return ended.status


def moves(club: Club) -> list[str]:
    """Return the record of the match."""
    return [entry.text for entry in club.match().record]


def test_a_partner_reads_how_to_propose_and_the_example_can_be_proposed(club: Club) -> None:
    """Nobody else does: neither who is to act, nor the opponent."""
    (example,) = re.findall(r"`?(propose \w\d)`?", text_of(club.newest(0)))
    assert not any("propose" in text_of(club.newest(seat)) for seat in (1, 2))
    assert club.reply(0, example).message.status == "accepted"


def test_a_tap_plays_what_is_proposed(club: Club) -> None:
    """Below the board stands how, first of all; the move is written out, so that it counts as a new email, too."""
    say(club, 0, "propose d4")
    page = html_of(club.newest(2))
    below = page[page.index('id="your-move"') :]
    answer = unquote(re.findall(r'href="mailto:[^"]*body=([^"]*)"', below)[0])
    assert answer == "d4"
    assert say(club, 2, answer) == "accepted"
    assert moves(club)[-1] == "d4"


def test_a_partner_sees_the_move_drawn_in_text_and_html(club: Club) -> None:
    """A mark that is no stone, with what it means; whoever proposed it has no such board."""
    assert say(club, 0, "propose d4") == "accepted"
    mail = club.newest(2)
    assert mail["X-Pbem-Kind"] == "proposal"
    assert "?" in text_of(mail)
    assert "proposed" in html_of(mail)
    assert "border:2px dashed" in html_of(mail)
    assert moves(club) == ["c3", "take"]


def test_a_yes_plays_only_the_stone_of_who_is_to_act(club: Club) -> None:
    """The yes of whoever waits is a word to their partner."""
    say(club, 2, "propose d4")
    assert say(club, 0, "yes") == "accepted"
    assert moves(club) == ["c3", "take"]
    assert club.match().comments[-1].to_side


def test_a_proposal_beside_a_move_is_for_the_next_stone(club: Club) -> None:
    """Whose partner is to act after it reads it with the move, and their yes plays it."""
    say(club, 2, "d4\npropose b2")
    assert club.newest(0)["X-Pbem-Kind"] == "your_turn"
    assert say(club, 0, "yes") == "accepted"
    assert moves(club)[-2:] == ["d4", "b2"]


def test_an_opponent_learns_nothing_of_a_proposal(club: Club) -> None:
    """Neither an email, nor the board, the moves so far, the subject or the log of the match."""
    before = len([mail for mail in club.queued() if mail.seat == 1])
    say(club, 0, "propose d4")
    say(club, 2, "propose b2")
    assert len([mail for mail in club.queued() if mail.seat == 1]) == before
    for wish in ("show", "history"):
        say(club, 1, wish)
        said = text_of(club.newest(1)) + html_of(club.newest(1))
        assert "propos" not in said
    with club.service.database.reading() as tx:
        assert tx.clocks.log(1) == []


def test_the_operator_reads_that_something_was_said_and_not_what(club: Club) -> None:
    """Like any word to one side."""
    ended = club.reply(0, "propose d4").message
    assert ended.commands == ("team: …",)


@pytest.mark.parametrize(
    ("seat", "text"), [(1, "propose d4"), (0, "propose c3"), (0, "propose z9"), (2, "d4\na1\npropose b2")]
)
def test_what_cannot_be_played_is_not_proposed(club: Club, seat: int, text: str) -> None:
    """Who has no partner proposes nothing, and nobody proposes what the rules forbid."""
    assert say(club, seat, text) == "rejected"
    assert moves(club) == ["c3", "take"]


def test_an_old_email_proposes_nothing(club: Club) -> None:
    """The partner would believe it to be theirs."""
    old = club.newest(0)
    say(club, 2, "d4")
    assert club.service.hand_in(club.answer(old, "propose b2")).message.code == "confirm"
