"""The games of a report that were played already: a line each in a file, so that a run can go on where one stopped."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from pbem.errors import BadInput, Busy
from pbem.report.plan import OTHER_SEATS, PROFILES, Plan
from pbem.report.playing import Game
from pbem.robots.board import WHOLE

_NAMES = frozenset(one.name for one in fields(Game))
_MOST = 1 << 40  # choices of a step
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

    Raises BadInput where it has games of another plan, or anything else; Busy where another process writes it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+", encoding="utf-8", errors="replace") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"Another process plays the games of {path}: wait for it, or choose another --out.") from None
        text, begun = file.read(), _write_line(plan.first_line)
        games: list[Game] = []
        if not begun.startswith(text):  # else it is new, or its first line was never finished
            header, games = _read(text)
            if header is None:
                raise BadInput(f"{path} has no games of a report: move it away, or choose another --out.")
            if header | plan.numbers != json.loads(begun):
                raise BadInput(
                    f"{path} has games with other options, players, playouts or seed, or of former robots: delete it,"
                    " or choose another --out."
                )
        whole = begun + "".join(_write_line(game.as_line()) for game in games)
        if whole != text:
            _replace(file, whole)
        yield Kept(file, games)


def read_other(path: Path, plan: Plan) -> tuple[Plan, list[Game]] | None:
    """Return the plan and games that another run of the same game has kept; None if there are none that fit."""
    try:
        header, games = _read(path.read_text("utf-8", errors="replace"))
        if header and games and plan.subject.items() <= header.items():
            kept = {key: header[key] for key in ("playouts", "seed", "games", "random_games")}
            known = header["profile"] in PROFILES and all(isinstance(one, int) for one in kept.values())
            if known and min(kept["playouts"], kept["games"], kept["random_games"]) > 0:
                return replace(plan, profile=header["profile"], **kept), games
    except (OSError, KeyError, TypeError):
        pass
    return None


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
        except (ValueError, RecursionError):
            continue
        if place == 0:
            header = found if isinstance(found, dict) and "game" in found else None
        elif isinstance(found, dict) and set(found) <= _NAMES and set(found) >= _NEEDED:
            game = Game(**found)
            if header is not None and _is_whole(game, header):
                games.setdefault((game.series, game.number), game)
    return header, list(games.values())


def _is_whole(game: Game, header: dict[str, Any]) -> bool:
    """Return whether a game that was read has what can be measured: lists of the right lengths, of what they hold."""
    try:
        steps, other = len(game.choices), game.series.removeprefix(f"{OTHER_SEATS} ")
        seats = int(other) if other != game.series else header["seats"]
        return (
            isinstance(game.series, str)
            and isinstance(game.number, int)
            and steps > 0
            and all(isinstance(count, int) and 0 < count < _MOST for count in game.choices)
            and len(game.rewards) == seats
            and all(isinstance(reward, int) and 0 <= reward <= WHOLE for reward in game.rewards)
            and len(game.actors) == len(game.values) == len(game.good) in (0, steps)
            and all(value is None or 0 <= value <= 1000 for value in game.values)
            and all(isinstance(text, str) for _, text in game.record)
            and all(0 <= seat < seats for _, seat, _ in game.placed)
            and all(tried >= 0 and 0 <= value <= 1000 for _, tried, value in game.opening)
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return False


def _write_line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
