"""Which tests are left out, and how that is told."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.support.selection import AREAS, ROOT, has_changed, tell_left_out


def git(directory: Path, *arguments: str) -> None:
    """Run git as somebody."""
    somebody = ("-c", "user.name=Ann", "-c", "user.email=ann@a.example", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *somebody, *arguments], cwd=directory, check=True, capture_output=True)


def test_an_area_is_tried_until_its_changes_are_pushed(tmp_path: Path) -> None:
    """A changed file, a new one, and a commit that nobody else has; nothing of it where other paths changed."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for path in ("pbem/robots/search.py", "pbem/running/service.py"):
        (ours / path).parent.mkdir(parents=True, exist_ok=True)
        (ours / path).touch()
    git(ours, "init")
    git(ours, "add", ".")
    git(ours, "commit", "-m", "All")

    def changed(area: str = "robots") -> bool:
        has_changed.cache_clear()
        return has_changed(area, ours)

    (ours / "pbem/running/service.py").write_text("# changed")
    assert not changed()
    (ours / "pbem/robots/new.py").touch()
    assert changed()
    assert changed("report")
    git(ours, "add", ".")
    git(ours, "commit", "-m", "More")
    assert not changed()
    git(tmp_path, "clone", "--bare", "ours", "theirs")
    git(ours, "remote", "add", "origin", str(theirs))
    git(ours, "fetch", "origin")
    git(ours, "branch", "--set-upstream-to=origin/main")
    assert not changed()
    (ours / "pbem/robots/new.py").write_text("# changed")
    git(ours, "commit", "-am", "Again")
    assert changed()
    git(ours, "push", "origin", "main")
    assert not changed()
    git(ours, "remote", "set-head", "origin", "main")
    git(ours, "checkout", "--no-track", "-b", "mine")
    assert not changed()
    (ours / "pbem/robots/new.py").write_text("# changed on a branch")
    git(ours, "commit", "-am", "On a branch of my own")
    assert changed()


def test_where_git_cannot_tell_everything_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an unpacked archive, or on a machine without git."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert has_changed("robots", tmp_path)


def test_the_paths_of_an_area_are_there() -> None:
    """Of a path that was renamed no change would be seen."""
    assert [path for paths in AREAS.values() for path in paths if not (ROOT / path).exists()] == []


def test_every_mark_says_why() -> None:
    """``@pytest.mark.slow("needs a browser")``: else nobody knows whether it still has to be."""
    bare = re.compile(r"mark\.(?:slow|nightly)\b(?!\(\")")
    found = [path.name for path in (ROOT / "tests").rglob("test_*.py") if bare.search(path.read_text("utf-8"))]
    assert [name for name in found if name != Path(__file__).name] == []


def test_what_was_left_out_is_told_with_its_reasons() -> None:
    """The most frequent first; nothing where nothing was."""
    counted = Counter({"is costly": 3, "needs a browser": 20})
    assert tell_left_out(counted) == "left out: 23 (needs a browser: 20, is costly: 3)"
    assert tell_left_out(Counter()) == ""
