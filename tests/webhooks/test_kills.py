"""Whoever calls is killed fifty times: no event is lost, and none comes twice under two names."""

import asyncio
import json
import os
import signal
from collections import defaultdict
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from random import Random
from typing import Any

import pytest

from pbem.settings.model import Settings
from pbem.settings.webhooks import Webhook
from pbem.transport.calls import post
from pbem.webhooks.bodies import name_call
from pbem.webhooks.calling import Calling, begin_calls
from pbem.webhooks.events import find_event
from tests.support.club import Club, make_club
from tests.support.receivers import webhook

KILLS = 50
_CONTEXT = get_context("forkserver")  # which has no threads that a child would miss
_CONTEXT.set_forkserver_preload(["__main__", __name__])


def call_all(settings: Settings, hook: Webhook) -> None:
    """Make all calls that wait, in a process of its own."""
    service = make_club(settings).service
    calling = Calling(hook, service.database, service.site, service.clock, post)

    async def go_on() -> None:
        while await calling.call():
            pass

    asyncio.run(go_on())


class Killer:
    """A server that is called, and kills the caller: before it answers, just after, or a little later."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.caller: BaseProcess | None = None
        self.kills = 0
        self.taken: dict[str, tuple[Any, ...]] = {}
        self.seen: dict[tuple[Any, ...], set[str]] = defaultdict(set)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take a call."""
        with suppress(OSError, EOFError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            headers = dict(line.split(": ", 1) for line in head.splitlines()[1:] if line)
            body = json.loads(await reader.readexactly(int(headers["content-length"])))
            name, data = headers["webhook-id"], body["data"]
            self.seen[body["type"], data["match"]["id"], data["turn"]].add(name)
            when = self._random.choice(("before", "after", "later", "never")) if self.kills < KILLS else "never"
            if when == "before":
                self._kill()
            else:
                writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
                await writer.drain()
                self.taken[name] = body["type"], data["match"]["id"], data["turn"]
                if when == "later":
                    await asyncio.sleep(self._random.random() / 100)
                if when != "never":
                    self._kill()
        writer.close()

    def _kill(self) -> None:
        """Kill the caller, unless it has ended meanwhile."""
        if self.caller and self.caller.pid and self.caller.is_alive():
            os.kill(self.caller.pid, signal.SIGKILL)
            self.kills += 1


async def ended(process: BaseProcess) -> None:
    """Wait until a process has ended."""
    loop, is_over = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(process.sentinel, is_over.set)
    await is_over.wait()
    loop.remove_reader(process.sentinel)
    process.join()


def expected(club: Club, hook: Webhook) -> set[str]:
    """Return the names of all events that there were."""
    names = set[str]()
    with club.service.database.reading() as tx:
        for match in tx.matches.all():
            told = None
            while happened := find_event(match, (), told, match.opened_at):
                names.add(name_call(club.service.site, hook, match, happened))
                told = happened.told
    return names


@pytest.mark.slow("fifty processes, five seconds")
async def test_fifty_kills_lose_no_event_and_double_none(club: Club, settings: Settings) -> None:
    """Each arrives, under one name however often; meanwhile others go on playing."""
    killer = Killer(1)
    server = await asyncio.start_server(killer.answer, "127.0.0.1", 0)
    hook = webhook(url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    begin_calls(club.service.database, [hook], club.clock.now())
    async with server:
        while killer.kills < KILLS or len(killer.taken) < len(expected(club, hook)):
            if killer.kills % 3 == 0 and killer.kills < KILLS:
                number = club.open().id
                club.reply(0, "c3", match=number)
                club.reply(1, "take", match=number)
            killer.caller = _CONTEXT.Process(target=call_all, args=(settings, hook))
            killer.caller.start()
            await ended(killer.caller)
    assert killer.kills == KILLS
    assert killer.taken.keys() == expected(club, hook)
    assert all(len(names) == 1 for names in killer.seen.values())
    assert len(killer.seen) == len(killer.taken) > KILLS / 2
