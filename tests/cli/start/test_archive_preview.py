"""The archive served to this machine: what is sent, what is refused, and that pages learn of changes."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread

import pytest

from pbem.archive.lists.rules_pages import write_rules
from pbem.cli.start.archive_preview import HOST, ArchiveServer, find_file, with_reload
from tests.support.command_line import Pbem

POLICY = b'<meta http-equiv="Content-Security-Policy" content="%s">'


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ArchiveServer]:
    """A server of an archive with the rules of all games, and files that nobody may read."""
    (tmp_path / "secret.txt").write_text("nobody reads this", "utf-8")
    archive = tmp_path / "archive"
    write_rules(archive)
    (archive / "index.html").write_text("<head></head><p>the first page", "utf-8")
    (archive / "index.atom").write_text("<feed/>", "utf-8")
    (archive / ".hidden").write_text("half a file", "utf-8")
    (archive / "link.txt").symlink_to(tmp_path / "secret.txt")
    server = ArchiveServer(archive)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def ask(server: ArchiveServer, path: str, host: str = "") -> HTTPResponse:
    """Return the answer to a request for a path as it stands."""
    port = server.server_address[1]
    connection = HTTPConnection(HOST, port, timeout=20)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", host or f"{HOST}:{port}")
    connection.endheaders()
    return connection.getresponse()


def test_it_listens_on_this_machine_alone(served: ArchiveServer) -> None:
    """On the loopback address, and a free port of its own."""
    assert served.server_address[0] == HOST
    assert served.server_address[1] > 0


def test_pages_are_sent_with_what_loads_them_again(served: ArchiveServer) -> None:
    """The files on the disk stay as they are; nothing is kept by the browser."""
    answer = ask(served, "/games/pipline.html?x#y")
    text = answer.read()
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert b"/.pbem/reload.js" in text
    assert str(served.stamp).encode() in text
    assert b".pbem" not in (served.directory / "games" / "pipline.html").read_bytes()
    assert ask(served, "/").read().endswith(b"<p>the first page")
    assert ask(served, "/index.atom").headers["Content-Type"] == "application/atom+xml"
    assert b"EventSource" in ask(served, "/.pbem/reload.js").read()


@pytest.mark.parametrize(
    "path",
    [
        *("/../secret.txt", "/games/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//secret.txt"),
        *("/link.txt", "/.hidden", "/games", "/games/", "/calendar/", "/%00", "/..\\secret.txt", "/nothing.html"),
        *("/.pbem/", "/games/pipline.html/", "/%ff", "/" + "x" * 5000),
    ],
)
def test_nothing_else_is_sent(path: str, served: ArchiveServer) -> None:
    """Neither what lies outside or leads there, nor lists, nor hidden files."""
    answer = ask(served, path)
    assert answer.status == 404
    assert b"nobody" not in answer.read()


@pytest.mark.parametrize("host", ["games.example", "evil.example:80", "127.0.0.1", "0.0.0.0"])
def test_no_name_of_another_site_leads_here(host: str, served: ArchiveServer) -> None:
    """A site whose name was pointed to this machine reads nothing."""
    assert ask(served, "/", host).status == 403


def test_an_open_page_learns_of_a_change(served: ArchiveServer) -> None:
    """It is told the version at once, and each one that follows."""
    answer = ask(served, "/.pbem/changes")
    first = str(served.stamp)
    assert answer.readline() == f"data: {first}\n".encode()
    assert answer.readline() == b"\n"
    served.stamp.advance()
    assert answer.readline() == f"data: {served.stamp}\n".encode()
    assert str(served.stamp) != first
    answer.close()


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [
        (b"default-src 'none'", b"default-src 'none'; script-src 'self'; connect-src 'self'"),
        (b"script-src 'sha256-x'; a", b"script-src 'self' 'sha256-x'; a; connect-src 'self'"),
    ],
)
def test_the_policy_of_a_page_lets_the_script_in(policy: bytes, allowed: bytes) -> None:
    """And nothing else that it did not let in before."""
    page = b"<head>" + POLICY % policy + b"</head>"
    assert with_reload(page, "1-0").startswith(b"<head>" + POLICY % allowed + b"<script ")


def test_a_file_within_the_archive_is_found(served: ArchiveServer) -> None:
    """Also under the name that a browser writes for it."""
    assert find_file(served.directory, "/games/%70ipline.html") == served.directory / "games" / "pipline.html"


def test_a_port_in_use_is_refused(over: Pbem, served: ArchiveServer) -> None:
    """With a sentence; and a port without a server is a slip."""
    over.refuses("archive", "--serve", "--port", str(served.server_address[1]), code=64, says="can't be used")
    over.refuses("archive", "--port", "8000", code=64, says="--serve")


@pytest.mark.slow("starts an interpreter")
def test_the_command_serves_until_it_is_interrupted(over: Pbem) -> None:
    """It says where to look, pages follow the matches, and Ctrl-C ends it with one line."""
    command = [sys.executable, "-m", "pbem", "archive", "--serve"]
    with subprocess.Popen(
        command, cwd=over.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            assert process.stderr
            process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
            assert found
            events = HTTPConnection(HOST, int(found[1]), timeout=30)
            events.request("GET", "/.pbem/changes")
            answer = events.getresponse()
            assert answer.readline().startswith(b"data: ")
            assert over("open", "pipline", "ann@example.org", "bob@example.net").code == 0
            while not (line := answer.readline()).startswith(b"data: "):
                assert line
            pages = HTTPConnection(HOST, int(found[1]), timeout=30)
            pages.request("GET", "/matches/2.html")
            page = pages.getresponse()
            assert page.status == 200
            page.read()
            pages.close()
            answer.close()
            events.close()
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
            assert process.stdout.read().strip().count("\n") == 0
            assert process.stderr.read() == ""
        finally:
            process.kill()  # does nothing where it has ended
