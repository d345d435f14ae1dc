"""A service that runs calls its webhooks beside all else: one that takes its time keeps nobody waiting."""

import asyncio

from pbem.running import scheduler
from pbem.running.service import Service
from pbem.webhooks.calling import begin_calls
from tests.support.club import Club
from tests.support.receivers import webhook

SOON = 5


async def test_a_receiver_that_dribbles_delays_no_email_and_no_other_call(club: Club) -> None:
    """Both are there while the first byte of its answer is awaited; at the end of the service its call ends, too."""
    is_told, is_slow = asyncio.Event(), asyncio.Event()
    writers: list[asyncio.StreamWriter] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        if not writers:
            writer.write(b"H")
            is_slow.set()
        else:
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            is_told.set()
        writers.append(writer)

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    service: Service = club.service
    service.settings.webhooks = tuple(webhook(url=f"{base}/{number}") for number in (1, 2))
    begin_calls(service.database, service.settings.webhooks, club.clock.now())
    club.open()
    stop = asyncio.Event()
    run = asyncio.create_task(scheduler.run(service, None, stop))
    async with server, asyncio.timeout(SOON):
        await is_slow.wait()
        await is_told.wait()
        while len(club.courier.carried) < 2:  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)
        stop.set()
        await run
        for writer in writers:
            writer.close()
