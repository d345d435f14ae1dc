"""A worker that stops at a waypoint: ``python -m tests.e2e.worker_process URL WAYPOINT NOW``; it says so, and waits."""

import sys
import time
from datetime import datetime
from threading import Event

from pbem.running.worker import work
from pbem.settings.model import Settings
from tests.support.club import ADDRESS, SECRET, make_club
from tests.support.fakes import FakeClock


def _main(url: str, waypoint: str, now: datetime) -> None:
    """Work until the waypoint, then wait to be killed."""

    def stop_at(passed: str) -> None:
        if passed == waypoint:
            print("there", flush=True)
            time.sleep(600)

    settings = Settings(address=ADDRESS, secret=SECRET, database_url=url)
    work(make_club(settings, at=stop_at, clock=FakeClock(now)).service, Event(), name="doomed")


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2], datetime.fromisoformat(sys.argv[3]))
