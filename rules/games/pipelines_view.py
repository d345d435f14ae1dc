"""What there is to see of Pipelines: the pieces, and the board with them."""

from collections.abc import Iterable

from rules.games import pipelines_words as say
from rules.games.pipelines_turn import Table
from rules.grid import cell_name
from rules.prose import heard, seen
from rules.view import BoardView, Cell, Form, Mark, Piece, Tone, reading_order

_TONES: tuple[Tone, ...] = ("red", "blue", "yellow")
_LAST: frozenset[Mark] = frozenset({"last"})
_PLAIN: frozenset[Mark] = frozenset()
_CAPTIONS, _HEARD = tuple(map(seen, say.CAPTIONS)), tuple(map(heard, say.CAPTIONS))


def _pieces(form: Form, symbols: str) -> tuple[Piece, ...]:
    """Return the pieces of one form, one for each seat."""
    named = zip(say.ROLES, _TONES, symbols, strict=True)
    plural = "s" if form == "cube" else ""
    return tuple(
        Piece(f"{tone}-{form}", symbol, f"{role}’s {form}", tone, form, f"{role}’s {form}{plural}")
        for role, tone, symbol in named
    )


HOMES, CUBES, HELD = _pieces("home", "123"), _pieces("cube", "rby"), _pieces("glass", "RBY")
FREE = Piece("glass", "*", "nobody’s glass", "clear", "glass")


def pipelines_view(
    table: Table, latest: int, standing: tuple[str, ...], choices: Iterable[tuple[str, int]]
) -> BoardView:
    """Return the board; the cells ``latest`` are marked, and ``choices`` are sets of cells behind their words."""
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
        captions=_CAPTIONS,
        heard=_HEARD,
        choices=tuple((words, frozenset(ground.listed(mask))) for words, mask in choices if mask),
        looks="cells",
        shape="hex",
        standing=standing,
    )
