"""Effects of asking somebody, and of their answer: addresses, followers, matches to be, offered seats. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pbem.clubs.contest import Contest, ContestEvent
from pbem.commands.effects import Effect
from pbem.match.invitation import Invitation
from pbem.match.player import Player
from pbem.match.question import Question, QuestionState
from pbem.reading.reason import Reason
from rules.game import Game
from rules.position import Seat


@dataclass(frozen=True, slots=True)
class Ask(Effect):
    """The reader of an email is asked a question."""

    question: Question


@dataclass(frozen=True, slots=True)
class AskForWhom(Effect):
    """The sender is asked for whom ``lines`` are, which may be for their side alone: nobody reads them so far.

    ``operator``: they may be for the operator.
    """

    lines: tuple[str, ...]
    operator: bool = False


@dataclass(frozen=True, slots=True)
class ShowAgain(Effect):
    """``player`` is sent the board of a match of theirs, which they name in an email that answers none of ours."""

    player: Player
    match: int


@dataclass(frozen=True, slots=True)
class Settle(Effect):
    """The questions of these ``numbers`` are answered, or can be no more."""

    numbers: tuple[int, ...]
    state: QuestionState


@dataclass(frozen=True, slots=True)
class OfferSeat(Effect):
    """The player at ``by`` wants ``who``, a name or an address, to have ``seat``; ``until`` a time, None: for good."""

    match: int
    seat: Seat
    by: Seat
    who: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class OfferSeats(Effect):
    """Several seats are offered to one person, who is asked once."""

    offers: tuple[OfferSeat, ...]


@dataclass(frozen=True, slots=True)
class AgreeSeat(Effect):
    """The player at ``seat`` agrees to the offer of a seat with that ``number``."""

    number: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class AnswerSeats(Effect):
    """Whoever was offered seats takes them, or does not: the number of each offer, and whether it is accepted."""

    answers: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class EndStandIn(Effect):
    """The player at ``seat`` no longer stands in there, or no longer wants anybody to."""

    match: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class EndOffer(Effect):
    """The offer of a seat with that ``number`` ends: its player has the seat again, or keeps it."""

    number: int


@dataclass(frozen=True, slots=True)
class AskSecond(Effect):
    """The player at ``seat`` wants ``who``, a name or an address, to vote on their moves."""

    match: int
    seat: Seat
    who: str


@dataclass(frozen=True, slots=True)
class StopAsking(Effect):
    """The player at ``seat`` no longer wants ``who`` to vote on their moves, whom they named so; "" for anybody."""

    match: int
    seat: Seat
    who: str


@dataclass(frozen=True, slots=True)
class JoinSecond(Effect):
    """The reader of ``email``, a player by now, is a second of ``seat`` from now on."""

    match: int
    seat: Seat
    email: str


@dataclass(frozen=True, slots=True)
class LeaveSecond(Effect):
    """``player`` is a second of ``seat`` no longer; ``dismissed``: its player wants that."""

    match: int
    seat: Seat
    player: Player
    dismissed: bool


@dataclass(frozen=True, slots=True)
class CastVote(Effect):
    """``player`` votes for ``moves`` of ``seat`` in a turn."""

    match: int
    turn: int
    seat: Seat
    player: Player
    moves: str


@dataclass(frozen=True, slots=True)
class EndVote(Effect):
    """The votes on the move of ``seat`` led to none: its player decides alone."""

    match: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class AnswerSecond(Effect):
    """A second is told what came of their answer to the question of that ``number``; without words, the board again."""

    number: int
    player: Player
    told: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Follow(Effect):
    """``email`` follows the match of that number from now on, as its reader has confirmed."""

    match: int
    email: str


@dataclass(frozen=True, slots=True)
class Unfollow(Effect):
    """``email`` no longer follows a match, None: any match."""

    match: int | None
    email: str


@dataclass(frozen=True, slots=True)
class TellUnfollowed(Effect):
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
class Wish(Effect):
    """What the sender asked for about starting matches; ``command`` is granted or refused by the pipeline."""

    command: object


@dataclass(frozen=True, slots=True)
class Enrol(Effect):
    """The reader of ``email``, who has said so, is a player from now on; then their ``wishes`` are looked at.

    ``words`` stand beside their yes.
    """

    email: str
    name: str
    wishes: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class NoteApproach(Effect):
    """Whoever reads the mailbox of a ``mark``, no player, is written to, or has answered so: after no, never again."""

    mark: str
    answer: Literal["", "yes", "no"] = ""


@dataclass(frozen=True, slots=True)
class SetInvitation(Effect):
    """An invitation is ``after`` what it was ``before``, None for a new one; ``player`` caused it, None: nobody.

    ``marks`` stand for the mailboxes of strangers who are written to.
    """

    before: Invitation | None
    after: Invitation
    player: int | None = None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefuseInvitations(Effect):
    """No invitation from ``marks`` reaches ``player`` from now on, or any does again; they stand for one person."""

    player: Player
    marks: tuple[str, ...]
    refused: bool


@dataclass(frozen=True, slots=True)
class NoteContest(Effect):
    """Something has happened in a contest, whose ``id`` is 0 where it begins by that.

    ``invitation`` leads to a match of it that follows from that.
    """

    contest: Contest
    event: ContestEvent
    invitation: int = 0


@dataclass(frozen=True, slots=True)
class TellStarting(Effect):
    """``player`` is told what came of what they asked for: a sentence for each, and lists that they asked for.

    ``seats``: it is about seats that they have, and not about starting matches; so are ``ladders``, by their names.
    """

    player: Player
    told: tuple[Reason, ...] = ()
    offers: bool = False
    helps: bool = False
    games: bool = False
    seats: bool = False
    ladders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeLeague(Effect):
    """``player`` enters a league, or leaves it; ``name`` is its name, and whoever is the first to enter opens it.

    ``seats`` are those of a match of ``game``.
    """

    player: Player
    kind: Literal["entered", "left"]
    name: str
    game: Game
    seats: int


@dataclass(frozen=True, slots=True)
class TellLeagues(Effect):
    """``player`` is sent the tables of the leagues that they play in, and told which others there are."""

    player: Player
