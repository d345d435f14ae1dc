"""The clock and the source of secrets of this machine."""

import secrets
from datetime import UTC, datetime


class SystemClock:
    """The time of this machine."""

    def now(self) -> datetime:
        """Return the time in UTC."""
        return datetime.now(UTC)


class SecretSource:
    """Unpredictable secrets."""

    def secret(self) -> str:
        """Return a new unpredictable secret: 64 hexadecimal digits."""
        return secrets.token_hex(32)

    def nonce(self) -> str:
        """Return a text that never comes again: 16 hexadecimal digits."""
        return secrets.token_hex(8)
