"""Playouts of Pipline and Zipline, and what an auction is worth.

On a full board one side has its line, and not the other: whoever completed it first. So boards are filled, and looked
at once, row by row: a row of stones is a whole number with a bit for each.
"""

from pbem.robots.board import WHOLE
from pbem.robots.boards.pippinzip_play import (
    APART,
    AUCTION,
    BIDDING,
    BLACK,
    BLACKS,
    LATEST,
    LEFT_OVER,
    PIP_STONES,
    PLACED,
    POINTS,
    SEATS,
    SIZE,
    TAKER,
    TURN,
    WHITE,
    WINNERS,
    beside,
    pass_on,
    play,
    rewards_of,
    side_of,
)
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, compiled

FILLS = 20  # boards that are filled for an estimate


@compiled
def played(tables: Ints, state: Ints, seat: int, action: int) -> bool:
    """Return whether the stone on a point is of the side of ``seat``, which is settled."""
    fields = 3 * tables[POINTS]
    if state[fields + TAKER] < 0 or action >= tables[POINTS]:
        return False
    black = (seat == state[fields + TAKER]) == (tables[AUCTION] == BLACK)
    return state[action] == (BLACK if black else WHITE)


@compiled
def _spread(touched: int, stones: int) -> int:
    """Return all stones of a row that stand in one run with those ``touched``."""
    # The sum carries from a touched stone on to the end of its run. The way back doubles at each step.
    run = stones & (~(stones + touched) | touched)
    way = stones
    for steps in (1, 2, 4, 8, 16):
        run |= way & run >> steps
        way &= way >> steps
    return run


@compiled
def _joins(size: int, rows: Ints, upward: bool) -> bool:
    """Return whether stones join the first row to the last (``upward``), or else the first column to the last.

    ``rows`` has a bit for each stone, of row after row, and behind them room for as many rows.
    """
    last = size - 1
    for row in range(size):
        seeds = rows[row] if upward and row == 0 else 0 if upward else rows[row] & 1
        rows[size + row] = _spread(seeds, rows[row])
    grows = True
    while grows:
        grows = False
        for way in range(2):
            for step in range(1, size):
                row, before = (step, step - 1) if way == 0 else (last - step, last - step + 1)
                reached = rows[size + row]
                touched = rows[size + before] & rows[row] & ~reached
                if touched:
                    rows[size + row] = _spread(reached | touched, rows[row])
                    grows = grows or way == 1
            if upward and rows[size + last]:
                return True
        if not upward:
            for row in range(size):
                if rows[size + row] >> last:
                    return True
    return False


@compiled
def playout(tables: Ints, state: Ints, random: Ints, actions: Ints) -> None:
    """Play on to the end, each step a legal action drawn uniformly."""
    points = tables[POINTS]
    fields, empty = 3 * points, 2 * points + 1
    while state[fields + TAKER] < 0 and not state[fields + WINNERS]:
        left = state[fields + LEFT_OVER]
        drawn = below(random, left + 1)
        play(tables, state, state[empty + drawn] if drawn < left else points + (state[fields + PLACED] > 0))
    if not state[fields + WINNERS]:
        _fill(tables, state, random, actions)


@compiled
def _fill(tables: Ints, state: Ints, random: Ints, actions: Ints) -> None:
    """Play on after the auction, until the board is full.

    On a full board one side has its line, and not the other: whoever completed it first.
    """
    points, seats = tables[POINTS], tables[SEATS]
    fields, empty = 3 * points, 2 * points + 1
    turn, latest, left = state[fields + TURN], state[fields + LATEST], state[fields + LEFT_OVER]
    apart, pairs = tables[APART] > 0, tables[PIP_STONES] == 2
    zip_turn = state[fields + TAKER] if tables[AUCTION] == WHITE else 1 - state[fields + TAKER]
    # Zip's stone is followed by as many black ones, of which so many were placed.
    round_of, blacks = max(tables[PIP_STONES], seats - 1), (turn + seats - zip_turn - 1) % seats
    if pairs and turn != zip_turn:
        blacks = state[fields + PLACED]
    elif turn == zip_turn:
        blacks = round_of
    while left > 0:
        closed = apart and blacks == 1
        if closed and left <= 4:
            closed, waived = False, True
            for place in range(empty, empty + left):
                if not beside(tables, latest, state[place]):
                    closed, waived = True, False
            if waived and pairs:
                blacks = 2
                continue
        place = empty + below(random, left)
        while closed and beside(tables, latest, state[place]):
            place = empty + below(random, left)
        latest = state[place]
        left -= 1
        state[place] = state[empty + left]
        state[latest] = WHITE if blacks == round_of else BLACK
        blacks = blacks + 1 if blacks < round_of else 0
    state[fields + LEFT_OVER] = 0
    winner = zip_turn
    if black_wins(tables, state, actions):
        winner = (zip_turn + 1) % seats
    state[fields + WINNERS] = side_of(tables, state, winner)


@compiled
def black_wins(tables: Ints, state: Ints, rows: Ints) -> bool:
    """Return whether black, and not white, has its line on a full board; ``rows`` is room to write into."""
    size, point = tables[SIZE], 0
    for row in range(size):
        stones = 0
        for column in range(size):
            stones |= (state[point] == BLACK) << column
            point += 1
        rows[row] = stones
    return _joins(size, rows, False) or _joins(size, rows, True)


@compiled
def estimate(tables: Ints, state: Ints, random: Ints, actions: Ints, rewards: Ints) -> None:
    """Write what each seat can expect; in a search of the auction, from boards filled with a fair share of black."""
    points, seats = tables[POINTS], tables[SEATS]
    fields, empty = 3 * points, 2 * points + 1
    if state[fields + WINNERS] or not state[fields + BIDDING]:
        if not state[fields + WINNERS]:
            playout(tables, state, random, actions)
        rewards_of(tables, state, rewards)
        return
    left, taker = state[fields + LEFT_OVER], state[fields + TAKER]
    blacks, lines = (left * tables[BLACKS] + 500) // 1000, 0
    for _ in range(FILLS):
        for place in range(empty, empty + blacks):
            other = place + below(random, empty + left - place)
            point = state[other]
            state[other] = state[place]
            state[place] = point
            state[point] = BLACK
        for place in range(empty + blacks, empty + left):
            state[state[place]] = WHITE
        if black_wins(tables, state, actions) == (tables[AUCTION] == BLACK):
            lines += 1
    taking = WHOLE * lines // FILLS
    if taker < 0:
        # Whoever bids next takes what is worth half a win or more. Below, the nearer to half, the harder to bid on.
        if state[fields + PLACED]:
            pass_on(tables, state)
        taker = state[fields + TURN]
        if 2 * taking < WHOLE:
            taking = (WHOLE + (WHOLE - 2 * taking) // 8) // 2
    for seat in range(seats):
        rewards[seat] = taking if seat == taker else WHOLE - taking
