"""Matches as values, without a database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.match.summary import MatchSummary, summarise
from rules.games import GAMES
from rules.position import Entry
from tests.support.walks import Case, long_walk, walk

OPENED = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
NOW = OPENED + timedelta(days=2)
AUCTION = (Entry(0, "a1"), Entry(1, "take"))
"""The beginning of a match of two: Bob is Pip."""
AUCTION_OF_THREE = (Entry(0, "c3"), Entry(1, "take"), Entry(2, "a1"))
"""The beginning of a match of three, and a move: Bob is Zip, and Ann is to act."""

HEAVIEST = {
    Case("pipline", 2, (("size", 19), ("order", "lot"))): 2,
    Case("zipline", 3, (("size", 19), ("order", "lot"))): 2,
    Case("pippip", 2, ()): 3,
    Case("snipsnip", 2, (("board", "hex-7-8"), ("order", "lot"))): 2,
    Case("pipelines", 3, (("order", "lot"),)): 3,
}
"""Of every game, what makes a page heavy: its largest board, rolls, and a seed with which a match is long."""


def pipline(*record: Entry, names: tuple[str, ...] = ("Ann", "Bob"), comments: tuple[Comment, ...] = ()) -> Match:
    """Return match 17, of Pipline on the smallest board; its players have two addresses each."""
    game = GAMES["pipline"]
    players = tuple(
        Player(seat, name, (email := f"seat{seat}@home.example"), frozenset({email, f"s{seat}@work.example"}))
        for seat, name in enumerate(names)
    )
    times = tuple(OPENED + timedelta(hours=number) for number in range(1, len(record) + 1))
    return Match(17, game, game.normalise({"size": 5}), players, OPENED, record, times, comments, team_told=True)


def zipline(*record: Entry, names: tuple[str, ...] = ("Ann", "Bob", "Carl"), **options: object) -> Match:
    """Return match 17, of Zipline, on the smallest board unless ``options`` say otherwise."""
    game = GAMES["zipline"]
    players = tuple(Player(seat, name, f"p{seat}@a.example", frozenset()) for seat, name in enumerate(names))
    chosen, times = game.normalise({"size": 5, **options}), (OPENED,) * len(record)
    return Match(17, game, chosen, players, OPENED, record, times, team_told=True)


def summary(number: int, *, over: bool = False, opened: datetime = OPENED) -> MatchSummary:
    """Return the summary of a match with this number, of Pipline."""
    one = pipline(*AUCTION, *([Entry(0, "resign")] if over else []))
    return summarise(replace(one, id=number, opened_at=opened))


def random_match(
    case: Case,
    entries: int | None = None,
    *,
    seed: int = 3,
    names: tuple[str, ...] = ("Ann", "Bob", "Carl"),
    leaving: float = 0.0,
) -> Match:
    """Return match 17, played at random: an entry an hour, at most so many. It has a secret.

    Before a turn some seat leaves with the probability ``leaving``.
    """
    return _match(case, walk(case, seed, leaving).entries[:entries], names)


def long_match(case: Case, seed: int, moves: int | None = None) -> Match:
    """Return match 17, played at random with nobody ending it soon: all of it, or at most so many moves.

    With each move go the rolls that follow it.
    """
    record = long_walk(case, seed).entries
    ends = [ply for ply, entry in enumerate(record) if entry.seat is not None]
    return _match(case, record[: ends[moves]] if moves is not None and moves < len(ends) else record)


def _match(case: Case, record: tuple[Entry, ...], names: tuple[str, ...] = ("Ann", "Bob", "Carl")) -> Match:
    """Return match 17 with this record: an entry an hour. It has a secret."""
    players = tuple(Player(seat, names[seat], "", frozenset()) for seat in range(case.seats))
    times = tuple(OPENED + timedelta(hours=ply) for ply in range(len(record)))
    options = case.game.normalise(case.options)
    return Match(17, case.game, options, players, OPENED, record, times, secret="5f1c" * 16, team_told=True)
