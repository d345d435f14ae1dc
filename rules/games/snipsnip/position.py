"""SnipSnip: both colours together close cells and capture, and the largest group decides, mostly by being smaller.

The game grew out of Tri-It-Out; its rules are published at ludii.games. Which stones can be removed is told there in
two ways: by the text, and by the author's implementation, which is followed here (one end of the pattern is the stone
just placed). The third occurrence of a position ends a match without misère: that is our choice.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, islice

from rules.board.square import bits_in
from rules.board.views import axes, draw_cells
from rules.errors import AmbiguousMove, IllegalMove, InvalidMove, Refusal, RulesError, match_over
from rules.game import Value
from rules.games.snipsnip import texts
from rules.games.snipsnip.boards import Board, Span, around, board, catchers, group, largest, middles
from rules.notation import cell_name, letter_first, letters_first
from rules.phrase import Event, Listed, Phrase, listed, phrase
from rules.position import Choice, Objective, Outcome, Prompt, Seat, SeatedPosition
from rules.view import BoardView, Chains, Piece

WHITE = Piece(key="white", symbol="O", name=phrase("white"), tone="white")
BLACK = Piece(key="black", symbol="X", name=phrase("black"), tone="black")

_CELL = "([a-z])0*([0-9]+)"
_PART = re.compile(f"{_CELL}(?:x{_CELL})?")
_SPACED = re.compile(r"(?<![a-z])([a-z]) (?=[0-9])")
_TAKES = re.compile(r",? ?(?:and )?(?:[x×:]|\b(?:takes?|captures?|removes?)\b) ?")
_DASHED = re.compile(r"(?<![a-z0-9])([a-z][0-9]{1,3}) ?[-–—] ?([a-z][0-9]{1,3})(?![0-9x])")
_BETWEEN = re.compile(r"[\s,/+&–—-]+")
_LONGEST = 2000  # characters, more than the longest chain on the largest board needs
_SAMPLE = 40  # cells that are compared to find an example


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays as it is all through a match: the board, and which options are chosen.

    ``every_site``: a stone captures beside it on every capture site, not only on those that it makes itself.
    """

    board: Board
    diagonal: bool
    linked: bool
    misere: bool
    every_site: bool

    @property
    def spans(self) -> tuple[Span, ...]:
        """The places of two stones that close and capture what is in the middle."""
        return self.board.diagonal if self.diagonal else self.board.straight

    @property
    def links(self) -> tuple[int, ...]:
        """The shifts between two stones of a group."""
        return self.board.near + self.board.far if self.linked else self.board.near


@cache
def _chains(setup: Setup) -> Chains:
    """Return how stones are connected, as the view tells it."""
    steps = tuple(map(setup.board.step, setup.links))
    return Chains(phrase("group"), tuple((piece.key, steps) for piece in (WHITE, BLACK)))


@dataclass(frozen=True, slots=True)
class Part:
    """A stone placed on ``cell``; ``removed`` is the cell emptied by it, or "" for none."""

    cell: str
    removed: str = ""

    def __str__(self) -> str:
        return f"{self.cell}x{self.removed}" if self.removed else self.cell


@dataclass(frozen=True, slots=True)
class Move:
    """A stone placed, or a chain of them, each but the last removing another."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.parts))


@dataclass(frozen=True, slots=True)
class SnipSnip(SeatedPosition[Move]):
    """A position of SnipSnip.

    ``stones`` are the cells of White and of Black; ``turn`` is the player next to place; ``latest`` is the latest
    turn so far; ``history``, without misère, are stones and turn of every position that may still come back.
    """

    setup: Setup
    stones: tuple[int, int] = (0, 0)
    turn: Seat = 0
    latest: tuple[Part, ...] = ()
    history: tuple[tuple[tuple[int, int], Seat], ...] = ()

    @property
    def to_act(self) -> Seat | None:
        """The player next to place, or None when the match is over."""
        return None if self.result else self.turn

    def parse(self, text: str) -> Move:
        """Read "b2", "b2xc3" or a chain of these; a removal that leaves no choice is filled in."""
        position, parts = self, self._recorded(text) or self._read(text)
        for place, part in enumerate(parts):
            able = [] if part.removed else position._able(part.cell)
            if able and position._may_place(part.cell, first=not place):
                if len(able) > 1:
                    write, some = _onward(parts[:place], part.cell, able), listed(able, "or")
                    why = texts.refuse("several_to_remove", text=text, cell=part.cell, able=some, write=write)
                    raise AmbiguousMove(*why)
                parts[place] = Part(part.cell, *able)
            if place + 1 < len(parts):
                try:
                    position = position._step(Move(tuple(parts)), place)
                except IllegalMove:
                    # Whether the rules forbid the move is for `play` to texts.
                    break
        return Move(tuple(parts))

    def play(self, move: Move) -> "SnipSnip":
        """Return the position after ``move``, which is the whole turn or a first part of it."""
        if not move.parts:
            raise IllegalMove(*texts.refuse("not_a_move", text=str(move)))
        position = self
        for place in range(len(move.parts)):
            position = position._step(move, place)
        return position

    def describe(self, move: Move) -> Event:
        """Return what happened by ``move``."""
        return texts.played(self.turn, [(part.cell, part.removed) for part in move.parts])

    def legal_moves(self) -> Iterator[Move]:
        """Yield every placement, with every removal there is to choose; a chain is reached step by step."""
        if self.result:
            return
        for name in self.setup.board.listed(self._free()):
            for removed in self._able(name) or [""]:
                yield Move((Part(name, removed),))

    def any_move(self, pick: Callable[[int], int]) -> Move:
        """Return some placement, and some removal if there is one to make."""
        free = bits_in(self._free())
        name = self.setup.board.names[free[pick(len(free))]]
        able = self._able(name)
        return Move((Part(name, able[pick(len(able))] if able else ""),))

    def roles(self) -> tuple[str | None, ...]:
        """Return "White" and "Black"."""
        return texts.ROLES

    def prompt(self) -> Prompt:
        """Return what the player next to place may write; the example looks one stone ahead."""
        if self.result:
            raise RulesError("no_prompt", texts.OVER)
        example = str(self._example())
        cell = next(iter(self.setup.board.listed(self._capturing())), "")
        capture = str(Move((Part(cell, self._able(cell)[0]),))) if cell else ""
        return Prompt(texts.asked(self._again, example, cell, capture), example)

    def suggestions(self) -> tuple[Choice, ...]:
        """Return the first few answers that say which stone to remove, where there is a choice."""
        cells = () if self.result else self.setup.board.listed(self._capturing())
        found = (self._removals((), cell, able) for cell in cells if len(able := self._able(cell)) > 1)
        return tuple(islice(chain.from_iterable(found), 5))

    def answers_like(self, text: str) -> tuple[Choice, ...]:
        """Return the removals to choose from where ``text`` names none, or one that cannot be."""
        position: SnipSnip = self
        try:
            parts = self._recorded(text) or self._read(text)
            for place, part in enumerate(parts):
                able = position._able(part.cell) if position._may_place(part.cell, first=not place) else []
                if able and part.removed not in able:
                    if part.removed or len(able) > 1:
                        return self._removals(parts[:place], part.cell, able)
                    parts[place] = Part(part.cell, *able)
                position = position._step(Move(tuple(parts)), place)
        except RulesError:
            pass
        return ()

    def _removals(self, before: Sequence[Part], cell: str, able: Sequence[str]) -> tuple[Choice, ...]:
        """Return the answers that place a stone on ``cell`` behind the parts ``before``, and remove one of ``able``."""
        moves = (Move((*before, Part(cell, gone))) for gone in able)
        return tuple(Choice(str(move), texts.removes(move.parts[-1].removed)) for move in moves)

    def _aim(self, seat: Seat) -> Objective:
        """Return what ``seat`` has to do."""
        setup = self.setup
        return texts.objective(
            seat, diagonal=setup.diagonal, linked=setup.linked, misere=setup.misere, every_site=setup.every_site
        )

    def view(self) -> BoardView:
        """Return the board; what the latest turn touched is marked, and so are the empty capture sites."""
        ground, (white, black), free = self.setup.board, self.stones, self._free()
        capturing = [] if self.result else ground.listed(self._capturing())
        stones, closed, last = ((WHITE, white), (BLACK, black)), ground.every & ~(free | white | black), 0
        placed = [ground.bits[part.cell] for part in self.latest]
        earlier = (white | black) & sum({*placed[:-1]} - {*placed[-1:]})
        for part in self.latest:
            last |= ground.bits[part.cell] | ground.bits.get(part.removed, 0)
        columns, rows = axes(ground.size)
        return BoardView(
            columns=columns,
            rows=rows,
            cells=draw_cells(ground, stones, last=last, earlier=earlier, closed=closed),
            pieces=(WHITE, BLACK),
            captions=(texts.CLOSED,) if closed else (),
            chains=_chains(self.setup),
            choices=((texts.CAPTURES_ON[self.turn], frozenset(capturing)),) if capturing else (),
            looks="cells",
            shape="hex" if ground.hexagonal else "square",
            standing=tuple(self._standing()),
        )

    @property
    def _again(self) -> bool:
        """Whether the turn goes on, since its latest stone removed another."""
        return self.setup.misere and bool(self.latest and self.latest[-1].removed) and not self.result

    def _free(self) -> int:
        """Return the cells where a stone may be placed."""
        white, black = self.stones
        return self.setup.board.every & ~(white | black | middles(self.setup.spans, white, black))

    def _captures(self, bit: int) -> int:
        """Return the stones of which the player next to place would remove one after placing a stone on ``bit``."""
        own, other = self.stones[self.turn], self.stones[1 - self.turn]
        if self.setup.every_site:
            return middles(self.setup.spans, own | bit, other) & other & around(self.setup.board.near, bit)
        return middles(self.setup.spans, bit, other) & other

    def _capturing(self) -> int:
        """Return the free cells on which the player next to place would capture."""
        own, other = self.stones[self.turn], self.stones[1 - self.turn]
        found = catchers(self.setup.spans, other)
        if self.setup.every_site:
            found |= around(self.setup.board.near, middles(self.setup.spans, own, other) & other)
        return self._free() & found

    def _able(self, cell: str) -> list[str]:
        """Return the names of what could be removed by a stone on ``cell``."""
        return self.setup.board.listed(self._captures(self.setup.board.bits[cell]))

    def _may_place(self, cell: str, first: bool) -> bool:
        """Return whether a stone may be placed on ``cell``, as the ``first`` of a move or a later one."""
        return not self.result and (first or self._again) and bool(self.setup.board.bits.get(cell, 0) & self._free())

    def _step(self, move: Move, place: int) -> "SnipSnip":
        """Return the position after the part of ``move`` at ``place``, here to be played; raises IllegalMove."""
        part, setup, turn = move.parts[place], self.setup, self.turn
        bit, gone = setup.board.bits.get(part.cell, 0), setup.board.bits.get(part.removed, 0)
        captures = self._captures(bit)
        fits = gone & captures if captures else not part.removed
        if not fits or not self._may_place(part.cell, first=not place):
            raise IllegalMove(*self._refusal(move, place))
        own, other = self.stones[turn] | bit, self.stones[1 - turn] ^ gone
        stones = (other, own) if turn else (own, other)
        following = turn if gone and setup.misere else 1 - turn
        latest = (*self.latest, part) if self._again else (part,)
        history = () if setup.misere else (*(self.history if gone else ()), (stones, following))
        position = SnipSnip(setup, stones, following, latest, history)
        repeated = bool(history) and history.count(history[-1]) == 3
        over = repeated or not position._free()
        return replace(position, result=position._decided(repeated)) if over else position

    def _decided(self, repeated: bool) -> Outcome:
        """Return who has won by the largest groups as they are now; ``repeated``: a position came up too often."""
        sizes = self._sizes()
        winner = 1 - self.turn if sizes[0] == sizes[1] else sizes.index((min if self.setup.misere else max)(sizes))
        how = winner, sizes, repeated
        return Outcome(frozenset({winner}), texts.ended(*how), texts.story(*how))

    def _sizes(self) -> tuple[int, int]:
        """Return the sizes of the largest groups of White and Black."""
        white, black = (largest(self.setup.links, stones) for stones in self.stones)
        return white, black

    def _standing(self) -> Iterator[Phrase]:
        """Yield how things stand."""
        yield texts.groups(self.setup.linked, self._sizes())
        if self._again:
            yield texts.AGAIN[self.turn]
        if self.history and not self.result and self.history.count(self.history[-1]) == 2:
            yield texts.TWICE

    @lru_cache(maxsize=16)  # noqa: B019  # keeps few positions: every line that is no move gets the same example
    def _example(self) -> Part:
        """Return a placement that suits the goal best, looking only at the group it makes and at what it removes."""
        setup, own, other = self.setup, self.stones[self.turn], self.stones[1 - self.turn]
        free, placed = bits_in(self._free()), (own | other).bit_count()
        turned = (len(free) // 2 + 7 * placed) % len(free)
        cells = (free[turned:] + free[:turned])[:: 1 + len(free) // _SAMPLE]
        sign, links, capturing = 1 if setup.misere else -1, setup.links, self._capturing()

        def cost(bit: int) -> int:
            return sign * (group(links, own | bit, bit).bit_count() + 2 * bool(bit & capturing))

        def loss(bit: int) -> int:
            return sign * group(links, other, bit).bit_count()

        bit = min(cells, key=cost)
        removed = min(bits_in(self._captures(bit)), key=loss, default=0)
        return Part(setup.board.names[bit], setup.board.names.get(removed, ""))

    def _recorded(self, text: str) -> list[Part]:
        """Return the parts of a line as `str` writes them, and records hold them; none if it is written otherwise."""
        words = text.split(" ") if len(text) <= _LONGEST else []
        halves, bits = [word.partition("x") for word in words], self.setup.board.bits
        usual = all(cell in bits and (gone in bits or not taking) for cell, taking, gone in halves)
        return [Part(cell, gone) for cell, _, gone in halves] if usual else []

    def _read(self, text: str) -> list[Part]:
        """Return the parts of a line as people write them; raises InvalidMove."""
        plain = " ".join(text.lower().split()).strip(" .!\"'“”")
        if (found := _DASHED.search(plain[:_LONGEST])) and not self.result:
            cell, gone = found.groups()
            if gone in self._open(cell):
                about = {"text": text, "cell": cell, "removed": gone, "write": f"{cell}x{gone}"}
                raise InvalidMove(*texts.refuse("stones_do_not_walk", "capture", **about))
            raise InvalidMove(*texts.refuse("stones_do_not_walk", text=text))
        words = [] if len(plain) > _LONGEST else _BETWEEN.split(_TAKES.sub("x", _SPACED.sub(r"\1", plain)))
        words = [word for word in words if word not in ("", "and", "then")] or [""]
        for word in words:
            if not (found := _PART.fullmatch(word)):
                if letters_first(word) in self.setup.board.bits:
                    raise letter_first(self, plain, word, " ".join(map(letters_first, words)))
                raise InvalidMove(*self._unread(text, word))
            for letter, number in (found.groups()[:2], found.groups()[2:]):
                if letter and (name := letter + number) not in self.setup.board.bits:
                    raise InvalidMove(*self._off_board(plain, name))
        return [Part(*(letter + number for letter, number in re.findall(_CELL, word))) for word in words]

    def _unread(self, text: str, word: str) -> Refusal:
        """Return why ``text`` cannot be read: ``word`` is no part of a move."""
        if self.result:
            return match_over(text)
        if word == "pass":
            return texts.refuse("nobody_passes", text=text)
        if re.fullmatch("[a-z][0-9]{1,2}(?:x[a-z][0-9]{1,2}){2,9}", word):
            cell, *gone = word.split("x")
            able = [name for name in self._open(cell) if name in gone] or self._open(cell)[:3]
            write = _onward([], cell, able)
            return texts.refuse("one_removal_only", "such" if able else "", text=text, count=len(gone), write=write)
        if re.fullmatch(f"x{_CELL}|{_CELL}x", word):
            halves = self._halves(*re.findall(_CELL, word))
            return texts.refuse("half_a_removal", "such" if halves.items else "", text=text, write=halves)
        return texts.refuse("not_a_cell", text=text)

    def _off_board(self, text: str, cell: str) -> Refusal:
        """Return why no stone is placed on ``cell``, no cell of this board."""
        ground, about = self.setup.board, {"cell": cell, "text": text}
        if row := ground.row(cell[1:]):
            variant = "row" if len(row) > 1 else "alone"
            return texts.refuse("cell_off_board", variant, row=cell[1:], first=row[0], last=row[-1], **about)
        column = cell_name(ground.size - 1, 0)[0]
        return texts.refuse("cell_off_board", column=column, row=ground.size, **about)

    def _open(self, cell: str) -> list[str]:
        """Return what a stone on ``cell``, written as a player writes it, could remove as the first of a turn."""
        name = "".join(*re.findall(_CELL, cell))
        return self._able(name) if self._may_place(name, first=True) else []

    def _halves(self, half: tuple[str, str]) -> Listed:
        """Return a few moves that place a stone on the cell ``half``, and remove one, or that remove the one there."""
        name = "".join(half)
        if able := self._open(name):
            return _onward([], name, able[:3])
        bits = bits_in(self._free())
        gone = self.setup.board.bits.get(name, 0)
        cells = self.setup.board.listed(sum(bit for bit in bits if gone & self._captures(bit)))
        return listed((f"{cell}x{name}" for cell in cells[:3]), "or")

    def _refusal(self, move: Move, place: int) -> Refusal:
        """Return why the part of ``move`` at ``place`` cannot be played now."""
        part, text, ground, (white, black) = move.parts[place], str(move), self.setup.board, self.stones
        cell, bit, about = part.cell, ground.bits.get(part.cell, 0), {"text": text, "cell": part.cell}
        refuse = texts.refuse
        if self.result and not place:
            return match_over(text)
        if place and not self._again:
            before = self.latest[-1]
            variant = "over" if self.result else "single" if before.removed else ""
            write = str(Move(move.parts[:place]))
            return refuse("turn_ends_before", variant, before=before.cell, write=write, **about)
        if not bit:
            return self._off_board(text, cell)
        if bit & (white | black):
            return refuse("cell_occupied", **about)
        if place and cell == self.latest[-1].removed:
            write = str(Move(move.parts[:place]))
            return refuse("cell_just_emptied", by=self.latest[-1].cell, write=write, **about)
        if not bit & self._free():
            one, other = ground.ends(self.setup.spans, white, black, bit)
            return refuse("capture_site", "" if self.setup.diagonal else "between", white=one, black=other, **about)
        if able := self._able(cell):
            code = "not_to_be_removed" if part.removed else "removal_missing"
            moves = _onward(move.parts[:place], cell, able)
            return refuse(code, removed=part.removed, able=listed(able, "or"), write=moves, **about)
        alone = str(Move((*move.parts[:place], Part(cell))))
        return refuse("nothing_to_remove", removed=part.removed, write=alone, **about)


def _onward(before: Sequence[Part], cell: str, able: Sequence[str]) -> Listed:
    """Return the moves that go on from ``before`` with a stone on ``cell``, and remove one of ``able``."""
    return listed((str(Move((*before, Part(cell, gone)))) for gone in able), "or")


def start_snipsnip(seats: int, options: Mapping[str, Value]) -> SnipSnip:
    """Return the opening position."""
    ground = board(str(options["board"]))
    diagonal, linked = options["capture"] == "diagonal", options["scoring"] == "linked"
    every_site = options["capture_sites"] == "all"
    return SnipSnip(Setup(ground, diagonal, linked, bool(options["misere"]), every_site))
