"""Who is written to after a message."""

from tests.support.club import PLAYERS, Club, told
from tests.support.mails import text_of


def test_an_opening_is_told_to_everybody(club: Club) -> None:
    """Each player gets a first email; one of them begins."""
    club.open("zipline", PLAYERS)
    assert [(mail.kind, mail.seat) for mail in club.queued()] == [("opened", 0), ("opened", 1), ("opened", 2)]
    assert [str(club.newest(seat)["Subject"]) for seat in (0, 1)] == [
        "[pbem 1] zipline – you begin",
        "[pbem 1] zipline – a new match",
    ]


def test_a_move_is_told_to_everybody(club: Club) -> None:
    """The next player is asked, his partner and the others are told, the mover has it confirmed."""
    club.open("zipline", PLAYERS)
    assert told(club.reply(0, "c3")) == [("move_made", 0), ("your_turn", 1), ("move_made", 2)]
    assert "Ann, your move is made. It is Bob's turn.\n\nYou played c3." in text_of(club.newest(0))
    assert told(club.reply(1, "take")) == [("partner_turn", 0), ("move_made", 1), ("your_turn", 2)]


def test_a_comment_without_a_move_is_told_to_the_others(club: Club) -> None:
    """The sender of a comment need not read it again."""
    club.open("zipline", PLAYERS)
    assert told(club.reply(2, "say: hello")) == [("remark", 0), ("remark", 1), ("passed_on", 2)]
    assert str(club.newest(0)["Subject"]) == "[pbem 1] zipline – words from Carl"
    assert "Carl wrote:\n  “hello”" in text_of(club.newest(0))


def test_a_team_line_without_a_move_is_told_to_the_partner(club: Club) -> None:
    """Nobody else hears of it, not even that there was one."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    assert told(club.reply(1, "team: psst")) == [("passed_on", 1), ("remark", 2)]


def test_what_was_asked_for_is_sent_to_whoever_asked(club: Club) -> None:
    """Help and the board go to one player, in an email each."""
    club.open("zipline", PLAYERS)
    assert told(club.reply(1, "help\nshow")) == [("help", 1), ("show", 1)]
    assert "Stones never move" in text_of(club.mail(club.queued(kind="help")[0]))


def test_what_could_not_be_done_is_mentioned(club: Club) -> None:
    """A message that was carried out but for something leads to an email that says so."""
    club.open("zipline", PLAYERS)
    assert told(club.reply(1, "team: psst\nsay: hello")) == [("remark", 0), ("partly_done", 1), ("remark", 2)]
    assert "no partner at present" in text_of(club.newest(1)).replace("\n", " ")
    assert told(club.reply(1, "team: psst\nhelp")) == [("help", 1)]
    assert "no partner at present" in text_of(club.newest(1)).replace("\n", " ")


def test_whoever_has_left_hears_of_the_end_alone(club: Club) -> None:
    """A player who resigned gets a last word about that, and then the result."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    assert told(club.reply(2, "resign")) == [("move_made", 0), ("your_turn", 1), ("move_made", 2)]
    assert told(club.reply(1, "a1")) == [("move_made", 0), ("your_turn", 1)]
    assert [seat for _, seat in told(club.reply(1, "resign"))] == [0, 1, 2]


def test_a_rejection_shows_what_was_written(club: Club) -> None:
    """The answer quotes the first lines, so that the sender sees what arrived."""
    club.open()
    club.reply(0, "\n".join(f"line {n} of many words in it {'x' * 80}" for n in range(20)))
    text = text_of(club.newest(0))
    assert text.count("  > line ") == 8
    assert "  > …" in text
