"""What the operator changes of players: names, addresses, and two players who turn out to be one person."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, or_, select

from pbem.errors import DamagedRow
from pbem.mail.compose import readdress
from pbem.match.player import Player
from pbem.match.preferences import merged_preferences
from pbem.storage.gateway import Gateway, batched, insert_unless_known
from pbem.storage.matches.thoughts import matches_with
from pbem.storage.tables import ADDRESS, ENTRY, FORMER_ADDRESS, MATCH, MATCH_LOG, OUTBOUND, PLAYER, SEAT, THOUGHT
from rules.position import Seat

_OF_ADDRESSES = ("confirm_address", "confirm_follow", "followed", "account_changed")
"""Kinds of emails that are for whoever reads an address, not for the player who has it."""

_REPLACED = MATCH_LOG.c.kind == "replaced"


class Accounts(Gateway):
    """The gateway to what the operator changes of players."""

    def rename(self, player: Player, name: str, now: datetime) -> None:
        """Give a player another name, which nobody else has; the log of each of their matches keeps the one before."""
        self._rename_in_log(player.name, name)
        self._note(player.id, "renamed", {"before": player.name, "after": name}, now)
        self._set(PLAYER, PLAYER.c.id == player.id, name=name, folded=name.casefold(), changed_at=now)
        self._set(MATCH, matches_with(player.id), changed_at=now)  # where it stands below what they wrote

    def note_former_name(self, player: Player, now: datetime) -> None:
        """Keep the name that a player has just given up: their next emails tell others, and nobody else gets it."""
        self._set(PLAYER, PLAYER.c.id == player.id, former_name=player.name, renamed_at=now)

    def given_up(self, since: datetime) -> list[tuple[int, str]]:
        """Return the players who have changed their name since then, with the name that they had before."""
        query = select(PLAYER.c.id, PLAYER.c.former_name).where(PLAYER.c.renamed_at > since)
        return [(number, name) for number, name in self._rows(query.order_by(PLAYER.c.id))]

    def count_renamings(self, player: Player, since: datetime) -> int:
        """Return how often a player got another name since then, as the log of their matches has it."""
        log = select(MATCH_LOG.c.match_id, MATCH_LOG.c.arguments, SEAT.c.seat)
        log = log.join(SEAT, SEAT.c.match_id == MATCH_LOG.c.match_id).where(SEAT.c.player_id == player.id)
        rows = self._rows(log.where(MATCH_LOG.c.kind == "renamed", MATCH_LOG.c.at > since))
        times = Counter(match for match, told, seat in rows if told.get("seat") == seat)
        return max(times.values(), default=0)

    def set_addresses(self, player: Player, main: str, emails: Collection[str]) -> None:
        """Let ``emails`` be all the addresses of a player, and ``main`` the one that notices go to."""
        for email in sorted(player.emails - set(emails)):
            self._note_former(player.id, email)
            self._write(ADDRESS.delete().where(ADDRESS.c.email == email, ADDRESS.c.player_id == player.id))
        for email in sorted(set(emails) - player.emails):
            bounces = {"soft_bounces": 0, "hard_bounces": 0}
            self._write(ADDRESS.insert(), email=email, player_id=player.id, is_primary=False, **bounces)
        own = ADDRESS.c.player_id == player.id
        self._set(ADDRESS, own, is_primary=ADDRESS.c.email == main)

    def redirect(self, emails: Collection[str], player: Player, now: datetime) -> int:
        """Send what waits for ``emails`` at a seat to the address of ``player``; return how many emails it is."""
        waiting = OUTBOUND.c.status == "queued", OUTBOUND.c.seat.is_not(None), OUTBOUND.c.recipient.in_(sorted(emails))
        numbers = [number for (number,) in self._rows(select(OUTBOUND.c.id).where(*waiting).order_by(OUTBOUND.c.id))]
        anew = {"attempts": 0, "unknown": 0, "error": "", "due_at": now}
        for number in numbers:
            changes: dict[str, Any] = {"recipient": player.email, **anew}
            try:
                ((raw,),) = self._rows(select(OUTBOUND.c.raw).where(OUTBOUND.c.id == number))
                readdressed = readdress(raw, player.name, player.email)
                changes |= {"raw": readdressed, "size": len(readdressed)}
            except DamagedRow:  # which ends as refused when it is its turn
                pass
            self._set(OUTBOUND, OUTBOUND.c.id == number, **changes)
        return len(numbers)

    def stop_sending(self, emails: Collection[str]) -> None:
        """Send nothing more to ``emails`` of what waits for the player who had them."""
        waiting = OUTBOUND.c.status == "queued", OUTBOUND.c.recipient.in_(sorted(emails))
        of_player = OUTBOUND.c.kind.not_in(_OF_ADDRESSES)
        self._set(OUTBOUND, *waiting, of_player, status="refused", error="its address is no longer that of the player")

    def shared(self, one: Player, other: Player) -> list[int]:
        """Return the numbers of the matches in which two players have or had different seats."""
        theirs: dict[int, set[Seat]] = {}
        for match, seat in self._seats_held(other):
            theirs.setdefault(match, set()).add(seat)
        return sorted({match for match, seat in self._seats_held(one) if theirs.get(match, set()) - {seat}})

    def merge(self, old: Player, into: Player, now: datetime) -> list[int]:
        """Let a player have all matches and addresses of another one; return the numbers of these matches.

        The row of ``old`` stays, so that its number is never given to anybody else: calendars and pages are named by
        it. They must have no match in common.
        """
        seats = self._seats_of(old.id)
        # Of the two generations of reply tokens the later one: with the other, tokens would count that were revoked.
        generation, names = max(old.generation, into.generation), {"before": old.name, "after": into.name}
        self._note(old.id, "merged", {**names, "generations": [old.generation, generation]}, now)
        if into.generation < generation:
            self._note(into.id, "merged", {**names, "generations": [into.generation, generation]}, now)
        self._set(PLAYER, PLAYER.c.id == into.id, generation=generation, changed_at=now)
        self._rename_in_log(old.name, into.name)
        self._renumber_in_log(old.id, into.id)
        self._set(SEAT, SEAT.c.player_id == old.id, player_id=into.id)
        self._set(MATCH, matches_with(old.id), changed_at=now)
        self._set(THOUGHT, THOUGHT.c.player_id == old.id, player_id=into.id)
        self._set(ADDRESS, ADDRESS.c.player_id == old.id, player_id=into.id, is_primary=False)
        for (email,) in self._rows(select(FORMER_ADDRESS.c.email).where(FORMER_ADDRESS.c.player_id == old.id)):
            self._note_former(into.id, email)
        self._write(FORMER_ADDRESS.delete().where(FORMER_ADDRESS.c.player_id == old.id))
        for earlier in self._rows(select(PLAYER.c.id).where(PLAYER.c.display == merged_preferences(old.id))):
            self._set(PLAYER, PLAYER.c.id == earlier.id, display=merged_preferences(into.id), changed_at=now)
        self._set(
            PLAYER,
            PLAYER.c.id == old.id,
            name="",
            folded=f"\n{old.id}",  # no name has a line end
            display=merged_preferences(into.id),
            quiet=True,
            generation=old.generation + 1,
            zone="",
            absences=None,
            remind="",
            away="",
            former_name="",
            renamed_at=None,
            quiet_hours="",
            changed_at=now,
            forgotten_at=now,
        )
        numbers = sorted({match for match, _ in seats})
        for part in batched(numbers):
            self._set(MATCH, MATCH.c.id.in_(part), changed_at=now)
        return numbers

    def _note_former(self, player: int, email: str) -> None:
        """Keep an address that a player has no more: it is forgotten with them."""
        insert = insert_unless_known(self._connection.dialect.name, FORMER_ADDRESS, ("player_id", "email"))
        self._write(insert, player_id=player, email=email)

    def _seats_of(self, player: int) -> Sequence[tuple[int, Seat]]:
        """Return the matches and seats of a player."""
        rows = self._rows(select(SEAT.c.match_id, SEAT.c.seat).where(SEAT.c.player_id == player))
        return [(match, seat) for match, seat in rows]

    def _seats_held(self, player: Player) -> set[tuple[int, Seat]]:
        """Return the matches and seats that a player has, or had before the operator gave them to somebody else."""
        arguments = MATCH_LOG.c.arguments
        named = or_(*(arguments[key].as_string() == player.name for key in ("before", "after")))
        former = self._rows(select(MATCH_LOG.c.match_id, arguments).where(_REPLACED, named))
        return {*self._seats_of(player.id), *((match, told["seat"]) for match, told in former)}

    def _note(self, player: int, kind: str, told: dict[str, Any], now: datetime) -> None:
        """Add what was done to a player to the log of each of their matches."""
        plies = select(func.count()).where(ENTRY.c.match_id == SEAT.c.match_id).correlate(SEAT).scalar_subquery()
        found = self._rows(select(SEAT.c.match_id, SEAT.c.seat, plies).where(SEAT.c.player_id == player))
        for match, seat, ply in found:
            arguments = {"seat": seat, **told}
            values = {"match_id": match, "ply": ply, "at": now, "kind": kind, "seat": None, "arguments": arguments}
            self._write(MATCH_LOG.insert(), **values)

    def _rename_in_log(self, before: str, after: str) -> None:
        """Let the log call a player by their present name where they got or left a seat: they are found by it."""
        arguments = MATCH_LOG.c.arguments
        for key in ("before", "after"):
            rows: Iterable[Any] = self._rows(
                select(MATCH_LOG.c.id, arguments).where(_REPLACED, arguments[key].as_string() == before)
            )
            for number, told in rows:
                self._set(MATCH_LOG, MATCH_LOG.c.id == number, arguments={**told, key: after})

    def _renumber_in_log(self, before: int, after: int) -> None:
        """Let the log say that a player let their seats pass who turned out to be another one."""
        arguments = MATCH_LOG.c.arguments
        rows = self._rows(select(MATCH_LOG.c.id, arguments).where(_REPLACED, arguments["owner"].as_integer() == before))
        for number, told in rows:
            self._set(MATCH_LOG, MATCH_LOG.c.id == number, arguments={**told, "owner": after})
