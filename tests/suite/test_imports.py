"""What import-linter does not check: pure rules, exported names, declared packages, and nothing from the tests."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.support.each import each

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("dns", "metrics", "pictures", "postgresql", "robots")
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

IMPURE_CALLS = frozenset({"open", "input", "print", "eval", "exec", "__import__"})


def modules(package: str) -> list[Path]:
    """Return every module of a package."""
    found = sorted((ROOT / package).rglob("*.py"))
    assert found, package
    return found


def name_of(path: Path) -> str:
    """Return the dotted name of a module or package."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return everything that the text of a module is made of."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def imports(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what a module imports, wherever in it: the module, and the names taken from it."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or ""), tuple(alias.name for alias in node.names)


@each("path", modules("rules"), ids=name_of)
def test_rules_are_pure(path: Path) -> None:
    """The rules import themselves and the pure part of the standard library, and call nothing that has effects."""
    tops = {module.partition(".")[0] for module, _ in imports(path)}
    assert tops <= (sys.stdlib_module_names - IMPURE) | {"rules"}
    calls = {node.func.id for node in nodes(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not IMPURE_CALLS & calls


@each("path", [path for top in ("pbem", "rules", "db") for path in modules(top)], ids=name_of)
def test_modules_import_nothing_private_of_others(path: Path) -> None:
    """A name that begins with ``_`` is its module's own."""
    for module, names in imports(path):
        if module.split(".")[0] in {"pbem", "rules", "db"}:
            assert not [name for name in names if name.startswith("_") and not name.startswith("__")], module


@each("path", [path for top in ("pbem", "rules") for path in modules(top) if path.name == "__init__.py"], ids=name_of)
def test_a_package_says_what_it_is_and_hides_nothing_behind_its_name(path: Path) -> None:
    """An ``__init__`` is a docstring and at most five names that a stranger needs: imports name modules."""
    names = [alias.name for node in nodes(path) if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert len(names) <= 5 or name_of(path) in {"rules.games", "pbem.robots.boards"} or name_of(path).count(".") > 1


@each("path", modules("pbem"), ids=name_of)
def test_a_module_can_be_read_at_a_sitting(path: Path) -> None:
    """What is longer than 400 lines has more than one subject."""
    assert len(path.read_text("utf-8").splitlines()) <= 400


@each("folder", sorted({path.parent for top in ("pbem", "rules") for path in modules(top)}), ids=lambda f: str(f))
def test_a_folder_can_be_read_at_a_sitting(folder: Path) -> None:
    """No folder has more modules side by side than a stranger takes in: one subject, one room."""
    assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= 22


@pytest.mark.parametrize("package", ["rules", "db", "pbem"])
def test_the_program_imports_no_tests(package: str) -> None:
    """The program stands without its tests."""
    for path in modules(package):
        assert "tests" not in {module.partition(".")[0] for module, _ in imports(path)}, path


def test_no_test_module_imports_another() -> None:
    """What tests share is in tests/support."""
    for path in modules("tests"):
        assert not [module for module, _ in imports(path) if ".test_" in module], path


def declared(*extras: str) -> set[str]:
    """Return the names of the packages that pyproject.toml names for the service, or for the extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = [project["optional-dependencies"][extra] for extra in extras] if extras else [project["dependencies"]]
    return {canonical(re.split(r"[^\w.-]", text)[0]) for texts in lists for text in texts}


def canonical(name: str) -> str:
    """Return the one way to write the name of a package."""
    return re.sub(r"[-_.]+", "-", name).lower()


def imported_packages(*paths: Path) -> set[str]:
    """Return the names of the installed packages that modules import, type checking included."""
    tops = {module.partition(".")[0] for path in paths for module, _ in imports(path) if not module.startswith(".")}
    tops -= sys.stdlib_module_names | {"pbem", "rules", "db"}
    owners = packages_distributions()
    return {canonical(owner) for top in tops for owner in owners.get(top, [top])}


def test_the_service_needs_nothing_that_it_does_not_declare() -> None:
    """``pip install pbem`` is enough but for what the extras are for, and brings nothing unused."""
    demo = set(modules("pbem/demo"))
    service = [path for package in ("pbem", "db", "rules") for path in modules(package) if path not in demo]
    by_itself = {"tzdata"}  # which `zoneinfo` reads
    extras = declared("pictures", "dns", "metrics", "robots")
    assert (imported_packages(*service) | by_itself) - {"numpy"} == declared() | extras  # numpy comes with numba
    assert imported_packages(*demo) <= declared() | declared("demo")
    assert imported_packages(*demo) - declared() == declared("demo")


def test_a_service_installs_neither_tests_nor_the_servers_of_the_demo() -> None:
    """The lists of the service and of the demo pin what each needs, as constraints.txt does, and nothing for others."""
    pin = re.compile(r"^([A-Za-z0-9._-]+)(==\S+)[^\\\n]*\\((?:\n[ \t]+--hash=.*)+)", re.MULTILINE)
    everything, service, demo, build, *extras = (
        {canonical(found[1]): found[2] + found[3] for found in pin.finditer((ROOT / name).read_text("utf-8"))}
        for name in (
            "constraints.txt",
            "deploy/requirements.txt",
            "demo-constraints.txt",
            "build-constraints.txt",
            *(f"deploy/extras/{extra}.txt" for extra in EXTRAS),
        )
    )
    assert {name: everything.get(name) for name in demo} == demo
    assert {name: demo.get(name) for name in build} == build
    for extra, pinned in zip(EXTRAS, extras, strict=True):
        assert {name: everything.get(name) for name in pinned} == pinned
        assert declared(extra) <= set(pinned)
        assert not set(pinned) & set(service)
    assert {name: demo.get(name) for name in service} == service
    assert declared() <= set(service)
    assert declared("demo", "editable") <= set(demo)
    assert not (declared("dev", "robots") - {"pbem"}) & set(demo)
    assert not (declared("dev", "demo") | {"iniconfig", "pluggy"}) & set(service)
