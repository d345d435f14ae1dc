"""Every way in which the rules say no.

RulesError (a ValueError; its text is one sentence for the player)
├── InvalidMove      the text is no move
├── AmbiguousMove    the text fits several moves
├── IllegalMove      a move that the rules forbid here
├── InvalidOption    an option, or a number of players, that the game does not have
└── InvalidRecord    a record that does not replay, or cannot be read
"""


class RulesError(ValueError):
    """The rules say no; ``str(error)`` is one sentence that a player understands."""


class InvalidMove(RulesError):
    """The text is no move at all in this position."""


class AmbiguousMove(RulesError):
    """The text fits several moves; the sentence lists them."""


class IllegalMove(RulesError):
    """The text is a move, but the rules forbid it here."""


class InvalidOption(RulesError):
    """The game has no such option, value or number of players."""


class InvalidRecord(RulesError):
    """A record that cannot be read or replayed.

    ``line`` counts from 1 in a text, ``ply`` from 0 in a list of entries; what does not apply is None.
    """

    def __init__(self, sentence: str, *, ply: int | None = None, line: int | None = None) -> None:
        super().__init__(sentence)
        self.ply = ply
        self.line = line


def quote(text: object, limit: int = 40) -> str:
    """Return ``text`` in quotation marks, on one line and cut to ``limit`` characters."""
    shown = str(text)[: 5 * limit]
    if not shown.isprintable():
        shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    shown = " ".join(shown.split())
    return f"“{shown}”" if len(shown) <= limit else f"“{shown[: limit - 1].rstrip()}…”"
