"""The codes of errors as they stand in the source of the rules."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

ERRORS = {
    "Refusal",
    "RulesError",
    "InvalidMove",
    "AmbiguousMove",
    "IllegalMove",
    "InvalidOption",
    "InvalidRecord",
    "refuse",
}
RULES = Path(__file__).parent.parent.parent / "rules"


def codes_in(folder: Path, pattern: str = "**/*.py") -> set[str]:
    """Return the codes of the errors and refusals that the modules of ``folder`` make."""
    return {code for path in sorted(folder.glob(pattern)) for code in _codes(ast.parse(path.read_text("utf-8")))}


def calls_in(folder: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield every call that makes an error or a refusal, with the file and line it stands in."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if _makes_error(node):
                yield f"{path.relative_to(folder)}:{node.lineno}", node


def _makes_error(node: ast.AST) -> TypeGuard[ast.Call]:
    """Return whether ``node`` calls something that makes an error or a refusal."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in ERRORS


def _codes(tree: ast.AST) -> Iterator[str]:
    """Yield the codes in a module: first arguments of such calls, and what is assigned to the name ``code``."""
    for node in ast.walk(tree):
        if _makes_error(node):
            yield from _constants(node.args[0])
        elif isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Name) and target.id == "code":
                yield from _constants(value)
            elif isinstance(target, ast.Tuple) and isinstance(name := target.elts[0], ast.Name) and name.id == "code":
                values = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
                for one in values:
                    assert isinstance(one, ast.Tuple)
                    yield from _constants(one.elts[0])


def _constants(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression can be."""
    if isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
