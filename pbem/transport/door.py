"""The door of one-click unsubscribing (RFC 8058): a web server behind the archive's, for one page and one button."""

import asyncio
import logging
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from html import escape

from pbem.errors import ConfigError, PbemError
from pbem.log.logbook import event
from pbem.mail.compose import Site
from rules.phrase import mark

log = logging.getLogger("pbem")

Answer = Callable[[asyncio.StreamReader], Awaitable[tuple[str, bytes]]]
Take = Callable[[str], None]
"""What is done with the address of a page whose button somebody has pressed."""

_SECONDS = 10  # for a whole request: however slowly it comes, it is in nobody's way for longer
_MOST_CONNECTIONS = 50
_LARGEST = 4096  # bytes of a body; that of RFC 8058 has 26
_CLICK = b"One-Click"  # in the body, in either of its encodings: nothing that only looks at an address sends it
_LENGTH = re.compile(rb"(?i)\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r\n")
_CLIENT = re.compile(rb"(?i)\r\nx-forwarded-for:(?:[^\r\n]*,)?[ \t]*([0-9a-f.:]{1,45})[ \t]*\r\n")
_QUESTION, _BUTTON, _DONE, _RESUME = (
    mark("Stop all email from {name}?"),
    mark("Stop email"),
    mark("If that email was to you, no more comes."),
    mark("Your matches go on. To get email again, reply “resume” to any email from {name}."),
)
_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{name}</title>
<style>:root{{color-scheme:light dark}}body{{font:1.1rem/1.5 sans-serif;max-width:32rem;margin:auto;padding:1rem}}
button{{font:inherit;min-height:48px;padding:0 1.5rem}}</style>
<h1>{title}</h1>{form}<p>{words}</p></html>
"""
BUTTON = '<button name="List-Unsubscribe" value="One-Click">'
"""What the page is known by."""
_FORM = f'<form method="post">{BUTTON}{{}}</button></form>'
_HEAD = """HTTP/1.1 {status}
Content-Type: text/html; charset=utf-8
Content-Length: {length}
Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'
Cache-Control: no-store
Referrer-Policy: no-referrer
X-Content-Type-Options: nosniff
X-Robots-Tag: noindex
Connection: close

"""


class Rate:
    """How many buttons are pressed: who presses more in a minute has to wait, and so has everybody after very many."""

    MOST_OF_ONE, MOST_OF_ALL = 60, 600

    def __init__(self) -> None:
        self._minute, self._pressed, self._all = 0, Counter[str](), 0

    def allows(self, client: str, seconds: float) -> bool:
        """Return whether a ``client`` may press one now, ``seconds`` after some moment, and count it."""
        if (minute := int(seconds // 60)) != self._minute:
            self._minute, self._pressed, self._all = minute, Counter(), 0
        if self._all >= self.MOST_OF_ALL or self._pressed[client] >= self.MOST_OF_ONE:
            return False
        self._pressed[client] += 1
        self._all += 1
        return True


@asynccontextmanager
async def open_door(place: str, site: Site, take: Take, seconds: float = _SECONDS) -> AsyncIterator[int]:
    """Answer at ``place`` meanwhile, if there is one, and ``take`` what is unsubscribed; yield the port, 0 for none.

    Raise ConfigError if nothing can listen there.
    """
    host, _, port = place.rpartition(":")
    if not host:
        yield 0
        return
    visits: set[asyncio.Task[None]] = set()
    answer = partial(_answer, pages=_make_pages(site), take=take, rate=Rate())

    def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(visits) >= _MOST_CONNECTIONS:
            writer.close()  # to which the web server says that it is busy
            return
        visit = asyncio.ensure_future(_visit(reader, writer, answer, seconds))
        visits.add(visit)
        visit.add_done_callback(visits.discard)

    try:
        server = await asyncio.start_server(meet, host.strip("[]"), int(port), limit=2 * _LARGEST)
    except OSError as error:
        why = error.strerror or error
        raise ConfigError(f"Nothing can listen at {place}, as unsubscribe_listen says: {why}.") from error
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)


def _make_pages(site: Site) -> tuple[bytes, bytes]:
    """Return the page with the button, and the one after it: these say the same of every address."""

    def say(text: str) -> str:
        return escape(site.language.gettext(text).format(name=site.title))

    def page(title: str, form: str) -> bytes:
        return _PAGE.format(name=escape(site.title), title=say(title), form=form, words=say(_RESUME)).encode()

    return page(_QUESTION, _FORM.format(say(_BUTTON))), page(_DONE, "")


async def _visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Answer, seconds: float) -> None:
    """Answer one request, which is to be there after so many ``seconds``."""
    try:
        async with asyncio.timeout(seconds):
            status, page = await answer(reader)
            writer.write(_HEAD.format(status=status, length=len(page)).replace("\n", "\r\n").encode() + page)
            await writer.drain()
    except (TimeoutError, OSError, EOFError, asyncio.LimitOverrunError):
        pass  # nothing counts of a request that breaks off
    finally:
        writer.close()


async def _answer(
    reader: asyncio.StreamReader, pages: tuple[bytes, bytes], take: Take, rate: Rate
) -> tuple[str, bytes]:
    """Read a request, and return status and page of the answer; nothing of an address gets into the log."""
    head = await reader.readuntil(b"\r\n\r\n")
    method, _, rest = head.partition(b" ")
    if method in (b"GET", b"HEAD"):
        return "200 OK", pages[0] if method == b"GET" else b""
    if method != b"POST":
        return "405 Method Not Allowed", b""
    client = _CLIENT.search(head)
    if not rate.allows(client[1].decode() if client else "", time.monotonic()):
        return "429 Too Many Requests", b""
    if not await _is_click(reader, head):
        return "200 OK", pages[0]
    try:
        take(rest.partition(b" ")[0].decode("ascii", "replace"))
    except (PbemError, OSError) as error:
        why = error if isinstance(error, PbemError) else type(error).__name__
        log.warning("nobody could be unsubscribed by the page: %s", why, extra=event("door_refused"))
        return "503 Service Unavailable", b""
    except Exception:
        log.exception("unsubscribing by the page met a bug", extra=event("door_bug"))
        return "503 Service Unavailable", b""
    return "200 OK", pages[1]


async def _is_click(reader: asyncio.StreamReader, head: bytes) -> bool:
    """Return whether the body is that of the button; of one without a length as much is read as is needed."""
    found = _LENGTH.search(head)
    most = min(int(found[1]), _LARGEST) if found else _LARGEST
    body = b""
    while len(body) < most and _CLICK not in body and (piece := await reader.read(most - len(body))):
        body += piece
    return _CLICK in body
