"""A whole match by mail: the real command, real servers on loopback, and three players with email programs."""

import asyncio
import json
import re
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.servers import DemoServers
from tests.e2e.program import (
    GAMES,
    PATIENCE,
    PBEM,
    Player,
    Postbox,
    pbem,
    play,
    serving,
    without_settings,
)


@pytest.mark.slow("runs the program with its servers")
async def test_three_players_play_a_match_by_mail(tmp_path: Path) -> None:
    """From ``pbem open`` to ``match over``: three people who only read mail and press Reply play Zipline to its end."""
    postbox = Postbox()
    addresses = [f"{name}@example.org" for name in ("ann", "bob", "carl")]
    async with DemoServers([GAMES, *addresses], on_mail=postbox) as servers:
        environment = without_settings()
        environment |= {"PBEM_IMAP_URL": servers.imap_url(GAMES), "PBEM_SMTP_URL": servers.smtp_url}

        async def call(*arguments: str) -> str:
            return await pbem(tmp_path, environment, *arguments)

        await call("init", GAMES)
        opened = json.loads(await call("open", "zipline", *addresses, "--option", "size=5", "--json"))
        async with serving(tmp_path, environment):
            await play([Player(address, servers, postbox) for address in addresses])
        mails: list[dict[str, Any]] = json.loads(await call("outbound", "list", "--json", "--limit", "100"))
        assert {mail["status"] for mail in mails} == {"sent"}
        assert {mail["to"] for mail in mails if mail["kind"] == "match_over"} == set(addresses)
        assert "✗" not in await call("doctor")

        (match,) = json.loads(await call("matches", "--json"))
        assert (match["id"], match["status"], match["winners"]) == (opened["id"], "over", [0, 2])
        assert "Won by Ann and Carl: black connects the left and the right side" in await call("show", "1")
        assert " 1  seat 1   c3\n" in await call("export", "1", "--output", "1.txt") + (tmp_path / "1.txt").read_text()
        assert (await call("verify", "1.txt")).startswith("zipline, 3 players, 9 entries: a win of seats 1 and 3")
        await call("archive")
        page = (tmp_path / "archive" / "matches" / "1.html").read_text("utf-8")
        assert "Won by Ann and Carl" in page
        assert "Good luck to everybody." in page
        assert "I go along the first row." not in page  # nobody was told that there is one
        assert "@example.org" not in page


@pytest.mark.slow("runs the program with its servers")
async def test_a_match_goes_on_when_the_servers_come_back(tmp_path: Path) -> None:
    """Servers that are gone when a move is written, and then come back, delay the match by moments."""
    postbox = Postbox()
    addresses = ["ann@example.org", "bob@example.org"]
    async with DemoServers([GAMES, *addresses], on_mail=postbox) as servers:
        environment = without_settings()
        environment |= {"PBEM_IMAP_URL": servers.imap_url(GAMES), "PBEM_SMTP_URL": servers.smtp_url}
        await pbem(tmp_path, environment, "init", GAMES)
        await pbem(tmp_path, environment, "open", "pipline", *addresses)
        ann, bob = (Player(address, servers, postbox) for address in addresses)
        # Whether a warning is due depends on what the service was doing when the connections broke.
        async with serving(
            tmp_path,
            environment,
            complains=r".* WARNING (put_off task=\w+|server_fails): (poll|deliver): .*No connection to .*",
        ):
            for player in (ann, bob):
                await player.read()
            await servers.stop()
            await servers.start()
            await ann.answer("c3")
            for player in (ann, bob):
                assert "c3" in await player.read()


@pytest.mark.slow("runs the program with its servers")
async def test_a_service_without_servers_waits_for_them_and_stops_when_told(tmp_path: Path) -> None:
    """With nothing to reach, ``pbem run`` says so and stays; a second one is refused; Ctrl-C ends it cleanly."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    environment = without_settings()
    environment |= {"PBEM_IMAP_URL": f"imap://u:p@127.0.0.1:{port}/INBOX", "PBEM_SMTP_URL": f"smtp://127.0.0.1:{port}"}
    await pbem(tmp_path, environment, "init", GAMES)
    await pbem(tmp_path, environment, "open", "pipline", "ann@example.org", "bob@example.org")
    complains = (
        r".* WARNING put_off task=poll: poll: "
        r"No connection to the mail server .*: nothing listens there\. Trying again in \d+ .*"
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        async with serving(tmp_path, environment, number=number, complains=complains) as first:
            assert first.stderr is not None
            warning = b" INFO "
            while b" INFO " in warning:
                warning = await asyncio.wait_for(first.stderr.readline(), PATIENCE)
            assert re.fullmatch(complains, warning.decode().rstrip("\n"))
            second = await asyncio.create_subprocess_exec(
                PBEM, "run", cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            out, err = await asyncio.wait_for(second.communicate(), PATIENCE)
            assert (second.returncode, out) == (75, b"")
            assert "\npbem: Another “pbem run” serves this database already" in err.decode()
    mails = json.loads(await pbem(tmp_path, environment, "outbound", "list", "--json"))
    assert {mail["status"] for mail in mails} == {"queued"}
