"""Who may know whom: the picture of the packages, kept by reading their imports."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IMPURE = frozenset(
    {
        "asyncio",
        "builtins",
        "ctypes",
        "datetime",
        "fileinput",
        "getpass",
        "glob",
        "http",
        "importlib",
        "io",
        "locale",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "pickle",
        "platform",
        "random",
        "secrets",
        "select",
        "selectors",
        "shutil",
        "signal",
        "site",
        "smtplib",
        "socket",
        "sqlite3",
        "ssl",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
        "webbrowser",
    }
)
"""Modules of the standard library that are not the rules' business: time, chance, files, the machine."""

ONLY_IN = {
    "db": ("store.py",),
    "sqlmodel": ("store.py",),
    "sqlalchemy": ("store.py",),
    "alembic": (),
    "aioimaplib": ("mailbox.py",),
    "imaplib": (),
    "aiosmtplib": ("courier.py",),
    "smtplib": (),
    "apscheduler": ("scheduler.py",),
    "flufl": ("bounces.py",),
}
"""Which module of pbem alone may use a library."""


def modules(package: str) -> list[Path]:
    """Return the modules of a package, migrations and demo left out: the demo has servers and players of its own."""
    found = sorted((ROOT / package).rglob("*.py"))
    return [path for path in found if not {"demo", "migrations"} & set(path.relative_to(ROOT).parts)]


def imported(path: Path) -> Iterator[str]:
    """Yield the top names of what a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "relative" if node.level else (node.module or "").partition(".")[0]


@pytest.mark.parametrize("path", modules("rules"), ids=lambda path: path.name)
def test_rules_are_pure(path: Path) -> None:
    """The rules import themselves and the pure part of the standard library."""
    allowed = (sys.stdlib_module_names - IMPURE) | {"rules"}
    assert set(imported(path)) <= allowed
    calls = [
        node.func.id
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert not {"open", "input", "print", "eval", "exec", "__import__"} & set(calls)


def test_the_database_knows_no_rules() -> None:
    """The tables import neither the rules nor the service."""
    for path in [*modules("db"), *(ROOT / "db" / "migrations").rglob("*.py")]:
        assert not {"rules", "pbem"} & set(imported(path)), path


def test_each_library_has_one_place() -> None:
    """In the service only the store knows the database, only the mailbox IMAP, only the courier SMTP."""
    for path in modules("pbem"):
        for name in set(imported(path)) & set(ONLY_IN):
            assert path.name in ONLY_IN[name], f"{path.relative_to(ROOT)} imports {name}"


def test_nothing_is_imported_from_the_tests() -> None:
    """The program stands without its tests."""
    for package in ("rules", "db", "pbem"):
        for path in (ROOT / package).rglob("*.py"):
            assert "tests" not in set(imported(path)), path
