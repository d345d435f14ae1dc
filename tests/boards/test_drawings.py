"""The boards of the playthroughs in emails: every position of every game, in each way that players can choose."""

import hashlib
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from pbem.match.preferences import Display
from pbem.notices.board_block import BoardRenderings, RenderedBoard, renderings_of
from rules.game import advance
from rules.games import GAMES
from rules.position import Position
from rules.record import read_record
from tests.support.approved import approve
from tests.support.playthroughs import DASHES, files

FOLDER = Path(__file__).parent / "drawings"
"""A file for each way, with a hash for each playthrough; what boards look like can be read in the stories."""


@cache
def drawn() -> dict[str, list[BoardRenderings]]:
    """Return every position of each playthrough as it can be drawn, by the names of the playthroughs."""
    found: dict[str, list[BoardRenderings]] = {}
    for path in files():
        record = read_record(path.read_text(encoding="utf-8").partition(DASHES)[0])
        positions: list[Position[object]] = [GAMES[record.game].restore(record.seats, record.options)]
        for entry in record.entries:
            positions.append(advance(positions[-1], entry))
        found[path.stem] = list(map(renderings_of, positions))
    return found


def hash_of(boards: list[RenderedBoard]) -> str:
    """Return the beginning of the SHA-256 of all that readers see of boards."""
    seen = [part for one in boards for part in (one.text, one.legend_text, one.html, one.legend_html, one.style)]
    return hashlib.sha256("\0".join(seen).encode()).hexdigest()[:12]


@pytest.mark.parametrize("display", get_args(Display))
def test_the_boards_of_the_playthroughs_are_drawn_as_approved(display: Display, pytestconfig: pytest.Config) -> None:
    """No board changes unseen, though most stories leave it out: text, HTML, explanations, and links on cells."""
    lines = []
    for name, positions in drawn().items():
        boards = [one.render(display, acting=isinstance(one.position.to_act, int)) for one in positions]
        lines.append(f"{name} {hash_of(boards)}\n")
    approve(FOLDER / f"{display}.txt", "".join(lines), update=pytestconfig.getoption("update"))
