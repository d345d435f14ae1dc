"""Finds what rows of others hold of a forgotten person, by what stands in them, and takes it out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
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
from pbem.storage.gateway import Gateway, batched
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

_OVERLAP = 100
"""So many rows are searched again: one may be stored after one with a higher number, or have that of one that went."""

_MOST_SEARCHES = 100
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


class Searched(NamedTuple):
    """The numbers of the emails that bear an address, among those up to a number."""

    found: frozenset[int]
    up_to: int


Searches: TypeAlias = dict[tuple[frozenset[str], frozenset[str]], dict[Table, Searched]]
"""What was found in which table, by the addresses, and those of others that look alike."""


class Sweeping(Gateway):
    """The gateway that takes a person out of rows of others.

    ``searches`` outlive the transaction: all kept emails are searched before the one that erases, which has everybody
    wait, and in it only those that came since.
    """

    def __init__(self, connection: Connection, searches: Searches) -> None:
        super().__init__(connection)
        self._searches = searches

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

    def search(self, player: Player) -> None:
        """Search all emails for the addresses of a player, as it takes long; in a transaction that only reads."""
        traces = self.traces_of(replace(player, emails=self.addresses_of(player)))
        found = {table: self._search(table, traces) for table in _OF_EMAILS}
        if len(self._searches) >= _MOST_SEARCHES:  # of people who were not erased after all
            self._searches.clear()
        self._searches[traces.of] = found

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
        self._searches.pop(traces.of, None)

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

    def _bearing(self, table: Table, traces: AddressTraces) -> frozenset[int]:
        """Return the numbers of the emails with an address in their bytes, or in what replies may quote of them."""
        return self._search(table, traces).found if table in _OF_EMAILS else frozenset()

    def _search(self, table: Table, traces: AddressTraces) -> Searched:
        """Search the emails that came since the last search for the same addresses; return what both found."""
        known = self._searches.get(traces.of, {}).get(table, Searched(frozenset(), 0))
        words = [_as_bytes(table.c.quotable)] if "quotable" in table.c else []
        holding = or_(table.c.kept, *(func.length(one) > 0 for one in words))
        newer = select(table.c.id).where(holding, table.c.id > known.up_to - _OVERLAP).order_by(table.c.id)
        numbers = [number for (number,) in self._rows(newer)]
        found = set(known.found)
        for part in batched(numbers):
            query = select(table.c.id, _BYTES[table], *words).where(table.c.id.in_(part))
            for number, raw, *quotable in self._rows(query):
                if traces.are_in(_unpacked(raw)) or any(traces.are_in_words(_unpacked(one)) for one in quotable):
                    found.add(number)
        return Searched(frozenset(found), max(numbers, default=known.up_to))


def _unpacked(stored: object) -> bytes:
    """Return stored bytes; none for damaged ones, which nobody can read either."""
    try:
        return unpack(stored)
    except ValueError:
        return b""
