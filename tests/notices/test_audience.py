"""Who is written to after a message, and with which kind of email."""

from rules.games import GAMES
from tests.support.club import PLAYERS, Club, told
from tests.support.mails import html_of, text_of


def _unfolded(club: Club, kind: str) -> str:
    """Return the text of the first email of a kind on one line."""
    return " ".join(text_of(club.mail(club.queued(kind=kind)[0])).split())


def test_everybody_is_told_of_an_opening(club: Club) -> None:
    """Each player gets a first email; one of them is to act."""
    club.open("zipline", PLAYERS)
    assert [(mail.kind, mail.seat) for mail in club.queued()] == [("opened", 0), ("opened", 1), ("opened", 2)]
    assert ['body=c3"' in html_of(club.newest(seat)) for seat in range(3)] == [True, False, False]


def test_everybody_is_told_of_a_move(club: Club) -> None:
    """The next player is asked, their partner and the others are told, the mover has it confirmed."""
    club.open("zipline", PLAYERS)
    assert told(club.reply(0, "c3")) == [("move_made", 0), ("your_turn", 1), ("move_made", 2)]
    assert all("c3" in text_of(club.newest(seat)) for seat in range(3))
    assert told(club.reply(1, "take")) == [("partner_turn", 0), ("move_made", 1), ("your_turn", 2)]


def test_the_others_are_told_of_a_comment_without_a_move(club: Club) -> None:
    """The sender is told that it was passed on, and to whom."""
    club.open("zipline", PLAYERS)
    assert told(club.reply(2, "say: hello")) == [("remark", 0), ("remark", 1), ("passed_on", 2)]
    assert all("hello" in text_of(club.newest(seat)) for seat in range(3))


def test_only_the_partner_is_told_of_a_team_message_without_a_move(club: Club) -> None:
    """Nobody else hears of it, not even that there was one."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    assert told(club.reply(1, "team: psst")) == [("passed_on", 1), ("remark", 2)]


def test_help_and_the_board_go_to_whoever_asked(club: Club) -> None:
    """They go to one player, in an email each; help holds the rules of the game."""
    club.open("zipline", PLAYERS)
    assert told(club.reply(1, "help\nshow")) == [("help", 1), ("show", 1)]
    for paragraph in map(str, GAMES["zipline"].help_for(3, club.match().options)):
        assert " ".join(paragraph.split()) in _unfolded(club, "help")


def test_what_could_not_be_done_is_mentioned_in_whatever_is_sent(club: Club) -> None:
    """A message that was carried out but for something leads to an email that says so."""
    club.open("zipline", PLAYERS)
    arrival = club.reply(1, "team: psst\nsay: hello")
    assert told(arrival) == [("remark", 0), ("partly_done", 1), ("remark", 2)]
    assert arrival.message.detail
    detail = arrival.message.detail.replace("`", "")
    assert detail in _unfolded(club, "partly_done")
    arrival = club.reply(1, "team: psst\nhelp")
    assert told(arrival) == [("help", 1)]
    assert detail in _unfolded(club, "help")


def test_whoever_has_left_watches_the_match(club: Club) -> None:
    """A player who resigned hears of everything that everybody hears of, and of nothing that is for one side."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    assert told(club.reply(2, "resign")) == [("move_made", 0), ("your_turn", 1), ("move_made", 2)]
    assert told(club.reply(1, "a1")) == [("move_made", 0), ("your_turn", 1), ("move_made", 2)]
    assert told(club.reply(1, "say: hello")) == [("remark", 0), ("passed_on", 1), ("remark", 2)]
    assert told(club.reply(1, "team: psst")) == [("no_command", 1)]
    assert told(club.reply(2, "team: psst")) == [("no_command", 2)]
    assert told(club.reply(2, "say: well played")) == [("remark", 0), ("remark", 1), ("passed_on", 2)]
    assert [seat for _, seat in told(club.reply(1, "resign"))] == [0, 1, 2]


def test_a_rejection_shows_the_first_lines_of_what_was_written(club: Club) -> None:
    """The answer quotes eight lines, so that the sender sees what arrived, and a sign for the rest."""
    club.open()
    club.reply(0, "\n".join(f"line {n} of many words in it {'x' * 80}" for n in range(20)))
    text = text_of(club.newest(0))
    assert text.count("  > line ") == 8
    assert "  > …" in text


def test_a_game_is_introduced_once(club: Club) -> None:
    """Who has had a seat in another match of it for so many needs no introduction, nor does a robot."""
    ann, bob, carl = PLAYERS
    opened = [("pipline", (ann, bob)), ("pipline", (carl, bob)), ("zipline", PLAYERS), ("zipline", (ann, bob))]
    known = []
    for game, players in opened:
        match = club.open(game, players)
        with club.service.database.reading() as tx:
            known.append(tx.matches.introduced(match))
    assert known == [set(), {1}, set(), set()]
