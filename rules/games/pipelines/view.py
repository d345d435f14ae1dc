"""The view of Pipelines: its pieces, and the board with them."""

from collections.abc import Iterable

from rules.board.square import bits_in
from rules.board.views import axes, draw_cells
from rules.games.pipelines import texts
from rules.games.pipelines.turn import Board
from rules.phrase import phrase, verbatim
from rules.text import spoken, visual
from rules.view import BoardView, Form, Piece, Tone

_TONES: tuple[Tone, ...] = ("red", "blue", "yellow")
_CAPTIONS, _SPOKEN = tuple(map(visual, texts.CAPTIONS)), tuple(map(spoken, texts.CAPTIONS))


def _pieces(form: Form, symbols: str) -> tuple[Piece, ...]:
    """Return the pieces of one form, one for each seat."""
    named = zip(texts.ROLES, _TONES, symbols, strict=True)
    plural = "s" if form == "cube" else ""
    return tuple(
        Piece(f"{tone}-{form}", symbol, verbatim(f"{role}’s {form}"), tone, form, verbatim(f"{role}’s {form}{plural}"))
        for role, tone, symbol in named
    )


HOMES, CUBES, HELD = _pieces("home", "123"), _pieces("cube", "rby"), _pieces("glass", "RBY")
FREE = Piece("glass", "*", phrase("nobody’s glass"), "clear", "glass")


def pipelines_view(
    board: Board, latest: int, standing: tuple[str, ...], choices: Iterable[tuple[str, int]]
) -> BoardView:
    """Return the board; the cells ``latest`` are marked, and ``choices`` are sets of cells behind their words."""
    hexes, seats = board.hexes, len(board.homes)
    pieces = (*HOMES[:seats], *CUBES[:seats], *HELD[:seats], FREE)
    masks = (*board.homes, *board.cubes, *board.held, board.free)
    columns, rows = axes(hexes.hexagon.size)
    return BoardView(
        columns=columns,
        rows=rows,
        cells=draw_cells(hexes, zip(pieces, masks, strict=True), last=latest),
        pieces=pieces,
        captions=tuple(map(verbatim, _CAPTIONS)),
        spoken=tuple(map(verbatim, _SPOKEN)),
        choices=tuple(
            (verbatim(words), frozenset(hexes.names[bit] for bit in bits_in(mask))) for words, mask in choices if mask
        ),
        looks="cells",
        shape="hex",
        standing=tuple(map(verbatim, standing)),
    )
