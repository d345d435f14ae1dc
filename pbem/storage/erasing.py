"""Erases all that says who a player is, in every table, and lets the moves stay.

What becomes of each column is one table, ``FATES``. Rows of the player's own emails lose what stands in them. Rows of
others that may quote the player lose the bytes, and what names them beside these. An address is taken out wherever it
stands: all rows of all tables are searched for it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, and_, delete, or_, select, text, update

from pbem.match.player import Player
from pbem.storage.fates import FATES
from pbem.storage.gateway import batched
from pbem.storage.invitations import player_mark
from pbem.storage.matches.thoughts import matches_with
from pbem.storage.struck_names import Strike, StruckNames, was_named
from pbem.storage.sweeping import Sweeping
from pbem.storage.tables import (
    ADDRESS,
    COMMENT,
    FOLLOWER,
    FORMER_ADDRESS,
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
    SECOND,
    THOUGHT,
)
from rules.position import Seat

_PERSONAL = ("absent", "back", "unsubscribed", "bounced")
"""Kinds of the log that tell of a person, and of nothing that happened to the match."""

_NAMING = ("renamed", "merged")
"""Kinds of the log that tell of a name that a player had before."""

_STRANGE = text("status = 'discarded' AND match_id IS NULL")  # as its index has it; bounces are among these

_OF_INVITATIONS = (
    *("invitation", "invitation_news", "starting", "confirm_start", "contest_news", "letter"),
    *("league", "league_begins", "league_ends", "league_news"),
)
"""Kinds of emails about matches that were proposed, and about leagues, which may name anybody who plays."""

_REMARK = "comment_asked"
"""The kind of question that has words of its asker, which may stand under the moves of a match of others."""

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


class Forgetting(Sweeping):
    """The gateway that erases players."""

    def erase(self, player: Player, operator: str, strike: Strike, now: datetime) -> None:
        """Erase who ``player`` is: name, addresses, settings, comments, emails; their seats and moves stay.

        ``operator`` is the address of the host, who may have been written to about them.
        """
        player = replace(player, emails=self.addresses_of(player))
        held = self._seats_of(player)
        seconded = self._rows(select(SECOND.c.match_id).where(SECOND.c.player_id == player.id))
        matches = sorted({one.match for one in held} | {match for (match,) in seconded})
        comments: dict[int, list[str]] = {}
        for match, *_, said in self.comments_of(player):
            comments.setdefault(match, []).append(said)
        traces = self.traces_of(player)
        struck = StruckNames(traces, player.name, self.former_names(player), strike, comments)
        self._erase_own(player, held, now)
        others = self._addresses_beside(player.id, matches, "" if operator in player.emails else operator)
        for condition in self._of_others(player.id, others, matches):
            self.reword(OUTBOUND, condition, struck)
        for condition in _inbound_of_others(others, matches):
            self.reword(INBOUND, condition, struck)
        self.reword(QUESTION, QUESTION.c.kind.in_(("confirm_start", "seat_question", "confirm", "report")), struck)
        for part in batched(matches):
            self.reword(QUESTION, QUESTION.c.match_id.in_(part), struck)
            replaced = and_(MATCH_LOG.c.kind == "replaced", MATCH_LOG.c.match_id.in_(part))
            self.reword(MATCH_LOG, replaced, struck)
        self.strike_addresses(player, traces, now)

    def former_names(self, player: Player) -> list[str]:
        """Return the names that a player had before, as the log of their matches has them."""
        return sorted({str(told.get("before", "")) for _, told in self._notes_about(self._seats_of(player))} - {""})

    def seats_held(self, player: Player) -> set[tuple[int, Seat]]:
        """Return the matches and seats that a player has, or had before somebody else got them."""
        return {(one.match, one.seat) for one in self._seats_of(player)}

    def comments_of(self, player: Player) -> list[tuple[int, int, datetime, bool, str]]:
        """Return the comments of a player: match, entries then, time, whether for their side alone, and text."""
        said = select(COMMENT.c.match_id, COMMENT.c.ply, COMMENT.c.made_at, COMMENT.c.to_side, COMMENT.c.text)
        own = [self._own_comments(one) for one in self._seats_of(player)]
        own.append(COMMENT.c.second_id == player.id)
        return [tuple(row) for one in own for row in self._rows(said.where(one).order_by(COMMENT.c.id))]

    def _own_comments(self, held: _Held) -> ColumnElement[bool]:
        """Return the condition that whoever had a seat wrote a comment, and none of their seconds."""
        return and_(held.covers(COMMENT, COMMENT.c.made_at), COMMENT.c.second_id.is_(None))

    def erase_stranger(self, email: str, now: datetime) -> None:
        """Erase an address of no player: what it follows, all emails from it and to it, and where others named it."""
        player = stranger(email)
        player = replace(player, emails=self.addresses_of(player))
        self._erase_own(player, (), now)
        self.strike_addresses(player, self.traces_of(player), now)

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
        remarks = and_(QUESTION.c.kind == _REMARK, QUESTION.c.asker_id == player.id)
        yield OUTBOUND, OUTBOUND.c.question_id.in_(select(QUESTION.c.id).where(remarks))
        yield QUESTION, or_(about, remarks, QUESTION.c.email.in_(emails), QUESTION.c.player_id == player.id)
        yield COMMENT, COMMENT.c.second_id == player.id
        for one in held:
            to_nobody = OUTBOUND.c.recipient.not_in(others)
            yield OUTBOUND, and_(one.covers(OUTBOUND, OUTBOUND.c.created_at), to_nobody)
            yield COMMENT, self._own_comments(one)
            yield MATCH_LOG, and_(one.covers(MATCH_LOG, MATCH_LOG.c.at), MATCH_LOG.c.kind.in_(_PERSONAL))
        for part in batched([number for number, _ in self._notes_about(held)]):
            yield MATCH_LOG, MATCH_LOG.c.id.in_(part)
        for part in batched(sorted({one.match for one in held})):
            yield MATCH, MATCH.c.id.in_(part)
        yield MATCH, matches_with(player.id)
        yield GUEST, or_(GUEST.c.email.in_(emails), GUEST.c.player_id == player.id)
        asked = SEAT_OFFER.c.player_id == player.id, SEAT_OFFER.c.owner_id == player.id
        yield SEAT_OFFER, or_(SEAT_OFFER.c.email.in_(emails), *asked)
        refused = REFUSED_INVITER.c.player_id == player.id, REFUSED_INVITER.c.mark == player_mark(player.id)
        yield REFUSED_INVITER, or_(*refused)
        yield FOLLOWER, FOLLOWER.c.email.in_(emails)
        yield FORMER_ADDRESS, or_(FORMER_ADDRESS.c.email.in_(emails), FORMER_ADDRESS.c.player_id == player.id)
        yield from ((table, table.c.player_id == player.id) for table in (SEAT, THOUGHT, ADDRESS))
        yield PLAYER, PLAYER.c.id == player.id

    def _addresses_beside(self, player: int, matches: Sequence[int], operator: str) -> list[str]:
        """Return the addresses of who else plays in ``matches``, did, follows or was offered a seat, and the host’s."""
        found = {operator} if operator else set[str]()
        for part in batched(matches):
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
        yield from (OUTBOUND.c.match_id.in_(part) for part in batched(matches))
        yield from (and_(OUTBOUND.c.recipient.in_(part), beyond) for part in batched(others))
        yield OUTBOUND.c.question_id.in_(select(QUESTION.c.id).where(_is_about(player)))
        yield OUTBOUND.c.kind.in_(_OF_INVITATIONS)


def stranger(email: str) -> Player:
    """Return somebody with an address who is no player."""
    return Player(0, "", email, frozenset([email]))


def _inbound_of_others(others: Sequence[str], matches: Sequence[int]) -> Iterator[ColumnElement[bool]]:
    """Yield conditions for the emails from others that may name a player of ``matches``."""
    yield from (INBOUND.c.match_id.in_(part) for part in batched(matches))
    yield from (and_(INBOUND.c.match_id.is_(None), INBOUND.c.sender.in_(part)) for part in batched(others))
    yield and_(_STRANGE, INBOUND.c.code == "bounce")  # whose it was nobody knows, nor what it quotes


def _is_about(player: int) -> ColumnElement[bool]:
    """Return the condition that a question asks an address whether it is a player's, or is what they told the host."""
    return and_(QUESTION.c.kind.in_(("confirm_address", "report")), QUESTION.c.asker_id == player)
