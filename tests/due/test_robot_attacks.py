"""What somebody could do with robots against the host, or against others: tests named by the attack."""

import asyncio
from datetime import timedelta

import pytest

from pbem.errors import BadInput
from pbem.running.operator_rulings import (
    change_player_addresses,
    find_to_forget,
    merge_players,
    rename_player,
    seat_another,
)
from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import PLAYERS, Club, make_club
from tests.support.fakes import FakeDice
from tests.support.laid import After
from tests.support.mails import text_of

ANN, BOB, CARL = PLAYERS


def matches(club: Club) -> list[int]:
    """Return the numbers of the matches that there are."""
    asyncio.run(club.service.deliver())
    with club.service.database.reading() as tx:
        return sorted(tx.matches.numbers(club.clock.now()))


def _playing(club: Club) -> None:
    club.open("pipline", (ANN, BOB))


@pytest.fixture
def playing(after: After) -> Club:
    """A match of Ann and Bob."""
    return after(_playing)


@pytest.mark.parametrize("line", ["new pipline robot:1 size=5", "seek pipline robot:1 size=5"])
def test_a_player_who_fills_the_queue_of_thoughts_has_three_matches(playing: Club, line: str) -> None:
    """However many lines and emails; the operator is bound by no limit."""
    for _ in range(3):
        playing.reply(0, "\n".join([line] * 5))
    assert len(matches(playing)) == 1 + playing.service.settings.robot_matches
    playing.open("pipline", (ANN, "robot:1"))


def test_two_games_at_once_count_as_two(playing: Club) -> None:
    """``pair`` is no way round the limit."""
    for _ in range(3):
        playing.reply(0, "pair pipline robot:1 size=5")
    assert len(matches(playing)) <= 1 + playing.service.settings.robot_matches


def test_a_finished_match_makes_room_and_a_resigned_seat_among_robots_none(playing: Club) -> None:
    """Robots that were left give up first: so nobody has them think by leaving."""
    for _ in range(3):
        playing.reply(0, "new pipline robot:1 size=5")
    assert matches(playing) == [1, 2, 3, 4]
    playing.reply(0, "resign", match=2)
    playing.reply(0, "new pipline robot:1 size=5")
    assert matches(playing) == [1, 2, 3, 4, 5]


def test_who_joins_offers_with_robots_has_no_more_of_them(club: Club) -> None:
    """The limit is of who plays, not of who asks."""
    club.open("pipline", (ANN, BOB))
    club.open("pipline", (CARL, BOB))
    for _ in range(3):
        club.reply(0, "seek zipline players=3 robot:1 size=5")
    club.reply(0, "seek zipline players=3 robot:1 size=5", match=2)
    for number in (1, 2, 3):
        club.reply(1, f"join {number}")
    assert matches(club) == [1, 2, 3, 4, 5]
    club.reply(1, "join 4", match=2)
    assert matches(club) == [1, 2, 3, 4, 5]


def test_a_stranger_who_forges_from_has_no_robot_think(playing: Club) -> None:
    """What comes without a token is asked about; a stranger is told nothing of robots."""
    for sender in ("ann@a.example", "stranger@elsewhere.example"):
        raw = f"From: {sender}\nTo: games@play.example\nMessage-ID: <{sender}>\n\nnew pipline robot:1 size=5\n"
        playing.service.hand_in(raw.encode())
    assert matches(playing) == [1]
    assert {mail.kind for mail in playing.queued()} <= {"opened", "confirm_start", "unknown_sender"}


def test_moves_that_are_taken_back_again_and_again_have_no_robot_think_for_ever(club: Club) -> None:
    """Twenty times a day are enough; what was thought about in vain is thought about no more."""
    club.open("pipline", (ANN, "robot:1"))
    for _ in range(25):
        club.reply(0, "c3")
        club.reply(0, "undo")
    assert len([one for one in club.match().agreements if one.kind == "undo"]) == 20
    assert club.let_robots_move() == 1
    club.clock.advance(timedelta(days=1, minutes=1))
    club.reply(0, "undo")
    assert club.moves() == []


def test_rolls_to_come_are_not_found_out_by_taking_moves_back(club: Club) -> None:
    """A roll falls again as it did: who has seen it must not choose anew."""
    club.service.open("pippip", (ANN, "robot:1"), {})
    club.reply(0, "ready")
    rolled = False
    while not rolled:
        club.let_robots_move()
        ply = club.match().ply
        club.reply(0, str(next(iter(club.match().position.legal_moves()))))
        rolled = any(entry.seat is None for entry in club.match().record[ply:])
    before = club.moves()
    club.reply(0, "undo")
    assert club.moves() == before


def test_nobody_is_called_as_a_robot_is(playing: Club) -> None:
    """A person might pass for one, or a robot's seat be offered to them."""
    for name in ("Robot 2", "robot", "ROBOT:3"):
        playing.reply(0, f"name {name}")
    assert playing.match().players[0].name == "Ann"


def test_a_robot_can_be_neither_written_to_nor_merged_nor_forgotten(club: Club) -> None:
    """It has no address that somebody could give it."""
    club.open("pipline", (ANN, "robot:1"))
    for act in (
        lambda: change_player_addresses(club.service, "Robot 1", add=["x@y.example"]),
        lambda: merge_players(club.service, "Robot 1", "Ann"),
        lambda: merge_players(club.service, "Ann", "Robot 1"),
        lambda: rename_player(club.service, "Robot 1", "Bob"),
        lambda: find_to_forget(club.service, "Robot 1"),
    ):
        with pytest.raises(BadInput, match="is a robot"):
            act()


def _lent(club: Club) -> None:
    club.open("pipline", (ANN, BOB), size=9)
    for seat, move in ((0, "c3"), (1, "take"), (0, "d4"), (1, "e5"), (0, "f6")):
        club.reply(seat, move)
    club.reply(1, "standin robot:1 until 10 dec")
    club.answer_kind("seat_question", -1, "yes")
    asyncio.run(club.service.deliver())
    assert club.match().robot_seats == {1}


@pytest.fixture
def lent(after: After) -> Club:
    """A match of Ann and Bob, in which a robot stands in for Bob; it is the robot's turn."""
    return after(_lent)


def test_a_match_that_goes_badly_is_not_made_to_count_for_nothing(club: Club) -> None:
    """Bob calls in a robot: nothing changes without Ann's yes; what a defeat counts then, tests of ratings say."""
    club.service.open("pipline", (ANN, BOB), {"size": 9}, rated=True)
    club.reply(0, "c3")
    club.reply(1, "standin robot:1 until 10 dec")
    asyncio.run(club.service.deliver())
    assert [mail.recipient for mail in club.queued(kind="seat_question")] == ["ann@a.example"]
    assert club.match().robots == ()
    club.clock.advance(timedelta(days=30))
    club.answer_kind("seat_question", -1, "yes")  # the time is over for which Bob wanted it
    asyncio.run(club.service.deliver())
    assert club.match().robots == ()


@pytest.mark.parametrize("words", ["undo", "draw"])
def test_who_is_away_finds_nothing_taken_back_and_nothing_agreed_on(lent: Club, words: str) -> None:
    """A robot agrees to have moves taken back where nothing is at stake: Ann could take back the whole match."""
    before = lent.moves()
    for _ in range(3):
        assert lent.reply(0, words).message.reason == "no_command"
    lent.let_robots_move()
    lent.reply(0, words)
    assert lent.moves()[: len(before)] == before
    assert lent.match().agreements == ()


def test_who_is_away_does_not_lose_since_a_person_leaves_robots_alone(club: Club) -> None:
    """The robot in Bob's seat plays on, and another one in a seat of its own gives up."""
    club.service.open("zipline", (ANN, BOB, "robot:1"), {"size": 5})
    club.reply(0, "c3")
    club.reply(1, "standin robot:1 until 10 dec")
    club.answer_kind("seat_question", -1, "yes")
    asyncio.run(club.service.deliver())
    club.reply(0, "resign")
    asyncio.run(club.service.let_robot_move())
    assert club.match().position.departed() == {0}
    assert club.thinker.problems


def test_a_seat_is_not_lent_to_a_robot_where_only_those_who_have_left_are_people(club: Club) -> None:
    """Robots would be alone, and give up in the name of whoever is away."""
    club.service.open("zipline", (ANN, BOB, "robot:1"), {"size": 5})
    club.reply(0, "c3")
    club.reply(1, "resign")
    club.reply(0, "standin robot:1 until 10 dec")
    asyncio.run(club.service.deliver())
    assert club.match().players[0].name == "Ann"
    with pytest.raises(BadInput, match="among themselves"):
        seat_another(club.service, 1, "Ann", "robot:1")


@pytest.mark.parametrize("line", ["new pipline robot:0 size=5", "seek pipline robot:0 size=5", "new pipline robot:99"])
def test_a_robot_of_no_strength_is_nobody_else(playing: Club, line: str) -> None:
    """Least of all a person, whose strength as a robot is 0."""
    playing.reply(0, line)
    assert "Robots have the strengths 1 to 2" in " ".join(text_of(playing.mail(playing.queued()[-1])).split())
    assert matches(playing) == [1]


@pytest.mark.parametrize(
    "text", ["robot:0", "robot:9", "robot:", "robot:x", "robot:-1", "robot:\uff12", "robot:1 size=5"]
)
def test_what_looks_like_a_robot_makes_no_player(club: Club, text: str) -> None:
    """The operator reads what would be right."""
    with pytest.raises(BadInput, match="robot"):
        club.open("pipline", (ANN, text))


def test_a_robot_that_the_host_allows_no_longer_gets_no_seat(settings: Settings) -> None:
    """It would never move: whoever agrees by then is told so."""
    club = make_club(settings)
    club.open("pipline", (ANN, BOB), size=9)
    club.reply(0, "c3")
    club.reply(1, "standin robot:1 until 10 dec")
    question = club.mail(club.queued(kind="seat_question")[0])
    club.service.database.close()
    off = make_club(changed(settings, robots="off"), clock=club.clock, dice=FakeDice(50))
    off.written = club.written
    assert off.service.hand_in(off.answer(question, "yes")).message.reason == "no_command"
    asyncio.run(off.service.deliver())
    assert off.match().robots == ()
    off.service.database.close()
