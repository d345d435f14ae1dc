"""Who votes on the moves of which seat, and their votes; rows stay, since records are told of them."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, select

from pbem.match.match import Match, Second
from pbem.match.player import Player
from pbem.storage.gateway import Gateway, insert_on
from pbem.storage.players import IS_WHOLE, PLAYER_COLUMNS, read_players
from pbem.storage.tables import ADDRESS, COMMENT, MATCH, PLAYER, SECOND, VOTE
from rules.position import Seat

_PRESENT = SECOND.c.left_at.is_(None)
_BY_MATCH = (
    select(SECOND.c.match_id, SECOND.c.seat, SECOND.c.since, *PLAYER_COLUMNS)
    .select_from(SECOND.join(PLAYER).outerjoin(ADDRESS, ADDRESS.c.player_id == PLAYER.c.id))
    .where(_PRESENT, IS_WHOLE)
    .order_by(SECOND.c.match_id, SECOND.c.since, SECOND.c.player_id, ADDRESS.c.is_primary.desc())
)


class Seconds(Gateway):
    """The gateway to seconds and votes."""

    def of(self, matches: Sequence[int]) -> Mapping[int, tuple[Second, ...]]:
        """Return the seconds in matches, by their numbers, those first who have been so for longest."""
        rows = self._rows(_BY_MATCH.where(SECOND.c.match_id.in_(matches)))
        players = read_players(row[3:] for row in rows)
        found: dict[int, dict[int, Second]] = {}
        for match, seat, since, number, *_ in rows:
            found.setdefault(match, {})[number] = Second(seat, players[number], since)
        return {match: tuple(seconds.values()) for match, seconds in found.items()}

    def matches_of(self, player: int) -> list[int]:
        """Return the numbers of the matches in which a player is a second."""
        return [number for (number,) in self._rows(select(SECOND.c.match_id).where(_PRESENT, _is(player)))]

    def seats_of(self, player: int) -> list[tuple[int, Seat]]:
        """Return the matches and seats of which a player is a second, or was, in the order of numbers."""
        held = select(SECOND.c.match_id, SECOND.c.seat).where(_is(player)).order_by(SECOND.c.match_id)
        return [(match, seat) for match, seat in self._rows(held)]

    def knows_other(self, match: Match, seat: Seat, player: Player) -> bool:
        """Return whether a player had a seat on another side than that of ``seat``, or votes or voted for one."""
        seats = {other for number, other in self.seats_of(player.id) if number == match.id}
        seats |= {one.seat for one in match.passed if player.id == one.owner or player.name == one.name}
        return not seats <= match.position.side(seat)

    def ever(self, match: int, seat: Seat) -> bool:
        """Return whether a seat has, or had, a second."""
        of_seat = SECOND.c.match_id == match, SECOND.c.seat == seat
        return self._row(select(SECOND.c.seat).where(*of_seat)) is not None

    def join(self, match: int, seat: Seat, player: Player, now: datetime) -> None:
        """Let a player be a second of a seat from now on."""
        insert = insert_on(self._connection.dialect.name, SECOND)
        row = {"match_id": match, "player_id": player.id, "seat": seat, "since": now, "left_at": None}
        key = SECOND.c.match_id, SECOND.c.player_id
        self._write(insert.values(row).on_conflict_do_update(index_elements=key, set_=row))
        self._set(MATCH, MATCH.c.id == match, seconded=True)

    def leave(self, match: int, player: int, now: datetime) -> None:
        """Let a player be a second in a match no longer."""
        self._lock(MATCH, [match])
        self._set(SECOND, SECOND.c.match_id == match, _is(player), _PRESENT, left_at=now)

    def leave_all(self, player: int, now: datetime) -> None:
        """Let a player be a second in no match."""
        self._set(SECOND, _is(player), _PRESENT, left_at=now)

    def cast(self, match: int, turn: int, seat: Seat, player: int, moves: str, now: datetime) -> None:
        """Store the vote of a player in a turn, in place of their vote before; of two at once one counts the other."""
        self._lock(MATCH, [match])
        insert = insert_on(self._connection.dialect.name, VOTE)
        row = {"match_id": match, "turn": turn, "player_id": player, "seat": seat, "moves": moves, "cast_at": now}
        key = VOTE.c.match_id, VOTE.c.turn, VOTE.c.player_id
        self._write(insert.values(row).on_conflict_do_update(index_elements=key, set_=row))

    def votes(self, match: int, turn: int, seat: Seat) -> dict[int, str]:
        """Return the votes for what a seat is to play in a turn, by the numbers of players; the first cast first."""
        cast = VOTE.c.match_id == match, VOTE.c.turn == turn, VOTE.c.seat == seat
        found = select(VOTE.c.player_id, VOTE.c.moves).where(*cast).order_by(VOTE.c.cast_at, VOTE.c.player_id)
        return {row.player_id: row.moves for row in self._rows(found)}

    def last_votes(self, match: int, before: int, seat: Seat) -> dict[int, str]:
        """Return the votes in the last turn of a seat ``before`` another in which there were any."""
        earlier = VOTE.c.match_id == match, VOTE.c.turn < before, VOTE.c.seat == seat
        turn = self._value(select(VOTE.c.turn).where(*earlier).order_by(VOTE.c.turn.desc()).limit(1))
        return {} if turn is None else self.votes(match, turn, seat)

    def votes_of(self, player: int) -> list[tuple[int, str, datetime]]:
        """Return the votes of a player: match, moves and time, the oldest first."""
        own = select(VOTE.c.match_id, VOTE.c.moves, VOTE.c.cast_at).where(VOTE.c.player_id == player)
        return [tuple(row) for row in self._rows(own.order_by(VOTE.c.cast_at, VOTE.c.match_id))]

    def renumber(self, before: int, after: int, now: datetime) -> None:
        """Let one player be a second, and have voted, where another one was, since they are one person.

        Where both were, what the second of them has stays.
        """
        theirs = select(SECOND.c.match_id).where(_is(after))
        self._set(SECOND, _is(before), SECOND.c.match_id.in_(theirs), _PRESENT, left_at=now)
        self._set(SECOND, _is(before), SECOND.c.match_id.not_in(theirs), player_id=after)
        self._set(COMMENT, COMMENT.c.second_id == before, second_id=after)
        both = select(VOTE.c.match_id).where(VOTE.c.player_id == after)
        self._set(VOTE, VOTE.c.player_id == before, VOTE.c.match_id.not_in(both), player_id=after)


def _is(player: int) -> ColumnElement[bool]:
    """Return the condition that a row of a second is a player's."""
    return SECOND.c.player_id == player
