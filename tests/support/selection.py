"""Which tests `make test` leaves to `make slow`, and those to `make nightly`, and why: each has a mark that says it."""

import subprocess
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path
from textwrap import fill

import pytest

ROOT = Path(__file__).resolve().parents[2]
COSTLY = ROOT / "tests" / "costly.txt"
AREAS = {
    "robots": ("constraints.txt", "pbem/robots", "rules", "tests/robots"),
    "report": (
        "constraints.txt",
        "pbem/archive",
        "pbem/boards",
        "pbem/report",
        "pbem/robots",
        "rules",
        "templates/archive",
        "tests/report",
    ),
}
"""Folders of tests, and the paths that they depend on: `make test` runs them where one of these has changed."""


def read_costly() -> frozenset[str]:
    """Return the names of the costly tests, without their cases, as ``tests/x/test_y.py::test_z``."""
    lines = COSTLY.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def mark_slow(items: list[pytest.Item]) -> None:
    """Mark the tests that are slow for a reason which their module does not say.

    They are listed as costly, or cases of a sampled test but every nth, or depend on paths that have not changed: where
    these have, all of them are tried, whatever they cost. Of several sampled tests over a list each tries others.
    """
    costly, cases, tests = read_costly(), Counter[str](), Counter[Path]()
    many = Counter(item.nodeid.partition("[")[0] for item in items)
    for item in items:
        test = item.nodeid.partition("[")[0]
        sampled = item.get_closest_marker("sampled")
        if sampled and test not in cases and many[test] >= sampled.args[0]:
            tests[item.path] += 1
            cases[test] = tests[item.path]  # another beginning for each; of fewer cases none might be left
        number = cases[test]
        cases[test] += 1
        if sampled and number % sampled.args[0]:
            item.add_marker(pytest.mark.slow("is one of many cases"))
        elif (area := item.path.parent.name) in AREAS:
            if not has_changed(area):
                item.add_marker(pytest.mark.slow(f"is about paths that have not changed ({area})"))
        elif test in costly and not item.get_closest_marker("always"):
            item.add_marker(pytest.mark.slow("is costly"))


def spread_servers(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return tests file by file, those with servers spread over the first two thirds of those of others.

    They wait half of their time, while others can work; and none is the last, when nobody else has anything to do.
    """
    files: dict[bool, dict[Path, list[pytest.Item]]] = {True: {}, False: {}}
    for item in items:
        files[item.get_closest_marker("servers") is not None].setdefault(item.path, []).append(item)
    with_servers, others = (list(files[each].values()) for each in (True, False))
    every = max(1, len(others) * 2 // 3 // max(1, len(with_servers)))
    for number, found in enumerate(with_servers):
        others.insert(number * (every + 1), found)
    return list(chain.from_iterable(others))


@cache
def has_changed(area: str, root: Path = ROOT) -> bool:
    """Return whether a path of an area differs from what was pushed, or without that from what is committed.

    A branch that was never pushed is compared with the default branch of where this clone is from. Where git cannot
    tell, everything may have changed.
    """
    try:
        upstream = _git(root, "for-each-ref", "--format=%(upstream:short)", _git(root, "symbolic-ref", "HEAD"))
        upstream = upstream or _git(root, "for-each-ref", "--format=%(refname)", "refs/remotes/origin/HEAD")
        changed = _git(root, "diff", "--name-only", upstream or "HEAD", "--", *AREAS[area])
        return bool(changed or _git(root, "ls-files", "--others", "--exclude-standard", "--", *AREAS[area]))
    except (OSError, subprocess.CalledProcessError):
        return True


def count_left_out(items: list[pytest.Item]) -> Counter[str]:
    """Return how many tests were left out, by why they are slow."""
    marks = (item.get_closest_marker("nightly") or item.get_closest_marker("slow") for item in items)
    return Counter(str(mark.args[0]) if mark.args else "?" for mark in marks if mark)


def tell_left_out(counted: Counter[str]) -> str:
    """Return what was left out as it is told at the end of a run; an empty text for nothing."""
    told = ", ".join(f"{why}: {number}" for why, number in counted.most_common())
    return fill(f"left out: {counted.total()} ({told})", 110, subsequent_indent="  ") if told else ""


def _git(root: Path, *arguments: str) -> str:
    """Return what git says. Raise CalledProcessError outside a clone, and where no branch is checked out."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()
