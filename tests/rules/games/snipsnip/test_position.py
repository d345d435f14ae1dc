"""SnipSnip: boards and matches from elsewhere, a slow second reading of the rules, and every clause on small boards."""

import json
from collections.abc import Mapping
from functools import cache, partial
from itertools import combinations, groupby, product
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import AmbiguousMove, IllegalMove, InvalidMove, InvalidOption, RulesError
from rules.game import Value, replay
from rules.games import GAMES
from rules.games.snipsnip import texts
from rules.games.snipsnip.boards import KEYS, board, group, middles
from rules.games.snipsnip.position import Move, Part, SnipSnip
from rules.phrase import phrase
from rules.position import Entry, Objective
from tests.support.approved import approve, error_of, sentences
from tests.support.codes import RULES, codes_in
from tests.support.diagrams import stones
from tests.support.each import each
from tests.support.examples import examples

GAME = GAMES["snipsnip"]
VECTORS = Path(__file__).parent


def lines(name: str) -> list[dict[str, Any]]:
    """Return the lines of a file of vectors."""
    return [json.loads(line) for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()]


def start(**options: Value) -> SnipSnip:
    """Return an opening position."""
    position = GAME.begin(2, options)
    assert isinstance(position, SnipSnip)
    return position


def after(position: SnipSnip, *texts: str) -> SnipSnip:
    """Return the position after moves, written as players write them."""
    for text in texts:
        position = position.play(position.parse(text))
    return position


def mask(key: str, names: str | list[str]) -> int:
    """Return the set of cells with ``names``."""
    return sum(board(key).bits[name] for name in (names.split() if isinstance(names, str) else names))


def placed(white: str, black: str, turn: int = 0, **options: Value) -> SnipSnip:
    """Return a position with stones on the cells named."""
    opening = start(**options)
    key = opening.setup.board.key
    return SnipSnip(opening.setup, (mask(key, white), mask(key, black)), turn)


def free(position: SnipSnip) -> set[str]:
    """Return the cells on which a stone may be placed, from the moves that are offered."""
    return {move.parts[0].cell for move in position.legal_moves()}


def ways(position: SnipSnip, cell: str) -> set[str]:
    """Return the moves offered for a stone on ``cell``."""
    return {str(move) for move in position.legal_moves() if move.parts[0].cell == cell}


def ending(position: SnipSnip) -> tuple[list[int], str]:
    """Return who won, and why."""
    outcome = position.outcome()
    assert outcome is not None
    return sorted(outcome.winners), outcome.reason


def names(text: str) -> set[str]:
    """Return the words of a text."""
    return set(text.split())


class Graph(NamedTuple):
    """A board as it was published: the neighbours of each cell, and the cell two steps on with the one between."""

    beside: dict[str, set[str]]
    straight: dict[str, dict[str, str]]


@cache
def graphs() -> dict[str, Graph]:
    """Return the published boards."""
    found = {}
    for line in lines("boards.jsonl"):
        beside = {cell: names(near) for cell, (near, _) in line["cells"].items()}
        straight = {
            cell: {pair.split(">")[1]: pair.split(">")[0] for pair in far.split()}
            for cell, (_, far) in line["cells"].items()
        }
        found[line["board"]] = Graph(beside, straight)
    return found


Patterns = tuple[tuple[str, str, frozenset[str]], ...]


@cache
def patterns(key: str, capture: str) -> Patterns:
    """Return both ends and the middles of every pattern, word by word as the rules define them."""
    beside, straight = graphs()[key]
    found = []
    for one, other in combinations(beside, 2):
        if other in straight[one]:
            middle = {straight[one][other]} if capture == "between" else set()
        else:
            middle = beside[one] & beside[other] if capture == "diagonal" and other not in beside[one] else set()
        if middle:
            found.append((one, other, frozenset(middle)))
    return tuple(found)


def closed(key: str, capture: str, owners: Mapping[str, int]) -> set[str]:
    """Return the capture sites of a board on which ``owners`` have stones."""
    return {
        cell
        for one, other, middle in patterns(key, capture)
        if one in owners and other in owners and owners[one] != owners[other]
        for cell in middle
    }


def candidates(
    key: str, capture: str, owners: Mapping[str, int], cell: str, seat: int, every_site: bool = False
) -> set[str]:
    """Return the stones of which ``seat`` would remove one after placing a stone on ``cell``."""
    if every_site:
        sites = closed(key, capture, {**owners, cell: seat}) & graphs()[key].beside[cell]
        return {stone for stone in sites if owners.get(stone) == 1 - seat}
    return {
        stone
        for one, other, middle in patterns(key, capture)
        if cell in (one, other) and owners.get(other if cell == one else one) == 1 - seat
        for stone in middle
        if owners.get(stone) == 1 - seat
    }


def largest_group(key: str, linked: bool, owners: Mapping[str, int], seat: int) -> int:
    """Return the size of the largest group of ``seat``."""
    near = {cell: set(beside) for cell, beside in graphs()[key].beside.items()}
    for one, other, _ in patterns(key, "diagonal") if linked else ():
        near[one].add(other)
        near[other].add(one)
    rest, sizes = {cell for cell, owner in owners.items() if owner == seat}, [0]
    while rest:
        group, edge = 0, [rest.pop()]
        while edge:
            found = near[edge.pop()] & rest
            rest -= found
            edge += found
            group += 1
        sizes.append(group)
    return max(sizes)


@each("key", list(graphs()))
def test_a_board_is_as_published(key: str) -> None:
    """Names, neighbours, straight lines and what lies between cells agree with the published boards."""
    (beside, straight), ground = graphs()[key], board(key)
    assert set(ground.bits) == set(beside)
    diagonal = {frozenset((one, two)): set(middle) for one, two, middle in patterns(key, "diagonal")}
    for one, two in combinations(beside, 2):
        some, others = ground.bits[one], ground.bits[two]
        between = {straight[one][two]} if two in straight[one] else set()
        assert set(ground.listed(middles(ground.straight, some, others) & ground.every)) == between
        common = diagonal.get(frozenset((one, two)), set())
        assert set(ground.listed(middles(ground.diagonal, others, some) & ground.every)) == common
        assert (group(ground.near, some | others, some) == some | others) == (two in beside[one])
        assert (group(ground.far, some | others, others) == some | others) == bool(common)


def test_all_boards_have_the_right_number_of_cells() -> None:
    """Those of two hexagons are not as published, but as the formula says; the cell of the first example is on all."""
    counts = {key: len(board(key).bits) for key in KEYS}
    assert len(counts) == 28
    for key, count in counts.items():
        kind, *sides = key.split("-")
        short, long = int(sides[0]), int(sides[-1])
        triangle = (short + 2 * long - 2) * (short + 2 * long - 1) // 2
        hexagon = triangle - 3 * (long - 1) * long // 2
        assert count == {"square": long**2, "diamond": long**2 + (long - 1) ** 2}.get(kind, hexagon)
        assert GAME.example in board(key).bits
    assert [counts[f"hex-{side}"] for side in range(3, 8)] == [19, 37, 61, 91, 127]
    assert (counts["hex-6-7"], counts["equi-6-8"]) == (108, 126)
    rows = [sum(row == wanted for _, row in board("equi-6-8").places.values()) for wanted in range(13)]
    assert rows == [8, 9, 10, 11, 12, 13, 12, 11, 10, 9, 8, 7, 6]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", list(graphs()))
def test_matches_played_elsewhere_go_as_they_did_there(key: str) -> None:
    """Another implementation's matches: free cells before each move where known, captures, groups and winners.

    Chains, which were written stone by stone, are played as one reply too.
    """
    matches = [match for match in lines("snipsnip.jsonl") if match["options"]["board"] == key]
    assert len(matches) >= 12
    for match in matches:
        position, record, changes = start(**match["options"]), [], match.get("closing", "").split()
        expected = set(position.setup.board.bits)
        for ply, entry in enumerate(match["moves"].split()):
            seat, _, text = entry.partition(":")
            if changes:
                for change in changes[ply - 1].replace("+", " +").replace("-", " -").split() if ply else ():
                    (expected.add if change[0] == "+" else expected.remove)(change[1:])
                assert free(position) == expected
            assert position.to_act == int(seat)
            assert str(position.parse(text)) == text
            position = after(position, text)
            record.append(Entry(int(seat), text))
        assert ending(position)[0] == match["winners"]
        assert position.view().standing[0].arguments == (("white", match["largest"][0]), ("black", match["largest"][1]))
        assert replay(GAME, seats=2, options=match["options"], record=record) == position
        turns = [" ".join(entry.text for entry in turn) for _, turn in groupby(record, lambda entry: entry.seat)]
        assert after(start(**match["options"]), *turns) == position


@each("line", lines("snipsnip_cycles.jsonl"), ids=lambda line: line["options"]["board"])
def test_a_match_that_goes_round_ends_at_the_third_time(line: dict[str, Any]) -> None:
    """Without misère the third occurrence of a position ends the match; the second is announced."""
    position, played = after(start(**line["options"]), *line["setup"]), len(line["setup"])
    warned = 0
    while position.outcome() is None:
        position = after(position, line["cycle"][(played - len(line["setup"])) % len(line["cycle"])])
        played += 1
        warned += texts.TWICE in position.view().standing
    assert played == line["ends_after_moves"]
    assert warned == len(line["cycle"])
    assert ending(position)[1].endswith(", when the same position had come up three times")


SMALL = [key for key in graphs() if len(graphs()[key].beside) <= 48]
CHOICES = st.tuples(
    st.sampled_from(SMALL),
    st.sampled_from(["diagonal", "between"]),
    st.sampled_from(["groups", "linked"]),
    st.booleans(),
    st.sampled_from(["new", "all"]),
)


@examples(150)
@given(chosen=CHOICES, seed=st.integers(0, 10**6))
def test_every_move_is_as_the_definitions_say(chosen: tuple[str, str, str, bool, str], seed: int) -> None:
    """Through whole matches: free cells, removals, whose turn it is, the end and the winner, found the slow way."""
    (key, capture, scoring, misere, sites), random = chosen, Random(seed)
    position = start(board=key, capture=capture, scoring=scoring, misere=misere, capture_sites=sites)
    owners, seat, seen = dict[str, int](), 0, list[tuple[object, int]]()
    while True:
        able = {
            cell: candidates(key, capture, owners, cell, seat, every_site=sites == "all")
            for cell in set(graphs()[key].beside) - set(owners) - closed(key, capture, owners)
        }
        sizes = [largest_group(key, scoring == "linked", owners, other) for other in (0, 1)]
        assert position.view().standing[0] == texts.groups(scoring == "linked", sizes)
        if not able or (not misere and seen.count((owners, seat)) == 3):
            break
        assert position.to_act == seat
        expected = {f"{cell}x{gone}" for cell, taken in able.items() for gone in taken}
        expected |= {cell for cell, taken in able.items() if not taken}
        offered = [str(move) for move in position.legal_moves()]
        assert set(offered) == expected
        assert len(offered) == len(expected)
        text = random.choice(sorted(offered))
        position = after(position, text)
        cell, _, gone = text.partition("x")
        owners = {**owners, cell: seat}
        owners.pop(gone, None)
        seat = seat if misere and gone else 1 - seat
        seen.append((owners, seat))
    winner = 1 - seat if sizes[0] == sizes[1] else sizes.index(min(sizes) if misere else max(sizes))
    assert ending(position)[0] == [winner]


@examples(150)
@given(chosen=CHOICES, empty=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_any_stones_close_and_capture_as_the_definitions_say(
    chosen: tuple[str, str, str, bool, str], empty: int, seed: int
) -> None:
    """On boards strewn with stones, as no match may lead to: who may play where, and what could be removed."""
    (key, capture, scoring, misere, sites), random = chosen, Random(seed)
    options: dict[str, Value] = {
        "board": key,
        "capture": capture,
        "scoring": scoring,
        "misere": misere,
        "capture_sites": sites,
    }
    owners = {cell: random.randrange(2) for cell in graphs()[key].beside if random.randrange(8) >= empty}
    white, black = (" ".join(cell for cell in owners if owners[cell] == seat) for seat in (0, 1))
    for seat in (0, 1):
        position = placed(white, black, seat, **options)
        open_cells = set(graphs()[key].beside) - set(owners) - closed(key, capture, owners)
        assert free(position) == open_cells
        marked = {cell.name for cell in position.view().cells if "closed" in cell.marks}
        assert marked == set(graphs()[key].beside) - set(owners) - open_cells
        capturing = {cell for _, cells in position.view().choices for cell in cells}
        for cell in open_cells:
            able = candidates(key, capture, owners, cell, seat, every_site=sites == "all")
            assert (cell in capturing) == bool(able)
            assert ways(position, cell) == ({f"{cell}x{gone}" for gone in able} or {cell})


CORNERED = placed("a1 e2", "c2 c3")
"""White may play d4, which captures c3."""


def test_a_diagonal_capture_is_as_the_help_tells() -> None:
    """The worked example: d4 captures c3, and closes both cells between d4 and c2 to both sides."""
    position = after(CORNERED, "d4xc3")
    assert ways(CORNERED, "d4") == {"d4xc3"}
    for text in ("d4xc3", "c3 and d3 are capture sites", "c4, c3 and c2 lie in a straight line"):
        assert any(text in paragraph.message for paragraph in GAME.help)
    assert not {"c3", "d3"} & free(position)
    assert not {"c3", "d3"} & free(after(position, "b3"))
    assert ways(placed("a1 e2", "c2 c3", capture="between"), "c4") == {"c4xc3"}
    assert ways(placed("a1 e2", "c2 c3", capture="between"), "d4") == {"d4"}
    marks = {cell.name: set(cell.marks) for cell in position.view().cells if cell.marks}
    shut = {"closed"}
    assert marks == {"d4": {"last"}, "c3": {"last", "closed"}, "d3": shut, "b1": shut, "b2": shut}


def square(diagram: str, turn: int = 0, **options: Value) -> SnipSnip:
    """Return the position of a diagram of a square board."""
    key = f"square-{len(diagram.strip().splitlines())}"
    white, black = (" ".join(stones(diagram, symbol)) for symbol in "OX")
    return placed(white, black, turn, board=key, **options)


def test_a_square_board_has_straight_neighbours_only() -> None:
    """Between: along rows and columns; diagonal: the other two corners of a block."""
    diagram = """
        . . . .
        . . . .
        . X X .
        O . . .
    """
    assert ways(square(diagram, capture="between"), "d2") == {"d2xc2"}
    assert free(square(diagram, capture="between")) == set(board("square-4").bits) - names("a1 b2 c2")
    assert ways(square(diagram), "d3") == {"d3"}
    assert ways(square(diagram), "c3") == {"c3xc2"}
    assert free(square(diagram)) == set(board("square-4").bits) - names("a1 b2 c2 a2 b1")


def test_a_diamond_has_eight_directions() -> None:
    """Between: along diagonals too; diagonal: a knight's move, which has two cells in the middle."""
    position = placed("c1", "d3 c3", board="diamond-3", capture="between")
    assert ways(position, "e3") == {"e3xd3"}
    assert ways(placed("a3", "c3 d4", board="diamond-3", capture="between"), "b2") == {"b2xc3"}
    knight = placed("", "c2 c3 d3 b4", board="diamond-3")
    assert ways(knight, "d4") == {"d4xc3", "d4xd3"}
    assert free(placed("d4", "c2", board="diamond-3")) == set(board("diamond-3").bits) - names("d4 c2 c3 d3")


def test_only_a_pattern_with_the_new_stone_captures() -> None:
    """An opposing stone on a capture site of older stones stays when the new stone is no end of that pattern."""
    position = placed("d4", "c2 c3")
    assert ways(position, "c4") == {"c4"}
    assert after(position, "c4").stones[1] == mask("equi-2-4", "c2 c3")
    assert ways(position, "b3") == {"b3xc3"}


def test_own_stones_are_never_removed() -> None:
    """The middle must hold an opposing stone, and the other end too."""
    assert ways(placed("c3", "c2"), "e5") == {"e5"}
    assert ways(placed("c2", "c3"), "d4") == {"d4"}


def test_a_removed_end_opens_its_sites_again() -> None:
    """A cell is closed only as long as both ends stand."""
    position = placed("d5", "b2 c3")
    assert not {"c4", "d4"} & free(position)
    position = after(position, "d3xc3")
    assert {"c4", "d4"} <= free(position)
    assert not {"c2", "c3"} & free(position)


def test_a_removal_is_compulsory() -> None:
    """A move made by hand that omits it is refused, as is one that removes what cannot be removed."""
    for part in (Part("d4"), Part("d4", "c2"), Part("d4", "d3"), Part("d4", "zz"), Part("e5", "c3"), Part("")):
        with pytest.raises(IllegalMove):
            CORNERED.play(Move((part,)))
    with pytest.raises(IllegalMove) as error:
        CORNERED.play(Move((Part("d4"),)))
    assert error.value.code == "removal_missing"
    with pytest.raises(IllegalMove) as error:
        CORNERED.play(Move(()))
    assert error.value.code == "not_a_move"
    assert CORNERED.play(Move((Part("d4", "c3"),))) == after(CORNERED, "d4")


OPENING = ["e5", "b2", "a1", "e3", "d5", "c1", "a2", "d4", "c3", "d1", "d3"]
CHAIN = ["c4xd5", "b3xa2", "e4xd3", "d2"]


def test_who_removed_a_stone_takes_another_turn() -> None:
    """Black removes three stones one after another; White is to act only after the stone that removes nothing."""
    position = after(start(), *OPENING)
    for number, text in enumerate(CHAIN):
        assert position.to_act == 1
        position = after(position, text)
        assert (texts.AGAIN[1] in position.view().standing) == (number < 3)
        assert ("You captured, so you play again" in str(position.prompt().instruction)) == (number < 3)
    assert position.to_act == 0
    assert after(start(misere=False), *OPENING, CHAIN[0]).to_act == 0


@each("cuts", list(product((" ", None), repeat=3)))
def test_a_chain_in_one_reply_is_its_parts(cuts: tuple[str | None, ...]) -> None:
    """However the chain is distributed over replies, it leads to the same position and marks the whole turn."""
    replies = [CHAIN[0]]
    for cut, text in zip(cuts, CHAIN[1:], strict=True):
        if cut:
            replies[-1] += cut + text
        else:
            replies.append(text)
    position = after(after(start(), *OPENING), *replies)
    assert position == after(after(start(), *OPENING), " ".join(CHAIN))
    assert {cell.name for cell in position.view().cells if "last" in cell.marks} == names("c4 d5 b3 a2 e4 d3 d2")
    assert {cell.name for cell in position.view().cells if "earlier" in cell.marks} == names("c4 b3 e4")


@each(
    "text",
    [
        "c4xd5 b3xa2 e4xd3 d2",
        "c4xd5 b3 e4 d2",
        "c4xd5, b3xa2, e4xd3, d2",
        "C4 X D5 B3 X A2 E4 X D3 D2.",
        "c4:d5 b3×a2 then e4 takes d3 and d2",
        "c4 takes d5, b3 captures a2, e4 removes d3, d2",
        "c 4 x d 5 / b 3 / e 4 / d 2",
        "  c04xd05   b3  xa2 e4x d3 d2!",
        "c4xd5 - b3xa2 – e4xd3-d2",
    ],
)
def test_a_chain_is_read_as_people_write_it(text: str) -> None:
    """One notation is printed, with the removals that went without saying."""
    position = after(start(), *OPENING)
    move = position.parse(text)
    assert str(move) == "c4xd5 b3xa2 e4xd3 d2"
    assert position.parse(str(move)) == move
    assert position.describe(move) == texts.played(1, [("c4", "d5"), ("b3", "a2"), ("e4", "d3"), ("d2", "")])


MID_TURN = "d2 b3 e5 b2 d1 c4 c1 c3 e4 a1 a2xb2 e3 e2xd1 b1xc1 d1xd2 c1 c2xc1"
"""A match that is over when White, who has just removed a stone, is to place another."""


def test_a_match_may_end_within_a_turn() -> None:
    """When the player who is to place again has no free cell, the match is over and a tie is lost for him."""
    position = after(start(), *MID_TURN.split()[:-1])
    assert position.to_act == 0
    over = after(position, "c2xc1")
    assert ending(over) == ([1], "largest groups of 3 each, and White was next to place")
    assert error_of(position, "c2xc1 c1").code == "turn_ends_before"


def test_the_smaller_largest_group_wins_in_misere() -> None:
    """And the larger one without."""
    white, black = "a1 b1 c1 d1", "a3 b3 c3 d3 a4 b4 c4"
    position = placed(white, black, 1, board="square-4", capture="between")
    assert free(position) == {"d4"}
    assert ending(after(position, "d4")) == ([0], "a largest group of 4 against 8")
    position = placed(white, black, 1, board="square-4", capture="between", misere=False)
    assert ending(after(position, "d4")) == ([1], "a largest group of 8 against 4")


@pytest.mark.parametrize(
    ("record", "misere", "board_key", "size", "winner"),
    [
        ("c3 a2 e3 d4 d2 c4 d1 d5 e5xd4 e2 c1xd1 e4xe3 c2 b1", True, "equi-2-4", 2, "White"),
        (MID_TURN, True, "equi-2-4", 3, "Black"),
        ("c1 b2 c4 d2 a1 d3 a2", False, "hex-2-3", 2, "White"),
        ("d3 b1 a2 c1 d4 b3", False, "hex-2-3", 2, "Black"),
    ],
)
def test_a_tie_is_lost_by_the_player_next_to_place(
    record: str, misere: bool, board_key: str, size: int, winner: str
) -> None:
    """Whatever is played for, and whoever placed last."""
    over = after(start(board=board_key, misere=misere), *record.split())
    loser = "Black" if winner == "White" else "White"
    won = ["White", "Black"].index(winner)
    assert ending(over) == ([won], f"largest groups of {size} each, and {loser} was next to place")


def test_without_stones_a_largest_group_is_0() -> None:
    """The empty board counts 0 for both."""
    assert start().view().standing == (texts.groups(False, (0, 0)),)


def test_linked_groups_hang_together_diagonally() -> None:
    """Whatever stands between, and whatever way of capturing is chosen."""
    for capture in ("diagonal", "between"):
        for black in ("", "c3 d3"):
            apart = placed("d4 c2", black, capture=capture)
            linked = placed("d4 c2", black, capture=capture, scoring="linked")
            assert apart.view().standing[0] == texts.groups(False, (1, 2 * bool(black)))
            assert linked.view().standing[0] == texts.groups(True, (2, 2 * bool(black)))
    assert placed("a1 c1", "", scoring="linked").view().standing[0] == texts.groups(True, (1, 0))


def test_a_capture_may_be_repeated_but_not_forever() -> None:
    """Misère needs no such rule and keeps no history; a stone that removes nothing makes a history useless."""
    line = lines("snipsnip_cycles.jsonl")[0]
    position = after(start(**line["options"]), *line["setup"])
    assert len(position.history) == 1
    assert len(after(position, *line["cycle"]).history) == 5
    assert after(start(), *OPENING, *CHAIN).history == ()


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_leaves_loses(seat: int) -> None:
    """At once, in turn or not, in the middle of a chain too."""
    for position in (start(), after(start(), *OPENING), after(start(), *OPENING, CHAIN[0])):
        assert ending(position.leave(seat, "resign")) == ([1 - seat], "the other side resigned")
        over = position.leave(seat, "timeout")
        assert ending(over) == ([1 - seat], "the other side ran out of time")
        assert over.departed() == {seat}
        assert error_of(over, "b3").code == "match_over"
        assert error_of(over, "hello").code == "match_over"
        assert over.objective(0) == Objective(phrase("The match is over."))
        with pytest.raises(IllegalMove):
            over.leave(1 - seat, "resign")
    for wrong, word in ((2, "resign"), (-1, "resign"), (0, "sulk")):
        with pytest.raises(IllegalMove):
            start().leave(wrong, word)


FORBIDDEN = [
    ("c3", "cell_occupied"),
    ("b2", "capture_site"),
    ("d4xd3", "not_to_be_removed"),
    ("E3 takes C3", "nothing_to_remove"),
    ("d4 c3", "cell_just_emptied"),
    ("d4 a2 b3", "turn_ends_before"),
]


@each("text, code", FORBIDDEN)
def test_a_forbidden_move_is_refused(text: str, code: str) -> None:
    """The mistakes that beginners make are told apart."""
    with pytest.raises(IllegalMove) as error:
        CORNERED.play(CORNERED.parse(text))
    assert error.value.code == code


UNREADABLE = [
    ("a5", "cell_off_board"),
    ("d4 z9", "cell_off_board"),
    ("d4xf3", "cell_off_board"),
    ("d4-c3", "stones_do_not_walk"),
    ("4d", "letter_first"),
    ("d4xc3xd3", "one_removal_only"),
    ("xc3", "half_a_removal"),
    ("Pass", "nobody_passes"),
    ("d4 please", "not_a_cell"),
    ("", "not_a_cell"),
]


@each("text, code", UNREADABLE)
def test_what_is_no_move_is_refused(text: str, code: str) -> None:
    """Off the board, half a removal, two at once, a pass: each has its code."""
    with pytest.raises(InvalidMove) as error:
        CORNERED.parse(text)
    assert error.value.code == code


def test_refusals_are_worded_as_approved(update: bool) -> None:
    """Every code of the game, each with its sentences, as a player reads them."""
    several, site = placed("a1", "c2 c3 d3"), placed("b3", "d3", capture="between")
    cases = [(CORNERED, text) for text, _ in (*FORBIDDEN, *UNREADABLE)]
    cases += [(several, text) for text in ("d4", "d4 b3", "d4xc2")]
    cases += [(site, "c3"), (placed("a1 e2", "c2 c3", misere=False), "d4xc3 b3")]
    cases += [(after(start(), *MID_TURN.split()[:-1]), "c2xc1 c1")]
    over = start().leave(0, "resign")
    refused = [error_of(position, text) for position, text in [*cases, (over, "b3"), (over, "hello")]]
    for call in (over.prompt, lambda: CORNERED.play(Move(())), lambda: CORNERED.play(Move((Part("d4"),)))):
        with pytest.raises(RulesError) as error:
            call()
        refused.append(error.value)
    assert codes_in(RULES / "games" / "snipsnip") <= {error.code for error in refused}
    approve(Path(__file__).parent / "sentences.txt", sentences(refused), update=update)


def test_a_removal_with_several_choices_has_to_be_named() -> None:
    """In a chain too; one that cannot be removed is refused."""
    position = placed("a1", "c2 c3 d3")
    for text in ("d4", "d4 b3"):
        with pytest.raises(AmbiguousMove) as error:
            position.parse(text)
        assert error.value.code == "several_to_remove"
        assert error.value.arguments["cell"] == "d4"
    assert error_of(position, "d4xc2").code == "not_to_be_removed"


def test_a_site_between_two_stones_is_closed_to_both() -> None:
    """With between captures too the ban is the same for both."""
    for turn in (0, 1):
        assert error_of(placed("b3", "d3", turn, capture="between"), "c3").code == "capture_site"


def test_without_misere_a_turn_is_one_stone() -> None:
    """A chain is refused."""
    position = placed("a1 e2", "c2 c3", misere=False)
    assert error_of(position, "d4xc3 b3").code == "turn_ends_before"


@each("text", ["b2 " * 33_000, "b2xc3" * 20_000, "x" * 100_000, "a1x" + "9" * 99_000, "b2-" * 33_000])
def test_huge_texts_are_refused_at_once(text: str) -> None:
    """A hundred thousand characters cost less than a tenth of a second and get a short answer."""
    started = process_time()
    sentence = str(error_of(CORNERED, text))
    assert process_time() - started < 1
    assert len(sentence) < 400


def test_options_are_as_announced() -> None:
    """28 boards, two captures, two scorings, misère or not; the default is a small hexagon."""
    assert GAME.normalise({}) == {
        "board": "equi-2-4",
        "capture": "diagonal",
        "scoring": "groups",
        "misere": True,
        "capture_sites": "new",
        "order": "opened",
    }
    assert [option.key for option in GAME.options] == [
        "board",
        "capture",
        "scoring",
        "misere",
        "capture_sites",
        "order",
    ]
    assert start(board="HEX-4-5", misere="no").setup.board.key == "hex-4-5"
    with pytest.raises(InvalidOption):
        start(board="hex-9")
    with pytest.raises(InvalidOption):
        GAME.begin(3, {})


def test_a_prompt_names_what_may_be_written() -> None:
    """Removing is mentioned where something can be removed, and why it is one's turn again."""
    for position, again, captures in (
        (start(), False, ()),
        (CORNERED, False, ("d2", "d2xc2")),
        (after(CORNERED, "d4"), True, ()),
    ):
        prompt = position.prompt()
        assert prompt.instruction == texts.asked(again, prompt.example, *captures)


def test_removals_to_choose_from_are_suggested() -> None:
    """Only where there are several, each with its effect; a cell that is a whole turn is tapped."""
    position = placed("a1", "c2 c3 d3")
    choices = {choice.move: choice.effect for choice in position.suggestions()}
    assert choices["d4xc3"] == texts.removes("c3")
    assert choices["d4xd3"] == texts.removes("d3")
    assert CORNERED.suggestions() == ()
    assert start().leave(0, "resign").suggestions() == ()


@each("text", ["d4", "D4", "d4xc2", "d4 b3", "d 4."])
def test_a_refused_move_leads_to_the_removals_there_are(text: str) -> None:
    """Where none was named, or one that cannot be."""
    moves = [choice.move for choice in placed("a1", "c2 c3 d3").answers_like(text)]
    assert moves == ["d4xc3", "d4xd3"]


def test_a_refused_chain_leads_to_the_chains_there_are() -> None:
    """What stands before the missing removal is kept; what is clear or is no move leads to nothing."""
    position = after(start(), *OPENING)
    assert [choice.move for choice in position.answers_like("c4xd5 b3xd1")] == ["c4xd5 b3xa2"]
    for text in ("b3", "hello", "", "a1", "c4xd5 b3xa2 e4xd3 d2"):
        assert position.answers_like(text) == ()
    assert position.first_cells() == frozenset()


@each("key", KEYS)
def test_a_match_of_examples_ends_soon(key: str) -> None:
    """Whoever always sends the example back plays a whole match, in misère and without, and quickly."""
    for misere in (True, False):
        position, count = start(board=key, misere=misere), 0
        while position.outcome() is None:
            position = after(position, position.prompt().example)
            count += 1
        assert count <= 3 * len(position.setup.board.bits)


def test_examples_are_better_than_chance() -> None:
    """Against random moves the example wins far more often than not."""
    random, won = Random(4), 0
    for number in range(40):
        position = start(board="hex-4-5", misere=bool(number & 2))
        while position.outcome() is None:
            example = position.parse(position.prompt().example)
            position = position.play(example if position.turn == number % 2 else position.any_move(random.randrange))
        won += number % 2 in ending(position)[0]
    assert won > 26


def test_goals_and_captures_are_told_as_the_options_say() -> None:
    """Which side wins, which groups count, and what captures; below the board only what closed cells are."""
    usual = partial(texts.objective, diagonal=True, linked=False, misere=True, every_site=False)
    assert [start().objective(seat) for seat in (0, 1)] == [usual(0), usual(1)]
    assert usual(0).goal != usual(1).goal  # each names its reader's colour
    other = start(capture="between", scoring="linked", misere=False)
    assert other.objective(0) == texts.objective(0, diagonal=False, linked=True, misere=False, every_site=False)
    assert start(capture_sites="all").objective(0).decisive != start().objective(0).decisive
    told = {
        start(misere=misere, capture=capture).objective(0) for misere in (0, 1) for capture in ("diagonal", "between")
    }
    assert len(told) == 4
    assert start().view().captions == ()
    assert CORNERED.view().captions == (texts.CLOSED,)


def test_a_story_tells_the_largest_groups() -> None:
    """The smaller one, the larger one, a tie, and a position that came up three times."""
    white, black = "a1 b1 c1 d1", "a3 b3 c3 d3 a4 b4 c4"
    for misere, winner in ((True, 0), (False, 1)):
        over = after(placed(white, black, 1, board="square-4", capture="between", misere=misere), "d4").outcome()
        assert over is not None
        assert over.story == texts.story(winner, (4, 8), repeated=False)
    tied = after(start(), *MID_TURN.split()).outcome()
    assert tied is not None
    assert tied.story == texts.story(1, (3, 3), repeated=False)
    told = [texts.story(0, sizes, repeated) for sizes in ((3, 3), (4, 2), (2, 4)) for repeated in (False, True)]
    assert len(set(told[:5])) == 5


def test_a_view_is_hexagonal_or_square() -> None:
    """Stones stand inside cells; White is O and comes first."""
    for key, shape in (("equi-2-4", "hex"), ("hex-3", "hex"), ("square-4", "square"), ("diamond-3", "square")):
        view = start(board=key).view()
        assert (view.shape, view.looks) == (shape, "cells")
        assert [(piece.symbol, piece.tone) for piece in view.pieces] == [("O", "white"), ("X", "black")]


def test_larger_boards_are_recommended_in_the_help() -> None:
    """To people who want more than the default."""
    assert any("equi-3-5, hex-4-5 or equi-5-7" in paragraph.message for paragraph in GAME.help)
