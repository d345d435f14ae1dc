"""The page for contributors, and the hooks, name the commands that the Makefile has."""

import json
import re
from pathlib import Path

from tests.support.validator import LOCK, without_addresses

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")


def recipe(target: str) -> list[str]:
    """Return the commands of a target of the Makefile."""
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert found
    return [line.strip().replace("$(BIN)", ".venv/bin") for line in found[1].splitlines()]


def test_the_hooks_are_the_checks_of_make_test() -> None:
    """What a commit is checked for is what ``make test`` runs before the tests, in the same order."""
    entries = re.findall(r"^ +entry: (.+)$", HOOKS, re.MULTILINE)
    assert entries == recipe("style")
    assert len(entries) == 4
    assert [re.search(r"\$\(MAKE\) \S+ (\w+)", line) is not None for line in recipe("test")] == [True, True, False]


def test_the_hooks_need_no_other_repository() -> None:
    """Each hook is local, and runs a program that is installed already."""
    assert re.findall(r"^ +- repo: (.+)$", HOOKS, re.MULTILINE) == ["local"]
    hooks = len(re.findall(r"^ +- id: ", HOOKS, re.MULTILINE))
    assert re.findall(r"^ +language: (.+)$", HOOKS, re.MULTILINE) == ["system"] * hooks


def test_every_target_that_a_page_names_exists() -> None:
    """The pages name no other targets, and the page for contributors names them all."""
    targets = set(re.findall(r"^(\w+):.*##", MAKEFILE, re.MULTILINE))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "tests" / "README.md"]
    named = {page.name: set(re.findall(r"`make (\w+)`", page.read_text(encoding="utf-8"))) for page in pages}
    assert set().union(*named.values()) <= targets
    assert targets - {"slow"} <= named["CONTRIBUTING.md"]


def test_the_lists_of_packages_name_no_addresses() -> None:
    """Each machine gets packages where it gets packages; their hashes tell whether they are the same."""
    lists = [*ROOT.glob("*constraints.txt"), *(ROOT / "deploy").rglob("*.txt"), LOCK]
    assert len(lists) == 10
    assert [path.name for path in lists if "://" in path.read_text(encoding="utf-8")] == []
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    assert all("integrity" in package for name, package in packages.items() if name)
    package = {"version": "1", "integrity": "sha512-x"}
    lock = {"packages": {"node_modules/a": {**package, "resolved": "https://a.example/a"}}}
    assert without_addresses(lock) == {"packages": {"node_modules/a": package}}
