"""The program ``pbem``: the short way for an email from a pipe, where a service runs; the command line for all else."""

import gc
import os
import sys
from io import BytesIO, TextIOWrapper

from pbem.running.short_way import find_socket, hand_over
from pbem.sizes import LARGEST

_UNCOLLECTED = 200_000
"""Objects that may come before Python looks for garbage: imports make as many, and none of it."""


def main() -> None:
    """Run the program. An email that the running service has not stored takes the ordinary way."""
    gc.set_threshold(_UNCOLLECTED)
    if not _is_handed_over(sys.argv[1:]):
        try:
            from pbem.cli.app import main as run_command

            run_command()
        except KeyboardInterrupt:  # in the midst of the imports, which take a third of a second
            raise SystemExit(130) from None
        finally:
            gc.freeze()  # else Python ends by looking for garbage in all libraries, a quarter of the time of a command


def _is_handed_over(arguments: list[str]) -> bool:
    """Return whether the arguments ask for no more than an email from standard input, and the service has stored it."""
    match arguments:
        case ["receive"]:
            path = find_socket()
        case ["--config", config, "receive"]:
            path = find_socket(config)
        case _:
            return False
    if path is None or sys.stdin is None or not os.path.lexists(path):
        return False
    try:
        raw = sys.stdin.buffer.read(LARGEST + 1)
        while sys.stdin.buffer.read(LARGEST):
            pass  # for some mail servers it is a failure if not everything is read
    except OSError:  # the ordinary way meets it again, and says so
        return False
    if hand_over(raw, path):
        return True
    sys.stdin = TextIOWrapper(BytesIO(raw))  # what was read here is to be read again
    return False


if __name__ == "__main__":
    main()
