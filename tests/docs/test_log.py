"""The page on the log lists the events that there are, and every line of the log has one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "log.md").read_text(encoding="utf-8")
LEVELS = {"debug", "info", "warning", "error", "exception", "critical", "log"}


def _called(node: ast.Call) -> str:
    """Return the last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_log(node: ast.Call) -> bool:
    """Return whether a line of the log is written by a call."""
    target = node.func.value if isinstance(node.func, ast.Attribute) else None
    logger = isinstance(target, ast.Name) and target.id == "log"
    return _called(node) in LEVELS and (logger or (isinstance(target, ast.Call) and _called(target) == "getLogger"))


def _calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call in the program, with where it stands."""
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_every_line_of_the_log_has_an_event() -> None:
    """Else it would be taken for one of a library, and nobody would find it on the page."""
    lines = [(place, node) for place, node in _calls() if _is_log(node)]
    assert len(lines) > 30
    assert [place for place, node in lines if "extra" not in {one.arg for one in node.keywords}] == []


def test_the_page_lists_the_events_of_the_log() -> None:
    """Each of them, and no other."""
    names = [node.args[0] for _, node in _calls() if _called(node) in ("event", "line_of") and node.args]
    used = {name.value for name in names if isinstance(name, ast.Constant) and type(name.value) is str}
    rows = [line.split("|") for line in PAGE.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row[1])} == used | {"library"}
    assert all(len(row) == 5 and all(cell.strip() for cell in row[1:4]) for row in rows)
