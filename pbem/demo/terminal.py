"""The terminal of the demo: a line for each email that passes, the final boards, and what is typed."""

import asyncio
import sys
import threading
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from email.utils import parseaddr
from typing import Protocol

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.boards.text import text_board
from pbem.demo.players import read_email
from pbem.inbound.reply import read_reply
from pbem.match.match import Match

_GAP = 4  # columns between boards


def say(console: Console, text: str = "", style: str = "") -> None:
    """Print ``text`` as it is: long lines are left to the terminal, so that they can be copied whole."""
    console.print(Text(text, style), soft_wrap=True)


def tell(console: Console, text: str, style: str = "") -> None:
    """Print sentences of ours, broken between words where the terminal ends."""
    console.print(Text(text, style))


class EmailLog:
    """Counts the emails that pass and prints a line for each; ``service`` is the address of the service.

    After ``show`` only lines about one match are printed; those about others wait for their turn.
    """

    def __init__(self, console: Console, service: str) -> None:
        self.from_players = self.from_service = 0
        self._console, self._service = console, service
        self._held = defaultdict[int | None, list[Text]](list)
        self._shown: int | None = None

    def add(self, envelope_sender: str, recipient: str, raw: bytes) -> None:
        """Print one line for an email that has come in by SMTP: the first line of a notice, the words of a player.

        Who wrote it says From: the service has many envelope senders, and none for an answer.
        """
        mail = read_email(raw)
        sender = parseaddr(mail.sender)[1]
        if sender == self._service:
            self.from_service += 1
            words, style = mail.topic, "bold green" if mail.ends else "dim"
        else:
            self.from_players += 1
            lines = [line for line in read_reply(mail.text, self._service).lines() if line]
            words, style = f"“{' / '.join(lines[lines[0].endswith(',') :])}”" if lines else "“”", "bold"
        line = Text(f"{mail.match or '':>3}  {_local(sender):>5} → {_local(recipient):<5}  ").append(words, style)
        if self._console.is_terminal:
            line.truncate(self._console.width, overflow="ellipsis")
        if self._shown is not None and mail.match != self._shown:
            self._held[mail.match].append(line)
        else:
            self._console.print(line, soft_wrap=True)

    def show(self, match: int) -> None:
        """Print the lines that are there about a match, and from now on each that comes."""
        self._shown = match
        for line in self._held.pop(match, []):
            self._console.print(line, soft_wrap=True)


def print_boards(console: Console, matches: Iterable[Match]) -> None:
    """Print the boards of matches, as many side by side as fit."""
    rows: list[list[Text]] = []
    for match in matches:
        board = text_board(match.position.view()).rstrip("\n")
        picture = Text(f"{match.id} {match.game.title}\n{board}", no_wrap=True)
        if not rows or sum(console.measure(one).maximum + _GAP for one in (*rows[-1], picture)) > console.width:
            rows.append([])
        rows[-1].append(picture)
    for row in rows:
        table = Table.grid(padding=(0, _GAP, 1, 0))
        table.add_row(*row)
        console.print(table)


class Typing(Protocol):
    """Lines that somebody types; ``echoes``: they are seen at a terminal already."""

    echoes: bool

    async def line(self) -> str | None:
        """Return the next line without its end; None at the end of the input."""
        ...


class Keyboard:
    """Standard input, line by line; read by a thread that Ctrl-C need not wait for."""

    def __init__(self) -> None:
        self.echoes = bool(sys.stdin and sys.stdin.isatty())
        self._lines = asyncio.Queue[str | None]()
        threading.Thread(target=self._read, args=(asyncio.get_running_loop(),), daemon=True).start()

    async def line(self) -> str | None:
        """Return the next line without its end; None at the end of the input."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)  # the end stays the end
        return line

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # the demo has ended, and its loop is closed
            # Standard input may be closed (None), no file, or a terminal that has gone away.
            with suppress(AttributeError, OSError), open(sys.stdin.fileno(), errors="replace", closefd=False) as file:
                for line in file:
                    loop.call_soon_threadsafe(self._lines.put_nowait, line.rstrip("\n"))
            loop.call_soon_threadsafe(self._lines.put_nowait, None)


def _local(address: str) -> str:
    """Return ``games`` for ``games+17.2.0.mac@pbem.example``."""
    return address.partition("@")[0].partition("+")[0]
