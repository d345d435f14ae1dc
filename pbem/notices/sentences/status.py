"""All matches of a player in one list, what waits for whom, and what the player has set about time. Pure."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.time.calendar import Absence, days_left
from pbem.match.timing import deadline_of
from pbem.notices.sentences.match import describe_turn, describe_wait
from pbem.notices.sentences.moments import ends_a_day, last_day, name_zone, say_day, say_length, say_moment
from pbem.notices.sentences.reasons import explain
from pbem.notices.sentences.time import describe_time
from pbem.reading.reason import because
from rules.phrase import ENGLISH, Language, Phrase, listed, phrase, phrases
from rules.position import Seat

_NEVER = datetime.max.replace(tzinfo=UTC)
_MOST_SHOWN = 50
"""Matches in one list: an email of hundreds is read by nobody."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list: its number, what names it, and the sentences about whose turn it is and what time is left."""

    number: int
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchGroup:
    """The matches of a list below one heading."""

    heading: str
    rows: tuple[MatchRow, ...]


def title_match(match: Match, viewer: Seat, language: Language = ENGLISH) -> str:
    """Return the number, the game and the opponents of a match."""
    names = listed(match.name(seat) for seat in range(len(match.players)) if seat != viewer)
    said = phrase("Match {number}, {game} vs {names}", number=match.id, game=match.game.title, names=names)
    return said.said(language)


def group_matches(
    matches: Sequence[Match],
    player: Player,
    at: datetime,
    language: Language = ENGLISH,
    *,
    away: Collection[int] = (),
) -> list[MatchGroup]:
    """Return the running matches of ``player``: those that wait for them first, and of all the most urgent first.

    Those that there is no room for are left out: ``count_more`` tells how many. Those that are put ``away`` stand by
    themselves.
    """
    own, others, left, quiet = list[Match](), list[Match](), list[Match](), list[Match]()
    for match in sorted(matches, key=urgency):
        seat = match.seat_of(player)
        if seat in match.position.departed():
            left.append(match)
        elif match.id in away:
            quiet.append(match)
        else:
            (own if match.to_act == seat or (match.awaits_seeds and seat in match.unseeded) else others).append(match)
    groups = (
        (phrase("Your turn:"), own),
        (phrase("Waiting for others:"), others),
        (phrase("You’ve left these, and they go on:"), left),
        (phrase("Put away; a move, or `show` in reply to my emails about one, takes it up again:"), quiet),
    )
    shown, room = list[MatchGroup](), _MOST_SHOWN
    for heading, found in groups:
        if rows := tuple(_describe_match(match, player, at, language) for match in found[:room]):
            shown.append(MatchGroup(heading.said(language), rows))
            room -= len(rows)
    return shown


def count_more(matches: Sequence[Match], language: Language = ENGLISH, *, listed_elsewhere: bool = False) -> str:
    """Return how many matches ``group_matches`` leaves out, and where they are; nothing where there is room for all.

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


def _describe_match(match: Match, player: Player, at: datetime, language: Language) -> MatchRow:
    """Return how a match stands for one of its players."""
    seat = match.seat_of(player)
    if match.awaits_seeds:
        said = [describe_wait(match, seat, language) or describe_turn(match, seat, language)]
        if seat in match.unseeded:
            said.append(phrase("Please answer my email about it with `ready`.").said(language))
    else:
        said = [_say_turn(match, seat, at).said(language), *describe_time(match, seat, at, language)]
    if match.private:
        said.append(phrase("Private.").said(language))
    return MatchRow(match.id, title_match(match, seat, language), tuple(said))


def _say_turn(match: Match, viewer: Seat, at: datetime) -> Phrase:
    """Return whose turn it is, and since when."""
    clock, seat = match.clock, match.to_act
    since = (clock.turned_at if clock else None) or match.changed_at
    began = say_moment(since, match.players[viewer].calendar, at)
    if not isinstance(seat, int):
        return phrase("Nothing has happened since {began}.", began=began)
    if seat == viewer:
        return phrase("It’s been your turn since {began}.", began=began)
    if viewer in match.partners(seat):
        return phrase("It’s been {name}’s turn, for your side, since {began}.", name=match.name(seat), began=began)
    return phrase("It’s been {name}’s turn since {began}.", name=match.name(seat), began=began)


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
