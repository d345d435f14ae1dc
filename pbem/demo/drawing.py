"""Draws a match for the terminal, coloured, in two sizes: the board of the mails, and one as small as can be."""

from dataclasses import dataclass, replace

from rich.text import Text

from pbem.boards import text_board
from pbem.boards.places import halves, hex_letters, hex_ranks, ranks
from pbem.boards.signs import is_closed
from pbem.match import Match
from rules import BoardView
from rules.text import listed
from rules.view import Cell, Tone

_TONES: dict[Tone, str] = {
    "black": "cyan",
    "white": "magenta",
    "red": "red",
    "blue": "dodger_blue1",
    "yellow": "dark_goldenrod",
    "clear": "green",
}
"""The colour of each tone of pieces, besides their letters; all can be read on a light and on a dark ground."""

_MARKS = {"last": "bold underline", "line": "reverse"}
_STAND_IN = 0xE000  # the first of the characters that nobody uses, so that no text holds them


@dataclass(frozen=True)
class Picture:
    """A match as it is shown: its name, its board, how it stands. All lines fit into ``width``, which never changes."""

    lines: tuple[Text, ...]
    width: int

    @property
    def height(self) -> int:
        """The number of lines."""
        return len(self.lines)


def large(match: Match) -> Picture:
    """Return a match with its board as it is in the mails."""
    players = f" {' – '.join(player.name for player in match.players)}"
    return _picture(match, Text(_name(match), "bold").append(players, "not bold"), _board(match.position.view()))


def small(match: Match) -> Picture:
    """Return a match with its board in two columns a cell, three a die."""
    return _picture(match, Text(_name(match), "bold"), small_board(match.position.view()))


def _name(match: Match) -> str:
    return f"{match.id} {match.game.title}"


def _picture(match: Match, title: Text, board: list[Text]) -> Picture:
    """Put a picture together, so wide that it need not change with whose turn it is."""
    turns = (len(f"{player.name} to play") for player in match.players)
    width = max(title.cell_len, *turns, *(line.cell_len for line in board))
    standing = _standing(match)
    standing.truncate(width, overflow="ellipsis")
    return Picture((title, *board, standing), width)


def _standing(match: Match) -> Text:
    """Return whose turn it is or who won, in few words."""
    if outcome := match.outcome:
        names = listed(match.name(seat) for seat in sorted(outcome.winners))
        return Text(f"{names} won" if names else "nobody won", "bold green")
    return Text(f"{match.name(match.to_act)} to play" if isinstance(match.to_act, int) else "drawing lots")


def _board(view: BoardView) -> list[Text]:
    """Return the board of the mails, the pieces coloured."""
    signs = {piece.key: chr(_STAND_IN + number) for number, piece in enumerate(view.pieces)}
    pieces = {signs[piece.key]: piece for piece in view.pieces}
    cells = (
        replace(cell, piece=replace(cell.piece, symbol=signs[cell.piece.key])) if cell.piece else cell
        for cell in view.cells
    )
    # Drawn with stand-ins, as letters of pieces stand along the edges as well. No board has an empty line in it.
    drawn = text_board(replace(view, cells=tuple(cells), captions=(), standing=())).split("\n\n")[0]
    lines = []
    for drawing in drawn.rstrip("\n").split("\n"):
        line = Text()
        tone = ""
        for char in drawing:
            if piece := pieces.get(char):
                tone = _TONES[piece.tone]
            elif not (view.looks == "dice" and char.isdigit()):
                tone = ""  # the number on top of a die stands behind its owner's letter
            line.append(piece.symbol if piece else char, tone)
        line.highlight_regex(r"[(\[{][^()\[\]{}]*[)\]}]", "bold")
        lines.append(line)
    return lines


def small_board(view: BoardView) -> list[Text]:
    """Return the board in few columns; the last move is underlined, the winning line reversed."""
    if view.shape == "hex":
        return _small_hexagons(view)
    room = 2 if view.looks == "dice" else 1
    lines = []
    for label, cells in ranks(view):
        line = Text(f"{label:>2}")
        for cell in cells:
            line.append(" ")
            line.append_text(_small_cell(cell, room) if cell else Text(" " * room))
        lines.append(line)
    return [*lines, Text("  " + "".join(f" {name:<{room}}" for name in view.columns))]


def _small_hexagons(view: BoardView) -> list[Text]:
    """Return a hex board, half a cell to a column; where a column leaves the board its letter takes the next place."""
    rows = hex_ranks(view)
    ends = {cell.name: row for row, cells in hex_letters(view).items() for cell in cells}
    left = min(halves(cells[0]) for cells in rows.values()) - 3
    letters: dict[int, dict[int, Text]] = {}
    for cells in rows.values():
        for cell in cells:
            if cell.name in ends:
                letters.setdefault(ends[cell.name], {})[halves(cell) + 1] = Text(view.columns[cell.column], "dim")
    lines = []
    for row, cells in [*rows.items(), (-1, [])]:
        signs = {halves(cell): _small_cell(cell, 1) for cell in cells} | letters.get(row, {})
        line = Text(f"{view.rows[row]:>2}".rjust(min(signs) - left - 1) if cells else "")
        for place, sign in sorted(signs.items()):
            line.append(" " * (place - left - line.cell_len)).append_text(sign)
        lines.append(line)
    return lines


def _small_cell(cell: Cell, room: int) -> Text:
    """Return a cell in ``room`` columns."""
    if cell.piece is None:
        sign, tone = "-" if is_closed(cell) else "·", ""
    else:
        sign, tone = f"{cell.piece.symbol}{cell.die.top if cell.die else ''}", _TONES[cell.piece.tone]
    text = Text(sign, " ".join([tone, *(_MARKS[mark] for mark in sorted(cell.marks) if mark in _MARKS)]).strip())
    text.pad_right(room - len(sign))
    return text
