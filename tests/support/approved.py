"""Texts that a person has approved: compared with what the program says now, written anew with ``--update``."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rules.errors import RulesError
from rules.position import Position


def approve(path: Path, text: str, *, update: bool) -> None:
    """Compare ``text`` with the file at ``path``, or write it there."""
    if update:
        path.write_text(text, encoding="utf-8")
    approved = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text == approved, f"{path.name} differs; if the new wording is meant, run pytest with --update"


def error_of(position: Position[Any], text: str) -> RulesError:
    """Return the error with which ``text`` is refused as a move."""
    try:
        position.play(position.parse(text))
    except RulesError as error:
        return error
    raise AssertionError(f"{text} is a move")


def sentences(refused: Iterable[RulesError]) -> str:
    """Return the sentences of errors, each once, below their codes in alphabetical order."""
    found: dict[str, list[str]] = {}
    for error in refused:
        found.setdefault(error.code, []).append(str(error))
    blocks = ["\n".join([code, *(f"  {line}" for line in dict.fromkeys(found[code]))]) for code in sorted(found)]
    return "\n\n".join(blocks) + "\n"
