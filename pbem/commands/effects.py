"""The effects of commands: what a decision changes, each a dataclass that `record` writes or `announce` sends. Pure."""

from dataclasses import dataclass
from datetime import datetime

from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match
from pbem.match.plan import Plan
from pbem.match.player import Player
from pbem.match.preferences import PreferenceName
from pbem.match.thought import Thought
from pbem.match.time.calendar import Calendar
from pbem.reading.reason import Reason
from rules.position import Entry, Seat


class Effect:
    """One thing that a decision does."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Append(Effect):
    """One more entry of the record, made at ``at`` (UTC)."""

    entry: Entry
    at: datetime


@dataclass(frozen=True, slots=True)
class AddComment(Effect):
    """Words for others, kept with the match."""

    comment: Comment


@dataclass(frozen=True, slots=True)
class SetSeed(Effect):
    """A player's answer before the first roll: words to mix in, empty for none."""

    seat: Seat
    words: str


@dataclass(frozen=True, slots=True)
class SetPreference(Effect):
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
class Reply(Effect):
    """An email to the sender because they asked for it; ``kind`` is its folder in ``templates/mail``.

    ``details`` are what its templates say beyond any other notice; the kind ``answer`` says nothing else. ``sketches``
    are positions that it shows, and ``thoughts`` what its reader keeps for themselves.
    """

    kind: str
    details: tuple[Reason, ...] = ()
    sketches: tuple[Sketch, ...] = ()
    thoughts: tuple[Thought, ...] = ()


@dataclass(frozen=True, slots=True)
class TellOperator(Effect):
    """``player`` says something to the operator, who is told in which ``match`` it was, and at which ``seat``."""

    player: Player
    text: str
    match: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class AskReview(Effect):
    """Whoever has ``seat`` in ``match``, which is over, is to be told which of their moves cost most."""

    match: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class AddAddress(Effect):
    """``player`` may write from one more address."""

    player: Player
    email: str


@dataclass(frozen=True, slots=True)
class DropAddress(Effect):
    """``player`` may no longer write from an address; the one that notices go to stays theirs."""

    player: Player
    email: str


@dataclass(frozen=True, slots=True)
class Rename(Effect):
    """``player`` is called ``name`` from now on, if nobody else is."""

    player: Player
    name: str


@dataclass(frozen=True, slots=True)
class ClaimAddress(Effect):
    """``player`` says that ``email`` is theirs: its reader is asked, and after a yes the player once more."""

    player: Player
    email: str


@dataclass(frozen=True, slots=True)
class Export(Effect):
    """``player`` is sent a copy of all that is kept of them, to their main address."""

    player: Player


@dataclass(frozen=True, slots=True)
class RevokeTokens(Effect):
    """None of the reply tokens counts any more that ``player`` has had so far."""

    player: Player


@dataclass(frozen=True, slots=True)
class Requeue(Effect):
    """The inbound message of that ``number`` is processed anew."""

    number: int


@dataclass(frozen=True, slots=True)
class Disown(Effect):
    """The inbound message of that ``number`` ends as one that its player did not write; ``reason`` says who says so."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Withdraw(Effect):
    """The inbound message of that ``number`` is held, and will not be carried out."""

    number: int


@dataclass(frozen=True, slots=True)
class ProposeMove(Effect):
    """``seat`` proposes a ``move`` to its partners, in the position after ``ply`` entries.

    ``by`` is who does it, where the seat votes on its moves.
    """

    seat: Seat
    move: str
    ply: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Forget(Effect):
    """All that says who ``player`` is will be erased, as soon as what is due is done."""

    player: Player


@dataclass(frozen=True, slots=True)
class AddLog(Effect):
    """Something that happened to the match beside its entries, and is told to whom it concerns."""

    entry: LogEntry


@dataclass(frozen=True, slots=True)
class SetCalendar(Effect):
    """The calendar of ``player`` from now on: their zone, absences, reminders and quiet hours."""

    player: Player
    calendar: Calendar


@dataclass(frozen=True, slots=True)
class SeatPlayer(Effect):
    """``player`` has ``seat`` from now on, and not the one who had it."""

    seat: Seat
    player: Player


@dataclass(frozen=True, slots=True)
class SetPlan(Effect):
    """The plan of ``seat`` from now on; None: none any more."""

    seat: Seat
    plan: Plan | None


@dataclass(frozen=True, slots=True)
class KeepThought(Effect):
    """A line of moves, or a note, about a ``match`` that ``player`` keeps; a published one stands under its move."""

    match: int
    player: Player
    thought: Thought


@dataclass(frozen=True, slots=True)
class TakeOffThoughts(Effect):
    """Nothing of ``player``, None: of anybody, is published any more under a move of a match, None: under any."""

    match: int
    ply: int | None
    player: Player | None


@dataclass(frozen=True, slots=True)
class CloseThoughts(Effect):
    """``player`` wants nothing under the moves of a match of theirs from now on, or lets it stand there again."""

    match: int
    player: Player
    closed: bool


@dataclass(frozen=True, slots=True)
class PublishThoughts(Effect):
    """The page of the match shows what ``player`` keeps, from now on; or not any more."""

    player: Player
    published: bool


@dataclass(frozen=True, slots=True)
class Tell(Effect):
    """A sentence for ``seat`` alone, in the notice that it gets of the decision."""

    seat: Seat
    reason: Reason
