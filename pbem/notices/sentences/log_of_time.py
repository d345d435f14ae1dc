"""What the log tells of time that was given, of pauses and of absences, as each player reads it. Pure."""

from collections.abc import Iterator
from datetime import datetime

from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.notices.sentences.moments import ends_a_day, last_day, say_day, say_length, say_moment, say_until, type_day
from rules.phrase import Phrase, phrase, phrases
from rules.position import Seat

_LAST_DAYS, _DAYS_OF_A_WEEK = 2, 7
"""Days of vacation that are left when each one more that is used by itself is told, and how often it is before."""


def say_until_of(entry: LogEntry, key: str, match: Match, viewer: Seat, at: datetime | None) -> Phrase:
    """Return until when something lasts that an entry tells of, in the reader's zone, as it is said ``at`` a moment."""
    return say_until(_time(entry, key), match.players[viewer].calendar, at)


def _time(entry: LogEntry, key: str) -> datetime:
    """Return a time from the arguments of an entry."""
    return datetime.fromisoformat(entry.arguments[key])


def _is_on_clock(match: Match, seat: Seat | None) -> bool:
    """Return whether it is the turn of ``seat``, in a match with a clock."""
    return match.clock is not None and match.clock.seat == seat


def tell_given(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who gave time to whom."""
    receiver = match.clock.seat if match.clock else None
    if entry.seat is None or receiver is None:
        return
    length = say_length(entry.arguments["seconds"])
    if viewer == receiver:
        yield phrase("{giver} gave you {length}.", giver=match.name(entry.seat), length=length)
    elif viewer == entry.seat:
        yield phrase("You gave {name} {length}.", name=match.name(receiver), length=length)
    else:
        yield phrase(
            "{giver} gave {name} {length}.",
            giver=match.name(entry.seat),
            name=match.name(receiver),
            length=length,
        )


def tell_proposed_pause(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who wants a pause, or has agreed to one, and how the reader agrees."""
    until = say_until_of(entry, "until", match, viewer, at)
    proposal = match.clock.proposal if match.clock else None
    agreed = proposal.seats if proposal else ()
    name = match.name(entry.seat) if entry.seat is not None else ""
    if entry.seat == viewer:
        if len(agreed) > 1:
            yield phrase("You agreed to pause the match until {until}.", until=until)
        else:
            yield phrase("You proposed to pause the match until {until}.", until=until)
        yield phrase("The pause begins when everyone has agreed. Until then, time runs on.")
        yield phrase("If you change your mind, reply `pause off`.")
        return
    if len(agreed) > 1:
        yield phrase("{name} agrees to pause the match until {until}.", name=name, until=until)
    else:
        yield phrase("{name} would like to pause the match until {until}.", name=name, until=until)
    if viewer not in agreed and viewer not in match.position.departed():
        yield phrase("If you agree, reply `yes`. If you don’t, just ignore this, and the match goes on.")


def tell_proposed_end(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who wants to end the pause, or has agreed to that, and how the reader agrees."""
    until = say_until_of(entry, "until", match, viewer, at)
    proposal = match.clock.proposal if match.clock else None
    agreed = proposal.seats if proposal else ()
    name = match.name(entry.seat) if entry.seat is not None else ""
    if entry.seat == viewer:
        yield phrase("You’d like to end the pause now.")
        yield phrase("It ends when everyone has agreed. Otherwise it lasts until {until}.", until=until)
        return
    if len(agreed) > 1:
        yield phrase("{name} agrees to end the pause now.", name=name)
    else:
        yield phrase("{name} would like to end the pause now.", name=name)
    if viewer not in agreed and viewer not in match.position.departed():
        yield phrase(
            "If you agree, reply `yes`. If you don’t, just ignore this, and the pause lasts until {until}.", until=until
        )


def tell_withdrawn_pause(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that somebody wants no pause any more."""
    if entry.seat == viewer:
        yield phrase("You no longer want to pause the match.")
    elif entry.seat is not None:
        yield phrase("{name} no longer wants to pause the match.", name=match.name(entry.seat))
    yield phrase("So it just goes on.")


def tell_pause(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that the match is paused."""
    until = say_until_of(entry, "until", match, viewer, at)
    if entry.seat is None:
        yield phrase("The operator has paused the match until {until}.", until=until)
    else:
        yield phrase("Everyone has agreed: the match is paused until {until}.", until=until)
    yield phrase("Nobody’s time runs until then. You can still move when it’s your turn, if you like.")
    if viewer not in match.position.departed():
        yield phrase("To end the pause sooner, reply `pause off`: it ends when everyone has.")


def tell_pause_end(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that the match goes on."""
    if entry.seat is None:
        yield phrase("The pause of the match is over.")
    else:
        yield phrase("Everyone has agreed: the pause of the match is over.")
    yield phrase("The clock runs again.")


def tell_absence(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield when somebody is away."""
    if entry.seat is None:
        return
    calendar, name = match.players[entry.seat].calendar, match.name(entry.seat)
    start, end = _time(entry, "start"), _time(entry, "end")
    until = say_until_of(entry, "end", match, viewer, at)
    if entry.arguments.get("kind") == "emergency":
        if entry.seat == viewer:
            yield phrase("Your time stands still until {until}.", until=until)
            yield phrase("When you can play again, reply `back`.")
        else:
            yield phrase("{name} can’t play for now.", name=name)
            yield phrase("Their time stands still until {until}, or until they’re back.", until=until)
            yield phrase("If that’s too long for you, ask the operator for someone to play on for them.")
        return
    last = last_day(end, calendar)
    shown = say_day(last, at) if ends_a_day(end, calendar) else say_moment(end, match.players[viewer].calendar, at)
    first = say_day(start.astimezone(calendar.tzinfo).date(), at)
    begun = at is not None and start <= at
    if entry.seat == viewer:
        if begun:
            yield phrase("You’re on vacation until the end of {last}.", last=shown)
        else:
            yield phrase("You’re on vacation from {first} to {last}.", first=first, last=shown)
        yield phrase("Your time stands still in all your matches. To end or cancel that, reply `back`.")
        return
    if begun:
        yield phrase("{name} is on vacation until the end of {last}.", name=name, last=shown)
    else:
        yield phrase("{name} will be on vacation from {first} to {last}.", name=name, first=first, last=shown)
    if match.clock is not None and viewer not in match.position.departed():
        yield phrase("Their time stands still until then.") if begun else phrase("Their time stands still then.")
        yield phrase("If you’d like a break too, reply `pause until {day}`.", day=type_day(last))


def tell_return(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that somebody is back."""
    if entry.seat == viewer:
        yield phrase("You’re back.")
        yield phrase("Your time runs again, and no absence lies ahead.")
    elif entry.seat is not None:
        yield phrase("{name} is back.", name=match.name(entry.seat))
        if _is_on_clock(match, entry.seat):
            yield phrase("Their time runs again.")


def tell_automatic_day(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that a day of vacation is used since time is up; others are told of the first alone.

    The player is told of the first, of every seventh, and of the last three: an email a day for a month helps nobody.
    """
    until, left = say_until_of(entry, "until", match, viewer, at), entry.arguments["left"]
    again = entry.arguments.get("again")
    if entry.seat == viewer:
        if again and left > _LAST_DAYS and left % _DAYS_OF_A_WEEK:
            return
        if again:
            yield phrase("You haven’t moved yet, so your vacation is being used, a day at a time.")
        else:
            yield phrase("Your time is up, so a day of your vacation is used.")
        yield phrase("That gives you until {until}.", until=until)
        if left:
            yield phrases(
                "You have {count} more day of vacation this year.",
                "You have {count} more days of vacation this year.",
                left,
            )
        else:
            yield phrase("That was your last day of vacation this year.")
        if not again:
            yield phrase("If you want none used like that, reply `auto off`.")
    elif entry.seat is not None and (not again or not left or left % _DAYS_OF_A_WEEK == 0):
        yield phrase("{name}’s time is up, so a day of their vacation is used.", name=match.name(entry.seat))
        yield phrase("That gives them until {until}. More days may follow, until they have none left.", until=until)
