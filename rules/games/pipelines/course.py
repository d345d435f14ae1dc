"""How a match of Pipelines goes on: cubes are placed, battles fought, turns and rounds come to their end."""

from dataclasses import dataclass, replace
from typing import Self

from rules.errors import RulesError, no_such_roll
from rules.games.pipelines import texts
from rules.games.pipelines.layout import glass_cells
from rules.games.pipelines.turn import Battle, Board, Placement
from rules.notation import Move
from rules.phrase import mark
from rules.position import Chance, Outcome, Seat, SeatedPosition

LAYOUT = Chance(mark("layout"), 2**32)
DIE = Chance(mark("die"), 6)
SPINNER = Chance(mark("spinner"), 6)
ATTACK = Chance(mark("attacker's die"), 6)
DEFENCE = Chance(mark("defender's die"), 6)

GLASS = {7: 9, 8: 15, 10: 27}
"""The number of glass pieces for each length of the board's sides."""
LONGEST = 100
"""So many rounds are played at most."""
QUIET = 3
"""After so many rounds without a cube the match ends."""


@dataclass(frozen=True, slots=True)
class Course(SeatedPosition[Move]):
    """What a position of Pipelines consists of, and what its turns change; sets of cells are bit masks.

    In a turn ``rolled`` is the die (0 before), ``allowance`` the cubes left to place, ``fought`` the glass
    fought for, ``rest`` the cells of a line that wait for the end of ``battle``. ``rounds`` have been played,
    the last ``quiet`` of them without a cube; ``busy``: a cube was placed in the present one. ``latest`` are the
    cells of the latest turn. ``lenient``: beside a glass that it has won a seat may place on in the same turn.

    What happens with every entry makes the next position from all its parts, since `replace` takes much longer.
    """

    board: Board
    turn: Seat = 0
    rolled: int = 0
    allowance: int = 0
    fought: int = 0
    battle: Battle | None = None
    rest: tuple[str, ...] = ()
    rounds: int = 0
    quiet: int = 0
    busy: bool = False
    latest: int = 0
    lenient: bool = True

    @property
    def to_act(self) -> Seat | Chance | None:
        """The seat to act, or the roll that comes next: the layout, the die of a turn, or one of a battle's three."""
        if self.result:
            return None
        if not self.board.glass:
            return LAYOUT
        if self._homing:
            return self.turn
        if self.battle:
            return SPINNER if not self.battle.spinner else DEFENCE if self.battle.die else ATTACK
        return self.turn if self.rolled else DIE

    def roll(self, value: int) -> Self:
        """Return the position after the roll awaited here came out as ``value``."""
        awaited, battle, board, rolled, allowance = self.to_act, self.battle, self.board, self.rolled, self.allowance
        if not isinstance(awaited, Chance) or value not in range(1, awaited.faces + 1):
            raise RulesError(*no_such_roll(value))
        if awaited is LAYOUT:
            size = board.hexes.hexagon.short
            cells = glass_cells(size, GLASS[size], value - 1)
            board = replace(board, glass=sum(board.hexes.bits[name] for name in cells))
        elif battle is None:
            rolled = allowance = value
        elif awaited is SPINNER:
            battle = battle.rolled(value)
        elif awaited is ATTACK:
            battle = battle.rolled(battle.spinner, value)
        elif (battle := battle.after(value)).decided:
            return self._settled(battle)._resumed(battle.cube)
        turn, fought, rest, rounds, quiet = self.turn, self.fought, self.rest, self.rounds, self.quiet
        busy, latest, lenient, gone = self.busy, self.latest, self.lenient, self.gone
        return type(self)(
            board, turn, rolled, allowance, fought, battle, rest, rounds, quiet, busy, latest, lenient, gone=gone
        )

    def _without(self, seat: Seat, word: str) -> Self:
        """Return the position after ``seat`` left: without its cubes, its glass free, its battle over."""
        position = replace(self, board=self.board.without(seat), gone=self.gone | {seat})
        if len(staying := position._staying()) == 1:
            reason, story = texts.left_reason(self._seats, word), texts.left_story(staying[0], self._seats, word)
            outcome = Outcome(frozenset(staying), reason, story)
            return replace(position, battle=None, rest=(), result=outcome)
        if seat == self.turn:
            return position._next(homing=not self.board.glass or self._homing)
        if self.battle and self.battle.defender == seat:
            return replace(position, battle=None)._resumed(self.battle.cube)
        return position

    @property
    def _seats(self) -> int:
        """The number of seats."""
        return len(self.board.homes)

    @property
    def _homing(self) -> bool:
        """Whether the seat whose turn it is has no home yet."""
        return not self.board.homes[self.turn]

    @property
    def _marked(self) -> int:
        """The cells marked by what has been done in this turn already."""
        return self.latest if self.allowance < self.rolled else 0

    @property
    def _barred(self) -> int:
        """The glass beside which nothing may be placed in this turn, since it has been fought for."""
        return self.fought & ~self.board.held[self.turn] if self.lenient else self.fought

    def _staying(self) -> list[Seat]:
        """Return the seats that have not left, in their order."""
        return [seat for seat in range(self._seats) if seat not in self.gone]

    def _placement(self) -> Placement:
        """Return the seat whose turn it is, ready to place cubes."""
        return self.board.placement(self.turn, self._barred)

    def _lay(self, words: tuple[str, ...], cube: int = 0) -> tuple[Self, int]:
        """Place cubes on ``words`` until one is not open, one attacks, or every glass is controlled.

        Returns the position, still in the same turn, and how many were placed. ``cube`` has just fought and meets
        what else is beside it, if it still stands.
        """
        hexes, seat, line, done = self.board.hexes, self.turn, self._placement(), 0
        attacked = line.meet(cube) if cube & self.board.cubes[seat] else 0
        while line.free and not attacked and done < len(words):
            following = hexes.bits[words[done]]
            if not following & line.open:
                break
            cube, done = following, done + 1
            attacked = line.put(cube)
        battle, latest = None, self._marked | line.placed | line.taken
        if attacked and line.free:
            glass = hexes.bits[hexes.listed(attacked)[0]]
            battle, latest = Battle(glass, cube, self.board.holder(glass)), latest | glass
        board, rest, busy = self.board.with_placed(seat, line), words[done:] if battle else (), self.busy or done > 0
        rolled, allowance, fought = self.rolled, self.allowance - done, self.fought
        rounds, quiet, lenient, gone = self.rounds, self.quiet, self.lenient, self.gone
        position = type(self)(
            board, seat, rolled, allowance, fought, battle, rest, rounds, quiet, busy, latest, lenient, gone=gone
        )
        return position if line.free else position._over("taken"), done

    def _settled(self, battle: Battle) -> Self:
        """Return the position at the end of ``battle``: what the loser has lost is gone."""
        winner, loser = self.turn, battle.defender
        if battle.won < battle.lost:
            winner, loser = loser, winner
        board = self.board.after_battle(battle.glass, winner, loser)
        return replace(self, board=board, fought=self.fought | battle.glass, battle=None)

    def _resumed(self, cube: int) -> Self:
        """Return the position after a battle of ``cube``, played on with the rest of the line."""
        position, _ = self._lay(self.rest, cube)
        going = position.result or position.battle or position.allowance
        return position if going else position._next(homing=False)

    def _next(self, *, homing: bool) -> Self:
        """Return the position at the start of the next turn; while homes are named no rounds are counted."""
        staying = self._staying()
        turn = next((seat for seat in staying if seat > self.turn), staying[0])
        board, rounds, quiet, busy = self.board, self.rounds, self.quiet, self.busy
        round_over = not homing and turn <= self.turn
        if round_over:
            rounds, quiet, busy = rounds + 1, 0 if busy else quiet + 1, False
        latest, lenient, gone = self.latest, self.lenient, self.gone
        position = type(self)(board, turn, 0, 0, 0, None, (), rounds, quiet, busy, latest, lenient, gone=gone)
        if not round_over:
            return position
        if quiet == QUIET:
            return position._over("quiet")
        return position._over("long") if rounds == LONGEST else position

    def _over(self, end: texts.End) -> Self:
        """Return the position with the match ended for the reason ``end``."""
        shares, staying = self.board.shares, self._staying()
        most = max(shares[seat] for seat in staying)
        winners = [seat for seat in staying if shares[seat] == most]
        told = end, QUIET if end == "quiet" else self.rounds, winners, most, self.board.glass.bit_count()
        return replace(self, result=Outcome(frozenset(winners), texts.reason(*told), texts.story(*told)))
