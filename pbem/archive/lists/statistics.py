"""Statistics of a game as its page shows them: who wins, how long matches are, where pieces lie, how matches begin."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil, sqrt

from markupsafe import Markup

from pbem.archive.lists.tally import OPENING, BoardTally, Score, Tally, grouped
from pbem.boards.small import heat_board
from pbem.notices.sentences.boards import picture_words
from rules.phrase import Phrase, phrase, phrases
from rules.view import BoardView

_SPANS = 10
"""Rows of lengths."""
_BRANCHES = (6, 3, 3)
"""First moves that the tree of openings shows, and moves that it shows after each, by how far it goes."""
_CHAINS = 5
_NAMED = 3
"""Cells that the picture of all cells names, for those who do not see it."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A move of an opening: the matches that began so, who won them, and the moves that followed most often."""

    move: str
    matches: int
    won: str
    following: tuple["Branch", ...]


@dataclass(frozen=True, slots=True)
class Bias:
    """How often a role, or a seat, wins with so many players: in percent, and how far that may be off."""

    players: int
    who: str
    percent: int
    error: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the page of a game shows; ``most`` is the largest number of ``lengths``, ``seats`` count from 1.
    ``biases`` say how often which role or seat wins, by the number of players.

    ``chains`` are the sizes of the longest chains and the numbers of their matches. ``auctions`` are spans of stones
    placed in auctions with the scores of those who ended them, ``untaken`` are matches that ended within theirs.
    ``heat`` are pictures of where pieces of each kind lie, with its name, empty for all of many kinds. ``on_board``
    says how many matches were played on the board of ``heat`` and ``openings``.
    """

    matches: int
    undecided: int
    roles: list[tuple[str, Score]]
    seats: list[tuple[int, Score]]
    biases: list[Bias]
    lengths: list[tuple[int, int, int]]
    most: int
    auctions: list[tuple[int, int, Score]]
    untaken: int
    chains: list[tuple[int, int]]
    on_board: Phrase
    heat: list[tuple[str, Markup]]
    openings: tuple[Branch, ...]


def tell_statistics(tally: Tally) -> Statistics | None:
    """Return the statistics of a game; None where no match of it is over."""
    if (found := tally.commonest_board()) is None:
        return None
    (_, view), board = found
    lengths = list(grouped(tally.moves, _SPANS))
    return Statistics(
        matches=tally.matches,
        undecided=tally.undecided,
        roles=[(role, score) for role, score in sorted(tally.roles.items()) if score.played],
        seats=[(seat + 1, score) for seat, score in sorted(tally.seats.items()) if score.played],
        biases=[_estimate(*key, score) for key, score in sorted(tally.sizes.items()) if score.played],
        lengths=lengths,
        most=max((count for *_, count in lengths), default=0),
        auctions=list(_span_auctions(tally.auctions)),
        untaken=tally.untaken,
        chains=tally.longest_chains(_CHAINS),
        on_board=phrases(
            "The board that was played on most often, in {count} match. A dot is where a piece lay.",
            "The board that was played on most often, in {count} matches. The larger a dot, the more often a piece lay"
            " there.",
            board.matches,
        ),
        heat=[(name, _draw_heat(view, name, stones, board.matches)) for name, stones in sorted(board.stones.items())],
        openings=_grow((), board),
    )


def _estimate(players: int, who: str, score: Score) -> Bias:
    """Return how often somebody wins, as matches tell; a draw is no win. The error is that of a share (one sigma).

    One match more is counted, half of it won: after one match nobody wins always.
    """
    share = (score.won + 0.5) / (score.played + 1)
    error = sqrt(share * (1 - share) / (score.played + 1))
    return Bias(players, who, round(100 * share), ceil(100 * error))


def _span_auctions(auctions: Mapping[int, Score]) -> Iterator[tuple[int, int, Score]]:
    """Yield spans of stones, each with the score of those who ended auctions with so many."""
    for first, last, _ in grouped(Counter({stones: score.played for stones, score in auctions.items()}), _SPANS):
        within = [score for stones, score in auctions.items() if first <= stones <= last]
        yield first, last, Score(sum(score.played for score in within), sum(score.won for score in within))


def _draw_heat(view: BoardView, name: str, stones: Counter[int], matches: int) -> Markup:
    """Return the picture of how often pieces of a kind lie on each cell at the end; it names the cells with most."""
    shares = {view.cells[place].name: count / matches for place, count in stones.items() if count}
    named = sorted(shares, key=lambda cell: (-shares[cell], cell))[:_NAMED]
    told = ", ".join(f"{cell}: {shares[cell]:.0%}" for cell in named)
    words = picture_words(view)
    title = f"{words.title}: {name}" if name else words.title
    return Markup(heat_board(view, shares, replace(words, title=title, description=told)))  # which escapes its words


def _grow(opening: tuple[str, ...], board: BoardTally) -> tuple[Branch, ...]:
    """Return the moves that followed an opening most often, each with those after it; rare ones only at first."""
    if len(opening) == OPENING:
        return ()
    counted = board.following.get(opening, Counter[str]())
    # Of as many the same ones, in whatever order matches were counted.
    often = sorted(counted.items(), key=lambda found: (-found[1], found[0]))[: _BRANCHES[len(opening)]]
    common = [(move, count) for move, count in often if count > bool(opening)]
    return tuple(
        Branch(move, count, _tell_winners((*opening, move), board), _grow((*opening, move), board))
        for move, count in common
        if count
    )


def _tell_winners(opening: tuple[str, ...], board: BoardTally) -> str:
    """Return how often which role, or seat, won after an opening."""
    won = board.winners.get(opening, Counter[str]())
    names = {who: phrase("seat {number}", number=who) if who.isdigit() else who for who in won}
    return ", ".join(f"{names[who]}: {count}" for who, count in sorted(won.items()) if count)
