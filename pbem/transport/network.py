"""Shared by both connections to mail servers: hosts, and errors in words."""

import socket
import ssl
from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Return whether ``host`` is this machine, so that a password for it passes no network."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def one_line(words: bytes | str) -> str:
    """Return a server's own words on one line, at most 200 characters, without a full stop at the end."""
    text = words.decode(errors="replace") if isinstance(words, bytes) else words.encode(errors="replace").decode()
    return " ".join(text.split())[:200].rstrip(".")


def reason(error: BaseException) -> str | None:
    """Return why a connection failed, to follow a colon; None for an error of another kind."""
    match error:
        case TimeoutError():
            return "it does not answer"
        case ssl.SSLCertVerificationError():
            return f"its certificate is not accepted ({error.verify_message.rstrip('.')})"
        case ssl.SSLError():
            return f"TLS fails ({error.reason})"
        case socket.gaierror():
            return "there is no host of that name"
        case ConnectionRefusedError():
            return "nothing listens there"
        case OSError():
            return one_line(str(error))
    return None
