"""The board of Pipline and Zipline for robots."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from pbem.robots.board import ONE, Board, Kernel, Opened
from pbem.robots.boards import pippinzip_play as board
from pbem.robots.compiled import Ints, array
from rules.board.square import square
from rules.game import Value
from rules.position import Seat

Fair: TypeAlias = tuple[int, int]
"""How many of a thousand empty points to fill with black, so that half of the taken auctions are won.

The first number is so for large boards; on smaller ones the second adds its share, divided by the points. Both are from
auctions and matches of robots against each other, on boards of 5 to 13 lines.
"""


@cache
def _names(size: int) -> tuple[str, ...]:
    """Return the names of the points, in order."""
    grid = square(size)
    return tuple(grid.names[bit] for bit in grid.order)


@cache
def _tables(game: str, seats: int, size: int, apart: bool, fair: Fair) -> Ints:
    """Return what stays as it is all through a match; ``apart``: Pip's second stone stands apart from the first."""
    places, points = [(column, row) for row in range(size) for column in range(size)], size * size
    pairs = game == "zipline" and seats == 2
    tables = [points, size, seats, board.BLACK if game == "pipline" else board.WHITE, 2 if pairs else 1, int(apart)]
    tables.append(fair[0] + fair[1] // points)
    for column, row in places:
        across = board.LEFT * (column == 0) + board.RIGHT * (column == size - 1)
        tables.append(across + board.BOTTOM * (row == 0) + board.TOP * (row == size - 1))
    for column, row in places:
        for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            inside = 0 <= column + right < size and 0 <= row + up < size
            tables.append((row + up) * size + column + right if inside else points)
    return array(tables)


def _actions(opened: Opened, state: Ints, text: str) -> tuple[int, ...]:
    points = int(opened.tables[board.POINTS])
    if text == "take":
        return (points,)
    names = _names(int(opened.tables[board.SIZE]))
    actions = tuple(map(names.index, text.split()))
    # Fewer than three stones of a bid are followed by its end, unless the last of them wins.
    return actions if _text(opened, state, actions) else (*actions, points + 1)


def _text(opened: Opened, state: Ints, actions: Sequence[int]) -> str | None:
    tables, following = opened.tables, array(state)
    points = int(tables[board.POINTS])
    for action in actions:
        board.play(tables, following, action)
    fields = 3 * points
    if following[fields + board.PLACED] and not following[fields + board.WINNERS]:
        return None
    names = (*_names(int(tables[board.SIZE])), "take")
    return " ".join(names[action] for action in actions if action <= points)


def _leave(opened: Opened, state: Ints, seat: Seat) -> None:
    tables, fields = opened.tables, 3 * int(opened.tables[board.POINTS])
    state[fields + board.GONE] |= 1 << seat
    if state[fields + board.TAKER] < 0 and state[fields + board.TURN] == seat:
        board.pass_on(tables, state)
    sides = {
        int(board.side_of(tables, state, other))
        for other in range(tables[board.SEATS])
        if not state[fields + board.GONE] >> other & 1
    }
    if len(sides) == 1:
        state[fields + board.WINNERS] = sides.pop()


def _rooted(opened: Opened, state: Ints) -> tuple[Ints, int]:
    """Return the state from which a search begins: in the auction it ends with the auction, and tries every action."""
    root, fields = array(state), 3 * int(opened.tables[board.POINTS])
    bidding = bool(root[fields + board.TAKER] < 0)
    root[fields + board.BIDDING] = int(bidding)
    return root, 3 * (int(root[fields + board.LEFT_OVER]) + 1) if bidding else 0


def _passed(opened: Opened, state: Ints) -> Ints:
    passed = array(state)
    board.pass_on(opened.tables, passed)
    return passed


def _board(
    game: str,
    budgets: tuple[int, int, int],
    fair: Fair,
    fair_apart: Fair | None = None,
    fair_three: Fair | None = None,
    *,
    since: int = 1,
    former: Board | None = None,
) -> Board:
    """Return the board of one of the two games.

    ``fair_apart`` holds where Pip's second stone stands apart, ``fair_three`` with three seats where it need not.
    """

    def start(seats: int, options: Mapping[str, Value]) -> Opened:
        apart = bool(options.get("partner_gap")) if seats == 3 else not options.get("freestyle")
        shares = (fair_apart if apart else fair_three if seats == 3 else None) or fair
        tables = _tables(game, seats, int(options["size"]), apart and fair_apart is not None, shares)
        points = int(tables[board.POINTS])
        fields = [0] * board.FIELDS
        fields[board.LEFT_OVER], fields[board.TAKER], fields[board.LATEST] = points, -1, -1
        state = [*range(points), board.OUTSIDE, *[0] * points, *range(points), *fields[1:]]
        return Opened(tables, array(state), points + 1)

    kernel = Kernel(
        board.legal,
        board.play,
        board.actor,
        board.rewards_of,
        board.playout,
        estimate=board.estimate,
        played=board.played,
        shown=board.shown,
    )
    return Board(kernel, start, _actions, _text, _leave, budgets, (2 * ONE // 5, 500, ONE), _rooted, since, former)


_PIPLINE_1 = _board("pipline", (50, 400, 3000), (474, -1400))
PIPLINE = replace(_PIPLINE_1, budgets=(200, 800, 16000), proving=True, since=2, former=_PIPLINE_1, passed=_passed)
_ZIPLINE_1 = _board("zipline", (50, 400, 3000), (655, 1800), (606, 1613))
_ZIPLINE_2 = _board("zipline", (50, 400, 8000), (655, 1800), (629, 200), since=2, former=_ZIPLINE_1)
_ZIPLINE_3 = _board("zipline", (50, 400, 8000), (655, 1800), (629, 200), (669, 1100), since=3, former=_ZIPLINE_2)
ZIPLINE = replace(_ZIPLINE_3, budgets=(200, 800, 16000), proving=True, since=4, former=_ZIPLINE_3, passed=_passed)
