"""Keeps the servers and the service up, so that any mail program can take part."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.demo.performance import bold_words, follow_examples
from pbem.demo.script import CAST
from pbem.demo.show import Show
from pbem.demo.stage import ADDRESS, Stage, stage


async def keep_open(console: Console, directory: Path) -> int:
    """Open two matches, print the accounts, and serve until a signal says stop; returns the exit code."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    show = Show(console, ADDRESS)
    async with stage(directory, CAST, show.mail) as here:
        _print_accounts(console, here)
        three = here.open("zipline", ("ann", "bob", "carl"), {"size": 7})
        two = here.open("pipline", ("dora", "ann"), {"size": 7})
        for line in (
            f"Match {three.id}, Zipline for three: Ann begins, then Bob, then Carl.",
            f"Match {two.id}, Pipline for two: Dora begins; Ann answers her by herself there.",
            "Reply to the mails there with any mail program. Ctrl-C stops it all.",
        ):
            console.print(Text(line))
        console.print()
        opponent = asyncio.create_task(
            follow_examples(here.players["ann"], two.id, lambda: asyncio.sleep(1), words=bold_words, patience=None)
        )
        try:
            await stop.wait()
        finally:
            opponent.cancel()
            with suppress(asyncio.CancelledError):
                await opponent
    console.print(Text("Stopped; the servers are down and nothing runs on."))
    return 0


def _print_accounts(console: Console, here: Stage) -> None:
    """Print what a mail program asks for when an account is set up."""
    imap, smtp = urlsplit(here.servers.imap_url(ADDRESS)), urlsplit(here.servers.smtp_url)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("Player", "Address and user name", "Password"):
        table.add_column(title)
    for player in here.players.values():
        table.add_row(player.name, player.address, here.servers.password)
    console.print(table)
    console.print()
    console.print(Text(f"Incoming: IMAP  {imap.hostname}, port {imap.port}, no encryption, plain password"))
    console.print(Text(f"Outgoing: SMTP  {smtp.hostname}, port {smtp.port}, no encryption, no login"))
    console.print()
