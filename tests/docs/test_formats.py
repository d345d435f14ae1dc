"""The page about formats names what there is, and the schema beside it fits what is written."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pbem.archive.match.formats import VERSION
from tests.support.schemas import SCHEMA

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
DEFINITIONS: Mapping[str, Any] = SCHEMA["definitions"]


def fields_of(schema: Mapping[str, Any], within: str = "") -> Iterator[str]:
    """Yield the names of the fields that a schema has, as the page writes them."""
    for name, below in schema.get("properties", {}).items():
        yield within + name
        yield from fields_of(below, f"{within}{name}.")
    if "items" in schema:
        yield from fields_of(schema["items"], f"{within.removesuffix('.')}[].")


def test_each_field_of_a_match_has_a_row() -> None:
    """And no other has one."""
    table = PAGE.partition("| field |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE) == list(fields_of(DEFINITIONS["match"]))


def test_each_field_of_a_list_is_named() -> None:
    """Each definition is, too, and the version is that of the program."""
    for kind in ("listed_match", "players", "offers", "ladder", "league", "season"):
        names = {name.rpartition(".")[2].removesuffix("[]") for name in fields_of(DEFINITIONS[kind])}
        assert [name for name in names if f"{name}`" not in PAGE] == []
    named = set(re.findall(r"\| `(\w+)` \|$", PAGE, re.MULTILINE))
    assert named == {"listed_match", "match", "game_record", "players", "offers", "contests", "export", "webhook"}
    assert DEFINITIONS["version"] == {"const": VERSION}
    assert f"now {VERSION}," in PAGE
