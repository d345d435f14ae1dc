"""Effects of asking somebody, and of their answer: addresses, followers, matches to be, offered seats. Pure."""

from dataclasses import dataclass
from datetime import datetime

from pbem.match.invitation import Invitation
from pbem.match.player import Player
from pbem.reading.reason import Reason
from rules.position import Seat

DECLINED = "declined"
"""How the key of a question ends to which its address has said no, and the reason of messages from there."""


_OPEN = "open"


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
