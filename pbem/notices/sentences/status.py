"""All matches of a player in one list, what waits for whom, and what the player has set about time. Pure."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.time.calendar import Absence, Calendar, days_left
from pbem.match.timing import calendar_of, deadline_of, time_left
from pbem.notices.sentences.moments import ends_a_day, last_day, name_zone, say_day, say_length, say_moment, say_short
from pbem.notices.sentences.reasons import explain
from pbem.reading.reason import because
from rules.phrase import ENGLISH, Language, Listed, Phrase, listed, phrase, phrases
from rules.position import Seat

_NEVER = datetime.max.replace(tzinfo=UTC)
_MOST_SHOWN = 50
"""Matches in one list: an email of hundreds is read by nobody."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list: its number and game, the opponents of its reader, what it waits for, and until when.

    ``left`` is the time until then, ``own``: it waits for its reader.
    """

    number: int
    game: str
    names: str
    what: str
    left: str
    until: str
    own: bool


def title_match(match: Match, viewer: Seat, language: Language = ENGLISH) -> str:
    """Return the number, the game and the opponents of a match."""
    names = _name_opponents(match, viewer, language)
    said = phrase("Match {number}, {game} vs {names}", number=match.id, game=match.game.title, names=names)
    return said.said(language)


def _name_opponents(match: Match, viewer: Seat, language: Language) -> str:
    """Return who else plays."""
    return listed(match.name(seat) for seat in range(len(match.players)) if seat != viewer).said(language)


def list_matches(
    matches: Sequence[Match],
    player: Player,
    at: datetime,
    language: Language = ENGLISH,
    *,
    away: Collection[int] = (),
) -> list[MatchRow]:
    """Return the running matches of ``player``: those that wait for them first, and of all the most urgent first.

    Behind them stand those that they have left, and those that are put ``away``. Those that there is no room for are
    left out: ``count_more`` tells how many.
    """

    def place(match: Match) -> int:
        seat = match.seat_of(player)
        if seat in match.position.departed():
            return 2
        return 3 if match.id in away else 0 if waits_for(match, seat) else 1

    found = sorted(matches, key=lambda match: (place(match), urgency(match)))[:_MOST_SHOWN]
    return [list_match(match, match.seat_of(player), at, language, away=match.id in away) for match in found]


def waits_for(match: Match, seat: Seat) -> bool:
    """Return whether a match waits for a seat: for its move, or for its words for the dice."""
    return match.to_act == seat or (match.awaits_seeds and seat in match.unseeded)


def list_match(
    match: Match, viewer: Seat, at: datetime, language: Language = ENGLISH, *, away: bool = False
) -> MatchRow:
    """Return how a match stands for one of its players; ``away``: it is put away."""
    left = viewer in match.position.departed()
    what = phrase("you’ve left") if left else phrase("put away") if away else _say_awaited(match, viewer, at)
    if match.private:
        what = phrase("{what}, private", what=what)
    due = find_due(match, viewer, at) if not (left or away) else None
    return MatchRow(
        match.id,
        match.game.title,
        _name_opponents(match, viewer, language),
        what.said(language),
        due[0].said(language) if due else "",
        due[1].said(language) if due else "",
        waits_for(match, viewer),
    )


def _say_awaited(match: Match, viewer: Seat, at: datetime) -> Phrase:
    """Return what a match waits for."""
    seat, clock = match.to_act, match.clock
    halted = clock.halted if clock else ""
    calendar = match.players[viewer].calendar
    if match.awaits_seeds:
        return phrase("your `ready`") if viewer in match.unseeded else phrase("the dice")
    if not isinstance(seat, int):
        return phrase("the dice")
    name = match.name(seat)
    if halted == "flagged":
        return phrase("your time is up") if seat == viewer else phrase("{name}’s time is up", name=name)
    if halted == "bounced":
        return phrase("your clock has stopped") if seat == viewer else phrase("{name} can’t be reached", name=name)
    if clock and clock.pause and clock.is_paused(at):
        return phrase("paused until {until}", until=_say_end(clock.pause[1], calendar, at))
    if clock and (absence := calendar_of(match).absent_at(at)):
        end = _say_end(absence.end, calendar, at)
        if seat == viewer:
            return phrase("your turn; you’re away until {until}", until=end)
        return phrase("{name}’s turn; away until {until}", name=name, until=end)
    if seat == viewer:
        return phrase("your turn")
    if clock and clock.waits_for_email(at):
        return phrase("{name}’s turn; their time stands still until the email about it arrives", name=name)
    return phrase("{name}’s turn", name=name)


def _say_end(end: datetime, calendar: Calendar, at: datetime) -> Phrase:
    """Return until when something lasts: the last day of whole days."""
    return say_day(last_day(end, calendar), at) if ends_a_day(end, calendar) else say_short(end, calendar, at)


def find_due(match: Match, viewer: Seat, at: datetime) -> tuple[Phrase | Listed, Phrase] | None:
    """Return how much time is left, and until when; None where there is no such time.

    Whether somebody else has got an email that is in doubt, nobody knows; they themselves read how much time they have.
    In a pause, and while whoever is to act is away, time stands still.
    """
    clock, deadline = match.clock, deadline_of(match, at=at)
    if clock is None or deadline is None or deadline <= at or clock.halted in ("flagged", "bounced"):
        return None
    if clock.is_paused(at) or calendar_of(match).absent_at(at):
        return None
    if clock.seat is None or match.players[clock.seat].robot or (clock.seat != viewer and clock.waits_for_email(at)):
        return None
    return say_length(time_left(match, at)), say_short(deadline, match.players[viewer].calendar, at)


def count_more(matches: Sequence[Match], language: Language = ENGLISH, *, listed_elsewhere: bool = False) -> str:
    """Return how many matches ``list_matches`` leaves out, and where they are; nothing where there is room for all.

    ``listed_elsewhere``: the archive lists them, whose address follows.
    """
    count = len(matches) - _MOST_SHOWN
    if count <= 0:
        return ""
    if listed_elsewhere:
        said = phrases(
            "You play {count} more match, which you can find here:",
            "You play {count} more matches, which you can find here:",
            count,
        )
    else:
        said = phrases(
            "You play {count} more match. To see it, reply `show` to any of my emails about it.",
            "You play {count} more matches. To see one of them, reply `show` to any of my emails about it.",
            count,
        )
    return said.said(language)


def urgency(match: Match) -> tuple[datetime, int]:
    """Return what matches are sorted by: who is out of time comes first, who has no deadline last."""
    clock = match.clock
    if clock is not None and clock.flagged_at:
        return clock.flagged_at, match.id
    return deadline_of(match, at=clock.turned_at if clock else None) or _NEVER, match.id


def say_zone(player: Player, language: Language = ENGLISH) -> str:
    """Return by which clock a player reads times."""
    zone = name_zone(player.calendar)
    said = phrase("Times are UTC.") if zone == "UTC" else phrase("Times are those of {zone}.", zone=zone)
    return said.said(language)


def describe_settings(
    player: Player, at: datetime, vacation_days: int, feed_url: str = "", language: Language = ENGLISH
) -> list[str]:
    """Return what a player has set, each with the words that change it."""
    return [sentence.said(language) for sentence in _list_settings(player, at, vacation_days, feed_url)]


def _list_settings(player: Player, at: datetime, vacation_days: int, feed_url: str) -> Iterator[Phrase]:
    """Yield a sentence or two for each setting."""
    calendar = player.calendar
    zone = name_zone(calendar)
    if zone == "UTC":
        yield phrase("All times are UTC. To see them in your own zone, reply with a city, such as `tz Lisbon`.")
    else:
        yield phrase(
            "All times are those of {zone}. For another zone, reply with a city, such as `tz Lisbon`.", zone=zone
        )
    if when := player.preferences.digest:
        day, _, moment = when.rpartition(" ")
        yield explain(because(f"digest_{day or 'daily'}", at=moment))
    if not player.preferences.letter:
        yield explain(because("letter_off"))
    if calendar.remind is None:
        yield phrase(
            "Reminders come at a pace that suits each match. To choose when, reply `remind 2d 12h`; for none,"
            " `remind off`."
        )
    elif calendar.remind:
        steps = listed(map(say_length, calendar.remind), "or")
        yield phrase(
            "Reminders come when you have {steps} left. To change that, reply `remind 2d 12h`, `remind off` or"
            " `remind default`.",
            steps=steps,
        )
    else:
        yield phrase("You get no reminders. To get some, reply `remind 2d 12h` or `remind default`.")
    if calendar.quiet is None:
        yield phrase("Reminders may come at any hour. To get none at night, reply `quiet 22-7`.")
    else:
        start, end = calendar.quiet
        yield phrase(
            "No reminders come between {start} and {end}. To change that, reply `quiet 22-7` or `quiet off`.",
            start=f"{start}:00",
            end=f"{end}:00",
        )
    if left := days_left(calendar, vacation_days, at):
        yield phrases(
            "You have {count} day of vacation left this year. To be away, reply `vacation 3-17 aug`, for example.",
            "You have {count} days of vacation left this year. To be away, reply `vacation 3-17 aug`, for example.",
            left,
        )
    else:
        yield phrase("You have no vacation left this year.")
    absences = [absence for absence in calendar.absences if absence.end > at]
    for absence in absences:
        yield _say_absence(absence, player, at, alone=len(absences) == 1)
    if len(absences) > 1:
        yield phrase("To cancel all of that, reply `back`.")
    if calendar.automatic:
        yield phrase(
            "If your time runs out, I’ll use a day of your vacation first. To keep your vacation, reply `auto off`."
        )
    else:
        yield phrase("If your time runs out, I won’t use your vacation. To change that, reply `auto on`.")
    if feed_url and not player.preferences.page:  # without an archive there is none of anybody
        yield phrase("The archive has no page about you. To have one, reply `page on`.")
    if feed_url:
        yield phrase(
            "Your deadlines are also in this calendar feed, for your calendar program to subscribe to; whoever has the"
            " address can read it:"
        )


def _say_absence(absence: Absence, player: Player, at: datetime, *, alone: bool) -> Phrase:
    """Return when the player is away, and how they end that; one that lies ahead ends with all others."""
    calendar = player.calendar
    whole = ends_a_day(absence.end, calendar)
    last = say_day(last_day(absence.end, calendar), at) if whole else say_moment(absence.end, calendar, at)
    if absence.start <= at:
        if whole:
            return phrase("You’re away until the end of {last}. When you’re back, reply `back`.", last=last)
        return phrase("You’re away until {last}. When you’re back, reply `back`.", last=last)
    first = say_day(absence.start.astimezone(calendar.tzinfo).date(), at)
    if not alone:
        return phrase("You’ll be away from {first} to {last}.", first=first, last=last)
    return phrase("You’ll be away from {first} to {last}. To cancel that, reply `back`.", first=first, last=last)
