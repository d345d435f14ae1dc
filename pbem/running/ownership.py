"""Whose the mailbox is: a note in it names one database, so that no second service answers its players wrongly.

The note lies in a folder of its own. It is no lock that runs out: only who means it gives the mailbox to another
database, or to a copy of this one (``pbem take-over``). So no clock has a say in it, and a service that starts after a
power cut waits for nobody. Of two services that start together the one with the first note goes on.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import SMTP, compat32
from email.utils import format_datetime, parsedate_to_datetime
from typing import Protocol

from pbem.errors import LoginRefused, MailboxTaken, Unavailable
from pbem.log.logbook import event
from pbem.ports import Clock, Note, Notes

log = logging.getLogger("pbem")

LOOK_EVERY = timedelta(minutes=5)
"""So long a service goes on at most after somebody has given the mailbox to another one."""

_PLACE, _WHERE = "X-Pbem-Place", "X-Pbem-Where"
_PLAIN = re.compile(r"[0-9a-z-]{1,80}")
_LONGEST_WHERE = 200  # characters
_TEXT = """A service of pbem reads this mailbox, and answers what its players write.

This note tells a second one that it is taken: both would answer the same
emails, and one of them wrongly. Please leave it here as long as games are
played by this address. It costs nothing, and holds nothing secret.

Who reads the mailbox: {where}
"""


@dataclass(frozen=True)
class Owner:
    """A database that reads a mailbox: where it is, for programs (``place``) and for people.

    No copy of it has the same place, but what is restored there has.
    """

    place: str
    where: str


@dataclass(frozen=True)
class Claim:
    """A note that was read: its number in the folder, the owner whom it names, and when it was written, if it says."""

    uid: int
    owner: Owner
    at: datetime | None

    def is_of(self, owner: Owner) -> bool:
        """Return whether it is the note of this very database, and of no copy of it."""
        return self.owner.place == owner.place


def write_note(owner: Owner, address: str, now: datetime) -> bytes:
    """Return the note that a mailbox is an owner's: an email that people can read, and that nobody would answer."""
    note = EmailMessage(policy=SMTP.clone(max_line_length=998))  # no field is folded, or encoded
    note["From"] = note["To"] = address
    note["Subject"] = "pbem reads this mailbox: please leave this note here"
    note["Date"] = format_datetime(now)
    note["Auto-Submitted"] = "auto-generated"
    note[_PLACE], note[_WHERE] = owner.place, _encode(owner.where)
    note.set_content(_TEXT.format(where=_encode(owner.where)))
    return note.as_bytes()


def read_claims(notes: Sequence[Note]) -> list[Claim]:
    """Return the claims among notes, the first first. What was delivered by email is none: anybody could send that."""
    return [claim for claim in map(_read_claim, notes) if claim]


def _read_claim(note: Note) -> Claim | None:
    head = BytesHeaderParser(policy=compat32).parsebytes(note.raw)
    place = str(head.get(_PLACE, "")).strip()
    if "Received" in head or not _PLAIN.fullmatch(place):
        return None
    where = " ".join(str(head.get(_WHERE, "")).split())[:_LONGEST_WHERE] or "somewhere"
    try:
        at = parsedate_to_datetime(str(head.get("Date", ""))).astimezone(UTC)
    except (ValueError, OverflowError):
        at = None
    return Claim(note.uid, Owner(place, where), at)


def tell_taken(claim: Claim, mine: Owner, notes: Notes) -> str:
    """Return the sentence about a mailbox that is another's."""
    since = f" since {claim.at:%Y-%m-%d %H:%M} UTC" if claim.at else ""
    twin = claim.owner.where == _encode(mine.where)
    same = " (the same name as this one’s, but another file: it was copied, or restored as a whole)" if twin else ""
    return (
        f"The mailbox {notes.name} is read by {claim.owner.where}{same}{since}, says the note in its folder"
        f" {notes.folder}. Two services would answer the same emails, so this one doesn’t read it. If the other one has"
        " ended for good, “pbem take-over” gives the mailbox to this one."
    )


class FindOwner(Protocol):
    """Tells what identifies a database; ``make``: a note is to name it now."""

    def __call__(self, *, make: bool = False) -> Owner:
        """Return it."""
        ...


class Ownership:
    """What makes sure that a mailbox is this database's: before anything is read, and again every five minutes.

    ``find_owner`` tells what identifies the database; ``address`` is that of the service.
    """

    def __init__(self, notes: Notes, find_owner: FindOwner, address: str, clock: Clock) -> None:
        self._notes, self._find_owner, self._address, self._clock = notes, find_owner, address, clock
        self._looked_at: datetime | None = None
        self._asked_at: datetime | None = None
        self._told = False

    @property
    def is_sure(self) -> bool:
        """Whether the mailbox was found to be this database's, or unguarded."""
        return self._looked_at is not None

    async def require(self) -> None:
        """Raise MailboxTaken for a mailbox that is another's; one that is nobody's becomes the database's.

        A server that takes no note leaves the mailbox unguarded, which is logged once. Raise MailboxLost or
        LoginRefused when the server has never been asked, and can't be; later that leaves the mailbox as it was.
        """
        now = self._clock.now()
        if self._looked_at is not None and abs(now - self._looked_at) < LOOK_EVERY:
            return
        try:
            await self._look(now)
        except (Unavailable, LoginRefused):
            if self._looked_at is None:
                raise
            return
        self._looked_at = now

    async def _look(self, now: datetime) -> None:
        """Look at the notes, and add one where there is none."""
        claims = read_claims(await self._notes.read())
        owner = self._find_owner(make=not claims)
        if not claims:
            refusal = await self._notes.add(write_note(owner, self._address, now))
            claims = read_claims(await self._notes.read())  # another may have been faster
            if not claims and not self._told:
                log.warning(
                    "nothing keeps a second service from this mailbox: the server takes no note in the folder %s: %s",
                    self._notes.folder,
                    refusal or "it isn’t there afterwards",
                    extra=event("no_note"),
                )
                self._told = True
        mine = [claim.uid for claim in claims if claim.is_of(owner)]
        if claims and not claims[0].is_of(owner):
            await self._notes.remove(mine)
            raise MailboxTaken(tell_taken(claims[0], owner, self._notes))
        await self._notes.remove(mine[1:])

    async def ask_time(self) -> datetime | None:
        """Return what time the mail server says it is: it dates a note that it takes, which is removed again.

        None where it says nothing, or was asked within five minutes.
        """
        now = self._clock.now()
        if self._asked_at is not None and abs(now - self._asked_at) < LOOK_EVERY:
            return None
        self._asked_at = now
        try:
            if await self._notes.add(write_note(self._find_owner(make=True), self._address, now)):
                return None
            said = await self._notes.newest_at()
            await self._look(now)
        except (Unavailable, LoginRefused):
            return None
        return said

    async def find(self) -> Claim | None:
        """Return the note that counts, of whatever owner. Raise MailboxLost, LoginRefused."""
        return next(iter(read_claims(await self._notes.read())), None)

    async def take_over(self) -> str:
        """Make the mailbox this database's; return why the server takes no note, an empty text if it does.

        Raise MailboxLost, LoginRefused.
        """
        before = read_claims(await self._notes.read())
        note = write_note(self._find_owner(make=True), self._address, self._clock.now())
        refusal = await self._notes.add(note)
        if not refusal:
            await self._notes.remove([claim.uid for claim in before])
        return refusal


def _encode(text: str) -> str:
    """Return a text in plain ASCII on one line, for a header that every program reads alike."""
    return " ".join(text.encode("ascii", "replace").decode().split())[:_LONGEST_WHERE]
