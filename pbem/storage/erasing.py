"""Erases all that says who a player is, in every table, and lets the moves stay.

What becomes of each column is one table, ``FATES``. Rows of the player's own emails lose what stands in them. Rows of
others lose the bytes, which quote the player, and what names them beside these; what such an email says in the words
of its writer is not read.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    String,
    Table,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    literal,
    null,
    or_,
    select,
    text,
    update,
)

from pbem.match.player import FORMER, Player
from pbem.match.preferences import Preferences
from pbem.match.time.calendar import Calendar
from pbem.storage.calendars import write_calendar
from pbem.storage.gateway import Gateway
from pbem.storage.invitations import player_mark
from pbem.storage.struck_names import Strike, StruckNames, was_named
from pbem.storage.tables import (
    ADDRESS,
    COMMENT,
    ENTRY,
    FOLLOWER,
    GUEST,
    INBOUND,
    MATCH,
    MATCH_LOG,
    OUTBOUND,
    PLAYER,
    QUESTION,
    REFUSED_INVITER,
    SEAT,
    SEAT_OFFER,
    THOUGHT,
)
from rules.position import Seat

_PERSONAL = ("absent", "back", "unsubscribed", "bounced")
"""Kinds of the log that tell of a person, and of nothing that happened to the match."""

_NAMING = ("renamed", "merged")
"""Kinds of the log that tell of a name that a player had before."""

_HELD = "unknown_address"
_STRANGE = text("status = 'discarded' AND match_id IS NULL")  # as its index has it; bounces are among these
_AT_ONCE = 500  # rows that are read together
_SETTLED = INBOUND.c.status.in_(("accepted", "rejected", "discarded")), INBOUND.c.reason != _HELD
"""What waits to be carried out keeps its bytes until it is, or is too old."""

_OF_INVITATIONS = ("invitation", "invitation_news", "starting", "confirm_start")
"""Kinds of emails about matches that were proposed, which may name anybody who plays."""

_OF_ALL_MATCHES = ("status", "reminder")
"""Kinds of emails that belong to a match, and tell of others too."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A seat that a player has, or had from one moment until another; None: from the opening, until now."""

    match: int
    seat: Seat
    since: datetime | None = None
    until: datetime | None = None

    def covers(self, table: Any, at: Any) -> ColumnElement[bool]:
        """Return the condition that a row of ``table`` is of this seat, at a time in the column ``at``."""
        conditions = [table.c.match_id == self.match, table.c.seat == self.seat]
        conditions += [] if self.since is None else [at > self.since]
        conditions += [] if self.until is None else [at <= self.until]
        return and_(*conditions)


class Fate(NamedTuple):
    """What becomes of a table: of the columns of rows that are a player's ``own``, None where these rows go.

    And of those of rows that are of ``others``, and may name the player.
    """

    own: Mapping[str, Any] | None
    others: Mapping[str, Callable[[StruckNames, Any, Any], Any]] = {}


_NOW, _PLAYER = bindparam("now", type_=PLAYER.c.changed_at.type), bindparam("number", type_=PLAYER.c.id.type)
_NO_BYTES = {"raw": b"", "kept": False}
_OF_OTHERS = or_(SEAT_OFFER.c.player_id.is_(None), SEAT_OFFER.c.player_id != _PLAYER)
_ROLLED = exists().where(ENTRY.c.match_id == SEAT.c.match_id, ENTRY.c.seat.is_(None)).correlate(SEAT)


def _where(condition: ColumnElement[bool], table: Table, **values: Any) -> dict[str, Any]:
    """Return ``values`` for the columns of rows that meet a condition; in others these stay."""
    return {name: case((condition, value), else_=table.c[name]) for name, value in values.items()}


_UNREAD = {"status": "discarded", "reason": "forgotten", "code": "forgotten", "settled_at": _NOW}
"""How a message ends that waited to be read when its player was forgotten."""

FATES: Mapping[Table, Fate] = {
    ADDRESS: Fate(None),
    COMMENT: Fate(None),
    FOLLOWER: Fate(None),
    GUEST: Fate({"email": "", "called": ""}),
    INBOUND: Fate(  # the rows stay, since entries refer to them
        {"identity": literal("forgotten ").concat(cast(INBOUND.c.id, String)), "sender": None}
        | {"subject": "", "detail": "", "commands": []}
        | _where(INBOUND.c.status == "received", INBOUND, **_UNREAD)
        | _NO_BYTES,
        {"subject": StruckNames.line, "detail": StruckNames.line, "commands": StruckNames.lines},
    ),
    MATCH: Fate({"changed_at": _NOW}),  # so that their pages are written anew
    MATCH_LOG: Fate(None, {"arguments": StruckNames.seated}),
    OUTBOUND: Fate(  # the rows stay: one may be on its way, and their numbers must not be given to others
        {"recipient": "", "subject": "", "quotable": b"", "notice_key": "", "error": "its reader was forgotten"}
        | _where(OUTBOUND.c.status == "queued", OUTBOUND, status="refused")
        | _NO_BYTES,
        {"subject": StruckNames.line, "error": StruckNames.line}
        | {"notice_key": StruckNames.key, "quotable": StruckNames.quotable},
    ),
    PLAYER: Fate(
        {"name": FORMER, "former_name": "", "renamed_at": None, "forgotten_at": _NOW, "changed_at": _NOW}
        | {"folded": literal(f"{FORMER.casefold()}\n").concat(cast(PLAYER.c.id, String))}  # no name has a line end
        | {"display": Preferences(page=False).stored, "quiet": True, "generation": PLAYER.c.generation + 1}
        | write_calendar(Calendar())
    ),
    QUESTION: Fate(  # the rows stay, since emails refer to them
        {"email": "", "about": {}} | _where(QUESTION.c.state == "open", QUESTION, state="withdrawn"),
        {"about": StruckNames.about},
    ),
    REFUSED_INVITER: Fate(None),
    # Words for the dice go where nothing was rolled so far; elsewhere all rolls follow from them.
    SEAT: Fate({"plan": None} | _where(~_ROLLED, SEAT, salt=null())),
    SEAT_OFFER: Fate(  # nobody answers those of theirs any more
        {"email": None}
        | _where(and_(SEAT_OFFER.c.state.in_(("asked", "accepted")), _OF_OTHERS), SEAT_OFFER, state="over")
    ),
    THOUGHT: Fate(None),
}
"""What becomes of the columns of all tables that hold anything of a person; what is not in here stays."""


class Forgetting(Gateway):
    """The gateway that erases players."""

    def erase(self, player: Player, operator: str, strike: Strike, now: datetime) -> None:
        """Erase who ``player`` is: name, addresses, settings, comments, emails; their seats and moves stay.

        ``operator`` is the address of the host, who may have been written to about them.
        """
        held = self._seats_of(player)
        matches = sorted({one.match for one in held})
        comments: dict[int, list[str]] = {}
        for match, *_, said in self.comments_of(player):
            comments.setdefault(match, []).append(said)
        struck = StruckNames(player, self.former_names(player), strike, comments)
        self._erase_own(player, held, now)
        others = self._addresses_beside(player.id, matches, "" if operator in player.emails else operator)
        for condition in self._of_others(player.id, others, matches):
            self._reword(OUTBOUND, condition, struck, OUTBOUND.c.status != "queued")
        for condition in _inbound_of_others(others, matches):
            self._reword(INBOUND, condition, struck, *_SETTLED)
        self._reword(QUESTION, QUESTION.c.kind.in_(("confirm_start", "seat_question", "confirm")), struck)
        for part in _batched(matches):
            self._reword(QUESTION, QUESTION.c.match_id.in_(part), struck)
            replaced = and_(MATCH_LOG.c.kind == "replaced", MATCH_LOG.c.match_id.in_(part))
            self._reword(MATCH_LOG, replaced, struck)

    def former_names(self, player: Player) -> list[str]:
        """Return the names that a player had before, as the log of their matches has them."""
        return sorted({str(told.get("before", "")) for _, told in self._notes_about(self._seats_of(player))} - {""})

    def seats_held(self, player: Player) -> set[tuple[int, Seat]]:
        """Return the matches and seats that a player has, or had before somebody else got them."""
        return {(one.match, one.seat) for one in self._seats_of(player)}

    def comments_of(self, player: Player) -> list[tuple[int, int, datetime, bool, str]]:
        """Return the comments of a player: match, entries then, time, whether for their side alone, and text."""
        said = select(COMMENT.c.match_id, COMMENT.c.ply, COMMENT.c.made_at, COMMENT.c.to_side, COMMENT.c.text)
        own = [one.covers(COMMENT, COMMENT.c.made_at) for one in self._seats_of(player)]
        return [tuple(row) for one in own for row in self._rows(said.where(one).order_by(COMMENT.c.id))]

    def knows(self, email: str) -> bool:
        """Return whether anything is kept of an address: that it follows a match, or email from it or to it."""
        columns = FOLLOWER.c.email, INBOUND.c.sender, OUTBOUND.c.recipient, GUEST.c.email, SEAT_OFFER.c.email
        return any(self._row(select(column).where(column == email).limit(1)) is not None for column in columns)

    def erase_stranger(self, email: str, now: datetime) -> None:
        """Erase an address of no player: what it follows, and all emails from it and to it."""
        self._erase_own(Player(0, "", email, frozenset([email])), (), now)

    def drop_sent(self, number: int, operator: str) -> bool:
        """Drop the bytes of what was queued to others when a player was forgotten, and was sent since.

        Return whether any such email is still queued.
        """
        forgotten_at = self._value(select(PLAYER.c.forgotten_at).where(PLAYER.c.id == number))
        seats = select(SEAT.c.match_id).where(SEAT.c.player_id == number)
        passed = select(MATCH_LOG.c.match_id).where(MATCH_LOG.c.kind == "replaced", was_named(FORMER))
        matches = sorted({match for (match,) in (*self._rows(seats), *self._rows(passed))})
        waits = False
        for condition in self._of_others(number, self._addresses_beside(number, matches, operator), matches):
            old = condition, OUTBOUND.c.created_at <= forgotten_at, OUTBOUND.c.kept
            self._drop_bytes(OUTBOUND, select(OUTBOUND.c.id).where(*old, OUTBOUND.c.status != "queued"))
            waits |= self._row(select(OUTBOUND.c.id).where(*old).limit(1)) is not None
        return waits

    def _seats_of(self, player: Player) -> list[_Held]:
        """Return all seats that a player has, or had before the operator gave them to somebody else."""
        theirs = select(SEAT.c.match_id, SEAT.c.seat).where(SEAT.c.player_id == player.id)
        now_theirs = {(match, seat) for match, seat in self._rows(theirs)}
        replaced, of_match = MATCH_LOG.c.kind == "replaced", MATCH_LOG.c.match_id
        named = of_match.in_(select(of_match).where(replaced, was_named(player.name)))
        seated = of_match.in_(theirs.with_only_columns(SEAT.c.match_id))
        log = select(of_match, MATCH_LOG.c.at, MATCH_LOG.c.arguments).where(replaced, or_(named, seated))
        passed: dict[tuple[int, Seat], list[tuple[datetime, str]]] = {}
        for match, at, told in self._rows(log.order_by(MATCH_LOG.c.id)):
            passed.setdefault((match, told["seat"]), []).append((at, told["before"]))
        found = []
        for (match, seat), changes in passed.items():
            since = None
            for at, before in changes:
                found += [_Held(match, seat, since, at)] if before == player.name else []
                since = at
            found += [_Held(match, seat, since)] if (match, seat) in now_theirs else []
        return found + [_Held(match, seat) for match, seat in sorted(now_theirs - passed.keys())]

    def _notes_about(self, held: Iterable[_Held]) -> list[tuple[int, dict[str, Any]]]:
        """Return what the operator changed of the player in these seats, each with the number of its row."""
        notes = select(MATCH_LOG.c.id, MATCH_LOG.c.at, MATCH_LOG.c.arguments).where(MATCH_LOG.c.kind.in_(_NAMING))
        return [
            (number, told)
            for one in held
            for number, at, told in self._rows(notes.where(MATCH_LOG.c.match_id == one.match))
            if told.get("seat") == one.seat and (one.since or at) <= at <= (one.until or at)
        ]

    def _erase_own(self, player: Player, held: Sequence[_Held], now: datetime) -> None:
        """Let all rows that are a player's own meet their fate."""
        for table, condition in self._own_rows(player, held):
            own = FATES[table].own
            statement = delete(table) if own is None else update(table).values(own)
            self._write(statement.where(condition), now=now, number=player.id)

    def _own_rows(self, player: Player, held: Sequence[_Held]) -> Iterator[tuple[Table, ColumnElement[bool]]]:
        """Yield the tables with rows of a player, or of somebody with their address alone, and which rows these are."""
        others = select(ADDRESS.c.email).where(ADDRESS.c.player_id != player.id)
        emails = sorted(player.emails)
        yield INBOUND, INBOUND.c.sender.in_(emails)
        strange = or_(INBOUND.c.sender.is_(None), INBOUND.c.sender.not_in(others))  # from addresses of nobody
        yield from ((INBOUND, and_(one.covers(INBOUND, INBOUND.c.received_at), strange)) for one in held)
        yield from ((INBOUND, and_(_STRANGE, INBOUND.c.detail.contains(email, autoescape=True))) for email in emails)
        yield OUTBOUND, OUTBOUND.c.recipient.in_(emails)
        # A question that was answered with no keeps its reader, who is not to be asked again.
        about = and_(_is_about(player.id), QUESTION.c.state != "no")
        yield OUTBOUND, OUTBOUND.c.question_id.in_(select(QUESTION.c.id).where(about))
        yield QUESTION, or_(about, QUESTION.c.email.in_(emails), QUESTION.c.player_id == player.id)
        for one in held:
            to_nobody = OUTBOUND.c.recipient.not_in(others)
            yield OUTBOUND, and_(one.covers(OUTBOUND, OUTBOUND.c.created_at), to_nobody)
            yield COMMENT, one.covers(COMMENT, COMMENT.c.made_at)
            yield MATCH_LOG, and_(one.covers(MATCH_LOG, MATCH_LOG.c.at), MATCH_LOG.c.kind.in_(_PERSONAL))
        for part in _batched([number for number, _ in self._notes_about(held)]):
            yield MATCH_LOG, MATCH_LOG.c.id.in_(part)
        for part in _batched(sorted({one.match for one in held})):
            yield MATCH, MATCH.c.id.in_(part)
        yield GUEST, or_(GUEST.c.email.in_(emails), GUEST.c.player_id == player.id)
        asked = SEAT_OFFER.c.player_id == player.id, SEAT_OFFER.c.owner_id == player.id
        yield SEAT_OFFER, or_(SEAT_OFFER.c.email.in_(emails), *asked)
        refused = REFUSED_INVITER.c.player_id == player.id, REFUSED_INVITER.c.mark == player_mark(player.id)
        yield REFUSED_INVITER, or_(*refused)
        yield FOLLOWER, FOLLOWER.c.email.in_(emails)
        yield from ((table, table.c.player_id == player.id) for table in (SEAT, THOUGHT, ADDRESS))
        yield PLAYER, PLAYER.c.id == player.id

    def _addresses_beside(self, player: int, matches: Sequence[int], operator: str) -> list[str]:
        """Return the addresses of who else plays in ``matches``, did, follows or was offered a seat, and the host’s."""
        found = {operator} if operator else set[str]()
        for part in _batched(matches):
            seated = select(SEAT.c.player_id).where(SEAT.c.match_id.in_(part))
            log = select(MATCH_LOG.c.arguments).where(MATCH_LOG.c.kind == "replaced", MATCH_LOG.c.match_id.in_(part))
            names = {told[key] for (told,) in self._rows(log) for key in ("before", "after")}
            beside = or_(PLAYER.c.id.in_(seated), PLAYER.c.name.in_(names))
            known = select(ADDRESS.c.email).join(PLAYER).where(beside, PLAYER.c.id != player)
            watching = select(OUTBOUND.c.recipient).where(OUTBOUND.c.match_id.in_(part), OUTBOUND.c.seat.is_(None))
            asked = select(ADDRESS.c.email).join(SEAT_OFFER, SEAT_OFFER.c.player_id == ADDRESS.c.player_id)
            asked = asked.where(SEAT_OFFER.c.match_id.in_(part), ADDRESS.c.player_id != player)
            readers = (*self._rows(known), *self._rows(watching.distinct()), *self._rows(asked))
            found |= {email for (email,) in readers if email}
        invited = select(OUTBOUND.c.recipient).where(OUTBOUND.c.kind.in_(_OF_INVITATIONS)).distinct()
        found |= {email for (email,) in self._rows(invited) if email}
        return sorted(found)

    def _of_others(self, player: int, others: Sequence[str], matches: Sequence[int]) -> Iterator[ColumnElement[bool]]:
        """Yield conditions for the emails to others that may name a player of ``matches``."""
        beyond = or_(OUTBOUND.c.match_id.is_(None), OUTBOUND.c.kind.in_(_OF_ALL_MATCHES))
        yield from (OUTBOUND.c.match_id.in_(part) for part in _batched(matches))
        yield from (and_(OUTBOUND.c.recipient.in_(part), beyond) for part in _batched(others))
        yield OUTBOUND.c.question_id.in_(select(QUESTION.c.id).where(_is_about(player)))
        yield OUTBOUND.c.kind.in_(_OF_INVITATIONS)

    def _reword(self, table: Table, condition: ColumnElement[bool], struck: StruckNames, *settled: Any) -> None:
        """Take a player out of rows of others, and the bytes of those that are ``settled`` and hold any."""
        fates = FATES[table].others
        columns = [column for column in table.c if column.name != "raw"]
        numbers = [number for (number,) in self._rows(select(table.c.id).where(condition))]
        for part in _batched(numbers):
            for row in self._rows(select(*columns).where(table.c.id.in_(part))):
                before = {name: getattr(row, name) for name in fates}
                after = {name: fate(struck, before[name], row) for name, fate in fates.items()}
                if after != before:
                    self._set(table, table.c.id == row.id, **after)
            if settled:
                self._drop_bytes(table, select(table.c.id).where(table.c.id.in_(part), *settled, table.c.kept))


def _inbound_of_others(others: Sequence[str], matches: Sequence[int]) -> Iterator[ColumnElement[bool]]:
    """Yield conditions for the emails from others that may name a player of ``matches``."""
    yield from (INBOUND.c.match_id.in_(part) for part in _batched(matches))
    yield from (and_(INBOUND.c.match_id.is_(None), INBOUND.c.sender.in_(part)) for part in _batched(others))
    yield and_(_STRANGE, INBOUND.c.code == "bounce")  # whose it was nobody knows, nor what it quotes


def _is_about(player: int) -> ColumnElement[bool]:
    """Return the condition that a question asks an address whether it is that of a player."""
    return and_(QUESTION.c.kind == "confirm_address", QUESTION.c.asker_id == player)


def _batched(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield ``values`` in parts that a statement may hold."""
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]
