"""The answer to a command that has sentences, and no templates of its own."""

from datetime import UTC, datetime

import pytest

from pbem.commands.decision import Decision, Step
from pbem.commands.effects import Reply
from pbem.mail.compose import Notice
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.notices.render import match_notice, plain_notice
from pbem.notices.scene import NoticeContent
from pbem.reading.reason import because
from rules.games import GAMES

SENTENCES = "Nine.\n\nTen & eleven."


def about_a_match() -> Notice:
    """Return the answer to somebody who asked in a match, with an aside."""
    game, now = GAMES["pipline"], datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
    players = tuple(Player(number, name, f"p{number}@a.example", frozenset()) for number, name in enumerate(("A", "B")))
    match = Match(17, game, game.normalise({}), players, now)
    return match_notice("answer", match, 0, NoticeContent(match, detail=SENTENCES, asides=("Beside.",)))


@pytest.mark.parametrize(
    "found", [about_a_match(), plain_notice("answer", detail=SENTENCES)], ids=["inside", "outside"]
)
def test_an_answer_shows_the_sentences_of_its_command(found: Notice) -> None:
    """Text and HTML show every paragraph, about a match and outside every match."""
    assert "\n\nNine.\n\nTen & eleven." in found.text
    assert '>Nine.</p>\n<p style="margin:0 0 8px">Ten &amp; eleven.</p>' in found.html


def test_an_answer_about_a_match_shows_what_was_not_done() -> None:
    """What else stood in the message, and was not understood, is not forgotten."""
    found = about_a_match()
    assert found.text.endswith("\n\nBeside.\n")
    assert ">Beside.</p>" in found.html


def test_several_replies_of_a_kind_become_one_email() -> None:
    """Two emails of a kind for one message would have the same Message-ID."""
    one, other = (because("b"),), (because("a"),)
    steps = [Step("", (Reply(kind, details),)) for kind, details in (("show", ()), ("answer", one), ("answer", other))]
    again = Step("", (Reply("answer", one),))
    assert Decision((*steps, again)).replies == (Reply("answer", (*one, *other)), Reply("show"))
