"""The real clock and the real source of secrets."""

import secrets
from datetime import UTC, datetime


class SystemClock:
    """The time of this machine."""

    def now(self) -> datetime:
        """Return the time in UTC."""
        return datetime.now(UTC)


class SecretSource:
    """Secrets that nobody can foresee."""

    def secret(self) -> str:
        """Return a new secret: 64 hexadecimal digits."""
        return secrets.token_hex(32)
