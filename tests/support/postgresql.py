"""Debian's PostgreSQL, in a directory of its own: killed with all its processes, and started anew."""

import asyncio
import os
import pwd
import signal
import subprocess
import time
from pathlib import Path
from shutil import chown

from tests.e2e.real.place import free_ports, wait_until

_PROGRAMS = Path("/usr/lib/postgresql")
_OPTIONS = ("listen_addresses=127.0.0.1", "fsync=off", "max_connections=30", "log_min_messages=fatal")


class PostgreSqlServer:
    """A server on loopback; who is root lets the user ``postgres`` run it, which it insists on."""

    def __init__(self, home: Path) -> None:
        home.mkdir()
        (self.port,) = free_ports(1)
        self._home, self._log = home, home / "log"
        self._user = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        if os.geteuid() == 0:
            chown(home, self._user.pw_uid, self._user.pw_gid)
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0
        self._run("initdb", "--auth=trust", "--username=pbem", "--encoding=UTF8", "--no-sync", "-D", str(home / "rows"))

    def url(self, database: str, port: int | None = None) -> str:
        """Return the URL of a database, through another ``port`` if need be."""
        return f"postgresql+psycopg://pbem@127.0.0.1:{port or self.port}/{database}"

    def start(self) -> None:
        """Serve; returns when statements are carried out. Raise AssertionError with what the server said instead."""
        self._process = self._begin()
        try:
            wait_until(self._serves, "PostgreSQL")
        except AssertionError as error:
            raise AssertionError(self._log.read_text(encoding="utf-8", errors="replace")[-2000:]) from error

    def _begin(self) -> "subprocess.Popen[bytes]":
        settings = [part for option in _OPTIONS for part in ("-c", option)]
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [_program("postgres"), "-D", self._home / "rows", "-p", str(self.port), "-k", self._home, *settings],
                user=self._user.pw_uid,
                group=self._user.pw_gid,
                start_new_session=True,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd="/",
            )

    def _serves(self) -> bool:
        # Where processes of a killed server are still about to end, a new one refuses to begin.
        if self._process is None or self._process.poll() is not None:
            time.sleep(0.2)
            self._process = self._begin()
        return self._answers()

    @property
    def process(self) -> int:
        """The number of its first process."""
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        """Kill it with all its processes."""
        process, self._process = self._process, None
        if process is not None:
            # The processes that serve have sessions of their own; they end when they find their parent dead.
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            for pid in (process.pid, *map(int, children)):
                os.kill(pid, signal.SIGKILL)
            process.wait()
            (self._home / "rows" / "postmaster.pid").unlink(missing_ok=True)

    async def kill(self, down: float) -> None:
        """Kill it, and start it anew after ``down`` seconds."""
        await asyncio.to_thread(self.stop)
        await asyncio.sleep(down)
        await asyncio.to_thread(self.start)

    def copy(self, source: str, target: str) -> None:
        """Make a database of what another one holds."""
        self._run("createdb", *self._address(), "--template", source, target)

    def new(self) -> str:
        """Make a database of what ``blank`` holds, and return its URL."""
        self._made += 1
        self.copy("blank", f"made{self._made}")
        return self.url(f"made{self._made}")

    def create(self, name: str) -> None:
        """Make an empty database."""
        self._run("createdb", *self._address(), name)

    def drop(self, name: str) -> None:
        """Remove a database that nobody uses."""
        self._run("dropdb", *self._address(), name)

    def _answers(self) -> bool:
        asked = [str(_program("pg_isready")), *self._address(), "--quiet"]
        return subprocess.run(asked, check=False).returncode == 0

    def _address(self) -> tuple[str, ...]:
        return ("--host=127.0.0.1", f"--port={self.port}", "--username=pbem")

    def _run(self, name: str, *arguments: str) -> None:
        subprocess.run(
            [_program(name), *arguments],
            check=True,
            capture_output=True,
            user=self._user.pw_uid,
            group=self._user.pw_gid,
            cwd="/",
        )


def _program(name: str) -> Path:
    """Return a program of the newest PostgreSQL on this machine; AssertionError says what to install."""
    found = sorted(_PROGRAMS.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    assert found, f"There is no {name} here: apt-get install postgresql"
    return found[-1]
