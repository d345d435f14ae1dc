"""The scores of a game whose steps were written down by hand, and what is told of one that was played."""

from typing import Any

import pytest

from pbem.report.plan import Task, make_plan
from pbem.report.playing import play
from pbem.report.study import draw, find_representative, score, study
from pbem.robots.board import WHOLE


def _step(actor: int, best: int, **others: Any) -> dict[str, Any]:
    usual = {
        "nothing": None,
        "short": best,
        "before": best,
        "favourite": True,
        "choices": 10,
        "effective": 1,
        "good": 0,
    }
    return {"actor": actor, "best": best, **usual, **others}


_STEPS = [
    _step(0, 600, nothing=200, short=500, before=300, effective=10, good=10),
    _step(1, 700, nothing=800, favourite=False, effective=5, good=5),
    _step(0, 550, short=450, before=None),
    _step(1, 40),
]
"""The first seat wins; its chances are 0.6, 0.3, 0.55 and 0.96."""


def test_scores_are_those_worked_out_by_hand() -> None:
    """In per cent of four steps."""
    found = score(_STEPS, [WHOLE, 0])
    assert found["hot"] == 50
    assert found["depth"] == (10 + 0 + 10 + 0) / 4
    assert (found["foulup"], found["surprising"], found["critical"]) == (25, 25, 50)
    # The first seat goes down, then the second, then the first up and, as the second sees it, down to the end.
    assert found["momentum"] == 25
    # From 0.1 off to 0.2, 0.05, 0.46 and 0.5.
    assert found["correction"] == 25
    assert found["drama"] == pytest.approx(100 * 0.4**0.5)
    assert (found["last_lead_change"], found["decisiveness"]) == (50, 25)
    assert found["effective_all"] == {"percent": 42.5, "number": 4.25, "space": pytest.approx(1.69897)}
    assert found["effective_first"] == {"percent": 55, "number": 5.5, "space": 1}
    assert found["good_second"] == {"percent": 25, "number": 2.5, "space": pytest.approx(0.69897)}


def test_more_than_two_seats_and_draws_have_no_lead() -> None:
    """Nobody is ahead of all others."""
    assert score(_STEPS, [WHOLE, 0, 0])["momentum"] is None
    assert score(_STEPS, [WHOLE // 2, WHOLE // 2])["drama"] is None
    assert score([], [WHOLE, 0])["hot"] is None


def test_a_game_that_was_played_is_studied_and_drawn() -> None:
    """The same each time; its steps, kinds and stones are those of its record."""
    plan = make_plan("zipline", 2, {"size": 5}, 8, 3, 1, profile="published")
    games = [play(plan, Task(plan.series()[1], number), lambda: False) for number in range(3)]
    game = find_representative(games)
    assert game
    found = study(plan, game)
    assert found == study(plan, game)
    steps = found["steps"]
    assert [step["actor"] for step in steps] == game.actors
    assert [step["choices"] for step in steps] == game.choices
    assert [step["kind"] for step in steps].count("piece") == len(game.placed)
    assert {"take", "end", "piece"} >= {step["kind"] for step in steps}
    assert steps[0]["pieces"] == [0, 0]
    assert all(0 <= step["nothing"] <= 1000 for step in steps)
    numbers = {number: cell for cell, _, number in draw(plan, game)["stones"]}
    assert [numbers[number + 1] for number in range(len(numbers))] == [cell for *_, cell in game.placed]
