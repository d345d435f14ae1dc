"""What an entry of the log, and its match, decide of the sentences that tell it. Pure."""

from datetime import timedelta

from pbem.match.time.clock import LONGEST_PAUSE
from pbem.match.time.time_control import read_time_control
from pbem.notices.sentences.agreements import is_asked_to_agree
from pbem.notices.sentences.log.happened import Happened, Words
from pbem.notices.sentences.time import list_rules
from rules.phrase import Phrase, listed, mark, phrase, phrases
from rules.position import Seat

_LAST_DAYS, _DAYS_OF_A_WEEK = 2, 7
"""Days of vacation that are left when each one more that is used by itself is told, and how often it is before."""


def second(answer: str) -> Words:
    """Return the ``answer`` for whoever has yet to agree to a pause, or to its end."""
    return lambda it: answer if it.plays and it.viewer not in it.agreed else ""


def is_emergency(happened: Happened) -> bool:
    """Return whether somebody is away for no vacation."""
    return happened.entry.arguments.get("kind") == "emergency"


def is_on_vacation(happened: Happened) -> bool:
    """Return whether a vacation has begun when the reader is told of it."""
    begun = happened.at is not None and happened.start is not None and happened.start <= happened.at
    return begun and not is_emergency(happened)


def will_be_away(happened: Happened) -> bool:
    """Return whether a vacation lies ahead when the reader is told of it."""
    return not is_on_vacation(happened) and not is_emergency(happened)


def invite_to_pause(happened: Happened) -> Words:
    """Return what a vacation means for the time of a match, and how the reader has a break as well."""
    if happened.match.clock is None or not happened.plays or is_emergency(happened):
        return ()
    stands = mark("Their time stands still then.")
    if is_on_vacation(happened):
        stands = mark("Their time stands still until then.")
    at, end = happened.at or happened.entry.at, happened.end
    if at is None or end is None or end > at + LONGEST_PAUSE * timedelta(days=1):
        return stands
    return stands, mark("If you’d like a break too, reply `pause until {day}`.")


def lies_ahead(happened: Happened) -> bool:
    """Return whether an absence begins late enough for a page to say when."""
    at, start = happened.at, happened.start
    return at is not None and start is not None and start > at + timedelta(days=1)


def is_told_by_move(happened: Happened) -> bool:
    """Return whether a page need not say that time was up: it is asked again, or the record says it."""
    ply, match = happened.entry.ply, happened.match
    return happened.has("again") or (0 < ply <= match.ply and match.record[ply - 1].text == "timeout")


def is_rare_day(happened: Happened) -> bool:
    """Return whether a day of vacation that is used by itself is worth an email: one a day for a month helps nobody.

    The player is told of the first, of every seventh, and of the last three; others not of the two before the last.
    """
    left = happened.entry.arguments["left"]
    last = _LAST_DAYS if happened.viewer == happened.seat else 0
    return not happened.has("again") or left <= last or left % _DAYS_OF_A_WEEK == 0


def ask(happened: Happened) -> Words:
    """Return how the reader answers an offer that stands, if they have not agreed to it."""
    viewer, match = happened.viewer, happened.match
    if viewer is None or not is_asked_to_agree(match, viewer):
        return ""
    if match.to_act == viewer:
        return mark("If you agree, reply `yes`. If you don’t, just make your move.")
    return mark("If you agree, reply `yes`. If you don’t, reply `no`.")


def wait(happened: Happened) -> Words:
    """Return who has to agree to what the reader has offered."""
    others = [happened.match.name(seat) for seat in sorted(happened.match.present) if seat != happened.viewer]
    return phrase("{name} has to agree.", name=others[0]) if len(others) == 1 else mark("Everyone has to agree.")


def count_undone_too(happened: Happened) -> Words:
    """Return how many moves of others would be taken back with the one that somebody asks for."""
    others = happened.entry.arguments.get("moves", 1) - 1
    if not others:
        return ""
    return phrases(
        "The move made since would be taken back with it.",
        "The {count} moves made since would be taken back with it.",
        others,
    )


def count_vacation(happened: Happened) -> Words:
    """Return how many days of vacation are left."""
    return phrases(
        "You have {count} more day of vacation this year.",
        "You have {count} more days of vacation this year.",
        happened.entry.arguments["left"],
    )


def list_control(happened: Happened) -> Words:
    """Return how much time there is from now on."""
    written = happened.entry.arguments["control"]
    control, _ = read_time_control(
        {"days": "none"} if written == "none" else dict(word.split("=", 1) for word in written.split())
    )
    return mark("From now on there’s no time limit.") if control is None else tuple(list_rules(control))


def name_winners(happened: Happened) -> Words:
    """Return for whom the operator decided a match."""
    winners = happened.entry.arguments.get("winners")
    if not winners:
        return mark("The operator decided that nobody won the match.")
    return phrase("The operator decided the match for {names}.", names=listed(map(happened.match.name, winners)))


def count_undone(happened: Happened) -> Words:
    """Return how many moves were taken back: by agreement, or by the operator."""
    moves = happened.entry.arguments.get("moves", 1 if happened.entry.seat is not None else 0)
    if happened.entry.seat is not None:
        return phrases(
            "Everyone has agreed: the last move is taken back.",
            "Everyone has agreed: the last {count} moves are taken back.",
            moves,
        )
    if not moves:
        return ""
    return phrases("The operator took back the last move.", "The operator took back the last {count} moves.", moves)


def is_agreed(happened: Happened) -> bool:
    """Return whether what was taken back was so by agreement of the players."""
    return happened.entry.seat is not None or happened.entry.arguments.get("by") == "players"


def is_lent(happened: Happened) -> bool:
    """Return whether a seat has a stand-in for some time, or no longer."""
    return happened.has("until") or happened.has("back")


def take_up(happened: Happened) -> Words:
    """Return how the reader, if still in it, takes up a match that was put away."""
    if happened.match.to_act == happened.viewer:
        return mark("Nothing is lost. To play on, reply with your move, whenever you like.")
    return mark("Nothing is lost. To play on, reply `show`, whenever you like.") if happened.plays else ""


def list_returned(happened: Happened) -> Words:
    """Return who is in the match again; of moves that all agreed to take back, only those are told."""
    told = happened.entry.arguments
    if happened.entry.seat is not None:
        return ()
    if told.get("by") == "players":
        return tuple(mark("Everyone has agreed that nobody gives up that seat.") for _ in told.get("left", ()))
    return tuple(_tell_returned(happened, seat, word) for seat, word in told.get("left", ()))


def _tell_returned(happened: Happened, seat: Seat, word: str) -> Phrase:
    """Return that the operator took back how ``seat`` left the match."""
    name = happened.match.name(seat)
    if word == "resign" and seat == happened.viewer:
        return phrase("You resigned, and the operator undid that.")
    if word == "resign":
        return phrase("{name} resigned, and the operator undid that.", name=name)
    if seat == happened.viewer:
        return phrase("You ran out of time, and the operator undid that.")
    return phrase("{name} ran out of time, and the operator undid that.", name=name)


def page_rewinding(happened: Happened) -> Words:
    """Return what was taken back: moves, or only that somebody had left."""
    told = happened.entry.arguments
    if told.get("moves", 1):
        agreed = happened.entry.seat is not None
        return mark("Everyone agreed that {name} takes a move back") if agreed else mark("The operator took moves back")
    left = [word for _, word in told.get("left", ())]
    if left and told.get("by") == "players":
        return mark("Everyone agreed on somebody to play on for {name}")
    if left[:1] == ["resign"]:
        return mark("The operator undid that {name} resigned")
    return mark("The operator undid that {name} ran out of time") if left else ""
