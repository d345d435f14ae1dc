"""How long the demo waits, by a clock that runs only while everybody waits; and its end when nothing comes any more."""

import asyncio
import io
import re
import selectors
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from rich.console import Console

from pbem.demo.main import play_script
from pbem.demo.patience import SILENCE_SECONDS, Patience, WaitedInVain, being_patient
from pbem.demo.script import ScriptedEmail, ScriptedMatch
from pbem.demo.servers import DemoServers


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop in which nobody waits: its clock jumps to the time that comes next."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(JumpingSelector(self))

    def time(self) -> float:
        """Return the seconds since the beginning."""
        return self.now


class JumpingSelector(selectors.DefaultSelector):
    """Looks for events without waiting, and lets the time pass instead."""

    def __init__(self, loop: JumpingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the events that are there."""
        found = super().select(0)
        if not found and timeout:
            self._loop.now += timeout
        return found


def seconds_until_the_end(demo: Callable[[Patience], Coroutine[Any, Any, None]]) -> tuple[float, str]:
    """Return when a demo ended, by the clock, and what it complained of; an empty text if it ended well."""

    async def watched() -> None:
        async with being_patient() as patience:
            await demo(patience)

    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        try:
            runner.run(watched())
        except WaitedInVain as error:
            return runner.get_loop().time(), str(error)
        return runner.get_loop().time(), ""


async def _wait_for_ever(patience: Patience) -> None:
    with patience.awaiting("an email to Bob in match 3"):
        await asyncio.Event().wait()


def test_a_demo_in_which_something_happens_every_119_seconds_goes_on() -> None:
    """However long it takes: here two hours."""

    async def slow(patience: Patience) -> None:
        for _ in range(60):
            await asyncio.sleep(119)
            patience.mark()

    assert seconds_until_the_end(slow) == (60 * 119, "")


def test_after_120_seconds_of_silence_it_says_what_it_waited_for() -> None:
    """The silence begins with what happened last; what came is not named any more, and what is awaited twice once."""

    async def stuck(patience: Patience) -> None:
        with patience.awaiting("an email to Ann in match 1"):
            await asyncio.sleep(50)
            patience.mark()
        await asyncio.gather(_wait_for_ever(patience), _wait_for_ever(patience))

    ended, complaint = seconds_until_the_end(stuck)
    assert (ended, SILENCE_SECONDS) == (170, 120)
    assert re.findall(r"an email to \w+ in match \d", complaint) == ["an email to Bob in match 3"]
    assert "120 seconds" in complaint


def test_whoever_thinks_or_types_is_not_silent() -> None:
    """A robot may take an hour, and so may whoever plays; then the silence begins."""

    async def thoughtful(patience: Patience) -> None:
        with patience.busy():
            await asyncio.sleep(3600)
            with patience.busy():
                patience.mark()
            await asyncio.sleep(3600)
        await _wait_for_ever(patience)

    ended, complaint = seconds_until_the_end(thoughtful)
    assert ended == 7200 + 120
    assert "Bob in match 3" in complaint


def test_another_time_limit_is_not_taken_for_silence() -> None:
    """Its own error comes through."""

    async def failing(patience: Patience) -> None:
        raise TimeoutError("a library's")

    with pytest.raises(TimeoutError, match="a library's"):
        seconds_until_the_end(failing)


@pytest.mark.slow("starts the servers of the demo")
def test_a_demo_that_is_stuck_stops_its_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for an email that nobody writes is named, the exit code says so, and nothing listens any more."""
    ports = set[int]()
    started = DemoServers.start

    async def start(servers: DemoServers) -> None:
        await started(servers)
        ports.update(urlsplit(url).port or 0 for url in (servers.smtp_url, servers.imap_url("a@b")))

    monkeypatch.setattr(DemoServers, "start", start)
    stuck = ScriptedMatch("pipline", ("ann", "bob"), {"size": 7}, (ScriptedEmail("bob", "d4", "never written"),))
    printed = io.StringIO()
    console = Console(file=printed, width=200, highlight=False)
    assert asyncio.run(play_script(console, tmp_path / "demo", [stuck], silence=5)) == 1
    assert "Nothing has happened for 5 seconds" in printed.getvalue()
    assert "an email to Bob in match 1." in printed.getvalue()
    assert len(ports) == 2
    for port in ports:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
