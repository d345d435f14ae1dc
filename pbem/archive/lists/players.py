"""The page of each player: their matches, how they fared against whom, in which games and roles, and when they moved.

Its address has the number under which the database knows them, which is shown nowhere else: it tells in which order the
host came to know people, as the numbers of their first matches do, and opens nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from markupsafe import escape

from pbem.archive.lists.contest_lines import ContestLine, LadderLine, SeasonLine
from pbem.archive.lists.curves import draw_curve
from pbem.archive.lists.index import last_page
from pbem.archive.lists.ledger import Ledger, ListedMatch
from pbem.archive.lists.listing import PAGE, Part, Row, link_players, write_part
from pbem.archive.lists.tally import Score
from pbem.archive.made_of import Made
from pbem.archive.pages import address_links, template, write_if_changed
from pbem.archive.standing import format_moment
from pbem.archive.way_in import NO_WAY_IN, WayIn
from pbem.mail.archive_paths import INDEX, SEARCH_PAGE, match_page, news_page, player_page, rules_page
from pbem.match.player import Player
from pbem.notices.sentences.ratings import write_rating
from rules.games import GAMES
from rules.phrase import phrase

_LATEST = 20
"""Running matches, and finished ones, that a page lists; the others are in a list of all."""
_OPPONENTS = 20
_MONTHS = 36


@dataclass(slots=True)
class _Against:
    """Finished matches with another player: all, those won against them, lost to them, and on the same side."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    together: int = 0


def write_players(
    ledger: Ledger,
    directory: Path,
    head: Callable[[str], str] = lambda page: "",
    players: Iterable[int] | None = None,
    way_in: WayIn = NO_WAY_IN,
    contests: Callable[[int], Sequence[ContestLine]] = lambda player: (),
) -> int:
    """Write the pages of players that have changed, or of ``players``; return how many files are new. Raises OSError.

    ``head`` gives HTML for the head of the page with a path, ``contests`` the lines about a player's.
    """
    changed = sorted(ledger.changes.players) if players is None else players
    return sum(
        _write_player(player, ledger, directory, head(player_page(player)), way_in, contests(player))
        for player in changed
    )


def describe_player(player: int, ledger: Ledger, made: Made, contests: Sequence[ContestLine]) -> str:
    """Return all that the page of a player is made of; ``made`` tells it of the pages of matches."""
    matches = ledger.of_player(player)
    own = [(match.id, made.stamp(match_page(match.id))) for match in matches]
    names = [ledger.names[one] for match in matches for one in match.players]
    ratings = [ratings.of(player) for ratings in ledger.ratings.values()]
    curves = [len(ratings.curve(player)) for ratings in ledger.ratings.values()]
    return repr((own, names, ratings, curves, player in ledger.without_page, player in ledger.pageless, contests))


def _write_player(
    player: int, ledger: Ledger, directory: Path, head: str, way_in: WayIn, contests: Sequence[ContestLine]
) -> int:
    """Write the page of a player, and the list of all their matches; return how many files are new.

    Of one who wants none, the page says only that: other pages lead there. Of one who was forgotten there is none, nor
    of a robot.
    """
    if player in ledger.without_page:
        ledger.new_parts(player, wanted=False)
        gone = _remove(directory, player_page(player, "*"))
        if player in ledger.pageless:
            return gone + _remove(directory, player_page(player), news_page(player_page(player)))
        text = template("no_player.html").render(number=player)
        return gone + write_if_changed(directory / player_page(player), text.encode())
    name, matches = ledger.names[player], ledger.of_player(player)
    over = [match for match in matches if match.is_over]
    running = [match for match in matches if not match.is_over]
    counted = [match for match in over if match.finished]
    has_more = _has_more(matches)
    text = template("player.html").render(
        head=head,
        way_in=way_in,
        name=name,
        matches=len(matches),
        over=len(over),
        won=sum(_has_won(match, player) for match in over),
        running=[_row(match, player, ledger) for match in _latest(running)[:_LATEST]],
        finished=[_row(match, player, ledger) for match in _latest(over)[:_LATEST]],
        all_matches=f"../{player_page(player, last_page(len(matches)))}" if has_more else "",
        search=f"../{SEARCH_PAGE}#{urlencode({'player': name})}" if has_more else "",
        opponents=[
            (link_players([(ledger.names[number], _numbered(number, ledger))], "../"), against)
            for number, against in _compare(counted, player)[:_OPPONENTS]
        ],
        games=[
            (GAMES[key].title, f"../{rules_page(key)}", score, rating and write_rating(rating))
            for key, score in _by_game(counted, player)
            for rating in [ledger.ratings[key].of(player)]
        ],
        curves=[
            (GAMES[key].title, curve)
            for key, _ in _by_game(counted, player)
            if (curve := draw_curve(ledger.ratings[key].curve(player)))
        ],
        reliability=ledger.reliability_of(player),
        seasons=[line for line in contests if isinstance(line, SeasonLine)],
        ladders=[line for line in contests if isinstance(line, LadderLine)],
        roles=[(GAMES[key].title, role, score) for (key, role), score in _by_role(counted, player)],
        months=_count_months(matches, player),
    )
    parts = [
        _write_part(player, part, last_page(len(matches)), listed, ledger, directory)
        for part, listed in ledger.new_parts(player, wanted=has_more)
    ]
    return sum(parts) + write_if_changed(directory / player_page(player), address_links(text, way_in.host).encode())


def write_moved(moved: Mapping[int, Player], shown: Collection[int], directory: Path) -> int:
    """Write pages that lead on from the numbers of players who are others now; return how many files have changed.

    Where the other one has no page, or is none of those ``shown``, there is none. Raises OSError.
    """
    changed = 0
    for number, player in moved.items():
        path = directory / player_page(number)
        if player.has_page and player.id in shown:
            text = template("moved_player.html").render(number=number, into=player.id)
            changed += write_if_changed(path, text.encode())
        elif path.exists():
            path.unlink()
            changed += 1
    return changed


def name_player_lists(ledger: Ledger) -> Iterator[str]:
    """Yield the paths of all lists of matches of players that there are now."""
    for player in ledger.names.keys() - ledger.without_page:
        matches = ledger.of_player(player)
        if _has_more(matches):
            yield from (player_page(player, part + 1) for part in range(last_page(len(matches))))


def _has_more(matches: Sequence[ListedMatch]) -> bool:
    """Return whether a player has more matches than their page lists."""
    over = sum(match.is_over for match in matches)
    return max(over, len(matches) - over) > _LATEST


def _remove(directory: Path, *patterns: str) -> int:
    """Remove the files that match a pattern; return how many there were."""
    found = [path for pattern in patterns for path in directory.glob(pattern)]
    for path in found:
        path.unlink()
    return len(found)


def _write_part(
    player: int, part: int, last: int, listed: Sequence[ListedMatch], ledger: Ledger, directory: Path
) -> bool:
    """Write a part of the list of all matches of a player, the newest on top; return whether it is new, or gone."""
    path = player_page(player, part)
    if not listed:
        (directory / path).unlink(missing_ok=True)
        return True
    first = (part - 1) * PAGE + 1
    span = {"first": first, "last": first + len(listed) - 1}
    title = str(phrase("{name}: matches {first} to {last}", name=ledger.names[player], **span))
    newest = listed[::-1]
    running, over = ([_row(match, player, ledger) for match in newest if match.is_over == end] for end in (0, 1))
    up = [(str(phrase("All matches")), INDEX), (ledger.names[player], player_page(player))]
    newer = player_page(player, part + 1) if part < last else ""
    older = player_page(player, part - 1) if part > 1 else ""
    return write_part(Part(path, title, up, newer, older), running, over, directory)


def _row(match: ListedMatch, player: int, ledger: Ledger) -> Row:
    """Return a match as its player sees it: with the others, and how it ended for them."""
    others = ((ledger.names[number], _numbered(number, ledger)) for number in match.players if number != player)
    opened, latest = (format_moment(at)[:10] for at in (match.opened_at, match.changed_at))
    if match.winners is None:
        told = phrase("latest move on {day}", day=latest) if match.moves else phrase("no move yet")
    elif len(match.winners) == len(match.players):
        told = phrase("drawn")
    elif _has_won(match, player):
        told = phrase("won")
    else:
        told = phrase("lost") if match.winners else phrase("no winner")
    day = opened if match.winners is None else latest
    title = f"{GAMES[match.game].title} {match.id}"
    return Row(title, match_page(match.id), link_players(others, "../"), escape(told), match.moves, day)


def _numbered(player: int, ledger: Ledger) -> int | None:
    """Return the number of a player who has a page."""
    return None if player in ledger.without_page else player


def _latest(matches: Iterable[ListedMatch]) -> list[ListedMatch]:
    """Return matches, those in which something happened last first."""
    return sorted(matches, key=lambda match: (match.changed_at, match.id), reverse=True)


def _has_won(match: ListedMatch, player: int) -> bool:
    """Return whether a player who is in a match has won it."""
    return bool(match.winners and match.seat_of(player) in match.winners)


def _are_partners(match: ListedMatch, player: int, other: int) -> bool:
    """Return whether two players who are in a match win and lose it together: whoever does has one role."""
    role = match.roles[match.seat_of(player)]
    return role is not None and role == match.roles[match.seat_of(other)]


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
            against.together += _are_partners(match, player, other)
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
