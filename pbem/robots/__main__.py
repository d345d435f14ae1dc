"""One thought of a robot: reads a problem as JSON from standard input, and writes what comes of it.

That is a move and what it is worth, or, of a problem with a ``reviewed`` seat, a review of the moves of that seat.
"""

import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict

from pbem.robots.review import review
from pbem.robots.thinking import choose
from rules import Entry


def main() -> None:
    """Think, with the lowest priority that there is: nothing else on the machine is to notice."""
    with suppress(OSError):  # where no process may change its priority, it keeps that
        os.nice(19)
    problem = json.load(sys.stdin)
    entries = [Entry(seat, text) for seat, text in problem["entries"]]
    known = problem["game"], problem["seats"], problem["options"], entries
    if (seat := problem.get("reviewed")) is not None:
        found = review(*known, seat, problem["strength"], problem["seed"])
        json.dump(asdict(found), sys.stdout)
        return
    thought = choose(*known, problem["strength"], problem["seed"])
    json.dump({"move": thought.move, "value": thought.value}, sys.stdout)


if __name__ == "__main__":
    main()
