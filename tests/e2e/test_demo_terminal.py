"""What the demo shows and sends for a seat at the terminal, without its servers."""

import asyncio
import io
from collections.abc import Sequence

import pytest
from rich.console import Console

from pbem.demo.main import above_board, type_reply
from pbem.demo.terminal import tell

_BOARD = "   a b c\n2  . . .  2\n1  . X .  1\n   a b c"


class TypedLines:
    """Lines of a keyboard, and then the end of the input; ``echoes``: it is a terminal's."""

    def __init__(self, lines: Sequence[str], *, echoes: bool) -> None:
        self.echoes = echoes
        self._lines = list(lines)

    async def line(self) -> str | None:
        """Return the next line; None at the end."""
        return self._lines.pop(0) if self._lines else None


def typed(*lines: str, echoes: bool) -> str | None:
    """Return the email that comes of these lines."""
    return asyncio.run(type_reply(Console(file=io.StringIO()), TypedLines(lines, echoes=echoes)))


@pytest.mark.parametrize(
    ("lines", "sent"),
    [
        (("d4", ""), "d4"),
        (("", "d4", "Hello!", "", "e5"), "d4\nHello!"),
        (("d4",), None),
        (("d4", "quit"), None),
        (("QUIT",), None),
        ((), None),
    ],
)
def test_only_an_empty_line_sends_at_a_terminal(lines: tuple[str, ...], sent: str | None) -> None:
    """Who presses Ctrl-D, or types quit, stops, whatever they had begun to write."""
    assert typed(*lines, echoes=True) == sent


def test_the_end_of_a_pipe_sends_what_it_held() -> None:
    """There nobody pressed anything; ``quit`` stops all the same."""
    assert typed("d4", echoes=False) == "d4"
    assert typed("d4", "quit", echoes=False) is None
    assert typed(echoes=False) is None


def test_one_reads_what_one_has_said() -> None:
    """Quotations are indented as boards are: only a board, and what is below it, is left out."""
    receipt = (
        "Got it, Ann\n\nYou played d4.\n\nYou wrote to everyone:\n\n  > Hello!\n  > Bye.\n\nA line starting with …"
    )
    assert above_board(receipt) == receipt
    said = "Bob wrote:\n\n  “Hello!\n  Bye.”"
    shown = above_board(f"It’s Bob’s turn\n\n{said}\n\n{_BOARD}\n\nA line starting with …")
    assert said in shown
    assert "." * 3 not in shown.replace(" ", "")
    assert "A line starting" not in shown


@pytest.mark.parametrize("width", [40, 80, 120])
def test_sentences_break_between_words(width: int) -> None:
    """No word is cut where the terminal ends."""
    words = "The mail servers run on this machine, and their accounts are ann@players.example and bob@b.example."
    printed = io.StringIO()
    tell(Console(file=printed, width=width), words)
    assert printed.getvalue().split() == words.split()
    assert max(map(len, printed.getvalue().splitlines())) <= width
