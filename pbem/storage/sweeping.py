"""Finds what rows of others hold of a forgotten person, by what stands in them, and takes it out."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    LargeBinary,
    String,
    Table,
    case,
    cast,
    func,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.types import NullType

from db.packed import unpack
from pbem.mail.address_traces import AddressTraces
from pbem.mail.headers import mailbox_of
from pbem.match.player import Player
from pbem.storage.fates import FATES
from pbem.storage.gateway import Gateway
from pbem.storage.struck_names import StruckNames
from pbem.storage.tables import (
    ADDRESS,
    FOLLOWER,
    FORMER_ADDRESS,
    GUEST,
    INBOUND,
    MATCH,
    OUTBOUND,
    QUESTION,
    SEAT_OFFER,
)

_AT_ONCE = 500  # rows that are read together
_HELD = "unknown_address"
_SETTLED = INBOUND.c.status.in_(("accepted", "rejected", "discarded")), INBOUND.c.reason != _HELD
"""What waits to be carried out keeps its bytes until it is, or is too old."""


def _as_bytes(column: Column[Any]) -> ColumnElement[Any]:
    """Return what is stored in a column as bytes, even if it is a text or a number by damage."""
    return type_coerce(cast(column, LargeBinary), NullType())


_OF_EMAILS = (INBOUND, OUTBOUND)
_ADDRESSED = (
    *(INBOUND.c.sender, OUTBOUND.c.recipient, QUESTION.c.email, FOLLOWER.c.email, GUEST.c.email, SEAT_OFFER.c.email),
    FORMER_ADDRESS.c.email,
)
"""The columns that hold an address, and nothing else, of whoever is no player (any more) by it."""

_BYTES = {table: case((table.c.kept, _as_bytes(table.c.raw)), else_=b"") for table in _OF_EMAILS}
_MARKED = OUTBOUND.c.kept.is_(False), func.length(type_coerce(OUTBOUND.c.raw, NullType())) > 0
_NOTHING: Mapping[str, Any] = {"about": {}, "commands": [], "quotable": b""}
_WAITS = OUTBOUND.c.status == "queued"


class Sweeping(Gateway):
    """The gateway that takes a person out of rows of others."""

    def addresses_of(self, player: Player) -> frozenset[str]:
        """Return every address that a player has or had, with those of the same mailboxes that were met here.

        None is another player’s now.
        """
        former = self._rows(select(FORMER_ADDRESS.c.email).where(FORMER_ADDRESS.c.player_id == player.id))
        found = {*player.emails, *(email for (email,) in former)}
        mailboxes = {mailbox_of(email) for email in found}
        for local, _, domain in (mailbox.rpartition("@") for mailbox in mailboxes):
            for column in _ADDRESSED:
                begins = column.startswith(f"{local}+", autoescape=True)
                variants = select(column).where(begins, column.endswith(f"@{domain}", autoescape=True))
                found |= {email for (email,) in self._rows(variants.distinct())}
        found |= mailboxes
        return frozenset(found - self._of_other_players(player.id, found))

    def knows(self, email: str) -> bool:
        """Return whether anything is kept of an address: that it follows a match, wrote, was written to, or named."""
        if any(self._row(select(column).where(column == email).limit(1)) is not None for column in _ADDRESSED):
            return True
        traces = AddressTraces([email])
        return any(
            self._hinted(table, traces, StruckNames(traces)) or self._bearing(table, traces)
            for table, fate in FATES.items()
            if fate.others
        )

    def traces_of(self, player: Player) -> AddressTraces:
        """Return what the addresses of a player look like, and those of others do not."""
        domains = {email.rpartition("@")[2] for email in player.emails}
        alike = or_(*(ADDRESS.c.email.endswith(f"@{one}", autoescape=True) for one in domains))
        others = self._rows(select(ADDRESS.c.email).where(alike, ADDRESS.c.player_id != player.id))
        return AddressTraces(player.emails, [email for (email,) in others])

    def strike_addresses(self, player: Player, traces: AddressTraces, now: datetime) -> None:
        """Take the addresses of a player out of all rows of others, wherever in them they stand."""
        struck, matches = StruckNames(traces), set[int]()
        for table, fate in FATES.items():
            if not fate.others:
                continue
            numbers = sorted({*self._hinted(table, traces, struck), *self._bearing(table, traces)})
            for part in batched(numbers):
                self.reword(table, table.c.id.in_(part), struck)
                if table not in _OF_EMAILS and "match_id" in table.c:
                    matches |= {one for (one,) in self._rows(select(table.c.match_id).where(table.c.id.in_(part)))}
        for email in player.emails:
            self._write(update(GUEST).where(GUEST.c.called.icontains(email, autoescape=True)).values(called=""))
        for part in batched(sorted(matches - {None})):  # what stands on their pages
            self._set(MATCH, MATCH.c.id.in_(part), changed_at=now)

    def reword(self, table: Table, condition: ColumnElement[bool], struck: StruckNames) -> None:
        """Take a player out of rows of others; emails lose their bytes, those to be sent as soon as that is done."""
        numbers = [number for (number,) in self._rows(select(table.c.id).where(condition))]
        for part in batched(numbers):
            for number, changed in self._reworded(table, part, struck):
                if changed:
                    self._set(table, table.c.id == number, **changed)
            these = table.c.id.in_(part)
            if table is INBOUND:
                self._drop_bytes(table, select(table.c.id).where(these, *_SETTLED, table.c.kept))
            elif table is OUTBOUND:
                self._set(table, these, _WAITS, kept=False)
                self._drop_bytes(table, select(table.c.id).where(these, ~_WAITS, or_(table.c.kept, *_MARKED[1:])))

    def drop_sent(self) -> bool:
        """Drop the bytes of what was queued to others when somebody was forgotten, and was sent since.

        Return whether any such email is still queued.
        """
        self._drop_bytes(OUTBOUND, select(OUTBOUND.c.id).where(*_MARKED, ~_WAITS))
        return self._row(select(OUTBOUND.c.id).where(*_MARKED, _WAITS).limit(1)) is not None

    def _of_other_players(self, player: int, emails: set[str]) -> set[str]:
        """Return those of some addresses that another player has."""
        owned = select(ADDRESS.c.email).where(ADDRESS.c.email.in_(sorted(emails)), ADDRESS.c.player_id != player)
        return {email for (email,) in self._rows(owned)}

    def _reworded(
        self, table: Table, numbers: Sequence[int], struck: StruckNames
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the number of each row, and what is to stand in it instead; what cannot be read is emptied."""
        fates = FATES[table].others
        beside = [table.c[name] for name in ("kind", "match_id") if name in table.c and name not in fates]
        query = select(table.c.id, *beside, *(table.c[name] for name in fates))
        nothing = {name: _NOTHING.get(name, "") for name in fates if name != "arguments"}
        for row in self._rows_each(query, table.c.id, numbers):
            if isinstance(row, int):
                yield row, nothing
                continue
            before = {name: getattr(row, name) for name in fates}
            try:
                after = {name: fate(struck, before[name], row) for name, fate in fates.items()}
            except ValueError:  # words that are not UTF-8
                after = nothing
            yield row.id, {name: value for name, value in after.items() if value != before[name]}

    def _hinted(self, table: Table, traces: AddressTraces, struck: StruckNames) -> list[int]:
        """Return the numbers of the rows with an address in a text."""
        texts = [cast(table.c[name], String) for name in FATES[table].others if name != "quotable"]
        hinted = or_(*(text.icontains(hint, autoescape=True) for text in texts for hint in traces.hints))
        numbers = [number for (number,) in self._rows(select(table.c.id).where(hinted))]
        return [one for part in batched(numbers) for one, changed in self._reworded(table, part, struck) if changed]

    def _bearing(self, table: Table, traces: AddressTraces) -> list[int]:
        """Return the numbers of the emails with an address in their bytes, or in what replies may quote of them."""
        if table not in _OF_EMAILS:
            return []
        words = [_as_bytes(table.c.quotable)] if "quotable" in table.c else []
        numbers = [number for (number,) in self._rows(select(table.c.id))]
        found = []
        for part in batched(numbers):
            query = select(table.c.id, _BYTES[table], *words).where(table.c.id.in_(part))
            for number, raw, *quotable in self._rows(query):
                if traces.are_in(_unpacked(raw)) or any(traces.are_in_words(_unpacked(one)) for one in quotable):
                    found.append(number)
        return found


def batched(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield ``values`` in parts that a statement may hold."""
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]


def _unpacked(stored: object) -> bytes:
    """Return stored bytes; none for damaged ones, which nobody can read either."""
    try:
        return unpack(stored)
    except ValueError:
        return b""
