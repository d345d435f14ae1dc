"""Where somebody plays: a terminal with colours and a line that says who is thinking, or a pipe without both."""

import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Protocol

from pbem.match.preferences import Display

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_SIGNS = {"●": "bold", "○": "bold bright_white", "◇": "cyan", "★": "cyan", "⌂": "green", "?": "bold magenta"}
_COLOURS = {"R": "bold red", "B": "bold blue", "Y": "bold yellow", "W": "bold bright_white", "X": "bold", "O": "bold"}
_EDGES = dict.fromkeys("()[]{}", "bold yellow")
_PALE = dict.fromkeys("·.-|+", "dim")
STYLES = {**_SIGNS, **_COLOURS, **_EDGES, **_PALE}
"""How the signs of a board are coloured; where there is no colour they say all there is to say."""


class Screen(Protocol):
    """Where somebody plays: texts go out, and lines come in. ``display`` is how boards are drawn there."""

    display: Display

    def show(self, text: str) -> None:
        """Show a text, which ends with a line feed, and an empty line behind it."""

    def read(self) -> str | None:
        """Return the next line that was typed; None at the end of them."""
        ...

    def waiting(self, sentence: str) -> AbstractContextManager[object]:
        """Show a sentence while the context lasts."""
        ...


class Pipe:
    """Standard output, and standard input, whose lines are printed as they are read."""

    def __init__(self, display: Display) -> None:
        self.display = display

    def show(self, text: str) -> None:
        """Print a text."""
        from pbem.cli.output import print_text

        if text.strip():
            print_text(text)

    def read(self) -> str | None:
        """Return the next line."""
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            return None
        line = line.rstrip("\r\n")
        self.show(f"> {line}\n")
        return line

    def waiting(self, sentence: str) -> AbstractContextManager[object]:
        """Say nothing: whoever reads the end of a pipe doesn't wait."""
        return nullcontext()


class Terminal:
    """A terminal: boards are coloured, lines can be edited, and a spinner turns while a robot thinks."""

    def __init__(self, display: Display, console: "Console") -> None:
        self.display = display
        self._console = console
        with suppress(ImportError):
            import readline  # noqa: F401  # lets `input` edit lines, and remember them

    def show(self, text: str) -> None:
        """Print a text, its boards in colour."""
        if text.strip():
            self._console.print(colour(text), soft_wrap=True)

    def read(self) -> str | None:
        """Return the next line; Ctrl-D ends them. Raise KeyboardInterrupt, on a line of its own, for Ctrl-C."""
        try:
            line = input("> ")
        except EOFError:
            self._console.print()
            return None
        except KeyboardInterrupt:
            self._console.print()
            raise
        self._console.print()
        return line

    def waiting(self, sentence: str) -> AbstractContextManager[object]:
        """Show the sentence behind a spinner."""
        return self._console.status(sentence)


def make_screen() -> Screen:
    """Return what standard input and output are; raise nothing, whatever is typed there."""
    unicode = "utf" in (getattr(sys.stdout, "encoding", None) or "").lower()
    display: Display = "unicode" if unicode else "plain"
    if (reconfigure := getattr(sys.stdin, "reconfigure", None)) is not None:
        reconfigure(errors="replace")
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        from rich.console import Console

        return Terminal(display, Console(highlight=False, markup=False, emoji=False))
    return Pipe(display)


def colour(text: str) -> "Text":
    """Return ``text`` with its boards in colour: their lines are indented, and hold no word."""
    from rich.text import Text

    coloured = Text()
    for line in text.splitlines(keepends=True):
        if line[:1] == " " and not any(word.isalpha() and len(word) > 1 for word in line.split()):
            for char in line:
                coloured.append(char, STYLES.get(char, ""))
        else:
            coloured.append(line)
    return coloured
