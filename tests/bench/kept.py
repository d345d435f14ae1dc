"""A courier that keeps what it is given until it is asked for, where sending is not measured."""


class KeptCourier:
    """The courier; it is used in the place of a ``Sink``."""

    connections = 1

    def __init__(self) -> None:
        self._carried: list[tuple[str, bytes]] = []

    @property
    def courier(self) -> "KeptCourier":
        """Itself."""
        return self

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Keep an email."""
        self._carried.append((recipient, raw))
        return sender

    async def close(self) -> None:
        """Nothing to end."""

    def collect(self) -> list[tuple[str, bytes]]:
        """Return all emails sent since the last call."""
        carried, self._carried = self._carried, []
        return carried

    def end(self) -> None:
        """Nothing to end."""
