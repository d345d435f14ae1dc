"""The time line of a notice: what is left, until when, and what happens then; as one player reads it. Pure."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from functools import partial

from pbem.match.log import LogKind
from pbem.match.match import Match
from pbem.match.time.calendar import Absence
from pbem.match.time.clock import UNREACHABLE, Clock
from pbem.match.time.time_control import TimeControl
from pbem.match.timing import calendar_of, deadline_of, side_of, time_left
from pbem.notices.sentences.consequences import by_reader, name_all, opponents, say_consequence
from pbem.notices.sentences.moments import (
    ends_a_day,
    last_day,
    say_day,
    say_length,
    say_moment,
    say_span,
    say_until,
    type_day,
)
from pbem.notices.sentences.reasons import say
from pbem.reading.reason import because
from rules.phrase import ENGLISH, Argument, Language, Phrase, phrase
from rules.position import Seat

_RESTARTS: frozenset[LogKind] = frozenset(("given", "extended"))
"""What gives whoever is to act more time: it runs from the email that tells of it."""

_WORTH_TELLING = timedelta(hours=1)
"""An outage, or any other time that does not count, is told from this length on."""


def describe_time(
    match: Match,
    viewer: Seat,
    at: datetime | None = None,
    language: Language = ENGLISH,
    told: Collection[LogKind] = (),
    briefly: bool = False,
) -> list[str]:
    """Return the time left for whoever is to act, and what happens then; nothing in a match without a clock.

    ``at`` is when the reader is told; None: when the turn began. ``told`` is what the notice says already.
    ``briefly``: only until when.
    """
    clock = match.clock
    if clock is None or match.outcome is not None:
        return []
    at = at or clock.turned_at or match.changed_at
    sentences = [*_tell_turn(match, clock, viewer, at, told, briefly), *_tell_outages(match, clock, viewer, at)]
    if not {"pause_proposed", "pause_end_proposed"} & set(told):
        sentences += _tell_proposal(match, clock, viewer, at)
    calendar = match.players[viewer].calendar
    offered = calendar.away
    if offered and offered.last >= at.astimezone(calendar.tzinfo).date():
        away = because("away_offer", first=offered.first.isoformat(), last=offered.last.isoformat())
        return [*(sentence.said(language) for sentence in sentences), say(away, language, calendar, at)]
    return [sentence.said(language) for sentence in sentences]


def _tell_turn(
    match: Match, clock: Clock, viewer: Seat, at: datetime, told: Collection[LogKind], briefly: bool
) -> Iterator[Phrase]:
    """Yield how the time of whoever is to act stands."""
    seat, paused = clock.seat, clock.is_paused(at)
    if seat is None or paused or clock.halted != "flagged":
        yield from _tell_pause(clock, match, viewer, at, told)
    if seat is None or (paused and clock.halted == "flagged"):  # nobody can claim in a pause
        return
    if match.players[seat].robot:
        yield phrase("{name} moves by itself, usually within minutes.", name=match.name(seat))
        return
    if clock.halted == "flagged":
        yield from _tell_flag(match, clock, seat, viewer, told)
    elif clock.halted == "bounced":
        yield from _tell_bounce(match, clock, seat, viewer, at, told)
    else:
        absence = None if paused else calendar_of(match).absent_at(at)
        if absence and "absent" not in told and "automatic_day" not in told:
            yield _say_absence(match, seat, viewer, absence, at, spent=clock.bank == 0)
        if viewer != seat and clock.waits_for_email(at) and _RESTARTS.isdisjoint(told):
            name = match.name(seat)
            yield phrase("{name}’s time stands still until the email about their turn arrives.", name=name)
        elif absence is None or absence.kind != "automatic" or clock.bank:
            yield from _tell_left(match, clock, seat, viewer, at, briefly, later=paused or absence is not None)


def _tell_left(
    match: Match, clock: Clock, seat: Seat, viewer: Seat, at: datetime, briefly: bool, *, later: bool
) -> Iterator[Phrase]:
    """Yield how much time is left, until when, and what happens then; ``later``: it does not run just now."""
    say_to = partial(by_reader, match, viewer, seat)
    calendar = calendar_of(match)
    start = max(at, clock.since or clock.turned_at or at)
    deadline = deadline_of(match, at=at)
    if deadline is None:
        return
    left, until = clock.left(at, calendar, match.outages), say_moment(deadline, match.players[viewer].calendar, at)
    if deadline <= at:
        yield say_to(
            phrase("Your time ended on {until}.", until=until),
            phrase("Your side’s time ended on {until}.", until=until),
            phrase("{name}’s time ended on {until}.", until=until),
        )
        return
    length = say_length(left)
    if later:
        yield say_to(
            phrase("Then you have {length}, until {until}.", length=length, until=until),
            phrase("Then your side has {length}, until {until}.", length=length, until=until),
            phrase("Then {name} has {length}, until {until}.", length=length, until=until),
        )
    else:
        yield say_to(
            phrase("You have {length}, until {until}.", length=length, until=until),
            phrase("Your side has {length}, until {until}.", length=length, until=until),
            phrase("{name} has {length}, until {until}.", length=length, until=until),
        )
    if not briefly:
        yield say_consequence(match, viewer)
    if not later and deadline - start >= timedelta(seconds=left) + _WORTH_TELLING:
        yield from _tell_free_time(match, clock, seat, viewer, start, deadline)


def _tell_free_time(
    match: Match, clock: Clock, seat: Seat, viewer: Seat, start: datetime, deadline: datetime
) -> Iterator[Phrase]:
    """Yield what does not count between ``start`` and ``deadline``, besides what is told anyway."""
    if clock.control.weekends_free:
        yield phrase("Weekends don’t count.")
    ends = [one.end for one in calendar_of(match).absences if one.start < deadline and start < one.end]
    if ends:
        end = _say_end(match, seat, viewer, max(ends), start)
        if seat == viewer:
            yield phrase("Your vacation until {end} is already added.", end=end)
        else:
            yield phrase("{name}’s vacation until {end} is already added.", name=match.name(seat), end=end)


def _say_end(match: Match, seat: Seat, viewer: Seat, end: datetime, at: datetime) -> Argument:
    """Return when an absence of ``seat`` ends: its last day, where it ends with a day of theirs."""
    theirs = match.players[seat].calendar
    if ends_a_day(end, theirs):
        return say_day(last_day(end, theirs), at)
    return say_moment(end, match.players[viewer].calendar, at)


def _tell_flag(match: Match, clock: Clock, seat: Seat, viewer: Seat, told: Collection[LogKind]) -> Iterator[Phrase]:
    """Yield that time is up, and what the reader can do."""
    name = match.name(seat)
    if "flagged" not in told:
        yield by_reader(
            *(match, viewer, seat),
            phrase("Your time is up."),
            phrase("Your side’s time is up."),
            phrase("{name}’s time is up."),
        )
    rest, wins = opponents(match, seat)
    patient = clock.control.policy == "remind-only"
    if viewer in rest:
        if patient:
            yield phrase(
                "You can reply `wait 3d` to give them 3 more days. Or reply `operator: please decide` to have the"
                " person who runs this service decide the match."
            )
        elif wins:
            yield phrase("Reply `claim` to win the match, or `wait 3d` to give them 3 more days.")
        else:
            yield phrase("Reply `claim` to go on without them, or `wait 3d` to give them 3 more days.")
    elif viewer == seat:
        if patient:
            yield phrase("Nobody loses by that, but the others are waiting for your move.")
        elif wins:
            yield phrase("You can still move until {names} claims the win.", names=name_all(match, rest, "or"))
        else:
            yield phrase("You can still move until the others go on without you.")
    elif patient:
        yield phrase("Nobody loses by that, but the others are waiting for {name}’s move.", name=name)
    elif wins:
        names = name_all(match, rest, "or")
        yield phrase("{name} can still move until {names} claims the win.", name=name, names=names)
    elif viewer in side_of(match, seat):
        yield phrase("{name} can still move until the others go on without your side.", name=name)
    else:
        yield phrase("{name} can still move.", name=name)


def _tell_bounce(
    match: Match, clock: Clock, seat: Seat, viewer: Seat, at: datetime, told: Collection[LogKind]
) -> Iterator[Phrase]:
    """Yield that no email reaches whoever is to act, and what happens if that goes on."""
    name = match.name(seat)
    if viewer == seat:
        yield phrase("My emails to you bounced, so your clock has stopped. Reply `resume` to restart it.")
        return
    if "bounced" in told:
        yield phrase("Their clock has stopped.")
    else:
        yield phrase("Emails to {name} come back, so their clock has stopped.", name=name)
    if clock.halted_at:
        until = say_moment(clock.halted_at + UNREACHABLE, match.players[viewer].calendar, at)
        yield phrase("If that’s still so on {until}, their time is up.", until=until)
        yield say_consequence(match, viewer)


def _tell_pause(clock: Clock, match: Match, viewer: Seat, at: datetime, told: Collection[LogKind]) -> Iterator[Phrase]:
    """Yield the pause that runs, or lies ahead."""
    if clock.pause is None or clock.pause[1] <= at or {"paused", "pause_end_proposed"} & set(told):
        return
    calendar = match.players[viewer].calendar
    if clock.pause[0] <= at:
        until = say_until(clock.pause[1], calendar, at)
        yield phrase("The match is paused until {until}, and nobody’s time runs.", until=until)
    else:
        yield phrase("The match will be paused {span}.", span=say_span(*clock.pause, calendar, at))


def _say_absence(match: Match, seat: Seat, viewer: Seat, absence: Absence, at: datetime, *, spent: bool) -> Phrase:
    """Return that whoever is to act is away, and until when; ``spent``: they have no time left in this match."""
    name, until = match.name(seat), say_until(absence.end, match.players[viewer].calendar, at)
    if absence.kind == "automatic" and not spent:
        if seat == viewer:
            return phrase("A day of your vacation is being used, so your time stands still until {until}.", until=until)
        return phrase(
            "A day of {name}’s vacation is being used, so their time stands still until {until}.",
            name=name,
            until=until,
        )
    if absence.kind == "automatic":
        if seat == viewer:
            return phrase("Your time is up, but a day of your vacation gives you until {until}.", until=until)
        return phrase(
            "{name}’s time is up, but a day of their vacation gives them until {until}.", name=name, until=until
        )
    if absence.kind == "emergency":
        if seat == viewer:
            return phrase("You can’t play for now, so your time stands still until {until}.", until=until)
        return phrase("{name} can’t play for now, so their time stands still until {until}.", name=name, until=until)
    end = _say_end(match, seat, viewer, absence.end, at)
    if seat == viewer:
        return phrase("You’re on vacation until the end of {end}, and your time stands still.", end=end)
    return phrase("{name} is on vacation until the end of {end}, and their time stands still.", name=name, end=end)


def _tell_outages(match: Match, clock: Clock, viewer: Seat, at: datetime) -> Iterator[Phrase]:
    """Yield when the service did not work in this turn."""
    began = clock.turned_at
    lost = [span for span in match.outages if began and span[1] > began and span[1] - span[0] >= _WORTH_TELLING]
    if len(lost) == 1:
        span = say_span(*lost[0], match.players[viewer].calendar, at)
        yield phrase("I was down {span}. That time doesn’t count.", span=span)
    elif lost:
        total = sum((end - start for start, end in lost), timedelta())
        length = say_length(int(total.total_seconds()))
        yield phrase("I was down for {length} in all. That time doesn’t count.", length=length)


def _tell_proposal(match: Match, clock: Clock, viewer: Seat, at: datetime) -> Iterator[Phrase]:
    """Yield who wants to pause the match, and how the reader agrees, or takes it back."""
    proposal = clock.proposal
    if proposal is None or proposal.until <= at:
        return
    calendar, names = match.players[viewer].calendar, name_all(match, [s for s in proposal.seats if s != viewer])
    until = say_until(proposal.until, calendar, at)
    if proposal.ends:
        if viewer in proposal.seats:
            yield phrase("The pause ends before that once everyone agrees.")
        else:
            yield phrase("{names} would like to end the pause now.", names=names)
            if viewer not in match.position.departed():
                yield phrase("If you agree, reply `pause off`.")
    elif viewer in proposal.seats:
        yield phrase("The match will be paused until {until} once everyone agrees.", until=until)
    elif viewer in match.position.departed():
        yield phrase("{names} would like to pause the match until {until}.", names=names, until=until)
    else:
        yield phrase("{names} would like to pause the match until {until}.", names=names, until=until)
        day = type_day(last_day(proposal.until, calendar))
        yield phrase("If you agree, reply `pause until {day}`.", day=day)


def describe_left(match: Match, at: datetime | None = None, language: Language = ENGLISH) -> str:
    """Return how much time whoever is to act has left at a moment (None: when the turn began), if there is a clock."""
    return say_length(time_left(match, at or match.changed_at)).said(language)


def list_claims(match: Match, viewer: Seat, language: Language = ENGLISH) -> list[tuple[str, str]]:
    """Return what the reader may reply when somebody else's time is up, each with what it does."""
    clock = match.clock
    if clock is None or clock.seat is None or clock.halted != "flagged" or match.outcome is not None:
        return []
    rest, wins = opponents(match, clock.seat)
    if viewer not in rest:
        return []
    waiting = ("wait 3d", phrase("Give them 3 days").said(language))
    if clock.control.policy == "remind-only":
        return [waiting]
    claiming = phrase("Claim the win") if wins else phrase("Go on without them")
    return [("claim", claiming.said(language)), waiting]


def list_pace(control: TimeControl) -> Iterator[Phrase]:
    """Yield how much time there is for moves, in a few words each: "3 days a move"."""
    start, more, most = map(say_length, (control.start, control.increment, control.cap))
    if control.start == control.increment == control.cap:
        yield phrase("{length} a move", length=start)
    elif control.increment:
        yield phrase("{start} each, {more} more with every move, {most} at most", start=start, more=more, most=most)
    else:
        yield phrase("{start} each for all moves", start=start)
    if control.weekends_free:
        yield phrase("weekends free")


def list_rules(control: TimeControl) -> Iterator[Phrase]:
    """Yield how much time there is for moves."""
    start, more, most = map(say_length, (control.start, control.increment, control.cap))
    if control.start == control.increment == control.cap:
        yield phrase("The time for each move is {length}.", length=start)
    elif control.increment:
        yield phrase(
            "Everyone has {start}, gets {more} more with every move, and can save up to {most}.",
            start=start,
            more=more,
            most=most,
        )
    else:
        yield phrase("Everyone has {start} for all their moves.", start=start)
    if control.weekends_free:
        yield phrase("Weekends don’t count.")


def describe_rules(match: Match, language: Language = ENGLISH) -> str:
    """Return how much time there is for moves, to somebody new in a match; nothing without a clock."""
    if match.clock is None:
        return ""
    sentences = [*list_rules(match.clock.control)]
    if not match.has_begun:
        sentences.append(phrase("You have twice as long for your first move."))
    return " ".join(sentence.said(language) for sentence in sentences)
