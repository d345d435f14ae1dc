"""``pbem play``: a match against robots in a pipe, with a process that thinks for them."""

from pathlib import Path

import pytest

from tests.support.command_line import Pbem


def test_a_match_is_played_and_its_record_kept(bare: Pbem) -> None:
    """A robot answers a move from a process of its own; the record is one that can be verified."""
    typed = b"hello\nc3\nI resign\n"
    arguments = ("play", "Pipline", "size=5", "--name", "Ann  Lee", "--seed", "7", "--save", "ended.txt")
    run = bare.done(*arguments, stdin=typed)
    assert "> c3\n" in run.out
    assert "pbem verify ended.txt" in run.out
    assert "\x1b" not in run.out
    record = Path("ended.txt").read_text(encoding="utf-8")
    assert "player 1: Ann Lee\nplayer 2: Robot 1\n" in record
    assert record.count("\n  ") == 3
    assert "Every move is legal" in bare.done("verify", "--robots", "ended.txt").out
    assert list(bare.state()) == ["ended.txt"]


def test_slow_robots_name_what_makes_them_fast(bare: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command installs just the versions that pbem was tried with."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    out = bare.done("play", "pipline", "size=5", "--seat", "2", "--seed", "7", stdin=b"quit\n").out
    assert "-r deploy/extras/robots.txt)" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["chess"], 64, "There is no game “chess”"),
        (["pippip", "--seats", "3"], 64, "Pip•Pip is for two players, not for 3."),
        (["zipline", "--seat", "3"], 64, "There is no seat 3 in a match of 2"),
        (["zipline", "size=900"], 64, "size"),
        (["zipline", "size"], 64, "“size” is not an option"),
        (["zipline", "-o", "size"], 64, "“size” is not an option"),
        (["zipline", "--name", "  "], 64, "is no name"),
        (["zipline", "--name", "A" * 50], 64, "is no name"),
        (["zipline", "--save", "there.txt"], 64, "there.txt exists already; nothing was changed."),
        (["zipline", "--save", "nowhere/match.txt"], 64, "There is no directory “nowhere”"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_played_is_said(bare: Pbem, arguments: list[str], code: int, says: str) -> None:
    """Nothing begins, and nothing is written."""
    Path("there.txt").write_text("mine", encoding="utf-8")
    bare.refuses("play", *arguments, code=code, says=says, stdin=b"d4\n")


def test_bytes_that_are_no_text_are_a_line_like_any(bare: Pbem) -> None:
    """Whatever a pipe holds, the match ends where the pipe does; nothing was played, so nothing is kept."""
    run = bare.done("play", "zipline", "--name", "Ann", "--save", "m.txt", stdin=b"\xff\xfe\x1b[2J\n" + b"x" * 9000)
    assert "\x1b" not in run.out
    assert "Goodbye" in run.out
    assert bare.state() == {}
