"""Pipelines: cubes grow from the homes of two or three players to the glass on a hexagonal board.

The rules are told to players in help.py, with all that the original rules leave open; where the glass stands
follows from one number, as layout.py says.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

from rules.board.square import bits_in
from rules.errors import IllegalMove, InvalidMove, Refusal, RulesError, match_over, roll_first
from rules.game import VERSION, Value
from rules.games.pipelines import texts
from rules.games.pipelines.course import DEFENCE, DIE, LAYOUT, LONGEST, QUIET, Course
from rules.games.pipelines.layout import hex_board
from rules.games.pipelines.suggest import Trial, described_homes, homes_near, mended_lines, suggested_lines
from rules.games.pipelines.turn import Board, sensible_homes
from rules.games.pipelines.view import pipelines_view
from rules.notation import Move, letter_first, letters_first, read_words
from rules.phrase import Event, Phrase, phrase
from rules.position import Choice, Objective, Prompt, Seat
from rules.view import BoardView

_LONGEST = 200
"""Of longer lines nobody wants to know what is like them."""

_LAST = 10
"""In so many rounds before the last it is told which it is."""


@dataclass(frozen=True, slots=True)
class Pipelines(Course):
    """A position of Pipelines: moves are read, tried and played on its course, and told."""

    def parse(self, text: str) -> Move:
        """Read cells or "pass"; cells written after one that ends the match are left out."""
        hexes, words = (
            self.board.hexes,
            tuple(text.split(" ")),
        )  # the notation of records; people write in other ways too
        if not hexes.bits.keys() >= set(words):
            words = self._read(text)
        if len(words) > len(set(words)):
            twice = next(word for place, word in enumerate(words) if word in words[:place])
            raise InvalidMove(*texts.refuse("cell_named_twice", text=text, cell=twice))
        if self.board.free & ~hexes.around(sum(hexes.bits.get(word, 0) for word in words)):
            return Move(words)  # some glass stays nobody's
        try:
            following, done = self._checked(words)
        except IllegalMove:
            # Whether the rules forbid the move is for `play` to say.
            return Move(words)
        return Move(words[:done] if following.result else words)

    def _read(self, text: str) -> tuple[str, ...]:
        """Return the words of a line as people write it: cells, or "pass" alone; raises InvalidMove."""
        hexes, words = self.board.hexes, read_words(text)
        if not isinstance(self.to_act, int):
            raise InvalidMove(*self._refusal_of_all(text))
        if not words:
            raise InvalidMove(*texts.refuse("not_a_move", text=text, example=self.prompt().example))
        for word in words:
            if word in hexes.bits or words == (texts.PASS,):
                continue
            if word[:1].isalpha() and word[1:].isdecimal() and word.isascii():
                raise InvalidMove(*texts.off_board(word, text, hexes.hexagon.size, hexes.row_ends(word)))
            if letters_first(word) in hexes.bits:
                raise letter_first(self, text, word, " ".join(map(letters_first, words)))
            if word == texts.PASS:
                raise InvalidMove(*texts.refuse("pass_not_alone", text=text, word=word))
            raise InvalidMove(*texts.refuse("not_a_cell", word=word, example=self.prompt().example))
        return words

    def play(self, move: Move) -> "Pipelines":
        """Return the position after ``move``, up to a battle if there is one, or to the end of the match."""
        following, _ = self._checked(move.words)
        if following.result or following.battle:
            return following
        return following._next(homing=self._homing)

    def legal_moves(self) -> Iterator[Move]:
        """Yield homes, or "pass", single cells and longer lines; what follows an attack in a line may be any cell."""
        if not isinstance(self.to_act, int):
            return
        if self._homing:
            yield from (Move((name,)) for name in self.board.hexes.listed(self.board.home_cells))
            return
        yield Move((texts.PASS,))
        singles = [(name,) for name in self.board.hexes.listed(self._placement().open)]
        yield from map(Move, singles)
        for words in singles:
            yield from map(Move, self._longer(words))

    def any_move(self, pick: Callable[[int], int]) -> Move:
        """Return some legal move, mostly of as many cells as may be named."""
        hexes, board = self.board.hexes, self.board
        if self._homing:
            return Move((hexes.names[hexes.draw(board.home_cells, pick)],))
        wanted = 0 if pick(12) == 0 else self.allowance if pick(3) else 1 + pick(self.allowance)
        return Move(tuple(hexes.names[cube] for cube in self._placement().random(wanted, pick)) or (texts.PASS,))

    def forced(self) -> Move | None:
        """Return "pass" when no cell is open to the seat to act."""
        acting = isinstance(self.to_act, int) and not self._homing
        return Move((texts.PASS,)) if acting and not self._placement().open else None

    def describe(self, move: Move) -> Event:
        """Return what happened by ``move``: only cubes that it places before a battle are in it."""
        if self._homing:
            return texts.made_home(self.turn, str(move))
        if move.words == (texts.PASS,):
            return texts.passed(self.turn, forced=not self._placement().open)
        following, done = self._checked(move.words)
        return texts.built(self.turn, done, *self._deeds(following))

    def describe_roll(self, value: int) -> tuple[Event, ...]:
        """Return what happened by the roll awaited here; of a battle, each round in one piece."""
        awaited, battle = self.to_act, self.battle
        if awaited is LAYOUT:
            return (texts.laid_out(),)
        if awaited is DIE:
            return (texts.rolled(self.turn, value),)
        if awaited is not DEFENCE or battle is None:
            return ()
        hexes, after, foe = self.board.hexes, battle.after(value), battle.defender
        glass, rounds, dice = hexes.names[battle.glass], (after.won, after.lost), (battle.die, value)
        winner = self.turn if after.won > battle.won else foe if after.lost > battle.lost else None
        told = texts.battle_round(self.turn, foe, glass, battle.spinner, dice, winner)
        if not after.decided or winner is None:
            return (told,)
        loser, settled = foe if winner == self.turn else self.turn, self._settled(after)
        cubes = hexes.listed(self.board.cubes[loser] & ~settled.board.cubes[loser])
        lost = hexes.listed(self.board.held[loser] & ~settled.board.held[loser] & ~battle.glass)
        further, done = settled._lay(self.rest, battle.cube)
        events = (
            told,
            texts.battle_lost(loser, cubes, lost),
            texts.battle_won(winner, loser, glass, rounds, len(lost), attacking=winner == self.turn),
            *texts.went_on(self.turn, done, *settled._deeds(further)),
        )
        if further.result or further.battle or not self.rest[done:]:
            return events
        return (*events, texts.stopped(self.turn, self.rest[done]))

    def roles(self) -> tuple[str | None, ...]:
        """Return "Red", "Blue" and "Yellow", in the order of the seats."""
        return texts.ROLES[: self._seats]

    def prompt(self) -> Prompt:
        """Return what the seat to act may write; the example builds to the nearest glass that is nobody's."""
        if not isinstance(self.to_act, int):
            raise RulesError("no_prompt", phrase("There’s nothing to reply with: the match is over, or a roll is due."))
        if self._homing:
            return texts.home_prompt(self.board.hexes.names[sensible_homes(self.board)[0]])
        return _turn_prompt(self.board, self.turn, self._barred, self.allowance, self.allowance < self.rolled)

    def suggestions(self) -> tuple[Choice, ...]:
        """Return lines that take glass, attack it or build towards it, that of the prompt first; or else to pass.

        Before there are homes, return cells for one.
        """
        if not isinstance(self.to_act, int):
            return ()
        if self._homing:
            return described_homes(self.board, sensible_homes(self.board))
        return suggested_lines(self._trial()) or (Choice(texts.PASS),)

    def answers_like(self, text: str) -> tuple[Choice, ...]:
        """Return homes near the cell that ``text`` names, or how its line can be played: its beginning, and ways on."""
        if not isinstance(self.to_act, int) or len(text) > _LONGEST:
            return ()
        hexes, words = self.board.hexes, read_words(letters_first(text))
        cells = [hexes.bits[word] for word in dict.fromkeys(words) if word in hexes.bits]
        if not cells:
            return ()
        if self._homing:
            return homes_near(self.board, cells[0])
        return mended_lines(self._trial(), cells)

    def first_cells(self) -> frozenset[str]:
        """Return the open cells behind which another can be named."""
        if not isinstance(self.to_act, int) or self._homing or self.allowance == 1:
            return frozenset()
        hexes, line = self.board.hexes, self._placement()
        ending = sum(bit for bit in bits_in(line.open) if not line.free & ~hexes.beside[bit])
        return frozenset(
            hexes.names[bit]
            for bit in bits_in(line.open & ~ending)
            if (line.open | hexes.beside[bit] & ~line.closed) & ~bit
        )

    def lone_cells(self) -> frozenset[str]:
        """Return the cells that may be a home, or the open cells: behind any of them the turn may end."""
        if not isinstance(self.to_act, int):
            return frozenset()
        open_cells = self.board.home_cells if self._homing else self._placement().open
        return frozenset([self.board.hexes.names[bit] for bit in bits_in(open_cells)])

    def _aim(self, seat: Seat) -> Objective:
        """Return the goal of ``seat``."""
        return texts.objective(seat, homeless=not self.board.homes[seat])

    def view(self) -> BoardView:
        """Return the board; the cubes of the latest turn and the glass taken or fought for in it are marked."""
        return pipelines_view(self.board, self.latest, tuple(self._standing()), tuple(self._choices()))

    def _standing(self) -> Iterator[Phrase]:
        """Yield sentences on how things stand: the glass, the die, and only where they matter battles and rounds."""
        battle, names = self.battle, self.board.hexes.names
        if self.board.glass:
            shares = self.board.shares
            yield texts.glass_line([(seat, shares[seat]) for seat in self._staying()], self.board.free.bit_count())
        if self.result:
            return
        if self.rolled != self.allowance or battle:  # else the prompt says as much
            yield texts.rolled_line(self.turn, self.rolled, self.allowance)
        if battle:
            yield texts.battle_line(self.turn, battle.defender, names[battle.glass], battle.won, battle.lost)
        if self.rest:
            yield texts.waiting_line(self.rest)
        if self._barred:
            yield texts.fought_line(self.turn, self.board.hexes.listed(self._barred))
        if self.quiet:
            yield texts.quiet_line(self.quiet, QUIET)
        if self.rounds >= LONGEST - _LAST:
            yield texts.last_rounds_line(self.rounds + 1, LONGEST)

    def _choices(self) -> Iterator[tuple[Phrase, int]]:
        """Yield the cells that the seat to act may choose, and those that lead to glass, each set behind its words."""
        if not isinstance(self.to_act, int):
            return
        hexes = self.board.hexes
        if self._homing:
            yield texts.home_choices(self.turn), self.board.home_cells
            return
        line = self._placement()
        yield texts.open_choices(self.turn), line.open
        yield texts.free_glass_choices(), line.open & hexes.around(line.free)
        for seat, held in enumerate(self.board.held):
            yield texts.foe_choices(seat), line.open & hexes.around(line.foes & held)

    def _checked(self, words: tuple[str, ...]) -> tuple["Pipelines", int]:
        """Return the position after a move, still in the same turn, and how many words counted; IllegalMove."""
        if not isinstance(self.to_act, int):
            raise IllegalMove(*self._refusal_of_all(" ".join(words)))
        bits, seat = self.board.hexes.bits, self.turn
        if self._homing:
            home = bits.get(words[0], 0) if len(words) == 1 else 0
            if not home & self.board.home_cells:
                raise self._refusal(words, words[0] if home else "")
            return replace(self, board=self.board.with_home(seat, home), latest=home), 1
        if words == (texts.PASS,):
            return replace(self, latest=self._marked), 1
        if not 0 < len(words) <= self.allowance or len(set(words)) < len(words) or not set(words) <= bits.keys():
            raise self._refusal(words, "")
        following, done = self._lay(words)
        if done < len(words) and not following.battle and not following.result:
            raise self._refusal(words, words[done])
        return following, done

    def _longer(self, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Yield the legal lines that begin with a legal line and go on."""
        following, _ = self._lay(words)
        if following.battle:
            others = [name for name in self.board.hexes.bits if name not in words]
            for length in range(1, following.allowance + 1):
                yield from ((*words, *rest) for rest in permutations(others, length))
        elif following.allowance and not following.result:
            for name in self.board.hexes.listed(following._placement().open):
                yield (*words, name)
                yield from self._longer((*words, name))

    def _trial(self) -> Trial:
        """Return an empty line of the seat to act, to be tried."""
        return Trial(self.board, self._placement(), self.allowance)

    def _deeds(self, following: "Pipelines") -> tuple[list[str], Seat | None, str]:
        """Return the glass taken up to ``following``, still in this turn, and the seat and the glass attacked."""
        hexes, battle = self.board.hexes, following.battle
        taken = hexes.listed(following.board.held[self.turn] & ~self.board.held[self.turn])
        return (taken, battle.defender, hexes.names[battle.glass]) if battle else (taken, None, "")

    def _refusal_of_all(self, text: str) -> Refusal:
        """Return why nothing can be played while no seat is to act."""
        return match_over(text) if self.result else roll_first(text)

    def _refusal(self, words: tuple[str, ...], word: str) -> IllegalMove:
        """Return why ``words`` cannot be played: ``word`` fails, or with "" the placement as a whole."""
        hexes, text, homing = self.board.hexes, " ".join(words), self._homing
        if not word:
            if homing:
                return IllegalMove(*texts.not_one_home(text, len(words) if words != (texts.PASS,) else 0))
            return IllegalMove(*texts.too_many(text, len(words), self.allowance, self.rolled))
        cell = hexes.bits[word]
        thing, owner = self.board.occupant(cell)
        if thing:
            return IllegalMove(*texts.occupied(word, text, thing, None if owner == self.turn else owner, homing=homing))
        near = hexes.listed(hexes.around(cell) & (self.board.glass if homing else self._barred))
        if near:
            code = "home_beside_glass" if homing else "battle_already_fought"
            return IllegalMove(*texts.refuse(code, text=text, cell=word, glass=near[0]))
        return IllegalMove(*texts.out_of_reach(word, text, later=words.index(word) > 0))


@lru_cache(maxsize=64)  # every refusal of a move gives an example
def _turn_prompt(board: Board, seat: Seat, fought: int, allowance: int, further: bool) -> Prompt:
    """Return what ``seat`` may write, who can still place ``allowance`` cubes; ``further``: after others."""
    line = board.placement(seat, fought)
    if not line.open:
        return texts.pass_prompt()
    example = " ".join(board.hexes.names[cube] for cube in line.sensible(allowance))
    return texts.turn_prompt(example or texts.PASS, allowance, further=further)


def start_pipelines(seats: int, options: Mapping[str, Value]) -> Pipelines:
    """Return the opening position."""
    none = (0,) * seats
    board = Board(hex_board(int(options["size"])), 0, none, none, none)
    return Pipelines(board, lenient=options[VERSION] != 1)
