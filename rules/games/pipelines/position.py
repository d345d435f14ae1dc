"""Pipelines: cubes grow from the homes of two or three players to the glass on a hexagonal board.

The rules are told to players in help.py, where everything that was left open is marked "our reading";
where the glass stands follows from one number, as layout.py says.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

from rules.errors import IllegalMove, InvalidMove, RulesError, quote
from rules.game import VERSION, Value
from rules.games.pipelines import texts
from rules.games.pipelines.course import DEFENCE, DIE, LAYOUT, LONGEST, QUIET, Course
from rules.games.pipelines.layout import hex_board
from rules.games.pipelines.turn import Board, sensible_home
from rules.games.pipelines.view import pipelines_view
from rules.notation import Move, letter_first, letters_first, read_words
from rules.phrase import verbatim
from rules.position import Objective, Prompt, Seat, reply_with
from rules.text import within
from rules.view import BoardView


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
            sentence = f"{quote(text)} names {twice} twice, and a cell takes one cube; {self._hint()}."
            raise InvalidMove("cell_named_twice", sentence, {"text": text, "cell": twice})
        if self.board.free & ~hexes.around(sum(hexes.bits.get(word, 0) for word in words)):
            return Move(words)  # some glass stays nobody's
        try:
            following, done = self._checked(words)
        except IllegalMove:
            # Whether the rules forbid the move is for `play` to texts.
            return Move(words)
        return Move(words[:done] if following.result else words)

    def _read(self, text: str) -> tuple[str, ...]:
        """Return the words of a line as people write it: cells, or "pass" alone; raises InvalidMove."""
        hexes, words = self.board.hexes, read_words(text)
        if not words:
            raise InvalidMove("not_a_move", f"{quote(text)} is no move; {self._hint()}.", {"text": text})
        for word in words:
            if word in hexes.bits or words == (texts.PASS,):
                continue
            if word[:1].isalpha() and word[1:].isdecimal() and word.isascii():
                sentence = f"{quote(word)} is not on this board, {hexes.row_extent(word)}; {self._hint()}."
                raise InvalidMove("cell_off_board", sentence, {"cell": word})
            if letters_first(word) in hexes.bits:
                raise letter_first(self, text, word, " ".join(map(letters_first, words)))
            what = f"{quote(word)}{within(word, text)}"
            if word == texts.PASS:
                raise InvalidMove("pass_not_alone", f"{what} must stand alone; {self._hint()}.", {"text": text})
            raise InvalidMove("not_a_cell", f"{what} is not the name of a cell; {self._hint()}.", {"word": word})
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

    def _deed(self, move: Move) -> str:
        """Return what happened by ``move``: only cubes that it places before a battle are in it."""
        if self._homing:
            return f"made {move} the home"
        if move.words == (texts.PASS,):
            return "passed" if self._placement().open else "had to pass, as no cell is open"
        following, done = self._checked(move.words)
        return self._deeds(following, move.words[:done])

    def _roll(self, value: int) -> str:
        """Return what happened by the roll awaited here; of a battle, each round in one piece."""
        role, awaited, battle = texts.ROLES[self.turn], self.to_act, self.battle
        if awaited is LAYOUT:
            return "The glass was laid out."
        if awaited is DIE:
            return f"{role} rolled a {value}."
        if awaited is not DEFENCE or battle is None:
            return ""
        hexes, after, foe = self.board.hexes, battle.after(value), texts.ROLES[battle.defender]
        glass, score, away = (
            hexes.names[battle.glass],
            (after.won, after.lost),
            (battle.away(battle.die), battle.away(value)),
        )
        told = texts.battle_round(role, foe, glass, battle.spinner, (battle.die, value), score, away)
        if not after.decided:
            return told
        loser, settled = battle.defender if after.won > after.lost else self.turn, self._settled(after)
        cubes = hexes.listed(self.board.cubes[loser] & ~settled.board.cubes[loser])
        lost = hexes.listed(self.board.held[loser] & ~settled.board.held[loser] & ~battle.glass)
        told += texts.battle_end(role, foe, glass, score, cubes, lost)
        further, done = settled._lay(self.rest, battle.cube)
        if deeds := settled._deeds(further, self.rest[:done]):
            told += f" {role} then {deeds}."
        if further.result or further.battle:
            return told
        return told + texts.onward(role, self.rest[done:], further.allowance if further._placement().open else 0)

    def roles(self) -> tuple[str | None, ...]:
        """Return "Red", "Blue" and "Yellow", in the order of the seats."""
        return texts.ROLES[: self._seats]

    def prompt(self) -> Prompt:
        """Return what the seat to act may write; the example builds to the nearest glass that is nobody's."""
        if not isinstance(self.to_act, int):
            raise RulesError("no_prompt", "Nobody is to reply with a move now.")
        if self._homing:
            return reply_with(texts.HOME_WANTED, self.board.hexes.names[sensible_home(self.board)])
        return _turn_prompt(self.board, self.turn, self._barred, self.allowance, self.allowance < self.rolled)

    def _aim(self, seat: Seat) -> Objective:
        """Return the goal of ``seat``."""
        return Objective(verbatim(texts.objective(texts.ROLES[seat], not self.board.homes[seat])))

    def view(self) -> BoardView:
        """Return the board; the cubes of the latest turn and the glass taken or fought for in it are marked."""
        return pipelines_view(self.board, self.latest, tuple(self._standing()), tuple(self._choices()))

    def _standing(self) -> Iterator[str]:
        """Yield sentences on how things stand."""
        role, battle, names = texts.ROLES[self.turn], self.battle, self.board.hexes.names
        if self.board.glass:
            counts = [(texts.ROLES[seat], self.board.shares[seat]) for seat in self._staying()]
            yield texts.shares(counts, self.board.free.bit_count())
        if self.result:
            return
        if self.rounds or self.rolled:
            yield texts.rounds(self.rounds + 1, LONGEST, self.quiet, QUIET)
        if self.rolled:
            yield texts.rolled(role, self.rolled, self.allowance, self.allowance < self.rolled)
        if battle:
            foe = texts.ROLES[battle.defender]
            yield texts.battle_stands(role, foe, names[battle.glass], names[battle.cube], battle.won, battle.lost)
        if self.rest:
            yield texts.waiting(self.rest)
        if self._barred:
            yield texts.fought(role, self.board.hexes.listed(self._barred))

    def _choices(self) -> Iterator[tuple[str, int]]:
        """Yield the cells that the seat to act may choose, and those that lead to glass, each set behind its words."""
        if not isinstance(self.to_act, int):
            return
        hexes, role = self.board.hexes, texts.ROLES[self.turn]
        if self._homing:
            yield f"{role} may have the home on", self.board.home_cells
            return
        line = self._placement()
        yield f"{role} may place the next cube on", line.open
        yield "Nobody’s glass is taken by a cube on", line.open & hexes.around(line.free)
        for seat, held in enumerate(self.board.held):
            yield f"{texts.ROLES[seat]}’s glass is attacked by a cube on", line.open & hexes.around(line.foes & held)

    def _checked(self, words: tuple[str, ...]) -> tuple["Pipelines", int]:
        """Return the position after a move, still in the same turn, and how many words counted; IllegalMove."""
        if not isinstance(self.to_act, int):
            code, text = "roll_first" if self.to_act else "match_over", " ".join(words)
            raise IllegalMove(code, f"{quote(text)} cannot be played now: {self._hint()}.", {"text": text})
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

    def _deeds(self, following: "Pipelines", words: tuple[str, ...]) -> str:
        """Return what cubes placed on ``words`` led to, to follow a name; ``following`` is still in this turn."""
        hexes, battle = self.board.hexes, following.battle
        taken = hexes.listed(following.board.held[self.turn] & ~self.board.held[self.turn])
        foe, disputed = (texts.ROLES[battle.defender], hexes.names[battle.glass]) if battle else ("", "")
        return texts.deeds(words, taken, foe, disputed, following.rest)

    def _refusal(self, words: tuple[str, ...], word: str) -> IllegalMove:
        """Return why ``words`` cannot be played: ``word`` fails, or with "" the placement as a whole."""
        hexes, text, homing = self.board.hexes, " ".join(words), self._homing
        if not word:
            count: dict[str, str | int] = {"text": text, "count": len(words)}
            code, why = ("not_one_home", texts.no_home(words)) if homing else ("too_many_cells", "")
            why = why or texts.no_line(len(words), self.allowance, self.rolled)
            return IllegalMove(code, f"{quote(text)} {why}; {self._hint()}.", count)
        cell = hexes.bits[word]
        near = hexes.listed(hexes.around(cell) & (self.board.glass if homing else self._barred))
        whose = ["your" if seat == self.turn else f"{texts.ROLES[seat]}’s" for seat in range(self._seats)]
        arguments: dict[str, str | int] = {"text": text, "cell": word}
        if thing := self.board.occupant(cell, whose):
            code, why = "cell_occupied", texts.occupied(homing, thing)
        elif near:
            code, why = "home_beside_glass" if homing else "battle_already_fought", texts.too_near(homing, near[0])
            arguments["glass"] = near[0]
        else:
            code, why = "cell_out_of_reach", texts.unreached(words.index(word) > 0)
        where = f"In {quote(text)}, " if len(words) > 1 else ""
        return IllegalMove(code, f"{where}{quote(word)} {why}; {self._hint()}.", arguments)

    def _hint(self) -> str:
        """Return what may be written, as the end of a sentence."""
        if not isinstance(self.to_act, int):
            return "a lot is to be drawn first" if self.to_act else "the match is over"
        prompt = self.prompt()
        return f"reply with {prompt.what}, for example “{prompt.example}”"


@lru_cache(maxsize=64)  # every refusal of a move gives an example
def _turn_prompt(board: Board, seat: Seat, fought: int, allowance: int, further: bool) -> Prompt:
    """Return what ``seat`` may write, who can still place ``allowance`` cubes; ``further``: after others."""
    line = board.placement(seat, fought)
    if not line.open:
        return reply_with(f"the word {texts.PASS}", texts.PASS)
    example = " ".join(board.hexes.names[cube] for cube in line.sensible(allowance))
    return reply_with(texts.wanted(allowance, further), example or texts.PASS)


def start_pipelines(seats: int, options: Mapping[str, Value]) -> Pipelines:
    """Return the opening position."""
    none = (0,) * seats
    board = Board(hex_board(int(options["size"])), 0, none, none, none)
    return Pipelines(board, lenient=options[VERSION] != 1)
