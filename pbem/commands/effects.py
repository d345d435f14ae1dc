"""The effects of commands: what a decision changes, each a dataclass that `record` writes or `announce` sends. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from pbem.commands.reason import Reason
from pbem.match import Calendar, Comment, LogEntry, Player, PreferenceName
from rules import Entry, Seat

DECLINED = "declined"
"""How the key of a question ends to which its address has said no, and the reason of messages from there."""

_OPEN = "open"


@dataclass(frozen=True, slots=True)
class Append:
    """One more entry of the record, made at ``at`` (UTC)."""

    entry: Entry
    at: datetime


@dataclass(frozen=True, slots=True)
class AddComment:
    """Words for others, kept with the match."""

    comment: Comment


@dataclass(frozen=True, slots=True)
class SetSeed:
    """A player's answer before the first roll: words to mix in, empty for none."""

    seat: Seat
    words: str


@dataclass(frozen=True, slots=True)
class SetPreference:
    """A preference of ``player`` from now on; ``name`` is a field of ``Preferences``."""

    player: Player
    name: PreferenceName
    value: str | bool


@dataclass(frozen=True, slots=True)
class Reply:
    """An email to the sender because they asked for it; ``kind`` is its folder in ``templates/mail``.

    ``details`` are what its templates say beyond any other notice; the kind ``answer`` says nothing else.
    """

    kind: str
    details: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class AddAddress:
    """``player`` may write from one more address."""

    player: Player
    email: str


@dataclass(frozen=True, slots=True)
class DropAddress:
    """``player`` may no longer write from an address; the one that notices go to stays theirs."""

    player: Player
    email: str


@dataclass(frozen=True, slots=True)
class Rename:
    """``player`` is called ``name`` from now on, if nobody else is."""

    player: Player
    name: str


@dataclass(frozen=True, slots=True)
class ClaimAddress:
    """``player`` says that ``email`` is theirs: its reader is asked, and after a yes the player once more."""

    player: Player
    email: str


@dataclass(frozen=True, slots=True)
class Export:
    """``player`` is sent a copy of all that is kept of them, to their main address."""

    player: Player


@dataclass(frozen=True, slots=True)
class OfferSeat:
    """The player at ``by`` wants ``who``, a name or an address, to have ``seat``; ``until`` a time, None: for good."""

    match: int
    seat: Seat
    by: Seat
    who: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class AgreeSeat:
    """The player at ``seat`` agrees to the offer of a seat with that ``number``."""

    number: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class AnswerSeat:
    """Whoever was offered a seat takes it, or does not; ``number`` is that of the offer."""

    number: int
    accepted: bool


@dataclass(frozen=True, slots=True)
class EndStandIn:
    """The player at ``seat`` no longer stands in there, or no longer wants anybody to."""

    match: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class RevokeTokens:
    """None of the reply tokens counts any more that ``player`` has had so far."""

    player: Player


@dataclass(frozen=True, slots=True)
class Requeue:
    """The inbound message of that ``number`` is processed anew."""

    number: int


@dataclass(frozen=True, slots=True)
class Disown:
    """The inbound message of that ``number`` ends as one that its player did not write; ``reason`` says who says so."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class AskAddress:
    """The reader of ``email`` is asked whether it is ``player``'s; the message ``held`` came from there."""

    player: Player
    email: str
    held: int

    @property
    def key(self) -> str:
        """What the question is found by while it can be answered with yes."""
        return f"{questions_about(self.player)}{_OPEN} {self.held}"


@dataclass(frozen=True, slots=True)
class CloseQuestion:
    """What ``email`` was asked about ``player`` is open no longer; ``declined``: the answer was no."""

    player: Player
    email: str
    declined: bool

    @property
    def closes(self) -> str:
        """How the keys of the questions begin that are closed: after a no all about the player, else the open ones."""
        return questions_about(self.player) + ("" if self.declined else _OPEN)

    @property
    def key(self) -> str:
        """What they are found by from now on."""
        return questions_about(self.player) + (DECLINED if self.declined else "withdrawn")


def questions_about(player: Player) -> str:
    """Return how the keys of all questions to addresses about ``player`` begin."""
    return f"address {player.id} "


@dataclass(frozen=True, slots=True)
class Forget:
    """All that says who ``player`` is will be erased, as soon as what is due is done."""

    player: Player


@dataclass(frozen=True, slots=True)
class AskFollower:
    """The reader of ``email`` is asked whether they want to follow the match of that number."""

    match: int
    email: str


@dataclass(frozen=True, slots=True)
class Follow:
    """``email`` follows the match of that number from now on, as its reader has confirmed."""

    match: int
    email: str


@dataclass(frozen=True, slots=True)
class Unfollow:
    """``email`` no longer follows a match, None: any match. ``refused``: nor is it asked again whether it wants to."""

    match: int | None
    email: str
    refused: bool = False


@dataclass(frozen=True, slots=True)
class TellUnfollowed:
    """The reader of ``email`` is told that they no longer follow a match, None: any match.

    ``erasing``: they want more than that, to be forgotten, which is for the operator to do.
    """

    match: int | None
    email: str
    erasing: bool = False

    @property
    def code(self) -> str:
        """The code by which the template knows what to say."""
        if self.erasing:
            return "ended_to_erase"
        return "ended_all" if self.match is None else "ended"


@dataclass(frozen=True, slots=True)
class AddLog:
    """Something that happened to the match beside its entries, and is told to whom it concerns."""

    entry: LogEntry


@dataclass(frozen=True, slots=True)
class SetCalendar:
    """The calendar of ``player`` from now on: their zone, absences, reminders and quiet hours."""

    player: Player
    calendar: Calendar


@dataclass(frozen=True, slots=True)
class SeatPlayer:
    """``player`` has ``seat`` from now on, and not the one who had it."""

    seat: Seat
    player: Player


Effect: TypeAlias = (
    Append
    | AddLog
    | SeatPlayer
    | SetCalendar
    | AddComment
    | SetSeed
    | SetPreference
    | Reply
    | AddAddress
    | DropAddress
    | Rename
    | OfferSeat
    | AgreeSeat
    | AnswerSeat
    | EndStandIn
    | ClaimAddress
    | Export
    | RevokeTokens
    | Requeue
    | Disown
    | AskAddress
    | CloseQuestion
    | Forget
    | AskFollower
    | Follow
    | Unfollow
    | TellUnfollowed
)
