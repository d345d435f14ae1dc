"""Every error of the rules has a code that programs can rely on."""

import ast
import pickle
import re
from pathlib import Path

from rules.errors import InvalidMove, InvalidRecord
from rules.games.pippinzip import texts as pippinzip
from rules.games.pippip import texts as pippip
from rules.games.snipsnip import texts as snipsnip
from tests.support.approved import approve
from tests.support.codes import RULES, calls_in, codes_in


def test_every_error_is_made_with_a_code() -> None:
    """The first argument is a code in snake_case, a refusal that has one, or a name for one of several."""
    calls = list(calls_in(RULES))
    assert len(calls) > 80
    for place, call in calls:
        first = call.args[0]
        if isinstance(first, ast.Constant):
            assert re.fullmatch(r"[a-z]+(_[a-z]+)+", str(first.value)), place
        elif isinstance(first, ast.Attribute):
            assert first.attr == "code", place
        elif not isinstance(first, ast.Starred):
            assert isinstance(first, ast.Name), place
            assert first.id == "code", place


def test_every_raise_raises_such_an_error() -> None:
    """What the rules raise are their own errors, or what a function for one returns; ValueError is a wrong call."""
    for path in sorted(RULES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise):
                assert isinstance(node.exc, ast.Call), path
                name = ast.unparse(node.exc.func)
                assert not name.endswith("Error") or name in ("RulesError", "ValueError"), (path, name)


def test_every_sentence_with_gaps_is_used() -> None:
    """A game that keeps its refusals in a table fills in each of them somewhere."""
    games = {"pippinzip": pippinzip.REFUSALS, "pippip": pippip.REFUSALS, "snipsnip": snipsnip.REFUSALS}
    for game, sentences in games.items():
        codes = {key.partition(":")[0] for key in sentences}
        assert codes <= codes_in(RULES / "games" / game, "position.py")


def test_codes_stay_as_they_are(update: bool) -> None:
    """A code that is renamed or dropped breaks programs and translations; here it is seen."""
    folders = [path for path in sorted((RULES / "games").iterdir()) if (path / "position.py").exists()]
    games = {folder.name: codes_in(folder) for folder in folders}
    several = {code for codes in games.values() for code in codes if sum(code in other for other in games.values()) > 1}
    common = codes_in(RULES, "*.py") | several
    found = {"any game": common, **{name: codes - common for name, codes in games.items()}}
    lines = [line for name, codes in found.items() for line in (f"{name}:", *(f"  {code}" for code in sorted(codes)))]
    approve(Path(__file__).parent / "codes.txt", "\n".join(lines) + "\n", update=update)


def test_an_error_tells_its_sentence_its_code_and_what_it_is_about() -> None:
    """It can be sent from one process to another."""
    error = InvalidMove("not_a_cell", "“zz” is no cell.", {"word": "zz"})
    assert (str(error), error.code, error.arguments) == ("“zz” is no cell.", "not_a_cell", {"word": "zz"})
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.arguments) == (str(error), error.code, error.arguments)
    record = InvalidRecord("unreadable_line", "Line 3 cannot be read.", ply=None, line=3)
    assert (record.arguments, record.line, record.ply) == ({}, 3, None)
