"""Pip•Pip, a game of sixteen dice on a 4×4 chessboard: a die just placed may take over its neighbours.

The rules are told to players in help.py, where everything that the rules leave open is marked "our reading".
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
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
from rules.games.pippip.dice import CELLS, DICE, NUMBERS, RINGS, Board, Standing, best, board_view, score, taken
from rules.notation import letter_first, letters_first, read_words, suggest_instead
from rules.phrase import verbatim
from rules.position import Chance, Objective, Outcome, Prompt, Seat, SeatedPosition, reply_with
from rules.text import choice, listed, within
from rules.view import BoardView

COLOURS, STARTER, DIE = Chance("colours", 2), Chance("starting player", 2), Chance("die", 6)

_FULL = 3
"""The greatest number of dice in a store."""

_LONGEST = 80
"""No move is written with more characters."""

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
                write = self._fitting(rolled)
                raise InvalidMove(*texts.refuse("other_die_rolled", text=text, top=top, rolled=hand, write=write))
            if why := self._refusal(replace(move, north=RINGS.get(self._top(move), (0,))[0]), text):
                raise InvalidMove(*why)
            raise AmbiguousMove(*texts.refuse("north_missing", text=text, write=self._fitting(move)))
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

    def _deed(self, move: Move) -> str:
        """Return what happened by ``move``, with the dice that it takes over."""
        if move.word == "roll":
            return "rolled"
        if move.word == "store":
            return f"set the {self.hand} aside"
        top = self._top(move)
        won = taken(self.board, self._light, NUMBERS[move.cell], DICE[top][move.north])
        cells, role = [CELLS[other] for other, _ in won], texts.side_name(self._light)
        return texts.placed(top, move.cell, move.north, move.word == "use", cells, role)

    def _roll(self, value: int) -> str:
        """Return what happened by a roll; the roles tell the colours."""
        awaited = self.to_act
        if awaited == COLOURS:
            return ""
        if awaited == STARTER:
            return f"The lot lets {texts.side_name(value == 1)} begin."
        return f"{texts.side_name(self._light)} rolled a {value}."

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
            sentence = "There is nothing to reply with: the match is over, or a lot is to be drawn first."
            raise RulesError("no_prompt", sentence)
        return reply_with(texts.wanted(self.hand, self._may_roll), self._example())

    def _aim(self, seat: Seat) -> Objective:
        """Return the goal of ``seat``."""
        return Objective(verbatim(texts.objective(self.roles()[seat])))

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
        """Return how a full ``board`` ends the match: equal scores are a draw (our reading)."""
        light, dark = score(board)
        winners = [seat for seat in (0, 1) if light == dark or (seat == self.light) == (light > dark)]
        return Outcome(frozenset(winners), texts.ending(light, dark))

    def _standing(self) -> tuple[str, ...]:
        """Return what was rolled, what is in store and what the score is, once the colours are rolled."""
        if self.light is None:
            return ()
        light, dark = self.stores[self.light], self.stores[1 - self.light]
        sums = texts.scores(*score(self.board), over=self.result is not None)
        if self.result:
            return (sums,)
        dice = sorted({*light, *dark, *([self.hand] if self.hand else [])})
        rolled = (texts.rolled(texts.side_name(self._light), self.hand),) if self.hand else ()
        sides = (texts.sides({top: RINGS[top] for top in dice}),) if dice else ()
        return (*rolled, texts.stores(light, dark), *sides, sums)

    def _unread(self, text: str, plain: str) -> InvalidMove:
        """Return why ``text``, whose words are ``plain``, cannot be read."""
        turned = letters_first(plain)
        pairs = zip(plain.split(), turned.split(), strict=True)
        word, name = next(((old, new) for old, new in pairs if old != new), ("", ""))
        if name in NUMBERS:
            return letter_first(self, text, word, turned)
        if found := _DISORDERED.fullmatch(plain):
            cell, north = found["cell"] or found["last"], found["bare"] or found["north"] or found["number"]
            if cell in NUMBERS:
                return suggest_instead(self, texts.refuse("placement_disordered", text=text), f"{cell} n{north}")
        using = plain.startswith("use ") and not self.hand
        example = str(self._best_use()[1]) if using else self._example()
        what = texts.wanted(self.hand, self._may_roll)
        return InvalidMove(*texts.refuse("not_a_move", text=text, what=what, example=example))

    def _meant(self, text: str, cell: str, north: int) -> int:
        """Return the number of the stored die that "use" means without naming one, as ``text`` does.

        ``north`` is 0 if it is not named either.
        """
        store = self.stores[self.turn]
        if self.hand:
            why = texts.refuse("rolled_die_first", text=text, rolled=self.hand, example=self._example())
            raise InvalidMove(*why)
        if len(set(store)) > 1:
            moves = (Move("use", cell, north or RINGS[top][0], top) for top in dict.fromkeys(store))
            possible = [str(move) for move in moves if not self._refusal(move, text)]
            write = choice(possible or [str(self._best_use()[1])])
            raise AmbiguousMove(*texts.refuse("die_not_named", text=text, write=write))
        return store[0]

    def _fitting(self, move: Move) -> str:
        """Return ``move`` with each number that may face north, to choose from."""
        return choice(str(replace(move, north=north)) for north in sorted(RINGS[self._top(move)]))

    def _off_board(self, text: str, cell: str) -> Refusal:
        """Return why nothing is placed on ``cell``, no cell of this board."""
        return texts.refuse("cell_off_board", cell=cell, where=within(cell, text))

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
                return refuse("rolled_already", rolled=hand, example=self._example())
            if self._may_roll:
                return None
            return refuse("store_full", why=texts.full(store, self._turns_left), example=str(self._best_use()[1]))
        if move.word != "use" and not hand:
            roll = "write “roll” first, or " if self._may_roll else ""
            return refuse("no_die_rolled", roll=roll, example=str(self._best_use()[1]))
        if move.word == "store":
            return None
        if move.word == "use" and hand:
            return refuse("rolled_die_first", rolled=hand, example=self._example())
        if move.word == "use" and move.top not in store:
            return refuse("die_not_stored", top=move.top, store=listed(store), example=str(self._best_use()[1]))
        if move.cell not in NUMBERS:
            return self._off_board(text, move.cell)
        if self.board[NUMBERS[move.cell]]:
            return refuse("cell_occupied", cell=move.cell, empty=texts.empty_cells(self._free()))
        top = self._top(move)
        if move.north not in RINGS[top]:
            fitting = listed(sorted(RINGS[top]), "or")
            return refuse("north_impossible", top=top, fitting=fitting, write=self._fitting(move))
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
        gain, cell, north = best(self.board, self._light, top)
        return gain, Move("place", cell, north) if self.hand else Move("use", cell, north, top)


def start_pippip(seats: int, options: Mapping[str, Value]) -> PipPip:
    """Return the opening position."""
    return PipPip()
