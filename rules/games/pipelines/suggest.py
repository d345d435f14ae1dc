"""What a seat of Pipelines might sensibly do: lines of cubes with their effect, and homes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rules.board.hexagon import steps
from rules.board.square import bits_in
from rules.games.pipelines import texts
from rules.games.pipelines.turn import NEAR, Board, Placement
from rules.position import Choice

_MOST = 5
"""So many answers are proposed."""


@dataclass(slots=True)
class Trial:
    """A line of ``cubes`` as far as it is legal, of at most ``allowance``; ``attacked`` is what glass it attacks.

    ``goal`` is the glass that it is meant to come to.
    """

    board: Board
    placement: Placement
    allowance: int
    cubes: list[int] = field(default_factory=list)
    attacked: int = 0
    goal: int = 0

    @property
    def left(self) -> int:
        """How many cubes may follow."""
        return 0 if self.attacked or not self.placement.free else self.allowance - len(self.cubes)

    def with_cubes(self, cubes: Iterable[int], goal: int = 0) -> "Trial":
        """Return the line with ``cubes`` behind it, up to the first that cannot be placed."""
        placement, allowance = self.placement.copied(), self.allowance
        line = Trial(self.board, placement, allowance, [*self.cubes], self.attacked, goal or self.goal)
        for cube in cubes:
            if not line.left or not cube & line.placement.open:
                break
            line.cubes.append(cube)
            line.attacked = line.placement.put(cube)
        return line

    def gone_on(self) -> "Trial":
        """Return the line with what is sensible behind it."""
        line = self.with_cubes(self.placement.copied().sensible(self.left))
        others = line.placement.free or line.placement.foes
        if line.cubes and others and not line.goal:
            hexes = line.placement.hexes
            places, last = hexes.hexagon.places, hexes.hexagon.places[hexes.names[line.cubes[-1]]]
            line.goal = min(bits_in(others), key=lambda glass: steps(places[hexes.names[glass]], last))
        return line

    def described(self) -> Choice:
        """Return the line with its effect; it has cubes."""
        hexes, taken = self.placement.hexes, self.placement.taken
        attacked = None
        if self.attacked and self.placement.free:
            glass = hexes.listed(self.attacked)[0]
            attacked = self.board.holder(hexes.bits[glass]), glass
        toward = hexes.names[self.goal] if self.goal else ""
        return texts.choice([hexes.names[cube] for cube in self.cubes], hexes.listed(taken), attacked, toward)


def suggested_lines(start: Trial) -> tuple[Choice, ...]:
    """Return sensible lines that go on from ``start``, each with another effect; nothing if there are none.

    The first is the line of the prompt; then comes what takes most glass, then attacks, then what is nearest.
    """
    lines = sorted(_lines(start), key=lambda line: (-line.placement.taken.bit_count(), not line.attacked))
    choices = (line.described() for line in (start.gone_on(), *lines) if len(line.cubes) > len(start.cubes))
    return _distinct(choices)


def mended_lines(start: Trial, cubes: Sequence[int]) -> tuple[Choice, ...]:
    """Return legal lines for ``cubes``, which cannot be placed as they stand.

    That is the line with what is missing in between, its legal beginning, and sensible lines from there.
    """
    begun = start.with_cubes(cubes)
    found, rest = [begun] if begun.cubes else [], cubes[len(begun.cubes) :]
    if rest and begun.left:
        placement = begun.placement
        way = placement.hexes.path(placement.mine, placement.hexes.every & ~placement.closed, rest[0])
        if way and len(way) <= begun.left:
            found.insert(0, begun.with_cubes([*way, *rest[1:]]))
    lines = (line.described() for line in found)
    return _distinct([*lines, *suggested_lines(begun)], by_effect=False)


def homes_near(board: Board, cell: int) -> tuple[Choice, ...]:
    """Return the cells nearest to ``cell`` that may be a home."""
    hexes = board.hexes
    places, middle = hexes.hexagon.places, hexes.hexagon.places[hexes.names[cell]]
    homes = sorted(hexes.listed(board.home_cells), key=lambda name: steps(places[name], middle))
    return described_homes(board, [hexes.bits[name] for name in homes[:_MOST]])


def described_homes(board: Board, homes: Sequence[int]) -> tuple[Choice, ...]:
    """Return cells for a home, each with how much glass is near it."""
    hexes = board.hexes
    places = hexes.hexagon.places
    glass = [places[name] for name in hexes.listed(board.glass)]
    names = [hexes.names[home] for home in homes]
    return tuple(texts.home_choice(name, sum(steps(places[name], place) <= NEAR for place in glass)) for name in names)


def _lines(start: Trial) -> Iterator[Trial]:
    """Yield a line to each glass that can be reached without an attack, the nearest first, and to each to attack."""
    placement, hexes = start.placement, start.placement.hexes
    if not start.left:
        return
    free, foes = bits_in(placement.free), bits_in(placement.foes)
    ways = hexes.paths(placement.mine, placement.peaceful, map(hexes.around, free))
    found = sorted((len(way), glass, way) for glass, way in zip(free, ways, strict=True) if way)
    for _, glass, way in found[:_MOST]:
        line = start.with_cubes(way, glass)
        further = line.gone_on()
        yield line if further.attacked else further
    ways = hexes.paths(placement.mine, hexes.every & ~placement.closed, map(hexes.around, foes))
    for glass, way in zip(foes, ways, strict=True):
        if way and len(way) <= start.left:
            yield start.with_cubes(way, glass)


def _distinct(choices: Iterable[Choice], *, by_effect: bool = True) -> tuple[Choice, ...]:
    """Return the first few choices, each move once; ``by_effect``: of those with the same effect the first."""
    found: list[Choice] = []
    for choice in choices:
        if not any(choice.move == one.move or (by_effect and choice.effect == one.effect) for one in found):
            found.append(choice)
        if len(found) == _MOST:
            break
    return tuple(found)
