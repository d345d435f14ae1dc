"""One thought of a robot: reads a problem as JSON from standard input, and writes what comes of it.

That is a move and what it is worth, or, of a problem with a ``reviewed`` seat, a review of the moves of that seat. Its
only argument is how many seconds it may live: whoever began it may be gone by then.
"""

import json
import signal
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from pbem.robots.review import review
from pbem.robots.thinking import choose
from rules.position import Entry


def main() -> None:
    """Think; where memory runs out, this is the process to be ended, and no other."""
    signal.alarm(int(sys.argv[1]))
    with suppress(OSError):  # there is no such file but on Linux
        Path("/proc/self/oom_score_adj").write_text("1000")
    problem = json.load(sys.stdin)
    entries = [Entry(seat, text) for seat, text in problem["entries"]]
    known = problem["game"], problem["seats"], problem["options"], entries
    if (seat := problem.get("reviewed")) is not None:
        found = review(*known, seat, problem["strength"], problem["seed"], others=problem["others"])
        json.dump(asdict(found), sys.stdout)
        return
    thought = choose(*known, problem["strength"], problem["seed"])
    json.dump({"move": thought.move, "value": thought.value}, sys.stdout)


if __name__ == "__main__":
    main()
