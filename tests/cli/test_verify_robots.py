"""``pbem verify --robots`` thinks again what robots thought, and tells a move that no robot thinks."""

import re
from collections.abc import Callable

import pytest

from pbem.match.records import record_text
from pbem.ports import Answer, Problem
from pbem.robots.thinking import choose, versions_of
from pbem.settings.model import Settings
from rules.games import GAMES
from rules.position import Entry
from tests.support.club import PLAYERS, make_club
from tests.support.command_line import Pbem
from tests.support.fakes import FakeThinker


class Thinking(FakeThinker):
    """A thinker that thinks as robots do, in this process; ``weakened``: never stronger than 1.

    It thinks as robots of a ``version`` did; None: as they do.
    """

    def __init__(self, *, weakened: bool = False, version: int | None = None) -> None:
        super().__init__()
        self.weakened = weakened
        self.version = version

    async def think(self, problem: Problem) -> Answer:
        """Return what a robot plays."""
        entries = [Entry(seat, text) for seat, text in problem.entries]
        strength = 1 if self.weakened else problem.strength
        thought = choose(problem.game, problem.seats, problem.options, entries, strength, problem.seed, self.version)
        return Answer(thought.move, thought.value)


@pytest.fixture
def play(settings: Settings) -> Callable[..., str]:
    """Return what plays a short match of Ann against a robot, and returns its record; ``over``: she resigns."""

    def played(
        *,
        over: bool = True,
        weakened: bool = False,
        strength: int = 1,
        game: str = "pipline",
        version: int | None = None,
    ) -> str:
        club = make_club(settings)
        club.service.connect(thinker=Thinking(weakened=weakened, version=version))
        club.open(game, (PLAYERS[0], f"robot:{strength}"))
        for _ in range(2):
            match = club.match()
            club.reply(0, "c3" if match.ply == 0 else str(next(iter(match.position.legal_moves()))))
            club.let_robots_move()
        if over:
            club.reply(0, "resign")
        text = record_text(club.match())
        club.service.database.close()
        return text

    return played


@pytest.mark.parametrize("game", sorted(key for key, game in GAMES.items() if game.auction))
def test_moves_of_robots_are_what_they_think(bare: Pbem, play: Callable[..., str], game: str) -> None:
    """By the secret that is published with the end, anybody can tell, with whatever options a game has."""
    told = bare.done("verify", "--robots", "-", stdin=play(game=game).encode()).out
    assert re.search(r"All \d+ moves of robots are what they think, by the secret\.$", told, re.MULTILINE)


def test_a_move_that_no_robot_thinks_is_told(bare: Pbem, play: Callable[..., str]) -> None:
    """A host who plays for a robot is found out; without the option nothing is said of it."""
    text = play()
    moves = re.findall(r"^ +\d+  seat 2   (\S+)$", text, re.MULTILINE)
    last = [move for move in moves if re.fullmatch(r"[a-e]\d", move)][-1]
    taken = set(re.findall(r"\b[a-e][1-5]\b", text))
    free = next(f"{column}{row}" for column in "abcde" for row in range(1, 6) if f"{column}{row}" not in taken)
    forged = re.sub(rf"(seat 2   ){last}\b", rf"\g<1>{free}", text).encode()
    assert "Every move is legal" in bare.done("verify", "-", stdin=forged).out
    refused = bare("verify", "--robots", "-", stdin=forged)
    assert refused.code == 65
    assert "not what its robot thinks" in refused.err


def test_a_record_that_leaves_out_which_moves_are_robots_is_seen_through(bare: Pbem, play: Callable[..., str]) -> None:
    """A host who has played by hand for the robot says that it came later: whose moves were checked is listed."""
    narrowed = play().replace("seat 2 strength 1 from 1", "seat 2 strength 1 from 99")
    told = bare.done("verify", "--robots", "-", stdin=narrowed.encode()).out
    assert "Its robots have made no move." in told
    assert "“seat 2 strength 1 from 99”" in told


def test_before_the_end_nothing_can_be_checked(bare: Pbem, play: Callable[..., str]) -> None:
    """The secret is not there yet."""
    told = bare.done("verify", "--robots", "-", stdin=play(over=False).encode()).out
    assert "when the match is over" in told


def test_a_record_without_robots_is_refused(bare: Pbem, play: Callable[..., str]) -> None:
    """As is one whose note of robots no pbem writes."""
    text = play()
    without = re.sub(r"^robots: .*\n", "", text, flags=re.MULTILINE).encode()
    assert bare("verify", "--robots", "-", stdin=without).code == 64
    damaged = re.sub(r"^robots: .*", "robots: seat 9 strength 1 from 1", text, flags=re.MULTILINE).encode()
    assert bare("verify", "--robots", "-", stdin=damaged).code == 65


def test_moves_of_robots_of_an_earlier_version_are_what_those_thought(bare: Pbem, play: Callable[..., str]) -> None:
    """A match that was played before robots came to think otherwise is no forgery, and the check says which it was."""
    earlier = play(game="zipline", version=versions_of("zipline")[-1]).encode()
    told = bare.done("verify", "--robots", "-", stdin=earlier).out
    assert re.search(r"All 2 moves of robots are what they think.* [12] of them .* earlier version", told)
