"""``pbem doctor --webhooks`` calls each webhook, and says which can't be called; neither URL nor secret is shown."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from tests.support.command_line import Pbem
from tests.support.receivers import KEY


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Take a call at one path alone."""
        self.send_response(204 if self.path == "/t0k3n" else 404)
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Give the address of a server that takes calls."""
    server = HTTPServer(("127.0.0.1", 0), _Taking)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_each_webhook_is_called_and_shown(pbem: Pbem, address: str) -> None:
    """In the form of one line, or of tables at the end of the file."""
    file = pbem.directory / "pbem.toml"
    text = file.read_text("utf-8")
    one = f'{{ url = "{address}/t0k3n", secret = "{KEY}" }}'
    file.write_text(text.replace("webhooks = []", f"webhooks = [{one}]"), "utf-8")
    assert re.search("✓ webhooks +none .+\n– webhooks .+ begins with the next start", pbem("doctor", "webhooks").out)
    found = pbem("doctor", "database", "--webhooks")
    assert found.code == 0
    assert "✓ webhooks" in found.out
    others = f'\n[[webhooks]]\nurl = "{address}/else"\nsecret = "{KEY}"\n'
    file.write_text(text.replace("webhooks = []\n", "") + others, "utf-8")
    found = pbem("doctor", "webhooks", "--webhooks")
    assert found.code == 1
    assert "can’t be called: HTTP 404" in found.out
    assert not [word for word in ("t0k3n", "else", KEY) if word in found.out + found.err]
