"""The ports through which every effect passes, but for ``pbem.storage.database.Database``."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Cursor:
    """The progress in a mailbox: of all messages up to ``last_uid`` with this ``uidvalidity`` is known what became.

    They are stored, gone, or ``unread`` (RFC 9051): the UIDs of those, each with whether it is to be asked for again.
    ``mark`` is what the mailbox knows a few of the others by; empty before any has come, or where it can't know them.
    """

    uidvalidity: int
    last_uid: int
    mark: str = field(default="", compare=False)
    unread: Mapping[int, bool] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Fetched:
    """One message from the mailbox; ``whole`` is False for a message too large, of which only the head is fetched."""

    raw: bytes
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Unread:
    """A message that the server lists and doesn't hand out, and ``why``; ``tried``: it was asked for by itself."""

    uid: int
    why: str
    tried: bool = True


@dataclass(frozen=True, slots=True)
class Batch:
    """Messages fetched together, and the cursor to store with them.

    ``unread`` are noted, now or again; those ``settled`` were, and are handed out now, or gone. ``renumbered`` says, in
    a word, why the UIDs of before count no more: ``uidvalidity`` or ``uidnext``, ``mark`` for another message under the
    same UID, or ``gone`` where none is left that it would be known by.
    """

    messages: tuple[Fetched, ...]
    cursor: Cursor
    unread: tuple[Unread, ...] = ()
    settled: frozenset[int] = frozenset()
    renumbered: str = ""


class Mailbox(Protocol):
    """The mailbox in which messages arrive; reading never marks, moves or deletes any."""

    @property
    def name(self) -> str:
        """The name under which the cursor is stored: user, host and folder, without the password."""
        ...

    def batches(self, cursor: Cursor | None, since: date | None) -> AsyncIterator[Batch]:
        """Yield the messages after ``cursor``, oldest first, then those that were unread and are to be asked for again.

        Without a cursor, or where the UIDs are no longer those of before, yield all messages that arrived on or after
        ``since``; with ``since`` None one empty batch, whose cursor is the place to start from. At the end, whatever
        the server lists was handed out, or is noted as unread.
        Raise MailboxLost, LoginRefused, or ConfigError for a folder that does not exist.
        """
        ...

    async def wait(self, seconds: float) -> bool:
        """Wait until the server announces a change, at most ``seconds``; return False without an announcement."""
        ...

    async def close(self) -> None:
        """Close the connection; this never raises."""
        ...


@dataclass(frozen=True, slots=True)
class Note:
    """A note about the mailbox, that lies in it: a small email, by its number."""

    uid: int
    raw: bytes


class Notes(Protocol):
    """What lies in a folder of its own beside the mailbox: no email that arrives is among it.

    Each method raises MailboxLost or LoginRefused.
    """

    @property
    def name(self) -> str:
        """The name of the mailbox, without the password."""
        ...

    @property
    def folder(self) -> str:
        """The folder of the notes."""
        ...

    async def read(self) -> list[Note]:
        """Return the notes, the oldest first: all have seen a note before they see a later one."""
        ...

    async def add(self, raw: bytes) -> str:
        """Add a note; return why the server takes none, or an empty text when it has taken it."""
        ...

    async def newest_at(self) -> datetime | None:
        """Return when the server took the newest note, by its own clock; None if it doesn't say."""
        ...

    async def remove(self, uids: Sequence[int]) -> None:
        """Remove notes; those that are gone are no error."""
        ...


class Courier(Protocol):
    """The server that messages are sent through."""

    @property
    def connections(self) -> int:
        """How many messages are sent at once, at most."""
        ...

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Send one message, with ``plain`` as its envelope sender where ``sender`` is refused; return the one it had.

        An empty ``sender`` is the null sender, for a message that wants no answer.
        Raise TransientFailure when a repeat may succeed: ServerFailure when the server fails whoever the message is
        for. Raise OutcomeUnknown when it may have taken the message, also to whoever is cancelled then. Raise
        PermanentFailure when a repeat cannot succeed, and LoginRefused when the server refuses the login.
        """
        ...

    async def close(self) -> None:
        """Close the connection; this never raises."""
        ...


class Caller(Protocol):
    """How programs of others are called."""

    async def __call__(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send JSON to a URL; return the status of the answer. Raise TransientFailure where there is none in time."""
        ...


class Clock(Protocol):
    """The current time."""

    def now(self) -> datetime:
        """Return the time in UTC, as an aware datetime."""
        ...

    def began(self) -> datetime:
        """Return when the monotonic time of this machine began, by this clock: another moment once that is set."""
        ...


class Dice(Protocol):
    """The source of the secrets from which all rolls follow."""

    def secret(self) -> str:
        """Return a new unpredictable secret: 64 hexadecimal digits."""
        ...

    def nonce(self) -> str:
        """Return a text that never comes again: 16 hexadecimal digits."""
        ...


@dataclass(frozen=True, slots=True)
class Problem:
    """What a robot thinks about: the match of a record, in which it is the turn of whoever has the robot.

    ``options`` are complete; an entry is a seat, None for a roll, and a text. All thoughts with the same ``seed`` are
    the same.
    """

    game: str
    seats: int
    options: Mapping[str, bool | int | str]
    entries: tuple[tuple[int | None, str], ...]
    strength: int
    seed: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The ``move`` of a robot in canonical notation, and its ``value``: its share of a win, in thousandths."""

    move: str
    value: int


@dataclass(frozen=True, slots=True)
class Regret:
    """The move after ``ply`` entries that cost its player most, and a ``better`` one, in canonical notation.

    ``value`` and ``best`` are what is left to the player after the one and the other: shares of a win, in thousandths.
    ``line`` are entries that might have followed the better one.
    """

    ply: int
    move: str
    value: int
    better: str
    best: int
    line: tuple[tuple[int | None, str], ...]

    @property
    def loss(self) -> int:
        """What the move cost, in thousandths of a win."""
        return self.best - self.value


@dataclass(frozen=True, slots=True)
class Review:
    """What a robot found about the ``moves`` that ``seat`` made: the one to ``regret``, or None."""

    seat: int
    moves: int
    regret: Regret | None


class Thinker(Protocol):
    """Where robots think: beside everything else, since a move may take them a minute."""

    async def think(self, problem: Problem) -> Answer:
        """Return what a robot plays. Raise ThoughtLost where it comes to no end in time, or fails.

        When this is cancelled, nobody thinks any more.
        """
        ...

    async def review(self, problem: Problem, seat: int, others: Sequence[int] = ()) -> Review:
        """Return what is to be said of the moves of a seat, but for those after ``others`` entries. Raise ThoughtLost.

        Each position is looked at as long as a robot of the problem's strength does.
        """
        ...
