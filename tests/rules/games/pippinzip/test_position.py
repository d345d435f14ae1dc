"""Pipline and Zipline: every clause of the rules, on drawn positions."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import comb
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board.square import Grid, bits_in, square
from rules.errors import AmbiguousMove, IllegalMove, InvalidMove, InvalidOption, RulesError
from rules.game import Value
from rules.game import replay as replayed
from rules.games import GAMES
from rules.games.pippinzip import texts
from rules.games.pippinzip.position import TAKE, Pippinzip, winning_group
from rules.notation import Move
from rules.phrase import Event
from rules.position import Choice, Entry
from rules.text import left_story
from tests.support.approved import approve, error_of, sentences
from tests.support.codes import RULES, codes_in
from tests.support.diagrams import board_text, stones
from tests.support.each import each
from tests.support.examples import THOROUGH, examples, share
from tests.support.walks import Case, walk

VECTORS = Path(__file__).parent / "pippinzip.jsonl"


def start(key: str, size: int, seats: int = 2, **options: Value) -> Pippinzip:
    """Return an opening position, on boards smaller than a match may have too."""
    position = GAMES[key].start(seats, {**GAMES[key].normalise(options), "size": size})
    assert isinstance(position, Pippinzip)
    return position


def drawn(
    diagram: str, key: str = "zipline", seats: int = 2, taker: int | None = 0, turn: int = 0, **options: Value
) -> Pippinzip:
    """Return the position of a diagram; by default seat 1 is the taker and to act."""
    position = start(key, len(diagram.strip().splitlines()), seats, **options)
    bits = position.setup.grid.bits
    black, white = (sum(bits[name] for name in stones(diagram, symbol)) for symbol in "XO")
    return replace(position, black=black, white=white, taker=taker, turn=turn)


def after(position: Pippinzip, *texts: str) -> Pippinzip:
    """Return the position after moves, written as players write them."""
    for text in texts:
        position = position.play(position.parse(text))
    return position


def refusal(position: Pippinzip, text: str) -> str:
    """Return the code with which the rules forbid a move."""
    move = position.parse(text)
    with pytest.raises(IllegalMove) as error:
        position.play(move)
    return error.value.code


def winners(position: Pippinzip) -> list[int]:
    """Return the seats that have won, none while the match goes on."""
    outcome = position.outcome()
    return sorted(outcome.winners) if outcome else []


def reason(position: Pippinzip) -> str:
    """Return why the match ended."""
    outcome = position.outcome()
    assert outcome is not None
    return outcome.reason


def has_line(grid: Grid, mask: int, black: bool) -> bool:
    """Say whether stones hold a winning line: the slow and obvious way, to compare with."""
    rest = {(column, row) for row in range(grid.size) for column in range(grid.size)}
    rest = {(column, row) for column, row in rest if mask & grid.order[row * grid.size + column]}
    far = grid.size - 1
    while rest:
        group, edge = set[tuple[int, int]](), [rest.pop()]
        while edge:
            column, row = edge.pop()
            group.add((column, row))
            near = {(column + x, row + y) for x in (-1, 0, 1) for y in (-1, 0, 1) if not (black and x and y)} & rest
            rest -= near
            edge += near
        across = any(c == 0 for c, _ in group) and any(c == far for c, _ in group)
        upward = any(r == 0 for _, r in group) and any(r == far for _, r in group)
        if (across or upward) if black else (across and upward):
            return True
    return False


def recorded() -> list[dict[str, Any]]:
    """Return the recorded matches: played elsewhere, each to its end."""
    return [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]


@each("match", recorded(), ids=lambda match: f"{match['game']}-{len(match['moves'])}")
def test_matches_played_elsewhere_end_as_they_did_there(match: dict[str, Any]) -> None:
    """Another implementation's matches replay to the same taker and the same winner."""
    record = [Entry(seat, text) for seat, text in match["moves"]]
    position = replayed(GAMES[match["game"]], seats=match["seats"], options=match["options"], record=record)
    assert isinstance(position, Pippinzip)
    assert winners(position) == match["winners"]
    assert position.taker == match["taker"]


def test_stone_by_stone_counts_on_13_by_13() -> None:
    """1, 169 and 14,365 positions after none, one and two steps, a step being a stone or the end of the turn."""
    opening = start("zipline", 13)
    bids = [move for move in islice(opening.legal_moves(), 1 + 169 + comb(169, 2)) if move.words != (TAKE,)]
    singles = [move for move in bids if len(move.words) == 1]
    pairs = [move for move in bids if len(move.words) == 2]
    one = {(move.words, "same turn") for move in singles}
    two = {(move.words, "same turn") for move in pairs} | {(move.words, "next turn") for move in singles}
    assert (1, len(one), len(two)) == (1, 169, 14_365)
    assert next(opening.legal_moves()).words == (TAKE,)


@pytest.mark.parametrize("key", ["pipline", "zipline"])
def test_first_moves_on_3_by_3(key: str) -> None:
    """9 single stones, 36 pairs, 84 triples and take."""
    moves = list(start(key, 3).legal_moves())
    counts = [sum(len(move.words) == n and move.words != (TAKE,) for move in moves) for n in (1, 2, 3)]
    assert counts == [9, 36, 84]
    assert len(moves) == 9 + 36 + 84 + 1
    assert len({frozenset(move.words) for move in moves}) == len(moves)


@examples(300)
@given(size=st.integers(5, 9), share=st.integers(30, 80), random=st.randoms(use_true_random=False))
def test_a_full_board_has_exactly_one_winner(size: int, share: int, random: Random) -> None:
    """However a board is filled, either black or white has a line, never both and never none."""
    grid = square(size)
    black = sum(bit for bit in grid.order if random.random() * 100 < share)
    white = grid.every ^ black
    found = [
        any(winning_group(grid, colour, mask, bit) for bit in grid.order)
        for colour, mask in ((True, black), (False, white))
    ]
    assert sorted(found) == [False, True]
    assert found == [has_line(grid, black, True), has_line(grid, white, False)]


@pytest.mark.parametrize("case", [Case("pipline", 2, (("size", 7),)), Case("zipline", 2, (("size", 9),))], ids=str)
def test_a_match_ends_at_the_first_line_and_not_before(case: Case) -> None:
    """In random matches no unfinished position holds a line, and every finished one does."""
    for seed in range(share(25)):
        for position in walk(case, seed).positions:
            assert isinstance(position, Pippinzip)
            grid = position.setup.grid
            lines = has_line(grid, position.black, True) or has_line(grid, position.white, False)
            assert lines == (position.result is not None)


def steps(position: Pippinzip, random: Random) -> tuple[int, Pippinzip]:
    """Play to the end by single steps, each uniformly a stone, take or the end of an auction turn."""
    grid, count, words = position.setup.grid, 0, tuple[str, ...]()
    while position.result is None:
        count += 1
        free = grid.every & ~(position.black | position.white)
        for word in words:
            # The second stone of Pip's turn keeps away from the first.
            free &= ~grid.bits[word] & ~(0 if position.taker is None else grid.beside[grid.bits[word]])
        names = [grid.names[bit] for bit in bits_in(free)]
        choice = random.randrange(len(names) + (position.taker is None))
        if choice == len(names):
            position, words = position.play(Move(words or (TAKE,))), ()
            continue
        words = (*words, names[choice])
        try:
            following = position.play(Move(words))
        except IllegalMove:
            continue
        if following.result or position.taker is not None or len(words) == 3:
            position, words = following, ()
    return count, position


def test_random_matches_last_about_86_steps() -> None:
    """Uniform random steps of Zipline last about 86 (sd 26), and the first seat wins about half."""
    random = Random(20)
    played = [steps(start("zipline", 13), random) for _ in range(400 if THOROUGH else 100)]
    lengths = [count for count, _ in played]
    first = mean(winners(position) == [0] for _, position in played)
    assert mean(lengths) == pytest.approx(86, abs=6)
    assert stdev(lengths) == pytest.approx(26, abs=5)
    assert first == pytest.approx(0.5, abs=0.09 if THOROUGH else 0.15)


CORNERS = """
    O . . . .
    . O . . .
    . . O . .
    . . . . .
    . . . . O
"""


def test_white_needs_all_four_sides_and_diagonals_count() -> None:
    """A diagonal from corner to corner touches all four sides, since a corner touches two."""
    over = after(drawn(CORNERS), "d2")
    assert winners(over) == [0]
    assert reason(over) == "white connects all four sides at d2"


def test_white_on_two_sides_has_not_won() -> None:
    """White stones from the left to the right side are no line of white."""
    assert winners(after(drawn(". . . . .\n. . . . .\nO O . O O\n. . . . .\n. . . . ."), "c3")) == []


def test_black_needs_two_opposite_sides_in_straight_steps() -> None:
    """Black wins from left to right and from bottom to top; diagonals and neighbouring sides do not count."""
    bar = drawn(". . . . .\n. . . . .\nX X . X X\n. . . . .\n. . . . .", "pipline")
    assert reason(after(bar, "c3")) == "black connects the left and the right side at c3"
    column = drawn(". X . . .\n. X . . .\n. . . . .\n. X . . .\n. X . . .", "pipline")
    assert reason(after(column, "b3")) == "black connects the bottom and the top side at b3"
    slanted = drawn("X . . . .\n. X . . .\n. . . . .\n. . . X .\n. . . . X", "pipline")
    assert winners(after(slanted, "c3")) == []
    corner = drawn(". X . . .\n. X . . .\nX . . . .\n. . . . .\n. . . . .", "pipline")
    assert winners(after(corner, "b3")) == []


def test_the_line_is_marked_without_stones_it_does_not_need() -> None:
    """The winning line is shown from side to side; other stones of the group and the loser's are not in it."""
    over = after(drawn(". X . . .\n. X X . .\n. . X O .\n. X . . .\nX X . . .", "pipline"), "b3")
    assert board_text(over.view()).splitlines()[:5] == [
        "  5  . [X] .  .  .",
        "  4  . [X] X  .  .",
        "  3  . {X} X  O  .",
        "  2  . [X] .  .  .",
        "  1  X [X] .  .  .",
    ]


def test_take_is_allowed_on_the_very_first_turn() -> None:
    """Seat 1 may take before any stone stands, and the other seat moves next."""
    for key, role in (("pipline", "Pip"), ("zipline", "Zip")):
        position = after(start(key, 5), "take")
        assert position.taker == 0
        assert position.roles()[0] == role
        assert position.to_act == 1


def test_the_auction_lasts_until_somebody_takes() -> None:
    """Seats place one, two or three stones of the auction colour in turn."""
    position = after(start("pipline", 9), "a1", "b2 b4", "c3 e5 g7")
    assert position.to_act == 1
    assert position.roles() == (None, None)
    assert position.white == 0
    assert position.black.bit_count() == 6
    assert after(position, "take").roles() == ("Zip", "Pip")
    white = after(start("zipline", 9), "a1", "b2 b4", "c3 e5 g7")
    assert (white.black, white.white.bit_count()) == (0, 6)
    assert after(white, "take").roles() == ("Pip", "Zip")


def test_an_auction_turn_has_one_to_three_stones() -> None:
    """Four stones are too many, and placing and taking do not go together."""
    opening = start("zipline", 5)
    assert refusal(opening, "a1 b2 c4 d5") == "too_many_stones"
    assert refusal(opening, "d4 take") == "place_and_take"
    assert refusal(opening, "take d4") == "place_and_take"
    assert opening.prompt().instruction.message == texts.asked_bid(False, 3)
    assert after(opening, "b2 b3 b4").white.bit_count() == 3


def test_after_the_auction_nobody_takes() -> None:
    """Take is refused once the roles are settled."""
    position = after(start("pipline", 5), "c3", "take")
    assert refusal(position, "take") == refusal(position, "d4 take") == "take_after_auction"


def test_an_auction_line_wins_for_its_maker() -> None:
    """A line of the auction colour ends the auction; stones written after it are not placed."""
    three = drawn(". . . . .\n. . . . .\nX X . . X\n. . . . .\n. . . . .", "pipline", taker=None, turn=1)
    over = after(three, "d3 c3 e5")
    assert winners(over) == [1]
    assert over.roles() == (None, None)
    assert not over.black & over.setup.grid.bits["e5"]
    assert str(three.parse("d3 c3 e5")) == "d3 c3"
    assert winners(after(drawn(CORNERS, taker=None, seats=3, turn=2), "d2")) == [2]


def test_the_other_colours_line_means_nothing_in_the_auction() -> None:
    """White stones from side to side, a line if they were black, win nothing in the auction of Zipline."""
    position = drawn(". . . . .\n. . . . .\nO O . O O\n. . . . .\n. . . . .", taker=None)
    assert winners(after(position, "c3")) == []


@pytest.mark.parametrize(
    ("key", "seats", "turns"),
    [
        ("pipline", 2, [(1, "Zip", 1), (0, "Pip", 1), (1, "Zip", 1), (0, "Pip", 1)]),
        ("zipline", 2, [(1, "Pip", 2), (0, "Zip", 1), (1, "Pip", 2), (0, "Zip", 1)]),
        ("zipline", 3, [(1, "Pip", 1), (2, "Pip", 1), (0, "Zip", 1), (1, "Pip", 1), (2, "Pip", 1)]),
    ],
)
def test_who_moves_with_what_after_the_auction(key: str, seats: int, turns: list[tuple[int, str, int]]) -> None:
    """The seat after the taker moves first; roles have their colour and their number of stones."""
    position, free = after(start(key, 9, seats), "take"), iter([f"{c}{r}" for r in (1, 4, 8) for c in "aceg"])
    for seat, role, count in turns:
        assert position.to_act == seat
        assert position.roles()[seat] == role
        before = (position.black.bit_count(), position.white.bit_count())
        position = after(position, " ".join(islice(free, count)))
        gained = (position.black.bit_count() - before[0], position.white.bit_count() - before[1])
        assert gained == ((count, 0) if role == "Pip" else (0, count))


def test_two_stones_may_not_stand_side_by_side() -> None:
    """Pip's second stone is not right beside his first; diagonally it may be."""
    position = after(start("zipline", 5), "take")
    for text in ("c3 c4", "c3 d3", "c3 b3", "c3 c2"):
        assert refusal(position, text) == "beside_first_stone"
    assert after(position, "c3 d4").black.bit_count() == 2
    assert after(position, "e1 a2").black.bit_count() == 2


def test_freestyle_lifts_the_ban() -> None:
    """With freestyle neighbours are fine, and two stones are still asked for."""
    position = after(start("zipline", 5, freestyle=True), "take")
    assert after(position, "c3 c4").black.bit_count() == 2
    assert refusal(position, "c3") == "stone_missing"


def test_one_stone_alone_is_refused() -> None:
    """Pip is asked for the second stone, with an example."""
    position = after(start("zipline", 5), "take")
    assert refusal(position, "c3") == "stone_missing"
    assert refusal(position, "a1 c3 e5") == "too_many_stones"


FORCED = """
    O O X O X
    X X O X O
    O O . . .
    X X O X O
    O O X O X
"""


def test_the_second_stone_is_forfeited_where_nothing_else_is_open() -> None:
    """If every empty point is right beside the first stone, one stone is the whole turn."""
    position = drawn(FORCED, turn=1)
    assert {str(move) for move in position.legal_moves()} == {"d3", "c3 e3"}
    assert after(position, "d3").to_act == 0
    assert refusal(position, "d3 c3") == "second_stone_lost"
    assert refusal(position, "c3") == "stone_missing"
    assert refusal(position, "c3 d3") == "beside_first_stone"
    free = replace(position, setup=replace(position.setup, apart=False))
    assert {str(move) for move in free.legal_moves()} == {"c3 d3", "c3 e3", "d3 e3"}


def test_with_one_point_left_one_stone_is_the_turn() -> None:
    """The prompt then asks for one point only."""
    position = drawn(FORCED.replace(". . .", ". O O"), turn=1)
    for setup in (position.setup, replace(position.setup, apart=False)):
        last = replace(position, setup=setup)
        assert last.prompt().instruction.message == texts.POINT
        assert [str(move) for move in last.legal_moves()] == ["c3"]
        assert after(last, "c3").to_act == 0 or after(last, "c3").result


def test_a_first_stone_that_wins_ends_the_match() -> None:
    """The second stone is dropped whatever it is, and one stone is enough."""
    position = drawn(". . . . .\n. . . . .\nX X . X X\n. O . . .\n. . . . .", turn=1)
    for text in ("c3", "c3 e5", "c3 c4", "c3 b2", "c3 c3", "c3 e5 a5"):
        assert str(position.parse(text)) == "c3"
        assert winners(after(position, text)) == [1]
        assert after(position, text) == after(position, "c3")
    assert position.play(Move(("c3", "e5"))) == after(position, "c3")
    assert str(position.parse("e5 c3")) == "e5 c3"
    assert winners(after(position, "e5 c3")) == [1]
    listed = [str(move) for move in position.legal_moves() if "c3" in move.words]
    assert "c3" in listed
    assert "a1 c3" in listed
    assert not any(text.startswith("c3 ") for text in listed)


def team(**options: Value) -> Pippinzip:
    """Return a match of three in which seat 2 has taken: seats 3 and 1 are Pip, in this order."""
    return after(start("zipline", 7, 3, **options), "a1 g7", "take")


def test_the_two_others_are_a_team() -> None:
    """With three seats the taker plays alone, and the partners win together."""
    position = team()
    assert position.roles() == ("Pip", "Zip", "Pip")
    assert position.side(0) == position.side(2) == {0, 2}
    assert position.side(1) == {1}
    assert position.to_act == 2
    for row in range(1, 7):
        position = after(position, f"c{row}", f"e{row}", f"g{row}")
    over = after(position, "c7")
    assert winners(over) == [0, 2]
    assert reason(over) == "black connects the bottom and the top side at c7"


def test_partners_may_stand_side_by_side() -> None:
    """There is no ban between partners, unless partner_gap says so."""
    assert after(team(), "c3", "c4").to_act == 1
    assert refusal(after(team(partner_gap=True), "c3"), "c4") == "beside_first_stone"
    spread = after(team(partner_gap=True), "c3", "d4", "d3")
    assert spread.to_act == 2
    assert after(spread, "d5").to_act == 0


def test_partner_gap_is_waived_when_no_other_point_is_empty() -> None:
    """The second partner may stand beside the first stone if he can stand nowhere else."""
    position = drawn(FORCED, seats=3, turn=1, partner_gap=True)
    waived = after(position, "d3")
    assert {str(move) for move in waived.legal_moves()} == {"c3", "e3"}
    assert waived.prompt().instruction.message == texts.POINT
    held = after(position, "c3")
    assert {str(move) for move in held.legal_moves()} == {"e3"}
    assert asked(held) == (texts.APART, "c3")


def test_freestyle_and_partner_gap_belong_to_their_number_of_seats() -> None:
    """Freestyle says nothing to three seats, partner_gap nothing to two."""
    assert not start("zipline", 7, 3, freestyle=True).setup.apart
    assert not start("zipline", 7, 3).setup.apart
    assert start("zipline", 7, 2, partner_gap=True).setup.apart


def test_with_two_seats_the_other_side_wins() -> None:
    """Resigning is allowed at any time, out of turn too."""
    for position in (start("pipline", 5), after(start("zipline", 5), "c3", "take", "a1 e5")):
        for seat in (0, 1):
            over = position.leave(seat, "resign")
            assert winners(over) == [1 - seat]
            assert reason(over) == "the other side resigned"
            assert over.departed() == {seat}
    assert reason(start("pipline", 5).leave(0, "timeout")) == "the other side ran out of time"


def test_a_partner_who_stays_plays_both_stones() -> None:
    """When a Pip partner has left, the other acts for him, one stone after the other."""
    position = team().leave(2, "timeout")
    assert position.to_act == 0
    assert position.departed() == {2}
    assert asked(position)[0] == texts.FIRST_OF_TWO
    position = after(position, "c3")
    assert position.to_act == 0
    assert asked(position)[0] == texts.SECOND_OF_TWO
    position = after(position, "c5")
    assert position.to_act == 1
    assert after(position, "b2").to_act == 0
    assert position.objective(0) == texts.team_objective(alone=True, apart=False)
    assert team().objective(0) == texts.team_objective(alone=False, apart=False)


def test_the_partner_gap_holds_for_one_who_plays_both() -> None:
    """The second black stone keeps its distance even from one's own."""
    position = after(team(partner_gap=True).leave(0, "resign"), "c3")
    assert position.to_act == 2
    assert refusal(position, "c4") == "beside_first_stone"
    assert asked(position) == (texts.SECOND_APART, "c3")


def test_both_partners_gone_means_zip_wins() -> None:
    """The match goes on until the whole Pip side has left."""
    over = team().leave(2, "resign").leave(0, "timeout")
    assert winners(over) == [1]
    assert reason(over) == "both Pip partners have left the match"


def test_zip_leaving_lets_both_partners_win() -> None:
    """Partners win together, even one who has left before."""
    assert winners(team().leave(1, "resign")) == [0, 2]
    over = team().leave(0, "resign").leave(1, "timeout")
    assert winners(over) == [0, 2]
    assert reason(over) == "Zip ran out of time"


def test_leaving_during_an_auction_of_three() -> None:
    """The seat is passed over; the last one wins; after a take whoever left is Pip."""
    position = start("zipline", 7, 3).leave(0, "resign")
    assert position.to_act == 1
    position = after(position, "c3")
    assert position.to_act == 2
    position = after(position, "d4")
    assert position.to_act == 1
    alone = position.leave(1, "resign")
    assert winners(alone) == [2]
    assert reason(alone) == "the other seats have left the match"
    taken = after(position, "take")
    assert taken.roles() == ("Pip", "Zip", "Pip")
    assert taken.to_act == 2
    taken = after(taken, "a1")
    assert taken.to_act == 2
    assert after(taken, "a2").to_act == 1
    assert winners(taken.leave(2, "resign")) == [1]


def test_leaving_out_of_turn_keeps_the_turn() -> None:
    """The seat to act stays the same when another one leaves, and so does what was played last."""
    position = after(start("zipline", 7, 3), "c3").leave(0, "resign")
    assert position.to_act == 1
    assert position.latest == ("c3",)


@each(
    "text",
    [
        "d4 e5",
        "D4 E5",
        "d4,e5",
        "d4, e5",
        "D4-E5",
        "d4/e5",
        "d4 - e5",
        "d4–e5",
        "d4e5",
        "d 4 e 5",
        "d04 e05",
        "d4 and e5",
        "d4 & e5",
        " d4  e5. ",
        "d4 e5!",
        "“d4 e5”",
        "d4\te5",
        "d4\u00a0e5",
    ],
)
def test_points_are_read_as_people_write_them(text: str) -> None:
    """Capitals, commas, dashes, spaces and a full stop make no difference; one notation is printed."""
    assert str(start("zipline", 9).parse(text)) == "d4 e5"


def test_take_is_read_as_people_write_it() -> None:
    """The word may be in capitals and followed by a full stop."""
    for text in ("take", "TAKE", " Take. ", "take!"):
        assert start("zipline", 9).parse(text).words == (TAKE,)


UNREADABLE = [
    ("n14", "cell_off_board"),
    ("a0", "cell_off_board"),
    ("d4 d45", "cell_off_board"),
    ("d4 e5 d4", "cell_named_twice"),
    ("take take", "cell_named_twice"),
    ("", "not_a_move"),
    ("Hello", "not_a_cell"),
    ("d4 pass", "not_a_cell"),
    ("4d", "letter_first"),
    ("c3, 4d", "letter_first"),
    ("d4 4d", "letter_first"),
    ("d4 e", "not_a_cell"),
    ("d4; e5", "not_a_cell"),
    ("x" * 99, "not_a_cell"),
]


@each("text, code", UNREADABLE)
def test_what_is_no_move_is_refused(text: str, code: str) -> None:
    """Off the board, twice the same, no cell at all, the letter behind: each has its code."""
    with pytest.raises(InvalidMove) as error:
        start("zipline", 13).parse(text)
    assert error.value.code == code
    assert not isinstance(error.value, AmbiguousMove)


def test_an_occupied_point_is_refused() -> None:
    """A stone on a stone is forbidden, in either colour."""
    position = after(start("pipline", 5), "c3", "take", "b2")
    for text in ("c3", "b2"):
        assert refusal(position, text) == "cell_occupied"
        assert error_of(position, text).arguments == {"text": text, "cell": text}


def test_refusals_are_worded_as_approved(update: bool) -> None:
    """Every code of the game, each with its sentence, as a player reads them."""
    opening, taken = start("zipline", 13), after(start("zipline", 5), "take")
    gap, forced = after(team(partner_gap=True), "c3"), drawn(FORCED, turn=1)
    cases = [(opening, text) for text, _ in UNREADABLE]
    cases += [(start("zipline", 5), text) for text in ("a1 b2 c4 d5", "d4 take")]
    cases += [(taken, text) for text in ("take", "c3 c4", "c3", "a1 c3 e5")]
    cases += [(after(start("pipline", 5), "c3", "take", "b2"), "c3"), (gap, "c4"), (forced, "d3 c3")]
    over = start("pipline", 5).leave(0, "resign")
    refused = [error_of(position, text) for position, text in [*cases, (over, "c3"), (over, "hello")]]
    with pytest.raises(RulesError) as no_prompt:
        over.prompt()
    refused.append(no_prompt.value)
    assert codes_in(RULES / "games" / "pippinzip") <= {error.code for error in refused}
    approve(Path(__file__).parent / "sentences.txt", sentences(refused), update=update)


def test_moves_made_by_hand_are_judged_too() -> None:
    """A move that no text gives is still refused by play."""
    opening = start("zipline", 5)
    for words in ((), ("z9",), ("a1", "a1"), ("b2", "z9"), (TAKE, TAKE), ("",)):
        with pytest.raises(IllegalMove):
            opening.play(Move(words))


def test_a_finished_match_says_so() -> None:
    """Nothing is played or proposed after the end."""
    over = start("pipline", 5).leave(0, "resign")
    assert refusal(over, "c3") == "match_over"
    assert refusal(over, "take") == "match_over"
    with pytest.raises(InvalidMove):
        over.parse("hello")


def test_leaving_words_are_checked() -> None:
    """Only a seat of this match leaves, with a word for leaving."""
    for seat, word in ((2, "resign"), (-1, "resign"), (0, "sulk")):
        with pytest.raises(IllegalMove):
            start("pipline", 5).leave(seat, word)
    with pytest.raises(RulesError):
        start("pipline", 5).roll(1)


def test_options_have_limits() -> None:
    """Boards have 5 to 19 points a side, 13 if nothing is said, and Pipline is for two."""
    assert start("pipline", 13) == GAMES["pipline"].begin(2, {})
    for size in (4, 20, "big"):
        with pytest.raises(InvalidOption) as value:
            GAMES["zipline"].begin(2, {"size": size})
        assert value.value.code == "unknown_value"
    with pytest.raises(InvalidOption) as seats:
        GAMES["pipline"].begin(3, {})
    assert seats.value.code == "wrong_number_of_players"
    with pytest.raises(InvalidOption) as option:
        GAMES["pipline"].begin(2, {"freestyle": "yes"})
    assert option.value.code == "unknown_option"
    assert GAMES["zipline"].begin(2, {"draw": "cells"}).view().looks == "cells"


def asked(position: Pippinzip) -> tuple[str, object]:
    """Return the message that asks for a turn, and the stone to stand apart from."""
    instruction = position.prompt().instruction
    return instruction.message, dict(instruction.arguments).get("first")


def prompts() -> Iterator[tuple[Pippinzip, str]]:
    """Yield positions with the message that asks for a turn there."""
    yield start("pipline", 9), texts.asked_bid(True, 3)
    yield start("zipline", 9), texts.asked_bid(False, 3)
    yield start("zipline", 1), texts.asked_bid(False, 1)
    yield after(start("pipline", 9), "take"), texts.POINT
    yield after(start("zipline", 9), "take"), texts.PAIR_APART
    yield after(start("zipline", 9, freestyle=True), "take"), texts.PAIR
    yield after(start("zipline", 9), "take", "a1 c3"), texts.POINT
    yield team(), texts.POINT
    yield after(team(partner_gap=True), "c3"), texts.APART


@each("position, message", list(prompts()))
def test_a_prompt_asks_for_what_a_turn_consists_of(position: Pippinzip, message: str) -> None:
    """It shows an example, which is legal."""
    prompt = position.prompt()
    assert prompt.instruction.message == message
    assert dict(prompt.instruction.arguments)["example"] == prompt.example
    after(position, prompt.example)


def test_examples_vary_and_keep_to_the_middle() -> None:
    """An example is not the same point each time, and no corner while the middle is free."""
    position, seen = after(start("pipline", 9), "take"), list[str]()
    for _ in range(8):
        seen.append(position.prompt().example)
        position = after(position, "abcdefghi"[len(seen)] + str(1 + 8 * (len(seen) % 2)))
    assert len(set(seen)) > 3
    assert not set(seen) & {"a1", "a9", "i1", "i9"}


def test_each_seat_is_told_what_it_plays_for() -> None:
    """In the auction what decides it, afterwards goal and turn of the role, with a partner or without."""
    auctions = [start("pipline", 9), start("zipline", 9), start("zipline", 9, 3)]
    assert [auction.objective(0) for auction in auctions] == [
        texts.auction(black=True, seats=2),
        texts.auction(black=False, seats=2),
        texts.auction(black=False, seats=3),
    ]
    assert len({auction.objective(1).decisive for auction in auctions}) == 3
    taken = after(start("zipline", 9), "take")
    assert taken.objective(0) == texts.zip_objective(outnumbered=True)
    assert taken.objective(1) == texts.pip_objective(2, apart=True)
    assert after(start("zipline", 9, freestyle=True), "take").objective(1) == texts.pip_objective(2, apart=False)
    assert after(start("pipline", 9), "take").objective(0) == texts.pip_objective(1, apart=False)
    assert after(start("pipline", 9), "take").objective(1).decisive is None
    assert team(partner_gap=True).objective(0) == texts.team_objective(alone=False, apart=True)
    assert team().objective(1) == texts.zip_objective(outnumbered=True)
    assert team().leave(0, "resign").objective(0) != team().objective(0)
    assert team().leave(0, "resign").objective(2) == texts.team_objective(alone=True, apart=False)


def test_captions_tell_which_colour_wins_in_the_auction_and_then_nothing() -> None:
    """What both colours are for is told elsewhere; whoever knows the game needs no reminder below each board."""
    assert start("zipline", 5).view().captions == (texts.AUCTION_WHITE,)
    assert start("pipline", 5).view().captions == (texts.AUCTION_BLACK,)
    assert after(start("pipline", 5), "take").view().captions == ()
    assert start("pipline", 5).leave(0, "resign").view().captions == ()


def test_what_happened_is_told_by_colour_in_the_auction() -> None:
    """Nobody has a colour of their own yet; a take says which one."""
    opening = start("zipline", 9)
    assert opening.describe(opening.parse("d4 e5")) == texts.bid(0, False, ("d4", "e5"))
    assert opening.describe(opening.parse("take")) == texts.took(0, False)
    taken = after(opening, "take")
    assert taken.describe(taken.parse("d4 f6")) == texts.played(1, ("d4", "f6"))
    alone = team().leave(2, "resign")
    assert alone.describe(alone.parse("c3")).seat == 0


def story(position: Pippinzip) -> Event:
    """Return what players read on how the match was won."""
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.story is not None
    return outcome.story


def test_a_story_tells_where_the_winning_chain_runs() -> None:
    """From side to side for black, as it is marked on the board; all four sides for white; in the auction too."""
    bar = drawn(". . . . .\n. X . . .\nX X . X X\n. . . . .\n. . . . .", "pipline")
    assert story(after(bar, "c3")) == texts.chained(0, True, ("a3", "e3"))
    column = drawn(". X . . .\n. X . . .\n. . . . .\n. X . . .\n. X X . .", "pipline")
    assert story(after(column, "b3")) == texts.chained(0, True, ("b1", "b5"))
    assert story(after(drawn(CORNERS), "d2")) == texts.chained(0, False, ("", ""))
    assert story(after(drawn(CORNERS, taker=None, seats=3, turn=2), "d2")).seat == 2


def test_a_story_tells_who_left() -> None:
    """For two, for a team that is left alone, for whoever stays from an auction of three."""
    assert story(start("pipline", 5).leave(0, "resign")) == left_story(1, "resign")
    assert story(start("pipline", 5).leave(1, "timeout")) == left_story(0, "timeout")
    assert story(team().leave(1, "resign")) != story(team().leave(1, "timeout"))
    assert story(team().leave(0, "resign").leave(2, "resign")).seat == 1
    assert story(start("zipline", 5, 3).leave(0, "resign").leave(1, "timeout")).seat == 2


def suggested(position: Pippinzip) -> list[str]:
    """Return the complete answers that are suggested."""
    return [choice.move for choice in position.suggestions()]


def test_sets_of_stones_are_suggested_in_the_auction() -> None:
    """One, two or three, apart from each other; to take is no suggestion, but stands beside them until it is done."""
    opening = start("zipline", 9)
    assert sorted({len(text.split()) for text in suggested(opening)}) == [1, 2, 3]
    assert TAKE not in suggested(opening)
    assert opening.prompt().decision == Choice(TAKE, texts.taking(black=False))
    assert after(start("pipline", 9), "e5").prompt().decision == Choice(TAKE, texts.taking(black=True))
    assert after(opening, TAKE).prompt().decision is None


def test_two_stones_are_suggested_to_pip() -> None:
    """Whoever plays one stone a turn taps it."""
    assert {len(move.split()) for move in suggested(after(start("zipline", 9), "take"))} == {2}
    assert suggested(after(start("zipline", 9), "take", "a1 c3")) == []
    assert suggested(team()) == []


@pytest.mark.parametrize(
    "position",
    [
        drawn(". . . . .\n. . . . .\nX . X . X\n. O . . .\n. . . . .", turn=1),
        drawn(". . . . .\n. O . . .\nX X X X .\n. O . . .\n. . . . .", turn=1),
        drawn(". . . . .\n. . . . .\nX X X . X\n. . . . .\n. . . . .", "pipline", taker=None),
    ],
    ids=["two stones win", "one of two wins", "in the auction"],
)
def test_no_suggestion_wins(position: Pippinzip) -> None:
    """Players find that themselves; and what is suggested is as good as the example, which is one of them."""
    moves = suggested(position)
    assert moves
    assert position.prompt().example in moves
    assert [after(position, move).outcome() for move in moves] == [None] * len(moves)


def late(key: str, seats: int, seed: int) -> Iterator[Pippinzip]:
    """Yield the last positions of a random match on a small board, in which winning is near."""
    for position in walk(Case(key, seats, (("size", 5),)), seed).positions[-9:-1]:
        assert isinstance(position, Pippinzip)
        yield position


@pytest.mark.parametrize(("key", "seats"), [("pipline", 2), ("zipline", 2), ("zipline", 3)])
def test_no_example_gives_the_win_away(key: str, seats: int) -> None:
    """It has as many stones as are asked for, and wins only where every such turn does."""
    won = 0
    for position in (one for seed in range(40) for one in late(key, seats, seed)):
        example = position.prompt().example
        full = [str(move) for move in position.legal_moves() if len(move.words) == len(example.split())]
        wins = after(position, example).outcome() is not None
        won += wins
        assert not wins or all(after(position, move).outcome() for move in full)
        asked = position.prompt().instruction.message
        if asked in (texts.PAIR, texts.PAIR_APART) and any(len(move.words) == 2 for move in position.legal_moves()):
            assert len(example.split()) == 2
    assert won < 40


def test_an_example_of_two_stones_has_two_where_one_would_win() -> None:
    """Few points are left, and the middle one of them completes the chain of the sender."""
    board = drawn("X . O . X\nX O X X X\nX O . . .\nX O O X X\nO . X . X", turn=1)
    assert after(board, "d3").outcome()
    assert len(board.prompt().example.split()) == 2
    assert after(board, board.prompt().example).outcome() is None


def test_all_are_told_that_a_stone_after_one_that_wins_is_not_placed() -> None:
    """In the auction too; a winning turn of all its stones is told like any other."""
    one = drawn(". . . . .\n. O . . .\nX X X X .\n. O . . .\n. . . . .", turn=1)
    assert one.describe(one.parse("e3 a5")) == texts.won_before_last(1, ("e3",))
    bid = drawn(". . . . .\n. . . . .\nX X X . X\n. . . . .\n. . . . .", "pipline", taker=None)
    assert bid.describe(bid.parse("d3 a5")) == texts.won_before_last(0, ("d3",))
    two = drawn(". . . . .\n. . . . .\nX . X . X\n. O . . .\n. . . . .", turn=1)
    assert two.describe(two.parse("b3 d3")) == texts.played(1, ("b3", "d3"))


@each(
    "position, text, told",
    [
        (after(start("zipline", 9), "take"), "f2 f2", {"then": "stone_missing"}),
        (after(start("zipline", 9), "take"), "f2 f2 f3", {"then": "beside_first_stone"}),
        (after(start("zipline", 9), "take"), "f2 f2 d4", {"write": "f2 d4"}),
        (after(start("zipline", 9), "take", "a1 c3"), "f2 f2", {"write": "f2"}),
        (start("zipline", 9), "f2 f2", {"write": "f2"}),
    ],
)
def test_a_point_named_twice_is_answered_with_what_would_do(
    position: Pippinzip, text: str, told: dict[str, object]
) -> None:
    """Once is only enough where that is a whole turn; else what is still wrong is said at once."""
    with pytest.raises(InvalidMove) as refused:
        position.parse(text)
    assert refused.value.code == "cell_named_twice"
    assert refused.value.arguments.items() >= told.items()


def test_a_turn_of_two_stones_begins_where_a_second_one_can_follow() -> None:
    """Elsewhere a point is a whole turn."""
    position = drawn(FORCED, turn=1)
    assert position.first_cells() == {"c3", "e3"}
    assert len(after(start("zipline", 5), "take").first_cells()) == 25
    assert start("zipline", 5).first_cells() == frozenset()
    assert team().first_cells() == frozenset()


def test_the_latest_stones_are_marked() -> None:
    """The stones of the last turn stand out; a take marks nothing, a seat that leaves changes nothing."""
    position = after(start("zipline", 5), "b2 d4")
    assert board_text(position.view()) == "\n".join(
        [
            "  5  .  .  .  .  .",
            "  4  .  .  . (O) .",
            "  3  .  .  .  .  .",
            "  2  . (O) .  .  .",
            "  1  .  .  .  .  .",
            "     a  b  c  d  e",
        ]
    )
    assert all(not cell.marks for cell in after(position, "take").view().cells)
    assert position.leave(0, "resign").view().cells == position.view().cells
