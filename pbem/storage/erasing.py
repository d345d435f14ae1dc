"""Erases all that says who a player is, in every table, and lets the moves stay.

Rows of the player's own emails lose what stands in them. Rows of others lose the bytes, which quote the player,
and what names them beside these; what such an email says in the words of its writer is not read.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    and_,
    cast,
    delete,
    exists,
    literal,
    not_,
    null,
    or_,
    select,
    text,
    update,
)

from pbem.match.player import FORMER, Player
from pbem.match.preferences import Preferences
from pbem.storage.calendars import write_calendar
from pbem.storage.followers import TOLD
from pbem.storage.gateway import Gateway
from pbem.storage.invitations import Invitations
from pbem.storage.seat_offers import SeatOffers
from pbem.storage.struck_names import StruckNames, was_named
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
    SEAT,
    SEAT_OFFER,
    THOUGHT,
)
from rules.position import Seat

Strike = Callable[[str, Sequence[str]], str]
"""Returns words that a reply may quote without the player's name, and without these comments of theirs."""

_PERSONAL = ("absent", "back", "unsubscribed", "bounced")
"""Kinds of the log that tell of a person, and of nothing that happened to the match."""

_NAMING = ("renamed", "merged")
"""Kinds of the log that tell of a name that a player had before."""

_HELD, _DECLINED = "unknown_address", "declined"
_STRANGE = text("status = 'discarded' AND match_id IS NULL")  # as its index has it; bounces are among these
_GONE = "its reader was forgotten"
_AT_ONCE = 500  # rows that are read together
_NONE, _SEVERAL = 0, -1  # stand for the number of a match where an email is about none, or about several
_OF_SEVERAL = ("digest", "digest_done")
"""Kinds of emails that belong to no match, and quote what was said in several."""

_KEYED_BY_NUMBERS = (TOLD, "confirm_follow", "confirm_address", *_OF_SEVERAL)
"""Kinds of emails whose keys hold numbers and words of ours, which may be the name of a player as well."""

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


class Forgetting(Gateway):
    """The gateway that erases players."""

    def erase(self, player: Player, operator: str, strike: Strike, now: datetime) -> None:
        """Erase who ``player`` is: name, addresses, settings, comments, emails; their seats and moves stay.

        ``operator`` is the address of the host, who may have been written to about them.
        """
        held = self._seats_of(player)
        matches = sorted({one.match for one in held})
        comments = self._take_comments(held)
        comments[_SEVERAL] = [said for one in comments.values() for said in one]
        names = StruckNames(player, self.former_names(player))
        self._erase_own_inbound(player, held, now)
        self._erase_own_outbound(player, held)
        others = self._addresses_beside(player.id, matches, operator)
        found = self._of_others(player.id, others, matches)
        self._reword_outbound(found, names, lambda words, match: strike(words, comments.get(match or _NONE, ())))
        self._reword_inbound(others, matches, names)
        self._reword_log(matches, names, held)
        self._forget_seeds(held)
        Invitations(self._connection).erase_guest(player.emails, player.id)
        SeatOffers(self._connection).erase(player.emails, player.id)
        self._set(SEAT, SEAT.c.player_id == player.id, plan=None)
        self._write(delete(THOUGHT).where(THOUGHT.c.player_id == player.id))
        self._write(delete(FOLLOWER).where(FOLLOWER.c.email.in_(sorted(player.emails))))
        self._write(delete(ADDRESS).where(ADDRESS.c.player_id == player.id))
        self._set(
            PLAYER,
            PLAYER.c.id == player.id,
            name=FORMER,
            folded=f"{FORMER.casefold()}\n{player.id}",  # no name has a line end
            display=Preferences(page=False).stored,
            quiet=True,
            generation=player.generation + 1,
            changed_at=now,
            forgotten_at=now,
            former_name="",
            renamed_at=None,
            **write_calendar(type(player.calendar)()),
        )
        for part in _batched(matches):
            self._set(MATCH, MATCH.c.id.in_(part), changed_at=now)  # so that their pages are written anew

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
        nobody = Player(0, "", email, frozenset([email]))
        self._erase_own_inbound(nobody, (), now)
        self._erase_own_outbound(nobody, ())
        self._write(delete(FOLLOWER).where(FOLLOWER.c.email == email))
        Invitations(self._connection).erase_guest([email], None)
        SeatOffers(self._connection).erase([email], None)

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
        now_theirs = {
            (match, seat)
            for match, seat in self._rows(select(SEAT.c.match_id, SEAT.c.seat).where(SEAT.c.player_id == player.id))
        }
        replaced = MATCH_LOG.c.kind == "replaced"
        named = self._rows(select(MATCH_LOG.c.match_id).where(replaced, was_named(player.name)))
        numbers = sorted({match for match, _ in now_theirs} | {match for (match,) in named})
        passed: dict[tuple[int, Seat], list[tuple[datetime, str]]] = {}
        for part in _batched(numbers):
            log = select(MATCH_LOG.c.match_id, MATCH_LOG.c.at, MATCH_LOG.c.arguments)
            log = log.where(replaced, MATCH_LOG.c.match_id.in_(part)).order_by(MATCH_LOG.c.id)
            for match, at, told in self._rows(log):
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
        seats: dict[tuple[int, Seat], list[_Held]] = {}
        for one in held:
            seats.setdefault((one.match, one.seat), []).append(one)
        found = []
        for part in _batched(sorted({match for match, _ in seats})):
            log = select(MATCH_LOG.c.id, MATCH_LOG.c.match_id, MATCH_LOG.c.at, MATCH_LOG.c.arguments)
            for number, match, at, told in self._rows(
                log.where(MATCH_LOG.c.kind.in_(_NAMING), MATCH_LOG.c.match_id.in_(part))
            ):
                spans = seats.get((match, told.get("seat")), ())
                if any((one.since or at) <= at <= (one.until or at) for one in spans):
                    found.append((number, told))
        return found

    def _take_comments(self, held: Iterable[_Held]) -> dict[int, list[str]]:
        """Delete the comments from these seats, and return them by their matches."""
        found: dict[int, list[str]] = {}
        for one in held:
            own = one.covers(COMMENT, COMMENT.c.made_at)
            found.setdefault(one.match, []).extend(said for (said,) in self._rows(select(COMMENT.c.text).where(own)))
            self._write(delete(COMMENT).where(own))
        return found

    def _erase_own_inbound(self, player: Player, held: Iterable[_Held], now: datetime) -> None:
        """Empty the rows of what a player wrote, or what came in their name from an address of nobody.

        The rows themselves stay, since entries refer to them. What waits is not read any more.
        """
        others = select(ADDRESS.c.email).where(ADDRESS.c.player_id != player.id)
        strange = or_(INBOUND.c.sender.is_(None), INBOUND.c.sender.not_in(others))
        at_seats = (and_(one.covers(INBOUND, INBOUND.c.received_at), strange) for one in held)
        returned = (and_(_STRANGE, INBOUND.c.detail.contains(email, autoescape=True)) for email in player.emails)
        for condition in (INBOUND.c.sender.in_(sorted(player.emails)), *at_seats, *returned):
            numbers = [number for (number,) in self._rows(select(INBOUND.c.id).where(condition))]
            for part in _batched(numbers):
                self._set(INBOUND, INBOUND.c.id.in_(part), INBOUND.c.status == "received", **_unread(now))
                self._set(
                    INBOUND,
                    INBOUND.c.id.in_(part),
                    identity=literal("forgotten ").concat(cast(INBOUND.c.id, String)),
                    raw=b"",
                    kept=False,
                    sender=None,
                    subject="",
                    detail="",
                    commands=[],
                )

    def _erase_own_outbound(self, player: Player, held: Iterable[_Held]) -> None:
        """Empty the rows of all emails to a player, and of questions to others whether an address is theirs.

        None of them is sent any more. They stay, since one may be on its way, and their numbers must not be given to
        others. A question that was answered with no keeps its reader, who is not to be asked again.
        """
        others = select(ADDRESS.c.email).where(ADDRESS.c.player_id != player.id)
        asked = _is_question_about(player.id)
        conditions = [
            OUTBOUND.c.recipient.in_(sorted(player.emails)),
            and_(asked, not_(OUTBOUND.c.notice_key.endswith(_DECLINED))),
        ]
        conditions += [
            and_(one.covers(OUTBOUND, OUTBOUND.c.created_at), OUTBOUND.c.recipient.not_in(others)) for one in held
        ]
        for condition in conditions:
            self._set(OUTBOUND, condition, OUTBOUND.c.status == "queued", status="refused")
            self._set(
                OUTBOUND,
                condition,
                recipient="",
                subject="",
                raw=b"",
                kept=False,
                quotable=b"",
                notice_key="",
                error=_GONE,
            )

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
        own = select(ADDRESS.c.email).where(ADDRESS.c.player_id == player)
        return sorted(found - {email for (email,) in self._rows(own)})

    def _of_others(self, player: int, others: Sequence[str], matches: Sequence[int]) -> Iterator[ColumnElement[bool]]:
        """Yield conditions for the emails to others that may name a player of ``matches``."""
        beyond = or_(OUTBOUND.c.match_id.is_(None), OUTBOUND.c.kind.in_(_OF_ALL_MATCHES))
        yield from (OUTBOUND.c.match_id.in_(part) for part in _batched(matches))
        yield from (and_(OUTBOUND.c.recipient.in_(part), beyond) for part in _batched(others))
        yield _is_question_about(player)
        yield OUTBOUND.c.kind.in_(_OF_INVITATIONS)

    def _reword_outbound(
        self, found: Iterable[ColumnElement[bool]], names: StruckNames, strike: Callable[[str, int | None], str]
    ) -> None:
        """Take a player out of the rows of emails to others, and the bytes of those that were sent."""
        columns = OUTBOUND.c.id, OUTBOUND.c.match_id, OUTBOUND.c.kind, OUTBOUND.c.quotable
        lines = OUTBOUND.c.subject, OUTBOUND.c.error, OUTBOUND.c.notice_key
        for condition in found:
            for part in self._numbers(OUTBOUND.c.id, condition):
                rows = self._rows(select(*columns, *lines).where(OUTBOUND.c.id.in_(part)))
                for number, match, kind, quotable, subject, error, key in rows:
                    told = {
                        "subject": names.out_of(subject),
                        "error": names.out_of(error),
                        "notice_key": key if kind in _KEYED_BY_NUMBERS else names.out_of(key),
                    }
                    told_of = _SEVERAL if kind in _OF_SEVERAL else match
                    words = strike(quotable.decode(), told_of).encode()
                    if (*told.values(), words) != (subject, error, key, quotable):
                        self._set(OUTBOUND, OUTBOUND.c.id == number, **told, quotable=words)
                sent = OUTBOUND.c.id.in_(part), OUTBOUND.c.status != "queued", OUTBOUND.c.kept
                self._drop_bytes(OUTBOUND, select(OUTBOUND.c.id).where(*sent))

    def _reword_inbound(self, others: Sequence[str], matches: Sequence[int], names: StruckNames) -> None:
        """Take a player out of the rows of what others wrote, and the bytes, which quote emails that name the player.

        What waits to be carried out keeps its bytes until it is, or is too old.
        """
        columns = select(INBOUND.c.id, INBOUND.c.subject, INBOUND.c.detail, INBOUND.c.commands)
        settled = INBOUND.c.status.in_(("accepted", "rejected", "discarded")), INBOUND.c.reason != _HELD
        conditions: list[ColumnElement[bool]] = [INBOUND.c.match_id.in_(part) for part in _batched(matches)]
        conditions += [and_(INBOUND.c.match_id.is_(None), INBOUND.c.sender.in_(part)) for part in _batched(others)]
        conditions.append(and_(_STRANGE, INBOUND.c.code == "bounce"))  # whose it was nobody knows, nor what it quotes
        for condition in conditions:
            for part in self._numbers(INBOUND.c.id, condition):
                rows = self._rows(columns.where(INBOUND.c.id.in_(part)))
                for number, subject, detail, commands in rows:
                    told: dict[str, Any] = {"subject": names.out_of(subject), "detail": names.out_of(detail)}
                    told["commands"] = [names.out_of(one) for one in commands]
                    if tuple(told.values()) != (subject, detail, commands):
                        self._set(INBOUND, INBOUND.c.id == number, **told)
                self._drop_bytes(INBOUND, select(INBOUND.c.id).where(INBOUND.c.id.in_(part), *settled, INBOUND.c.kept))

    def _reword_log(self, matches: Sequence[int], names: StruckNames, held: Iterable[_Held]) -> None:
        """Delete what the log tells of a person, and name them no more where they got or left a seat."""
        for one in held:
            own = one.covers(MATCH_LOG, MATCH_LOG.c.at)
            self._write(delete(MATCH_LOG).where(own, MATCH_LOG.c.kind.in_(_PERSONAL)))
        for part in _batched([number for number, _ in self._notes_about(held)]):
            self._write(delete(MATCH_LOG).where(MATCH_LOG.c.id.in_(part)))
        for part in _batched(matches):
            log = select(MATCH_LOG.c.id, MATCH_LOG.c.arguments).where(MATCH_LOG.c.kind == "replaced")
            for number, told in self._rows(log.where(MATCH_LOG.c.match_id.in_(part))):
                named = {key: FORMER if told[key] == names.name else told[key] for key in ("before", "after")}
                self._set(MATCH_LOG, MATCH_LOG.c.id == number, arguments={**told, **named})

    def _forget_seeds(self, held: Iterable[_Held]) -> None:
        """Forget the words for the dice in matches without any roll so far; in others all rolls follow from them."""
        rolled = exists().where(ENTRY.c.match_id == SEAT.c.match_id, ENTRY.c.seat.is_(None))
        for one in held:
            if one.until is None:
                own = SEAT.c.match_id == one.match, SEAT.c.seat == one.seat
                self._write(update(SEAT).where(*own, ~rolled).values(salt=null()))

    def _numbers(self, column: Any, condition: ColumnElement[bool]) -> Iterator[Sequence[int]]:
        """Yield the numbers of the rows that meet a condition, in parts."""
        chosen: Select[Any] = select(column).where(condition)
        yield from _batched([number for (number,) in self._rows(chosen)])


def _unread(now: datetime) -> dict[str, Any]:
    """Return how a message ends that waited to be read when its player was forgotten."""
    return {"status": "discarded", "reason": "forgotten", "code": "forgotten", "settled_at": now}


def _is_question_about(player: int) -> ColumnElement[bool]:
    """Return the condition that an email asks an address whether it is that of a player."""
    return and_(OUTBOUND.c.kind == "confirm_address", OUTBOUND.c.notice_key.startswith(f"address {player} "))


def _batched(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield ``values`` in parts that a statement may hold."""
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]
