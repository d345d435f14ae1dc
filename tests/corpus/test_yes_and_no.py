"""Yes and no as people write them: what is taken for an answer though it is none, and what is missed, is known."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.inbound.reply import read_reply
from pbem.reading.answers import read_answer
from tests.support.approved import approve
from tests.support.club import ADDRESS

FOLDER = Path(__file__).parent / "yes_and_no"
_NAMES = ("Ann", "Bob", "Carl", "Dora")
_WORDS = re.compile(r"\s*(?:team|say)\s*:", re.IGNORECASE)  # which are carried out beside an answer


class Written(NamedTuple):
    """What somebody answered, what it means, and what the reader makes of it."""

    text: str
    means: str
    read: str


def read_lists() -> list[Written]:
    """Return all answers of all lists, read as in a message."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(path.read_text("utf-8"))["answer"]:
            lines = [line for line in read_reply(entry["text"], ADDRESS).lines([]) if not _WORDS.match(line)]
            found.append(Written(entry["text"].strip(), entry["means"], read_answer(lines, _NAMES).means))
    return found


def test_what_is_not_understood_is_known(pytestconfig: pytest.Config) -> None:
    """A yes is never taken for a no. The others that are read wrongly are approved, and become fewer."""
    written = read_lists()
    assert [one.text for one in written if {one.means, one.read} == {"yes", "no"}] == []
    faults = {
        "misses": [one for one in written if one.means in ("yes", "no") and not one.read],
        "taken": [one for one in written if one.means == "unclear" and one.read],
    }
    for name, found in faults.items():
        told = "".join(f"{one.means:7} {' / '.join(filter(None, one.text.splitlines()))}\n" for one in found)
        approve(FOLDER / f"{name}.txt", told, update=pytestconfig.getoption("--update"))


@pytest.mark.parametrize("means", ["yes", "no", "unclear", "both"])
def test_the_lists_are_wide(means: str) -> None:
    """There are many answers of each kind."""
    assert sum(one.means == means for one in read_lists()) > 40
