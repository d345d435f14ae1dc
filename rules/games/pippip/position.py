"""Pip•Pip, a game of sixteen dice on a 4×4 chessboard: a die just placed may take over its neighbours.

The rules are told to players in help.py, with what the original rules leave open.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Literal

from rules.errors import (
    AmbiguousMove,
    IllegalMove,
    InvalidMove,
    Refusal,
    RulesError,
    match_over,
    no_such_roll,
    roll_first,
)
from rules.game import Value
from rules.games.pippip import texts
from rules.games.pippip.dice import CELLS, DICE, NUMBERS, RINGS, Board, Standing, best, board_view, ranked, score, taken
from rules.notation import letter_first, letters_first, read_words
from rules.phrase import Event, Listed, Phrase, listed, mark, phrase
from rules.position import Chance, Choice, Objective, Outcome, Prompt, Seat, SeatedPosition
from rules.view import BoardView

COLOURS, STARTER, DIE = Chance(mark("colours"), 2), Chance(mark("starting player"), 2), Chance(mark("die"), 6)

_FULL = 3
"""The greatest number of dice in a store."""

_LONGEST = 80
"""No move is written with more characters."""

_MOST, _MOST_LIKE = 5, 8
"""So many answers are suggested, and so many shown that are like a refused one."""

# A placement as `str` writes it, and records hold it; people write in other ways too.
_RECORDED = re.compile(r"(?:use (?P<top>[1-6]) )?(?P<cell>[a-d][1-4]) n(?P<north>[1-6])")

_BETWEEN = re.compile(r"[=:()]")
_FILLING = {"on", "at", "with", "the", "facing", "die"}
_PLACING = re.compile(
    r"(?P<use>use )?(?:(?P<top>[0-9]{1,2}) )?(?P<cell>[a-mo-z][0-9]{1,9})"
    r"(?: (?:n(?:orth ?)?(?P<north>[0-9]{1,2})|(?P<number>[0-9]{1,2}) ?n(?:orth)?))?"
)

# A placement with the number that faces north at the wrong place, or without its letter.
_DISORDERED = re.compile(
    r"(?P<cell>[a-mo-z][0-9]{1,9}) (?P<bare>[0-9])"
    r"|(?:n(?:orth ?)?(?P<north>[0-9])|(?P<number>[0-9]) ?n(?:orth)?) (?P<last>[a-mo-z][0-9]{1,9})"
)

Word = Literal["roll", "store", "use", "place"]


@dataclass(frozen=True, slots=True)
class Move:
    """A step of a turn; ``cell`` and ``north`` are of a die placed, ``top`` is of one used from the store."""

    word: Word
    cell: str = ""
    north: int = 0
    top: int = 0

    def __str__(self) -> str:
        if self.word in ("roll", "store"):
            return self.word
        return f"{f'use {self.top} ' if self.word == 'use' else ''}{self.cell} n{self.north}"


_STEPS = {"roll": Move("roll"), "store": Move("store")}
"""The moves that are words alone."""


@dataclass(frozen=True, slots=True)
class PipPip(SeatedPosition[Move]):
    """A position of Pip•Pip.

    ``light`` is the seat that plays Light; ``awaited`` is the roll that comes next; ``hand`` is the number rolled
    and not yet placed, 0 if there is none; ``stores`` are by seat, in rising order; ``latest`` are the cells that
    the latest placement touched.
    """

    light: Seat | None = None
    turn: Seat = 0
    awaited: Chance | None = COLOURS
    hand: int = 0
    board: tuple[Standing | None, ...] = (None,) * len(CELLS)
    stores: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    latest: tuple[str, ...] = ()

    @property
    def to_act(self) -> Seat | Chance | None:
        """The seat to act, or the roll that comes next.

        A seat that acts has a choice, so `forced` stays as it is: a rolled die can be stored, and a stored one
        can be placed in four ways wherever there is an empty cell.
        """
        return None if self.result else self.awaited or self.turn

    def parse(self, text: str) -> Move:
        """Read "roll", "store", or a placement; a number before the cell is the die's, in hand or in the store."""
        bare, hand = text.strip(), self.hand
        if not isinstance(self.to_act, int):
            raise InvalidMove(*self._refusal_of_all(text))
        if step := _STEPS.get(text):
            return step
        if (found := _RECORDED.fullmatch(text)) and not (hand and found["top"] == str(hand)):
            top = int(found["top"] or 0)
            return Move("use" if top else "place", found["cell"], int(found["north"]), top)
        words = read_words(_BETWEEN.sub(" ", bare)) if len(bare) <= _LONGEST else ()
        words = tuple(word for word in words if word not in _FILLING)
        if step := _STEPS.get(words[0] if words else ""):
            if len(words) == 1 or words == ("store", str(hand)):
                return step
            raise InvalidMove(*(self._refusal(step, text) or texts.refuse("step_not_alone", text=text, word=step.word)))
        plain = " ".join(words)
        found = _PLACING.fullmatch(plain)
        if not found:
            raise self._unread(text, plain)
        if found["cell"] not in NUMBERS:
            raise InvalidMove(*self._off_board(text, found["cell"]))
        top, written = int(found["top"] or 0), found["north"] or found["number"]
        if found["use"] and not found["top"]:
            top = self._meant(text, found["cell"], int(written or 0))
        # The rolled die may be named, and "use" with its number comes to the same.
        stored = bool(found["use"] or found["top"]) and not (hand and top == hand)
        move = Move("use" if stored else "place", found["cell"], int(written or 0), top if stored else 0)
        if written is None:
            if hand and stored and not found["use"] and move.cell in self._free():
                rolled = Move("place", move.cell)
                write = self._best_on(rolled)
                raise InvalidMove(*texts.refuse("other_die_rolled", text=text, top=top, rolled=hand, write=write))
            if why := self._refusal(replace(move, north=RINGS.get(self._top(move), (0,))[0]), text):
                raise InvalidMove(*why)
            top, fitting, write = self._top(move), self._fitting(move), self._best_on(move)
            raise AmbiguousMove(*texts.refuse("north_missing", text=text, top=top, fitting=fitting, write=write))
        return move

    def play(self, move: Move) -> "PipPip":
        """Return the position after ``move``; a placement ends the turn, and the last one the match."""
        if why := self._refusal(move, str(move)):
            raise IllegalMove(*why)
        seat, store = self.turn, list(self.stores[self.turn])
        if move.word == "roll":
            return PipPip(self.light, seat, DIE, 0, self.board, self.stores, self.latest, gone=self.gone)
        if move.word == "store":
            stores = self._with_store(sorted([*store, self.hand]))
            return PipPip(self.light, seat, None, 0, self.board, stores, self.latest, gone=self.gone)
        if move.word == "use":
            store.remove(move.top)
        stores = self._with_store(store)
        cell, die = NUMBERS[move.cell], DICE[self._top(move)][move.north]
        light, board = self._light, list(self.board)
        board[cell] = Standing(light, die)
        won = taken(self.board, light, cell, die)
        for other, its in won:
            board[other] = Standing(light, its)
        latest = (move.cell, *(CELLS[other] for other, _ in won))
        result = None if None in board else self._ending(board)
        awaited = None if result or stores[1 - seat] else DIE
        return PipPip(self.light, 1 - seat, awaited, 0, tuple(board), stores, latest, gone=self.gone, result=result)

    def roll(self, value: int) -> "PipPip":
        """Return the position after a roll: the colours, who begins, or a die."""
        awaited = self.to_act
        if not isinstance(awaited, Chance) or value not in range(1, awaited.faces + 1):
            raise RulesError(*no_such_roll(value))
        if awaited == COLOURS:
            return replace(self, light=value - 1, awaited=STARTER)
        if awaited == STARTER:
            first = next(seat for seat in (0, 1) if (seat == self.light) == (value == 1))
            return replace(self, turn=first, awaited=DIE)
        return PipPip(self.light, self.turn, None, value, self.board, self.stores, self.latest, gone=self.gone)

    def describe(self, move: Move) -> Event:
        """Return what happened by ``move``, with the dice that it takes over."""
        if move.word == "roll":
            return texts.chose_to_roll(self.turn)
        if move.word == "store":
            return texts.stored(self.turn, self.hand)
        top = self._top(move)
        return texts.placed(self.turn, top, move.cell, self._won(move), from_store=move.word == "use")

    def describe_roll(self, value: int) -> tuple[Event, ...]:
        """Return what happened by a roll; the colours are told by the roles."""
        awaited = self.to_act
        if awaited == COLOURS:
            return ()
        if awaited == STARTER:
            return (texts.begins(self.roll(value).turn),)
        return (texts.rolled(self.turn, value),)

    def legal_moves(self) -> Iterator[Move]:
        """Yield "store" or "roll" where it is allowed, then every placement."""
        if not isinstance(self.to_act, int):
            return
        if self.hand:
            yield Move("store")
        elif self._may_roll:
            yield Move("roll")
        for top in [0] if self.hand else sorted(set(self.stores[self.turn])):
            for cell in self._free():
                for north in RINGS[top or self.hand]:
                    yield Move("use" if top else "place", cell, north, top)

    def any_move(self, pick: Callable[[int], int]) -> Move:
        """Return some legal move; every fifth rolled die is stored, every second stored one is left there."""
        store = self.stores[self.turn]
        if self.hand:
            if pick(5) == 0:
                return Move("store")
        elif self._may_roll and pick(2) == 0:
            return Move("roll")
        top = 0 if self.hand else store[pick(len(store))]
        free = self._free()
        return Move("use" if top else "place", free[pick(len(free))], RINGS[top or self.hand][pick(4)], top)

    def roles(self) -> tuple[str | None, ...]:
        """Return "Light" or "Dark" for every seat once the colours are rolled."""
        return tuple(None if self.light is None else texts.side_name(seat == self.light) for seat in (0, 1))

    def prompt(self) -> Prompt:
        """Return what the seat to act may write, with an example that gains much at once."""
        if not isinstance(self.to_act, int):
            raise RulesError("no_prompt", phrase("There’s nothing to reply with: the match is over, or a roll is due."))
        example = self._example()
        if self.hand:
            return texts.hand_prompt(example)
        use = str(self._best_use()[1]) if example == str(_STEPS["roll"]) else example
        return texts.store_prompt(example, use, may_roll=self._may_roll)

    def suggestions(self) -> tuple[Choice, ...]:
        """Return the best placements, each on a cell of its own, and to store or to roll where that is allowed.

        Where only one cell gains anything, it is all the ways to place a die there.
        """
        if not isinstance(self.to_act, int):
            return ()
        other = (texts.STORE,) if self.hand else (texts.ROLL,) if self._may_roll else ()
        tops = (self.hand,) if self.hand else dict.fromkeys(self.stores[self.turn])
        ways = [(worth, top) for top in tops for worth in ranked(self.board, self._light, top)]
        ways.sort(key=lambda way: -way[0].gain)
        cells = {worth.cell for worth, _ in ways if worth.gain} or {worth.cell for worth, _ in ways}
        most = _MOST - len(other)
        if len(cells) == 1:
            choices = self._choices_on(min(cells), [ways[0][1]])[:most]
        else:
            best_on = {way[0].cell: way for way in reversed(ways)}
            choices = [
                self._choice(self._placement(way[0].cell, way[0].north, way[1]), scores=way[0].scores)
                for way in islice((way for way in ways if best_on[way[0].cell] is way), most)
            ]
        return (*other, *choices) if other and self._example() == other[0].move else (*choices, *other)

    def answers_like(self, text: str) -> tuple[Choice, ...]:
        """Return the ways to place a die on the one cell that ``text`` names, the best first."""
        if not isinstance(self.to_act, int) or len(text) > _LONGEST:
            return ()
        words = read_words(letters_first(_BETWEEN.sub(" ", text)))
        cells = {NUMBERS[word] for word in words if word in NUMBERS}
        if len(cells) != 1 or self.board[min(cells)]:
            return ()
        store = dict.fromkeys(self.stores[self.turn])
        named = [top for top in store if str(top) in words]
        tops = [self.hand] if self.hand else named or list(store)
        return tuple(self._choices_on(min(cells), tops)[:_MOST_LIKE])

    def first_cells(self) -> frozenset[str]:
        """Return the empty cells while a die is in hand: the number that faces north has to follow."""
        return frozenset(self._free()) if self.hand else frozenset()

    def lone_cells(self) -> frozenset[str]:
        """Return no cells: a number, or the word for a stored die, belongs to every move."""
        return frozenset()

    def _aim(self, seat: Seat) -> Objective:
        """Return the goal of ``seat``."""
        return texts.objective(self.roles()[seat])

    def view(self) -> BoardView:
        """Return the board; the die placed latest and those that it took over are marked."""
        return board_view(self.board, self.latest, captions=texts.CAPTIONS, standing=self._standing())

    @property
    def _light(self) -> bool:
        """Whether the seat to act plays Light."""
        return self.turn == self.light

    @property
    def _may_roll(self) -> bool:
        """Whether the store of the seat to act leaves room for one more die."""
        return not self.hand and len(self.stores[self.turn]) < min(_FULL, self._turns_left)

    @property
    def _turns_left(self) -> int:
        """The number of dice that the seat to act has still to place, this turn's included."""
        return (self.board.count(None) + 1) // 2

    def _free(self) -> list[str]:
        """Return the empty cells."""
        return [name for name, stood in zip(CELLS, self.board, strict=True) if stood is None]

    def _top(self, move: Move) -> int:
        """Return the number on top of the die that ``move`` places."""
        return move.top if move.word == "use" else self.hand

    def _with_store(self, store: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the stores when the seat to act holds ``store``."""
        other = self.stores[1 - self.turn]
        return (other, tuple(store)) if self.turn else (tuple(store), other)

    def _ending(self, board: Board) -> Outcome:
        """Return how a full ``board`` ends the match: equal scores are a draw."""
        light, dark = score(board)
        winners = [seat for seat in (0, 1) if light == dark or (seat == self.light) == (light > dark)]
        winner = winners[0] if len(winners) == 1 else None
        story = texts.story(winner, max(light, dark), min(light, dark))
        return Outcome(frozenset(winners), texts.reason(light, dark), story)

    def _standing(self) -> tuple[Phrase, ...]:
        """Return what was rolled, the score, and what is in store, once the colours are rolled."""
        if self.light is None:
            return ()
        sums = texts.score_line(*score(self.board), over=self.result is not None)
        if self.result:
            return (sums,)
        light, dark = self.stores[self.light], self.stores[1 - self.light]
        stores = (texts.store_line(light, dark),) if light or dark else ()
        if self.hand:
            return (texts.hand_line(self._light, self.hand, RINGS[self.hand]), sums, *stores)
        own = () if self.awaited else self.stores[self.turn]
        sides = (texts.sides_line({top: RINGS[top] for top in own}),) if own else ()
        return (sums, *stores, *sides)

    def _won(self, move: Move) -> list[str]:
        """Return the cells that a placement takes over."""
        won = taken(self.board, self._light, NUMBERS[move.cell], DICE[self._top(move)][move.north])
        return [CELLS[other] for other, _ in won]

    def _placement(self, cell: int, north: int, top: int) -> Move:
        """Return the placement of a die with ``top``, the one in hand or one in store."""
        return Move("place", CELLS[cell], north) if self.hand else Move("use", CELLS[cell], north, top)

    def _choices_on(self, cell: int, tops: Sequence[int]) -> list[Choice]:
        """Return the ways to place a die with one of ``tops`` on an empty cell, the best first."""
        ways = [(worth, top) for top in tops for worth in ranked(self.board, self._light, top, (cell,))]
        ways.sort(key=lambda way: -way[0].gain)
        return [self._choice(self._placement(cell, worth.north, top)) for worth, top in ways]

    def _choice(self, move: Move, *, scores: bool = False) -> Choice:
        """Return a placement with its effect: what it takes over, or else, where it ``scores``, how much."""
        return Choice(str(move), texts.effect(self._won(move), self._top(move) if scores else 0))

    def _unread(self, text: str, plain: str) -> InvalidMove:
        """Return why ``text``, whose words are ``plain``, cannot be read."""
        turned = letters_first(plain)
        pairs = zip(plain.split(), turned.split(), strict=True)
        word, name = next(((old, new) for old, new in pairs if old != new), ("", ""))
        if name in NUMBERS:
            return letter_first(self, text, word, turned)
        if found := _DISORDERED.fullmatch(plain):
            cell, north = found["cell"] or found["last"], found["bare"] or found["north"] or found["number"]
            meant = Move("place", cell, int(north))
            if cell in NUMBERS:
                write = str(meant) if not self._refusal(meant, text) else self._example()
                return InvalidMove(*texts.refuse("placement_disordered", text=text, write=write))
        example = self._example() if self.hand else str(self._best_use()[1])
        return InvalidMove(*texts.refuse("not_a_move", text=text, example=example))

    def _meant(self, text: str, cell: str, north: int) -> int:
        """Return the number of the stored die that "use" means without naming one, as ``text`` does.

        ``north`` is 0 if it is not named either.
        """
        store = self.stores[self.turn]
        if self.hand:
            raise InvalidMove(*texts.refuse("rolled_die_first", text=text, rolled=self.hand, store="store"))
        if len(set(store)) > 1:
            moves = (Move("use", cell, north or RINGS[top][0], top) for top in dict.fromkeys(store))
            possible = [str(move) for move in moves if not self._refusal(move, text)]
            written = listed(possible or [str(self._best_use()[1])], "or")
            raise AmbiguousMove(*texts.refuse("die_not_named", text=text, moves=written))
        return store[0]

    def _fitting(self, move: Move) -> Listed:
        """Return the numbers that may face north on the die that ``move`` places."""
        return listed(sorted(RINGS[self._top(move)]), "or")

    def _best_on(self, move: Move) -> str:
        """Return ``move`` with the number north that is best on its cell, which is empty."""
        worth = ranked(self.board, self._light, self._top(move), [NUMBERS[move.cell]])[0]
        return str(replace(move, north=worth.north))

    def _off_board(self, text: str, cell: str) -> Refusal:
        """Return why nothing is placed on ``cell``, no cell of this board."""
        return texts.refuse("cell_off_board", cell=cell, text=text)

    def _refusal_of_all(self, text: str) -> Refusal:
        """Return why nothing can be played while no seat is to act."""
        return match_over(text) if self.result else roll_first(text)

    def _refusal(self, move: Move, text: str) -> Refusal | None:
        """Return why ``move``, written as ``text``, is forbidden, or None."""
        if self.result or self.awaited:
            return self._refusal_of_all(text)
        store, hand, refuse = self.stores[self.turn], self.hand, partial(texts.refuse, text=text)
        if move.word == "roll":
            if hand:
                return refuse("rolled_already", rolled=hand, store="store")
            if self._may_roll:
                return None
            return texts.store_full(text, store, self._turns_left, str(self._best_use()[1]))
        if move.word != "use" and not hand:
            return texts.no_die_rolled(text, str(self._best_use()[1]), may_roll=self._may_roll)
        if move.word == "store":
            return None
        if move.word == "use" and hand:
            return refuse("rolled_die_first", rolled=hand, store="store")
        if move.word == "use" and move.top not in store:
            return refuse("die_not_stored", top=move.top, store=listed(store))
        if move.cell not in NUMBERS:
            return self._off_board(text, move.cell)
        if self.board[NUMBERS[move.cell]]:
            free = CELLS[best(self.board, self._light, self._top(move)).cell]
            return refuse("cell_occupied", cell=move.cell, free=free)
        top = self._top(move)
        if move.north not in RINGS[top]:
            return refuse("north_impossible", top=top, fitting=self._fitting(move))
        return None

    @lru_cache(maxsize=16)  # noqa: B019  # keeps few positions: every line that is no move gets the same example
    def _example(self) -> str:
        """Return the move that gains most at once; a roll counts for what it gains on average."""
        gain, move = self._best(self.hand) if self.hand else self._best_use()
        if self._may_roll and 6 * gain < sum(self._best(top)[0] for top in RINGS):
            return "roll"
        return str(move)

    def _best_use(self) -> tuple[int, Move]:
        """Return what can be gained with a stored die, and how."""
        return max((self._best(top) for top in self.stores[self.turn]), key=lambda found: found[0])

    def _best(self, top: int) -> tuple[int, Move]:
        """Return what the best placement of a die with ``top`` gains in the score, and that placement."""
        worth = best(self.board, self._light, top)
        return worth.gain, self._placement(worth.cell, worth.north, top)


def start_pippip(seats: int, options: Mapping[str, Value]) -> PipPip:
    """Return the opening position."""
    return PipPip()
