"""Who may read which words is decided in one place."""

import ast
from pathlib import Path

PBEM = Path(__file__).resolve().parents[2] / "pbem"
OTHERS = {
    "commands/families/talk.py": "reads the command that makes a comment",
    "commands/grammar.py": "hides the command that makes a comment from the operator",
    "storage/erasing.py": "exports what a player said to that player",
    "storage/matches/statements.py": "loads comments",
    "storage/matches/rows.py": "finds damage",
}


def test_nothing_else_looks_at_whose_a_comment_is() -> None:
    """A second reader of ``to_side`` would be a second rule, and one of the two would let private words out."""
    looking = {
        str(path.relative_to(PBEM))
        for path in PBEM.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "to_side"
    }
    assert looking == {"match/privacy.py", *OTHERS}
