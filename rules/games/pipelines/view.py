"""The view of Pipelines: its pieces, and the board with them."""

from collections.abc import Iterable

from rules.board.square import bits_in
from rules.games.pipelines import texts
from rules.games.pipelines.turn import Board
from rules.notation import cell_name
from rules.text import spoken, visual
from rules.view import BoardView, Cell, Form, Mark, Piece, Tone, reading_order

_TONES: tuple[Tone, ...] = ("red", "blue", "yellow")
_LAST: frozenset[Mark] = frozenset({"last"})
_PLAIN: frozenset[Mark] = frozenset()
_CAPTIONS, _SPOKEN = tuple(map(visual, texts.CAPTIONS)), tuple(map(spoken, texts.CAPTIONS))


def _pieces(form: Form, symbols: str) -> tuple[Piece, ...]:
    """Return the pieces of one form, one for each seat."""
    named = zip(texts.ROLES, _TONES, symbols, strict=True)
    plural = "s" if form == "cube" else ""
    return tuple(
        Piece(f"{tone}-{form}", symbol, f"{role}’s {form}", tone, form, f"{role}’s {form}{plural}")
        for role, tone, symbol in named
    )


HOMES, CUBES, HELD = _pieces("home", "123"), _pieces("cube", "rby"), _pieces("glass", "RBY")
FREE = Piece("glass", "*", "nobody’s glass", "clear", "glass")


def pipelines_view(
    board: Board, latest: int, standing: tuple[str, ...], choices: Iterable[tuple[str, int]]
) -> BoardView:
    """Return the board; the cells ``latest`` are marked, and ``choices`` are sets of cells behind their words."""
    hexes, seats, shown = board.hexes, len(board.homes), dict[int, Piece]()
    everything = ((HOMES, board.homes), (CUBES, board.cubes), (HELD, board.held), ((FREE,), (board.free,)))
    for pieces, masks in everything:
        for piece, mask in zip(pieces, masks, strict=False):
            shown.update(dict.fromkeys(bits_in(mask), piece))
    cells = []
    for name in reading_order(hexes.hexagon.places):
        bit = hexes.bits[name]
        cells.append(Cell(name, *hexes.hexagon.places[name], shown.get(bit), _LAST if bit & latest else _PLAIN))
    return BoardView(
        columns=tuple(cell_name(column, 0)[0] for column in range(hexes.hexagon.size)),
        rows=tuple(str(row + 1) for row in range(hexes.hexagon.size)),
        cells=tuple(cells),
        pieces=(*HOMES[:seats], *CUBES[:seats], *HELD[:seats], FREE),
        captions=_CAPTIONS,
        spoken=_SPOKEN,
        choices=tuple((words, frozenset(hexes.listed(mask))) for words, mask in choices if mask),
        looks="cells",
        shape="hex",
        standing=standing,
    )
