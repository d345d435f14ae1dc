"""Pipline and Zipline, two games of Pippinzip: an unequal race on one board, sides settled by an auction.

Pippinzip is by Craig Duncan, João Pedro Neto and Bill Taylor (2020). The rules are told to players in
help.py, which says where the authors leave something open.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations
from typing import Self

from rules.board.groups import diagonal_group, straight_group, thinned
from rules.board.square import Grid, bits_in, square
from rules.board.views import square_view
from rules.errors import IllegalMove, InvalidMove, Refusal, RulesError, match_over
from rules.game import Value
from rules.games.pippinzip import texts
from rules.games.pippinzip.suggest import pairs, spread
from rules.notation import Move, letter_first, letters_first, read_words, suggest_instead
from rules.phrase import Event, phrase
from rules.position import Choice, Objective, Outcome, Prompt, Seat, SeatedPosition
from rules.view import BoardView, Chains, Piece

BLACK = Piece(key="black", symbol="X", name=phrase("black"), tone="black")
WHITE = Piece(key="white", symbol="O", name=phrase("white"), tone="white")
TAKE = "take"

_LIMITS = {1: "", 2: "two", 3: "auction"}
_BIDS = ((1, 0), (2, 0), (3, 0), (2, 2), (3, 3))  # numbers of stones, and of better points left out

_STRAIGHT = ((1, 0), (0, 1))
_CHAINS = Chains(phrase("chain"), (("black", _STRAIGHT), ("white", (*_STRAIGHT, (1, 1), (1, -1)))), sides=True)


def winning_group(grid: Grid, black: bool, stones: int, bit: int) -> int:
    """Return the group of ``bit`` among ``stones``, all of one colour, if it is a winning line, else 0.

    Black joins two opposite sides in straight steps, white all four sides, diagonals counting.
    """
    if stones.bit_count() < grid.size or not stones & bit:
        return 0
    group = (straight_group if black else diagonal_group)(stones, bit, grid.stride)
    across = group & grid.left and group & grid.right
    upward = group & grid.bottom and group & grid.top
    return group if (across or upward if black else across and upward) else 0


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays as it is all through a match.

    ``black_auction``: the colour of the auction and of its taker is black. ``pip_stones``: black stones in
    a turn. ``apart``: Pip's second stone, of the same seat or the partner's, not beside the first. ``inside``: a look.
    """

    grid: Grid
    seats: int
    black_auction: bool
    pip_stones: int
    apart: bool
    inside: bool


@dataclass(frozen=True, slots=True)
class Pippinzip(SeatedPosition[Move]):
    """A position of Pipline or Zipline.

    ``black`` and ``white`` are sets of points; ``turn`` is the seat whose turn it would be if nobody had
    left; ``taker`` is None during the auction; ``latest`` are the points of the last turn.
    """

    setup: Setup
    black: int = 0
    white: int = 0
    turn: Seat = 0
    taker: Seat | None = None
    latest: tuple[str, ...] = ()

    @property
    def to_act(self) -> Seat | None:
        """The seat to act; for a Pip partner who left it is the other one."""
        if self.result:
            return None
        return self.turn if self.turn not in self.gone else min(self.side(self.turn) - self.gone)

    def parse(self, text: str) -> Move:
        """Read points or "take"; stones written after one that wins are left out: they are not placed."""
        words = tuple(text.split(" "))  # the notation of records; people write in other ways too
        if not self.setup.grid.bits.keys() >= set(words):
            words = self._read(text)
        if len(words) == 1 or (len(words) == len(set(words)) and not self._may_win_before_last(words)):
            return Move(words)
        try:
            _, words, _ = self._lay(words)
        except IllegalMove:
            # Whether the rules forbid the move is for `play` to say.
            if twice := next((word for place, word in enumerate(words[1:], 1) if word in words[:place]), ""):
                why = texts.refuse("cell_named_twice", text=text, cell=twice)
                raise suggest_instead(self, why, " ".join(dict.fromkeys(words))) from None
        return Move(words)

    def _read(self, text: str) -> tuple[str, ...]:
        """Return the words of a line as people write it: points, or among them "take"; raises InvalidMove."""
        grid, words = self.setup.grid, read_words(text)
        if not words:
            raise InvalidMove(*texts.refuse("not_a_move", text=text))
        if words == (TAKE, "black" if self.setup.black_auction else "white"):  # "take black" names what it takes
            return words[:1]
        for word in words:
            if word[:1].isalpha() and word[1:].isdigit() and word not in grid.bits:
                raise InvalidMove(*self._off_board(word))
            if word != TAKE and word not in grid.bits:
                if letters_first(word) in grid.bits:
                    raise letter_first(self, text, word, " ".join(map(letters_first, words)))
                raise InvalidMove(*texts.refuse("not_a_cell", word=word, text=text))
        return words

    def play(self, move: Move) -> "Pippinzip":
        """Return the position after ``move``; stones after one that wins are not placed."""
        setup, turn = self.setup, self.turn
        following = (turn + 1) % setup.seats
        if move.words == (TAKE,) and self.taker is None and not self.result:
            return Pippinzip(setup, self.black, self.white, following, turn, gone=self.gone)
        own, words, reason = self._lay(move.words)
        while self.taker is None and following in self.gone:
            following = (following + 1) % setup.seats
        black, white = (own, self.white) if self._black_acts else (self.black, own)
        position = Pippinzip(setup, black, white, following, self.taker, words, gone=self.gone)
        if not reason:
            return position
        return replace(position, result=Outcome(self.side(turn), reason, self._story(position)))

    def _without(self, seat: Seat, word: str) -> Self:
        """Return the position after ``seat`` left; the others play on while two sides are present."""
        gone, turn = self.gone | {seat}, self.turn
        while self.taker is None and turn in gone:
            turn = (turn + 1) % self.setup.seats
        sides = {self.side(other) for other in range(self.setup.seats) if other not in gone}
        result = None
        if len(sides) == 1:
            winners, how = sides.pop(), (self.setup.seats, self.roles()[seat], word)
            result = Outcome(winners, texts.one_side_left(*how), texts.left_alone(winners, *how))
        return replace(self, turn=turn, gone=gone, result=result)

    def describe(self, move: Move) -> Event:
        """Return what happened by ``move``."""
        assert self.to_act is not None
        if move.words == (TAKE,):
            return texts.took(self.to_act, self.setup.black_auction)
        if len(move.words) < self._limit and self._lay(move.words)[2]:
            return texts.won_before_last(self.to_act, move.words)
        if self.taker is None:
            return texts.bid(self.to_act, self.setup.black_auction, move.words)
        return texts.played(self.to_act, move.words)

    def legal_moves(self) -> Iterator[Move]:
        """Yield "take" in the auction, then every set of stones once, in an order that places them all."""
        if self.result:
            return
        if self.taker is None:
            yield Move((TAKE,))
        free = [self.setup.grid.names[bit] for bit in bits_in(self._free())]
        alone = self.taker is None or self._limit == 1  # one stone is a whole turn
        if alone:
            yield from (Move((name,)) for name in free)
        for count in range(1 + alone, self._limit + 1):
            for stones in combinations(free, count):
                if (words := next(filter(self._whole, permutations(stones)), None)) is not None:
                    yield Move(words)

    def any_move(self, pick: Callable[[int], int]) -> Move:
        """Return some legal move; in the auction every fourth takes."""
        if self.taker is None and pick(4) == 0:
            return Move((TAKE,))
        wanted = 1 + pick(3) if self.taker is None else self._limit
        return self._fill(wanted, lambda free: self.setup.grid.draw(free, pick))

    def roles(self) -> tuple[str | None, ...]:
        """Return "Pip" or "Zip" for every seat once the auction is over."""
        if self.taker is None:
            return (None,) * self.setup.seats
        taken, rest = texts.ROLES if self.setup.black_auction else texts.ROLES[::-1]
        return tuple(taken if seat == self.taker else rest for seat in range(self.setup.seats))

    def side(self, seat: Seat) -> frozenset[Seat]:
        """Return ``seat`` alone in the auction, afterwards the taker or all the others."""
        if self.taker is None or seat == self.taker:
            return frozenset({seat})
        return frozenset(range(self.setup.seats)) - {self.taker}

    def prompt(self) -> Prompt:
        """Return what the seat to act may write; the example is one of the suggestions, or else near the middle.

        It doesn't win, where the turn can be played without winning.
        """
        if self.result:
            raise RulesError("no_prompt", phrase(texts.OVER))
        placed = (self.black | self.white).bit_count()
        wanted = 1 + placed % 2 if self.taker is None else self._limit
        sets = [choice.move for choice in self.suggestions()]
        example = next((text for text in sets if text.count(" ") == wanted - 1), "")
        if not example:
            example = str(self._example(wanted, placed))
        instruction = texts.instruct(self._asked(), example, self.latest[-1] if self.latest else "")
        taking = Choice(TAKE, texts.taking(self.setup.black_auction)) if self.taker is None else None
        return Prompt(instruction, example, taking)

    def suggestions(self) -> tuple[Choice, ...]:
        """Return stones for the auction, spread out from the middle, and for Pip two that join or block.

        What wins is not among them: it is for the players to see.
        """
        return () if self.result or (self.taker is not None and self._limit == 1) else _suggested(self)

    def first_cells(self) -> frozenset[str]:
        """Return the points with which a turn of two stones can begin."""
        if self.result or self.taker is None or self._limit == 1:
            return frozenset()
        grid, free, apart = self.setup.grid, self._free(), self.setup.apart
        rest = {bit: free & ~(bit | grid.beside[bit] if apart else bit) for bit in bits_in(free)}
        return frozenset(grid.names[bit] for bit, left in rest.items() if left)

    def lone_cells(self) -> frozenset[str] | None:
        """Return the points that are open to a stone, where one is a whole turn."""
        if self.result or not (self.taker is None or self._limit == 1):
            return None
        free = self._free()
        return frozenset([name for bit, name in self.setup.grid.names.items() if bit & free])

    def _aim(self, seat: Seat) -> Objective:
        """Return what ``seat`` has to do: it depends on whether the auction is over, and a partner there."""
        role, setup, partner = self.roles()[seat], self.setup, self.side(seat) - {seat}
        if role is None:
            return texts.auction(setup.black_auction, setup.seats)
        if role == "Zip":
            return texts.zip_objective(outnumbered=not setup.black_auction)
        if partner:
            return texts.team_objective(alone=bool(partner & self.gone), apart=setup.apart)
        return texts.pip_objective(setup.pip_stones, setup.apart)

    def view(self) -> BoardView:
        """Return the board; the stones of the latest turn and of the winning line are marked."""
        last = [self.setup.grid.bits[word] for word in self.latest]
        line = self._line(last[-1]) if self.result and last else 0
        stones = (BLACK, self.black), (WHITE, self.white)
        bidding = self.taker is None and not self.result
        captions = (texts.AUCTION_BLACK if self.setup.black_auction else texts.AUCTION_WHITE,) if bidding else ()
        grid, inside = self.setup.grid, self.setup.inside
        return square_view(grid, stones, last=sum(last), line=line, captions=captions, inside=inside, chains=_CHAINS)

    @property
    def _black_acts(self) -> bool:
        """Whether the stones of this turn are black."""
        return self.setup.black_auction if self.taker in (None, self.turn) else not self.setup.black_auction

    @property
    def _limit(self) -> int:
        """The greatest number of stones in this turn."""
        return 3 if self.taker is None else self.setup.pip_stones if self._black_acts else 1

    def _free(self) -> int:
        """Return the points open to the first stone of this turn."""
        setup, grid = self.setup, self.setup.grid
        empty = grid.every & ~(self.black | self.white)
        second = self.taker is not None and self.turn == (self.taker + 2) % setup.seats
        if not (second and setup.apart and setup.pip_stones == 1):
            return empty
        # The partner has just played; points beside that stone are closed unless nothing else is open.
        return empty & ~grid.beside[grid.bits[self.latest[-1]]] or empty

    def _may_win_before_last(self, words: tuple[str, ...]) -> bool:
        """Return whether a stone but the last of ``words`` would win, if they are placed at all."""
        grid, black = self.setup.grid, self._black_acts
        own = self.black if black else self.white
        for word in words[:-1]:
            bit = grid.bits.get(word, 0)
            own |= bit
            if winning_group(grid, black, own, bit):
                return True
        return False

    def _lay(self, words: tuple[str, ...]) -> tuple[int, tuple[str, ...], str]:
        """Place stones one by one until one wins; raises IllegalMove.

        Returns all stones of that colour, the words that counted, and how they won ("" if they did not).
        """
        grid, black, limit = self.setup.grid, self._black_acts, self._limit
        own, free = self.black if black else self.white, self._free()
        ban = self.setup.apart and limit == 2
        for count, word in enumerate(words, 1):
            bit = grid.bits.get(word, 0)
            if count > limit or not bit & free or self.result:
                raise self._refusal(words, word, free)
            own |= bit
            if group := winning_group(grid, black, own, bit):
                across = bool(group & grid.left and group & grid.right)
                return own, words[:count], texts.line(black, across, word)
            free &= ~(bit | grid.beside[bit]) if ban else ~bit
        if not words or (self.taker is not None and len(words) < limit and free):
            raise self._refusal(words, "", free)
        return own, words, ""

    def _whole(self, words: tuple[str, ...], *, winning: bool = True) -> bool:
        """Return whether ``words`` are a legal turn whose stones are all placed; it may win unless not ``winning``."""
        try:
            _, placed, reason = self._lay(words)
        except IllegalMove:
            return False
        return placed == words and (winning or not reason)

    def _example(self, wanted: int, turn: int) -> Move:
        """Return ``wanted`` stones near the middle that don't win, or else only by the last; ``turn`` varies them.

        Where the turn has fewer stones whatever they are, return those.
        """
        grid = self.setup.grid
        spread_out = self._fill(wanted, lambda free: grid.from_central(free, turn)[0])
        if len(spread_out.words) == wanted and self._whole(spread_out.words, winning=False):
            return spread_out
        names = [grid.names[bit] for bit in grid.from_central(self._free(), turn)]
        for winning in (False, True):
            for words in permutations(names, wanted):
                if self._whole(words, winning=winning):
                    return Move(words)
        quiet = next((name for name in names if self._whole((name,), winning=False)), "")
        return Move((quiet or names[0],))

    def _fill(self, wanted: int, draw: Callable[[int], int]) -> Move:
        """Return ``wanted`` stones, or fewer if the turn ends before; ``draw`` chooses one of many points."""
        grid, black = self.setup.grid, self._black_acts
        own, free = self.black if black else self.white, self._free()
        ban = self.setup.apart and self._limit == 2
        words: list[str] = []
        while free:
            bit = draw(free)
            words.append(grid.names[bit])
            own |= bit
            if len(words) == wanted or winning_group(grid, black, own, bit):
                break
            free &= ~(bit | grid.beside[bit]) if ban else ~bit
        return Move(tuple(words))

    def _line(self, bit: int) -> int:
        """Return the winning line through the stone ``bit``, without the stones it does not need, or 0."""
        black = bool(self.black & bit)
        group = winning_group(self.setup.grid, black, self.black if black else self.white, bit)
        return thinned(group, lambda stones: winning_group(self.setup.grid, black, stones, bit))

    def _story(self, over: "Pippinzip") -> Event:
        """Return how the seat to act here has won in the position ``over``."""
        assert self.to_act is not None
        grid, black = self.setup.grid, self._black_acts
        line = over._line(grid.bits[over.latest[-1]])
        across = line & grid.left and line & grid.right
        sides = (grid.left, grid.right) if across else (grid.bottom, grid.top)
        ends = [grid.names[line & side & -(line & side)] for side in sides]
        return texts.chained(self.to_act, black, (ends[0], ends[1]))

    def _sensible(self) -> Iterator[tuple[str, ...]]:
        """Yield points worth suggesting for a turn of several stones, the best first, legal or not."""
        grid, free, own = self.setup.grid, self._free(), self.black if self._black_acts else self.white
        if self.taker is None:
            yield from (spread(grid, free, own, count, skipped) for count, skipped in _BIDS)
        else:
            yield from pairs(grid, self.black, self.white, free, apart=self.setup.apart)

    def _off_board(self, word: str) -> Refusal:
        """Return why no stone is placed on ``word``, no point of this board."""
        grid = self.setup.grid
        return texts.refuse("cell_off_board", cell=word, last=grid.names[grid.order[-1]])

    def _refusal(self, words: tuple[str, ...], word: str, free: int) -> IllegalMove:
        """Return why ``words`` cannot be played: ``word`` fails, or with "" one is missing."""
        text, bit, refuse = " ".join(words), self.setup.grid.bits.get(word, 0), texts.refuse
        if self.result:
            why = match_over(text)
        elif TAKE in words and self.taker is not None:
            why = refuse("take_after_auction", text=text)
        elif TAKE in words:
            why = refuse("place_and_take", text=text)
        elif len(words) > self._limit:
            why = refuse("too_many_stones", _LIMITS[self._limit], text=text)
        elif not words:
            why = refuse("not_a_move", text=text)
        elif not word:
            why = refuse("stone_missing", text=text)
        elif not bit:
            why = self._off_board(word)
        elif bit & (self.black | self.white) or words.count(word) > 1:
            why = refuse("cell_occupied", cell=word, text=text)
        elif not free:
            why = refuse("second_stone_lost", text=text, first=words[0])
        else:
            first = words[0] if len(words) > 1 else self.latest[-1]
            why = refuse("beside_first_stone", cell=word, first=first, text=text)
        return IllegalMove(*why)

    def _asked(self) -> str:
        """Return the message that asks for this turn."""
        free, grid = self._free(), self.setup.grid
        if self.taker is None:
            return texts.asked_bid(self.setup.black_auction, min(3, free.bit_count()))
        if self._limit == 1:
            banned = free | self.black | self.white != grid.every
            if self._black_acts and self.side(self.turn) & self.gone:
                if self.turn == (self.taker + 1) % self.setup.seats:
                    return texts.FIRST_OF_TWO
                return texts.SECOND_APART if banned else texts.SECOND_OF_TWO
            return texts.APART if banned else texts.POINT
        first = (bit for bit in grid.order if bit & free)
        if not any(free & ~(bit | (grid.beside[bit] if self.setup.apart else 0)) for bit in first):
            return texts.POINT
        return texts.PAIR_APART if self.setup.apart else texts.PAIR


@lru_cache(maxsize=16)  # the example of a prompt is one of them
def _suggested(position: Pippinzip) -> tuple[Choice, ...]:
    """Return the best answers of several stones; none of them wins."""
    found: dict[frozenset[str], Choice] = {}
    for words in position._sensible():
        if words and frozenset(words) not in found and position._whole(words, winning=False):
            found[frozenset(words)] = Choice(" ".join(words))
    return tuple(found.values())[:5]


def start_pipline(seats: int, options: Mapping[str, Value]) -> Pippinzip:
    """Return the opening position of Pipline."""
    return Pippinzip(Setup(square(int(options["size"])), seats, True, 1, False, options["draw"] == "cells"))


def start_zipline(seats: int, options: Mapping[str, Value]) -> Pippinzip:
    """Return the opening position of Zipline, for two or three."""
    apart = bool(options["partner_gap"]) if seats > 2 else not options["freestyle"]
    grid, stones, inside = square(int(options["size"])), 1 if seats > 2 else 2, options["draw"] == "cells"
    return Pippinzip(Setup(grid, seats, black_auction=False, pip_stones=stones, apart=apart, inside=inside))
