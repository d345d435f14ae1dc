"""The list of costly tests is one of tests that there are."""

import re
from pathlib import Path

from tests.support.selection import read_costly

ROOT = Path(__file__).resolve().parents[2]


def test_every_costly_test_is_there() -> None:
    """One that was renamed would run in `make test` again, and nobody would know why that takes so long."""
    listed = read_costly()
    texts = {file: (ROOT / file).read_text("utf-8") for file in {name.partition("::")[0] for name in listed}}
    for name in listed:
        file, _, test = name.partition("::")
        assert re.search(rf"^(async )?def {test}\(", texts[file], re.MULTILINE), name
    assert listed
