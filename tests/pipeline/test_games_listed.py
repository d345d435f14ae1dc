"""Whoever asks which games there are, or tries one that there isn't, gets a line for each; what is talk stays talk."""

from datetime import timedelta

import pytest

from rules.games import GAMES
from tests.support.club import Club, told
from tests.support.each import each
from tests.support.mails import html_of, text_of

ANN = "ann@a.example"
WORDINGS = [
    "help games",
    "Help games, please",
    "which games are there?",
    "Which games do you have?",
    "what games can we play?",
    "What can I play here?",
    "list games",
    "Please show me all the games",
    "games?",
    "new",
    "new game",
    "new chess",
    "new chess dora",
    "new chess dora@d.example",
    "pair",
    "seek",
    "new zipline",
]


@each("text", WORDINGS)
def test_the_games_are_listed_in_a_match_and_outside(club: Club, text: str) -> None:
    """One answer with a line for each game, which shows how to start it; nobody else hears of it."""
    if not club.queued():
        club.open()
    in_match = club.reply(0, f"Hi!\n\n{text}\n")
    outside = club.write(text, ANN)
    club.clock.advance(timedelta(days=1))
    for arrival in (in_match, outside):
        assert (arrival.message.status, arrival.message.commands) == ("accepted", ("help games",)), text
        assert [(mail.kind, mail.recipient) for mail in arrival.outbound] == [("starting", ANN)]
        mail = club.mail(arrival.outbound[0])
        for game in GAMES.values():
            assert f"new {game.key} bob@example.org" in " ".join(text_of(mail).split())
            assert f"new {game.key} bob@example.org" in html_of(mail)


def test_the_options_of_games_stand_as_one_types_them(club: Club) -> None:
    """In text without a sign around them, in HTML in bold; the subject says what the email is about."""
    club.open()
    mail = club.mail(club.reply(0, "help matches").outbound[0])
    assert "`" not in text_of(mail) + html_of(mail)
    assert "size=13" in text_of(mail)
    assert "<strong>size=13</strong>" in html_of(mail)
    listed = club.mail(club.reply(0, "offers").outbound[0])
    assert listed["Subject"] != mail["Subject"]


@each("words", ["new job, lots to do", "which games do you play?", "New", "what games are these", "new chess dora"])
def test_the_same_below_a_move_is_talk(club: Club, words: str) -> None:
    """The opponent reads it, and no email with games comes."""
    if not club.queued():
        club.open("zipline", size=9)
    seat = club.match().to_act
    assert isinstance(seat, int)
    move = f"{'abcdefghi'[len(club.moves())]}2"
    arrival = club.reply(seat, f"{move}\n{words}")
    assert arrival.message.commands == (move,)
    assert "starting" not in {kind for kind, _ in told(arrival)}
    assert club.match().comments[-1].text == words


@pytest.mark.parametrize("text", ["which games are there?", "help games", "new chess"])
def test_a_stranger_who_asks_is_asked_nothing(club: Club, text: str) -> None:
    """They get the one answer that strangers get, which names the games, and no question whether they want to play."""
    assert told(club.write(text, "zoe@z.example")) == [("unknown_sender", None)]


def test_every_game_says_what_it_is_about() -> None:
    """In a sentence."""
    assert all(game.summary and str(game.summary).endswith(".") for game in GAMES.values())
