"""The games of a report that were played already: a line each in a file, so that a run can go on where one stopped."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from pbem.errors import BadInput, Busy
from pbem.report.plan import Plan
from pbem.report.playing import Game

_NAMES = frozenset(one.name for one in fields(Game))
_NEEDED = {"series", "number", "rewards", "choices"}


class Kept:
    """The file of a plan's games, open for more of them; ``games`` are those it has."""

    def __init__(self, file: Any, games: list[Game]) -> None:
        self._file = file
        self.games = games

    def add(self, game: Game) -> None:
        """Write one more game."""
        self._file.write(_write_line(game.as_line()))
        self._file.flush()
        self.games.append(game)


@contextmanager
def keeping(path: Path, plan: Plan) -> Iterator[Kept]:
    """Open the file of a plan's games; lines that are damaged, as by a killed process, are dropped.

    Raises BadInput where it has games of another plan, Busy where another process writes it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+", encoding="utf-8", errors="replace") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"Another process plays the games of {path}: wait for it, or choose another --out.") from None
        text = file.read()
        header, games = _read(text)
        if header is not None and header != json.loads(json.dumps(plan.header)):
            raise BadInput(
                f"{path} has games with other options, players, playouts or seed: delete it, or choose another --out."
            )
        whole = _write_line(plan.header) + "".join(_write_line(game.as_line()) for game in games)
        if whole != text:
            _replace(file, whole)
        yield Kept(file, games)


def _replace(file: Any, text: str) -> None:
    """Write a file anew, its lock kept."""
    file.seek(0)
    file.truncate()
    file.write(text)
    file.flush()


def _read(text: str) -> tuple[dict[str, Any] | None, list[Game]]:
    """Return the header of a file, None if it has none, and its games, each once."""
    header: dict[str, Any] | None = None
    games: dict[tuple[str, int], Game] = {}
    for place, line in enumerate(text.splitlines()):
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if place == 0:
            header = found
        elif isinstance(found, dict) and set(found) <= _NAMES and set(found) >= _NEEDED:
            game = Game(**found)
            games.setdefault((game.series, game.number), game)
    return header, list(games.values())


def _write_line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
