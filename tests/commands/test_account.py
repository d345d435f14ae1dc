"""How a player says, by mail, how he wants his mail, and whether he wants any."""

from email.message import EmailMessage

import pytest

from pbem.match.match import Player
from pbem.match.preferences import DISPLAYS, display_meant
from tests.support.club import PLAYERS, Club, told
from tests.support.mails import html_of, message, text_of


def wished(club: Club, name: str = "Ann") -> Player:
    """Return a player as he is kept."""
    with club.service.database.reading() as tx:
        found = tx.players.find(name)
    assert found is not None
    return found


def looks(mail: EmailMessage) -> str:
    """Return the wish that an email about a match looks like."""
    html, text = mail.get_body(("html",)), text_of(mail)
    if html is None:
        return "plain"
    if "The board has " in text:
        return "speech"
    return "unicode" if " · " in text else "large" if "44px" in html_of(mail) or "56px" in html_of(mail) else "html"


@pytest.mark.parametrize("display", DISPLAYS)
def test_a_wish_holds_from_the_very_answer_on(club: Club, display: str) -> None:
    """The answer confirms the wish and shows the board so; so do the emails after it, in all matches of the player."""
    club.open()
    other = club.open().id
    assert told(club.reply(0, f"board {display}")) == [("board", 0)]
    answer = club.newest(0)
    assert looks(answer) == display
    assert f"boards from now on: {display}" in str(answer["Subject"])
    assert "from now on boards come to you like this" in " ".join(text_of(answer).split())
    assert wished(club).display == display
    club.reply(0, "c3")
    assert looks(club.newest(0)) == display
    assert looks(club.newest(1)) == "html"
    club.reply(1, "b2")
    assert looks(club.newest(0)) == display
    club.reply(0, "show", match=other)
    assert looks(club.newest(0, other)) == display


@pytest.mark.parametrize(
    ("line", "display"),
    [
        ("Board: speech", "speech"),
        ("boards large", "large"),
        ("BOARD PLAIN.", "plain"),
        ("board = unicode", "unicode"),
        ("display speech", "speech"),
        ("*board* html", "html"),
        ("Board large please!", "large"),
        ("- board plain", "plain"),
        ("“board unicode”", "unicode"),
        ("board in speech mode", "speech"),
        ("board spech", "speech"),
        ("board ascii", "plain"),
        ("board:large", "large"),
    ],
)
def test_a_wish_is_understood_as_people_write_it(club: Club, line: str, display: str) -> None:
    """Capitals, colons, a plural, and typos of the keyboard do no harm."""
    club.open()
    arrival = club.reply(0, f"Hello!\n\n{line}")
    assert arrival.message.commands == (f"board {display}",)
    assert wished(club).display == display


@pytest.mark.parametrize("line", ["board braille", "Board: loud", "boards off"])
def test_an_unknown_wish_is_told_which_there_are(club: Club, line: str) -> None:
    """The answer quotes the line, and lists the five words and the test."""
    club.open()
    arrival = club.reply(0, line)
    assert arrival.message.reason == "no_command"
    text = " ".join(text_of(club.newest(0)).split())
    assert f"“{line}”" in text
    assert "write board plain, board unicode, board large, board html or board speech" in text
    assert "display test" in text
    assert wished(club).display == ""


def test_a_wish_beside_a_move_loses_neither(club: Club) -> None:
    """Both are done; a wish that is not understood does not keep a move back."""
    club.open()
    assert told(club.reply(0, "c3\nboard speech")) == [("move_made", 0), ("board", 0), ("your_turn", 1)]
    assert club.moves() == ["c3"]
    arrival = club.reply(1, "b2; board louder")
    assert club.moves() == ["c3", "b2"]
    assert "“board louder”" in arrival.message.detail


@pytest.mark.parametrize("line", ["What a board this is", "the board large and empty", "boards are fun to look at"])
def test_sentences_with_the_word_are_no_wishes(club: Club, line: str) -> None:
    """Whoever speaks of the board goes on getting it as before, and his words go to everybody."""
    club.open()
    club.reply(0, f"c3\n{line}")
    assert wished(club).display == ""
    assert line in text_of(club.newest(1))


def test_the_test_sends_one_of_each(club: Club) -> None:
    """Five emails, each as it would be, each saying by which words it is chosen; nothing changes."""
    club.open()
    arrival = club.reply(0, "display test")
    assert told(arrival) == [("display", 0)] * 5
    mails = [club.mail(mail) for mail in arrival.outbound]
    assert [looks(mail) for mail in mails] == list(DISPLAYS)
    for mail, display in zip(mails, DISPLAYS, strict=True):
        assert f"board {display}" in str(mail["Subject"])
        assert f"reply with the words board {display} on a line" in " ".join(text_of(mail).split())
    assert wished(club).display == ""
    club.service.hand_in(club.answer(mails[4], "board speech"))
    assert wished(club).display == "speech"


def test_words_that_are_no_wish_are_none() -> None:
    """Only what is near one of the words counts as it."""
    assert [display_meant(word) for word in ("speech", "Speach", "lage", "test", "big")] == [
        "speech",
        "speech",
        "large",
        "test",
        "large",
    ]
    assert [display_meant(word) for word in ("", "x", "is", "game", "braille", "looks")] == [None] * 6


def one_click(club: Club, seat: int, **headers: str) -> bytes:
    """Return the email that an email program writes when its reader wants no more emails."""
    mail = club.newest(seat)
    address, _, query = str(mail["List-Unsubscribe"]).removeprefix("<mailto:").rstrip(">").partition("?")
    assert query == "subject=unsubscribe"
    text = "This message was automatically generated by your mail program.\n"
    return message(
        text, From=str(mail["To"]), To=address, Subject="unsubscribe", Message_ID="<off@a.example>", **headers
    )


@pytest.mark.parametrize("way", ["by the header", "by a reply", "by an empty mail"])
def test_whoever_wants_no_emails_gets_none(club: Club, way: str) -> None:
    """One mail confirms it; then none comes, from no match of his, and the others are not told."""
    club.open()
    other = club.open().id
    if way == "by a reply":
        arrival = club.reply(0, "Unsubscribe.")
    elif way == "by the header":
        arrival = club.service.hand_in(one_click(club, 0))
    else:
        arrival = club.service.hand_in(club.answer(club.newest(0), "", Subject="Unsubscribe", In_Reply_To=""))
    assert arrival.message.commands == ("unsubscribe",)
    assert told(arrival) == [("unsubscribe", 0)]
    assert "reply to this with the word resume" in " ".join(text_of(club.newest(0)).split())
    assert wished(club).muted
    before = len(club.queued())
    club.reply(1, "say: are you there?")
    club.reply(1, "resign", match=other)
    club.open()
    assert {mail.seat for mail in club.queued()[before:]} == {1}


def test_a_move_brings_the_emails_back(club: Club) -> None:
    """Whoever plays wants to know how it goes on."""
    club.open()
    club.reply(0, "unsubscribe")
    assert told(club.reply(0, "c3")) == [("move_made", 0), ("your_turn", 1)]
    assert not wished(club).muted
    assert ("your_turn", 0) in told(club.reply(1, "b2"))


def test_a_typo_of_somebody_quiet_is_answered(club: Club) -> None:
    """He has written, so he is told what was wrong; that he wants no emails stays as it is."""
    club.open()
    club.reply(0, "unsubscribe")
    assert told(club.reply(0, "z9")) == [("move_rejected", 0)]
    assert wished(club).muted


def test_resume_brings_the_newest_of_every_match(club: Club) -> None:
    """One mail for each match that goes on, with the board and what happened of late."""
    club.open("zipline", PLAYERS)
    running, over = club.open().id, club.open().id
    club.reply(1, "resign", match=over)
    club.reply(0, "c3")
    club.reply(0, "unsubscribe")
    club.reply(1, "take")
    arrival = club.reply(0, "resume")
    assert [(mail.kind, mail.match, mail.seat) for mail in arrival.outbound] == [
        ("resume", 1, 0),
        ("resume", running, 0),
    ]
    assert "Bob took white." in text_of(club.newest(0))
    assert "you get mails again" in text_of(club.newest(0))
    assert not wished(club).muted
    assert ("your_turn", 0) in told(club.reply(2, "a1"))


def test_the_word_below_a_move_ends_nothing(club: Club) -> None:
    """Many signatures end in a link with that word: it counts only when it is all that was written."""
    club.open()
    club.reply(0, "c3\n\nBest wishes\nUnsubscribe")
    assert not wished(club).muted
    assert club.moves() == ["c3"]


def test_nobody_can_silence_somebody_else(club: Club) -> None:
    """The email must come from the player's own address, with their own tag."""
    club.open()
    club.service.hand_in(one_click(club, 0).replace(b"From: Ann <ann@a.example>", b"From: Bob <bob@b.example>"))
    assert not wished(club).muted
    assert not wished(club, "Bob").muted
