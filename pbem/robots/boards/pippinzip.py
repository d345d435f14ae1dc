"""The board of Pipline and Zipline for robots: an action is one stone, "take", or the end of a bid.

Points are numbered row by row from a1; one more stands for all that is off the board. The state is, one after
the other:

- for each point its place among the empty ones, or the colour of its stone;
- for each stone the next one on the way to the root of its group, or of a root -1 - the sides that the group touches;
- the empty points, in any order;
- and the fields named below.

The rules are told in ``rules.games.pippinzip``.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import isqrt

from pbem.robots.board import OVER, WHOLE, Board, Kernel, Opened
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, array, compiled
from rules import Seat, Value
from rules.board.square import square

BLACK, WHITE, _OUTSIDE = -1, -2, -3
_LEFT, _RIGHT, _BOTTOM, _TOP = 1, 2, 4, 8
_ACROSS, _UPWARD, _ALL = _LEFT | _RIGHT, _BOTTOM | _TOP, 15

# The tables: these, then the sides that each point touches, then the eight points around it, straight ones first.
_POINTS, _SEATS, _AUCTION, _PIP_STONES, _APART, _BLACKS, _SIDES = range(7)

_FILLS = 20  # boards that are filled for an estimate

# The fields behind the points, counted from three times their number.
_LEFT_OVER, _TURN, _TAKER, _PLACED, _LATEST, _GONE, _WINNERS, _BIDDING = range(1, 9)
_FIELDS = 9


@compiled
def _colour(tables: Ints, state: Ints) -> int:
    """Return the colour of the stones of this turn."""
    fields, auction = 3 * tables[_POINTS], tables[_AUCTION]
    taker = state[fields + _TAKER]
    return auction if taker in (-1, state[fields + _TURN]) else BLACK + WHITE - auction


@compiled
def _closed(tables: Ints, state: Ints) -> bool:
    """Return whether the points beside the latest stone are closed, unless nothing else is open."""
    fields = 3 * tables[_POINTS]
    if not tables[_APART] or state[fields + _TAKER] < 0:
        return False
    if tables[_PIP_STONES] == 2:
        return state[fields + _PLACED] == 1
    return (state[fields + _TAKER] + 2) % tables[_SEATS] == state[fields + _TURN]


@compiled
def _beside(tables: Ints, one: int, other: int) -> bool:
    """Return whether two points share an edge."""
    way = _SIDES + tables[_POINTS] + 8 * one
    return other in (tables[way], tables[way + 1], tables[way + 2], tables[way + 3])


@compiled
def _open(tables: Ints, state: Ints, actions: Ints) -> int:
    """Write the points that are open to a stone, but for the exception where there is none, and return their number."""
    points = tables[_POINTS]
    empty, latest = 2 * points + 1, state[3 * points + _LATEST]
    closed, count = _closed(tables, state), 0
    for place in range(empty, empty + state[3 * points + _LEFT_OVER]):
        if not (closed and _beside(tables, latest, state[place])):
            actions[count] = state[place]
            count += 1
    return count


@compiled
def _legal(tables: Ints, state: Ints, actions: Ints) -> int:
    points = tables[_POINTS]
    count = _open(tables, state, actions)
    if state[3 * points + _TAKER] < 0:
        # Take, or after a stone the end of the bid.
        actions[count] = points + (1 if state[3 * points + _PLACED] else 0)
        return count + 1
    if count == 0:
        for place in range(state[3 * points + _LEFT_OVER]):
            actions[place] = state[2 * points + 1 + place]
        return state[3 * points + _LEFT_OVER]
    return count


@compiled
def _actor(tables: Ints, state: Ints) -> int:
    fields = 3 * tables[_POINTS]
    if state[fields + _WINNERS] or (state[fields + _BIDDING] and state[fields + _TAKER] >= 0):
        return OVER
    turn = state[fields + _TURN]
    if not state[fields + _GONE] >> turn & 1:
        return turn
    # The partner of a Pip who left plays for both.
    return tables[_SEATS] - turn - state[fields + _TAKER]


@compiled
def _side(tables: Ints, state: Ints, seat: int) -> int:
    """Return the seats that win together with ``seat``, a bit for each."""
    fields = 3 * tables[_POINTS]
    taker = state[fields + _TAKER]
    if taker in (-1, seat):
        return 1 << seat
    return (1 << tables[_SEATS]) - 1 - (1 << taker)


@compiled
def _pass_on(tables: Ints, state: Ints) -> None:
    """End the turn; in the auction, seats that have left are skipped."""
    fields = 3 * tables[_POINTS]
    state[fields + _PLACED] = 0
    turn = (state[fields + _TURN] + 1) % tables[_SEATS]
    while state[fields + _TAKER] < 0 and state[fields + _GONE] >> turn & 1:
        turn = (turn + 1) % tables[_SEATS]
    state[fields + _TURN] = turn


@compiled
def _wins(tables: Ints, state: Ints, point: int, colour: int) -> bool:
    """Place a stone and return whether it completes a winning line."""
    points = tables[_POINTS]
    fields, empty = 3 * points, 2 * points + 1
    left = state[fields + _LEFT_OVER] - 1
    state[fields + _LEFT_OVER] = left
    last, place = state[empty + left], state[point]
    state[empty + place] = last
    state[last] = place
    state[point] = colour
    links = points + 1
    root, sides = point, tables[_SIDES + point]
    around = _SIDES + points + 8 * point
    for way in range(around, around + (4 if colour == BLACK else 8)):
        other = tables[way]
        if state[other] != colour:
            continue
        above = state[links + other]
        while above >= 0:
            further = state[links + above]
            if further >= 0:
                state[links + other] = further
            other, above = above, further
        if other != root:
            sides |= -1 - above
            state[links + root] = other
            root = other
    state[links + root] = -1 - sides
    if colour == WHITE:
        return sides == _ALL
    return sides & _ACROSS == _ACROSS or sides & _UPWARD == _UPWARD


@compiled
def _play(tables: Ints, state: Ints, action: int) -> None:
    points = tables[_POINTS]
    fields = 3 * points
    if action == points:
        state[fields + _TAKER] = state[fields + _TURN]
        state[fields + _TURN] = (state[fields + _TURN] + 1) % tables[_SEATS]
        return
    if action > points:
        _pass_on(tables, state)
        return
    if _wins(tables, state, action, _colour(tables, state)):
        state[fields + _WINNERS] = _side(tables, state, state[fields + _TURN])
        return
    state[fields + _PLACED] += 1
    state[fields + _LATEST] = action
    if state[fields + _TAKER] < 0:
        if state[fields + _PLACED] == 3:
            _pass_on(tables, state)
    elif _colour(tables, state) == WHITE or state[fields + _PLACED] == tables[_PIP_STONES]:
        _pass_on(tables, state)
    elif _closed(tables, state) and state[fields + _LEFT_OVER] <= 4:
        # Pip forfeits a second stone for which no point is open.
        for place in range(2 * points + 1, 2 * points + 1 + state[fields + _LEFT_OVER]):
            if not _beside(tables, action, state[place]):
                return
        _pass_on(tables, state)


@compiled
def _rewards(tables: Ints, state: Ints, rewards: Ints) -> None:
    winners = state[3 * tables[_POINTS] + _WINNERS]
    for seat in range(tables[_SEATS]):
        rewards[seat] = WHOLE if winners >> seat & 1 else 0


@compiled
def _played(tables: Ints, state: Ints, seat: int, action: int) -> bool:
    """Return whether the stone on a point is of the side of ``seat``, which is settled."""
    taker, auction = state[3 * tables[_POINTS] + _TAKER], tables[_AUCTION]
    if taker < 0 or action >= tables[_POINTS]:
        return False
    colour = auction if seat == taker else BLACK + WHITE - auction
    return state[action] == colour or (state[action] == _OUTSIDE and colour == BLACK)


@compiled
def _black_joins(tables: Ints, state: Ints, stack: Ints, start: int, goal: int) -> bool:
    """Return whether black joins two sides of a full board, which is spoiled; ``stack`` is room to write into."""
    points, height = tables[_POINTS], 0
    for point in range(points):
        if tables[_SIDES + point] & start and state[point] == BLACK:
            state[point] = _OUTSIDE
            stack[height] = point
            height += 1
        while height > 0:
            height -= 1
            around = _SIDES + points + 8 * stack[height]
            for way in range(around, around + 4):
                other = tables[way]
                if state[other] == BLACK:
                    if tables[_SIDES + other] & goal:
                        return True
                    state[other] = _OUTSIDE
                    stack[height] = other
                    height += 1
    return False


@compiled
def _playout(tables: Ints, state: Ints, random: Ints, actions: Ints) -> None:
    points = tables[_POINTS]
    fields, empty = 3 * points, 2 * points + 1
    while state[fields + _TAKER] < 0 and not state[fields + _WINNERS]:
        left = state[fields + _LEFT_OVER]
        drawn = below(random, left + 1)
        _play(tables, state, state[empty + drawn] if drawn < left else points + (state[fields + _PLACED] > 0))
    if not state[fields + _WINNERS]:
        _fill(tables, state, random, actions)


@compiled
def _fill(tables: Ints, state: Ints, random: Ints, actions: Ints) -> None:
    """Play on after the auction, until the board is full.

    On a full board one side has its line, and not the other: whoever completed it first.
    """
    points, seats = tables[_POINTS], tables[_SEATS]
    fields, empty = 3 * points, 2 * points + 1
    taker, turn, latest = state[fields + _TAKER], state[fields + _TURN], state[fields + _LATEST]
    placed, left = state[fields + _PLACED], state[fields + _LEFT_OVER]
    apart, pairs = tables[_APART] > 0, tables[_PIP_STONES] == 2
    zip_turn = taker if tables[_AUCTION] == WHITE else 1 - taker
    while left > 0:
        colour = WHITE if turn == zip_turn else BLACK
        closed = apart and colour == BLACK and (placed == 1 if pairs else turn == (taker + 2) % seats)
        if closed and left <= 4:
            closed, waived = False, True
            for place in range(empty, empty + left):
                if not _beside(tables, latest, state[place]):
                    closed, waived = True, False
            if waived and pairs:
                placed, turn = 0, (turn + 1) % seats
                continue
        place = empty + below(random, left)
        while closed and _beside(tables, latest, state[place]):
            place = empty + below(random, left)
        latest = state[place]
        left -= 1
        state[place] = state[empty + left]
        state[latest] = colour
        placed += 1
        if colour == WHITE or not pairs or placed == 2:
            placed, turn = 0, (turn + 1) % seats
    state[fields + _LEFT_OVER] = 0
    winner = zip_turn
    if _black_wins(tables, state, actions):
        winner = (zip_turn + 1) % seats
    state[fields + _WINNERS] = _side(tables, state, winner)


@compiled
def _black_wins(tables: Ints, state: Ints, stack: Ints) -> bool:
    """Return whether black, and not white, has its line on a full board."""
    if _black_joins(tables, state, stack, _LEFT, _RIGHT):
        return True
    for point in range(tables[_POINTS]):
        if state[point] == _OUTSIDE:
            state[point] = BLACK
    return _black_joins(tables, state, stack, _BOTTOM, _TOP)


@compiled
def _estimate(tables: Ints, state: Ints, random: Ints, actions: Ints, rewards: Ints) -> None:
    """Write what each seat can expect; in a search of the auction, from boards filled with a fair share of black."""
    points, seats = tables[_POINTS], tables[_SEATS]
    fields, empty = 3 * points, 2 * points + 1
    if state[fields + _WINNERS] or not state[fields + _BIDDING]:
        if not state[fields + _WINNERS]:
            _playout(tables, state, random, actions)
        _rewards(tables, state, rewards)
        return
    left, taker = state[fields + _LEFT_OVER], state[fields + _TAKER]
    blacks, lines = (left * tables[_BLACKS] + 500) // 1000, 0
    for _ in range(_FILLS):
        for point in range(points):
            if state[point] == _OUTSIDE:
                state[point] = BLACK
        for place in range(empty, empty + blacks):
            other = place + below(random, empty + left - place)
            point = state[other]
            state[other] = state[place]
            state[place] = point
            state[point] = BLACK
        for place in range(empty + blacks, empty + left):
            state[state[place]] = WHITE
        if _black_wins(tables, state, actions) == (tables[_AUCTION] == BLACK):
            lines += 1
    taking = WHOLE * lines // _FILLS
    if taker < 0:
        # Whoever bids next takes what is worth half a win or more. Below, the nearer to half, the harder to bid on.
        if state[fields + _PLACED]:
            _pass_on(tables, state)
        taker = state[fields + _TURN]
        if 2 * taking < WHOLE:
            taking = (WHOLE + (WHOLE - 2 * taking) // 8) // 2
    for seat in range(seats):
        rewards[seat] = taking if seat == taker else WHOLE - taking


@cache
def _names(size: int) -> tuple[str, ...]:
    """Return the names of the points, in order."""
    grid = square(size)
    return tuple(grid.names[bit] for bit in grid.order)


@cache
def _tables(game: str, seats: int, size: int, freestyle: bool, partner_gap: bool) -> Ints:
    """Return what stays as it is all through a match."""
    places, points = [(column, row) for row in range(size) for column in range(size)], size * size
    apart = game == "zipline" and (partner_gap if seats == 3 else not freestyle)
    pairs = game == "zipline" and seats == 2
    tables = [points, seats, BLACK if game == "pipline" else WHITE, 2 if pairs else 1, int(apart), 500]
    for column, row in places:
        across = _LEFT * (column == 0) + _RIGHT * (column == size - 1)
        tables.append(across + _BOTTOM * (row == 0) + _TOP * (row == size - 1))
    for column, row in places:
        for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            inside = 0 <= column + right < size and 0 <= row + up < size
            tables.append((row + up) * size + column + right if inside else points)
    return array(tables)


def _actions(opened: Opened, state: Ints, text: str) -> tuple[int, ...]:
    points = int(opened.tables[_POINTS])
    if text == "take":
        return (points,)
    names = _names(isqrt(points))
    actions = tuple(map(names.index, text.split()))
    # Fewer than three stones of a bid are followed by its end, unless the last of them wins.
    return actions if _text(opened, state, actions) else (*actions, points + 1)


def _text(opened: Opened, state: Ints, actions: Sequence[int]) -> str | None:
    tables, following = opened.tables, array(state)
    points = int(tables[_POINTS])
    for action in actions:
        _play(tables, following, action)
    fields = 3 * points
    if following[fields + _PLACED] and not following[fields + _WINNERS]:
        return None
    names = (*_names(isqrt(points)), "take")
    return " ".join(names[action] for action in actions if action <= points)


def _leave(opened: Opened, state: Ints, seat: Seat) -> None:
    tables, fields = opened.tables, 3 * int(opened.tables[_POINTS])
    state[fields + _GONE] |= 1 << seat
    if state[fields + _TAKER] < 0 and state[fields + _TURN] == seat:
        _pass_on(tables, state)
    sides = {
        int(_side(tables, state, other)) for other in range(tables[_SEATS]) if not state[fields + _GONE] >> other & 1
    }
    if len(sides) == 1:
        state[fields + _WINNERS] = sides.pop()


def _rooted(opened: Opened, state: Ints) -> Ints:
    """Return the state from which a search begins: in the auction it ends with the auction."""
    root, fields = array(state), 3 * int(opened.tables[_POINTS])
    root[fields + _BIDDING] = int(root[fields + _TAKER] < 0)
    return root


def _board(game: str) -> Board:
    """Return the board of one of the two games."""

    def start(seats: int, options: Mapping[str, Value]) -> Opened:
        gap, freestyle = bool(options.get("partner_gap")), bool(options.get("freestyle"))
        tables = _tables(game, seats, int(options["size"]), freestyle, gap)
        points = int(tables[_POINTS])
        fields = [0] * _FIELDS
        fields[_LEFT_OVER], fields[_TAKER], fields[_LATEST] = points, -1, -1
        state = [*range(points), _OUTSIDE, *[0] * points, *range(points), *fields[1:]]
        return Opened(tables, array(state), points + 1)

    kernel = Kernel(_legal, _play, _actor, _rewards, _playout, estimate=_estimate, played=_played)
    return Board(kernel, start, _actions, _text, _leave, (100, 1000, 10000), (1 << 14, 100), _rooted)


PIPLINE, ZIPLINE = _board("pipline"), _board("zipline")
