"""The time, from the machine."""

from datetime import UTC, datetime


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the time, aware, in UTC."""
        return datetime.now(UTC)
