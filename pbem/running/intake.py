"""The service's end of the pipe: a socket that takes emails from ``pbem receive``, and stores each before answering."""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from pbem.errors import PbemError
from pbem.log.logbook import event
from pbem.ports import Fetched
from pbem.running.service import Service
from pbem.running.short_way import STORED, socket_beside
from pbem.sizes import LARGEST

log = logging.getLogger("pbem")

_SECONDS = 10  # for a client to send its email


@asynccontextmanager
async def open_intake(service: Service, hurry: Callable[[], None]) -> AsyncIterator[None]:
    """Take emails from the pipe meanwhile; ``hurry`` is called when one waits to be processed.

    Without an SQLite file there is no socket.
    """
    path = Path(socket_beside(str(service.database.file))) if service.database.file else None
    listener = _listen(path) if path else None
    if path is None or listener is None:
        yield
        return
    server = await asyncio.start_unix_server(partial(_take_in, service, hurry), sock=listener)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def _listen(path: Path) -> socket.socket | None:
    """Return a socket that only the user of the service can connect to; None, with a warning, if there can be none."""
    listener = socket.socket(socket.AF_UNIX)
    mask = os.umask(0o177)  # from its first moment on it is closed to others
    try:
        path.unlink(missing_ok=True)  # left by a service that was killed: the lock says that no other one runs
        listener.bind(str(path))
    except OSError as error:  # such as a path of more than about 100 bytes
        listener.close()
        log.warning(
            "no socket for the pipe at %s (%s): emails from a pipe take longer", path, error, extra=event("no_socket")
        )
        return None
    finally:
        os.umask(mask)
    return listener


async def _take_in(
    service: Service, hurry: Callable[[], None], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Store one email, and answer. Without an answer the client takes it in by itself."""
    try:
        async with asyncio.timeout(_SECONDS):
            size = int(await reader.readline())
            if not 0 <= size <= LARGEST:
                return
            raw = await reader.readexactly(size)
        service.receive([Fetched(raw)])
        hurry()
        writer.write(STORED)
    except (PbemError, OSError, ValueError, EOFError) as error:
        why = error if isinstance(error, PbemError) else type(error).__name__  # others may quote what was sent
        log.info("an email from the pipe was not stored: %s", why, extra=event("pipe_refused"))
    except Exception:
        log.exception("an email from the pipe met a bug", extra=event("pipe_bug"))
    finally:
        writer.close()
