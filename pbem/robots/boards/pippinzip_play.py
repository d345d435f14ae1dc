"""The state of a match of Pipline or Zipline on a robot's board, and what actions do to it.

Points are numbered row by row from a1; one more stands for all that is off the board. An action is the number of a
point; the number of points is "take", and one more the end of a bid. The state is, one after the other:

- for each point its place among the empty ones, or the colour of its stone;
- for each stone the next one on the way to the root of its group, or of a root -1 - the sides that the group touches;
- the empty points, in any order, and what is left of earlier ones;
- and the fields named below.

The rules are told in ``rules.games.pippinzip``.

On a full board one side has its line, and not the other: whoever completed it first. So playouts, and what says what
an auction is worth, fill the board and look at it once.
"""

from pbem.robots.board import CUT, OVER, WHOLE
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, compiled

BLACK, WHITE, OUTSIDE = -1, -2, -3

LEFT, RIGHT, BOTTOM, TOP = 1, 2, 4, 8
_ACROSS, _UPWARD, _ALL = LEFT | RIGHT, BOTTOM | TOP, 15

POINTS, SIZE, SEATS, AUCTION, PIP_STONES, APART, BLACKS, SIDES = range(8)
"""The tables: these, then the sides that each point touches, then the eight points around it, straight ones first.

``AUCTION`` is the colour of the auction, ``APART`` whether Pip's second stone has to stand apart from the first.
``BLACKS``: with so many of a thousand empty points filled with black, a fair auction has the line in half of all cases.
"""

LEFT_OVER, TURN, TAKER, PLACED, LATEST, GONE, WINNERS, BIDDING = range(1, 9)
"""The fields behind the points, counted from three times their number.

``TURN`` is the seat whose turn it would be if nobody had left, ``TAKER`` -1 in the auction, ``PLACED`` the stones of
this turn so far, ``LATEST`` the last stone. ``GONE`` and ``WINNERS`` have a bit for each seat. ``BIDDING`` is 1 in a
search that ends with the auction.
"""

FIELDS = 9


@compiled
def own_colour(tables: Ints, state: Ints) -> int:
    """Return the colour of the stones of this turn."""
    fields, auction = 3 * tables[POINTS], tables[AUCTION]
    taker = state[fields + TAKER]
    return auction if taker in (-1, state[fields + TURN]) else BLACK + WHITE - auction


@compiled
def second_apart(tables: Ints, state: Ints) -> bool:
    """Return whether the points beside the latest stone are closed, unless nothing else is open."""
    fields = 3 * tables[POINTS]
    if not tables[APART] or state[fields + TAKER] < 0:
        return False
    if tables[PIP_STONES] == 2:
        return state[fields + PLACED] == 1
    return (state[fields + TAKER] + 2) % tables[SEATS] == state[fields + TURN]


@compiled
def beside(tables: Ints, one: int, other: int) -> bool:
    """Return whether two points share an edge."""
    steps = abs(one - other)
    return steps == tables[SIZE] or (steps == 1 and tables[SIDES + max(one, other)] & LEFT == 0)


@compiled
def _open(tables: Ints, state: Ints, actions: Ints) -> int:
    """Write the points that are open to a stone, but for the exception where there is none, and return their number."""
    points = tables[POINTS]
    empty, latest = 2 * points + 1, state[3 * points + LATEST]
    closed, count = second_apart(tables, state), 0
    for place in range(empty, empty + state[3 * points + LEFT_OVER]):
        if not (closed and beside(tables, latest, state[place])):
            actions[count] = state[place]
            count += 1
    return count


@compiled
def legal(tables: Ints, state: Ints, actions: Ints) -> int:
    """Write the legal actions and return their number."""
    points = tables[POINTS]
    count = _open(tables, state, actions)
    if state[3 * points + TAKER] < 0:
        # Take, or after a stone the end of the bid.
        actions[count] = points + (1 if state[3 * points + PLACED] else 0)
        return count + 1
    if count == 0:
        for place in range(state[3 * points + LEFT_OVER]):
            actions[place] = state[2 * points + 1 + place]
        return state[3 * points + LEFT_OVER]
    return count


@compiled
def actor(tables: Ints, state: Ints) -> int:
    """Return the seat to act, or OVER; CUT in a search of the auction when somebody takes."""
    fields = 3 * tables[POINTS]
    if state[fields + WINNERS]:
        return OVER
    if state[fields + BIDDING] and state[fields + TAKER] >= 0:
        return CUT
    turn = state[fields + TURN]
    if not state[fields + GONE] >> turn & 1:
        return turn
    # The partner of a Pip who left plays for both.
    return tables[SEATS] - turn - state[fields + TAKER]


@compiled
def side_of(tables: Ints, state: Ints, seat: int) -> int:
    """Return the seats that win together with ``seat``, a bit for each."""
    fields = 3 * tables[POINTS]
    taker = state[fields + TAKER]
    if taker in (-1, seat):
        return 1 << seat
    return (1 << tables[SEATS]) - 1 - (1 << taker)


@compiled
def pass_on(tables: Ints, state: Ints) -> None:
    """End the turn; in the auction, seats that have left are skipped."""
    fields = 3 * tables[POINTS]
    state[fields + PLACED] = 0
    turn = (state[fields + TURN] + 1) % tables[SEATS]
    while state[fields + TAKER] < 0 and state[fields + GONE] >> turn & 1:
        turn = (turn + 1) % tables[SEATS]
    state[fields + TURN] = turn


@compiled
def _wins(tables: Ints, state: Ints, point: int, colour: int) -> bool:
    """Place a stone and return whether it completes a winning line."""
    points = tables[POINTS]
    fields, empty = 3 * points, 2 * points + 1
    left = state[fields + LEFT_OVER] - 1
    state[fields + LEFT_OVER] = left
    last, place = state[empty + left], state[point]
    state[empty + place] = last
    state[last] = place
    state[point] = colour
    links = points + 1
    root, sides = point, tables[SIDES + point]
    around = SIDES + points + 8 * point
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
def play(tables: Ints, state: Ints, action: int) -> None:
    """Carry out an action."""
    points = tables[POINTS]
    fields = 3 * points
    if action == points:
        state[fields + TAKER] = state[fields + TURN]
        state[fields + TURN] = (state[fields + TURN] + 1) % tables[SEATS]
        return
    if action > points:
        pass_on(tables, state)
        return
    if _wins(tables, state, action, own_colour(tables, state)):
        state[fields + WINNERS] = side_of(tables, state, state[fields + TURN])
        return
    state[fields + PLACED] += 1
    state[fields + LATEST] = action
    if state[fields + TAKER] < 0:
        if state[fields + PLACED] == 3:
            pass_on(tables, state)
    elif own_colour(tables, state) == WHITE or state[fields + PLACED] == tables[PIP_STONES]:
        pass_on(tables, state)
    elif second_apart(tables, state) and state[fields + LEFT_OVER] <= 4:
        # Pip forfeits a second stone for which no point is open.
        for place in range(2 * points + 1, 2 * points + 1 + state[fields + LEFT_OVER]):
            if not beside(tables, action, state[place]):
                return
        pass_on(tables, state)


@compiled
def rewards_of(tables: Ints, state: Ints, rewards: Ints) -> None:
    """Write each seat's part of WHOLE."""
    winners = state[3 * tables[POINTS] + WINNERS]
    for seat in range(tables[SEATS]):
        rewards[seat] = WHOLE if winners >> seat & 1 else 0


@compiled
def shown(tables: Ints, state: Ints, cells: Ints) -> int:
    """Write the stones, 1 for a black and 2 for a white one, and return how many points there are."""
    points = tables[POINTS]
    for point in range(points):
        cells[point] = max(0, -state[point])
    return points


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
