"""Whole matches, played by replying alone."""

from pathlib import Path

from pbem.archive.match.page import write_match
from tests.support.club import PLAYERS, SECRET, Club, told
from tests.support.mails import html_of, read, text_of
from tests.support.running import play


def test_a_match_of_three_is_played_by_replying_alone(club: Club) -> None:
    """From the first email to the last, everybody gets one email a move, in one thread, and the last says who won."""
    club.open("zipline", PLAYERS)
    for _, arrival in play(club, 4):
        assert arrival.message.status == "accepted"
        assert [mail.seat for mail in arrival.outbound] == [0, 1, 2]
    plies = club.match().ply
    for seat in range(3):
        mails = [mail for mail in club.queued() if mail.seat == seat]
        assert len(mails) == plies + 1
        assert [mail.kind for mail in mails][0 :: len(mails) - 1] == ["opened", "match_over"]
        assert club.newest(seat)["References"].split()[0] == mails[0].message_id
        assert club.newest(seat)["In-Reply-To"] == mails[-2].message_id
    winners = club.match().outcome
    assert winners is not None
    for seat in range(3):
        said = text_of(club.newest(seat)).partition("\n")[0]
        assert {club.match().name(winner) for winner in winners.winners if winner != seat} <= set(said.split())
        assert ("You" in said) == (seat in winners.winners)


def test_after_the_end_only_words_are_passed_on(club: Club) -> None:
    """Moves are answered with the result; a last word still reaches everybody."""
    club.open("zipline", PLAYERS)
    early = club.newest(1)
    club.reply(0, "take")
    club.reply(0, "resign")
    assert [seat for _, seat in told(club.reply(1, "a1"))] == [1]
    assert club.reply(2, "resign").message.reason == "already_over"
    assert club.service.hand_in(club.answer(early, "c3")).message.reason == "already_over"
    assert told(club.reply(1, "say: thank you")) == [("remark", 0), ("passed_on", 1), ("remark", 2)]
    assert club.moves() == ["take", "resign"]


def test_a_partner_plays_on_alone(club: Club) -> None:
    """Who stays of two partners plays both turns, each time asked by an email, and may send both at once."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    club.reply(1, "resign\nSorry, I have to leave")
    assert club.match().to_act == 2
    assert "your_turn" in [kind for kind, seat in told(club.reply(2, "a1")) if seat == 2]
    assert ("your_turn", 0) in told(club.reply(2, "a2"))
    assert told(club.reply(0, "c3")) == [("move_made", 0), ("move_made", 1), ("your_turn", 2)]
    assert club.reply(2, "b4\nb5").message.commands == ("b4", "b5")
    assert club.match().to_act == 0


def test_team_words_reach_partners_alone(club: Club, tmp_path: Path) -> None:
    """A team line is in no email to the other side, in none of its kinds, and on no page while the match goes on."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    long = "team: SECRET one, I would like to block him on the left side before"
    for seat, text in (
        (1, "a1\nteam: SECRET two"),
        (2, "team: SECRET three\na2\nteam: SECRET four"),
        (0, "c3"),
        (1, f"team: SECRET five\n{long}\nhe sees the SECRET six\n\nb1\nGood luck\n{long}\nand SECRET seven"),
        (2, "team: SECRET eight; resign"),
        (2, "resign; team: SECRET nine"),
    ):
        assert club.reply(seat, text).message.status == "accepted"
    for text in ("say: hm", "help", "show", "z99", "what is this", "team: x", "c4"):
        club.reply(0, text)
    write_match(club.match(), tmp_path, SECRET, club.clock.now())
    assert all("SECRET" not in path.read_text() for path in tmp_path.rglob("*.*") if path.suffix in (".html", ".txt"))
    club.reply(1, "resign\nteam: SECRET ten")
    readers = {mail.seat for mail in club.queued() if b"SECRET" in _plain(club, mail.id)}
    assert readers == {1, 2}
    assert sum(comment.to_side for comment in club.match().comments) == 7


def test_team_words_are_hidden_from_the_operator(club: Club) -> None:
    """The commands of a message are there for the operator, who may play himself: a private line is named, not told."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    club.reply(1, "take")
    told = club.reply(2, "team: go left\na5\nHello").message
    assert told.commands == ("team: …", "a5")
    asked = club.reply(0, "team go right").message
    assert "right" not in asked.detail


def _plain(club: Club, number: int) -> bytes:
    """Return all that an email holds, decoded."""
    with club.service.database.reading() as tx:
        mail = read(tx.outbound.raw(number))
    return (str(mail["Subject"]) + text_of(mail) + html_of(mail)).encode()
