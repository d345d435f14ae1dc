"""The archive that the service writes under its unit is served by real web servers, with the examples of deploy/."""

import gzip
import http.client
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

import pytest

from tests.e2e.program import PBEM, without_settings
from tests.e2e.real.web import WebServer

pytestmark = pytest.mark.slow("needs real web servers")

KINDS = {
    ".html": {"text/html"},
    ".css": {"text/css"},
    ".js": {"text/javascript", "application/javascript"},
    ".json": {"application/json"},
    ".atom": {"application/atom+xml"},
    ".ics": {"text/calendar"},
    ".svg": {"image/svg+xml"},
    ".png": {"image/png"},
    ".txt": {"text/plain"},
    ".xml": {"text/xml", "application/xml"},
}
FRAMES = "frame-ancestors 'none'"


@dataclass(frozen=True)
class Answer:
    """What a web server says."""

    status: int
    headers: Message
    body: bytes


Visit = Callable[[str], Answer]


def gunzipped(answer: Answer) -> bytes:
    """Return a body as it was before the server made it small."""
    return gzip.decompress(answer.body) if answer.headers.get("Content-Encoding") == "gzip" else answer.body


@pytest.fixture
def archive(home: Path) -> Path:
    """The archive of a public and a private match, made with the modes and the umask of pbem.service."""
    state, cache = home / "state", home / "cache"
    for directory, mode in ((state, 0o700), (cache, 0o755)):  # as StateDirectory= and CacheDirectory= make them
        directory.mkdir()
        directory.chmod(mode)
    settings = without_settings() | {
        "PBEM_ADDRESS": "games@example.org",
        "PBEM_SECRET": "a secret that is long enough",
        "PBEM_ARCHIVE_DIR": str(cache),
        "PBEM_ARCHIVE_URL": "https://games.example.org",
        "HOME": str(state),
    }
    for arguments in (
        ["init", "games@example.org"],
        ["open", "zipline", "ann@example.org", "bob@example.org"],
        ["open", "zipline", "ann@example.org", "bob@example.org", "--private"],
        ["archive"],
    ):
        subprocess.run(
            [PBEM, *arguments],
            cwd=state,
            env=settings,
            umask=0o077,
            check=True,
            stdout=subprocess.PIPE,
        )
    return cache


@pytest.fixture(params=["nginx.conf.example", "Caddyfile.example"])
def visit(request: pytest.FixtureRequest, home: Path, archive: Path) -> Iterator[Visit]:
    """A web server; ask it for a path."""
    server = WebServer(request.param, home / "web", archive)

    def ask(path: str) -> Answer:
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as asking:
            asking.request("GET", path, headers={"Accept-Encoding": "gzip"})
            answer = asking.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    try:
        yield ask
    finally:
        server.stop()


def test_the_archive_of_the_unit_is_served(visit: Visit, archive: Path) -> None:
    """Every file can be read, as what it is; no directory is listed, and the service's own notes are hidden."""
    paths = [path for path in sorted(archive.rglob("*")) if path.is_file()]
    seen = set()
    for path in paths:
        name = path.relative_to(archive).as_posix()
        answer = visit(f"/{name}")
        if path.name.startswith("."):
            assert (name, answer.status) == (name, 404)
            continue
        seen.add(path.suffix)
        assert (name, answer.status) == (name, 200)
        assert answer.headers.get("X-Content-Type-Options") == "nosniff"
        policy = answer.headers.get("Content-Security-Policy")
        if path.suffix == ".html":
            assert (name, policy) == (name, None if name.endswith("-embed.html") else FRAMES)
        secret = name.startswith(("calendar/", "private/"))
        assert (name, answer.headers.get("X-Robots-Tag")) == (name, "noindex" if secret else None)
        kind = answer.headers.get("Content-Type") or ""
        assert kind.partition(";")[0] in KINDS[path.suffix], (name, kind)
    assert seen >= {".html", ".css", ".js", ".json", ".atom", ".ics", ".svg", ".txt", ".xml"}
    assert any(path.name.startswith(".") for path in paths)
    for directory in ("/calendar/", "/private/", "/matches/"):
        listed = visit(directory)
        names = [path.name for path in (archive / directory.strip("/")).iterdir() if path.name != "index.html"]
        assert names
        assert not any(name.encode() in gunzipped(listed) for name in names)
    front = visit("/")
    assert (front.status, front.headers.get("Content-Encoding")) == (200, "gzip")
