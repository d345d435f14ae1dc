"""An OAuth 2.0 server on loopback that answers as it was told to, and knows the device flow (RFC 8628)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl

CODE = {"device_code": "d-123", "user_code": "ABCD-EFGH", "verification_uri": "https://login.example/device"}
PENDING = {"error": "authorization_pending", "error_description": "Not yet.\r\nTrace ID: 7"}


class OAuthServer:
    """Answers each request with the next of ``answers``; ``heard`` are the paths and forms of what was asked."""

    def __init__(self, *answers: dict[str, Any] | bytes) -> None:
        self.answers = list(answers)
        self.heard: list[tuple[str, dict[str, str]]] = []
        self.url = ""

    @contextmanager
    def serving(self) -> Iterator["OAuthServer"]:
        """Listen on a free port of loopback meanwhile."""
        own = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                form = self.rfile.read(int(self.headers["Content-Length"])).decode()
                own.heard.append((self.path, dict(parse_qsl(form))))
                answer = own.answers.pop(0)
                raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                if raw.startswith(b"to "):
                    self.send_response(302)
                    self.send_header("Location", raw[3:].decode())
                    raw = b""
                else:
                    self.send_response(400 if b'"error"' in raw else 200)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            self.url = f"http://127.0.0.1:{server.server_address[1]}/common/v2.0"
            try:
                yield self
            finally:
                server.shutdown()
                thread.join()
