"""The page on security names tests and events that there are."""

import ast
import re
from functools import cache
from pathlib import Path

from pbem.pipeline.alarm import LOGGED
from tests.support.each import each

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(test_\w+)`", PAGE)))


@cache
def names_in(file: str) -> frozenset[str]:
    """Return the names of all functions of a file of tests."""
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


@each("file, name", NAMED, ids=lambda part: part)
def test_a_promise_has_the_test_that_it_names(file: str, name: str) -> None:
    """A test that was renamed or removed takes its promise along."""
    assert name in names_in(file)


def test_every_promise_names_a_test() -> None:
    """A line without a test would be a mere claim."""
    promised = PAGE.partition("## What is promised")[2].partition("## What an operator sees")[0]
    promises = re.findall(r"^- .*\n(?:  .*\n)*", promised, re.MULTILINE)
    assert len(promises) > 200
    tests = r"(?:  `[\w/]+\.py::test_\w+`,\n)*  `[\w/]+\.py::test_\w+`\n"
    assert [promise for promise in promises if not re.fullmatch(r"- .*:\n" + tests, promise)] == []


def test_the_page_lists_the_events_of_the_log() -> None:
    """Who searches the log knows what to search for."""
    told = PAGE.partition("The events:")[2].partition("`pbem inbound show")[0]
    assert set(re.findall(r"`(\w+)`", told)) == LOGGED
