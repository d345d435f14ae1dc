"""A process that runs the line and kills itself where it is told to: ``python -m tests.e2e.line_process``.

It reads one order a line, as JSON, from standard input, lives one life for each in a child of its own (so that
the imports are paid for once), and answers with one line: the child's exit code, negative for a signal, and how
often each waypoint was passed in it.
"""

import asyncio
import json
import logging
import os
import signal
import sys
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier
from tests.support.fakes import FakeClock, FakeDice

COMMIT = "commit"
"""Passed like a waypoint, before every commit of the database."""

ROUNDS, BETWEEN = 4, timedelta(minutes=31)
"""How far the clock moves between the rounds of a life: in the third, what a dead process was sending is sent again.

A life ends in its first round or not at all, for the next one begins at the same time."""


async def live(order: dict[str, Any]) -> None:
    """Poll and deliver again and again, until claims have run out; SIGKILL at the waypoint of the order."""
    clock = FakeClock(datetime.fromisoformat(order["clock"]))
    passed: Counter[str] = Counter()
    began = clock.now()

    def at(waypoint: str) -> None:
        if clock.now() > began:
            return
        passed[waypoint] += 1
        Path(order["passed"]).write_text(json.dumps(passed), encoding="utf-8")
        if waypoint == order["waypoint"] and passed[waypoint] == order["count"]:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "commit", lambda connection: at(COMMIT))
    service = Service(
        Settings(**order["settings"]),
        Database(order["settings"]["database_url"]),
        clock=clock,
        dice=FakeDice(),
        mailbox=ImapMailbox(order["settings"]["imap_url"]),
        courier=SmtpCourier(order["settings"]["smtp_url"]),
        on_waypoint=at,
    )
    try:
        for _ in range(ROUNDS):
            await service.poll()
            await service.deliver()
            clock.advance(BETWEEN)
    finally:
        await service.close()


def main() -> None:
    """Carry out orders until there are no more."""
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                asyncio.run(live(order))
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        passed = json.loads(Path(order["passed"]).read_text(encoding="utf-8"))
        print(json.dumps({"code": os.waitstatus_to_exitcode(status), "passed": passed}), flush=True)


if __name__ == "__main__":
    main()
