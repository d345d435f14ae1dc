"""Shows the demonstration on a terminal: the mails on the left, the boards on the right, the counts below."""

import asyncio
from collections import deque
from contextlib import suppress
from itertools import groupby
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.layout import Layout
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pbem.boards import text_board
from pbem.demo.show import Passing, Show
from pbem.match import Match
from rules import BoardView
from rules.prose import listed

_FRAMES_A_SECOND = 10
_FRAME = 4  # columns that the edges of a panel take
_WIDE = (112, 28)  # columns and lines from which full boards fit
_NARROW = 30  # columns that the mails need, with or without boards beside them
_WHOLE_SUBJECT = 64


class Screen(Show):
    """The show on the terminal's other screen, which is cleared away in the end."""

    def __init__(self, console: Console, service: str) -> None:
        super().__init__(console, service)
        self._mails: deque[Passing] = deque(maxlen=200)
        self._matches: list[Match] = []
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
        wide = width >= _WIDE[0] and height >= _WIDE[1]
        blocks = [_block(match, wide=wide) for match in self._matches]
        room = max((line.cell_len for block in blocks for line in block), default=16)
        right = 2 * room + 3 + _FRAME
        if width - right < _NARROW:
            right = 0
        passed = self._passed(width - right - _FRAME, height - 3)
        left = Layout(Panel(passed, title="Mail, by SMTP and IMAP on this machine", title_align="left"))
        body, foot = Layout(left), Layout(self._counts(), size=1)
        if right:
            boards = Panel(_square(blocks, room), title="Boards", title_align="left")
            body.split_row(left, Layout(boards, size=right))
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
            f" {self.letters} letters from players · {self.notices} mails from the service · {self.seconds:.0f} s"
            " · Ctrl-C ends",
            "reverse",
            no_wrap=True,
            overflow="ellipsis",
            justify="left",
        )


def _square(blocks: list[list[Text]], room: int) -> Table:
    """Return the boards two by two, columns of equal width."""
    grid = Table.grid(padding=(0, 3, 0, 0))
    for _ in range(2):
        grid.add_column(width=room, no_wrap=True)
    for start in range(0, len(blocks), 2):
        if start:
            grid.add_row("")
        grid.add_row(*(Text("\n").join(block) for block in blocks[start : start + 2]))
    return grid


def _block(match: Match, *, wide: bool) -> list[Text]:
    """Return the lines for one match: its name, its board, and how it stands."""
    players = f" {' – '.join(player.name for player in match.players)}" if wide else ""
    title = Text(f"{match.id} {match.game.title}", "bold").append(players, "not bold")
    view = match.position.view()
    if wide:
        board = [Text(line) for line in text_board(view).split("\n")[: len(view.rows) + 2]]
        for line in board:
            line.highlight_regex(r"[(\[{]\S[)\]}]", "bold")
            _colour(line)
    else:
        board = _small_board(view)
    return [title, *board, _standing(match)]


def _standing(match: Match) -> Text:
    """Return whose turn it is or who won, in few words."""
    if outcome := match.outcome:
        names = listed(match.name(seat) for seat in sorted(outcome.winners))
        return Text(f"{names} won" if names else "nobody won", "bold green")
    return Text(f"{match.name(match.to_act)} to play" if isinstance(match.to_act, int) else "")


def _small_board(view: BoardView) -> list[Text]:
    """Return the board in two columns a cell; the last move is underlined, the winning line reversed."""
    lines = []
    for row, cells in groupby(view.cells, key=lambda cell: cell.row):
        line = Text(f"{view.rows[row]:>2}")
        for cell in cells:
            line.append(" ")
            line.append(cell.piece.symbol if cell.piece else "·", " ".join(_STYLES[mark] for mark in cell.marks))
        _colour(line)
        lines.append(line)
    return [*lines, Text("   " + " ".join(view.columns))]


_STYLES = {"last": "bold underline", "line": "reverse"}


def _colour(line: Text) -> None:
    """Colour the pieces, besides their letters; both colours can be read on a light and on a dark ground."""
    line.highlight_regex("X", "cyan")
    line.highlight_regex("O", "magenta")
