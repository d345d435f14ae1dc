"""Compiled code that is kept belongs to this very version of the program."""

import ctypes
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from pbem.robots.compiled import bound
from pbem.robots.search import searching
from pbem.robots.thinking import follow
from rules.games import GAMES

_ROOT = Path(__file__).resolve().parents[2]


def part(number: int) -> int:
    """Stand for a function that another calls."""
    raise NotImplementedError


def _double(number: int) -> int:
    return 2 * number


def _triple(number: int) -> int:
    return 3 * number


def _more(number: int) -> int:
    return 1 + part(number)


def test_functions_with_other_parts_have_other_names() -> None:
    """The files of compiled code are known by these; what is not called doesn't count."""
    doubled, tripled = (bound(_more, {"part": each}, False) for each in (_double, _triple))
    assert (doubled(5), tripled(5)) == (11, 16)
    again = bound(_more, {"part": _double, "other": _triple}, False)
    assert again.__qualname__ == doubled.__qualname__ != tripled.__qualname__


def test_searches_of_different_games_have_different_names() -> None:
    """As they are the same function over others."""
    kernels = {key: follow(key, game.seats[0], game.normalise({}), []).board.kernel for key, game in GAMES.items()}
    fast = {id(kernel): kernel for kernel in kernels.values() if kernel.fast}
    names = {_qualified(searching(kernel)) for kernel in fast.values()}
    parts = {(kernel.play.__module__, kernel.play.__qualname__) for kernel in fast.values()}
    assert len(names) == len(parts)


def _qualified(function: Any) -> str:
    return str(function.__qualname__)


@pytest.mark.slow("starts interpreters")
def test_code_is_kept_for_one_version_and_where_files_can_be_written(tmp_path: Path) -> None:
    """A byte that changes in any source is another version; where nothing can be written, nothing is kept."""
    copy, homes = tmp_path / "copy", [tmp_path / "one", tmp_path / "two"]
    for package in ("pbem", "rules"):
        copytree(_ROOT / package, copy / package)
    kept = [_place(directory, homes[0]) for directory in (_ROOT, copy)]
    with (copy / "pbem/robots/chance.py").open("a", encoding="utf-8") as source:
        source.write("\n")
    changed = _place(copy, homes[0])
    assert kept[0] == kept[1] != changed
    assert changed.startswith(f"True {homes[0]}")
    homes[1].write_text("no directory", encoding="utf-8")
    assert _place(copy, homes[1]).startswith("False")


def _place(directory: Path, home: Path) -> str:
    """Return whether a process of the program in ``directory`` keeps compiled code, and where."""
    words = "import numba; from pbem.robots.compiled import KEPT; print(KEPT, numba.config.CACHE_DIR)"
    environment = {key: value for key, value in os.environ.items() if key not in ("NUMBA_CACHE_DIR", "CACHE_DIRECTORY")}
    environment |= {"NUMBA_DISABLE_JIT": "0", "XDG_CACHE_HOME": str(home), "PYTHONPATH": str(directory)}
    command = [sys.executable, "-P", "-c", words]
    done = subprocess.run(command, env=environment, cwd=home.parent, capture_output=True, text=True, check=True)
    return done.stdout.strip()


_DENY_WRITE_EXECUTE = 65  # prctl(2); since Linux 6.3


def _deny_write_execute() -> None:
    """Let this process and what it executes have no memory that is written and run, as the unit for systemd does."""
    assert ctypes.CDLL(None).prctl(_DENY_WRITE_EXECUTE, 1, 0, 0, 0) == 0


@pytest.mark.slow("starts interpreters")
def test_where_nothing_can_be_compiled_a_process_thinks_the_same_in_plain_python() -> None:
    """With MemoryDenyWriteExecute=yes, numba installed: one process, no complaint, the same move."""
    problem = {"game": "pippip", "seats": 2, "options": GAMES["pippip"].normalise({}), "entries": []}
    asked = json.dumps(problem | {"strength": 1, "seed": 5})
    environment = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    done, free = (
        subprocess.run(
            [sys.executable, "-P", "-m", "pbem.robots", "300"],
            input=asked,
            env=environment,
            preexec_fn=confined,
            capture_output=True,
            text=True,
            check=True,
        )
        for confined in (_deny_write_execute, None)
    )
    assert (done.stdout, done.stderr) == (free.stdout, "")
    assert json.loads(done.stdout)["move"]


@pytest.mark.slow("starts interpreters")
def test_a_compiler_that_is_broken_is_not_asked_again(tmp_path: Path) -> None:
    """Whatever it raises when it's imported: the second process leaves it alone, and thinks in plain Python."""
    (tmp_path / "numba.py").write_text('raise AttributeError("another numpy than it was made for")\n')
    asks = (
        "import asyncio\n"
        "from pbem.ports import Problem\n"
        "from pbem.running.thinker import ProcessThinker\n"
        f"problem = Problem('pippip', 2, {GAMES['pippip'].normalise({})!r}, (), 1, 5)\n"
        "print(asyncio.run(ProcessThinker(300).think(problem)).move)\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    told = subprocess.run(
        [sys.executable, "-c", asks],
        env=environment | {"PYTHONPATH": f"{tmp_path}:{_ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip()


@pytest.mark.slow("starts interpreters")
def test_a_process_that_nobody_waits_for_any_more_ends_itself() -> None:
    """It thinks for ever, and the service that would have ended it was killed."""
    asked = {"game": "zipline", "seats": 3, "options": GAMES["zipline"].normalise({"size": 19}), "entries": []}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pbem.robots", "1"],
        input=json.dumps(asked | {"strength": 3, "seed": 5}),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGALRM
