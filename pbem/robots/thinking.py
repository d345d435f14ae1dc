"""From a record to a robot's move: opens the board, plays the record on it, and searches."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from time import process_time
from typing import Any, Literal

from pbem.robots.board import CHANCE, ONE, OVER, WHOLE, Board, Kernel, Opened, State
from pbem.robots.boards import BOARDS
from pbem.robots.chance import state_of
from pbem.robots.compiled import FAST, KEPT, Ints, noticing_compiling, zeros
from pbem.robots.generic import generic
from pbem.robots.search import logarithms, roots, searching, sighting
from rules.game import ORDER, Value, advance
from rules.games import GAMES
from rules.position import EXIT_WORDS, Entry, Seat

STRENGTHS = (1, 2, 3)
"""How strong a robot can be; each beats the one below in three of four games or more."""

_FIRST_OF_ALL = 100 * ONE  # no score comes near it
_FEW = 20  # playouts
_UNKNOWN = 500  # per mille: what a sole legal action is worth, which nobody looks at
_NODES = 1 << 20
_DEPTH = 4096


@dataclass(frozen=True, slots=True)
class Pace:
    """How soon a process thinks: slowly in plain Python; at once, by code that was kept; when it has compiled it, which
    it keeps (once) or not.

    ``seconds`` are what a first move takes a robot of each strength in plain Python; none where it's compiled.
    """

    kind: Literal["plain", "kept", "compiles", "compiles_once"]
    seconds: tuple[float, ...] = ()

    def of(self, strength: int) -> float:
        """Return what a first move takes a robot of ``strength``."""
        return self.seconds[strength - 1] if self.seconds else 0


_SHOWN = 20  # playouts; what fewer have shown is noise


@dataclass(frozen=True, slots=True)
class Line:
    """An action that was looked at: its ``action``, the playouts through it, and the share of wins in per mille.

    It is ``certain`` where that was proven, and not counted.
    """

    action: int
    playouts: int
    value: int
    certain: bool = False

    @property
    def shown(self) -> int | None:
        """The share of wins as anybody may be told it: None where so few playouts went through it that it's noise."""
        return self.value if self.certain or self.playouts >= _SHOWN else None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a robot makes of a position: the ``move`` in canonical notation, and its value.

    ``value`` is the share of playouts that the seat to act won after the move's first action, in per mille.
    ``lines`` are all first actions, the most tried first.
    """

    move: str
    value: int
    lines: tuple[Line, ...]


@dataclass(slots=True)
class Match:
    """A match on a robot's board; ``play`` changes it. ``order`` are the seats of the rules in the board's order."""

    board: Board
    opened: Opened
    state: State
    order: tuple[Seat, ...]

    @property
    def actor(self) -> int:
        """The seat to act, as the rules number it, or CHANCE, or OVER."""
        who = self.board.kernel.actor(self.opened.tables, self.state)
        return who if who in (CHANCE, OVER) else self.order[who]

    def legal(self) -> list[int]:
        """Return the actions that are legal now, or the possible results of the roll that comes next."""
        actions = self.ints(self.opened.most)
        return [int(action) for action in actions[: self.board.kernel.legal(self.opened.tables, self.state, actions)]]

    def play(self, action: int) -> None:
        """Carry out one action."""
        self.board.kernel.play(self.opened.tables, self.state, action)

    def rewards(self) -> tuple[int, ...]:
        """Return each seat's part of WHOLE, in the order of the rules; the match is over."""
        rewards = self.ints(len(self.order))
        self.board.kernel.rewards(self.opened.tables, self.state, rewards)
        return tuple(int(rewards[self.order.index(seat)]) for seat in range(len(self.order)))

    def cells(self) -> tuple[int, ...]:
        """Return what lies on each cell, 0 for nothing."""
        cells, shown = self.ints(self.opened.most), self.board.kernel.shown
        assert shown is not None
        return tuple(map(int, cells[: shown(self.opened.tables, self.state, cells)]))

    def copy(self) -> "Match":
        """Return the same match, to be played on elsewhere."""
        return replace(self, state=self.state.copy())

    def ints(self, count: int) -> Ints:
        """Return an array of ``count`` zeros as the board's functions take them."""
        return zeros(count) if self.board.kernel.fast else [0] * count


def versions_of(game: str) -> tuple[int, ...]:
    """Return the versions of robots that think differently about ``game``, this one first: what records may hold."""
    board: Board | None = _board_of(game)
    versions = list[int]()
    while board:
        versions.append(board.since)
        board = board.former
    return tuple(versions)


def _board_of(game: str, version: int | None = None) -> Board:
    """Return the board of ``game`` as robots see it now, or saw it in a ``version``."""
    board = BOARDS.get(game) or generic(game)
    while version is not None and board.since > version and board.former:
        board = board.former
    return board


def follow(
    game: str, seats: int, options: Mapping[str, Value], entries: Iterable[Entry], version: int | None = None
) -> Match:
    """Return the match that a legal record leads to; ``options`` are complete, as ``Game.normalise`` returns them.

    Its board is that of robots now, or of a ``version`` of theirs.
    """
    entries, order = list(entries), tuple(range(seats))
    position = GAMES[game].restore(seats, options)
    before = ORDER in GAMES[game].options and options[ORDER.key] == "lot"
    exits: list[Entry] = []
    while before and entries:
        # The order of turns is rolled before all else; who left earlier has not been seated then.
        entry = entries.pop(0)
        position = advance(position, entry)
        if entry.seat is None:
            order, before = position.turn_order(), False
        else:
            exits.append(entry)
    board = _board_of(game, version)
    opened = board.start(seats, options)
    if opened is None:
        board = generic(game)
        opened = board.start(seats, options)
    assert opened is not None
    match = Match(board, opened, opened.state.copy(), order)
    for entry in (*exits, *entries):
        if entry.seat is None:
            match.play(int(entry.text) - 1)
        elif entry.text in EXIT_WORDS:
            board.leave(opened, match.state, order.index(entry.seat))
        else:
            for action in board.actions(opened, match.state, entry.text):
                match.play(action)
    return match


@cache
def _search(kernel: Kernel) -> Any:
    """Return the search over ``kernel``; compiling takes seconds."""
    return searching(kernel)


@cache
def _sight(kernel: Kernel) -> Any:
    """Return what sees a win at once over ``kernel``."""
    return sighting(kernel)


def look(
    match: Match, playouts: int, seed: int, *, thorough: bool = False, proving: bool = False, nodes: int | None = None
) -> tuple[Line, ...]:
    """Return what so many playouts make of the actions that are legal now, the most tried first.

    ``thorough``: each action is tried before any is tried again, as far as the playouts go. ``proving``, where the
    board does: what wins for certain comes first, what loses last, and no more is played out than that needs.
    ``nodes`` bound the tree; with one more than there are actions it has no second step.
    """
    kernel, ints, rooted = match.board.kernel, match.ints, match.board.rooted
    root, least = rooted(match.opened, match.state) if rooted else (match.state, 0)
    playouts = max(playouts, least)
    nodes = nodes or min(_NODES, 64 + playouts * match.opened.most)
    tree = tuple(ints(nodes) for _ in range(9))
    random, scratch = ints(1), (ints(match.opened.most), ints(len(match.order)), ints(_DEPTH))
    random[0] = state_of(seed)
    tables = match.opened.tables, roots(), logarithms()
    exploration, trust, urgency = match.board.weights
    weights = (exploration, 0, _FIRST_OF_ALL) if thorough else (exploration, trust, urgency)
    _search(kernel)(tables, root, playouts, weights, proving and match.board.proving, random, tree, scratch)
    first, count, visits, total, action, *_, proven = tree
    who, lines = kernel.actor(match.opened.tables, root), list[tuple[int, Line]]()
    for at in range(int(first[0]), int(first[0]) + int(count[0])):
        tried, winners = int(visits[at]), int(proven[at])
        value = int(total[at]) * 1000 // (max(1, tried) * WHOLE)
        certain = 0 if not winners else 1 if winners >> who & 1 else -1
        value = 500 + 500 * certain if certain else value
        lines.append((certain, Line(int(action[at]), tried, value, certain != 0)))
    lines.sort(key=lambda line: (-line[0], -line[1].playouts, -line[1].value, line[1].action))
    return tuple(line for _, line in lines)


def _see(match: Match) -> tuple[Line, ...]:
    """Return the action with which the seat to act wins in this turn, if its robots look for proofs; else nothing."""
    kernel, most, rooted = match.board.kernel, match.opened.most, match.board.rooted
    if not match.board.proving:
        return ()
    pairs = rooted is None or rooted(match.opened, match.state)[1] == 0  # in an auction they are too many
    room = match.ints(most), match.ints(most), match.ints(len(match.order))
    action = int(_sight(kernel)(match.opened.tables, match.state, pairs, *room))
    return (Line(action, 1, 1000, certain=True),) if action >= 0 else ()


def think(match: Match, playouts: int, seed: int) -> Analysis:
    """Return the move of the seat to act after so many playouts for each of its actions.

    Actions are chosen one after the other. A sole legal action needs no playouts.
    """
    board, opened, before = match.board, match.opened, match.state.copy()
    match, actions, found = match.copy(), list[int](), list[tuple[Line, ...]]()
    while (move := board.text(opened, before, actions) if actions else None) is None:
        legal = match.legal()
        lines: tuple[Line, ...] = (Line(legal[0], 0, _UNKNOWN),)
        if len(legal) > 1:
            lines = _see(match) or look(match, playouts, seed + len(actions), proving=True)
        found.append(lines)
        actions.append(lines[0].action)
        match.play(actions[-1])
    return Analysis(move, found[0][0].value, found[0])


def choose(
    game: str,
    seats: int,
    options: Mapping[str, Value],
    entries: Iterable[Entry],
    strength: int,
    seed: int,
    version: int | None = None,
) -> Analysis:
    """Return what a robot of ``strength`` plays in the match of this record, for the seat to act.

    The same record and ``seed`` give the same analysis on every machine, with numba and without; those of an earlier
    ``version`` may give another.
    """
    match = follow(game, seats, options, entries, version)
    return think(match, match.board.budgets[strength - 1] * match.opened.scale, seed)


def measure_pace(game: str, seats: int, options: Mapping[str, Value]) -> Pace:
    """Return how fast this process thinks in such a match, nothing compiled: it times a first move with few playouts.

    All rolls before that show their first result.
    """
    match = follow(game, seats, options, ())
    while match.actor == CHANCE:
        match.play(match.legal()[0])
    rooted, scale = match.board.rooted, match.opened.scale
    least = rooted(match.opened, match.state)[1] if rooted else 0
    begun = process_time()
    think(match, _FEW, 0)
    spent = (process_time() - begun) / max(_FEW, least)
    return Pace("plain", tuple(spent * max(budget * scale, least) for budget in match.board.budgets))


def warm_up(
    game: str, seats: int, options: Mapping[str, Value], tell: Callable[[Pace], object] = lambda pace: None
) -> None:
    """Let all be compiled that thinking about such a match needs, which takes seconds where numba is.

    ``tell`` is called once, as soon as it is known how soon this process thinks.
    """
    if not FAST:
        tell(measure_pace(game, seats, options))
        return
    match, begun = follow(game, seats, options, ()), list[Pace]()

    def notice() -> None:
        if not begun:
            begun.append(Pace("compiles_once" if KEPT else "compiles"))
            tell(begun[0])

    with noticing_compiling(notice):
        look(match, 2, 0)
        _see(match)
    if not begun:
        tell(Pace("kept"))
