"""Debian's nginx and Caddy with the examples of deploy/, on loopback, as a user who is not the service's."""

import subprocess
from pathlib import Path
from shutil import chown

from tests.e2e.real.place import free_ports, listens, program, wait_until

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
VISITOR = "www-data"
NAME, PLACE = "games.example.org", "/var/cache/pbem"
"""The name and the directory in the examples."""

DOOR = "127.0.0.1:9465"
"""Where the examples have the page for unsubscribing."""

_NGINX = """\
daemon off;
pid {home}/pid;
error_log stderr;
events {{ }}
http {{
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    access_log {home}/visits;
    client_body_temp_path {home}/body;
    proxy_temp_path {home}/proxy;
    fastcgi_temp_path {home}/fastcgi;
    uwsgi_temp_path {home}/uwsgi;
    scgi_temp_path {home}/scgi;
    {server}
}}
"""
_CADDY = """\
{{
	admin off
	auto_https off
}}
{server}
"""


class WebServer:
    """A web server with the example in a file of deploy/, which serves ``directory`` on ``port``.

    The page for unsubscribing is at the port ``door``.
    """

    def __init__(self, example: str, home: Path, directory: Path, door: int) -> None:
        self.port = free_ports(1)[0]
        text = (DEPLOY / example).read_text(encoding="utf-8")
        assert NAME in text
        assert PLACE in text
        assert DOOR in text
        text = text.replace(PLACE, str(directory)).replace(DOOR, f"127.0.0.1:{door}")
        home.mkdir()
        chown(home, VISITOR, VISITOR)
        chosen = home / "settings"
        if example.startswith("nginx"):
            server = text.replace("listen 80;", f"listen 127.0.0.1:{self.port};").replace(NAME, "_")
            chosen.write_text(_NGINX.format(home=home, server=server))
            command = [program("nginx"), "-p", str(home), "-c", str(chosen)]
        else:
            chosen.write_text(_CADDY.format(server=text.replace(NAME, f"http://127.0.0.1:{self.port}")))
            command = [program("caddy"), "run", "--config", str(chosen), "--adapter", "caddyfile"]
        self._process = subprocess.Popen(
            command,
            user=VISITOR,
            group=VISITOR,
            extra_groups=[],
            cwd=home,
            env={"HOME": str(home), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
        )
        try:
            wait_until(lambda: listens(self.port), example)
        except AssertionError:
            self.stop()
            raise

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
