"""The demo in which somebody plays by email against a robot, from the terminal."""

import subprocess
import sys
from pathlib import Path

import pytest

_ANSWERS = "help robots\n\ntake\n\nresign\n\nreview\n"


@pytest.mark.nightly("runs the program with its servers, and waits for robots")
def test_a_match_by_email_ends_with_a_review(tmp_path: Path) -> None:
    """What is asked beside the match is answered, the robot moves, and a review comes by email to the one who asked."""
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "demo", "--play"],
        input=_ANSWERS,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "TMPDIR": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    order = (
        "A robot has a seat",
        "Robot 1 played ",
        "The match is over. ",
        "> review",
        "a second look at your moves",
        "Your move 1, take, ",
    )
    places = [done.stdout.find(words) for words in order]
    assert places == sorted(places), done.stdout
    assert -1 not in places, done.stdout
