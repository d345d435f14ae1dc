"""The answers to mistakes: what was wrong, what may have been meant, and what did not happen."""

import time

import pytest

from pbem.notices import reads_as_command
from rules import GAMES
from tests.conftest import PLAYERS, Club, html_of, text_of, told

BEFORE = {
    "pipline": ("d4", "take"),
    "zipline": ("d4 e5", "take"),
    "snipsnip": ("d4", "c3"),
    "pipelines": ("", ""),
    "pippip": ("",),
}
"""What is played before somebody makes a mistake; "" is what the mail gives as an example."""


def begun(club: Club, key: str) -> int:
    """Open a short match of two, play its beginning, and return the seat to act."""
    club.service.open(key, PLAYERS[:2], GAMES[key].short)
    for seat in club.match().unsalted if club.match().awaits_salts else ():
        club.reply(seat, "ready")
    for text in BEFORE[key]:
        assert club.reply(acting(club), text or club.match().position.prompt().example).letter.status == "accepted"
    return acting(club)


def acting(club: Club) -> int:
    """Return the seat to act."""
    seat = club.match().to_act
    assert isinstance(seat, int)
    return seat


def answer(club: Club, text: str) -> list[str]:
    """Return the paragraphs of the answer to a letter of the seat to act, each on one line."""
    seat, ply = acting(club), club.match().ply
    arrival = club.reply(seat, text)
    assert arrival.letter.status == "rejected"
    assert [other for _, other in told(arrival)] == [seat]
    assert club.match().ply == ply
    return [" ".join(paragraph.split()) for paragraph in text_of(club.mail(arrival.mails[0])).split("\n\n")]


GOLDEN = [
    (
        "pipline",
        "4e",
        "Ann, that did not work. “4e” is not the name of a point; reply with one point. Did you mean “e4”?",
    ),
    (
        "pipline",
        "Pawn to e4",
        "Ann, that did not work. “pawn”, in “Pawn to e4”, is not the name of a point; reply with one point."
        " If you mean “e4”, write just that on a line of its own.",
    ),
    (
        "pipline",
        "e4 or f5",
        "Ann, that did not work. “or”, in “e4 or f5”, is not the name of a point; reply with one point."
        " If you mean “e4” or “f5”, write just that on a line of its own.",
    ),
    (
        "pipline",
        "d4",
        "Ann, that did not work. “d4” cannot be played, since there is a stone on d4 already; reply with one point."
        " Did you mean “d3”, “c4” or “e4”?",
    ),
    (
        "pipline",
        "h99",
        "Ann, that did not work. “h99” is not on this 7×7 board, whose points run from a1 to g7.",
    ),
    (
        "pipline",
        "e4\ne5",
        "Ann, I found more than one move in your mail and do not want to guess. You wrote “e4” and also “e5”."
        " Please reply with the one you mean.",
    ),
    (
        "pipline",
        "hlep",
        "Ann, that did not work. “hlep” is not the name of a point; reply with one point."
        " Did you mean the word “help”?",
    ),
    (
        "pipline",
        "I think that I would like to go to e4, please",
        "Ann, I found no move in your mail, and passed nothing of it on."
        " If you mean “e4”, write just that on a line of its own.",
    ),
    (
        "pipline",
        "",
        "Ann, I found no words of your own in your mail."
        " If you wrote some, please send them again, as its first lines.",
    ),
    (
        "zipline",
        "c3\nd5",
        "Ann, that did not work. “c3” is one stone too few; reply with two points that are not side by side."
        " If that is one turn, write “c3 d5” on one line.",
    ),
    (
        "zipline",
        "c3 c4",
        "Ann, that did not work. “c3 c4” cannot be played, since c4 is right beside c3; reply with two points that are"
        " not side by side. Did you mean “c2 c4”, “c3 c5” or “d3 c4”?",
    ),
    (
        "zipline",
        "c3 z9",
        "Ann, that did not work. “z9” is not on this 7×7 board, whose points run from a1 to g7."
        " I could read “c3”, but not “z9”.",
    ),
    (
        "snipsnip",
        "4e",
        "Ann, that did not work. “4e” is not how a cell is named: the letter comes first, so write e4.",
    ),
    (
        "snipsnip",
        "d4",
        "Ann, that did not work. “d4” cannot be played, since there is a stone on d4 already; c2, for example, is free."
        " Did you mean “d3”, “c4” or “e4”?",
    ),
    (
        "pipelines",
        "pas",
        "Ann, that did not work. “pas” is not the name of a cell; reply with up to 4 cells, or with the word pass,"
        " for example “h3 j4 h4 h5”. Did you mean “pass”?",
    ),
    (
        "pipelines",
        "h3\nj4\nh4",
        "Ann, I found more than one move in your mail and do not want to guess. You wrote “h3” and also “j4”."
        " But a lot is drawn after “h3”: send it alone, and go on when you see what fell."
        " If that is one turn, write “h3 j4 h4” on one line.",
    ),
    (
        "pippip",
        "n3 b2",
        "Ann, that did not work. “n3 b2” is no move here; reply with a cell and the number that faces north,"
        " or with the word store, for example “c2 n2”. Did you mean “b2 n3”?",
    ),
    (
        "pippip",
        "b3 nord 9",
        "Ann, that did not work. “b3 nord 9” is no move here; reply with a cell and the number that faces north,"
        " or with the word store, for example “c2 n2”. I could read “b3”, but not “nord”.",
    ),
]


@pytest.mark.parametrize(("key", "text", "lead"), GOLDEN)
def test_an_answer_begins_with_what_was_wrong_and_what_may_be_meant(club: Club, key: str, text: str, lead: str) -> None:
    """The rules' own sentence comes first, then what to write instead, if anything is close, or what could be read."""
    begun(club, key)
    assert answer(club, text)[0] == lead


@pytest.mark.parametrize(
    ("key", "text", "told_so"),
    [
        ("pipline", "e9", "Nothing has changed in the match. It is your turn."),
        (
            "pipline",
            "e9\nA strong one, do you not think so?",
            "Nothing has changed in the match, and your words were not passed on. It is your turn.",
        ),
        (
            "pippip",
            "store\nb2 n6\nsay: hm",
            "Nothing has changed in the match, “store” was not played, and your words were not passed on."
            " It is your turn.",
        ),
    ],
)
def test_an_answer_says_what_did_not_happen(club: Club, key: str, text: str, told_so: str) -> None:
    """A letter is carried out as a whole or not at all: words and steps beside a refused move are spoken of, too."""
    begun(club, key)
    said = answer(club, text)
    assert told_so in said
    assert not club.match().remarks
    assert " ".join(f"> {line}" for line in text.splitlines()) in said


def test_an_answer_shows_the_board_and_how_to_go_on(club: Club) -> None:
    """Nothing else is needed to go on: board, prompt and a tag are in it, and a reply to it is played."""
    begun(club, "pipline")
    seat = acting(club)
    said = answer(club, "44e\nHave a nice day, Bob, and enjoy the sun!")
    assert any(paragraph.startswith("a b c d e f g 7 ") for paragraph in said)
    assert any(paragraph.startswith("Just reply with one point, on a line of its own.") for paragraph in said)
    assert club.reply(seat, "e4\nHave a nice day, Bob, and enjoy the sun!").letter.status == "accepted"
    assert club.moves()[-1] == "e4"
    assert [remark.text for remark in club.match().remarks] == ["Have a nice day, Bob, and enjoy the sun!"]


def test_only_the_seat_to_act_is_told_moves(club: Club) -> None:
    """Who is not to act, or answers an old mail, is told that, and no moves; his words were not passed on either."""
    seat = begun(club, "pipline")
    old = club.newest(seat)
    club.reply(1 - seat, "44e\nI hope that you like this one!")
    waits = " ".join(text_of(club.newest(1 - seat)).split())
    assert "for it is not your turn." in waits
    assert "Nothing has changed in the match, and your words were not passed on." in waits
    assert "Did you mean" not in waits
    club.reply(seat, "e4")
    club.reply(1 - seat, "f5")
    club.service.hand_in(club.answer(old, "g5\nI hope that you like this one!"))
    stale = " ".join(text_of(club.newest(seat)).split())
    assert "Your words were not passed on. It is your turn. This is what happened after that mail:" in stale


def test_before_the_first_lot_a_slip_in_ready_is_seen(club: Club) -> None:
    """Who nearly wrote the word that everybody waits for is asked whether he meant it."""
    club.service.open("pippip", PLAYERS[:2], {})
    club.reply(0, "raedy")
    assert "Did you mean the word “ready”?" in " ".join(text_of(club.newest(0)).split())


@pytest.mark.parametrize("key", BEFORE)
def test_text_and_page_of_an_answer_say_the_same_and_command_nothing(club: Club, key: str) -> None:
    """A suggestion that comes back in a quotation without marks is not taken for a move, in either part."""
    seat = begun(club, key)
    position = club.match().position
    example = position.prompt().example
    for text in (f"{example}?", f"to {example}", f"{example} or {example}", "d4 z9", "4d", f"{example}x"):
        arrival = club.reply(seat, text)
        mail = club.mail(arrival.mails[0])
        plain, page = text_of(mail), html_of(mail).replace("\N{NO-BREAK SPACE}", " ")
        assert not any(reads_as_command(line, position) for line in plain.splitlines())
        assert max(map(len, plain.splitlines())) <= 65
        lead = " ".join(plain.split("\n\n")[0].replace("· ", "").split())
        assert lead in " ".join(page.split())


def test_a_long_letter_is_answered_as_quickly_as_a_short_one(club: Club) -> None:
    """However many lines there are that may be moves, only the first are searched for what they may mean."""
    seat = begun(club, "pipelines")
    lines = [f"I have been to d{number} and e{number}, or was it f{number}? a9 b9" for number in range(900)]
    before = time.process_time()
    assert club.reply(seat, "\n".join(lines)).letter.status == "rejected"
    assert club.reply(seat, "\n".join(["d99"] * 900)).letter.status == "rejected"
    assert time.process_time() - before < 3
