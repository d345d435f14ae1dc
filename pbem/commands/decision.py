"""What every command family is made of: commands, the situation they are judged in, and the decision. Pure."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol, Self

from pbem.clubs.contest import ContestMatch
from pbem.commands.asking_effects import AskSecond, EndStandIn, OfferSeat
from pbem.commands.effects import (
    AddComment,
    AddLog,
    Append,
    DropAddress,
    Effect,
    ProposeMove,
    PublishThoughts,
    Rename,
    Reply,
    RevokeTokens,
    SetCalendar,
    SetPreference,
    SetSeed,
    Tell,
    Withdraw,
)
from pbem.commands.for_partners import Recipient
from pbem.match.agreements import Agreement
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.match.privacy import is_private
from pbem.match.thought import Thought
from pbem.match.time.calendar import Calendar
from pbem.reading.reason import Reason, because
from rules.phrase import Argument
from rules.position import EXIT_WORDS, Seat

Scope = Literal["match", "player", "anybody"]
Topic = Literal["match", "ahead", "agreeing", "time", "you", "matches"]
"""What commands are about, in the order in which ``help commands`` lists them."""
"""What a command needs: the match that its message answers, a known player, or neither."""

MOST_ASIDES = 5
"""Asides beside what a message did: more of them mend nothing."""

_LASTING = frozenset({"given", "paused", "pause_ended", "draw_offered", "draw_agreed", "undo_asked", "rewound"})
"""What happens to a match for good; a friend of somebody who forges an offer could take it up at once."""

SIGNED = "signature_left_out"
"""The code of the aside that names a signature: it comes with an email that is sent anyway, and causes none."""

HIDDEN = "…"
"""What stands for private words where the operator reads."""


class Command(Protocol):
    """One thing that a line asks for: a frozen dataclass of its family.

    ``str`` of it is what the operator reads: its canonical form where it has one, private words hidden.
    """


class Spelled:
    """A command that is spelled as it ``says``, its own fields filled in: ``join {it.number}``."""

    __slots__ = ()
    says: ClassVar[str]

    def __str__(self) -> str:
        return self.says.format(it=self).strip()


@dataclass(frozen=True, slots=True)
class Step:
    """One command that is carried out: its canonical form, empty where it has none, and its effects."""

    done: str
    effects: tuple[Effect, ...] = ()


def is_unsubscribing(step: Step) -> bool:
    """Return whether a step ends all email to its sender."""
    return any(
        isinstance(effect, SetPreference) and (effect.name, effect.value) == ("muted", True) for effect in step.effects
    )


def needs_present_mail(step: Step, *, of_status: bool = False) -> bool:
    """Return whether a step is carried out only in answer to the present email of a match, or to a question about it.

    That is what cannot be taken back: giving a match up, revoking reply tokens, giving time away, agreeing on a pause
    or on its end, offering what others may take up at once, publishing what was private, coming back, another name,
    giving an address up, and who has a seat. ``of_status``: it answers the present status, where coming back needs no
    more.
    """
    return any(_is_lasting(one) and not (of_status and isinstance(one, SetCalendar)) for one in step.effects)


def _is_lasting(effect: Effect) -> bool:
    """Return whether what an effect does cannot be taken back by whoever caused it."""
    match effect:
        case Append(entry):
            return entry.text in EXIT_WORDS
        case AddLog(entry):
            return entry.kind in _LASTING
        case SetCalendar(player, calendar):
            return _away_until(calendar) < _away_until(player.calendar)
        case _:
            lasting = RevokeTokens | Withdraw | ProposeMove | Rename | DropAddress | OfferSeat | EndStandIn | AskSecond
            return isinstance(effect, lasting) or (isinstance(effect, PublishThoughts) and effect.published)


def _away_until(calendar: Calendar) -> datetime:
    """Return when the last absence of a calendar ends; long ago for one without any."""
    return max((one.end for one in calendar.absences), default=datetime.min.replace(tzinfo=UTC))


def _is_private(step: Step) -> bool:
    """Return whether a step holds words for one side alone."""
    return any(
        isinstance(effect, ProposeMove) or (isinstance(effect, AddComment) and is_private(effect.comment))
        for effect in step.effects
    )


@dataclass(frozen=True)
class Decision:
    """What is to be recorded and announced: steps with typed effects, and ``asides`` for whoever caused them.

    ``noted`` is what is kept with the message for the operator instead of these.
    """

    steps: tuple[Step, ...] = ()
    asides: tuple[Reason, ...] = ()
    noted: str = field(default="", kw_only=True)

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """Everything that is to be done, in order."""
        return tuple(effect for step in self.steps for effect in step.effects)

    @property
    def done(self) -> tuple[str, ...]:
        """The commands carried out, in canonical form, private words included."""
        return tuple(step.done for step in self.steps if step.done)

    @property
    def shown(self) -> tuple[str, ...]:
        """The same for the operator and JSON, private words hidden: a host may play too, and a pipe may log this."""
        return tuple(f"team: {HIDDEN}" if _is_private(step) else step.done for step in self.steps if step.done)

    @property
    def left_undone(self) -> bool:
        """Whether something in the message was neither carried out nor passed on, but for a signature."""
        return any(aside.code != SIGNED for aside in self.asides)

    @property
    def unsubscribes(self) -> bool:
        """Whether its sender wants no more email."""
        return any(map(is_unsubscribing, self.steps))

    @cached_property
    def replies(self) -> tuple[Reply, ...]:
        """The emails that the sender asked for: one of a kind, with everything that it was asked for."""
        found: dict[str, Reply] = {}
        for effect in self.effects:
            if isinstance(effect, Reply):
                known = found.get(effect.kind, Reply(effect.kind))
                details = tuple(dict.fromkeys((*known.details, *effect.details)))
                sketches, thoughts = (*known.sketches, *effect.sketches), known.thoughts or effect.thoughts
                found[effect.kind] = Reply(effect.kind, details, sketches, thoughts)
        return tuple(found[kind] for kind in sorted(found))

    @property
    def comments(self) -> tuple[Comment, ...]:
        """The words for others."""
        return tuple(effect.comment for effect in self.effects if isinstance(effect, AddComment))


@dataclass(frozen=True)
class Situation(Decision):
    """A decision in the making, of a message from ``player``; None for a stranger."""

    player: Player | None = None

    def carried(self, done: str, *effects: Effect, **changes: Any) -> Self:
        """Return the situation after one more step, with ``changes`` to its other fields."""
        return replace(self, steps=(*self.steps, Step(done, effects)), **changes)

    def answered(self, done: str, code: str, *effects: Effect, **arguments: Argument) -> Self:
        """Return the situation after one more step, of which an email of its own tells the sender."""
        return self.carried(done, *effects, Reply("answer", (because(code, **arguments),)))

    def told(self, code: str, **arguments: Argument) -> Self:
        """Return the situation with one more aside for the sender, each once, and at most ``MOST_ASIDES``."""
        aside = because(code, **arguments) if len(self.asides) < MOST_ASIDES - 1 else because("more_left_out")
        return self if aside in self.asides else replace(self, asides=(*self.asides, aside))


@dataclass(frozen=True)
class MatchSituation(Situation):
    """A message about a match while it is judged; ``match`` is as its commands so far have left it.

    ``known`` is the match as the sender knows it: after their last step, or before it if a roll or somebody else comes
    next. Further lines are read as moves in it. ``moves`` are canonical. ``words`` are lines below the last move that
    are no command, the first of them on its line where ``beside``; ``above`` are those above it. ``unclear``: for whom
    some of them nearly say that they are. ``speaking``: the last ``say:`` or ``team:`` line was taken, and a
    wrapped line continues it. ``allowance``: days of vacation in a year. ``clocked``: a match of the sender has a
    clock. ``stale``: the message answers an email that shows an earlier position; ``is_present``: it answers the newest
    one. ``thoughts`` are what the sender keeps for themselves. ``lent`` are the seats in which somebody only stands in.
    ``first_agreements`` are those that were made before the message. ``held`` is the number of a message with a move of
    the sender that they can still take back. ``archived``: the host has an archive with a page of the match.
    ``acquainted`` are names, as the message has them, of people whom the sender knows from elsewhere. ``talks``: words
    count by themselves, as they do after the end of a match.
    """

    match: Match = field(kw_only=True)
    seat: Seat = field(kw_only=True)
    known: Match = field(kw_only=True)
    moves: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    beside: bool = False
    unclear: frozenset[Recipient] = frozenset()
    speaking: bool = False
    allowance: int = 30
    clocked: bool = True
    stale: bool = False
    is_present: bool = True
    thoughts: tuple[Thought, ...] = ()
    lent: frozenset[Seat] = frozenset()
    first_agreements: tuple[Agreement, ...] = ()
    held: int | None = None
    archived: bool = True
    acquainted: frozenset[str] = frozenset()
    talks: bool = False

    @property
    def said(self) -> tuple[str, ...]:
        """All lines that are no command, but for greetings above one."""
        return (*self.above, *self.words)

    @property
    def tells(self) -> bool:
        """Whether the others hear of what the message does so far: they read its other words beside that."""
        news = any(isinstance(effect, AddLog) for effect in self.effects)
        return bool(self.moves or self.resigned or self.seeded or self.offers or news or self.talks)

    @property
    def resigned(self) -> bool:
        """Whether the message gives the match up."""
        return any(isinstance(effect, Append) and effect.entry.text == "resign" for effect in self.effects)

    @property
    def offers(self) -> bool:
        """Whether the message offers something to everybody, or answers such an offer."""
        return self.match.agreements != self.first_agreements

    @property
    def seeded(self) -> bool:
        """Whether the message holds an answer before the first roll."""
        return any(isinstance(effect, SetSeed) for effect in self.effects)


@dataclass(frozen=True)
class MatchDecision(Decision):
    """A decision about a match: as it was ``before``, and as it is ``after``.

    ``seat`` is whose message caused it; None where nobody's did: an opening, or rolls that came due. ``opening``: the
    match is new to everybody. ``receipted``: whoever moved has had a receipt when the move was held. ``introduced`` are
    the seats of those who know the game by another match, and ``contest`` is what a new match is in one.
    """

    before: Match = field(kw_only=True)
    after: Match = field(kw_only=True)
    seat: Seat | None = None
    opening: bool = False
    receipted: bool = False
    introduced: frozenset[Seat] = frozenset()
    contest: ContestMatch | None = None

    @property
    def appended(self) -> tuple[Append, ...]:
        """The new entries of the record."""
        return tuple(effect for effect in self.effects if isinstance(effect, Append))

    @property
    def proposed(self) -> ProposeMove | None:
        """The move proposed to partners, in the position as it is now; the last of several."""
        found = [effect for effect in self.effects if isinstance(effect, ProposeMove)]
        return found[-1] if found and found[-1].ply == self.after.ply else None

    def proposed_to(self, seat: Seat) -> bool:
        """Return whether a move is proposed to a seat: by a partner, or by a second of its own."""
        found = self.proposed
        if found is None:
            return False
        return seat in self.after.partners(found.seat) or (bool(found.by) and found.seat == seat != self.seat)

    @property
    def seeded(self) -> bool:
        """Whether a player seed has changed."""
        return self.after.seeds != self.before.seeds

    def told_to(self, seat: Seat) -> tuple[Reason, ...]:
        """Return what is said to ``seat`` alone."""
        return tuple(effect.reason for effect in self.effects if isinstance(effect, Tell) and effect.seat == seat)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """What else happened to the match."""
        return tuple(effect.entry for effect in self.effects if isinstance(effect, AddLog))

    @property
    def ends_match(self) -> bool:
        """Whether the match is over afterwards, and was not before."""
        return self.before.outcome is None and self.after.outcome is not None

    @property
    def changes_match(self) -> bool:
        """Whether the match itself is another one afterwards."""
        timed = self.after.clock is not self.before.clock or self.after.ruling != self.before.ruling
        return bool(self.appended or self.comments or self.seeded or timed or self.log)

    @property
    def addressed(self) -> Match:
        """The match as its notices are written: with the preferences and tokens that its players have from now on."""
        match = self.after
        for effect in self.effects:
            if not isinstance(effect, SetPreference | SetCalendar | Rename | RevokeTokens):
                continue
            seated = match.players[match.seat_of(effect.player)]
            match effect:
                case SetPreference(_, name, value):
                    seated = seated.preferring(seated.preferences.changed(name, value))
                case SetCalendar(_, calendar):
                    seated = replace(seated, calendar=calendar)
                case Rename(_, name):
                    seated = replace(seated, name=name)
                case RevokeTokens():
                    seated = replace(seated, generation=seated.generation + 1)
            match = match.with_player(seated)
        return match


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word that is a command by itself, alone on its line.

    ``consequential``: it changes more than what its sender sees, so a question mark, or a sentence that it may end,
    keeps it from counting.
    """

    word: str
    command: Command
    consequential: bool = False


@dataclass(frozen=True, slots=True)
class HelpRow:
    """One row of what help lists: an ``example`` that is a command; notices have the sentence that explains it.

    ``applies`` returns whether the row is for the seat in its match. A ``basic`` row stands below the rules, too, for
    somebody who plays for the first time; the others in the answer to ``help commands`` alone. ``archived``: it is
    for hosts with an archive.
    """

    example: str
    applies: Callable[[Match, Seat], bool] = lambda match, seat: True
    basic: bool = False
    archived: bool = False


def parse_nothing(piece: str) -> Command | None:
    """Return None, as a family does whose commands are all keywords, or fill a line of their own."""
    return None


@dataclass(frozen=True, slots=True)
class Family:
    """Commands that belong together: how they are read, what they do, and how people are told of them.

    ``apply`` carries a command of ``types`` out on a situation and raises a Rejection. ``parse`` returns the command
    that a piece of a line is, or None. ``scope`` is what the commands need; with ``player`` or ``anybody`` they also
    count outside every match. ``topic`` is the heading under which ``help commands`` lists them.
    """

    name: str
    types: tuple[type, ...]
    apply: Callable[[Any, Any, datetime], Any]
    help: tuple[HelpRow, ...]
    keywords: tuple[Keyword, ...] = ()
    parse: Callable[[str], Command | None] = parse_nothing
    scope: Scope = "match"
    topic: Topic = "match"
