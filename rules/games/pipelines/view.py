"""The view of Pipelines: its pieces, and the board with them."""

from collections.abc import Iterable

from rules.board.square import bits_in
from rules.board.views import axes, draw_cells
from rules.games.pipelines import texts
from rules.games.pipelines.turn import Board
from rules.phrase import Phrase, phrase
from rules.view import BoardView, Form, Piece, Tone

_TONES: tuple[Tone, ...] = ("red", "blue", "yellow")


def _pieces(form: Form, symbols: str, names: Iterable[tuple[Phrase, Phrase | None]]) -> tuple[Piece, ...]:
    """Return the pieces of one form, one for each seat; ``names`` are of one and of several."""
    found = zip(names, _TONES, symbols, strict=True)
    return tuple(Piece(f"{tone}-{form}", symbol, one, tone, form, many) for (one, many), tone, symbol in found)


HOMES = _pieces(
    "home", "123", ((phrase("Red’s home"), None), (phrase("Blue’s home"), None), (phrase("Yellow’s home"), None))
)
CUBES = _pieces(
    "cube",
    "rby",
    (
        (phrase("Red’s cube"), phrase("Red’s cubes")),
        (phrase("Blue’s cube"), phrase("Blue’s cubes")),
        (phrase("Yellow’s cube"), phrase("Yellow’s cubes")),
    ),
)
HELD = _pieces(
    "glass", "RBY", ((phrase("Red’s glass"), None), (phrase("Blue’s glass"), None), (phrase("Yellow’s glass"), None))
)
FREE = Piece("glass", "*", phrase("free glass"), "clear", "glass")


def pipelines_view(
    board: Board, latest: int, standing: tuple[Phrase, ...], choices: Iterable[tuple[Phrase, int]]
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
        captions=texts.CAPTIONS,
        choices=tuple((words, frozenset(hexes.names[bit] for bit in bits_in(mask))) for words, mask in choices if mask),
        looks="cells",
        shape="hex",
        standing=standing,
    )
