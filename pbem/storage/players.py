"""Players, their addresses, preferences and bounces."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, false, func, or_, select, update

from pbem.errors import DamagedRow
from pbem.log.logbook import event
from pbem.mail.headers import domain_of, to_address
from pbem.match.player import Player
from pbem.match.preferences import PreferenceName, read_merged, read_preferences
from pbem.match.stints import robot_name
from pbem.match.time.calendar import Calendar
from pbem.storage.calendars import read_calendar, write_calendar
from pbem.storage.gateway import Gateway, batched
from pbem.storage.messages.records import BouncingAddress
from pbem.storage.statement import Statement
from pbem.storage.tables import ADDRESS, BLOCKED, ENTRY, MATCH, PLAYER, SEAT
from rules.position import Seat

log = logging.getLogger("pbem")


PLAYER_COLUMNS = (
    PLAYER.c.id,
    PLAYER.c.name,
    PLAYER.c.display,
    PLAYER.c.quiet,
    PLAYER.c.generation,
    PLAYER.c.zone,
    PLAYER.c.absences,
    PLAYER.c.remind,
    PLAYER.c.quiet_hours,
    PLAYER.c.automatic,
    PLAYER.c.away,
    PLAYER.c.forgotten_at,
    PLAYER.c.former_name,
    PLAYER.c.renamed_at,
    PLAYER.c.robot,
    ADDRESS.c.email,
)
"""The columns of a player: one row for each of their addresses, the primary one first.

One who was forgotten has one row, without an address; so has a robot.
"""

IS_WHOLE = or_(ADDRESS.c.email.is_not(None), PLAYER.c.forgotten_at.is_not(None), PLAYER.c.robot > 0)
"""The condition by which players are read: whoever has no address was forgotten, is a robot, or is damaged."""

_JOINED = (
    select(*PLAYER_COLUMNS)
    .outerjoin_from(PLAYER, ADDRESS)
    .where(IS_WHOLE)
    .order_by(PLAYER.c.id, ADDRESS.c.is_primary.desc())
)
_BY_EMAIL = Statement(
    _JOINED.where(
        PLAYER.c.id == select(ADDRESS.c.player_id).where(ADDRESS.c.email == bindparam("email")).scalar_subquery()
    )
)
_BY_NUMBER = Statement(_JOINED.where(PLAYER.c.id == bindparam("number")))
_BY_NAME = Statement(_JOINED.where(PLAYER.c.folded == bindparam("folded"), PLAYER.c.forgotten_at.is_(None)))

_CHANGED = select(PLAYER.c.id, PLAYER.c.changed_at)
_EVER = datetime.min.replace(tzinfo=UTC)
_HAS_BOUNCED = or_(ADDRESS.c.soft_bounces > 0, ADDRESS.c.hard_bounces > 0)
_BOUNCES = select(
    ADDRESS.c.email, ADDRESS.c.player_id, ADDRESS.c.soft_bounces, ADDRESS.c.hard_bounces, ADDRESS.c.bounced_at
)
_CLEAR = Statement(update(ADDRESS).where(ADDRESS.c.player_id == bindparam("player"), _HAS_BOUNCED))


class NewestSeat(NamedTuple):
    """A player's newest match, ``runs``: it goes on; with their seat, its present ``turn`` and its nonce."""

    match: int
    seat: Seat
    turn: int
    nonce: str
    runs: bool


class Players(Gateway):
    """The gateway to players and their addresses."""

    def find(self, name_or_email: str) -> Player | None:
        """Return the player with this name (in any letter case) or address."""
        rows = self._rows(_BY_EMAIL, email=to_address(name_or_email)) or self._rows(
            _BY_NAME, folded=name_or_email.casefold()
        )
        return next(iter(read_players(rows).values()), None)

    def get(self, number: int) -> Player | None:
        """Return the player with this number."""
        return next(iter(read_players(self._rows(_BY_NUMBER, number=number)).values()), None)

    def all(self) -> list[Player]:
        """Return all players, oldest first."""
        return list(read_players(self._rows(_JOINED)).values())

    def newest(self, *, before: int | None = None, limit: int | None = None) -> list[Player]:
        """Return the newest ``limit`` players, oldest first; ``before``: of those with lower numbers.

        A player whose name or address cannot be read is logged and passed over.
        """
        numbers = select(PLAYER.c.id).order_by(PLAYER.c.id.desc()).limit(limit)
        if before is not None:
            numbers = numbers.where(PLAYER.c.id < before)
        try:
            rows = self._rows(_JOINED.where(PLAYER.c.id.in_(numbers)))
        except DamagedRow:  # of one of them; the others must not be lost with it
            rows = [row for (number,) in reversed(self._rows(numbers)) for row in self._rows_of(number)]
        return list(read_players(rows).values())

    def named(self) -> list[tuple[int, str]]:
        """Return number and name of every player, oldest first."""
        return [(number, name) for number, name in self._rows(select(PLAYER.c.id, PLAYER.c.name).order_by(PLAYER.c.id))]

    def merged(self) -> dict[int, Player]:
        """Return the players who are others now, by the numbers that they had."""
        gone = PLAYER.c.forgotten_at.is_not(None), PLAYER.c.display.contains(" merged=")
        rows = self._rows(select(PLAYER.c.id, PLAYER.c.display).where(*gone))
        into = {number: read_merged(display) for number, display in rows}
        found = {number: self.get(number) for number in {*into.values()} if number is not None}
        return {number: player for number, one in into.items() if one is not None and (player := found[one])}

    def numbers(self, *, changed_since: datetime | None = None) -> list[int]:
        """Return the numbers of all players; ``changed_since``: of those whose feed changed, not only by matches."""
        query = select(PLAYER.c.id)
        if changed_since is not None:
            query = query.where(PLAYER.c.changed_at >= changed_since)
        return sorted(number for (number,) in self._rows(query))

    def seated(self, matches: Sequence[int] | None = None) -> dict[int, list[int]]:
        """Return the players of all matches, or of some of them, by the number of the match; a damaged one has none."""
        query = select(SEAT.c.match_id, SEAT.c.player_id)
        found: dict[int, list[int]] = {}
        try:
            rows = self._rows(query if matches is None else query.where(SEAT.c.match_id.in_(matches)))
        except DamagedRow:  # in one of them; the others must not be lost with it
            if matches is None:
                matches = [number for (number,) in self._rows(select(MATCH.c.id))]
            middle = len(matches) // 2
            return self.seated(matches[:middle]) | self.seated(matches[middle:]) if middle else {}
        for match, player in rows:
            if isinstance(match, int) and isinstance(player, int):
                found.setdefault(match, []).append(player)
        return found

    def some(self, numbers: Sequence[int]) -> list[tuple[Player, datetime]]:
        """Return the players with these numbers, each with when they last changed; damaged ones are passed over."""
        query = _CHANGED.where(PLAYER.c.id.in_(numbers))
        try:
            changed = dict[int, datetime]((row[0], row[1]) for row in self._rows(query))
            rows = self._rows(_JOINED.where(PLAYER.c.id.in_(numbers)))
        except DamagedRow as damaged:
            if len(numbers) > 1:
                return [found for number in numbers for found in self.some([number])]
            log.error("player %d: %s", numbers[0], damaged, extra=event("damaged", player=numbers[0]))
            return []
        found = read_players(rows).values()
        sound = [one for one in found if type(one.name) is str and type(one.generation) is int]
        return [(player, changed[player.id]) for player in sound]

    def newest_seats(self, match: int | None = None) -> dict[int, NewestSeat]:
        """Return the newest running match of each player, or else the newest; ``match``: only this one is looked at."""
        runs = MATCH.c.over_at.is_(None)
        query = select(SEAT.c.player_id, SEAT.c.match_id, SEAT.c.seat, runs).join(MATCH, MATCH.c.id == SEAT.c.match_id)
        if match is not None:
            query = query.where(SEAT.c.match_id == match)
        found = {player: seat for player, *seat in self._rows(query.order_by(runs, SEAT.c.match_id))}
        plies = select(func.count()).where(ENTRY.c.match_id == MATCH.c.id).correlate(MATCH).scalar_subquery()
        numbers, known = sorted({number for number, _, _ in found.values()}), dict[int, tuple[int, str]]()
        for part in batched(numbers):
            chosen = MATCH.c.id.in_(part)
            for number, turn, nonce in self._rows(
                select(MATCH.c.id, MATCH.c.rewound + plies, MATCH.c.nonce).where(chosen)
            ):
                known[number] = turn, nonce
        return {
            player: NewestSeat(number, seat, *known[number], bool(runs))
            for player, (number, seat, runs) in found.items()
        }

    def add(self, name: str, email: str, now: datetime) -> Player:
        """Add a player; a name that is taken gets a number behind it."""
        free = self._free_name(name)
        number = self._add_row(free, now, robot=0)
        self._add_address(email, number, is_primary=True)
        return Player(number, free, email, frozenset({email}))

    def find_robot(self, strength: int, besides: Iterable[int] = ()) -> Player | None:
        """Return the first robot of that strength that is none of the players with the numbers ``besides``."""
        numbers = self._rows(
            select(PLAYER.c.id).where(PLAYER.c.robot == strength, PLAYER.c.robot > 0).order_by(PLAYER.c.id)
        )
        free = next((number for (number,) in numbers if number not in {*besides}), None)
        return None if free is None else self.get(free)

    def seat_robot(self, strength: int, besides: Iterable[int], now: datetime) -> Player:
        """Return a robot of that strength that is none of the players with the numbers ``besides``, made if need be.

        One plays in many matches, with one seat in each.
        """
        taken = {*besides}
        if found := self.find_robot(strength, taken):
            return found
        count = int(self._value(select(func.count()).select_from(PLAYER).where(PLAYER.c.robot == strength)))
        name = self._free_name(robot_name(strength, count))
        number = self._add_row(name, now, robot=strength)
        return Player(number, name, "", frozenset(), robot=strength)

    def set_preference(self, player: Player, name: PreferenceName, value: str | bool) -> None:
        """Store one preference of a player; the others stay as they are stored by now."""
        row = self._row(select(PLAYER.c.display, PLAYER.c.quiet).where(PLAYER.c.id == player.id))
        changed = (read_preferences(*row) if row else player.preferences).changed(name, value)
        self._set(PLAYER, PLAYER.c.id == player.id, display=changed.stored, quiet=changed.muted)

    def set_calendar(self, player: Player, calendar: Calendar, now: datetime) -> None:
        """Store the calendar of a player."""
        self._set(PLAYER, PLAYER.c.id == player.id, changed_at=now, **write_calendar(calendar))

    def revoke_tokens(self, player: Player, now: datetime) -> None:
        """Let none of the reply tokens count that the player has had so far."""
        self._set(PLAYER, PLAYER.c.id == player.id, generation=player.generation + 1, changed_at=now)

    def touch(self, player: int, now: datetime) -> None:
        """Note that the calendar feed of a player has changed, since they left a match, for instance."""
        self._set(PLAYER, PLAYER.c.id == player, changed_at=now)

    def add_address(self, player: Player, email: str) -> None:
        """Add an address that a player writes from."""
        self._add_address(email, player.id, is_primary=False)

    def drop_address(self, player: Player, email: str) -> bool:
        """Remove an address from a player; return False for their primary address, and for one they do not have."""
        own = ADDRESS.c.email == email, ADDRESS.c.player_id == player.id, ADDRESS.c.is_primary == false()
        return self._write(delete(ADDRESS).where(*own))

    def count_bounce(self, email: str, hard: bool, now: datetime) -> BouncingAddress | None:
        """Count one more bounce of a player's address; None if no player has this address."""
        column = ADDRESS.c.hard_bounces if hard else ADDRESS.c.soft_bounces
        if not self._set(ADDRESS, ADDRESS.c.email == email, **{column.name: column + 1}, bounced_at=now):
            return None
        row = self._row(_BOUNCES.where(ADDRESS.c.email == email))
        return BouncingAddress(*row) if row else None

    def clear_bounces(self, player: int) -> bool:
        """Set the bounce counts of a player's addresses to 0, since they wrote; return whether there were any."""
        return self._write(_CLEAR, player=player, soft_bounces=0, hard_bounces=0)

    def bouncing(self) -> list[BouncingAddress]:
        """Return the addresses that bounced since their player last wrote, by player."""
        bounced = _BOUNCES.where(_HAS_BOUNCED, ADDRESS.c.bounced_at > _EVER)  # as its index can find them
        found = [BouncingAddress(*row) for row in self._rows(bounced.order_by(ADDRESS.c.bounced_at))]
        return sorted(found, key=lambda one: (one.player, one.email))

    def domains(self) -> frozenset[str]:
        """Return the domains of all addresses."""
        return frozenset(domain_of(email) for (email,) in self._rows(select(ADDRESS.c.email)))

    def count_blocked(self) -> int:
        """Return how many addresses the operator has blocked."""
        return int(self._value(select(func.count()).select_from(BLOCKED)))

    def _free_name(self, name: str) -> str:
        """Return a name that nobody has: with a number behind it, if need be."""
        free, count = name, 1
        while self.find(free) is not None:
            count += 1
            free = f"{name} {count}"
        return free

    def _add_row(self, name: str, now: datetime, *, robot: int) -> int:
        """Add the row of a player, without an address, and return its number."""
        return self._add(
            PLAYER,
            name=name,
            folded=name.casefold(),
            created_at=now,
            display="",
            quiet=False,
            generation=0,
            zone="",
            remind="",
            away="",
            quiet_hours="",
            automatic=True,
            changed_at=now,
            former_name="",
            robot=robot,
        )

    def _rows_of(self, number: int) -> Sequence[Any]:
        """Return the rows of one player; none, and a line in the log, if they cannot be read."""
        try:
            return self._rows(_JOINED.where(PLAYER.c.id == number))
        except DamagedRow as damaged:
            log.error("player %d: %s", number, damaged, extra=event("damaged", player=number))
            return ()

    def _add_address(self, email: str, player: int, *, is_primary: bool) -> None:
        """Add the row of an address."""
        bounces = {"soft_bounces": 0, "hard_bounces": 0}
        self._write(ADDRESS.insert(), email=email, player_id=player, is_primary=is_primary, **bounces)


def read_players(rows: Iterable[Any]) -> dict[int, Player]:
    """Return the players in ``rows`` of ``PLAYER_COLUMNS``, by their numbers, in the order of the rows."""
    found: dict[int, Player] = {}
    for (
        number,
        name,
        display,
        quiet,
        generation,
        *calendar,
        forgotten_at,
        former_name,
        renamed_at,
        robot,
        email,
    ) in rows:
        if known := found.get(number):
            found[number] = replace(known, emails=known.emails | {email})
        else:
            found[number] = Player(
                number,
                name,
                "" if email is None else email,
                frozenset() if email is None else frozenset({email}),
                read_preferences(display, quiet),
                generation,
                read_calendar(*calendar),
                forgotten=forgotten_at is not None,
                merged_into=None if forgotten_at is None else read_merged(display),
                former_name=former_name,
                renamed_at=renamed_at,
                robot=robot,
            )
    return found
