"""What happened to a match beside its entries: given time, pauses, absences, flags, acts of the operator. Pure."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta

from pbem.match.log import LogEntry, LogKind
from pbem.match.match import Match
from pbem.match.time.time_control import read_time_control
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
from pbem.notices.sentences.log_of_time import (
    say_until_of,
    tell_absence,
    tell_automatic_day,
    tell_given,
    tell_pause,
    tell_pause_end,
    tell_proposed_end,
    tell_proposed_pause,
    tell_return,
    tell_withdrawn_pause,
)
from pbem.notices.sentences.moments import say_length
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

_OF_ONESELF = frozenset[LogKind](("absent", "back", "unsubscribed"))
"""What players say of themselves, in all their matches at once."""

_OF_MATCH = frozenset[LogKind](("pause_proposed", "pause_end_proposed", "paused"))
"""What concerns everybody, whoever did it."""


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
        until = say_until_of(entry, "until", match, viewer, at)
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
    "given": tell_given,
    "pause_proposed": tell_proposed_pause,
    "pause_withdrawn": tell_withdrawn_pause,
    "pause_end_proposed": tell_proposed_end,
    "paused": tell_pause,
    "pause_ended": tell_pause_end,
    "absent": tell_absence,
    "back": tell_return,
    "automatic_day": tell_automatic_day,
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
