"""The archive that the service writes under its unit is served by real web servers, with the examples of deploy/."""

import asyncio
import gzip
import http.client
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

import pytest

from pbem.mail.compose import Site
from pbem.transport.door import open_door
from tests.e2e.program import PBEM, without_settings
from tests.e2e.real.place import free_ports
from tests.e2e.real.web import WebServer

pytestmark = pytest.mark.slow("needs real web servers")

KINDS = {
    ".html": {"text/html"},
    ".css": {"text/css"},
    ".js": {"text/javascript", "application/javascript"},
    ".json": {"application/json"},
    # Saved, not shown: Debian's web servers have no names for them.
    ".jsonl": {"application/octet-stream", ""},
    ".sgf": {"application/octet-stream", "application/x-go-sgf", ""},
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


Visit = Callable[..., Answer]


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


@pytest.fixture
def door() -> int:
    """The port of the page for unsubscribing."""
    return free_ports(1)[0]


@pytest.fixture(params=["nginx.conf.example", "Caddyfile.example"])
def visit(request: pytest.FixtureRequest, home: Path, archive: Path, door: int) -> Iterator[Visit]:
    """A web server; ask it for a path, or post something there."""
    server = WebServer(request.param, home / "web", archive, door)

    def ask(path: str, body: bytes | Iterator[bytes] | None = None) -> Answer:
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as asking:
            asking.request("POST" if body else "GET", path, body, headers={"Accept-Encoding": "gzip"})
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


async def test_the_page_for_unsubscribing_is_passed_on(visit: Visit, door: int, home: Path) -> None:
    """With its whole address, of which nothing is in the server's log."""
    clicked: list[str] = []
    url, click = "/unsubscribe?tag=1.0.0.abcdefghij", b"List-Unsubscribe=One-Click"
    async with open_door(f"127.0.0.1:{door}", Site("games@example.org", "a secret"), clicked.append):
        page = await asyncio.to_thread(visit, url)
        assert (page.status, b"<button" in gunzipped(page), clicked) == (200, True, [])
        assert any("form-action" in policy for policy in page.headers.get_all("Content-Security-Policy", []))
        for body in (click, iter([click])):  # the second in chunks
            assert (await asyncio.to_thread(visit, url, body)).status == 200
    assert clicked == [url, url]
    log = home / "web" / "visits"
    assert not log.exists() or "unsubscribe" not in log.read_text()
