"""The page of each player: their matches, how they fared against whom, in which games and roles, and when they moved.

Its address has the number under which the database knows them, which is shown nowhere else: it tells in which order the
host came to know people, as the numbers of their first matches do, and opens nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from pbem.archive.ledger import Ledger, ListedMatch
from pbem.archive.pages import template, write_if_changed
from pbem.archive.tally import Score
from pbem.paths import SEARCH_PAGE, match_page, player_page, rules_page
from rules import GAMES, Phrase, phrase

_LATEST = 30
"""Finished matches that a page lists; the search has the others."""
_OPPONENTS = 20
_MONTHS = 36


@dataclass(frozen=True, slots=True)
class _Listed:
    """A match as the page of one of its players lists it."""

    title: str
    page: str
    others: tuple[tuple[str, str], ...]
    told: Phrase | None
    day: str


@dataclass(slots=True)
class _Against:
    """Finished matches with another player: all, those won against them, lost to them, and won together."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    together: int = 0


def write_players(
    ledger: Ledger,
    directory: Path,
    head: Callable[[str], str] = lambda page: "",
    players: Iterable[int] | None = None,
) -> int:
    """Write the pages of players that have changed, or of ``players``; return how many files are new. Raises OSError.

    ``head`` gives HTML for the head of the page with a path.
    """
    changed = sorted(ledger.changes.players) if players is None else players
    return sum(_write_player(player, ledger, directory, head(player_page(player))) for player in changed)


def _write_player(player: int, ledger: Ledger, directory: Path, head: str) -> bool:
    """Write the page of a player; return whether it is new.

    Of one who wants none, it says only that: other pages lead there.
    """
    if player in ledger.without_page:
        return write_if_changed(directory / player_page(player), template("no_player.html").render().encode())
    name, matches = ledger.names[player], ledger.of_player(player)
    over = [match for match in matches if match.is_over]
    counted = [match for match in over if match.finished]
    text = template("player.html").render(
        head=head,
        name=name,
        matches=len(matches),
        over=len(over),
        won=sum(_has_won(match, player) for match in over),
        running=[_tell(match, player, ledger) for match in matches if not match.is_over],
        finished=[_tell(match, player, ledger) for match in _latest(over)[:_LATEST]],
        search=f"../{SEARCH_PAGE}#{urlencode({'player': name})}" if len(over) > _LATEST else "",
        opponents=[
            (ledger.names[number], f"../{player_page(number)}", against)
            for number, against in _compare(counted, player)[:_OPPONENTS]
        ],
        games=[(GAMES[key].title, f"../{rules_page(key)}", score) for key, score in _by_game(counted, player)],
        roles=[(GAMES[key].title, role, score) for (key, role), score in _by_role(counted, player)],
        months=_count_months(matches, player),
    )
    return write_if_changed(directory / player_page(player), text.encode())


def _tell(match: ListedMatch, player: int, ledger: Ledger) -> _Listed:
    """Return a match as its player sees it."""
    others = tuple((ledger.names[other], f"../{player_page(other)}") for other in match.players if other != player)
    if match.winners is None:
        told = None
    elif _has_won(match, player):
        told = phrase("won")
    else:
        told = phrase("lost") if match.winners else phrase("no winner")
    title = f"{GAMES[match.game].title} {match.id}"
    day = (match.changed_at if match.is_over else match.opened_at).strftime("%Y-%m-%d")
    return _Listed(title, f"../{match_page(match.id)}", others, told, day)


def _latest(matches: Iterable[ListedMatch]) -> list[ListedMatch]:
    """Return finished matches, those that ended last first."""
    return sorted(matches, key=lambda match: (match.changed_at, match.id), reverse=True)


def _has_won(match: ListedMatch, player: int) -> bool:
    """Return whether a player who is in a match has won it."""
    return bool(match.winners and match.seat_of(player) in match.winners)


def _compare(matches: Iterable[ListedMatch], player: int) -> list[tuple[int, _Against]]:
    """Return how a player fared with each of the others, those met most often first."""
    found: dict[int, _Against] = {}
    for match in matches:
        won = _has_won(match, player)
        for other in match.players:
            if other == player:
                continue
            theirs, against = _has_won(match, other), found.setdefault(other, _Against())
            against.matches += 1
            against.won += won and not theirs
            against.lost += theirs and not won
            against.together += won and theirs
    return sorted(found.items(), key=lambda pair: (-pair[1].matches, pair[0]))


def _by_game(matches: Iterable[ListedMatch], player: int) -> list[tuple[str, Score]]:
    """Return the score in each game, those played most often first."""
    scores: dict[str, Score] = {}
    for match in matches:
        scores.setdefault(match.game, Score()).count(_has_won(match, player))
    return sorted(scores.items(), key=lambda pair: (-pair[1].played, pair[0]))


def _by_role(matches: Iterable[ListedMatch], player: int) -> list[tuple[tuple[str, str], Score]]:
    """Return the score in each role of each game."""
    scores: dict[tuple[str, str], Score] = {}
    for match in matches:
        if role := match.roles[match.seat_of(player)]:
            scores.setdefault((match.game, role), Score()).count(_has_won(match, player))
    return sorted(scores.items())


def _count_months(matches: Iterable[ListedMatch], player: int) -> Sequence[tuple[str, int]]:
    """Return the moves of a player in each month, from the first month with any to the last, at most three years."""
    moves: Counter[str] = Counter()
    for match in matches:
        own = match.seat_of(player)
        for month, seat, count in match.activity:
            moves[month] += count * (seat == own)
    made = sorted(month for month, count in moves.items() if count)
    return [(month, moves[month]) for month in _months(made[0], made[-1])][-_MONTHS:] if made else []


def _months(first: str, last: str) -> Iterator[str]:
    """Yield the months from the first to the last."""
    year, month = map(int, first.split("-"))
    while (name := f"{year:04}-{month:02}") <= last:
        yield name
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
