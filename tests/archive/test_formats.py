"""A match as programs read it: each file fits its schema, and what is replayed from it is the match."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf

from pbem.archive.match.page import write_match
from pbem.match.endings import Ruling
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from rules.position import Entry
from tests.support.club import SECRET
from tests.support.matches import AUCTION, NOW, pipline, random_match
from tests.support.schemas import validator
from tests.support.walks import Case

SQUARE = (
    Case("pipline", 2, (("size", 5),)),
    Case("zipline", 3, (("size", 5), ("order", "lot"))),
    Case("pippip", 2, ()),
    Case("snipsnip", 2, (("board", "square-4"),)),
)
HOSTILE = "];B[aa](;\\] \\"
"""What ends a text of SGF where nobody looks."""


def beside(match: Match, directory: Path, kind: str) -> bytes:
    """Return a file beside the page of a match."""
    write_match(match, directory, SECRET, NOW)
    return (directory / match.page(SECRET, kind)).read_bytes()


def nodes_of(match: Match, directory: Path) -> list[Any]:
    """Return the nodes of a match as a library reads them."""
    return list(sgf.Sgf_game.from_bytes(beside(match, directory, "sgf")).main_sequence_iter())


@pytest.mark.parametrize("case", [*SQUARE, Case("pipelines", 3, (("size", 7),))], ids=str)
def test_a_game_record_and_our_own_fit_their_schemas_and_tell_the_same(case: Case, tmp_path: Path) -> None:
    """Read round by round, seat by seat, with the rolls after their moves, the one is the record of the other."""
    match = random_match(case)
    own, record = (json.loads(beside(match, tmp_path, kind)) for kind in ("json", "record.json"))
    validator("match")(own)
    validator("game_record")(record)
    opening = record["header"].get("startingPosition", "rolls").split()[1:]
    found = [Entry(None, value) for value in opening]
    for moves in record["moves"]:
        for seat, move in enumerate(moves):
            if move:
                rolls = [str(one["values"][0]) for one in move.get("result", ())]
                found += [Entry(seat, move["move"]), *(Entry(None, value) for value in rolls)]
    assert tuple(found) == match.record == tuple(Entry(one["seat"], one["text"]) for one in own["record"])
    assert [one["result"] for one in record["header"]["players"]] == [
        int(seat in own["winners"]) for seat in range(len(match.players))
    ]


@pytest.mark.parametrize("case", SQUARE, ids=str)
def test_a_library_reads_each_position_of_a_square_board(case: Case, tmp_path: Path) -> None:
    """A node for each entry; what lies on the board then is what it sets up."""
    match = random_match(case)
    found: dict[tuple[int, int], str] = {}
    for ply, node in enumerate(nodes_of(match, tmp_path)):
        assert not {"B", "W"} & {*node.properties()}
        black, white, empty = node.get_setup_stones()
        found |= dict.fromkeys(black, "black") | dict.fromkeys(white, "white")
        found = {point: tone for point, tone in found.items() if point not in empty}
        cells = match.at(ply).position.view().cells
        assert found == {(cell.row, cell.column): cell.piece.tone for cell in cells if cell.piece}
        dice = {((cell.row, cell.column), str(cell.die.top)) for cell in cells if cell.die}
        assert set(node.get("LB") if node.has_property("LB") else ()) == dice


def test_no_text_of_a_player_ends_a_node_and_none_shows_an_address(tmp_path: Path) -> None:
    """Names and comments are read as they were written, but for the domains of addresses."""
    one = pipline(
        *AUCTION, names=(f"Ann{HOSTILE}", "bob@b.example"), comments=(Comment(0, 1, f"{HOSTILE} x@y.example"),)
    )
    nodes = nodes_of(one, tmp_path)
    assert len(nodes) == 3
    assert nodes[0].get("PW") == f"Ann{HOSTILE}"
    assert nodes[0].get("PB") == "bob@…"
    assert nodes[1].get("C") == f"Ann{HOSTILE}: a1\nAnn{HOSTILE}: {HOSTILE} x@…"
    assert nodes[2].get("C") == "bob@…: take"


@pytest.mark.parametrize(
    ("entry", "ruling", "told"),
    [
        (Entry(1, "resign"), None, "W+R"),
        (Entry(1, "timeout"), None, "W+T"),
        (None, Ruling("adjudicated", frozenset({1})), "B+"),
        (None, Ruling("agreed", frozenset({0, 1}), "agreement"), "Draw"),
        (None, Ruling("void"), "Void"),
    ],
)
def test_a_result_is_told_as_sgf_has_it(entry: Entry | None, ruling: Ruling | None, told: str, tmp_path: Path) -> None:
    """By the colour of who won, and how."""
    one = replace(pipline(*AUCTION, *([entry] if entry else [])), ruling=ruling)
    assert nodes_of(one, tmp_path)[0].get("RE") == told


def test_a_player_without_a_page_has_no_number_in_a_record(tmp_path: Path) -> None:
    """By a number all matches of somebody would be found who was forgotten; in a private match nobody has one."""
    one = pipline(*AUCTION, Entry(1, "resign"))
    gone = replace(one, players=(Player(7, "Former player", "", frozenset(), forgotten=True), one.players[1]))
    for match, numbers in ((one, [True, True]), (gone, [False, True]), (replace(one, private=True), [False, False])):
        players = json.loads(beside(match, tmp_path, "record.json"))["header"]["players"]
        assert ["userid" in player for player in players] == numbers


def test_a_match_that_goes_on_again_has_no_record_of_its_end(tmp_path: Path) -> None:
    """Nor one whose board has no room in SGF any file of it."""
    beside(pipline(*AUCTION, Entry(1, "resign")), tmp_path, "record.json")
    write_match(pipline(*AUCTION), tmp_path, SECRET, NOW)
    assert not (tmp_path / "matches" / "17.record.json").exists()
    write_match(random_match(Case("snipsnip", 2, ()), 4), tmp_path, SECRET, NOW)
    assert not (tmp_path / "matches" / "17.sgf").exists()
