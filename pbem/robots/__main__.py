"""One thought of a robot: reads a problem as JSON from standard input, and writes its move and what that is worth."""

import json
import os
import sys
from contextlib import suppress

from pbem.robots.thinking import choose
from rules import Entry


def main() -> None:
    """Think, with the lowest priority that there is: nothing else on the machine is to notice."""
    with suppress(OSError):  # where no process may change its priority, it keeps that
        os.nice(19)
    problem = json.load(sys.stdin)
    entries = [Entry(seat, text) for seat, text in problem["entries"]]
    thought = choose(
        problem["game"], problem["seats"], problem["options"], entries, problem["strength"], problem["seed"]
    )
    json.dump({"move": thought.move, "value": thought.value}, sys.stdout)


if __name__ == "__main__":
    main()
