"""The summary of a match tells what the match itself does."""

from dataclasses import replace

from pbem.match.match import Match, advance_automatically
from pbem.match.summary import standing_of, summarise
from rules.games import GAMES
from rules.position import Chance, Entry
from tests.support.matches import AUCTION, OPENED, pipline


def rolled(*seeds: str | None) -> Match:
    """Return a match of Pip•Pip before its first roll, with these player seeds."""
    game = GAMES["pippip"]
    one = replace(pipline(), game=game, options=game.normalise({}), secret="a secret")
    return replace(one, seeds=seeds)


def test_a_running_match() -> None:
    """It has the seat to act and the roles, and no winners."""
    one = pipline(*AUCTION)
    found = summarise(one)
    now = found.standing
    assert (found.id, found.game, found.players, found.opened_at) == (one.id, one.game, one.players, one.opened_at)
    assert (now.ply, now.moves, now.changed_at, now.roles) == (2, 2, one.times[-1], one.position.roles())
    assert (now.to_act, now.awaits_roll, now.winners, now.reason, now.departed) == (0, False, None, "", ())
    assert not found.is_over


def test_a_match_that_is_over() -> None:
    """It has winners and a reason, and nobody is to act."""
    found = summarise(pipline(*AUCTION, Entry(1, "resign")))
    now = found.standing
    assert (now.winners, now.reason, now.to_act, now.awaits_roll) == ((0,), "the other side resigned", None, False)
    assert found.is_over


def test_a_match_that_waits_for_its_first_roll() -> None:
    """It tells who has not answered, and keeps the player seeds to itself until the roll."""
    one = rolled("salt", None)
    found = summarise(one)
    assert isinstance(one.to_act, Chance)
    assert (found.standing.to_act, found.standing.awaits_roll) == (None, True)
    assert found.unseeded == one.unseeded == (1,)
    assert found.public_seeds == one.public_seeds == {}
    assert summarise(rolled()).unseeded == (0, 1)


def test_rolls_are_no_moves() -> None:
    """After the rolls the player seeds are public."""
    one = advance_automatically(rolled("salt", ""), OPENED)
    found = summarise(one)
    assert found.standing.ply == one.ply > 0
    assert found.standing.moves == one.moves_made == 0
    assert found.public_seeds == one.public_seeds == {0: "salt"}


def test_a_seat_that_has_left_is_not_waited_for() -> None:
    """Somebody who resigned need not answer."""
    one = rolled(None, None).after(Entry(0, "resign"), OPENED)
    assert standing_of(one).departed == (0,)
    assert summarise(one).unseeded == one.unseeded == (1,)
