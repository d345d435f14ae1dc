"""A match as SGF (FF[4], https://www.red-bean.com/sgf/), where the board is a square of black and white pieces.

SGF has no number for these games, and readers take a file without one for Go. So every position is set up (AB, AW, AE)
instead of played (B, W), by which readers would capture as in Go.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from pbem.archive.match.formats import VERSION, write_options
from pbem.archive.match.frames import Frame
from pbem.archive.match.published_thoughts import UnderMove
from pbem.archive.pages import without_addresses
from pbem.match.endings import is_draw
from pbem.match.match import Match
from pbem.match.privacy import is_private
from rules.view import BoardView, Cell

_NEXT = "\n;"
_COLOURS = {"black": "B", "white": "W"}


def has_sgf(view: BoardView) -> bool:
    """Return whether SGF has room for what lies on a board."""
    is_square = view.shape == "square" and len(view.cells) == len(view.rows) ** 2 == len(view.columns) ** 2
    return is_square and all(piece.tone in _COLOURS for piece in view.pieces)


def write_sgf(
    match: Match, frames: Sequence[Frame], views: Sequence[BoardView], under: Sequence[UnderMove] = ()
) -> str:
    """Return a match whose board has room in it: a node for each entry, with its text, and comments that all may read.

    ``frames`` say which cells of ``views`` differ from the view before. Numbers on dice are labels. What stands
    ``under`` moves follows what was said then.
    """
    size = len(views[0].rows)
    said = defaultdict[int, list[str]](list)
    for comment in match.comments:
        if not is_private(comment):
            said[comment.ply].append(f"{match.writer(comment)}: {comment.text}")
    for one in under:
        said[one.ply].append(f"{one.name}: {one.text}")
    nodes = [_root(match, size) + _comment(said[0])]
    for ply, entry in enumerate(match.record):
        name = "Roll" if entry.seat is None else match.name_at(entry.seat, ply)
        before, after = views[ply].cells, views[ply + 1].cells
        places = [cell[0] for cell in frames[ply + 1].get("cells", ())]
        changed = [after[place] for place in places if before[place].piece is not after[place].piece]
        labels = _labels(after, size) if views[0].looks == "dice" else ""
        nodes.append(_set_up(changed, size) + labels + _comment([f"{name}: {entry.text}", *said[ply + 1]]))
    return f"(;{_NEXT.join(nodes)})\n"


def _root(match: Match, size: int) -> str:
    """Return what the file says of the match."""
    sides: dict[str, list[str]] = {"B": [], "W": []}
    winners = set[str]()
    for seat, (player, role) in enumerate(zip(match.players, match.position.roles(), strict=True)):
        if role:
            colour = _COLOURS[match.game.roles[role].tone]
            sides[colour].append(player.name)
            if match.outcome and seat in match.outcome.winners:
                winners.add(colour)
    told = {
        "GN": f"{match.game.title} {match.id}",
        "DT": f"{match.opened_at:%Y-%m-%d}",
        **{f"P{colour}": ", ".join(names) for colour, names in sides.items() if names},
        "RU": " ".join([match.game.key, *write_options(match)]),
        **({"RE": _result(match, winners)} if match.outcome else {}),
    }
    known = "".join(f"{key}[{_escape(value)}]" for key, value in told.items())
    return f"FF[4]CA[UTF-8]AP[pbem:{VERSION}]SZ[{size}]{known}"


def _result(match: Match, colours: Iterable[str]) -> str:
    """Return how a match ended; ``colours`` are those that have won."""
    assert match.outcome
    won = list(colours)
    if not match.outcome.winners:
        return "Void"
    if is_draw(match.outcome.winners, match.outcome.reason, len(match.players)):
        return "Draw"
    last = match.record[-1].text if match.record and not match.ruling else ""
    return f"{won[0]}+{ {'resign': 'R', 'timeout': 'T'}.get(last, '') }" if len(won) == 1 else "?"


def _set_up(cells: Iterable[Cell], size: int) -> str:
    """Return the properties that put on cells what lies there now."""
    points = defaultdict[str, list[str]](list)
    for cell in cells:
        points[f"A{_COLOURS[cell.piece.tone] if cell.piece else 'E'}"].append(f"[{_point(cell, size)}]")
    return "".join(f"{key}{''.join(points[key])}" for key in sorted(points))


def _labels(cells: Iterable[Cell], size: int) -> str:
    """Return the numbers on top of the dice."""
    found = "".join(f"[{_point(cell, size)}:{cell.die.top}]" for cell in cells if cell.die)
    return f"LB{found}" if found else ""


def _point(cell: Cell, size: int) -> str:
    """Return the point of a cell: its column and its row, both from the top left, in letters."""
    return chr(ord("a") + cell.column) + chr(ord("a") + size - 1 - cell.row)


def _comment(lines: Sequence[str]) -> str:
    """Return the comment of a node."""
    text = _escape("\n".join(lines))
    return f"C[{text}]" if lines else ""


def _escape(text: str) -> str:
    """Return a text, without addresses, so that nothing in it ends it; the end of an address could be a bracket."""
    return without_addresses(text).replace("\\", "\\\\").replace("]", "\\]")
