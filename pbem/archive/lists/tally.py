"""Sums over the finished matches of a game; each match can be taken out again, as when it goes on after a ruling."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import nsmallest

from pbem.boards.geometry import find_chains
from pbem.match.match import Match, is_move
from rules.position import Seat
from rules.view import BoardView

_KINDS = 3
"""Kinds of pieces that are counted apart, in a game that has no more."""
OPENING = 3
"""Moves of an opening."""

Board = tuple[int, BoardView]
"""A number of seats, and a board without pieces: matches on the same one can be compared."""


@dataclass(frozen=True, slots=True)
class Auction:
    """How an auction of sides went: the stones that were placed in it, and who ended it; None where the match did."""

    stones: int
    taker: Seat | None


@dataclass(frozen=True, slots=True)
class Finished:
    """What statistics need of a finished match.

    ``stones`` has for each kind of piece its name and a bit for each cell that holds one at the end, the first one
    lowest; in a game of many kinds that of all, without a name. ``opening`` are the first moves; ``chain`` is the size
    of the longest chain, 0 in a game without chains; ``auction`` is None in a game without one.
    """

    number: int
    board: Board
    moves: int
    roles: tuple[str | None, ...]
    winners: frozenset[Seat]
    stones: tuple[tuple[str, int], ...]
    opening: tuple[str, ...]
    chain: int
    auction: Auction | None = None


@dataclass(slots=True)
class Score:
    """In how many matches somebody, or something, was there, and in how many it won."""

    played: int = 0
    won: int = 0

    def count(self, won: bool, times: int = 1) -> None:
        """Count a match; with ``times`` -1, take it out."""
        self.played += times
        self.won += times * won


@dataclass(slots=True)
class BoardTally:
    """The sums of one board: matches, and stones by kind and cell.

    ``following`` counts the moves that followed the beginnings of up to two moves, ``winners`` the roles that won after
    a beginning of up to three; in a game without roles the seats, from 1.
    """

    matches: int = 0
    stones: dict[str, Counter[int]] = field(default_factory=dict)
    following: dict[tuple[str, ...], Counter[str]] = field(default_factory=dict)
    winners: dict[tuple[str, ...], Counter[str]] = field(default_factory=dict)


class Tally:
    """The sums of one game.

    ``sizes`` has scores by the number of seats, and the role, or in a game without roles the seat from 1. ``auctions``
    has the scores of those who ended auctions, by the number of stones placed in them; ``untaken`` counts
    the matches that ended within theirs.
    """

    def __init__(self) -> None:
        self.matches = 0
        self.moves: Counter[int] = Counter()
        self.roles: dict[str, Score] = {}
        self.seats: dict[Seat, Score] = {}
        self.sizes: dict[tuple[int, str], Score] = {}
        self.boards: dict[Board, BoardTally] = {}
        self.undecided = 0
        self.auctions: dict[int, Score] = {}
        self.untaken = 0
        self._chains: dict[int, set[int]] = {}

    def count(self, match: Finished, times: int = 1) -> None:
        """Count a match; with ``times`` -1, take out one that was counted."""
        self.matches += times
        self.moves[match.moves] += times
        self.undecided += times * (not match.winners)
        for seat in range(len(match.roles)):
            self.seats.setdefault(seat, Score()).count(seat in match.winners, times)
        for role in {role for role in match.roles if role}:
            self.roles.setdefault(role, Score()).count(role in _winning_roles(match), times)
        for who in {role or str(seat + 1) for seat, role in enumerate(match.roles)}:
            won = who in _winning_roles(match) or (who.isdigit() and int(who) - 1 in match.winners)
            self.sizes.setdefault((len(match.roles), who), Score()).count(won, times)
        if match.auction:
            self._count_auction(match.auction, match.winners, times)
        self._count_board(self.boards.setdefault(match.board, BoardTally()), match, times)
        holders = self._chains.setdefault(match.chain, set())
        if times > 0:
            holders.add(match.number)
        else:
            holders.discard(match.number)

    def longest_chains(self, most: int) -> list[tuple[int, int]]:
        """Return the sizes of the longest chains, at most so many, each with its match; none where there are none.

        Of chains of one size those of the first matches are there.
        """
        found: list[tuple[int, int]] = []
        for size in sorted((size for size, holders in self._chains.items() if size and holders), reverse=True):
            found += [(size, number) for number in nsmallest(most - len(found), self._chains[size])]
            if len(found) == most:
                break
        return found

    def commonest_board(self) -> tuple[Board, BoardTally] | None:
        """Return the board with the most matches, of several the smallest, for the fewest players."""
        played = [(board, tally) for board, tally in self.boards.items() if tally.matches]
        return min(played, key=lambda found: (-found[1].matches, len(found[0][1].cells), found[0][0]), default=None)

    def _count_auction(self, auction: Auction, winners: frozenset[Seat], times: int) -> None:
        """Count how an auction went."""
        if auction.taker is None:
            self.untaken += times
        else:
            self.auctions.setdefault(auction.stones, Score()).count(auction.taker in winners, times)

    def _count_board(self, tally: BoardTally, match: Finished, times: int) -> None:
        """Count a match among those of its board."""
        tally.matches += times
        for name, mask in match.stones:
            counted = tally.stones.setdefault(name, Counter())
            for place in _bits(mask):
                counted[place] += times
        for length in range(1, len(match.opening) + 1):
            opening = match.opening[:length]
            tally.following.setdefault(opening[:-1], Counter())[opening[-1]] += times
            for winner in sorted(_winning_roles(match) or {str(seat + 1) for seat in match.winners}):
                tally.winners.setdefault(opening, Counter())[winner] += times


def read_finished(match: Match) -> Finished | None:
    """Return what statistics need of a match; None while it goes on, and where it counts for nobody.

    One in which a robot has made moves counts for nobody: a player could choose how often to win.
    """
    outcome = match.outcome
    if outcome is None or match.robots or (match.ruling and match.ruling.kind == "void"):
        return None
    view = match.position.view()
    moves = [entry.text for entry in match.record if is_move(entry)]
    roles = match.position.roles()
    board = len(match.players), empty_board(view)
    opening = tuple(moves[:OPENING])
    chain, auction = _longest_chain(view), _read_auction(match)
    return Finished(match.id, board, len(moves), roles, outcome.winners, _read_stones(view), opening, chain, auction)


def _read_stones(view: BoardView) -> tuple[tuple[str, int], ...]:
    """Return where pieces of each kind lie; all together where there are many kinds."""
    apart = len(view.pieces) <= _KINDS
    found = {str(piece.name): 0 for piece in view.pieces} if apart else {"": 0}
    for place, cell in enumerate(view.cells):
        if cell.piece:
            found[str(cell.piece.name) if apart else ""] |= 1 << place
    return tuple(sorted(found.items()))


def _read_auction(match: Match) -> Auction | None:
    """Return how the auction of a match went; None in a game without one."""
    if not match.game.auction:
        return None
    stones = 0
    for entry in filter(is_move, match.record):
        if entry.text == match.game.auction:
            return Auction(stones, entry.seat)
        stones += len(entry.text.split())
    return Auction(stones, None)


def empty_board(view: BoardView) -> BoardView:
    """Return the board of a view without anything on it, and without words."""
    cells = tuple(
        [
            replace(cell, piece=None, die=None, marks=frozenset()) if cell.piece or cell.die or cell.marks else cell
            for cell in view.cells
        ]
    )
    return BoardView(view.columns, view.rows, cells, (), looks=view.looks, shape=view.shape)


def _longest_chain(view: BoardView) -> int:
    """Return the size of the longest chain on a board; 0 in a game without chains."""
    if view.chains is None:
        return 0
    sizes = [
        len(chain)
        for key, steps in view.chains.steps
        for chain in find_chains((cell for cell in view.cells if cell.piece and cell.piece.key == key), steps)
    ]
    return max(sizes, default=0)


def _winning_roles(match: Finished) -> set[str]:
    """Return the roles that won."""
    return {role for seat, role in enumerate(match.roles) if role and seat in match.winners}


def _bits(mask: int) -> Iterator[int]:
    """Yield the places of the bits that are set."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def grouped(lengths: Counter[int], most: int) -> Sequence[tuple[int, int, int]]:
    """Return at most so many spans of lengths, all of a round width: the first, the last, and how many there are."""
    counted = {length: count for length, count in lengths.items() if count > 0}
    if not counted:
        return []
    low, high = min(counted), max(counted)
    width = next(width for width in _WIDTHS if high // width - low // width < most)
    spans = range(low // width, high // width + 1)
    return [
        (span * width, span * width + width - 1, sum(n for length, n in counted.items() if length // width == span))
        for span in spans
    ]


_WIDTHS = [step * 10**power for power in range(7) for step in (1, 2, 5)]
