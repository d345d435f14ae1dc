"""Robots have seats: what they think is played once, while the match still waits for it, and nothing waits for them."""

import asyncio
import json
import logging
import subprocess
import sys
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.commands.ruling import call_off
from pbem.due.needs import list_needs
from pbem.errors import BadInput, ThoughtLost
from pbem.ports import Problem
from pbem.running.operator_rulings import put_back, rule, seat_another, take_back
from pbem.running.thinker import ProcessThinker
from pbem.settings.model import Settings
from pbem.storage.due import ROBOT_DUE
from rules.games import GAMES
from tests.support.chosen import changed
from tests.support.club import OPERATOR, PLAYERS, Club, make_club, told
from tests.support.fakes import FakeDice
from tests.support.mails import text_of

ANN = PLAYERS[0]


@pytest.fixture
def against(club: Club) -> Club:
    """A match of Ann against a robot of strength 2, in which it is the robot's turn."""
    club.open("pipline", (ANN, "robot:2"))
    club.reply(0, "c3")
    return club


def is_due(club: Club, match: int = 1) -> bool:
    """Return whether a robot is to think about a match."""
    with club.service.database.reading() as tx:
        return tx.due.is_scheduled(ROBOT_DUE, match)


def in_vain(club: Club) -> list[str]:
    """Return the codes of all that needs the operator."""
    with club.service.database.reading() as tx:
        return [one.code for one in list_needs(tx)]


def test_a_robot_moves_as_anybody_does(against: Club) -> None:
    """Its move is recorded, its opponent is told, and no email goes anywhere else."""
    assert against.let_robots_move() == 1
    assert against.moves() == ["c3", "take"]
    assert [(mail.kind, mail.recipient) for mail in against.queued()] == [
        ("opened", "ann@a.example"),
        ("move_made", "ann@a.example"),
        ("your_turn", "ann@a.example"),
    ]
    assert against.let_robots_move() == 0


def test_a_robot_that_begins_thinks_at_once(club: Club) -> None:
    """It needs no message to wake it."""
    club.open("pipline", ("robot:1", ANN))
    club.let_robots_move()
    assert [entry.seat for entry in club.match().record] == [0]


def test_a_robot_has_no_say_in_the_dice(club: Club) -> None:
    """The first roll waits for people only."""
    club.service.open("pippip", (ANN, "robot:1"), {})
    club.reply(0, "ready")
    assert club.match().record[0].seat is None


def test_it_knows_the_record_and_the_seed_of_its_turn_and_nothing_of_the_secret(against: Club) -> None:
    """Nothing else goes to where it thinks: no name, no address, no roll to come."""
    against.let_robots_move()
    match = against.match()
    assert against.thinker.problems == [
        Problem("pipline", 2, dict(match.options), ((0, "c3"),), 2, match.at(1).robot_seed(1))
    ]
    assert match.secret not in json.dumps(asdict(against.thinker.problems[0]))
    assert 0 <= match.robot_seed(1) < 2**63
    assert match.robot_seed(0) != match.robot_seed(1) != match.at(1).robot_seed(1)


def test_a_letter_is_processed_while_a_robot_thinks(against: Club) -> None:
    """The thought of the one match never ends, and a move in another one is played and answered."""
    against.open("pipline", PLAYERS[1:3])
    against.thinker.hangs = True

    async def think_and_play() -> None:
        thinking = asyncio.create_task(against.service.let_robot_move())
        await against.thinker.thinking.wait()
        against.mailbox.put(against.answer(against.newest(0, match=2), "c3"))
        await asyncio.wait_for(against.service.poll(), 30)
        await asyncio.wait_for(against.service.deliver(), 30)
        assert not thinking.done()
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking

    asyncio.run(think_and_play())
    assert against.moves(2) == ["c3"]
    assert against.moves() == ["c3"]
    assert {"bob@b.example", "carl@c.example"} <= {to for to, _ in against.courier.carried}


def test_a_thought_that_was_interrupted_is_thought_again_with_the_same_seed(against: Club, settings: Settings) -> None:
    """A process that dies meanwhile leaves nothing behind, and the next one thinks the same, and plays it once."""
    against.thinker.hangs = True

    async def die() -> None:
        thinking = asyncio.create_task(against.service.let_robot_move())
        await against.thinker.thinking.wait()
        thinking.cancel()

    asyncio.run(die())
    assert (against.moves(), is_due(against)) == (["c3"], True)
    after = make_club(settings, clock=against.clock, dice=FakeDice(50))
    assert after.let_robots_move() == 1
    assert after.thinker.problems == against.thinker.problems
    assert after.moves() == ["c3", "take"]
    after.service.database.close()


def test_two_processes_that_thought_the_same_play_it_once(against: Club, settings: Settings) -> None:
    """The second finds that the match has gone on; no email goes twice."""
    other = make_club(settings, clock=against.clock, dice=FakeDice(50))

    async def overtake() -> None:
        against.thinker.hangs = True
        first = asyncio.create_task(against.service.let_robot_move())
        await against.thinker.thinking.wait()
        assert await other.service.let_robot_move()
        against.thinker.release.set()
        assert await first

    asyncio.run(overtake())
    assert against.moves() == ["c3", "take"]
    assert [mail.kind for mail in against.queued()] == ["opened", "move_made", "your_turn"]
    other.service.database.close()


@pytest.mark.parametrize(
    ("meanwhile", "left"),
    [
        (lambda club: club.reply(0, "undo"), []),
        (lambda club: club.reply(0, "resign"), ["c3", "resign"]),
        (lambda club: take_back(club.service, 1, 0, None), []),
        (lambda club: rule(club.service, 1, call_off), ["c3"]),
        (lambda club: seat_another(club.service, 1, "2", PLAYERS[1]), ["c3"]),
    ],
    ids=["undo", "resign", "rewind", "void", "replace"],
)
def test_a_thought_about_what_is_past_is_dropped(against: Club, meanwhile: object, left: list[str]) -> None:
    """What has happened to the match while the robot thought counts, and not what it thought."""
    assert callable(meanwhile)
    against.thinker.before_answer = lambda: meanwhile(against)
    assert against.let_robots_move() == 1
    assert against.moves() == left
    assert not is_due(against)


def test_after_an_undo_and_the_same_move_it_thinks_the_same(against: Club) -> None:
    """The seed belongs to the number of entries: who tries a move twice learns nothing new."""
    against.let_robots_move()
    against.reply(0, "undo")
    assert against.moves() == []
    against.reply(0, "c3")
    against.let_robots_move()
    first, again = against.thinker.problems
    assert first == again


def test_the_longest_waiting_match_comes_first(club: Club) -> None:
    """A host of matches in which one player moves at once doesn't keep the robot from another one's."""
    club.open("pipline", (ANN, "robot:1"))
    club.open("pipline", (PLAYERS[1], "robot:1"))
    club.reply(0, "c3", match=1)
    club.clock.advance(timedelta(seconds=1))
    club.reply(0, "c3", match=2)
    club.clock.advance(timedelta(seconds=1))
    asyncio.run(club.service.let_robot_move())
    club.reply(0, "d4", match=1)
    asyncio.run(club.service.let_robot_move())
    assert (len(club.moves(1)), len(club.moves(2))) == (3, 2)


def test_a_weaker_robot_plays_where_a_strong_one_is_not_done_in_time(against: Club) -> None:
    """It is the same seed, so that it can be checked afterwards."""
    against.thinker.lost = {2}
    against.let_robots_move()
    assert [problem.strength for problem in against.thinker.problems] == [2, 1]
    assert against.moves() == ["c3", "take"]


def test_where_no_robot_comes_to_an_end_the_operator_is_told_once_a_day(
    against: Club, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again every hour, and the match goes on as soon as one does."""
    caplog.set_level(logging.INFO, "pbem")
    against.thinker.lost = {1, 2}
    for _ in range(3):
        assert against.let_robots_move() == 1
        against.clock.advance(timedelta(hours=1, seconds=1))
    asyncio.run(against.service.deliver())
    (told,) = against.queued(kind="needs")
    assert (told.recipient, "pbem replace 1 SEAT ADDRESS" in text_of(against.mail(told))) == (OPERATOR, True)
    assert in_vain(against) == ["robot"]
    against.thinker.lost = set()
    against.let_robots_move()
    assert (against.moves(), in_vain(against)) == (["c3", "take"], [])


def test_a_move_that_the_rules_refuse_is_told_to_the_operator_and_not_played(against: Club) -> None:
    """A bug of a robot harms nobody, and it thinks again when that may be mended."""
    against.thinker.move = "z99"
    assert against.let_robots_move() == 1
    assert (against.moves(), in_vain(against)) == (["c3"], ["robot"])
    assert against.let_robots_move() == 0
    against.clock.advance(timedelta(hours=1, seconds=1))
    against.thinker.move = "take"
    assert (against.let_robots_move(), against.moves()) == (1, ["c3", "take"])


def test_with_robots_off_none_thinks_and_none_can_be_asked_for(settings: Settings) -> None:
    """Those that have a seat wait, and play on when they are allowed again."""
    club = make_club(settings)
    club.open("pipline", (ANN, "robot:2"))
    club.reply(0, "c3")
    club.service.database.close()
    off = make_club(changed(settings, robots="off"), clock=club.clock, dice=FakeDice(50))
    assert off.let_robots_move() == 0
    with pytest.raises(BadInput, match="robots"):
        off.open("pipline", (ANN, "robot:1"))
    off.service.database.close()
    on = make_club(settings, clock=club.clock, dice=FakeDice(50))
    assert on.let_robots_move() == 1
    on.service.database.close()


@pytest.mark.parametrize("players", [("robot:1", "robot:2"), ("robot:1", "robot:1")])
def test_robots_do_not_play_among_themselves(club: Club, players: tuple[str, str]) -> None:
    """Nobody would read it, and it costs as much."""
    with pytest.raises(BadInput, match="among themselves"):
        club.open("pipline", players)


def test_the_operator_can_not_let_a_robot_take_the_last_seat_of_a_person(against: Club) -> None:
    """Nor by replacing them one after the other."""
    with pytest.raises(BadInput, match="among themselves"):
        seat_another(against.service, 1, "Ann", "robot:1")


def test_two_robots_of_one_strength_have_names_of_their_own(club: Club) -> None:
    """And both move; in the next match the first of them plays again."""
    club.service.open("zipline", (ANN, "robot:1", "robot:1"), {"size": 5})
    club.service.open("zipline", ("robot:1", PLAYERS[1], ANN), {"size": 5})
    assert [player.name for player in club.match().players] == ["Ann", "Robot 1", "Robot 1 b"]
    assert club.match(2).players[0].id == club.match().players[1].id
    club.reply(0, "c3")
    club.let_robots_move()
    assert {entry.seat for entry in club.match().record} >= {0, 1, 2}


def test_robots_that_are_left_alone_give_up_without_a_thought(club: Club) -> None:
    """Whoever leaves has no robots think for days."""
    club.service.open("zipline", (ANN, "robot:1", "robot:1"), {"size": 5})
    club.reply(0, "resign")
    club.let_robots_move()
    assert club.match().outcome is not None
    assert club.thinker.problems == []


def test_no_clock_runs_against_a_robot_and_the_time_of_its_opponent_is_final(against: Club) -> None:
    """A robot doesn't claim; nobody has to, where only robots wait."""
    for _ in against.pass_time(timedelta(days=60)):
        pass
    assert against.match().to_act == 1
    assert against.match().clock is not None
    against.let_robots_move()
    for _ in against.pass_time(timedelta(days=60)):
        pass
    assert against.moves() == ["c3", "take", "timeout"]
    assert {mail.recipient for mail in against.queued()} == {"ann@a.example"}


def test_a_robot_that_gets_a_seat_in_a_match_without_dice_has_a_secret(club: Club) -> None:
    """What it thinks can be checked afterwards, from the first of its moves on."""
    club.open("pipline", PLAYERS[:2])
    club.reply(0, "c3")
    assert club.match().secret == ""
    seat_another(club.service, 1, "Bob", "robot:2")
    club.let_robots_move()
    match = club.match()
    assert match.secret
    assert [(one.seat, one.strength, one.first, one.last) for one in match.robots] == [(1, 2, 1, None)]
    seat_another(club.service, 1, "Robot 2", PLAYERS[1])
    assert [(one.first, one.last) for one in club.match().robots] == [(1, 2)]


def test_what_is_put_back_belongs_to_who_made_it(club: Club) -> None:
    """Moves of before a robot had the seat are not taken for its own, though the operator took them back."""
    club.open("pipline", PLAYERS[:2])
    club.reply(0, "c3")
    club.reply(1, "take")
    club.reply(0, "d4")
    seat_another(club.service, 1, "Bob", "robot:2")
    before = club.match().robots
    take_back(club.service, 1, 1, None)
    assert [one.first for one in club.match().robots] == [1]
    put_back(club.service, 1)
    assert club.match().robots == before


def test_a_robot_answers_no_comment_and_gets_no_reminder(against: Club) -> None:
    """Nothing is queued for it, whatever is said or due."""
    against.reply(0, "say: are you there?")
    against.reply(0, "pause 3d")
    for _ in against.pass_time(timedelta(days=3)):
        pass
    assert {mail.recipient for mail in against.queued()} == {"ann@a.example"}


def test_a_robot_agrees_to_a_pause(against: Club) -> None:
    """Nobody has to be asked."""
    assert told(against.reply(0, "pause 3d"))
    clock = against.match().clock
    assert clock is not None
    assert clock.pause is not None


@pytest.mark.slow("a process of its own thinks")
def test_a_process_of_its_own_thinks(against: Club) -> None:
    """The real one plays a legal move within its time, and the same one again."""
    against.service.connect(thinker=ProcessThinker(120))
    assert against.let_robots_move() == 1
    (problem,) = [against.match().at(1)]
    first = Problem("pipline", 2, dict(problem.options), ((0, "c3"),), 1, problem.robot_seed(1))
    answers = [asyncio.run(ProcessThinker(120).think(first)) for _ in range(2)]
    assert answers[0] == answers[1]
    assert 0 <= answers[0].value <= 1000
    assert len(against.moves()) == 2


@pytest.mark.slow("a process of its own thinks")
def test_a_process_that_takes_too_long_is_killed(against: Club) -> None:
    """And nothing of it is left."""
    problem = Problem("zipline", 2, GAMES["zipline"].normalise({}), (), 3, 1)
    with pytest.raises(ThoughtLost, match="within"):
        asyncio.run(ProcessThinker(0.2).think(problem))
    running = subprocess.run(["ps", "-A", "-o", "args"], capture_output=True, text=True, check=True).stdout
    assert f"{sys.executable} -P -m pbem.robots" not in running


@pytest.mark.slow("a process of its own thinks")
def test_a_process_that_fails_says_why() -> None:
    """A problem that no rules know ends in an error, not in a move."""
    with pytest.raises(ThoughtLost, match="ended with 1: KeyError"):
        asyncio.run(ProcessThinker(120).think(Problem("chess", 2, {}, (), 1, 1)))


def test_nobody_is_told_that_a_robot_at_their_side_reads_anything(club: Club) -> None:
    """Neither a proposal, which is refused, nor what begins with ``team:``."""
    club.service.open("zipline", (ANN, "robot:1", PLAYERS[1]), {"size": 7})
    club.reply(0, "c3")
    club.thinker.move = "d4"
    club.let_robots_move()
    club.reply(2, "take")
    assert "team:" not in text_of(club.newest(0))
    club.reply(0, "e5")
    while club.match().to_act == 2:
        club.reply(2, str(next(iter(club.match().position.legal_moves()))))
    assert club.match().to_act == 1
    assert club.reply(0, "propose g7").message.reason == "no_command"
    assert club.match().comments == ()


def test_where_no_process_can_be_started_the_operator_is_told(
    against: Club, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The program was taken away, for instance: the match waits, and no bug is met."""
    monkeypatch.setattr("pbem.running.thinker._COMMAND", (str(tmp_path / "python"),))
    against.service.connect(thinker=ProcessThinker(5))
    assert against.let_robots_move() == 1
    assert in_vain(against) == ["robot"]
    assert against.moves() == ["c3"]
