"""Rows become matches here, and nowhere else; rows that no pbem has written make their match a damaged one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pbem.errors import DamagedMatch
from pbem.match.agreements import Agreement
from pbem.match.endings import Ruling
from pbem.match.holders import find_passed
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match, Second
from pbem.match.plan import Plan, read_plan
from pbem.match.player import Player
from pbem.match.stints import STRENGTHS, Stint
from pbem.match.summary import MatchSummary, Standing
from pbem.match.time.calendar import Span
from pbem.match.time.clock import Clock
from pbem.storage.matches.agreements import read_agreements
from pbem.storage.matches.clocks import CLOCK_COLUMNS, read_clock
from pbem.storage.matches.positions import read_record
from pbem.storage.matches.standing_json import read_ruling
from pbem.storage.players import read_players
from rules.errors import InvalidOption, InvalidRecord, RulesError, quote
from rules.game import Game, Value
from rules.games import GAMES
from rules.position import Entry, Position

_OF_OPENING = 7
"""Columns; then come the ruling, the plies taken back, whether it is private, its nonce, its agreements, its
robots, whether all know what its page shows, whether it is rated, and whether it has, or had, seconds."""

_OF_CLOCK = _OF_OPENING + 9
"""Then come the clock, and whether it was interrupted."""


class Opening(NamedTuple):
    """What was set when a match opened, and its player seeds: the first fields of ``Match`` and ``MatchSummary``."""

    id: int
    game: Game
    options: Mapping[str, Value]
    players: tuple[Player, ...]
    opened_at: datetime
    secret: str
    seeds: tuple[str | None, ...]
    rolls_due: datetime | None


def read_opening(row: Sequence[Any], seat_rows: Sequence[Any]) -> Opening:
    """Return the opening of a match from its row and the rows of its seats. Raise DamagedMatch."""
    number, key, seats, options, opened_at, secret, rolls_due = row[:_OF_OPENING]
    if key not in GAMES:
        raise DamagedMatch(number, f"its game is {quote(key)}, which this pbem does not know")
    if not isinstance(options, dict):
        raise DamagedMatch(number, f"its options are {quote(options)}, and not a JSON object")
    if not (_are([opened_at], datetime) and _are([secret], str) and _are([rolls_due], datetime, type(None))):
        raise DamagedMatch(number, "the time of its opening, its secret or the time of its first rolls is lost")
    numbers, players, seeds = _read_seats(seat_rows)
    if type(seats) is not int or seats not in GAMES[key].seats:
        raise DamagedMatch(number, f"it is for {quote(seats)} players, and its game is not")
    if missing := [seat for seat in range(seats) if seat not in numbers]:
        raise DamagedMatch(number, f"seat {missing[0] + 1} has no player with an address")
    if numbers != list(range(seats)):
        raise DamagedMatch(number, f"it is for {seats} players, and has {len(numbers)}")
    if len({player.id for player in players}) < len(players):
        raise DamagedMatch(number, "a player has two of its seats")
    if not (_are([text for player in players for text in (player.name, *player.emails)], str) and _are_seeds(seeds)):
        raise DamagedMatch(number, "the name, the address or the seed of a player in it is no text")
    if not _are([number for player in players for number in (player.generation, player.robot)], int):
        raise DamagedMatch(number, "it is lost how often a player in it has revoked their reply tokens")
    return Opening(number, GAMES[key], options, players, opened_at, secret, seeds, rolls_due)


def read_match(
    row: Sequence[Any],
    seat_rows: Sequence[Any],
    entry_rows: Sequence[Any],
    comment_rows: Sequence[Any],
    outages: tuple[Span, ...] = (),
    log: Sequence[LogEntry] = (),
    seconds: tuple[Second, ...] = (),
) -> Match:
    """Return a match from its rows, its record replayed; its clock leaves out ``outages``. Raise DamagedMatch.

    ``log`` is that of the match, in which seats passed on; ``seconds`` are those of its seats.
    """
    opening = read_opening(row, seat_rows)
    number, game, options, players, opened_at, secret, seeds, rolls_due = opening
    record, position = _read_record(opening, entry_rows)
    comments = tuple(Comment(*values) for _, *values in comment_rows)
    for comment in comments:
        if not (
            _is_seat(comment.seat, players)
            and type(comment.ply) is int
            and 0 <= comment.ply <= len(entry_rows)
            and type(comment.text) is str
            and type(comment.to_side) is bool
        ):
            raise DamagedMatch(number, f"a comment in it, of seat {quote(comment.seat)}, is of none of its players")
    times = tuple([row[-1] for row in entry_rows])
    return Match(
        number,
        game,
        options,
        players,
        opened_at,
        record,
        times,
        comments,
        secret,
        seeds,
        rolls_due,
        position,
        clock=_read_clock(row, len(players)),
        outages=outages,
        ruling=_read_ruling(row, len(players)),
        rewound=row[_OF_OPENING + 1],
        private=_is_private(row),
        nonce=_nonce(row),
        plans=_read_plans(seat_rows),
        agreements=_read_agreements(row, len(players)),
        robots=_read_stints(row, len(players)),
        passed=find_passed(log),
        team_told=row[_OF_OPENING + 6] is True,
        rated=row[_OF_OPENING + 7] is True,
        seconds=tuple(one for one in seconds if 0 <= one.seat < len(players)),
    )


def _read_record(opening: Opening, rows: Sequence[Any]) -> tuple[tuple[Entry, ...], Position[Any]]:
    """Return the record and its position, so that no other place meets one that makes no sense. Raise DamagedMatch."""
    try:
        return read_record(opening.id, opening.game, len(opening.players), opening.options, rows)
    except RulesError as error:
        raise DamagedMatch(opening.id, _explain_refusal(error)) from error


def make_summary(
    opening: Opening, standing: Standing, row: Sequence[Any], outages: tuple[Span, ...] = ()
) -> MatchSummary:
    """Return the summary of a match, whose clock stands in its ``row``. Raise DamagedMatch."""
    number, game, options, players, opened_at, secret, seeds, rolls_due = opening
    clock = _read_clock(row, len(players))
    private = _is_private(row)
    return MatchSummary(
        number,
        game,
        options,
        players,
        opened_at,
        standing,
        secret,
        seeds,
        rolls_due,
        clock,
        outages,
        private,
        rated=row[_OF_OPENING + 7] is True,
    )


def has_passed_turns(row: Sequence[Any]) -> bool:
    """Return whether the row of a match says that turns were used up beside entries: else no seat has passed on."""
    return bool(row[_OF_OPENING + 1])


def may_have_seconds(row: Sequence[Any]) -> bool:
    """Return whether the row of a match says that somebody is a second in it, or was."""
    return bool(row[_OF_OPENING + 8])


def interrupted_since(row: Sequence[Any]) -> datetime | None:
    """Return since when the clock in the row of a match runs, if there was an outage since then, else None."""
    since = row[_OF_CLOCK + len(CLOCK_COLUMNS)]
    return since if isinstance(since, datetime) else None


def _read_clock(row: Sequence[Any], seats: int) -> Clock | None:
    """Return the clock in the row of a match. Raise DamagedMatch."""
    try:
        return read_clock(row[_OF_CLOCK : _OF_CLOCK + len(CLOCK_COLUMNS)], seats)
    except ValueError as error:
        raise DamagedMatch(row[0], str(error).rstrip(".")) from error


def _nonce(row: Sequence[Any]) -> str:
    """Return what its reply tokens are signed with, besides the secret. Raise DamagedMatch."""
    nonce = row[_OF_OPENING + 3]
    if not isinstance(nonce, str):
        raise DamagedMatch(row[0], "it is lost what its reply tokens are signed with")
    return nonce


def _is_private(row: Sequence[Any]) -> bool:
    """Return whether a match is private: one of which that is lost may be."""
    return row[_OF_OPENING + 2] is not False


def _read_ruling(row: Sequence[Any], seats: int) -> Ruling | None:
    """Return the ruling in the row of a match. Raise DamagedMatch."""
    ruling, rewound = row[_OF_OPENING : _OF_OPENING + 2]
    try:
        if type(rewound) is not int:
            raise ValueError("it is lost how many entries were taken back")
        return read_ruling(ruling, seats)
    except ValueError as error:
        raise DamagedMatch(row[0], str(error)) from error


def _read_agreements(row: Sequence[Any], seats: int) -> tuple[Agreement, ...]:
    """Return what players have offered each other. Raise DamagedMatch."""
    try:
        return read_agreements(row[_OF_OPENING + 4], seats)
    except ValueError as error:
        raise DamagedMatch(row[0], str(error)) from error


def _read_stints(row: Sequence[Any], seats: int) -> tuple[Stint, ...]:
    """Return which moves robots have made, or are to make. Raise DamagedMatch."""
    stored = row[_OF_OPENING + 5]
    try:
        found = tuple(Stint(*one) for one in stored or ())
    except TypeError:
        found = None
    if found is None or not all(_is_stint(one, seats) for one in found):
        raise DamagedMatch(row[0], "it is lost which of its moves robots have made")
    return found


def _is_stint(stint: Stint, seats: int) -> bool:
    """Return whether there can be such a stint in a match with so many seats."""
    last = stint.first + 1 if stint.last is None else stint.last
    plies = _are([stint.seat, stint.strength, stint.first, last], int) and 0 <= stint.first < last
    return plies and 0 <= stint.seat < seats and stint.strength in STRENGTHS


def _read_seats(rows: Sequence[Any]) -> tuple[list[int], tuple[Player, ...], tuple[str | None, ...]]:
    """Return the seats of a match, their players and player seeds; a seat has a row for each address of its player."""
    players = read_players(row[4:] for row in rows)
    seats = {seat: (player, salt) for _, seat, salt, _, player, *_ in rows}
    seated = tuple(players[player] for player, _ in seats.values())
    return list(seats), seated, tuple(salt for _, salt in seats.values())


def _read_plans(rows: Sequence[Any]) -> tuple[Plan | None, ...]:
    """Return the plans of the seats of a match; nothing where nobody has any. What is no plan plays nothing."""
    stored = {seat: plan for _, seat, _, plan, *_ in rows}
    plans = tuple(map(read_plan, stored.values()))
    return plans if any(plans) else ()


def _explain_refusal(error: RulesError) -> str:
    """Return why a record does not replay, worded to follow a colon."""
    sentence = str(error).rstrip(".")
    if isinstance(error, InvalidOption):
        return f"its options will not do ({sentence})"
    return f"{sentence[:1].lower()}{sentence[1:]}" if isinstance(error, InvalidRecord) else sentence


def _is_seat(value: object, players: Sequence[Player]) -> bool:
    """Return whether ``value`` is a seat of one of ``players``."""
    return type(value) is int and 0 <= value < len(players)


def _are_seeds(seeds: Sequence[object]) -> bool:
    """Return whether all ``seeds`` are texts, or None."""
    return _are(seeds, str, type(None))


def _are(values: Sequence[object], *kinds: type) -> bool:
    """Return whether every value is of one of these types."""
    return set(map(type, values)) <= set(kinds)
