"""The examples of the pages on adding things are applied to a copy of the program, and tried."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("pbem", "rules", "db", "templates", "tests", "docs", "README.md", "pyproject.toml")
LEFT_OUT = ("corpus", "fixtures", "stories")  # what is compiled stays: it is found again by the times of the files
PAGES = {
    "adding-a-command.md": ["tests/docs/test_readme.py"],
    "adding-a-question.md": [],
    "adding-a-game.md": [
        "tests/docs/test_readme.py",
        "tests/rules/test_conformance.py",
        "tests/pipeline/test_every_game.py",
    ],
}
"""The pages, and which of our tests take up what they add."""

pytestmark = pytest.mark.slow("runs tests of a copy of the program")

_SECONDS = 300
_WHAT = "not slow and not nightly"


def difference(page: str) -> str:
    """Return the difference that a page of ``docs`` ends in."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.fullmatch(r".*\n```diff\n(.*)```\n", text, re.DOTALL)
    assert found
    return found[1]


def copy_program(directory: Path) -> None:
    """Copy what the examples touch, and what their tests need."""
    directory.mkdir()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, directory / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
        else:
            shutil.copy(ROOT / name, directory / name)


def run(directory: Path, *command: str, given: str | None = None) -> None:
    """Run a command in ``directory``; what it says is shown if it fails."""
    surroundings = {**os.environ, "GIT_CEILING_DIRECTORIES": str(directory.parent), "PYTHONPATH": str(directory)}
    surroundings.pop("PYTEST_ADDOPTS", None)
    done = subprocess.run(
        command, cwd=directory, input=given, env=surroundings, timeout=_SECONDS, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES)
def test_the_example_of_a_page_works(page: str, tmp_path: Path) -> None:
    """The difference applies to the program as it is; then its own tests pass, and those of ours that take it up."""
    change, copy = difference(page), tmp_path / "copy"
    copy_program(copy)
    run(copy, "git", "apply", "-", given=change)
    own = re.findall(r"^\+\+\+ b/(tests/\S+/test_\w+\.py)$", change, re.MULTILINE)
    assert own
    run(copy, sys.executable, "-m", "pytest", "-m", _WHAT, "-p", "no:cacheprovider", *own, *PAGES[page])
