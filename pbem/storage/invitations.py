"""Invitations to matches, their guests, the inviters that players refuse, and strangers who were written to."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, case, delete, exists, func, or_, select, update

from pbem.match.game_names import find_game
from pbem.match.invitation import Guest, Invitation
from pbem.storage.gateway import Gateway, insert_unless_known
from pbem.storage.tables import APPROACHED, ENTRY, GUEST, INVITATION, MATCH, PLAYER, REFUSED_INVITER, SEAT, SEAT_OFFER

_COLUMNS = ("id", "kind", "options", "created_at", "expires_at", "state", "both", "private", "rated", "reliable")
_LARGEST = 2**31 - 1  # number that the databases have room for


@dataclass(frozen=True, slots=True)
class Approach:
    """When a stranger was last written to, and what they said: nothing yet, ``yes`` or ``no``."""

    at: datetime
    answer: str


class Invitations(Gateway):
    """The gateway to invitations."""

    def next_number(self) -> int:
        """Return the number of the next invitation; rows are never deleted."""
        return int(self._value(select(func.coalesce(func.max(INVITATION.c.id), 0)))) + 1

    def get(self, number: int) -> Invitation | None:
        """Return the invitation with this number."""
        if not 0 < number <= _LARGEST:
            return None
        return next(iter(self._read(INVITATION.c.id == number)), None)

    def open(self) -> list[Invitation]:
        """Return all invitations that can be accepted, oldest first."""
        return self._read(INVITATION.c.state == "open")

    def open_of(self, player: int) -> list[Invitation]:
        """Return the open invitations of a player, and those to them, oldest first."""
        invited = select(GUEST.c.invitation_id).where(GUEST.c.player_id == player)
        return self._read(
            INVITATION.c.state == "open", or_(INVITATION.c.inviter_id == player, INVITATION.c.id.in_(invited))
        )

    def of_match(self, match: int) -> Invitation | None:
        """Return the latest invitation to play a match again."""
        found = self._read(INVITATION.c.match_id == match, INVITATION.c.kind == "again")
        return found[-1] if found else None

    def listed(
        self, *, state: str | None = None, before: int | None = None, limit: int | None = None
    ) -> list[Invitation]:
        """Return the newest ``limit`` invitations in a ``state`` with numbers below ``before``, oldest first."""
        numbers = select(INVITATION.c.id).order_by(INVITATION.c.id.desc()).limit(limit)
        if state is not None:
            numbers = numbers.where(INVITATION.c.state == state)
        if before is not None:
            numbers = numbers.where(INVITATION.c.id < before)
        return self._read(INVITATION.c.id.in_(numbers))

    def count_since(self, inviter: int, since: datetime) -> int:
        """Return how many people whom a player has named were written to since then."""
        query = select(func.count()).select_from(GUEST.join(INVITATION, INVITATION.c.id == GUEST.c.invitation_id))
        query = query.where(INVITATION.c.inviter_id == inviter, INVITATION.c.created_at > since)
        return int(self._value(query.where(INVITATION.c.kind == "named", GUEST.c.seat != 0, GUEST.c.called != "")))

    def store(self, after: Invitation) -> None:
        """Store an invitation, new or changed."""
        values = {name: getattr(after, name) for name in _COLUMNS} | {"options": dict(after.options)}
        values |= {"game": after.game.key, "inviter_id": after.inviter, "match_id": after.match}
        if not self._write(update(INVITATION).where(INVITATION.c.id == after.id).values(**values)):
            self._write(INVITATION.insert().values(**values))
        self._write(delete(GUEST).where(GUEST.c.invitation_id == after.id))
        for seat, guest in enumerate(after.guests):
            of_guest = {"called": guest.called, "email": guest.email, "player_id": guest.player, "state": guest.state}
            of_guest["words"] = guest.words
            self._write(GUEST.insert().values(invitation_id=after.id, seat=seat, **of_guest))

    def count_matches(self, player: int) -> int:
        """Return how many running matches a player has a seat in."""
        query = select(func.count()).select_from(SEAT.join(MATCH, MATCH.c.id == SEAT.c.match_id))
        return int(self._value(query.where(SEAT.c.player_id == player, MATCH.c.over_at.is_(None))))

    def with_robots(self, player: int) -> set[int]:
        """Return the numbers of the running matches with robots that a player plays, or for which they asked for one.

        They asked for one that has their own seat until a day, or is to have a seat as soon as everyone has agreed.
        """
        robots = select(PLAYER.c.id).where(PLAYER.c.robot > 0)
        own = select(SEAT.c.match_id).where(SEAT.c.player_id == player)
        seated = MATCH.c.id.in_(own), MATCH.c.id.in_(select(SEAT.c.match_id).where(SEAT.c.player_id.in_(robots)))
        asks = SEAT.c.match_id == SEAT_OFFER.c.match_id, SEAT.c.seat == SEAT_OFFER.c.by_seat, SEAT.c.player_id == player
        lends = SEAT_OFFER.c.owner_id == player, SEAT_OFFER.c.until.is_not(None)
        offered = (
            SEAT_OFFER.c.state.in_(("accepted", "ready", "standing")),
            SEAT_OFFER.c.player_id.in_(robots),
            or_(and_(*lends), exists().where(*asks)),
        )
        wanted = or_(and_(*seated), MATCH.c.id.in_(select(SEAT_OFFER.c.match_id).where(*offered)))
        return {number for (number,) in self._rows(select(MATCH.c.id).where(MATCH.c.over_at.is_(None), wanted))}

    def count_with_robots(self, player: int) -> int:
        """Return how many matches with robots a player plays, or is about to: with whoever else has yet to agree."""
        coming = select(GUEST.c.invitation_id).where(GUEST.c.email.startswith("robot:"), GUEST.c.player_id.is_(None))
        taken = select(GUEST.c.invitation_id).where(GUEST.c.player_id == player, GUEST.c.state == "accepted")
        invited = INVITATION.c.state.in_(("open", "agreed")), INVITATION.c.id.in_(coming), INVITATION.c.id.in_(taken)
        return len(self.with_robots(player)) + int(
            self._value(select(func.coalesce(func.sum(case((INVITATION.c.both, 2), else_=1)), 0)).where(*invited))
        )

    def has_moved(self, player: int) -> bool:
        """Return whether a player has made a move in some match."""
        own = ENTRY.join(SEAT, and_(SEAT.c.match_id == ENTRY.c.match_id, SEAT.c.seat == ENTRY.c.seat))
        query = select(ENTRY.c.ply).select_from(own).where(SEAT.c.player_id == player)
        return self._row(query.limit(1)) is not None

    def companions(self, player: int) -> set[int]:
        """Return the numbers of all players who have, or had, a seat in a match with a player."""
        own = select(SEAT.c.match_id).where(SEAT.c.player_id == player)
        rows = self._rows(select(SEAT.c.player_id).where(SEAT.c.match_id.in_(own)).distinct())
        return {number for (number,) in rows} - {player}

    def renumber(self, before: int, after: int) -> None:
        """Let the invitations of one player, and those to them, be those of another one, since they are one person."""
        self._set(INVITATION, INVITATION.c.inviter_id == before, inviter_id=after)
        self._set(GUEST, GUEST.c.player_id == before, player_id=after)
        for player, mark in self._rows(select(REFUSED_INVITER.c.player_id, REFUSED_INVITER.c.mark)):
            if before == player or mark == player_mark(before):
                self.set_refused(player, [mark], refused=False)
                self.set_refused(
                    after if player == before else player,
                    [player_mark(after) if mark == player_mark(before) else mark],
                    refused=True,
                )

    def refuses(self, player: int, marks: Iterable[str]) -> bool:
        """Return whether a player refuses invitations from somebody with one of these ``marks``."""
        query = select(REFUSED_INVITER.c.mark).where(REFUSED_INVITER.c.player_id == player)
        return self._row(query.where(REFUSED_INVITER.c.mark.in_(sorted(marks))).limit(1)) is not None

    def set_refused(self, player: int, marks: Iterable[str], *, refused: bool) -> None:
        """Let a player refuse invitations from somebody with these ``marks``, or take them again."""
        for mark in marks:
            if refused:
                insert = insert_unless_known(self._connection.dialect.name, REFUSED_INVITER, ("player_id", "mark"))
                self._write(insert, player_id=player, mark=mark)
            else:
                own = REFUSED_INVITER.c.player_id == player, REFUSED_INVITER.c.mark == mark
                self._write(delete(REFUSED_INVITER).where(*own))

    def approach_of(self, mark: str) -> Approach | None:
        """Return whether a mailbox of no player was written to, and what its reader said."""
        row = self._row(select(APPROACHED.c.at, APPROACHED.c.answer).where(APPROACHED.c.mark == mark))
        return Approach(*row) if row else None

    def count_approached(self, since: datetime) -> dict[str, int]:
        """Return how many mailboxes of no player were written to since then, by the share of whoever caused it."""
        counted = select(APPROACHED.c.share, func.count()).where(APPROACHED.c.at > since)
        return dict(self._rows(counted.group_by(APPROACHED.c.share)))

    def note_approach(self, mark: str, answer: str, now: datetime, *, share: str) -> None:
        """Note that a mailbox was written to ("" for ``answer``), or what its reader said."""
        if not self._set(APPROACHED, APPROACHED.c.mark == mark, at=now, answer=answer, share=share):
            self._write(APPROACHED.insert().values(mark=mark, at=now, answer=answer, share=share))

    def _read(self, *conditions: Any) -> list[Invitation]:
        """Return the invitations that meet all conditions, oldest first."""
        columns = [INVITATION.c[name] for name in (*_COLUMNS, "game", "inviter_id", "match_id")]
        rows = self._rows(select(*columns).where(*conditions).order_by(INVITATION.c.id))
        guests: dict[int, list[Guest]] = {}
        query = select(GUEST.c.invitation_id, GUEST.c.called, GUEST.c.email, GUEST.c.player_id, GUEST.c.state)
        query = query.add_columns(GUEST.c.words)
        numbers = [row[0] for row in rows]
        for number, *told in self._rows(
            query.where(GUEST.c.invitation_id.in_(numbers)).order_by(GUEST.c.invitation_id, GUEST.c.seat)
        ):
            guests.setdefault(number, []).append(Guest(*told))
        found = []
        for *told, key, inviter, match in rows:
            values = dict(zip(_COLUMNS, told, strict=True))
            if game := find_game(key):
                own = tuple(guests.get(values["id"], ()))
                found.append(Invitation(**values, game=game, inviter=inviter, guests=own, match=match))
        return found


def player_mark(player: int) -> str:
    """Return what stands for a player among the inviters that others refuse."""
    return f"#{player}"
