"""What the page of a match has for trying moves."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.match.page import write_match
from pbem.archive.match.tries import possible_looks, refusals, try_data, try_scripts, twin_of
from pbem.archive.pages import write_shared
from pbem.boards.svg import sprite_key
from pbem.match.match import Match
from pbem.settings.places import TEMPLATES
from rules.games import GAMES
from rules.position import Entry
from tests.support.climb import CLIMB
from tests.support.club import SECRET
from tests.support.each import each
from tests.support.matches import AUCTION, NOW, pipline, random_match
from tests.support.pages import page_of
from tests.support.twins import known_codes
from tests.support.walks import Case, every_case, walk

HOST = "games@pbem.example"


def tries_of(page: str) -> dict[str, Any]:
    """Return what the script is given that tries moves."""
    found = re.search(r'<script type="application/json" id="tries">(.*?)</script>', page)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.parametrize("key", GAMES)
def test_every_game_can_be_tried(key: str, tmp_path: Path) -> None:
    """It has a twin; its page asks for that one alone, in the order in which scripts need each other; it is there."""
    match = random_match(Case(key, GAMES[key].seats[0], ()), 6)
    page = page_of(match, tmp_path)
    write_shared(tmp_path)
    scripts = re.findall(r'<script src="\.\./([\w./]+)\?\w{8}" defer>', page)
    assert [name for name in scripts if name != "deadlines.js"] == [
        "replay.js",
        "twins/common.js",
        twin_of(key),
        "grid.js",
        "explore.js",
    ]
    assert f"pbemRules.{key} =" in (tmp_path / twin_of(key)).read_text("utf-8")
    assert all((tmp_path / name).is_file() for name in scripts)
    data = tries_of(page)
    assert (data["key"], data["seats"], data["options"]) == (key, len(match.players), dict(match.options))


def test_a_game_without_a_twin_has_a_page_all_the_same(tmp_path: Path) -> None:
    """It can be stepped through, and says nothing of trying."""
    match = replace(pipline(), game=CLIMB, options=CLIMB.normalise({}))
    assert twin_of(CLIMB.key) == ""
    page = page_of(match, tmp_path)
    assert "explore.js" not in page
    assert "twins/" not in page


@each("key", GAMES)
def test_every_refusal_has_its_sentence(key: str) -> None:
    """Each code that the scripts of a game may refuse a move with."""
    scripts = [TEMPLATES / "archive" / name for name in try_scripts(key)]
    named = {code for path in scripts for code in re.findall(r'"(\w+)"', path.read_text("utf-8"))}
    assert set(refusals(key)) == named & known_codes()


@each("case", every_case(), ids=str)
def test_whatever_comes_to_be_seen_is_drawn(case: Case) -> None:
    """A tried line shows no piece, with no marks, for which the page has no sprite."""
    positions = walk(case, 2).positions
    drawn = {sprite_key(cell) for cell in possible_looks(positions[0].view())}
    seen = {sprite_key(cell) for position in positions for cell in position.view().cells}
    assert seen - drawn <= {""}


def test_moves_go_to_the_host_while_the_match_goes_on(tmp_path: Path) -> None:
    """Where its address is known; the data has it in parts, for addresses are cut off on pages."""
    running, over = pipline(*AUCTION), pipline(*AUCTION, Entry(0, "resign"))

    def host(match: Match, address: str) -> object:
        write_match(match, tmp_path, SECRET, NOW, host=address)
        page = (tmp_path / "matches" / "17.html").read_text("utf-8")
        return tries_of(page)["host"]

    assert host(running, HOST) == ["games", "pbem.example"]
    assert host(running, "") is None
    assert host(over, HOST) is None
    data = try_data(running, running.position.view(), HOST)
    assert data
    assert data["subject"] == "[pbem 17] Pipline"
