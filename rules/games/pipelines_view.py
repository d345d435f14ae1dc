"""What there is to see of Pipelines: the pieces, and the board with them."""

from collections.abc import Sequence

from rules.games import pipelines_words as say
from rules.games.pipelines_turn import Table
from rules.grid import cell_name
from rules.view import BoardView, Cell, Form, Mark, Piece, Tone, reading_order

_TONES: tuple[Tone, ...] = ("red", "blue", "yellow")
_LAST: frozenset[Mark] = frozenset({"last"})
_PLAIN: frozenset[Mark] = frozenset()


def _pieces(form: Form, symbols: str) -> tuple[Piece, ...]:
    """Return the pieces of one form, one for each seat."""
    named = zip(say.ROLES, _TONES, symbols, strict=True)
    return tuple(Piece(f"{tone}-{form}", symbol, f"{role}’s {form}", tone, form) for role, tone, symbol in named)


HOMES, CUBES, HELD = _pieces("home", "123"), _pieces("cube", "rby"), _pieces("glass", "RBY")
FREE = Piece("glass", "*", "glass", "clear", "glass")


def pipelines_view(table: Table, latest: int, standing: Sequence[str]) -> BoardView:
    """Return the board; the cells ``latest`` are marked."""
    ground, seats, shown = table.ground, len(table.homes), dict[int, Piece]()
    everything = ((HOMES, table.homes), (CUBES, table.cubes), (HELD, table.held), ((FREE,), (table.free,)))
    for pieces, masks in everything:
        for piece, mask in zip(pieces, masks, strict=False):
            shown.update(dict.fromkeys(ground.cells(mask), piece))
    cells = []
    for name in reading_order(ground.board.places):
        bit = ground.bits[name]
        cells.append(Cell(name, *ground.board.places[name], shown.get(bit), _LAST if bit & latest else _PLAIN))
    return BoardView(
        columns=tuple(cell_name(column, 0)[0] for column in range(ground.board.size)),
        rows=tuple(str(row + 1) for row in range(ground.board.size)),
        cells=tuple(cells),
        pieces=(*HOMES[:seats], *CUBES[:seats], *HELD[:seats], FREE),
        captions=say.CAPTIONS,
        looks="cells",
        shape="hex",
        standing=tuple(standing),
    )
