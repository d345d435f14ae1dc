"""What both servers need of the machine: free ports, patience, and to be ended by process id."""

import os
import shutil
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

PATIENCE = 60
"""Seconds after which something that is waited for is given up."""


# Below those that the system gives by itself. Each worker of pytest has some of its own, and begins anywhere in them.
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 10
_PORTS = (20_000 + 1_000 * _WORKER + number % 1_000 for number in count(os.getpid()))


def program(name: str) -> str:
    """Return the path of a server's program; AssertionError says what to install when it is not there."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    assert found, f"There is no {name} here: apt-get install dovecot-imapd dovecot-lmtpd postfix"
    return found


def free_ports(many: int) -> list[int]:
    """Return so many ports of loopback that nobody listens on, and that no other worker of pytest is given."""
    found: list[int] = []
    while len(found) < many:
        port = next(_PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            found.append(port)
    return found


def listens(port: int) -> bool:
    """Return whether somebody answers at a port of loopback."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Wait, and block, until something is ``true``; AssertionError names ``what`` did not come."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, f"waited in vain for: {what}"
        time.sleep(0.02)


def end(pid: int, what: str) -> None:
    """Ask a process that is no child of ours to end, and wait until it has."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    wait_until(lambda: not _runs(pid), f"the end of {what}")


def _runs(pid: int) -> bool:
    """Return whether a process still does something; one that has ended may be kept for its parent to notice."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
