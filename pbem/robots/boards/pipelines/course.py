"""How a match of Pipelines goes on, for robots: turns, battles, rounds, and seats that leave."""

from pbem.robots.board import CHANCE, OVER, WHOLE
from pbem.robots.boards.pipelines.ground import (
    ALLOWANCE,
    ATTACKER,
    BOARD,
    BUSY,
    CELLS,
    CUBE,
    DEFENDER,
    DIE,
    FOUGHT,
    FOUGHT_FOR,
    FREE_LEFT,
    GLASS,
    GONE,
    HELD,
    HOME,
    HOMES,
    KIND,
    LAID,
    LOST,
    NOWHERE,
    PLAYERS,
    QUIET,
    REST,
    RESTING,
    RESULT,
    ROLLED,
    ROUNDS,
    SHARES,
    SPINNER,
    TURN,
    WON,
    build,
    clear,
    cut,
    gain,
    is_open,
    lay_out,
    lose,
    may_be_home,
    meet,
)
from pbem.robots.compiled import Ints, compiled

_FACES = 6
_ROUNDS_TO_WIN = 3
_LONGEST, _QUIET = 100, 3


@compiled
def actor(tables: Ints, state: Ints) -> int:
    """Return the seat to act, CHANCE or OVER."""
    turn = state[TURN]
    if state[RESULT]:
        return OVER
    if not state[LAID]:
        return CHANCE
    if state[HOMES + turn] == NOWHERE:
        return turn
    return CHANCE if state[GLASS] != NOWHERE or state[ROLLED] == 0 else turn


@compiled
def legal(tables: Ints, state: Ints, actions: Ints) -> int:
    """Write the legal actions: homes; or the end of the turn, and open cells; or the results of a roll.

    Of the layouts, far too many, it is the first.
    """
    cells, seat, count = tables[CELLS], state[TURN], 0
    if actor(tables, state) == CHANCE:
        count = _FACES if state[LAID] else cells
        for face in range(count):
            actions[face] = face
        return count
    if state[HOMES + seat] == NOWHERE:
        for cell in range(cells):
            if may_be_home(state, cell):
                actions[count] = cell
                count += 1
        return count
    actions[0], count = cells, 1
    for cell in range(cells):
        if is_open(tables, state, seat, cell):
            actions[count] = cell
            count += 1
    return count


@compiled
def next_turn(tables: Ints, state: Ints, homing: int) -> None:
    """Begin the next turn; rounds are counted, but not while homes are named."""
    seats, seat = tables[PLAYERS], state[TURN]
    following = (seat + 1) % seats
    while state[GONE + following]:
        following = (following + 1) % seats
    state[TURN], state[ROLLED], state[ALLOWANCE], state[GLASS], state[RESTING] = following, 0, 0, NOWHERE, 0
    if state[FOUGHT] > 0:
        state[FOUGHT] = 0
        for cell in range(BOARD, BOARD + tables[CELLS]):
            state[cell] &= ~FOUGHT_FOR
    if not homing and following <= seat:
        state[ROUNDS] += 1
        state[QUIET] = 0 if state[BUSY] else state[QUIET] + 1
        state[BUSY] = 0
        if state[QUIET] == _QUIET or state[ROUNDS] == _LONGEST:
            state[RESULT] = 1


@compiled
def put(tables: Ints, state: Ints, cell: int) -> int:
    """Place a cube on an open cell; returns the glass that it attacks."""
    build(tables, state, state[TURN], cell, CUBE)
    state[ALLOWANCE] -= 1
    state[BUSY] = 1
    return meet(tables, state, state[TURN], cell)


@compiled
def go_on(tables: Ints, state: Ints, cube: int, attacked: int) -> None:
    """Begin a battle, or end the match or the turn, or leave it to the seat, after ``cube`` was placed."""
    if state[FREE_LEFT] == 0:
        state[RESULT] = 1
    elif attacked != NOWHERE:
        state[GLASS], state[ATTACKER] = attacked, cube
        state[DEFENDER] = (state[BOARD + attacked] & KIND) - HELD
        state[WON] = state[LOST] = state[SPINNER] = state[DIE] = 0
    elif state[ALLOWANCE] == 0:
        next_turn(tables, state, 0)


@compiled
def resume(tables: Ints, state: Ints) -> None:
    """Go on after a battle, with the cells that waited for its end as far as they are open."""
    seat, cube, attacked, done = state[TURN], state[ATTACKER], NOWHERE, 0
    state[GLASS] = NOWHERE
    if state[BOARD + cube] & KIND == CUBE + seat:
        attacked = meet(tables, state, seat, cube)
    while state[FREE_LEFT] > 0 and attacked == NOWHERE and done < state[RESTING]:
        following = state[REST + done]
        if not is_open(tables, state, seat, following):
            done = state[RESTING]
            break
        cube = following
        done += 1
        attacked = put(tables, state, cube)
    for place in range(done, state[RESTING]):
        state[REST + place - done] = state[REST + place]
    state[RESTING] -= done
    go_on(tables, state, cube, attacked)


@compiled
def settle(tables: Ints, state: Ints, attacker_won: int) -> None:
    """End a battle: what the loser has lost goes, and the turn goes on."""
    seat, foe, glass = state[TURN], state[DEFENDER], state[GLASS]
    state[FOUGHT] += 1
    state[BOARD + glass] |= FOUGHT_FOR
    if attacker_won:
        lose(tables, state, foe, glass)
        gain(tables, state, seat, glass)
        cut(tables, state, foe, glass)
    else:
        cut(tables, state, seat, glass)
    resume(tables, state)


@compiled
def _away(spinner: int, die: int) -> int:
    """Return how far a die is from the spinner on the ring where 6 and 1 are neighbours."""
    return min((die - spinner) % _FACES, (spinner - die) % _FACES)


@compiled
def fight(tables: Ints, state: Ints, face: int) -> None:
    """Take the next roll of a battle."""
    if state[SPINNER] == 0:
        state[SPINNER] = face
    elif state[DIE] == 0:
        state[DIE] = face
    else:
        lead = _away(state[SPINNER], face) - _away(state[SPINNER], state[DIE])
        state[SPINNER] = state[DIE] = 0
        if lead > 0:
            state[WON] += 1
        elif lead < 0:
            state[LOST] += 1
        if max(state[WON], state[LOST]) == _ROUNDS_TO_WIN:
            settle(tables, state, 1 if state[WON] == _ROUNDS_TO_WIN else 0)


@compiled
def play(tables: Ints, state: Ints, action: int) -> None:
    """Carry out an action: a layout, a cell, a roll, or the end of a turn; a cell behind that waits for a battle."""
    cells, seat = tables[CELLS], state[TURN]
    if not state[LAID]:
        lay_out(tables, state, action)
    elif state[GLASS] != NOWHERE:
        if action > cells:
            state[REST + state[RESTING]] = action - cells - 1
            state[RESTING] += 1
        else:
            fight(tables, state, action + 1)
    elif state[HOMES + seat] == NOWHERE:
        state[HOMES + seat] = action
        build(tables, state, seat, action, HOME)
        next_turn(tables, state, 1)
    elif state[ROLLED] == 0:
        state[ROLLED] = state[ALLOWANCE] = action + 1
    elif action == cells:
        next_turn(tables, state, 0)
    else:
        go_on(tables, state, action, put(tables, state, action))


@compiled
def without(tables: Ints, state: Ints, seat: int) -> None:
    """Take ``seat``, which leaves, and all that is its from the board; its glass stays."""
    homing = 1 if not state[LAID] or state[HOMES + seat] == NOWHERE else 0
    for cell in range(tables[CELLS]):
        kind = state[BOARD + cell] & KIND
        if kind == HELD + seat:
            lose(tables, state, seat, cell)
        elif kind == CUBE + seat:
            clear(tables, state, seat, cell, CUBE)
        elif kind == HOME + seat:
            clear(tables, state, seat, cell, HOME)
    state[HOMES + seat], state[GONE + seat], staying = NOWHERE, 1, 0
    for other in range(tables[PLAYERS]):
        staying += 1 - state[GONE + other]
    if staying == 1:
        state[RESULT] = 1
    elif seat == state[TURN]:
        next_turn(tables, state, homing)
    elif state[GLASS] != NOWHERE and state[DEFENDER] == seat:
        resume(tables, state)


@compiled
def rewards(tables: Ints, state: Ints, rewards: Ints) -> None:
    """Write each seat's part: most glass wins, and those with equal glass share."""
    most, winners = -1, 0
    for seat in range(tables[PLAYERS]):
        rewards[seat] = 0
        if not state[GONE + seat] and state[SHARES + seat] >= most:
            winners = winners + 1 if state[SHARES + seat] == most else 1
            most = state[SHARES + seat]
    for seat in range(tables[PLAYERS]):
        if not state[GONE + seat] and state[SHARES + seat] == most:
            rewards[seat] = WHOLE // winners


@compiled
def played(tables: Ints, state: Ints, seat: int, action: int) -> bool:
    """Return whether a home or a cube of ``seat`` stands where ``action`` puts one."""
    if seat < 0 or action >= tables[CELLS]:
        return False
    kind = state[BOARD + action] & KIND
    return kind == CUBE + seat or kind == HOME + seat


@compiled
def shown(tables: Ints, state: Ints, cells: Ints) -> int:
    """Write what stands on each cell, and return how many there are."""
    for cell in range(tables[CELLS]):
        cells[cell] = state[BOARD + cell] & KIND
    return tables[CELLS]
