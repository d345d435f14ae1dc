"""Reading of matches: whole, with record, comments and player seeds, or as summaries; and what is damaged of them."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, exists, func, or_, select

from pbem.errors import DamagedMatch, DamagedRow
from pbem.log.logbook import event
from pbem.match.fair_rolls import rolls_in
from pbem.match.match import Comment, Match
from pbem.match.privacy import may_recall
from pbem.match.records import record_of
from pbem.match.summary import MatchSummary, Standing, standing_of, summarise
from pbem.match.time.calendar import Span
from pbem.storage.gateway import AT_ONCE, Gateway, batched
from pbem.storage.heartbeats import Heartbeats
from pbem.storage.matches.clocks import Clocks
from pbem.storage.matches.rows import (
    has_passed_turns,
    interrupted_since,
    make_summary,
    may_have_seconds,
    read_match,
    read_opening,
)
from pbem.storage.matches.seconds import Seconds
from pbem.storage.matches.standing_json import read_standing
from pbem.storage.matches.statements import (
    CHANGED,
    ENTRY_IDS,
    FINISHED,
    KNOWN,
    LISTED,
    NONCE,
    ONE,
    ONE_ENTRY,
    SAID,
    SOME,
    STANDINGS,
    TOLD,
    Reading,
)
from pbem.storage.tables import COMMENT, MATCH, MATCH_LOG, PLAYER, SEAT
from rules.position import Seat

log = logging.getLogger("pbem")
_LARGEST = 2**31 - 1  # number that a reply token, and the databases, have room for
_FURTHEST = 100_000  # a number further beyond the number of matches is no match's: it would make endless lists


class MatchReader(Gateway):
    """What is read of matches; ``Matches`` is this and writes them, too."""

    def __init__(self, connection: Connection, heartbeats: Heartbeats) -> None:
        super().__init__(connection)
        self._heartbeats = heartbeats

    def nonce(self, number: int) -> str | None:
        """Return what the reply tokens of a match are signed with, beside the secret; None for no such match."""
        found = self._value(NONCE, number=number)
        return found if isinstance(found, str) else None

    def get(self, number: int, *, comments: bool = False, checked: bool = False) -> Match | None:
        """Return the match with this number; ``comments``: with its comments. Raise DamagedMatch.

        ``checked``: its record is compared with what is stored beside it, as has to be before it is signed.
        """
        found = self._read_alone(number, comments) if abs(number) <= _LARGEST else None
        if checked and isinstance(found, Match):
            (found,) = self._check([found])
        if isinstance(found, DamagedMatch):
            raise found
        return found

    def all(
        self,
        numbers: Sequence[int] | None = None,
        *,
        comments: bool = False,
        checked: bool = False,
        player: int | None = None,
        running: bool = False,
    ) -> list[Match]:
        """Return the sound matches in the order of their numbers; every argument narrows the choice.

        ``running``: only matches that are not over. ``comments``: the matches come with their comments. ``checked``: as
        ``get`` has it. What is damaged among them is logged.
        """
        query = _narrow(select(MATCH.c.id), running or None, None).order_by(MATCH.c.id)
        if player is not None:
            own = [number for (number,) in self._rows(select(SEAT.c.match_id).where(SEAT.c.player_id == player))]
            wanted = own if numbers is None else [number for number in own if number in numbers]
            numbers = [number for number in wanted if isinstance(number, int)]
        found = self._read_batched(self._choose(query, numbers), comments)
        return list(_log_damaged(self._check(list(found)) if checked else found))

    def numbers(self, now: datetime, *, changed_since: datetime | None = None) -> list[int]:
        """Return the numbers of all matches, the latest change last; ``changed_since``: only of those, in their order.

        A match changes with its clock, too, when a pause has ended by ``now``, and with the calendar of whoever is to
        act.
        """
        if changed_since is None:
            return [number for (number,) in self._rows(select(MATCH.c.id).order_by(MATCH.c.changed_at, MATCH.c.id))]
        return sorted({number for (number,) in self._rows(CHANGED, moment=changed_since, now=now)})

    def summaries(
        self,
        *,
        running: bool | None = None,
        listed: bool = False,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[MatchSummary | DamagedMatch]:
        """Return summaries in the order of the matches' numbers: of the newest ``limit`` matches.

        ``running``: only of matches that are not over, or only of those that are; ``listed``: only of those that lists
        of the archive have; ``before``: only of matches with lower numbers. A damaged match stands among them as its
        error.
        """
        query = _narrow(select(MATCH.c.id), running, before).order_by(MATCH.c.id.desc()).limit(limit)
        if listed:
            query = query.where(LISTED)
        numbers = [number for (number,) in reversed(self._rows(query))]
        return [summary for part in batched(numbers) for summary in self._summarise(part)]

    def summaries_of(self, numbers: Sequence[int]) -> list[MatchSummary | DamagedMatch]:
        """Return summaries of the matches with these numbers, in the order of numbers; a damaged one as its error."""
        return [summary for part in batched(sorted(numbers)) for summary in self._summarise(part)]

    def opened_since(self, since: datetime) -> list[MatchSummary | DamagedMatch]:
        """Return summaries of the matches that were opened then or later, in the order of numbers."""
        # Numbers are given in order, so that no match of before has to be read: an older one ends the search.
        found: list[MatchSummary | DamagedMatch] = []
        before: int | None = None
        while part := self.summaries(before=before, limit=AT_ONCE):
            late = [match for match in part if isinstance(match, DamagedMatch) or match.opened_at >= since]
            found = late + found
            if len(late) < len(part):
                break
            before = part[0].id
        return found

    def latest_finished(self, limit: int) -> list[MatchSummary | DamagedMatch]:
        """Return summaries of the listed matches that ended last, the latest first; a damaged match as its error."""
        numbers = [number for (number,) in self._rows(FINISHED.limit(limit))]
        found = {match.id: match for match in self._summarise(numbers)}
        return [found[number] for number in numbers]

    def find_damaged(self, after: int, limit: int) -> tuple[list[DamagedMatch], int | None]:
        """Return the damaged ones of the first ``limit`` matches after a number, and the last number looked at.

        That is None when there are no more. All are replayed, their rolls recomputed, and compared with what lists
        tell of them.
        """
        query = select(MATCH.c.id).where(MATCH.c.id > after).order_by(MATCH.c.id).limit(limit)
        numbers = [number for (number,) in self._rows(query)]
        found = self._check(list(self._read_batched(numbers, with_comments=True)))
        damaged = [match for match in found if isinstance(match, DamagedMatch)]
        return damaged, numbers[-1] if len(numbers) == limit else None

    def count(self, *, running: bool | None = None) -> int:
        """Return the number of matches; ``running`` narrows the choice as that of ``summaries`` does."""
        return int(self._value(_narrow(select(func.count()).select_from(MATCH), running, None)))

    def count_with_robots(self) -> int:
        """Return in how many matches that are not over a robot has a seat."""
        seats = select(SEAT.c.match_id).join(PLAYER, PLAYER.c.id == SEAT.c.player_id).where(PLAYER.c.robot > 0)
        return int(
            self._value(_narrow(select(func.count()).select_from(MATCH), True, None).where(MATCH.c.id.in_(seats)))
        )

    def newest(self) -> int:
        """Return the number of the newest listed match; 0 where there is none. One that cannot be is passed over."""
        many = select(func.count()).select_from(MATCH).scalar_subquery()  # alone, it is no walk through all of them
        return int(self._value(select(func.max(MATCH.c.id)).where(MATCH.c.id <= many + _FURTHEST, LISTED)) or 0)

    def listed(self) -> dict[int, datetime]:
        """Return the numbers of the matches that lists of the archive have, each with when it changed last."""
        return dict(map(tuple, self._rows(select(MATCH.c.id, MATCH.c.changed_at).where(LISTED))))

    def unlisted(self, numbers: Sequence[int] | None = None) -> set[int]:
        """Return the numbers of the matches that no list of the archive has, private ones: of all, or among some."""
        return set(self._choose(select(MATCH.c.id).where(~LISTED), numbers))

    def introduced(self, match: Match) -> frozenset[Seat]:
        """Return the seats of people whom an email of another match has told how its game is played by so many."""
        same: dict[str, Any] = {"number": match.id, "game": match.game.key, "seats": len(match.players)}
        people = (one for one in enumerate(match.players) if not one[1].robot)
        return frozenset(seat for seat, player in people if self._value(KNOWN, **same, player=player.id))

    def comments_since(self, number: int, ply: int, after: datetime, reader: Seat) -> list[Comment]:
        """Return the comments of a match, oldest first, made after ``ply`` entries of it, or later than ``after``.

        Words for one side are for whoever had the seat of the ``reader`` then, not for who has got it since.
        """
        late = or_(COMMENT.c.ply >= ply, COMMENT.c.made_at > after)
        passed = exists().where(
            MATCH_LOG.c.match_id == number,
            MATCH_LOG.c.kind == "replaced",
            MATCH_LOG.c.arguments["seat"].as_integer() == reader,
            MATCH_LOG.c.at >= COMMENT.c.made_at,
        )
        rows = self._rows(SAID.add_columns(passed).where(COMMENT.c.match_id == number, late))
        said = ((Comment(*values), bool(by_another)) for *values, by_another in rows)
        return [comment for comment, by_another in said if may_recall(comment, by_another)]

    def _choose(self, query: Select[Any], numbers: Sequence[int] | None) -> list[int]:
        """Return the numbers that ``query`` selects, only those among ``numbers`` if these are given."""
        if numbers is None:
            return [number for (number,) in self._rows(query)]
        parts = (query.where(MATCH.c.id.in_(part)) for part in batched(sorted(numbers)))
        return [number for part in parts for (number,) in self._rows(part)]

    def _read_batched(self, numbers: Sequence[int], with_comments: bool) -> Iterator[Match | DamagedMatch]:
        """Yield matches, many at a time; a damaged one as its error."""
        for part in batched(numbers):
            try:
                found = self._read(SOME, part, with_comments)
            except DamagedRow:  # in one of them; the others must not be lost with it
                alone = (self._read_alone(number, with_comments) for number in part)
                found = [match for match in alone if match is not None]
            yield from found

    def _check(self, found: Sequence[Match | DamagedMatch]) -> list[Match | DamagedMatch]:
        """Return matches, those whose record contradicts their rolls, or what is stored beside it, as their errors."""
        told = self._read_told([match.id for match in found])
        checked: list[Match | DamagedMatch] = []
        for match in found:
            what = "" if isinstance(match, DamagedMatch) else _contradict(match, *told.get(match.id, (None, None)))
            checked.append(DamagedMatch(match.id, what) if what else match)
        return checked

    def _read_told(self, numbers: Sequence[int]) -> dict[int, tuple[Any, bool]]:
        """Return what is stored beside the records of matches: how each stands, and whether it is not over."""
        rows: list[Any] = []
        for part in batched(numbers):
            try:
                rows += self._rows(TOLD.where(MATCH.c.id.in_(part)))
            except DamagedRow:  # one of the standings is no JSON: it is not believed, and says nothing
                if len(part) > 1:
                    middle = len(part) // 2
                    return self._read_told(numbers[:middle]) | self._read_told(numbers[middle:])
        return {number: (standing, runs) for number, standing, runs in rows}

    def _read_alone(self, number: int, with_comments: bool) -> Match | DamagedMatch | None:
        """Return one match, or its error if it is damaged; None if it is not there."""
        try:
            return next(iter(self._read(ONE, number, with_comments)), None)
        except DamagedRow:
            return DamagedMatch(number, self._locate_damage(number))

    def _read(self, reading: Reading, number: int | Sequence[int], with_comments: bool) -> list[Match | DamagedMatch]:
        """Return matches with their players and records, in a fixed number of queries; a damaged one as its error.

        Raise DamagedRow for a row that cannot be read at all.
        """
        rows = self._rows(reading.matches, number=number)
        if not rows:
            return []
        seats = _group(self._rows(reading.seats, number=number))
        records = _group(self._rows(reading.entries, number=number))
        comments = _group(self._rows(reading.comments, number=number)) if with_comments else {}
        outages = self._outages(rows)
        passed = [row[0] for row in rows if has_passed_turns(row)]
        logs = Clocks(self._connection).logs(passed) if passed else {}
        seconded = [row[0] for row in rows if may_have_seconds(row)]
        seconds = Seconds(self._connection).of(seconded) if seconded else {}
        found: list[Match | DamagedMatch] = []
        for row in rows:
            match = row[0]
            try:
                parts = seats.get(match, ()), records.get(match, ()), comments.get(match, ())
                found.append(read_match(row, *parts, outages, logs.get(match, ()), seconds.get(match, ())))
            except DamagedMatch as damaged:
                found.append(damaged)
        return found

    def _outages(self, rows: Sequence[Any]) -> tuple[Span, ...]:
        """Return the outages that clocks in ``rows`` may have to leave out."""
        since = min(filter(None, map(interrupted_since, rows)), default=None)
        return () if since is None else self._heartbeats.outages_since(since)

    def _locate_damage(self, number: int) -> str:
        """Return which row of a match cannot be read, worded to follow a colon."""
        for entry, (row,) in enumerate(self._rows(ENTRY_IDS, number=number), 1):
            try:
                self._rows(ONE_ENTRY, entry=row)
            except DamagedRow as error:
                return f"entry {entry} of its record cannot be read ({_cause(error)})"
        for statement, what in zip(ONE, ("its game, its options or a time", "a seat", "", "a comment"), strict=True):
            try:
                self._rows(statement, number=number)
            except DamagedRow as error:
                return f"{what} cannot be read ({_cause(error)})"
        return "it cannot be read"

    def _summarise(self, numbers: Sequence[int]) -> list[MatchSummary | DamagedMatch]:
        """Return the summaries of matches; only those whose stored standing cannot be read are replayed."""
        try:
            seats = _group(self._rows(SOME.seats, number=numbers))
            rows = self._rows(STANDINGS, number=numbers)
        except DamagedRow:
            if len(numbers) > 1:
                return [found for number in numbers for found in self._summarise([number])]
            match = self._read_alone(numbers[0], with_comments=False)
            return [] if match is None else [summarise(match) if isinstance(match, Match) else match]
        found: list[MatchSummary | DamagedMatch] = []
        outages = self._outages(rows)
        for *row, stored in rows:
            try:
                opening = read_opening(row, seats.get(row[0], ()))
                standing = read_standing(stored, len(opening.players))
                found.append(
                    make_summary(opening, standing, row, outages) if standing else summarise(self._require(opening.id))
                )
            except DamagedMatch as damaged:
                found.append(damaged)
        return found

    def _require(self, number: int) -> Match:
        """Return a match that is there. Raise DamagedMatch."""
        match = self._read_alone(number, with_comments=False)
        assert match is not None
        if isinstance(match, DamagedMatch):
            raise match
        return match


def _log_damaged(found: Iterable[Match | DamagedMatch]) -> Iterator[Match]:
    """Yield the sound matches, and log the others."""
    for match in found:
        if isinstance(match, Match):
            yield match
        else:
            log.error("%s", match, extra=event("damaged", match=match.id))


def _contradict(match: Match, stored: Any, unended: bool | None) -> str:
    """Return how a record contradicts its rolls, or what is stored beside it; empty if it does not.

    The answer is worded to follow a colon. ``unended`` is None where the row cannot be read.
    """
    now, told = standing_of(match), read_standing(stored, len(match.players))
    if told and _essence(now) != _essence(told):
        return (
            f"its record of {now.ply} entries leads to another standing than the one of {told.ply} entries that is"
            " stored beside it"
        )
    if unended is not None and (match.outcome is None) != unended:
        return f"its record says that it is {'over' if unended else 'not over'}, and its row the contrary"
    for ply, chance in rolls_in(record_of(match)) if match.possible_rolls else ():
        if not match.secret or match.record[ply].text != str(match.fair_rolls.value(ply, chance)):
            return f"entry {ply + 1} of its record is a roll that does not follow from its secret and its seeds"
    return ""


def _essence(standing: Standing) -> Standing:
    """Return what can be compared of a standing: after the end the words are those of the rules that ended it."""
    if standing.winners is None:
        return standing
    return replace(standing, roles=(), reason="", winners=tuple(sorted(standing.winners)))


def _cause(error: DamagedRow) -> str:
    """Return the words of the database about a row."""
    return str(error).partition(": ")[2].rstrip(".")


def _narrow(query: Select[Any], running: bool | None, before: int | None) -> Select[Any]:
    """Return a query of matches with the conditions for these arguments."""
    if running is not None:
        query = query.where(MATCH.c.over_at.is_(None) if running else MATCH.c.over_at.is_not(None))
    if before is not None:
        query = query.where(MATCH.c.id < before)
    return query


def _group(rows: Iterable[Any]) -> dict[int, list[Any]]:
    """Return rows, which begin with the numbers of their matches and are sorted by them, by these numbers."""
    return {match: list(group) for match, group in groupby(rows, key=lambda row: row[0])}
