"""Which tests `make test` leaves to `make slow`, and those to `make nightly`, and why: each has a mark that says it."""

import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.support.costs import read_costly

ROOT = Path(__file__).resolve().parents[2]
AREAS = {
    "robots": ("pbem/robots", "rules", "tests/robots"),
    "report": ("pbem/report", "pbem/robots", "rules", "templates/archive/report.html", "tests/report"),
}
"""Folders of tests, and the paths that they depend on: `make test` runs them where one of these has changed."""


def mark_slow(items: list[pytest.Item]) -> None:
    """Mark the tests that are slow for a reason which their module does not say.

    They are listed as costly, or cases of a sampled test but every nth, or depend on paths that have not changed.
    """
    costly, cases = read_costly(), Counter[str]()
    for item in items:
        test = item.nodeid.partition("[")[0]
        sampled, number = item.get_closest_marker("sampled"), cases[test]
        cases[test] += 1
        if sampled and number % sampled.args[0]:
            item.add_marker(pytest.mark.slow(f"is not every {sampled.args[0]}th case"))
        elif test in costly:
            item.add_marker(pytest.mark.slow("is costly"))
        elif (area := item.path.parent.name) in AREAS and not has_changed(area):
            item.add_marker(pytest.mark.slow(f"is about paths that have not changed ({area})"))


@cache
def has_changed(area: str) -> bool:
    """Return whether a path of an area differs from what was pushed, or without that from what is committed.

    Where git cannot tell, everything may have changed.
    """
    try:
        tracked = _git("rev-parse", "--verify", "--quiet", "@{upstream}") or "HEAD"
        return bool(_git("diff", "--name-only", tracked, "--", *AREAS[area])) or bool(
            _git("ls-files", "--others", "--exclude-standard", "--", *AREAS[area])
        )
    except (OSError, subprocess.CalledProcessError):
        return True


def tell_left_out(items: list[pytest.Item]) -> Counter[str]:
    """Return how many tests were left out, by why they are slow."""
    marks = (item.get_closest_marker("nightly") or item.get_closest_marker("slow") for item in items)
    return Counter(str(mark.args[0]) for mark in marks if mark)


def _git(*arguments: str) -> str:
    """Return what git says; an empty text where it has nothing upstream. Raise CalledProcessError without a clone."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode and arguments[0] != "rev-parse":
        raise subprocess.CalledProcessError(done.returncode, done.args)
    return done.stdout.strip() if not done.returncode else ""
