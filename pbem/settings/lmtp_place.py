"""Where a mail server hands over emails by LMTP (RFC 2033)."""

import re
from dataclasses import dataclass
from ipaddress import ip_address

_SOCKET = re.compile(r"(/[^\s\0]+)(?: +0?([0-7]{3}))?")
LAST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class LmtpPlace:
    """Where a mail server hands over emails by LMTP: a socket at ``path`` with a ``mode``, or a port of loopback."""

    path: str = ""
    mode: int = 0o600
    host: str = ""
    port: int = 0

    @property
    def is_open(self) -> bool:
        """Return whether every user of this machine can connect."""
        return not self.path or bool(self.mode & 0o002)

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


def read_lmtp_place(value: str) -> LmtpPlace | None:
    """Return the place that ``lmtp_listen`` names; None for an empty text. Raise ValueError."""
    if not value:
        return None
    if found := _SOCKET.fullmatch(value):
        return LmtpPlace(found[1], int(found[2] or "600", 8))
    host, _, port = value.rpartition(":")
    try:
        if ip_address(host.strip("[]")).is_loopback and port.isascii() and 1 <= int(port) <= LAST_PORT:
            return LmtpPlace(host=host.strip("[]"), port=int(port))
    except ValueError:
        pass
    raise ValueError("it must be a path and its mode, such as /run/pbem/lmtp 660, or a port such as 127.0.0.1:2424")
