"""Shows the demonstration on a terminal: the mails on the left, the boards on the right, the counts below."""

import asyncio
from collections import deque
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.layout import Layout
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from pbem.demo.show import Passing, Show
from pbem.demo.wall import Hung, Wall
from pbem.match import Match

_FRAMES_A_SECOND = 10
_FRAME = 4  # columns that the edges of a panel take
_NARROW = 34  # columns that the mails need, with or without boards beside them
_WHOLE_SUBJECT = 64
_TITLE = "Mail, by SMTP and IMAP on this machine"


class Screen(Show):
    """The show on the terminal's other screen, which is cleared away in the end."""

    def __init__(self, console: Console, service: str) -> None:
        super().__init__(console, service)
        self._mails: deque[Passing] = deque(maxlen=200)
        self._matches: list[Match] = []
        self._wall = Wall()
        # How wide the boards have been on a terminal of a size: the line between them and the mails must not dance.
        self._widest: dict[tuple[int, int], int] = {}
        self._changed = True
        # Drawn from the event loop: a thread of its own would meet half-changed lists.
        self._live = Live(console=console, screen=True, auto_refresh=False, vertical_overflow="crop")
        self._drawing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Switch to the other screen."""
        self._live.start()
        self._drawing = asyncio.create_task(self._draw())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Switch back."""
        if self._drawing:
            self._drawing.cancel()
            with suppress(asyncio.CancelledError):
                await self._drawing
        self._live.stop()

    def _pass(self, mail: Passing) -> None:
        self._mails.append(mail)
        self._changed = True

    async def _draw(self) -> None:
        """Draw the picture again and again."""
        while True:
            if self._changed:
                self._changed, self._matches = False, self.look()
            self._live.update(self._picture(), refresh=True)
            await asyncio.sleep(1 / _FRAMES_A_SECOND)

    def _picture(self) -> Layout:
        """Return the whole screen, fitted to the terminal as it is now."""
        width, height = self.console.size
        hung = self._wall.hang(self._matches, width - _NARROW - 2 * _FRAME, height - 3, self.seconds)
        if hung.columns:
            self._widest[width, height] = max(self._widest.get((width, height), 0), hung.width)
        right = self._widest[width, height] + _FRAME if hung.columns else 0
        passed = self._passed(width - right - _FRAME, height - 3)
        title = _TITLE if width - right - _FRAME > len(_TITLE) else "Mail"
        left = Layout(Panel(passed, title=title, title_align="left"))
        body, foot = Layout(left), Layout(self._counts(), size=1)
        if right:
            body.split_row(left, Layout(_boards(hung), size=right))
        whole = Layout()
        whole.split_column(body, foot)
        return whole

    def _passed(self, width: int, height: int) -> Text:
        """Return the latest mails, the newest at the bottom."""
        lines = []
        for mail in list(self._mails)[-height:]:
            line = Text(f"{mail.sender:>5} → {mail.recipient:<5} ", style="bold green" if mail.ends else "")
            subject = mail.subject if width >= _WHOLE_SUBJECT else f"{mail.match} {mail.subject.rpartition(' – ')[2]}"
            if mail.words:
                line.append(f"{mail.match} “{mail.words}”", "bold cyan")
            else:
                line.append(subject)
            line.truncate(max(width, 1), overflow="ellipsis")
            lines.append(line)
        return Text("\n", no_wrap=True).join(lines)

    def _counts(self) -> Text:
        """Return the bottom line."""
        return Text(
            f" {self.messages} letters from players · {self.notices} mails from the service · {self.seconds:.0f} s"
            " · Ctrl-C ends",
            "reverse",
            no_wrap=True,
            overflow="ellipsis",
            justify="left",
        )


def _boards(hung: Hung) -> Panel:
    """Return the boards that fit in a frame, which says how many do not."""
    more = f"and {hung.left_out} more match{'' if hung.left_out == 1 else 'es'}" if hung.left_out else None
    return Panel(hung.table(), title="Boards", title_align="left", subtitle=more, subtitle_align="left")
