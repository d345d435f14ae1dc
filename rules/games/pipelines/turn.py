"""What stands on the board of Pipelines and what happens to it in a turn: cubes placed one by one, and battles."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_

from rules.board.hexagon import steps
from rules.board.square import bits_in
from rules.games.pipelines.layout import Hex
from rules.position import Seat

NEAR = 4
"""Steps from a home within which glass is counted as near."""


@dataclass(frozen=True, slots=True)
class Battle:
    """The seat whose turn it is attacks ``glass`` from ``cube``; ``won`` and ``lost`` are its rounds.

    ``spinner`` and ``die``, the attacker's, are 0 until they are rolled.
    """

    glass: int
    cube: int
    defender: Seat
    won: int = 0
    lost: int = 0
    spinner: int = 0
    die: int = 0

    def away(self, die: int) -> int:
        """Return how far a die is from the spinner on the ring 1…6, where 6 and 1 are neighbours."""
        return min((die - self.spinner) % 6, (self.spinner - die) % 6)

    def rolled(self, spinner: int, die: int = 0) -> "Battle":
        """Return the battle with the spinner, and the attacker's die, rolled."""
        return Battle(self.glass, self.cube, self.defender, self.won, self.lost, spinner, die)

    def after(self, defence: int) -> "Battle":
        """Return the battle after a round in which the defender rolled ``defence``; equal rounds do not count."""
        lead = self.away(defence) - self.away(self.die)
        return Battle(self.glass, self.cube, self.defender, self.won + (lead > 0), self.lost + (lead < 0))

    @property
    def decided(self) -> bool:
        """Whether somebody has won three rounds."""
        return 3 in (self.won, self.lost)


@dataclass(slots=True)
class Placement:
    """Cubes of one seat as they are placed, one after the other; sets of cells are bit masks.

    ``mine`` is all that the seat builds from, ``reach`` the cells next to it; ``closed`` are cells where no cube
    may go. Of the glass ``free`` is nobody's, and ``foes`` is that of others that may be attacked. ``placed``
    and ``taken`` are the cubes and the glass that have come.
    """

    hexes: Hex
    mine: int
    reach: int
    closed: int
    free: int
    foes: int
    placed: int = 0
    taken: int = 0

    def copied(self) -> "Placement":
        """Return a copy, to try something in."""
        sets = (self.mine, self.reach, self.closed, self.free, self.foes, self.placed, self.taken)
        return Placement(self.hexes, *sets)

    @property
    def open(self) -> int:
        """The cells where the next cube may go."""
        return self.reach & ~self.closed

    def meet(self, cube: int) -> int:
        """Let a standing cube take what glass is nobody's beside it; returns the glass that it attacks."""
        near = self.hexes.beside[cube]
        if gained := near & self.free:
            self.free ^= gained
            self.taken |= gained
            self.mine |= gained
            self.reach |= self.hexes.around(gained)
        return near & self.foes

    def put(self, cube: int) -> int:
        """Place a cube on an open cell; returns the glass that it attacks."""
        self.placed |= cube
        self.mine |= cube
        self.closed |= cube
        self.reach |= self.hexes.beside[cube]
        return self.meet(cube)

    @property
    def peaceful(self) -> int:
        """The cells that cubes may come to without an attack."""
        return self.hexes.every & ~self.closed & ~self.hexes.around(self.foes)

    def sensible(self, allowance: int) -> list[int]:
        """Place up to ``allowance`` cubes toward glass that is nobody's; only if there is no way to any, attack."""
        hexes, cubes = self.hexes, list[int]()
        while len(cubes) < allowance and self.free:
            way = hexes.path(self.mine, self.peaceful, hexes.around(self.free))
            if not way and not cubes:
                way = hexes.path(self.mine, hexes.every & ~self.closed, hexes.around(self.foes))
            if not way:
                break
            for cube in way[: allowance - len(cubes)]:
                cubes.append(cube)
                if self.put(cube):
                    return cubes
        return cubes

    def random(self, wanted: int, pick: Callable[[int], int]) -> list[int]:
        """Place up to ``wanted`` cubes, mostly where they take glass or attack none, as if attacks changed nothing."""
        hexes, cubes = self.hexes, list[int]()
        while len(cubes) < wanted and self.open and self.free:
            near, calm = hexes.around(self.free) & self.open, self.open & ~hexes.around(self.foes)
            cubes.append(hexes.draw((near if pick(4) else 0) or (calm if pick(4) else 0) or self.open, pick))
            self.put(cubes[-1])
        return cubes


@dataclass(frozen=True, slots=True)
class Board:
    """What stands on the board; ``homes``, ``cubes`` and ``held``, the glass controlled, have a mask for each seat."""

    hexes: Hex
    glass: int
    homes: tuple[int, ...]
    cubes: tuple[int, ...]
    held: tuple[int, ...]

    @property
    def free(self) -> int:
        """The glass that nobody controls."""
        return self.glass & ~reduce(or_, self.held)

    @property
    def home_cells(self) -> int:
        """The cells where a home may be."""
        return self.hexes.every & ~self.hexes.around(self.glass) & ~reduce(or_, self.homes)

    @property
    def shares(self) -> tuple[int, ...]:
        """How much glass each seat controls."""
        return tuple(mask.bit_count() for mask in self.held)

    def holder(self, glass: int) -> Seat:
        """Return the seat that controls a glass."""
        return next(seat for seat, mask in enumerate(self.held) if mask & glass)

    def occupant(self, cell: int) -> tuple[str, Seat | None]:
        """Return what stands on a cell, "home", "cube", "glass" or "", and whose home or cube it is."""
        for thing, masks in (("home", self.homes), ("cube", self.cubes)):
            for owner, mask in enumerate(masks):
                if mask & cell:
                    return thing, owner
        return ("glass" if cell & self.glass else ""), None

    def placement(self, seat: Seat, fought: int) -> Placement:
        """Return ``seat``, which has fought for the glass ``fought`` in this turn, ready to place cubes."""
        hexes, free = self.hexes, self.free
        mine = self.homes[seat] | self.cubes[seat] | self.held[seat]
        closed = self.glass | reduce(or_, self.homes) | reduce(or_, self.cubes) | hexes.around(fought)
        foes = self.glass & ~(free | self.held[seat] | fought)
        return Placement(hexes, mine, hexes.around(mine), closed, free, foes)

    def with_home(self, seat: Seat, cell: int) -> "Board":
        """Return the board with the home of ``seat`` on a cell."""
        return Board(self.hexes, self.glass, _with(self.homes, seat, cell), self.cubes, self.held)

    def with_placed(self, seat: Seat, placement: Placement) -> "Board":
        """Return the board with what ``seat`` has placed and taken."""
        held = _with(self.held, seat, self.held[seat] | placement.taken)
        cubes = _with(self.cubes, seat, self.cubes[seat] | placement.placed)
        return Board(self.hexes, self.glass, self.homes, cubes, held)

    def after_battle(self, glass: int, winner: Seat, loser: Seat) -> "Board":
        """Return the board with ``glass`` controlled by ``winner``, and without all that ``loser`` has lost by it."""
        hexes, home, cubes = self.hexes, self.homes[loser], self.cubes[loser]
        cubes ^= hexes.joined(hexes.beside[glass] & cubes, cubes)
        held = self.held[loser] & ~glass
        network = hexes.joined(home, home | cubes | held)
        masks = _with(self.held, loser, held & network)
        masks = _with(masks, winner, masks[winner] | glass)
        return Board(hexes, self.glass, self.homes, _with(self.cubes, loser, cubes & network), masks)

    def without(self, seat: Seat) -> "Board":
        """Return the board without all that belongs to ``seat``; its glass stays, and nobody controls it."""
        homes, cubes, held = (_with(masks, seat, 0) for masks in (self.homes, self.cubes, self.held))
        return Board(self.hexes, self.glass, homes, cubes, held)


@lru_cache(maxsize=16)  # every refusal of a home gives an example
def sensible_homes(board: Board) -> tuple[int, ...]:
    """Return a few cells for a home that have much glass near them and other homes far away, the best first.

    They lie apart from each other.
    """
    hexes, places = board.hexes, board.hexes.hexagon.places
    others = [places[hexes.names[home]] for home in board.homes if home]
    cells = [hexes.bits[name] for name in hexes.listed(board.home_cells)]
    disks = []
    for glass in bits_in(board.glass):
        for _ in range(NEAR):  # a cell lies in one disk more for each step that it is nearer
            disks.append(glass := hexes.around(glass))

    def worth(cell: int) -> int:
        place = places[hexes.names[cell]]
        apart = min((steps(place, other) for other in others), default=0)
        return sum(1 for disk in disks if disk & cell) + 2 * min(apart, hexes.hexagon.short)

    found = list[int]()
    for cell in sorted(cells, key=worth, reverse=True):
        if all(steps(places[hexes.names[cell]], places[hexes.names[home]]) > NEAR // 2 for home in found):
            found.append(cell)
        if len(found) == 5:
            break
    return tuple(found)


def _with(masks: tuple[int, ...], seat: Seat, mask: int) -> tuple[int, ...]:
    """Return ``masks`` with that of ``seat`` replaced."""
    return (*masks[:seat], mask, *masks[seat + 1 :])
