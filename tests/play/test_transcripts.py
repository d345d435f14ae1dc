"""Approved transcripts: what somebody types at a terminal, and every word that comes of it."""

import re
from pathlib import Path

import pytest

from tests.play.table import Paper, play

FOLDER = Path(__file__).parent
TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))
_HEAD = re.compile(r"\$ pbem play (\w+) --seats (\d) --seat (\d)((?: --option \w+=[\w-]+)*)\n\n")


def perform(text: str) -> str:
    """Return the transcript of the same match, with what comes of it now."""
    head = _HEAD.match(text)
    assert head, "its first line is the command"
    options = dict(pair.split("=") for pair in re.findall(r"--option (\S+)", head[4]))
    paper = Paper(re.findall(r"^> ?(.*)$", text, re.MULTILINE))
    play(head[1], int(head[2]), int(head[3]), options, paper)
    return head[0] + "\n".join(paper.shown)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_terminal_says_what_was_approved(path: Path, pytestconfig: pytest.Config) -> None:
    """The same lines have the same answers; ``--update`` approves others."""
    approved = path.read_text(encoding="utf-8")
    told = perform(approved)
    if pytestconfig.getoption("update"):
        path.write_text(told, encoding="utf-8")
    else:
        assert told.splitlines() == approved.splitlines()
