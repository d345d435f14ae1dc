"""The glossary names what exists."""

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.each import each

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^- \*\*([^*]+)\*\*: (.+?) ((?:`[\w.]+`(?:, )?)+)$", PAGE, re.MULTILINE)
NAMES = sorted({name for *_, where in ROWS for name in re.findall(r"`([^`]+)`", where)})


def is_module(name: str) -> bool:
    """Return whether there is a module or package of that name."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # what should hold it is no package
        return False


def find(name: str) -> object:
    """Return a module, or what stands in one under that name; raises ImportError or AttributeError.

    Some functions bear the name of their module, so modules are looked for first.
    """
    parts = name.split(".")
    module = next((".".join(parts[:end]) for end in range(len(parts), 0, -1) if is_module(".".join(parts[:end]))), "")
    found: object = import_module(module or name)
    for part in parts[module.count(".") + 1 :]:
        found = getattr(found, part)
    return found


@each("name", NAMES)
def test_what_carries_a_word_exists(name: str) -> None:
    """Each class, function and module after a word can be found where the page says."""
    assert find(name) is not None


def test_what_does_not_exist_is_not_found() -> None:
    """The look-up above can fail."""
    for name in ("pbem.commands.Letter", "pbem.settling", "pbem.match.match.Match.lots"):
        with pytest.raises((ImportError, AttributeError)):
            find(name)


def test_every_row_is_read() -> None:
    """No row is left out because it is written in another way, and each explains its word in a sentence."""
    rows = [line for line in PAGE.splitlines() if line.startswith(("- ", "| "))]
    assert len(ROWS) == len(rows) > 50
    assert [word for word, meaning, _ in ROWS if not meaning.endswith((".", "…"))] == []


def test_words_are_explained_once() -> None:
    """One word for a thing, and one thing for a word."""
    words = [word for words, *_ in ROWS for word in words.split(", ")]
    assert len(words) == len(set(words))
