"""Lives of the service: ``python -m tests.bench.chaos.life`` runs ``pbem run`` in haste; it dies where it is told to.

It reads an order a line, as JSON, from standard input, and writes the number of the process that lives it; when that
has ended, its exit code (negative: the signal), its CPU in seconds and its memory in kilobytes. Each life is a child
of its own, so that the libraries are loaded once; with an order as argument it lives that one itself, as a machine
starts it.

What is changed in the program: its clock runs faster, servers get less patience and so do its ticks, what may have been
sent is sent again sooner and more often, and it looks at a switch at every waypoint and before every commit.
"""

import json
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from pbem.__main__ import main as run_program
from pbem.pipeline import deliver
from pbem.running import machine, scheduler, service
from pbem.storage.messages import outbound
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier
from tests.bench.chaos.switches import Switch, Switches

COMMIT = "commit"
POINTS = (*service.WAYPOINTS, COMMIT)
"""Where a life can end by the switch: the waypoints, and before a commit."""

PATIENCE = 3.0
"""Seconds of silence after which a server is given up."""

_DELIVER_SECONDS, _LONGEST_DELAY, _LOOK_SECONDS = 0.5, 4.0, 0.5
_REPEATS = (timedelta(minutes=5),) * 99


def live(order: dict[str, Any]) -> None:
    """Run ``pbem run`` in the directory and the environment of the order; its time goes ``speed`` times as fast."""
    os.chdir(order["directory"])
    os.environ.update(order["environment"])
    log = os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    _hasten(order["began"], order["speed"])
    _watch(Switches(Path(order["switches"])))
    sys.argv = ["pbem", "run"]
    run_program()


def _hasten(began: float, speed: float) -> None:
    """Let time go faster since it ``began`` (seconds since 1970), and have less patience."""
    start = datetime.fromtimestamp(began, UTC)

    def now(self: machine.SystemClock) -> datetime:
        return start + timedelta(seconds=speed * (time.time() - began))

    machine.SystemClock.now = now  # type: ignore[method-assign]
    outbound.REPEATS = _REPEATS  # type: ignore[assignment]
    vars(deliver)["REPEATS"] = _REPEATS
    machine.SystemClock.began = lambda self: start  # type: ignore[method-assign]
    scheduler.DELIVER_SECONDS = _DELIVER_SECONDS  # type: ignore[assignment]
    scheduler._LONGEST_DELAY = _LONGEST_DELAY  # type: ignore[assignment]
    _set_default(scheduler.run, "look", _LOOK_SECONDS)
    for transport in (ImapMailbox, SmtpCourier):
        _set_default(transport.__init__, "timeout", PATIENCE)


def _watch(switches: Switches) -> None:
    """Die at the waypoint that the switch names, when it is passed."""

    def at(point: str) -> None:
        if switches[Switch.DEATH] == POINTS.index(point) + 1:
            os.kill(os.getpid(), signal.SIGKILL)

    _set_default(service.Service.__init__, "on_waypoint", at)
    event.listen(Engine, "commit", lambda connection: at(COMMIT))


def _set_default(function: Callable[..., object], name: str, value: object) -> None:
    """Change the default of a keyword argument."""
    defaults = function.__kwdefaults__
    assert defaults is not None
    assert name in defaults
    defaults[name] = value


def main() -> None:
    """Live the order in the argument, or let children live those on standard input until it ends."""
    if len(sys.argv) > 1:
        live(json.loads(sys.argv[1]))
        return
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(0)
                live(json.loads(line))
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
            except BaseException:
                logging.getLogger("pbem").exception("a bug")
            finally:
                sys.stdout.flush()
                os._exit(code)
        print(child, flush=True)
        _, status, used = os.wait4(child, 0)
        spent = used.ru_utime + used.ru_stime
        print(json.dumps([os.waitstatus_to_exitcode(status), spent, used.ru_maxrss]), flush=True)


if __name__ == "__main__":
    main()
