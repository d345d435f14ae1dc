"""The board of SnipSnip plays by the rules, on all boards and with all options."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.robots.board import OVER
from pbem.robots.thinking import Match, follow
from rules.game import ORDER, replay
from rules.games import GAMES
from rules.position import Entry
from tests.robots.lockstep import in_step, one_by_day, same_compiled, whole_moves
from tests.support.examples import examples

_GAME = GAMES["snipsnip"]
_VECTORS = Path(__file__).parents[1] / "rules" / "games" / "snipsnip"
_CHOICES = {option.key: option.values for option in _GAME.options if option != ORDER}
_SMALL = ("hex-3", "hex-2-3", "equi-2-4", "equi-3-5", "square-4", "square-5", "diamond-3", "diamond-4")


def _lines(name: str) -> list[dict[str, Any]]:
    """Return the lines of a file of vectors."""
    return [json.loads(line) for line in (_VECTORS / name).read_text(encoding="utf-8").splitlines()]


def _opened(options: Mapping[str, object]) -> Match:
    """Return a match that begins."""
    return follow("snipsnip", 2, _GAME.normalise(options), [])


def _reply(match: Match, text: str) -> None:
    """Play a legal move in canonical notation."""
    for action in match.board.actions(match.opened, match.state, text):
        assert action in match.legal()
        match.play(action)


def _free(match: Match) -> set[str]:
    """Return the cells on which a stone may be placed."""
    return {text.partition("x")[0] for text in whole_moves(match)}


@given(
    options=st.fixed_dictionaries({key: st.sampled_from(values) for key, values in _CHOICES.items()}),
    small=st.sampled_from(_SMALL),
    any_board=st.sampled_from((False, False, False, True)),
    seed=st.integers(0, 2**32),
    leaving=st.sampled_from((0, 0, 0.02)),
)
@examples(150)
def test_a_random_match_goes_as_by_the_rules(
    options: dict[str, object], small: str, any_board: bool, seed: int, leaving: float
) -> None:
    """Seat to act, whole moves, seats that leave and winners, with any options; mostly on small boards."""
    in_step("snipsnip", 2, options if any_board else {**options, "board": small}, seed, leaving=leaving, sampled=1)


@pytest.mark.slow("plays on every board, or compiles")
@pytest.mark.parametrize(("number", "board"), list(enumerate(_CHOICES["board"])))
def test_every_board_goes_as_by_the_rules(number: int, board: object) -> None:
    """In misère and without; the other options change from board to board, and from form to form."""
    for misere in (True, False):
        bits = number + number // 5 + 3 * misere
        chosen = {key: _CHOICES[key][bits >> at & 1] for at, key in enumerate(("capture", "scoring", "capture_sites"))}
        in_step("snipsnip", 2, {**chosen, "board": board, "misere": misere}, number, sampled=1)


@pytest.mark.parametrize("board", sorted({line["options"]["board"] for line in _lines("snipsnip.jsonl")}))
def test_matches_played_elsewhere_go_as_they_did_there(board: str) -> None:
    """Another implementation's matches: free cells before each move where known, captures and winners."""
    for line in _lines("snipsnip.jsonl"):
        if line["options"]["board"] != board:
            continue
        match, changes = _opened(line["options"]), line.get("closing", "").split()
        expected = _free(match)
        for ply, entry in enumerate(line["moves"].split()):
            seat, _, text = entry.partition(":")
            if changes:
                for change in changes[ply - 1].replace("+", " +").replace("-", " -").split() if ply else ():
                    (expected.add if change[0] == "+" else expected.remove)(change[1:])
                assert _free(match) == expected
            assert match.actor == int(seat)
            _reply(match, text)
        assert match.actor == OVER
        assert [seat for seat in (0, 1) if match.rewards()[seat]] == line["winners"]


@pytest.mark.parametrize("line", _lines("snipsnip_cycles.jsonl"), ids=lambda line: line["options"]["board"])
def test_a_match_that_goes_round_ends_at_the_third_time(line: dict[str, Any]) -> None:
    """Without misère, and not before; a stone that removes nothing begins to count anew."""
    match, cycle, played = _opened(line["options"]), line["cycle"], len(line["setup"])
    for text in line["setup"]:
        _reply(match, text)
    while match.actor != OVER:
        _reply(match, cycle[(played - len(line["setup"])) % len(cycle)])
        played += 1
    assert played == line["ends_after_moves"]


def test_a_chain_is_followed_as_one_reply_or_several() -> None:
    """In misère; whoever begins by lot has the first seat of the board."""
    options = _GAME.normalise({"order": "lot"})
    replies = ["c1", "d5", "b3", "a1", "b1", "d2xc1 c4", "d4", "e5", "d1", "d3", "e4xd3 c3xc4 e2"]
    turns = [Entry(None, "2"), *(Entry(1 - ply % 2, reply) for ply, reply in enumerate(replies))]
    parts = [Entry(turn.seat, part) for turn in turns for part in turn.text.split()]
    outcome = replay(_GAME, seats=2, options=options, record=turns).outcome()
    matches = [follow("snipsnip", 2, options, record) for record in (turns, parts)]
    assert matches[0].state == matches[1].state
    assert outcome is not None
    for match in matches:
        assert match.actor == OVER
        assert {seat for seat in (0, 1) if match.rewards()[seat]} == outcome.winners
    assert follow("snipsnip", 2, options, parts[:-2]).actor == follow("snipsnip", 2, options, turns[:-1]).actor == 1


@pytest.mark.slow("plays on every board, or compiles")
@pytest.mark.parametrize(
    "options",
    one_by_day(
        [
            {"board": "hex-4", "capture": "between", "misere": False},
            {},
            {"board": "square-5", "misere": False, "scoring": "linked"},
            {"board": "diamond-4", "capture_sites": "all"},
        ]
    ),
)
def test_the_compiled_board_plays_the_same(options: dict[str, object]) -> None:
    """The same matches, playouts and searches from the same seeds."""
    same_compiled("snipsnip", 2, options, range(10))
