"""The drawing of the packages in docs/tour.md is what the imports say."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
TOPS = ("pbem", "rules", "db")

Imports = dict[str, set[str]]
"""The packages that each package imports; those that import none are left out."""


ONE_BOX = {"asking": "pipeline", "due": "pipeline"}
"""Packages whose modules import each other, drawn as one."""


def package_of(module: str) -> str:
    """Return the package of a module, as the page names it; nothing for ``pbem`` itself."""
    top, _, below = module.partition(".")
    name = below.partition(".")[0] if top == "pbem" else top
    return ONE_BOX.get(name, name)


def imported(path: Path) -> Iterator[str]:
    """Yield the packages of ours that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "pbem":
            names = [f"pbem.{alias.name}" for alias in node.names if not alias.name.startswith("__")]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        yield from (package_of(name) for name in names if name.partition(".")[0] in TOPS)


def real_imports() -> Imports:
    """Return what the modules import."""
    found: Imports = {}
    for path in (path for top in TOPS for path in (ROOT / top).rglob("*.py")):
        own = package_of(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
        if others := set(imported(path)) - {own, ""}:
            found.setdefault(own, set()).update(others)
    return found


def reachable(imports: Imports, package: str) -> set[str]:
    """Return every package that one imports, or that those import."""
    return set().union(*({other} | reachable(imports, other) for other in imports.get(package, ())))


def without_implied(imports: Imports) -> Imports:
    """Return the imports that do not follow from others."""
    return {
        package: {one for one in others if not any(one in reachable(imports, other) for other in others - {one})}
        for package, others in imports.items()
    }


def block(name: str) -> str:
    """Return what stands in the page between two marks."""
    found = re.search(rf"<!-- {name} -->(.*?)<!-- /{name} -->", PAGE, re.DOTALL)
    assert found
    return found[1]


def drawn() -> Imports:
    """Return the arrows of the picture."""
    arrows = re.findall(r"^ +(\w+) --> (.+)$", block("packages"), re.MULTILINE)
    return {package: set(others.split(" & ")) for package, others in arrows}


def arrows_of(imports: Imports) -> set[str]:
    """Return imports as arrows, so that a difference reads well."""
    return {f"{package} --> {other}" for package, others in imports.items() for other in others}


def test_the_picture_of_the_packages_is_what_they_import() -> None:
    """Each arrow is an import, and each import is an arrow, or follows from arrows."""
    assert arrows_of(drawn()) == arrows_of(without_implied(real_imports()))


def body_of(name: str) -> list[ast.stmt]:
    """Return the body of the function that a module of the pipeline is named after."""
    tree = ast.parse((ROOT / "pbem" / "pipeline" / f"{name}.py").read_text(encoding="utf-8"))
    return next(node.body for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)


def calls_in(steps: list[ast.stmt]) -> list[str]:
    """Return the names of the functions that ``steps`` call."""
    calls = [node for step in steps for node in ast.walk(step) if isinstance(node, ast.Call)]
    return [call.func.id for call in calls if isinstance(call.func, ast.Name)]


def test_the_page_names_the_stages_in_the_order_in_which_they_are_called() -> None:
    """The table of stages follows the calls in ``process``, and in ``carry_out``, the last of them."""
    stages = re.findall(r"^\| \d (\w+) \|", PAGE, re.MULTILINE)
    attempt = next(node for node in body_of("process") if isinstance(node, ast.Try))
    called = calls_in(attempt.body)
    assert called.count("carry_out") == 1
    called += calls_in(body_of("carry_out"))
    assert stages == [name for name in called if name in stages]
    assert len(stages) == 8
