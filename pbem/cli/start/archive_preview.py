"""The archive on a port of this machine, for looking at it while it changes: open pages load themselves again.

Only this machine reaches it. The files stay as they are; what loads a page again is added to what is sent.
"""

import mimetypes
import re
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Condition, Thread
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pbem.errors import BadInput, Busy
from pbem.mail.archive_paths import INDEX
from pbem.settings.places import TEMPLATES

if TYPE_CHECKING:
    from pbem.running.service import Service

HOST = "127.0.0.1"

_SCRIPT, _CHANGES = "/.pbem/reload.js", "/.pbem/changes"
_TYPES = {
    ".atom": "application/atom+xml",
    ".ics": "text/calendar",
    ".js": "text/javascript",
    ".json": "application/json",
}
_POLICY = re.compile(rb'(http-equiv="Content-Security-Policy" content=")([^"]*)"')
_LONGEST = 60.0  # seconds between two looks at the database
_ALIVE = 15.0  # seconds after which a page that waits is told that nothing has changed


class Stamp:
    """Tells versions of the archive apart: another one after each change, and in each process."""

    def __init__(self) -> None:
        self._begun, self._count = time.time_ns(), 0
        self._changed = Condition()

    def __str__(self) -> str:
        return f"{self._begun}-{self._count}"

    def advance(self) -> None:
        """Note that the archive has changed; whoever waits goes on."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def wait(self, seen: str) -> bool:
        """Wait until the version is another than ``seen``, some seconds at most; return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: str(self) != seen, _ALIVE)


class ArchiveServer(ThreadingHTTPServer):
    """Serves a directory on a port of this machine, on any that is free where ``port`` is 0.

    Raise BadInput for a port that cannot be used.
    """

    daemon_threads = True  # a page that waits holds up no end

    def __init__(self, directory: Path, port: int = 0) -> None:
        self.directory = directory.resolve()
        self.stamp = Stamp()
        try:
            super().__init__((HOST, port), _Visit)
        except OSError as error:
            raise BadInput(
                f"Port {port} can't be used: {error.strerror}. Choose another --port, or leave it out."
            ) from error

    def watch(self, has_changed: Callable[[], bool], seconds: float = 1) -> None:
        """Serve, and ask every so often whether the archive has changed, until the process is interrupted."""
        Thread(target=self.serve_forever, daemon=True).start()
        try:
            while True:
                time.sleep(seconds)
                if has_changed():
                    self.stamp.advance()
        finally:
            self.shutdown()
            self.server_close()


def follow(service: "Service") -> Callable[[], bool]:
    """Return a function that writes what has changed in the archive, and returns whether anything has.

    It reads the database only when its files have changed, or a minute after the last time: clocks go on by themselves.
    """
    file = service.database.file
    files = (file, file.with_name(f"{file.name}-wal")) if file else ()
    known, at = _read_stamps(files), time.monotonic()

    def write() -> bool:
        nonlocal known, at
        found = _read_stamps(files)
        if files and found == known and time.monotonic() - at < _LONGEST:
            return False
        try:
            changed = service.write_archive() > 0
        except Busy:  # the service writes, and what it has changed is found the next time
            return False
        known, at = found, time.monotonic()
        return changed

    return write


def _read_stamps(files: Sequence[Path]) -> list[tuple[int, int]]:
    """Return size and time of change of files, of those that there are."""
    found = [file.stat() for file in files if file.exists()]
    return [(one.st_size, one.st_mtime_ns) for one in found]


class _Visit(BaseHTTPRequestHandler):
    """One request for a file."""

    server: ArchiveServer
    server_version, sys_version = "pbem", ""

    def do_GET(self) -> None:
        """Answer with a file, or with what loads pages again."""
        path = urlsplit(self.path).path
        if not self._is_meant():
            self.send_error(HTTPStatus.FORBIDDEN)
        elif path == _CHANGES:
            self._tell_changes()
        elif path == _SCRIPT:
            self._send(TEMPLATES / "archive" / "reload.js")
        elif file := find_file(self.server.directory, path):
            self._send(file)
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def _is_meant(self) -> bool:
        """Return whether the browser asked this machine by its own name: no other site's name may lead here."""
        port = self.server.server_address[1]
        return self.headers.get("Host") in (f"{HOST}:{port}", f"localhost:{port}")

    def _send(self, file: Path) -> None:
        """Send a file; a page with what loads it again."""
        seen = str(self.server.stamp)  # before it is read: what changes meanwhile loads it again
        content = file.read_bytes()
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if kind == "text/html":
            content = with_reload(content, seen)
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(content)

    def _tell_changes(self) -> None:
        """Tell each version of the archive as an event, until the page is closed."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        told = ""
        try:
            while True:
                changed = self.server.stamp.wait(told)
                told = str(self.server.stamp)
                self.wfile.write(f"data: {told}\n\n".encode() if changed else b":\n\n")
                self.wfile.flush()
        except OSError:  # the page is closed
            return

    def log_message(self, *_: object) -> None:
        """Say nothing: the terminal tells the operator where to look, and no more."""


def find_file(directory: Path, path: str) -> Path | None:
    """Return the file of a path within the archive, None for any other: outside it, hidden, or a directory."""
    names = unquote(path).removeprefix("/").split("/")
    if not names[-1]:
        names[-1] = INDEX
    if any(not name or name.startswith(".") or "\\" in name or "\0" in name for name in names):
        return None
    try:
        file = directory.joinpath(*names).resolve()  # a link may lead outside
        return file if file.is_relative_to(directory) and file.is_file() else None
    except OSError:  # such as for a name that is too long
        return None


def with_reload(page: bytes, seen: str) -> bytes:
    """Return a page with the script that loads it again when the version is not ``seen``, and a policy that lets it."""

    def allow(found: re.Match[bytes]) -> bytes:
        policy = found[2]
        scripts = b"script-src 'self'"
        policy = policy.replace(b"script-src", scripts, 1) if b"script-src" in policy else policy + b"; " + scripts
        return found[1] + policy + b"; connect-src 'self'\""

    script = f'<script src="{_SCRIPT}" data-seen="{seen}" defer></script>\n</head>'
    return _POLICY.sub(allow, page, count=1).replace(b"</head>", script.encode(), 1)
