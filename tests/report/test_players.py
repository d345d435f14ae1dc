"""Naive players do what they are called for, and actions of any board have the names of cells."""

from random import Random

import pytest

from pbem.report.minds import search, see
from pbem.report.plan import Player, make_plan
from pbem.report.players import choose, count_good
from pbem.report.turns import Turns, opening_view, places, tokens
from pbem.robots.thinking import Line, follow
from rules.games import GAMES
from rules.position import Entry


def _turns(game: str, options: dict[str, object], moves: list[str]) -> Turns:
    """Return a match after some moves of two seats."""
    plan = make_plan(game, 2, options, 4, 1, 1)
    view = opening_view(game, 2, tuple(plan.options.items()))
    turns = Turns(follow(game, 2, plan.options, ()), frozenset(places(view)))
    for text in moves:
        for action in turns.match.board.actions(turns.match.opened, turns.match.state, text):
            turns.play(action)
    return turns


def _answer(kind: str, game: str, options: dict[str, object], moves: list[str]) -> str:
    """Return the first cell or word of what a naive player answers to some moves."""
    turns = _turns(game, options, moves)
    plan = make_plan(game, 2, options, 4, 1, 1)
    where = places(opening_view(game, 2, tuple(plan.options.items())))
    action = choose(Player(kind), turns, where, Random(1)).action
    return tokens(turns.names([action])[0])[0]


@pytest.mark.parametrize(("kind", "cell"), [("mirror", "e4"), ("across", "e2"), ("upside", "a4"), ("middle", "c3")])
def test_an_answer_on_a_square_board(kind: str, cell: str) -> None:
    """A stone on a2 of 5×5."""
    assert _answer(kind, "zipline", {"size": 5}, ["a2"]) == cell


def test_one_who_plays_near_plays_beside() -> None:
    """Next to the latest stone, orthogonally."""
    assert _answer("near", "zipline", {"size": 5}, ["a2"]) in {"a1", "b2", "a3"}


@pytest.mark.parametrize(("kind", "cell"), [("mirror", "e5"), ("across", "c1"), ("middle", "c3")])
def test_an_answer_on_a_hex_board(kind: str, cell: str) -> None:
    """A stone on a1 of a hexagon of side 3, whose lowest row is a1 to c1."""
    assert _answer(kind, "snipsnip", {"board": "hex-3"}, ["a1"]) == cell


def test_one_who_copies_does_the_same_where_that_is_legal() -> None:
    """A point that is taken is none: then any other is played."""
    turns = _turns("zipline", {"size": 5}, ["a2 c3"])
    c5, d5 = turns.match.board.actions(turns.match.opened, turns.match.state, "c5 d5 e5")[:2]
    assert choose(Player("copy"), turns, {}, Random(1)).action in turns.match.legal()
    turns.latest[0] = [], [c5, d5]
    assert choose(Player("copy"), turns, {}, Random(1)).action == c5
    turns.play(c5)
    assert choose(Player("copy"), turns, {}, Random(1)).action == d5


@pytest.mark.parametrize(("mind", "takes"), [("plain", True), ("no opening", False)])
def test_one_who_may_not_open_with_it_never_takes_at_once(mind: str, takes: bool) -> None:
    """On a board where plain search takes at the first step; later both may."""
    plan = make_plan("zipline", 2, {"size": 5}, 4, 1, 1)
    view = opening_view("zipline", 2, tuple(plan.options.items()))
    firsts = set[str]()
    for seed in range(12):
        turns = Turns(follow("zipline", 2, plan.options, ()), frozenset(places(view)), "take")
        choice = choose(Player("search", 3, mind), turns, places(view), Random(seed))
        firsts |= set(turns.names([line.action for line in choice.lines]))
    assert ("take" in firsts) is takes


def test_plain_search_has_neither_hints_nor_a_rule_for_the_auction() -> None:
    """Its playouts go to the end, so that a bid is worth as much as what comes of it; a flat one has one step."""
    match = follow("zipline", 2, GAMES["zipline"].normalise({"size": 5}), ())
    assert {line.playouts for line in search(match, "plain", 26, 1, bidding=True)} == {1}
    assert sum(line.playouts for line in search(match, "robots", 26, 1, bidding=True)) > 26
    deep, flat = (search(match, "plain", 2000, 1, bidding=True, flat=flat) for flat in (False, True))
    assert deep != flat
    assert see(match, "hints after", bidding=False) == see(match, "robots") != see(match, "hints after", bidding=True)


def test_who_has_nothing_to_answer_plays_at_random() -> None:
    """The first move, and one whose image is taken, are any."""
    first = {_answer(kind, "snipsnip", {"board": "hex-3"}, []) for kind in ("mirror", "across", "near")}
    assert len(first) == 1
    assert _answer("mirror", "snipsnip", {"board": "hex-3"}, ["c3"]) != "c3"


def test_the_record_of_turns_is_that_of_moves() -> None:
    """With the cells that the latest move of a seat named, for the other to answer."""
    turns = _turns("zipline", {"size": 5}, ["a2 c3", "take"])
    assert turns.record == [Entry(0, "a2 c3"), Entry(1, "take")]
    assert [cells for cells, _ in turns.latest.values()] == [["a2", "c3"], []]
    assert turns.answered() == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("d4 e15", ["d4", "e15"]),
        ("b2xc3", ["b2", "x", "c3"]),
        ("use 4 b3 n1", ["use", "4", "b3", "n1"]),
        ("take", ["take"]),
    ],
)
def test_moves_are_cells_and_words(text: str, found: list[str]) -> None:
    """In any notation of the games."""
    assert tokens(text) == found


def test_good_moves_are_near_the_best_and_were_tried() -> None:
    """Within 50 ‰ of the most tried, with a tenth of its playouts at least; better ones count as well."""
    lines = [Line(0, 100, 600), Line(1, 50, 550), Line(2, 40, 549), Line(3, 10, 900), Line(4, 9, 600)]
    assert count_good(lines) == 3
