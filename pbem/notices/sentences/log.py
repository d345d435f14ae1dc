"""What happened to a match beside its entries: given time, pauses, absences, flags, acts of the operator. Pure."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta

from pbem.match.log import LogEntry, LogKind
from pbem.match.match import Match
from pbem.match.time_control import read_time_control
from pbem.notices.sentences.agreements import (
    tell_agreed_draw,
    tell_declined_draw,
    tell_declined_undo,
    tell_draw_offer,
    tell_undo_request,
    tell_undone,
    tell_withdrawn_draw,
    tell_withdrawn_undo,
)
from pbem.notices.sentences.moments import ends_a_day, last_day, say_day, say_length, say_moment, say_until, type_day
from pbem.notices.sentences.time import list_rules
from rules.phrase import ENGLISH, Language, Phrase, listed, phrase, phrases
from rules.position import Seat


def describe_log(
    entry: LogEntry, match: Match, viewer: Seat, at: datetime | None = None, language: Language = ENGLISH
) -> list[str]:
    """Return what happened to a match beside its entries, then what the reader may do; nothing they need not know.

    The first sentence can stand above the others by itself. ``at`` is when the reader is told.
    """
    return [sentence.said(language) for sentence in _TELLERS[entry.kind](entry, match, viewer, at or entry.at)]


def is_told(entry: LogEntry, match: Match, viewer: Seat) -> bool:
    """Return whether ``viewer`` is told of an entry of the log at all; what they said of themselves was answered."""
    return (
        not (viewer == entry.seat and entry.kind in _OF_ONESELF)
        and next(iter(_TELLERS[entry.kind](entry, match, viewer, entry.at)), None) is not None
    )


def told_kinds(log: Collection[LogEntry], match: Match) -> frozenset[LogKind]:
    """Return what a notice that tells ``log`` says of whoever is to act, so that its time line does not repeat it."""
    return frozenset(
        entry.kind for entry in log if entry.kind in _OF_MATCH or (match.clock and entry.seat == match.clock.seat)
    )


def describe_renaming(
    match: Match, viewer: Seat, at: datetime | None = None, language: Language = ENGLISH
) -> list[str]:
    """Return which of the others has taken another name since the reader last moved, and lately."""
    renamed = [one for seat, one in enumerate(match.players) if seat != viewer and one.former_name]
    if not renamed:
        return []
    moved = [at for entry, at in zip(match.record, match.times, strict=True) if entry.seat == viewer]
    since = max(match.opened_at, *moved[-1:], *([at - _LATELY] if at else []))
    return [
        phrase("{before} is called {name} here now.", before=one.former_name, name=one.name).said(language)
        for one in renamed
        if one.renamed_at and one.renamed_at >= since
    ]


_LATELY = timedelta(days=30)
_LAST_DAYS, _DAYS_OF_A_WEEK = 2, 7
"""Days of vacation that are left when each one more that is used by itself is told, and how often it is before."""

_OF_ONESELF = frozenset[LogKind](("absent", "back", "unsubscribed"))
"""What players say of themselves, in all their matches at once."""

_OF_MATCH = frozenset[LogKind](("pause_proposed", "pause_end_proposed", "paused"))
"""What concerns everybody, whoever did it."""


def _until(entry: LogEntry, key: str, match: Match, viewer: Seat, at: datetime | None) -> Phrase:
    """Return until when something lasts that an entry tells of, in the reader's zone, as it is said ``at`` a moment."""
    return say_until(_time(entry, key), match.players[viewer].calendar, at)


def _time(entry: LogEntry, key: str) -> datetime:
    """Return a time from the arguments of an entry."""
    return datetime.fromisoformat(entry.arguments[key])


def _is_on_clock(match: Match, seat: Seat | None) -> bool:
    """Return whether it is the turn of ``seat``, in a match with a clock."""
    return match.clock is not None and match.clock.seat == seat


def _tell_given(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
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


def _tell_proposed_pause(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who wants a pause, or has agreed to one, and how the reader agrees."""
    until = _until(entry, "until", match, viewer, at)
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


def _tell_proposed_end(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who wants to end the pause, or has agreed to that, and how the reader agrees."""
    until = _until(entry, "until", match, viewer, at)
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


def _tell_withdrawn_pause(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that somebody wants no pause any more."""
    if entry.seat == viewer:
        yield phrase("You no longer want to pause the match.")
    elif entry.seat is not None:
        yield phrase("{name} no longer wants to pause the match.", name=match.name(entry.seat))
    yield phrase("So it just goes on.")


def _tell_pause(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that the match is paused."""
    until = _until(entry, "until", match, viewer, at)
    if entry.seat is None:
        yield phrase("The operator has paused the match until {until}.", until=until)
    else:
        yield phrase("Everyone has agreed: the match is paused until {until}.", until=until)
    yield phrase("Nobody’s time runs until then. You can still move when it’s your turn, if you like.")
    if viewer not in match.position.departed():
        yield phrase("To end the pause sooner, reply `pause off`: it ends when everyone has.")


def _tell_pause_end(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that the match goes on."""
    if entry.seat is None:
        yield phrase("The pause of the match is over.")
    else:
        yield phrase("Everyone has agreed: the pause of the match is over.")
    yield phrase("The clock runs again.")


def _tell_absence(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield when somebody is away."""
    if entry.seat is None:
        return
    calendar, name = match.players[entry.seat].calendar, match.name(entry.seat)
    start, end = _time(entry, "start"), _time(entry, "end")
    until = _until(entry, "end", match, viewer, at)
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


def _tell_return(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that somebody is back."""
    if entry.seat == viewer:
        yield phrase("You’re back.")
        yield phrase("Your time runs again, and no absence lies ahead.")
    elif entry.seat is not None:
        yield phrase("{name} is back.", name=match.name(entry.seat))
        if _is_on_clock(match, entry.seat):
            yield phrase("Their time runs again.")


def _tell_automatic_day(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that a day of vacation is used since time is up; others are told of the first alone.

    The player is told of the first, of every seventh, and of the last three: an email a day for a month helps nobody.
    """
    until, left = _until(entry, "until", match, viewer, at), entry.arguments["left"]
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


def _tell_flag(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that time is up; where an entry of the record says so, there is nothing to add."""
    if match.clock is None or match.clock.halted != "flagged" or entry.seat is None:
        return
    name = match.name(entry.seat)
    if entry.arguments.get("again"):
        if entry.seat == viewer:
            yield phrase("Your time is up, and your move is still missing.")
        else:
            yield phrase("{name}’s time is up, and there’s still no move.", name=name)
    elif entry.seat == viewer:
        yield phrase("Your time is up.")
    else:
        yield phrase("{name}’s time is up.", name=name)


def _tell_putting_away(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that a match is put away, and how it is taken up."""
    if match.outcome is not None:
        return
    yield phrase("This match has been put away.")
    yield phrase("Nobody has written in it for a long time, so I won’t send any more reminders. It has no result.")
    if match.to_act == viewer:
        yield phrase("Nothing is lost. To play on, reply with your move, whenever you like.")
    elif viewer not in match.position.departed():
        yield phrase("Nothing is lost. To play on, reply `show`, whenever you like.")


def _tell_taking_up(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that somebody has taken the match up again."""
    if entry.seat is None or match.outcome is not None:
        return
    if entry.seat == viewer:
        yield phrase("You’ve taken the match up again.")
    else:
        yield phrase("{name} has taken the match up again.", name=match.name(entry.seat))


def _tell_claim(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who claimed the win, or did not want to wait any more."""
    name = match.name(entry.seat) if entry.seat is not None else ""
    if match.outcome is not None:
        yield phrase("You claimed the win.") if entry.seat == viewer else phrase("{name} claimed the win.", name=name)
    elif entry.seat == viewer:
        yield phrase("You chose not to wait any longer.")
    else:
        yield phrase("{name} chose not to wait any longer.", name=name)


def _tell_bounce(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that no email reaches somebody; while another address is tried, nothing is told."""
    if entry.arguments.get("other") or entry.seat is None:
        return
    if entry.seat == viewer:
        yield phrase("Emails to you came back.")
        return
    yield phrase("Emails to {name} come back.", name=match.name(entry.seat))
    if viewer not in match.position.departed():
        yield phrase(
            "If you know another way to reach them, tell them to reply `resume`. Or ask the operator for someone to"
            " play on for them."
        )


def _tell_unsubscribed(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that somebody gets no email any more."""
    if entry.seat is None or entry.seat == viewer:
        return
    yield phrase("{name} doesn’t want any more email.", name=match.name(entry.seat))
    if match.clock is not None:
        yield phrase(
            "They’re still in the match, and their time runs as before. You can wait, or ask the operator for someone"
            " to play on for them."
        )
    else:
        yield phrase(
            "They’re still in the match and may come back. You can wait, or ask the operator for someone to play on for"
            " them."
        )


def _tell_time_control(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield what time there is for moves from now on."""
    written = entry.arguments["control"]
    control, _ = read_time_control(
        {"days": "none"} if written == "none" else dict(word.split("=", 1) for word in written.split())
    )
    yield phrase("The operator has changed the time for moves.")
    if control is None:
        yield phrase("From now on there’s no time limit.")
    else:
        yield from list_rules(control)


def _tell_extension(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield whom the operator gave time, or from whom they took some."""
    seconds, seat = entry.arguments["seconds"], entry.arguments["seat"]
    length = say_length(abs(seconds))
    if seconds < 0 and seat == viewer:
        yield phrase("The operator took {length} off your time.", length=length)
    elif seconds < 0:
        yield phrase("The operator took {length} off {name}’s time.", name=match.name(seat), length=length)
    elif seat == viewer:
        yield phrase("The operator gave you {length}.", length=length)
    else:
        yield phrase("The operator gave {name} {length}.", name=match.name(seat), length=length)


def _tell_ruling(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield how the operator ended the match; while it is ended so, its result says that."""
    if match.ruling is not None:
        return
    if entry.kind == "voided":
        yield phrase("The match was called off.")
        return
    winners = entry.arguments.get("winners") or []
    names = listed(match.name(seat) for seat in winners)
    if winners:
        yield phrase("The operator decided the match for {names}.", names=names)
    else:
        yield phrase("The operator decided that nobody won the match.")


def _tell_reinstatement(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that a match that was over goes on."""
    yield phrase("The operator has reopened the match, and it goes on.")


def _tell_rewinding(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield how many moves were taken back, and who is in the match again."""
    if entry.seat is not None:
        yield from tell_undone(entry, match, viewer)
        return
    if moves := entry.arguments.get("moves", 0):
        yield phrases("The operator took back the last move.", "The operator took back the last {count} moves.", moves)
    for seat, word in entry.arguments.get("left", ()):
        name = match.name(seat)
        if entry.arguments.get("by") == "players":
            yield phrase("Everyone has agreed that the seat isn’t given up.")
        elif word == "resign" and seat == viewer:
            yield phrase("You resigned, and the operator took that back.")
        elif word == "resign":
            yield phrase("{name} resigned, and the operator took that back.", name=name)
        elif seat == viewer:
            yield phrase("You ran out of time, and the operator took that back.")
        else:
            yield phrase("{name} ran out of time, and the operator took that back.", name=name)
    if entry.arguments.get("by") != "players":
        yield phrase("The match goes on from there.")


def _tell_restoring(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that what was taken back counts again."""
    yield phrase("The operator put back what had been taken back.")


def _tell_replacement(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield who plays on for whom."""
    before, after = entry.arguments["before"], entry.arguments["after"]
    is_own = entry.arguments["seat"] == viewer
    if entry.arguments.get("until"):
        until = _until(entry, "until", match, viewer, at)
        if is_own:
            yield phrase("You’re standing in for {before} until {until}.", before=before, until=until)
            yield phrase("Then the seat is theirs again. To give it back sooner, reply `standin off`.")
        else:
            yield phrase("{after} is standing in for {before} until {until}.", after=after, before=before, until=until)
    elif entry.arguments.get("back"):
        if is_own:
            yield phrase("{before} stood in for you, and the seat is yours again.", before=before)
        else:
            yield phrase("{after} is back, and {before} no longer stands in for them.", after=after, before=before)
    elif is_own:
        yield phrase("You’re playing on for {before}.", before=before)
    else:
        yield phrase("{after} is playing on for {before}.", after=after, before=before)


def _tell_staying(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Yield that somebody keeps a seat in which they only stood in."""
    if entry.seat == viewer:
        yield phrase("Nobody will take back the seat you’re standing in for, so it’s yours from now on.")
        yield phrase("If you’d rather not play on, reply `resign`.")
    elif entry.seat is not None:
        yield phrase("{name} has the seat for good now.", name=match.name(entry.seat))


def _tell_nothing(entry: LogEntry, match: Match, viewer: Seat, at: datetime | None) -> Iterator[Phrase]:
    """Say nothing: it is noted for the operator alone."""
    yield from ()


_TELLERS: dict[LogKind, Callable[[LogEntry, Match, Seat, datetime | None], Iterator[Phrase]]] = {
    "given": _tell_given,
    "pause_proposed": _tell_proposed_pause,
    "pause_withdrawn": _tell_withdrawn_pause,
    "pause_end_proposed": _tell_proposed_end,
    "paused": _tell_pause,
    "pause_ended": _tell_pause_end,
    "absent": _tell_absence,
    "back": _tell_return,
    "automatic_day": _tell_automatic_day,
    "flagged": _tell_flag,
    "claimed": _tell_claim,
    "bounced": _tell_bounce,
    "unsubscribed": _tell_unsubscribed,
    "time_control": _tell_time_control,
    "extended": _tell_extension,
    "adjudicated": _tell_ruling,
    "voided": _tell_ruling,
    "reinstated": _tell_reinstatement,
    "rewound": _tell_rewinding,
    "restored": _tell_restoring,
    "replaced": _tell_replacement,
    "stayed": _tell_staying,
    "draw_offered": tell_draw_offer,
    "draw_declined": tell_declined_draw,
    "draw_withdrawn": tell_withdrawn_draw,
    "draw_agreed": tell_agreed_draw,
    "undo_asked": tell_undo_request,
    "undo_declined": tell_declined_undo,
    "undo_withdrawn": tell_withdrawn_undo,
    "put_away": _tell_putting_away,
    "taken_up": _tell_taking_up,
    "renamed": _tell_nothing,
    "merged": _tell_nothing,
}
