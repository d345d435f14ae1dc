"""Calling a webhook by HTTP (RFC 9112): one request on a connection of its own, and the first line of the answer.

Nothing is followed or looked up but the host of the URL: no redirect, no proxy of the environment.
"""

import asyncio
import base64
import hmac
import re
import ssl
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from urllib.parse import urlsplit

from pbem.errors import TransientFailure
from pbem.transport.network import reason

SECONDS = 10.0
"""For all of a call, however it passes."""

_LONGEST_ANSWER = 1024  # bytes that are read of it
_STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})\b")


def sign(secrets: Iterable[bytes], name: str, now: datetime, body: bytes) -> dict[str, str]:
    """Return the headers by which a receiver knows whose call it is, and that nobody has changed it.

    With two ``secrets``, while one takes the place of the other, there are two signatures.
    """
    moment = str(int(now.timestamp()))
    signed = f"{name}.{moment}.".encode() + body
    signatures = (base64.b64encode(hmac.digest(secret, signed, "sha256")).decode() for secret in secrets)
    return {
        "webhook-id": name,
        "webhook-timestamp": moment,
        "webhook-signature": " ".join(f"v1,{one}" for one in signatures),
    }


async def post(url: str, headers: Mapping[str, str], body: bytes, *, seconds: float = SECONDS) -> int:
    """Send JSON to a URL; return the status of the answer. Raise TransientFailure where there is none in time."""
    try:
        async with asyncio.timeout(seconds):
            return await _post(url, headers, body)
    except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
        raise TransientFailure(reason(error) or "its answer is no HTTP") from None


async def _post(url: str, headers: Mapping[str, str], body: bytes) -> int:
    parts = urlsplit(url)
    context = _trusted() if parts.scheme == "https" else None
    port = parts.port or (443 if context else 80)
    reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=context, limit=_LONGEST_ANSWER)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        lines = {
            "Host": parts.netloc,
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "User-Agent": "pbem",
            "Connection": "close",
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"POST {target} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body)
        await writer.drain()
        found = _STATUS.match(await reader.readuntil(b"\n"))
        if not found:
            raise ValueError
        return int(found[1])
    finally:
        writer.transport.abort()


@cache
def _trusted() -> ssl.SSLContext:
    """Return what certificates are checked by; reading all that are trusted takes long."""
    return ssl.create_default_context()
