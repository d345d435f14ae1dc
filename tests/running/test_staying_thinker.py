"""A process that thinks for many moves: how fast it thinks, what it plays, and that Ctrl-C is not for it."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from pbem.errors import ThoughtLost
from pbem.ports import Problem
from pbem.running.staying_thinker import MindProcess
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
        assert mind.pace(_PATIENCE) == "plain"
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
    """The second process has it; where nothing can be kept, nobody is told that it's only once."""
    for name in ("NUMBA_CACHE_DIR", "CACHE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    (tmp_path / "file").touch()
    for home, said in (("home", "compiles_once"), ("home", "kept"), ("file", "compiles")):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / home))
        with MindProcess("pippip", 2, _OPTIONS) as mind:
            assert mind.pace(_PATIENCE) == said
            assert said == "compiles" or mind.answer(_PROBLEM).move
