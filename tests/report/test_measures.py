"""All measures of a few games of Zipline on a small board that were written down by hand."""

from dataclasses import replace
from math import isclose, log10, sqrt

from pbem.report.course import add_up, count_bidding, find_responses
from pbem.report.measures import measure_profile
from pbem.report.plan import Plan, Task, make_plan
from pbem.report.playing import Game, play
from pbem.report.turns import opening_view
from pbem.robots.board import WHOLE

_FIRST = Game(
    "search",
    0,
    [WHOLE, 0],
    [10, 10, 100, 10, 10],
    [0, 0, 1, 0, 0],
    [600, None, 700, 400, 700],
    [2, None, 4, 3, 5],
    [("a1", 60, 600), ("b2", 20, 200), ("e5", 1, 1000)],
    [(0, "a1"), (1, "take"), (0, "b1 e5")],
    [(0, 0, "a1"), (2, 0, "b1"), (2, 0, "e5")],
    ["Pip", "Zip"],
)
"""The first seat wins as Pip: a1, the end of its bid, “take” and two more stones are a step each."""

_SECOND = Game(
    "search",
    1,
    [0, WHOLE],
    [10, 10, 10, 10],
    [0, 0, 1, 1],
    [400, None, 300, None],
    [3, None, 9, None],
    [("a1", 20, 200)],
    [(0, "a1"), (1, "d5")],
    [(0, 0, "a1"), (1, 1, "d5")],
    ["Pip", "Zip"],
)


def _plan() -> Plan:
    return make_plan("zipline", 2, {"size": 5}, 8, 2, 1, profile="published")


def test_figures_are_those_worked_out_by_hand() -> None:
    """Each from two games between searching players, whatever their order."""
    found = measure_profile(_plan(), [_SECOND, _FIRST])
    assert found == measure_profile(_plan(), [_FIRST, _SECOND])
    assert found["length"]["search"]["mean"] == (5 + 4) / 2
    assert (found["length"]["search"]["mode"], found["length"]["search"]["median"]) == ([4, 5], 4.5)
    assert found["length"]["random"] is None
    assert found["branching"]["search"]["mean"]["mean"] == (28 + 10) / 2
    assert found["branching"]["search"]["by_step"] == [10, 10, 55, 10]
    assert isclose(found["complexity"]["log_branching"], (8 * 1 + 2) / 9)
    assert isclose(found["complexity"]["tree"]["mean"], (6 + 4) / 2)
    assert isclose(found["complexity"]["state_space"], 25 * log10(3))
    assert found["board_use"]["mean"] == (12 + 8) / 2
    assert found["balance"]["search"]["draws"]["won"] == 0
    assert found["balance"]["search"]["decisive"]["won"] == 2
    assert [(one["role"], one["won"]) for one in found["balance"]["search"]["roles"]] == [("Pip", 1), ("Zip", 1)]
    assert [one["won"] for one in found["balance"]["search"]["seats"]] == [1, 1]
    # As a king goes, whoever placed them: from a1 to b1, to e5; and from a1 to d5.
    assert isclose(found["response_distance"]["mean"], (1 + 4 + 4) / 3)
    assert found["heat"]["placed"] == {"a1": 1, "b1": 0.5, "d5": 0.5, "e5": 0.5}
    assert found["heat"]["winners"] == {"a1": 0.5, "b1": 0.5, "d5": 0.5, "e5": 0.5}
    assert found["opening_map"]["placed"] == {"a1": 1, "b1": 0.5, "d5": 0.5, "e5": 0.5}
    assert found["opening_map"]["won"] == {"a1": 0.5, "b1": 1, "d5": 1, "e5": 1}
    # e5 had one playout of 101, less than a tenth of a third of them, and less than 20.
    assert [(one["move"], one["playouts"], one["value"]) for one in found["openings"]] == [
        ("a1", 80, (60 * 600 + 20 * 200) / 80 / 1000),
        ("b2", 20, 0.2),
    ]
    # Those of the auction don’t count.
    assert found["good_moves"]["mean"]["mean"] == (3 + 5) / 2
    assert found["good_moves"]["by_step"] == [None, None, None, 3]
    assert found["auction"]["never_ended"] == 1
    assert found["auction"]["placed"]["mean"] == 1
    assert (found["taker"]["won"], found["taker"]["played"]) == (0, 1)
    # a1 and the end of a bid twice, and “take”, b1, e5 and d5 once.
    assert found["actions"] == {"distinct": 6, "good": 2, "bad": 4}
    # In the second game a1 and the end of the bid lead nowhere new: the beginning and a1 were there before.
    assert found["new_positions"]["by_step"] == [0.5, 0.5, 0.5, 1]
    assert found["new_positions"]["share"] == (1 + 1 / 4) / 2
    # After the auction the first winner saw 0.4, behind by 0.2, then 0.7; the second game was over in its auction.
    assert isclose(found["drama"]["mean"]["mean"], sqrt(0.2))
    # In all steps: 0.6, 0.3, 0.4, 0.7 and 0.6, 0.3.
    assert isclose(found["drama"]["lead_changes"]["mean"], (2 / 3 + 1) / 2)


def test_a_game_that_was_played_has_its_auction_found() -> None:
    """The steps of a game and those counted from its record are the same, so that what follows an auction is known."""
    plan = make_plan("zipline", 2, {"size": 5}, 8, 2, 1)
    for number in range(4):
        game = play(plan, Task(plan.series()[1], number), lambda: False)
        bidding, ply = count_bidding(plan, game), [text for _, text in game.record].index("take")
        assert game.actors[bidding - 1] == game.record[ply][0]
        assert len(game.choices) - bidding == sum(len(text.split()) for _, text in game.record[ply + 1 :])


def test_partners_count_once_and_drawn_games_as_drawn() -> None:
    """A role that two seats hold has one result a game; a shared win is a draw, and part of a win for each."""
    plan = make_plan("zipline", 2, {"size": 5}, 8, 4, 1)
    team = Game("seats 3", 0, [0, WHOLE, WHOLE], [3, 2], roles=["Zip", "Pip", "Pip"])
    shared = replace(_FIRST, number=2, rewards=[WHOLE // 2, WHOLE // 2], record=[])
    found = measure_profile(plan, [team, shared])
    (three,) = found["other_seats"]
    assert [(one["role"], one["played"], one["won"]) for one in three["balance"]["roles"]] == [
        ("Pip", 1, 1),
        ("Zip", 1, 0),
    ]
    assert three["balance"]["draws"]["won"] == 0
    assert [one["won"] for one in found["balance"]["search"]["seats"]] == [0.5, 0.5]
    assert found["balance"]["search"]["draws"]["share"] == 1


def test_the_challenger_is_counted_at_the_seat_that_they_had() -> None:
    """First in games with an even number, second in the others; the first seat is another matter."""
    games = [
        Game("ladder 8 4", number, rewards, [2] * (number + 1))
        for number, rewards in enumerate([[WHOLE, 0], [WHOLE, 0], [0, WHOLE], [0, WHOLE]])
    ]
    (rung,) = measure_profile(make_plan("zipline", 2, {"size": 5}, 8, 8, 1), games)["ladder"]
    assert (rung["strong"], rung["weak"]) == (8, 4)
    assert [(rung[key]["won"], rung[key]["played"]) for key in ("all", "first", "later")] == [(2, 4), (1, 2), (1, 2)]
    assert (rung["first_seat"]["won"], rung["length"]["mean"]) == (2, 2.5)


def test_what_thinking_and_other_ways_of_it_do_stands_side_by_side() -> None:
    """With each number of playouts, that of the best players among them, and for each other mind."""
    plan = make_plan("zipline", 2, {"size": 5}, 21, 4, 1, profile="published")
    games = [replace(_FIRST, series=key) for key in ("curve 2", "search", "curve 45", "variant no opening")]
    found = measure_profile(plan, games)
    assert [(one["playouts"], one["length"]["mean"], one["taker"]["won"]) for one in found["curve"]] == [
        (2, 5, 0),
        (21, 5, 0),
        (45, 5, 0),
    ]
    assert [(one["key"], one["placed"]["mean"], one["board_use"]["mean"]) for one in found["variants"]] == [
        ("search", 1, 12),
        ("no opening", 1, 12),
    ]


def test_a_first_step_that_was_hardly_tried_has_no_value() -> None:
    """Of 19 playouts it is noise."""
    game = Game("search", 0, [WHOLE, 0], [2], opening=[("a1", 20, 500), ("b2", 19, 900)])
    assert [one["move"] for one in measure_profile(_plan(), [game])["openings"]] == ["a1"]


def test_what_grows_rare_has_a_sum() -> None:
    """Half as much new in each game as in the one before: 4 + 2 + 1 … = 8."""
    assert isclose(add_up([[1, 1, 1, 1], [1, 1, 0, 0]]) or 0, log10(8))
    assert add_up([[1, 1], [1, 1]]) is None
    assert add_up([[1, 0]]) is None


def test_distances_on_hexagons_are_steps_from_cell_to_cell() -> None:
    """Up and to the left is one step, up and to the right another; as a king goes both would be diagonal."""
    plan = make_plan("pipelines", 2, {"size": 7}, 8, 2, 1)
    placed = [(0, 0, "b2"), (1, 1, "c3"), (2, 0, "b4")]
    game = Game("search", 0, [WHOLE, 0], [2], placed=placed)
    view = opening_view(plan.game, 2, tuple(plan.options.items()))
    assert list(find_responses([game], view)) == [1, 2]
