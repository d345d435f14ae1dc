"""The processes of a season: the service, its mailbox and its SMTP server, each started anew after it was killed."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.place import free_ports, listens, wait_until

ROOT = Path(__file__).resolve().parents[3]
_COLD_EVERY = 10  # lives: one of so many is started as a machine starts it, the others by a process that has all loaded
_AGAIN_SECONDS = 0.05
_WATCHDOG_SECONDS = 8.0


class Server(Protocol):
    """A process that can be killed, and comes back."""

    async def kill(self, down: float) -> None:
        """Kill it, and start it anew after ``down`` seconds."""
        ...


class ImapServer:
    """Dovecot."""

    def __init__(self, dovecot: Dovecot) -> None:
        self._dovecot = dovecot

    async def kill(self, down: float) -> None:
        """Kill it with all its conversations, and start it anew after ``down`` seconds."""
        await asyncio.to_thread(self._dovecot.stop, signal.SIGKILL)
        await asyncio.sleep(down)
        await asyncio.to_thread(self._dovecot.start)


class SmtpServer:
    """The SMTP server that stores every email before it says so."""

    def __init__(self, journal: Path, switches: Path) -> None:
        (self.port,) = free_ports(1)
        self._command = [sys.executable, "-m", "tests.bench.chaos.outlet", str(self.port), str(journal), str(switches)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Serve; returns when connections are taken."""
        self._process = subprocess.Popen(self._command, cwd=ROOT)
        wait_until(lambda: listens(self.port), "the SMTP server")

    def stop(self) -> None:
        """Kill it, unless it has died."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    async def kill(self, down: float) -> None:
        """Kill it, and start it anew after ``down`` seconds."""
        self.stop()
        await asyncio.sleep(down)
        await asyncio.to_thread(self.start)

    async def dies_within(self, seconds: float) -> bool:
        """Wait until it has died by itself, at most so many seconds; return whether it has."""
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, seconds)
            return True
        return False


@dataclass
class Ended:
    """What is known of the lives of the service: exit codes, CPU in seconds, and the most memory in megabytes.

    ``hung``: when a life gave its last sign, and when it was killed for it (seconds, by a clock that only goes on).
    """

    codes: list[int] = field(default_factory=list)
    hung: list[tuple[float, float]] = field(default_factory=list)
    cpu: float = 0.0
    megabytes: float = 0.0


class ServiceServer:
    """``pbem run``, kept running: a life follows the other until it is told to ``stop``."""

    def __init__(self, order: Callable[[], dict[str, Any]], notify: Path) -> None:
        self._order = order
        self._signs = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._signs.bind(str(notify))
        self._signs.setblocking(False)
        self._last_sign = 0.0
        self.ended = Ended()
        self._nursery: Process | None = None
        self._pid = 0
        self._alive = asyncio.Event()
        self._dead = asyncio.Event()
        self._may_live = asyncio.Event()
        self._may_live.set()
        self._keeping: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the process that starts lives, and the first of them."""
        self._nursery = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.chaos.life", cwd=ROOT, stdin=PIPE, stdout=PIPE
        )
        asyncio.get_running_loop().add_reader(self._signs, self._take_signs)
        self._keeping = asyncio.create_task(self._keep_alive())
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> int:
        """Ask the present life to end, and start no other; return its exit code."""
        await self._alive.wait()
        self._may_live.clear()
        self._signal(signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(20):
                await self._dead.wait()
        self._signal(signal.SIGKILL)
        await self._dead.wait()
        await asyncio.sleep(0)  # in which the code is noted
        return self.ended.codes[-1]

    async def end(self) -> None:
        """Kill what is left, and start nothing any more."""
        self._may_live.clear()
        self._signal(signal.SIGKILL)
        if self._nursery is not None and self._keeping is not None and self._watching is not None:
            for task in (self._keeping, self._watching):
                task.cancel()
            await asyncio.gather(self._keeping, self._watching, return_exceptions=True)
            asyncio.get_running_loop().remove_reader(self._signs)
            self._signs.close()
            assert self._nursery.stdin is not None
            self._nursery.stdin.close()
            await self._nursery.wait()

    async def kill(self, down: float) -> None:
        """Kill the present life; the next one begins after ``down`` seconds."""
        try:
            await self._end()
            await asyncio.sleep(down)
        finally:
            self._may_live.set()

    async def kill_while(self, changed: Callable[[], object], seconds: float, back: Callable[[], object]) -> None:
        """Kill the present life, change something before the next one begins, and change it back later."""
        try:
            await self._end()
            await asyncio.to_thread(changed)
            self._may_live.set()
            await asyncio.sleep(seconds)
            await asyncio.to_thread(back)
        finally:
            self._may_live.set()

    async def dies_within(self, seconds: float) -> bool:
        """Wait until the present life has died by itself, at most so many seconds; return whether it has."""
        await self._alive.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._dead.wait()
            return True
        return False

    @property
    def pid(self) -> int:
        """The number of the process of the present life; 0 between two of them."""
        return self._pid

    async def _end(self) -> None:
        """Kill the present life, after which none begins until one may."""
        await self._alive.wait()
        self._may_live.clear()
        self._signal(signal.SIGKILL)
        await self._dead.wait()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            if self._pid:
                os.kill(self._pid, number)

    def _take_signs(self) -> None:
        """Note that a life goes on: it says so, as to systemd (sd_notify(3))."""
        with suppress(BlockingIOError):
            while self._signs.recv(64):
                self._last_sign = time.monotonic()

    async def _watch(self) -> None:
        """Kill a life that gives no sign any more, as systemd does."""
        while True:
            await asyncio.sleep(_AGAIN_SECONDS)
            now = time.monotonic()
            if self._pid and now - self._last_sign > _WATCHDOG_SECONDS:
                self.ended.hung.append((self._last_sign, now))
                self._last_sign = now
                self._signal(signal.SIGKILL)

    async def _keep_alive(self) -> None:
        """Let one life follow the other; one that ends by itself is followed after a moment."""
        while True:
            await self._may_live.wait()
            order, cold = self._order(), len(self.ended.codes) % _COLD_EVERY == 0
            code = await (self._live_cold(order) if cold else self._live(order))
            self.ended.codes.append(code)
            if code != -signal.SIGKILL:
                await asyncio.sleep(_AGAIN_SECONDS)

    async def _live(self, order: dict[str, Any]) -> int:
        """Live once, as a child of the process that has all loaded; return the exit code."""
        assert self._nursery is not None
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.write(json.dumps(order).encode() + b"\n")
        await self._nursery.stdin.drain()
        self._is_born(int(await self._nursery.stdout.readline()))
        code, cpu, kilobytes = json.loads(await self._nursery.stdout.readline())
        self._has_died(cpu, kilobytes)
        return int(code)

    async def _live_cold(self, order: dict[str, Any]) -> int:
        """Live once, in a process started for it; return the exit code."""
        command = [sys.executable, "-m", "tests.bench.chaos.life", json.dumps(order)]
        process = await asyncio.to_thread(partial(subprocess.Popen[bytes], command, cwd=ROOT))
        self._is_born(process.pid)
        _, status, used = await asyncio.to_thread(os.wait4, process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self._has_died(used.ru_utime + used.ru_stime, used.ru_maxrss)
        return process.returncode

    def _is_born(self, pid: int) -> None:
        self._pid = pid
        self._last_sign = time.monotonic()
        self._dead.clear()
        self._alive.set()

    def _has_died(self, cpu: float, kilobytes: int) -> None:
        self._pid = 0
        self._alive.clear()
        self._dead.set()
        self.ended.cpu += cpu
        self.ended.megabytes = max(self.ended.megabytes, kilobytes / 1000)
