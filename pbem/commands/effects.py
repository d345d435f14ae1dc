"""The effects of commands: what a decision changes, each a dataclass that `record` writes or `announce` sends. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from pbem.match.calendar import Calendar
from pbem.match.invitation import Invitation
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match
from pbem.match.plan import Plan
from pbem.match.player import Player
from pbem.match.preferences import PreferenceName
from pbem.match.thought import Thought
from pbem.reading.reason import Reason
from rules.position import Entry, Seat

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
class Sketch:
    """A position that is only shown, below its ``title``: ``match`` as it was or would be, and as it was ``before``.

    What happened between the two is told; nothing where they are the same. ``suggests``: what could be played then is
    told, too. ``past``: whose turn it was isn't, since nobody can play there any more. Neither match has its secret.
    """

    title: Reason
    match: Match
    before: Match
    suggests: bool = False
    past: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """An email to the sender because they asked for it; ``kind`` is its folder in ``templates/mail``.

    ``details`` are what its templates say beyond any other notice; the kind ``answer`` says nothing else. ``sketches``
    are positions that it shows, and ``thoughts`` what its reader keeps for themselves.
    """

    kind: str
    details: tuple[Reason, ...] = ()
    sketches: tuple[Sketch, ...] = ()
    thoughts: tuple[Thought, ...] = ()


@dataclass(frozen=True, slots=True)
class AskReview:
    """Whoever has ``seat`` in ``match``, which is over, is to be told which of their moves cost most."""

    match: int
    seat: Seat


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
class OfferSeats:
    """Several seats are offered to one person, who is asked once."""

    offers: tuple[OfferSeat, ...]


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
class EndOffer:
    """The offer of a seat with that ``number`` ends: its player has the seat again, or keeps it."""

    number: int


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
class Withdraw:
    """The inbound message of that ``number`` is held, and will not be carried out."""

    number: int


@dataclass(frozen=True, slots=True)
class ProposeMove:
    """``seat`` proposes a ``move`` to its partners, in the position after ``ply`` entries."""

    seat: Seat
    move: str
    ply: int


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


@dataclass(frozen=True, slots=True)
class Wish:
    """What the sender asked for about starting matches; ``command`` is granted or refused by the pipeline."""

    command: object


@dataclass(frozen=True, slots=True)
class AskWish:
    """The reader of ``email`` is asked whether ``wish`` is theirs, a command in its canonical form.

    ``name`` is what a stranger will be called, if they say yes; None where the address is a player's already. ``mark``
    stands for the mailbox of a stranger.
    """

    email: str
    wish: str
    name: str | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class CloseWish:
    """What somebody was asked because of the inbound message of that number can be answered no longer."""

    number: int


@dataclass(frozen=True, slots=True)
class Enrol:
    """The reader of ``email``, who has said so, is a player from now on; then their ``wish`` is looked at.

    ``mark`` stands for the mailbox.
    """

    email: str
    name: str
    wish: str
    mark: str


@dataclass(frozen=True, slots=True)
class KeepOff:
    """Whoever reads the mailbox of a ``mark``, no player, has said no: they are written to no more."""

    mark: str


@dataclass(frozen=True, slots=True)
class SetInvitation:
    """An invitation is ``after`` what it was ``before``, None for a new one; ``player`` caused it, None: nobody.

    ``marks`` stand for the mailboxes of strangers who are written to.
    """

    before: Invitation | None
    after: Invitation
    player: int | None = None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefuseInvitations:
    """No invitation from ``marks`` reaches ``player`` from now on, or any does again; they stand for one person."""

    player: Player
    marks: tuple[str, ...]
    refused: bool


@dataclass(frozen=True, slots=True)
class TellStarting:
    """``player`` is told what came of what they asked for: a sentence for each, and lists that they asked for.

    ``seats``: it is about seats that they have, and not about starting matches.
    """

    player: Player
    told: tuple[Reason, ...] = ()
    offers: bool = False
    helps: bool = False
    seats: bool = False


@dataclass(frozen=True, slots=True)
class SetPlan:
    """The plan of ``seat`` from now on; None: none any more."""

    seat: Seat
    plan: Plan | None


@dataclass(frozen=True, slots=True)
class KeepThought:
    """A line of moves, or a note, that ``player`` keeps for themselves."""

    player: Player
    thought: Thought


@dataclass(frozen=True, slots=True)
class PublishThoughts:
    """The page of the match shows what ``player`` keeps, from now on; or not any more."""

    player: Player
    published: bool


@dataclass(frozen=True, slots=True)
class Tell:
    """A sentence for ``seat`` alone, in the notice that it gets of the decision."""

    seat: Seat
    reason: Reason


Effect: TypeAlias = (
    Append
    | AskReview
    | SetPlan
    | Tell
    | KeepThought
    | PublishThoughts
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
    | OfferSeats
    | AgreeSeat
    | AnswerSeat
    | EndStandIn
    | EndOffer
    | ClaimAddress
    | Export
    | RevokeTokens
    | Requeue
    | Disown
    | Withdraw
    | ProposeMove
    | AskAddress
    | CloseQuestion
    | Forget
    | AskFollower
    | Follow
    | Unfollow
    | TellUnfollowed
    | Wish
    | AskWish
    | CloseWish
    | Enrol
    | KeepOff
    | SetInvitation
    | RefuseInvitations
    | TellStarting
)
