"""A budget of CPU time: what exceeds it is interrupted, so that no message can hold up all others."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_AGAIN = 0.25  # seconds after which it is looked again, should other threads be at work, or something have swallowed it


class OverBudget(BaseException):
    """The CPU time is used up. No ``Exception``: whoever goes on after a failure must not go on after this."""


@contextmanager
def cpu_budget(seconds: float) -> Iterator[None]:
    """Raise OverBudget, wherever the program is by then, when the block has taken so many seconds of CPU time.

    Only the main thread gets signals; in any other there is no limit. The signal comes when all threads together have
    taken that much: what others take, who write the archive meanwhile, is not the block's.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    armed, begun = True, time.thread_time()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if armed and time.thread_time() - begun >= seconds:
            raise OverBudget

    before = signal.signal(signal.SIGPROF, interrupt)
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        # The default would end the process, should a last signal still be on its way.
        signal.signal(signal.SIGPROF, before if callable(before) else signal.SIG_IGN)
