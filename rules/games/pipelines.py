"""Pipelines: cubes grow from the homes of two or three players to the glass on a hexagonal board.

The rules are told to players in pipelines_words.py, where everything that was left open is marked "our reading";
where the glass stands follows from one number, as pipelines_layout.py says.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

from rules.core import LEAVING, Chance, Outcome, Position, Prompt, Seat
from rules.errors import IllegalMove, InvalidMove, RulesError, quote
from rules.game import ORDER, VERSION, Game, Option, Value
from rules.games import pipelines_words as say
from rules.games.pipelines_layout import glass_cells, ground
from rules.games.pipelines_turn import Battle, Line, Table, sensible_home
from rules.games.pipelines_view import pipelines_view
from rules.grid import instead, letters_first, read_words
from rules.prose import heard, seen
from rules.view import BoardView

LAYOUT = Chance("layout", 2**32)
DIE = Chance("die", 6)
SPINNER = Chance("spinner", 6)
ATTACK = Chance("attacker's die", 6)
DEFENCE = Chance("defender's die", 6)

GLASS = {7: 9, 8: 15, 10: 27}
"""The number of glass pieces for each length of the board's sides."""
LONGEST = 100
"""So many rounds are played at most."""
QUIET = 3
"""After so many rounds without a cube the match ends."""


@dataclass(frozen=True, slots=True)
class Move:
    """The words of a turn: names of cells in the order of placing, or "pass"."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Pipelines(Position[Move]):
    """A position of Pipelines; sets of cells are bit masks.

    In a turn ``rolled`` is the die (0 before), ``allowance`` the cubes left to place, ``fought`` the glass
    fought for, ``rest`` the cells of a line that wait for the end of ``battle``. ``rounds`` have been played,
    the last ``quiet`` of them without a cube; ``busy``: a cube was placed in the present one. ``latest`` are the
    cells of the latest turn. ``lenient``: beside a glass that it has won a seat may place on in the same turn.
    """

    table: Table
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
    gone: frozenset[Seat] = frozenset()
    result: Outcome | None = None

    @property
    def to_act(self) -> Seat | Chance | None:
        """The seat to act, or the lot to be drawn: the layout, the die of a turn, or one of the three of a battle."""
        if self.result:
            return None
        if not self.table.glass:
            return LAYOUT
        if self._homing:
            return self.turn
        if self.battle:
            return SPINNER if not self.battle.spinner else DEFENCE if self.battle.die else ATTACK
        return self.turn if self.rolled else DIE

    def parse(self, text: str) -> Move:
        """Read cells or "pass"; cells written after one that ends the match are left out."""
        ground, words = self.table.ground, read_words(text)
        if not words:
            raise InvalidMove(f"{quote(text)} is no move; {self._hint()}.")
        for word in words:
            if word in ground.bits or words == (say.PASS,):
                continue
            if word[:1].isalpha() and word[1:].isdecimal() and word.isascii():
                raise InvalidMove(f"{quote(word)} is not on this board, {ground.row_extent(word)}; {self._hint()}.")
            within = "" if word == text.strip().lower() else f", in {quote(text)},"
            if letters_first(word) in ground.bits:
                turned = " ".join(map(letters_first, words))
                raise instead(self, f"{quote(word)}{within} {say.LETTER_FIRST}", turned)
            what = "must stand alone" if word == say.PASS else "is not the name of a cell"
            raise InvalidMove(f"{quote(word)}{within} {what}; {self._hint()}.")
        if len(words) > len(set(words)):
            twice = next(word for place, word in enumerate(words) if word in words[:place])
            raise InvalidMove(f"{quote(text)} names {twice} twice, and a cell takes one cube; {self._hint()}.")
        try:
            following, done = self._checked(words)
        except IllegalMove:
            # Whether the rules forbid the move is for `play` to say.
            return Move(words)
        return Move(words[:done] if following.result else words)

    def play(self, move: Move) -> "Pipelines":
        """Return the position after ``move``, up to a battle if there is one, or to the end of the match."""
        following, _ = self._checked(move.words)
        if following.result or following.battle:
            return following
        return following._next(homing=self._homing)

    def roll(self, value: int) -> "Pipelines":
        """Return the position after the lot awaited here fell on ``value``."""
        awaited, battle, table = self.to_act, self.battle, self.table
        if not isinstance(awaited, Chance) or value not in range(1, awaited.faces + 1):
            raise RulesError(f"No lot that is to be drawn now can fall on {value}.")
        if awaited is LAYOUT:
            size = table.ground.board.short
            cells = glass_cells(size, GLASS[size], value - 1)
            return replace(self, table=replace(table, glass=sum(table.ground.bits[name] for name in cells)))
        if battle is None:
            return replace(self, rolled=value, allowance=value)
        if awaited is SPINNER:
            return replace(self, battle=replace(battle, spinner=value))
        if awaited is ATTACK:
            return replace(self, battle=replace(battle, die=value))
        battle = battle.after(value)
        return self._settled(battle)._resumed(battle.cube) if battle.decided else replace(self, battle=battle)

    def leave(self, seat: Seat, word: str) -> "Pipelines":
        """Let ``seat`` leave: its cubes go, its glass is nobody's, a battle of its own ends (our reading)."""
        if self.result:
            raise IllegalMove(f"The match is over, so {quote(word)} changes nothing.")
        if word not in LEAVING or seat not in range(self._seats) or seat in self.gone:
            raise IllegalMove(f"{quote(word)} cannot be said for seat {seat + 1}: it is not in this match.")
        position = replace(self, table=self.table.without(seat), gone=self.gone | {seat})
        if len(staying := position._staying()) == 1:
            outcome = Outcome(frozenset(staying), say.left_last(self._seats, word))
            return replace(position, battle=None, rest=(), result=outcome)
        if seat == self.turn:
            return position._next(homing=not self.table.glass or self._homing)
        if self.battle and self.battle.defender == seat:
            return replace(position, battle=None)._resumed(self.battle.cube)
        return position

    def legal_moves(self) -> Iterator[Move]:
        """Yield homes, or "pass", single cells and longer lines; what follows an attack in a line may be any cell."""
        if not isinstance(self.to_act, int):
            return
        if self._homing:
            yield from (Move((name,)) for name in self.table.ground.listed(self.table.home_cells))
            return
        yield Move((say.PASS,))
        singles = [(name,) for name in self.table.ground.listed(self._line().open)]
        yield from map(Move, singles)
        for words in singles:
            yield from map(Move, self._longer(words))

    def any_move(self, pick: Callable[[int], int]) -> Move:
        """Return some legal move, mostly of as many cells as may be named."""
        ground, table = self.table.ground, self.table
        if self._homing:
            return Move((ground.names[ground.draw(table.home_cells, pick)],))
        wanted = 0 if pick(12) == 0 else self.allowance if pick(3) else 1 + pick(self.allowance)
        return Move(tuple(ground.names[cube] for cube in self._line().random(wanted, pick)) or (say.PASS,))

    def forced(self) -> Move | None:
        """Return "pass" when no cell is open to the seat to act."""
        acting = isinstance(self.to_act, int) and not self._homing
        return Move((say.PASS,)) if acting and not self._line().open else None

    def tell(self, move: Move) -> str:
        """Return what ``move`` is called afterwards: only cubes that it places before a battle are in it."""
        if self._homing:
            return f"made {move} the home"
        if move.words == (say.PASS,):
            return "passed" if self._line().open else "had to pass, as no cell is open"
        following, done = self._checked(move.words)
        return self._deeds(following, move.words[:done])

    def tell_roll(self, value: int) -> str:
        """Return what the lot awaited here led to; of a battle, each round in one piece."""
        role, awaited, battle = say.ROLES[self.turn], self.to_act, self.battle
        if awaited is LAYOUT:
            return "The glass was laid out."
        if awaited is DIE:
            return f"{role} rolled a {value}."
        if awaited is not DEFENCE or battle is None:
            return ""
        ground, after, foe = self.table.ground, battle.after(value), say.ROLES[battle.defender]
        glass, score, away = (
            ground.names[battle.glass],
            (after.won, after.lost),
            (battle.away(battle.die), battle.away(value)),
        )
        told = say.battle_round(role, foe, glass, battle.spinner, (battle.die, value), score, away)
        if not after.decided:
            return told
        loser, settled = battle.defender if after.won > after.lost else self.turn, self._settled(after)
        cubes = ground.listed(self.table.cubes[loser] & ~settled.table.cubes[loser])
        lost = ground.listed(self.table.held[loser] & ~settled.table.held[loser] & ~battle.glass)
        told += say.battle_end(role, foe, glass, score, cubes, lost)
        further, done = settled._lay(self.rest, battle.cube)
        if deeds := settled._deeds(further, self.rest[:done]):
            told += f" {role} then {deeds}."
        if further.result or further.battle:
            return told
        return told + say.onward(role, self.rest[done:], further.allowance if further._line().open else 0)

    def outcome(self) -> Outcome | None:
        """Return who controls the most glass at the end; who has equally much shares the win."""
        return self.result

    def roles(self) -> tuple[str | None, ...]:
        """Return "Red", "Blue" and "Yellow", in the order of the seats."""
        return say.ROLES[: self._seats]

    def side(self, seat: Seat) -> frozenset[Seat]:
        """Return ``seat`` alone."""
        return frozenset({seat})

    def left(self) -> frozenset[Seat]:
        """Return the seats that have left."""
        return self.gone

    def prompt(self) -> Prompt:
        """Return what the seat to act may write; the example builds to the nearest glass that is nobody's."""
        if not isinstance(self.to_act, int):
            raise RulesError("Nobody is to reply with a move now.")
        if self._homing:
            return Prompt(say.HOME_WANTED, self.table.ground.names[sensible_home(self.table)])
        return _turn_prompt(self.table, self.turn, self._barred, self.allowance, self.allowance < self.rolled)

    def brief(self, seat: Seat) -> str:
        """Return what ``seat`` plays for from here on."""
        if self.result or seat in self.gone:
            return "The match is over." if self.result else "You have left this match."
        return say.brief(say.ROLES[seat], not self.table.homes[seat])

    def view(self) -> BoardView:
        """Return the board; the cubes of the latest turn and the glass taken or fought for in it are marked."""
        return pipelines_view(self.table, self.latest, tuple(self._standing()), tuple(self._choices()))

    @property
    def _seats(self) -> int:
        """The number of seats."""
        return len(self.table.homes)

    @property
    def _homing(self) -> bool:
        """Whether the seat whose turn it is has no home yet."""
        return not self.table.homes[self.turn]

    @property
    def _barred(self) -> int:
        """The glass beside which nothing may be placed in this turn, since it has been fought for."""
        return self.fought & ~self.table.held[self.turn] if self.lenient else self.fought

    @property
    def _marked(self) -> int:
        """The cells marked by what has been done in this turn already."""
        return self.latest if self.allowance < self.rolled else 0

    def _standing(self) -> Iterator[str]:
        """Yield sentences on how things stand."""
        role, battle, names = say.ROLES[self.turn], self.battle, self.table.ground.names
        if self.table.glass:
            counts = [(say.ROLES[seat], self.table.shares[seat]) for seat in self._staying()]
            yield say.shares(counts, self.table.free.bit_count())
        if self.result:
            return
        if self.rounds or self.rolled:
            yield say.rounds(self.rounds + 1, LONGEST, self.quiet, QUIET)
        if self.rolled:
            yield say.rolled(role, self.rolled, self.allowance, self.allowance < self.rolled)
        if battle:
            foe = say.ROLES[battle.defender]
            yield say.battle_stands(role, foe, names[battle.glass], names[battle.cube], battle.won, battle.lost)
        if self.rest:
            yield say.waiting(self.rest)
        if self._barred:
            yield say.fought(role, self.table.ground.listed(self._barred))

    def _choices(self) -> Iterator[tuple[str, int]]:
        """Yield the cells that the seat to act may choose, and those that lead to glass, each set behind its words."""
        if not isinstance(self.to_act, int):
            return
        ground, role = self.table.ground, say.ROLES[self.turn]
        if self._homing:
            yield say.homes_go(role), self.table.home_cells
            return
        line = self._line()
        yield say.cubes_go(role), line.open
        yield say.TAKING, line.open & ground.around(line.free)
        for seat, held in enumerate(self.table.held):
            yield say.attacking(say.ROLES[seat]), line.open & ground.around(line.foes & held)

    def _staying(self) -> list[Seat]:
        """Return the seats that have not left, in their order."""
        return [seat for seat in range(self._seats) if seat not in self.gone]

    def _line(self) -> Line:
        """Return the seat whose turn it is, ready to place cubes."""
        return self.table.line(self.turn, self._barred)

    def _checked(self, words: tuple[str, ...]) -> tuple["Pipelines", int]:
        """Return the position after a move, still in the same turn, and how many words counted; IllegalMove."""
        if not isinstance(self.to_act, int):
            raise IllegalMove(f"{quote(' '.join(words))} cannot be played now: {self._hint()}.")
        bits, seat = self.table.ground.bits, self.turn
        if self._homing:
            home = bits.get(words[0], 0) if len(words) == 1 else 0
            if not home & self.table.home_cells:
                raise self._refusal(words, words[0] if home else "")
            return replace(self, table=self.table.with_home(seat, home), latest=home), 1
        if words == (say.PASS,):
            return replace(self, latest=self._marked), 1
        if not 0 < len(words) <= self.allowance or len(set(words)) < len(words) or not set(words) <= bits.keys():
            raise self._refusal(words, "")
        following, done = self._lay(words)
        if done < len(words) and not following.battle and not following.result:
            raise self._refusal(words, words[done])
        return following, done

    def _lay(self, words: tuple[str, ...], cube: int = 0) -> tuple["Pipelines", int]:
        """Place cubes on ``words`` until one is not open, one attacks, or every glass is controlled.

        Returns the position, still in the same turn, and how many were placed. ``cube`` has just fought and meets
        what else is beside it, if it still stands.
        """
        ground, seat, line, done = self.table.ground, self.turn, self._line(), 0
        attacked = line.meet(cube) if cube & self.table.cubes[seat] else 0
        while line.free and not attacked and done < len(words):
            following = ground.bits[words[done]]
            if not following & line.open:
                break
            cube, done = following, done + 1
            attacked = line.put(cube)
        battle, latest = None, self._marked | line.placed | line.taken
        if attacked and line.free:
            glass = ground.bits[ground.listed(attacked)[0]]
            battle, latest = Battle(glass, cube, self.table.holder(glass)), latest | glass
        position = replace(
            self,
            table=self.table.with_line(seat, line),
            allowance=self.allowance - done,
            battle=battle,
            rest=words[done:] if battle else (),
            busy=self.busy or done > 0,
            latest=latest,
        )
        return position if line.free else position._over("every glass is controlled"), done

    def _settled(self, battle: Battle) -> "Pipelines":
        """Return the position at the end of ``battle``: what the loser has lost is gone."""
        winner, loser = self.turn, battle.defender
        if battle.won < battle.lost:
            winner, loser = loser, winner
        table = self.table.after_battle(battle.glass, winner, loser)
        return replace(self, table=table, fought=self.fought | battle.glass, battle=None)

    def _resumed(self, cube: int) -> "Pipelines":
        """Return the position after a battle of ``cube``, played on with the rest of the line."""
        position, _ = self._lay(self.rest, cube)
        going = position.result or position.battle or position.allowance
        return position if going else position._next(homing=False)

    def _next(self, *, homing: bool) -> "Pipelines":
        """Return the position at the start of the next turn; while homes are named no rounds are counted."""
        staying = self._staying()
        turn = next((seat for seat in staying if seat > self.turn), staying[0])
        position = replace(self, turn=turn, rolled=0, allowance=0, fought=0, battle=None, rest=())
        if homing or turn > self.turn:
            return position
        rounds, quiet = self.rounds + 1, 0 if self.busy else self.quiet + 1
        position = replace(position, rounds=rounds, quiet=quiet, busy=False)
        if quiet == QUIET:
            return position._over(f"nobody placed a cube in {QUIET} rounds")
        return position._over(f"{LONGEST} rounds have been played") if rounds == LONGEST else position

    def _over(self, why: str) -> "Pipelines":
        """Return the position with the match ended for the reason ``why``."""
        shares, staying = self.table.shares, self._staying()
        most = max(shares[seat] for seat in staying)
        winners = [seat for seat in staying if shares[seat] == most]
        reason = say.ended(why, [say.ROLES[seat] for seat in winners], most, self.table.glass.bit_count())
        return replace(self, result=Outcome(frozenset(winners), reason))

    def _longer(self, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Yield the legal lines that begin with a legal line and go on."""
        following, _ = self._lay(words)
        if following.battle:
            others = [name for name in self.table.ground.bits if name not in words]
            for length in range(1, following.allowance + 1):
                yield from ((*words, *rest) for rest in permutations(others, length))
        elif following.allowance and not following.result:
            for name in self.table.ground.listed(following._line().open):
                yield (*words, name)
                yield from self._longer((*words, name))

    def _deeds(self, following: "Pipelines", words: tuple[str, ...]) -> str:
        """Return what cubes placed on ``words`` led to, to follow a name; ``following`` is still in this turn."""
        ground, battle = self.table.ground, following.battle
        taken = ground.listed(following.table.held[self.turn] & ~self.table.held[self.turn])
        foe, disputed = (say.ROLES[battle.defender], ground.names[battle.glass]) if battle else ("", "")
        return say.deeds(words, taken, foe, disputed, following.rest)

    def _refusal(self, words: tuple[str, ...], word: str) -> IllegalMove:
        """Return why ``words`` cannot be played: ``word`` fails, or with "" the line as a whole."""
        ground, line = self.table.ground, quote(" ".join(words))
        if not word:
            why = say.no_home(words) if self._homing else say.no_line(len(words), self.allowance, self.rolled)
            return IllegalMove(f"{line} {why}; {self._hint()}.")
        cell = ground.bits[word]
        near = ground.listed(ground.around(cell) & (self.table.glass if self._homing else self._barred))
        whose = ["your" if seat == self.turn else f"{say.ROLES[seat]}’s" for seat in range(self._seats)]
        if thing := self.table.occupant(cell, whose):
            why = say.occupied(self._homing, thing)
        else:
            why = say.too_near(self._homing, near[0]) if near else say.unreached(words.index(word) > 0)
        return IllegalMove(f"{f'In {line}, ' if len(words) > 1 else ''}{quote(word)} {why}; {self._hint()}.")

    def _hint(self) -> str:
        """Return what may be written, as the end of a sentence."""
        if not isinstance(self.to_act, int):
            return "a lot is to be drawn first" if self.to_act else "the match is over"
        prompt = self.prompt()
        return f"reply with {prompt.what}, for example “{prompt.example}”"


@lru_cache(maxsize=64)  # every refusal of a move gives an example
def _turn_prompt(table: Table, seat: Seat, fought: int, allowance: int, further: bool) -> Prompt:
    """Return what ``seat`` may write, who can still place ``allowance`` cubes; ``further``: after others."""
    line = table.line(seat, fought)
    if not line.open:
        return Prompt(f"the word {say.PASS}", say.PASS)
    example = " ".join(table.ground.names[cube] for cube in line.sensible(allowance))
    return Prompt(say.wanted(allowance, further), example or say.PASS)


def _start(seats: int, options: Mapping[str, Value]) -> Pipelines:
    none = (0,) * seats
    table = Table(ground(int(options["size"])), 0, none, none, none)
    return Pipelines(table, lenient=options[VERSION] != 1)


PIPELINES = Game(
    key="pipelines",
    title="Pipelines",
    seats=range(2, 4),
    options=(
        Option("size", 10, tuple(GLASS), "cells along each side: 7 with 9 glass pieces, 8 with 15, 10 with 27"),
        ORDER,
    ),
    start=_start,
    help=seen(say.HELP),
    help_heard=heard(say.HELP),
    example="d4",
    roles={role: f"home {seat}, cubes {role[0].lower()}, glass {role[0]}" for seat, role in enumerate(say.ROLES, 1)},
    roles_heard=dict.fromkeys(say.ROLES, ""),
    lots=tuple(lot.what for lot in (LAYOUT, DIE, SPINNER, ATTACK, DEFENCE)),
    short={"size": 7},
    designers=say.DESIGNERS,
    version=2,
)
