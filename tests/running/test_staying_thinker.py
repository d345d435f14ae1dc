"""A process that thinks for many moves: how fast it thinks, what it plays, and that Ctrl-C is not for it."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from pbem.errors import ThoughtLost
from pbem.ports import Problem
from pbem.robots.thinking import Pace
from pbem.running.staying_thinker import EagerMind, MindProcess
from rules.games import GAMES

_PATIENCE = 300.0
_OPTIONS = GAMES["pippip"].normalise({})
_PROBLEM = Problem("pippip", 2, _OPTIONS, (), 1, 5)


def test_without_a_compiler_it_thinks_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so once; an interrupt ends nothing, and afterwards comes through again here."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    before = signal.getsignal(signal.SIGINT)
    with MindProcess("pippip", 2, _OPTIONS) as mind:
        assert signal.getsignal(signal.SIGINT) is before
        (process,) = multiprocessing.active_children()
        os.kill(process.pid or 0, signal.SIGINT)
        pace = mind.pace(_PATIENCE)
        assert pace is not None
        assert pace.kind == "plain"
        assert 0 < pace.of(1) < pace.of(2) < pace.of(3)
        assert mind.pace(0) is None
        assert mind.answer(_PROBLEM).move
        process.kill()
        with pytest.raises(ThoughtLost):
            mind.answer(_PROBLEM)
        assert mind.pace(None) is None


def test_what_cannot_be_prepared_is_told_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a word that never comes."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with MindProcess("chess", 2, _OPTIONS) as mind:
        assert mind.pace(None) is None
        assert mind.answer(_PROBLEM).move


@pytest.mark.slow("starts interpreters")
def test_what_is_compiled_is_told_while_it_is_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second process has it; while it isn't, one that compiles nothing plays the same."""
    for name in ("NUMBA_CACHE_DIR", "CACHE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    (tmp_path / "file").touch()
    cases: list[tuple[str, type[MindProcess | EagerMind], Pace]] = [
        ("home", MindProcess, Pace("compiles_once")),
        ("home", EagerMind, Pace("kept")),
        ("file", EagerMind, Pace("compiles")),
    ]
    moves = set[str]()
    for home, mind_of, pace in cases:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / home))
        with mind_of("pippip", 2, _OPTIONS) as mind:
            assert mind.pace(_PATIENCE) == pace
            moves.add(mind.answer(_PROBLEM).move)
            assert os.environ["NUMBA_DISABLE_JIT"] == "0"
    assert len(moves) == 1
