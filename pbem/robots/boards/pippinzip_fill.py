"""Playouts of Pipline and Zipline, and what an auction is worth.

On a full board one side has its line, and not the other: whoever completed it first. So boards are filled, and looked
at once.
"""

from pbem.robots.board import WHOLE
from pbem.robots.boards.pippinzip_play import (
    APART,
    AUCTION,
    BIDDING,
    BLACK,
    BLACKS,
    BOTTOM,
    LATEST,
    LEFT,
    LEFT_OVER,
    OUTSIDE,
    PIP_STONES,
    PLACED,
    POINTS,
    RIGHT,
    SEATS,
    SIDES,
    TAKER,
    TOP,
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

_FILLS = 20  # boards that are filled for an estimate


@compiled
def played(tables: Ints, state: Ints, seat: int, action: int) -> bool:
    """Return whether the stone on a point is of the side of ``seat``, which is settled."""
    taker, auction = state[3 * tables[POINTS] + TAKER], tables[AUCTION]
    if taker < 0 or action >= tables[POINTS]:
        return False
    colour = auction if seat == taker else BLACK + WHITE - auction
    return state[action] == colour or (state[action] == OUTSIDE and colour == BLACK)


@compiled
def _black_joins(tables: Ints, state: Ints, stack: Ints, start: int, goal: int) -> bool:
    """Return whether black joins two sides of a full board, which is spoiled; ``stack`` is room to write into."""
    points, height = tables[POINTS], 0
    for point in range(points):
        if tables[SIDES + point] & start and state[point] == BLACK:
            state[point] = OUTSIDE
            stack[height] = point
            height += 1
        while height > 0:
            height -= 1
            around = SIDES + points + 8 * stack[height]
            for way in range(around, around + 4):
                other = tables[way]
                if state[other] == BLACK:
                    if tables[SIDES + other] & goal:
                        return True
                    state[other] = OUTSIDE
                    stack[height] = other
                    height += 1
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
    taker, turn, latest = state[fields + TAKER], state[fields + TURN], state[fields + LATEST]
    placed, left = state[fields + PLACED], state[fields + LEFT_OVER]
    apart, pairs = tables[APART] > 0, tables[PIP_STONES] == 2
    zip_turn = taker if tables[AUCTION] == WHITE else 1 - taker
    while left > 0:
        colour = WHITE if turn == zip_turn else BLACK
        closed = apart and colour == BLACK and (placed == 1 if pairs else turn == (taker + 2) % seats)
        if closed and left <= 4:
            closed, waived = False, True
            for place in range(empty, empty + left):
                if not beside(tables, latest, state[place]):
                    closed, waived = True, False
            if waived and pairs:
                placed, turn = 0, (turn + 1) % seats
                continue
        place = empty + below(random, left)
        while closed and beside(tables, latest, state[place]):
            place = empty + below(random, left)
        latest = state[place]
        left -= 1
        state[place] = state[empty + left]
        state[latest] = colour
        placed += 1
        if colour == WHITE or not pairs or placed == 2:
            placed, turn = 0, (turn + 1) % seats
    state[fields + LEFT_OVER] = 0
    winner = zip_turn
    if _black_wins(tables, state, actions):
        winner = (zip_turn + 1) % seats
    state[fields + WINNERS] = side_of(tables, state, winner)


@compiled
def _black_wins(tables: Ints, state: Ints, stack: Ints) -> bool:
    """Return whether black, and not white, has its line on a full board."""
    if _black_joins(tables, state, stack, LEFT, RIGHT):
        return True
    for point in range(tables[POINTS]):
        if state[point] == OUTSIDE:
            state[point] = BLACK
    return _black_joins(tables, state, stack, BOTTOM, TOP)


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
    for _ in range(_FILLS):
        for point in range(points):
            if state[point] == OUTSIDE:
                state[point] = BLACK
        for place in range(empty, empty + blacks):
            other = place + below(random, empty + left - place)
            point = state[other]
            state[other] = state[place]
            state[place] = point
            state[point] = BLACK
        for place in range(empty + blacks, empty + left):
            state[state[place]] = WHITE
        if _black_wins(tables, state, actions) == (tables[AUCTION] == BLACK):
            lines += 1
    taking = WHOLE * lines // _FILLS
    if taker < 0:
        # Whoever bids next takes what is worth half a win or more. Below, the nearer to half, the harder to bid on.
        if state[fields + PLACED]:
            pass_on(tables, state)
        taker = state[fields + TURN]
        if 2 * taking < WHOLE:
            taking = (WHOLE + (WHOLE - 2 * taking) // 8) // 2
    for seat in range(seats):
        rewards[seat] = taking if seat == taker else WHOLE - taking
