"""The order of turns drawn by lot, for any game."""

from itertools import permutations
from random import Random

import pytest

from rules.errors import IllegalMove, RulesError
from rules.game import advance, replay
from rules.games import GAMES
from rules.position import Chance, Entry, Position

LOT = {"order": "lot"}


def rolled(key: str, seats: int, value: int, *entries: Entry) -> Position[object]:
    """Return the position after the lot for the order of turns, and more entries."""
    return replay(GAMES[key], seats=seats, options=LOT, record=[Entry(None, str(value)), *entries])


def test_the_lot_comes_before_all_else_and_gives_every_order() -> None:
    """Three seats have six orders, all different; the first of them is as the match was opened."""
    opening = GAMES["zipline"].begin(3, LOT)
    assert opening.to_act == Chance("order of turns", 6)
    assert opening.turn_order() == ()
    orders = [rolled("zipline", 3, value).turn_order() for value in range(1, 7)]
    assert orders == list(permutations(range(3)))
    assert [rolled("pipline", 2, value).to_act for value in (1, 2)] == [0, 1]
    assert GAMES["pipline"].begin(2, {}).turn_order() == (0, 1)


def test_seats_act_win_and_leave_in_the_order_drawn() -> None:
    """Value 6 turns three seats round: the last takes, and the two others are the team."""
    position = rolled("zipline", 3, 6, Entry(2, "take"))
    assert position.turn_order() == (2, 1, 0)
    assert position.roles() == ("Pip", "Pip", "Zip")
    assert position.side(0) == {0, 1}
    assert position.to_act == 1
    taken = GAMES["zipline"].begin(3, {})
    assert position.objective(2) == taken.play(taken.parse("take")).objective(0)
    gone = position.leave(1, "resign")
    assert (gone.to_act, gone.departed()) == (0, frozenset({1}))
    outcome = gone.leave(0, "timeout").outcome()
    assert outcome is not None
    assert outcome.winners == {2}


@pytest.mark.parametrize("key", ["pipline", "snipsnip", "pipelines"])
def test_a_match_goes_as_it_would_with_the_seats_in_that_order(key: str) -> None:
    """The same moves by the players in the order drawn lead to the same board and the other winner."""
    game, random = GAMES[key], Random(4)
    plain, turned = game.begin(2, game.short), game.begin(2, {**game.short, **LOT}).roll(2)
    while (awaited := plain.to_act) is not None:
        if isinstance(awaited, Chance):
            value = 1 + random.randrange(awaited.faces)
            plain, turned = plain.roll(value), turned.roll(value)
            continue
        move = str(plain.any_move(random.randrange))
        plain, turned = advance(plain, Entry(awaited, move)), advance(turned, Entry(1 - awaited, move))
        assert turned.view() == plain.view()
    one, other = plain.outcome(), turned.outcome()
    assert one is not None
    assert other is not None
    assert other.winners == {1 - seat for seat in one.winners}
    assert turned.roles() == plain.roles()[::-1]


def test_before_the_lot_seats_may_leave_and_nobody_moves() -> None:
    """One of three who leaves is passed over, whatever is drawn; of two, the other has won."""
    opening = GAMES["pipelines"].begin(3, LOT).leave(1, "resign")
    assert opening.departed() == {1}
    assert opening.to_act == Chance("order of turns", 6)
    for value in range(1, 7):
        position = opening.roll(value).roll(1)
        assert position.departed() == {1}
        assert position.to_act == next(seat for seat in position.turn_order() if seat != 1)
    with pytest.raises(IllegalMove):
        opening.leave(1, "resign")
    with pytest.raises(RulesError):
        opening.parse("d4")
    outcome = opening.leave(2, "timeout").outcome()
    assert outcome is not None
    assert outcome.winners == {0}


def test_who_goes_first_and_next_is_told_of_each_seat() -> None:
    """Each seat but the last has an event of its own, in their order; who is last goes without saying."""
    events = GAMES["zipline"].begin(3, LOT).describe_roll(4)
    assert [event.seat for event in events] == [1, 2]
    assert [str(event.others.about(name="Ann")) for event in events] == ["Ann goes first.", "Ann goes second."]
    assert [event.seat for event in GAMES["pipline"].begin(2, LOT).describe_roll(1)] == [0]


def test_what_a_game_tells_is_told_of_the_seats_as_they_are() -> None:
    """Events and the story of the end name the player who sits there, whatever was rolled."""
    position = rolled("zipline", 3, 6)
    assert position.describe(position.parse("take")).seat == 2
    over = rolled("snipsnip", 2, 2, Entry(0, "resign")).outcome()
    assert over is not None
    assert over.story is not None
    assert over.winners == {1}
    assert over.story.seat == 1
    assert rolled("zipline", 2, 2, Entry(1, "take")).first_cells()


def test_only_what_a_match_may_draw_is_announced() -> None:
    """Without the option a game of pure skill draws nothing; a game that draws the order itself has no lot more."""
    pipline, pippip = GAMES["pipline"], GAMES["pippip"]
    assert pipline.rolls_with(pipline.normalise({})) == ()
    assert pipline.rolls_with(pipline.normalise(LOT)) == ("order of turns",)
    assert pippip.begin(2, LOT) == pippip.begin(2, {})
    assert pippip.rolls_with(pippip.normalise(LOT)) == ("colours", "starting player", "die")
