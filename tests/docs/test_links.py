"""What the pages of the project point to is there."""

import re
from pathlib import Path

from tests.support.each import each

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "deploy" / "README.md", ROOT / "tests" / "README.md"]
DEVELOPERS = [page for page in PAGES if page.parent.name != "deploy" and page.name not in ("archive.md", "formats.md")]
"""Those that speak of files of the project alone; test_archive.py knows the files of an archive."""

BELOW = ("", "pbem", "pbem/pipeline", "pbem/commands", "rules", "tests", "tests/support", "docs")
"""Where a path that a page names may begin."""

_ENDINGS = r"(?:py|md|txt|toml|yaml|html|jsonl|/)"


def paths_in(text: str) -> set[str]:
    """Return what is named in backquotes and looks like a file or a folder of the project."""
    found = re.findall(rf"`((?:[\w.-]+/)*[\w.*-]+(?:\.{_ENDINGS}|/))`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return {path for path in found if "<" not in path}


def headings_of(page: Path) -> set[str]:
    """Return the anchors of the headings of a page."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_there(path: str) -> bool:
    """Return whether a path, perhaps with a star, begins at one of the places in ``BELOW``; a name may lie anywhere."""
    if "/" not in path and any(next((ROOT / top).rglob(path), None) for top in ("pbem", "rules", "tests", "docs")):
        return True
    return any(any((ROOT / start).glob(path.rstrip("/"))) for start in BELOW)


@each("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    """A relative link names a file."""
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link.replace("\\", "")).exists()] == []


@each("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_anchor_is_a_heading(page: Path) -> None:
    """What a link names behind ``#`` stands in that page."""
    anchors = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    there = {where: headings_of(page.parent / where if where else page) for where, _ in anchors}
    assert [f"{where}#{anchor}" for where, anchor in anchors if anchor not in there[where]] == []


@each("page", DEVELOPERS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_that_is_named_exists(page: Path) -> None:
    """A file or folder in backquotes can be found."""
    made = {"pbem.toml", "match-17.txt", "pbem.db.before-0101"}  # by the program, not in the project
    assert {path for path in paths_in(page.read_text(encoding="utf-8")) - made if not is_there(path)} == set()


def test_paths_are_recognised() -> None:
    """The search above finds files, folders and stars, and no other words."""
    text = "`pbem/mail/`, `tests/stories/*.txt`, `process.py`, `make test`, `d4`, `board plain`"
    assert paths_in(text) == {"pbem/mail/", "tests/stories/*.txt", "process.py"}
    assert is_there("tests/stories/*.txt")
    assert not is_there("pbem/settling.py")
