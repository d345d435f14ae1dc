"""The clock and the source of secrets of this machine, and its memory."""

import gc
import os
import time
from datetime import UTC, datetime, timedelta

# Where it is known, time in which the machine sleeps has passed, too.
_MONOTONIC = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

_YOUNG = 10_000  # objects that may come before the youngest are looked through


class SystemClock:
    """The time of this machine."""

    def now(self) -> datetime:
        """Return the time in UTC."""
        return datetime.now(UTC)

    def began(self) -> datetime:
        """Return when the monotonic time of this machine began, by its clock: another one since it was set."""
        return self.now() - timedelta(seconds=time.clock_gettime(_MONOTONIC))


class SecretSource:
    """Unpredictable secrets."""

    def secret(self) -> str:
        """Return a new unpredictable secret: 64 hexadecimal digits."""
        return os.urandom(32).hex()

    def nonce(self) -> str:
        """Return a text that never comes again: 16 hexadecimal digits."""
        return os.urandom(8).hex()


def settle() -> None:
    """Have no garbage looked for in what is loaded, which stays, and often in what comes: for a process that lives."""
    gc.freeze()
    gc.set_threshold(_YOUNG)
