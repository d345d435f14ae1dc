"""What the doctor finds of the page for one-click unsubscribing: whether the web server passes it on to the service."""

import socket
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbem.cli.finding import Finding

if TYPE_CHECKING:
    from pbem.settings.model import Settings

_SECONDS = 10
_LARGEST = 100_000  # bytes of an answer


def check_door(settings: "Settings") -> Finding:
    """Post to the page what is no click, and look for its button in the answer; nothing comes of it.

    Email programs follow no redirection, so that one is a fault.
    """
    from pbem.transport.door import BUTTON

    page, place = settings.unsubscribe_page, settings.unsubscribe_listen
    if not _is_open(place):
        return Finding(f"nothing listens at {place} yet: “pbem run” does")
    try:
        status, body = _post(page)
    except OSError as error:
        why = "it does not answer" if isinstance(error, TimeoutError) else error.strerror or str(error)
        return Finding("", (f"{page} can’t be reached from this machine: {why}.",))
    if status != 200 or BUTTON.encode() not in body:
        what = f"answers with status {status}" if status != 200 else "is another page"
        do = f"let the web server pass it on to {place}, as the examples in deploy/ do"
        return Finding("", (f"{page} {what}: {do}.",))
    return Finding(f"{page} unsubscribes with one click, as reached from this machine")


def _is_open(place: str) -> bool:
    """Return whether something listens there."""
    host, _, port = place.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS).close()
    except OSError:
        return False
    return True


def _post(page: str) -> tuple[int, bytes]:
    """Return status and body of the answer to a form that says nothing. Raise OSError where there is none."""
    import http.client

    parts = urlsplit(page)
    with closing(http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=_SECONDS)) as connection:
        try:
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", parts.path, "pbem=doctor", kind)
            answer = connection.getresponse()
            return answer.status, answer.read(_LARGEST)
        except UnicodeError:
            raise OSError("no host can have that name") from None
        except http.client.HTTPException as error:
            raise OSError(f"it answers in a way that is not understood ({type(error).__name__})") from None
