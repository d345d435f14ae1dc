"""Contests, ladders and leagues: what happened in them, and which matches are theirs."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

from sqlalchemy import Connection, Select, bindparam, case, func, select, update

from pbem.clubs.contest import Contest, ContestEvent, ContestKind, ContestMatch, ContestResult, find_fault
from pbem.clubs.league import fold
from pbem.clubs.week import Week
from pbem.errors import DamagedRow
from pbem.match.game_names import find_game
from pbem.match.match import Comment
from pbem.storage.due import LETTERS_DUE, DueThings
from pbem.storage.gateway import Gateway, batched
from pbem.storage.matches.standing_json import read_standing
from pbem.storage.matches.statements import SAID
from pbem.storage.statement import Statement
from pbem.storage.tables import CLOCK, COMMENT, CONTEST, CONTEST_EVENT, CONTEST_MATCH, INVITATION, MATCH
from rules.game import Game

_EVENT = {
    "at": CONTEST_EVENT.c.at,
    "kind": CONTEST_EVENT.c.kind,
    "player": CONTEST_EVENT.c.player_id,
    "other": CONTEST_EVENT.c.other_id,
    "arguments": CONTEST_EVENT.c.arguments,
    "id": CONTEST_EVENT.c.id,
    "undone_at": CONTEST_EVENT.c.undone_at,
}
"""The columns of an event, in the order of its fields; those of a match below, too."""
_MATCH = {
    "contest": CONTEST_MATCH.c.contest_id,
    "invitation": CONTEST_MATCH.c.invitation_id,
    "event": CONTEST_MATCH.c.event_id,
    "season": CONTEST_MATCH.c.season,
    "division": CONTEST_MATCH.c.division,
    "match": CONTEST_MATCH.c.match_id,
}
_EVENTS = select(*(column.label(name) for name, column in _EVENT.items())).order_by(CONTEST_EVENT.c.id)
_LATER = select(CONTEST_EVENT.c.id, CONTEST_EVENT.c.contest_id)
_MATCHES = select(*(column.label(name) for name, column in _MATCH.items())).order_by(CONTEST_MATCH.c.invitation_id)
_BY_MATCH = select(CONTEST_MATCH.c.match_id.label("key"), *_MATCH.values())
_RESULTS = (
    select(*(column.label(name) for name, column in _MATCH.items()))
    .add_columns(INVITATION.c.expires_at, MATCH.c.opened_at, MATCH.c.over_at, MATCH.c.seats)
    .add_columns(MATCH.c.standing, MATCH.c.ruling, CLOCK.c.paused_until)
    .join_from(CONTEST_MATCH, INVITATION, INVITATION.c.id == CONTEST_MATCH.c.invitation_id)
    .outerjoin(MATCH, MATCH.c.id == CONTEST_MATCH.c.match_id)
    .outerjoin(CLOCK, CLOCK.c.match_id == CONTEST_MATCH.c.match_id)
    .order_by(CONTEST_MATCH.c.invitation_id)
)
_UNFINISHED = Statement(
    select(CONTEST_MATCH.c.match_id)
    .join(INVITATION, INVITATION.c.id == CONTEST_MATCH.c.invitation_id)
    .outerjoin(MATCH, MATCH.c.id == CONTEST_MATCH.c.match_id)
    .where(
        CONTEST_MATCH.c.contest_id == bindparam("contest"),
        CONTEST_MATCH.c.season == bindparam("number"),
        case((CONTEST_MATCH.c.match_id.is_(None), INVITATION.c.state == "agreed"), else_=MATCH.c.over_at.is_(None)),
    )
    .order_by(CONTEST_MATCH.c.invitation_id)
)
_DIVISIONS = Statement(
    select(func.max(CONTEST_MATCH.c.division)).where(
        CONTEST_MATCH.c.contest_id == bindparam("contest"), CONTEST_MATCH.c.season == bindparam("number")
    )
)
_NOTE_OPENED = Statement(update(CONTEST_MATCH).where(CONTEST_MATCH.c.invitation_id == bindparam("number")))


class Contests(Gateway):
    """The gateway to contests; events are only added, and taken back by a mark."""

    def __init__(self, connection: Connection, due: DueThings) -> None:
        super().__init__(connection)
        self._due = due
        self._events: dict[int, list[ContestEvent]] = {}  # as read: a message asks several times how a contest stands

    def open(self, kind: ContestKind, game: Game, name: str, options: Mapping[str, str], now: datetime) -> Contest:
        """Store a new contest, in which nothing has happened yet, and return it with its number."""
        values = {"kind": kind, "game": game.key, "name": name, "options": dict(options)}
        number = self._add(CONTEST, **values, created_at=now)
        self._due.hasten(LETTERS_DUE, 0, now)  # who gets letters is looked at again and again
        return Contest(number, kind, game, name, options, now)

    def get(self, number: int) -> Contest | None:
        """Return the contest with this number. Raise DamagedRow."""
        return self._contest(select(CONTEST.c.id).where(CONTEST.c.id == number))

    def find(self, kind: ContestKind, name: str) -> Contest | None:
        """Return the contest of a kind that players call so. Raise DamagedRow."""
        return self._contest(select(CONTEST.c.id).where(CONTEST.c.kind == kind, CONTEST.c.name == name))

    def all(self, kind: ContestKind | None = None) -> list[Contest]:
        """Return all contests that can be read, or those of a kind, oldest first."""
        return self._contests(*([] if kind is None else [CONTEST.c.kind == kind]))

    def of_player(self, player: int, kind: ContestKind | None = None) -> list[Contest]:
        """Return the contests that can be read, or those of a kind, in which something happened to a player."""
        own = select(CONTEST_EVENT.c.contest_id).where(CONTEST_EVENT.c.player_id == player)
        return self._contests(CONTEST.c.id.in_(own), *([] if kind is None else [CONTEST.c.kind == kind]))

    def lock(self, number: int) -> None:
        """Let no other transaction decide about a contest by what was before this one.

        On a server two players may write at once, each to where the other is about to be.
        """
        self._lock(CONTEST, [number])

    def events(self, contest: int) -> list[ContestEvent]:
        """Return what happened in a contest, oldest first, what was taken back too. Raise DamagedRow for a bad row."""
        if contest not in self._events:
            rows = self._rows(_EVENTS.where(CONTEST_EVENT.c.contest_id == contest))
            self._events[contest] = [_read_event(row) for row in rows]
        return list(self._events[contest])

    def find_act(self, contest: int, kinds: Collection[str], number: int | None) -> ContestEvent | None:
        """Return the newest event of these kinds that still stands, or the one of that number; None for none."""
        acts = (one for one in reversed(self.events(contest)) if one.kind in kinds and one.undone_at is None)
        return next((one for one in acts if number in (None, one.id)), None)

    def changed_after(self, event: int) -> tuple[int, set[int]]:
        """Return the number of the newest event of all, and the contests in which anything happened after another."""
        numbers = [row.id for row in self._rows(select(CONTEST_EVENT.c.id).where(CONTEST_EVENT.c.id > event))]
        rows = self._rows_each(_LATER, CONTEST_EVENT.c.id, numbers)
        return max(numbers, default=event), {row.contest_id for row in rows if not isinstance(row, int)}

    def event(self, number: int) -> tuple[int, ContestEvent] | None:
        """Return the event with this number, behind the number of its contest."""
        row = self._row(_EVENTS.add_columns(CONTEST_EVENT.c.contest_id).where(CONTEST_EVENT.c.id == number))
        return (row.contest_id, _read_event(row)) if row else None

    def add(self, contest: int, event: ContestEvent) -> int:
        """Store something that happened in a contest; return its number."""
        values = {
            column.name: getattr(event, name) for name, column in _EVENT.items() if name not in ("id", "undone_at")
        }
        self._events.pop(contest, None)
        return self._add(CONTEST_EVENT, **values | {"arguments": dict(event.arguments)}, contest_id=contest)

    def undo(self, event: int, at: datetime | None) -> None:
        """Let an event count as if it had not happened from now on; None: let it count again."""
        self._events.clear()
        self._set(CONTEST_EVENT, CONTEST_EVENT.c.id == event, undone_at=at)

    def add_match(self, one: ContestMatch) -> None:
        """Store that the match that an invitation leads to is one of a contest."""
        values = {column.name: getattr(one, name) for name, column in _MATCH.items()}
        self._write(CONTEST_MATCH.insert(), **values)

    def note_opened(self, invitation: int, match: int) -> None:
        """Store which match an invitation has led to, if it was one of a contest."""
        self._write(_NOTE_OPENED, number=invitation, match_id=match)

    def matches(self, contest: int, *, season: int | None = None) -> list[ContestMatch]:
        """Return the matches of a contest, those to be too, or those of a season, in the order of invitations."""
        chosen = [] if season is None else [CONTEST_MATCH.c.season == season]
        return self._matches(CONTEST_MATCH.c.contest_id == contest, *chosen)

    def results(self, contest: int, *, season: int | None = None) -> list[ContestResult]:
        """Return how the matches of a contest stand, or those of a season, in the order of invitations."""
        chosen = _RESULTS.where(CONTEST_MATCH.c.contest_id == contest)
        chosen = chosen if season is None else chosen.where(CONTEST_MATCH.c.season == season)
        return [_read_result(row) for row in self._rows(chosen)]

    def unfinished(self, contest: int, season: int) -> list[int | None]:
        """Return the numbers of the matches of a season that go on; None for each that is yet to be opened."""
        return [number for (number,) in self._rows(_UNFINISHED, contest=contest, number=season)]

    def count_divisions(self, contest: int, season: int) -> int:
        """Return how many divisions a season has."""
        return int(self._value(_DIVISIONS, contest=contest, number=season) or 0)

    def said(self, matches: Sequence[int], week: Week) -> list[tuple[int, datetime, Comment]]:
        """Return what was written in matches during a week, words to a side too, each with its match and its time."""
        said = SAID.add_columns(COMMENT.c.match_id, COMMENT.c.made_at)
        said = said.where(COMMENT.c.made_at > week.since, COMMENT.c.made_at <= week.until)
        parts = (self._rows(said.where(COMMENT.c.match_id.in_(part))) for part in batched(sorted(matches)))
        return [(match, at, Comment(*values)) for part in parts for *values, match, at in part]

    def of_invitation(self, number: int) -> ContestMatch | None:
        """Return what an invitation is in a contest; None where it is of none."""
        return next(iter(self._matches(CONTEST_MATCH.c.invitation_id == number)), None)

    def of_match(self, number: int) -> ContestMatch | None:
        """Return what a match is in a contest; None where it is of none, or a damaged row tells it."""
        return self.of_matches([number]).get(number)

    def of_matches(self, numbers: Collection[int]) -> dict[int, ContestMatch]:
        """Return what those of these matches are that are of a contest; a damaged row is passed over."""
        rows = self._rows_each(_BY_MATCH, CONTEST_MATCH.c.match_id, sorted(numbers))
        return {row[0]: ContestMatch(*row[1:]) for row in rows if not isinstance(row, int)}

    def renumber(self, before: int, after: int) -> None:
        """Let what happened to one player have happened to another one, since they are one person."""
        self._events.clear()
        for column in (CONTEST_EVENT.c.player_id, CONTEST_EVENT.c.other_id):
            self._set(CONTEST_EVENT, column == before, **{column.name: after})

    def find_damaged(self) -> list[str]:
        """Return the names of contests that can't be read, or in which something happened that can't be.

        The number stands for a name that can't be read. A season has the matches that were drawn, no more and no fewer.
        """
        found = []
        for (number,) in self._rows(select(CONTEST.c.id).order_by(CONTEST.c.id)):
            name = str(number)
            try:
                contest = self.get(number)
                name = contest.name if contest else name
                self._check(contest, self.events(number), self.matches(number))
            except DamagedRow:
                found.append(name)
        return found

    def _check(self, contest: Contest | None, events: Sequence[ContestEvent], matches: Sequence[ContestMatch]) -> None:
        """Raise DamagedRow for matches of a contest that are not those that follow from its events."""
        league = fold(contest, events) if contest and contest.kind == "league" else None
        drawn = {one.number: len(list(one.list_matches(league.seats))) for one in league.seasons} if league else {}
        known = {event.id for event in events}
        if any(one.event not in known for one in matches):
            raise DamagedRow("A match of a contest follows from nothing that happened in it.")
        if league and drawn != Counter(one.season for one in matches):
            raise DamagedRow(f"The seasons of league {league.contest.name} have not the matches that were drawn.")

    def _contests(self, *conditions: Any) -> list[Contest]:
        """Return the contests that meet the conditions, oldest first; a damaged one holds up no other."""
        numbers = [number for (number,) in self._rows(select(CONTEST.c.id).where(*conditions).order_by(CONTEST.c.id))]
        rows = self._rows_each(select(CONTEST), CONTEST.c.id, numbers)
        return [one for row in rows if not isinstance(row, int) and (one := _read_contest(row))]

    def _contest(self, chosen: Select[Any]) -> Contest | None:
        """Return the contest whose number is ``chosen``. Raise DamagedRow."""
        for row in self._rows(select(CONTEST).where(CONTEST.c.id.in_(chosen))):
            if contest := _read_contest(row):
                return contest
            raise DamagedRow(f"The row of contest {row.id} is damaged: restore it from a backup.")
        return None

    def _matches(self, *conditions: Any) -> list[ContestMatch]:
        """Return the matches of contests that meet the conditions."""
        return [ContestMatch(**row._mapping) for row in self._rows(_MATCHES.where(*conditions))]


def _read_contest(row: Any) -> Contest | None:
    """Return the contest of a row; None for a game that this pbem has not, and for what we never write."""
    game = find_game(row.game) if isinstance(row.game, str) else None
    options = row.options
    is_sound = row.kind in get_args(ContestKind) and isinstance(options, dict)
    is_sound = is_sound and all(isinstance(one, str) for one in options.values())
    return Contest(row.id, row.kind, game, row.name, options, row.created_at) if game and is_sound else None


def _read_event(row: Any) -> ContestEvent:
    """Return the event of a row. Raise DamagedRow for one that holds what we never write."""
    if find_fault(row.kind, row.arguments):
        raise DamagedRow(f"The row of event {row.id} of a contest is damaged: restore it from a backup.")
    return ContestEvent(*row[: len(_EVENT)])


def _read_result(row: Any) -> ContestResult:
    """Return how the match of a row stands; one whose standing can't be read as one that goes on."""
    place = ContestMatch(*row[: len(_MATCH)])
    ruling = row.ruling if isinstance(row.ruling, dict) else {}
    return ContestResult(
        place,
        row.expires_at,
        row.opened_at,
        row.over_at,
        read_standing(row.standing, row.seats) if row.standing else None,
        ruling.get("kind") == "void",
        ruling.get("reason") == "no_show",
        row.paused_until,
    )
