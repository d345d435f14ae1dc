"""The calendar feed of each player (iCalendar, RFC 5545): when their turns end, for any calendar to subscribe to.

A feed is a file under a name that nobody can guess. Nothing lists these files: no page links to them, and their
directory can be entered but not listed. The text follows from the events alone, so that an unchanged feed stays as it
is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.archive.pages import close_listing, without_addresses, write_if_changed
from pbem.log.redaction import OBEYED
from pbem.mail.archive_paths import feed_page
from pbem.mail.compose import Site
from pbem.mail.feed_key import feed_key
from pbem.mail.headers import domain_of
from pbem.match.player import Player
from pbem.notices.sentences.feed import describe_feed_reply, name_feed, name_feed_event
from rules.phrase import ENGLISH, Language
from rules.position import Seat

_SHOWN = timedelta(hours=1)
"""How long an event is. It ends at the deadline: a calendar shows when a turn has to be over.

An event without length is drawn as a hair, or as half an hour *after* the deadline; an all-day one hides the hour.
Whoever reads only when it begins is early, never late.
"""
_MOST_EVENTS = 200
"""Events in a feed, the next deadlines first: nobody reads more, and a feed is made anew at each change of one."""
_MOST_EARLIER = 20
"""Earlier feeds of a player that are looked for each time: nobody ends more of them between two passes."""
_REFRESH = "PT1H"  # how often a calendar should fetch the feed; some, such as Google's, decide that by themselves
_LONGEST_LINE = 75  # octets without the line end (RFC 5545, 3.1)
_ESCAPED = re.compile(r"[\\;,\n]")

# A calendar needs at least one component (RFC 5545, 3.6); this one shows nothing.
_NO_EVENTS = (
    "BEGIN:VTIMEZONE",
    "TZID:UTC",
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0000",
    "TZOFFSETTO:+0000",
    "END:STANDARD",
    "END:VTIMEZONE",
)


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """A turn of a player that ends at ``due_at``: the turn after ``ply`` entries, of ``seat`` in a match of ``game``.

    All times are UTC. The turn began at ``starts_at``; ``changed_at`` is when the event last became what it is.
    ``sentence`` tells how long there is and what happens then, ``url`` is the page of the match, or empty. ``alarms``
    are the seconds before the deadline at which the player is reminded.
    """

    match: int
    game: str
    seat: Seat
    ply: int
    starts_at: datetime
    due_at: datetime
    changed_at: datetime
    sentence: str
    url: str = ""
    alarms: tuple[int, ...] = ()


def write_feeds(
    feeds: Iterable[tuple[Player, Sequence[FeedEvent]]], directory: Path, site: Site, others: set[str] | None = None
) -> int:
    """Write the feed of each player, with all their events; return how many files changed. Raises OSError.

    Feeds that a player has lately ended with ``new address`` are removed, and those of who was forgotten. The keys of
    feeds that are written are taken out of ``others``.
    """
    changed = 0
    close_listing(_place(directory))
    for player, events in feeds:
        if type(player.generation) is not int or player.generation < 0:  # a damaged row: there is no such key
            continue
        generations = range(max(0, player.generation - _MOST_EARLIER), player.generation + 1)
        keys = [feed_key(player.id, generation, site.secret) for generation in generations]
        if not player.has_mail:
            changed += sum(remove_feed(key, directory) for key in keys)
            continue
        text = feed_text(player.name, events, domain_of(site.address), site.language)
        changed += write_feed(keys[-1], text, directory)
        changed += sum(remove_feed(key, directory) for key in keys[:-1])
        if others:
            others.discard(keys[-1])
    return changed


def feed_keys(directory: Path) -> set[str]:
    """Return the keys of all feeds that there are."""
    return {path.stem for path in _place(directory).glob("*.ics")}


def write_feed(key: str, text: str, directory: Path) -> bool:
    """Write a feed under its key; return whether it is new. Raises OSError."""
    return write_if_changed(directory / feed_page(key), text.encode())


def remove_feed(key: str, directory: Path) -> bool:
    """Remove the feed with this key; return whether there was one. Raises OSError."""
    with suppress(FileNotFoundError):
        (directory / feed_page(key)).unlink()
        return True
    return False


def feed_text(name: str, events: Sequence[FeedEvent], domain: str, language: Language = ENGLISH) -> str:
    """Return the feed of the player with this ``name``: the same bytes for the same events, in whatever order.

    ``domain`` is that of the service's address; it makes the identity of an event unlike those of other hosts.
    """
    title = _text(name_feed(name, language))
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//board games by email//EN",
        "CALSCALE:GREGORIAN",
        f"NAME:{title}",  # RFC 7986
        f"X-WR-CALNAME:{title}",  # older programs know this one
        f"REFRESH-INTERVAL;VALUE=DURATION:{_REFRESH}",
        f"X-PUBLISHED-TTL:{_REFRESH}",
    ]
    next_first = sorted(events, key=lambda event: (event.due_at, event.match, event.seat))[:_MOST_EVENTS]
    for event in next_first:
        lines += _event_lines(event, domain, language)
    lines += () if next_first else _NO_EVENTS
    lines.append("END:VCALENDAR")
    return "".join(f"{_fold(line)}\r\n" for line in lines)


def _event_lines(event: FeedEvent, domain: str, language: Language) -> Iterator[str]:
    """Yield the lines of one event, not folded yet."""
    begins = event.due_at - _SHOWN
    title = _text(name_feed_event(event.game, event.match, language))
    yield "BEGIN:VEVENT"
    # The next turn is another event; a deadline that moved is the same one.
    yield f"UID:turn-{event.match}-{event.seat}-{event.ply}@{domain}"
    # Not the time of writing: the file would change with every pass.
    yield f"DTSTAMP:{_moment(event.changed_at)}"
    yield f"LAST-MODIFIED:{_moment(event.changed_at)}"
    yield f"SEQUENCE:{int(event.changed_at.timestamp()) // 60}"  # grows; seconds would outgrow an integer in 2038
    yield f"DTSTART:{_moment(begins)}"
    yield f"DTEND:{_moment(event.due_at)}"
    yield f"SUMMARY:{title}"
    yield f"DESCRIPTION:{_text(event.sentence, describe_feed_reply(language))}"
    if event.url:
        yield f"URL:{_clean(event.url)}"
    yield "TRANSP:TRANSPARENT"  # nobody is busy
    for seconds in sorted(set(event.alarms), reverse=True):
        if event.due_at - timedelta(seconds=seconds) < event.starts_at:
            continue  # that was before their turn
        yield "BEGIN:VALARM"
        yield "ACTION:DISPLAY"
        yield f"DESCRIPTION:{title}"
        # Counted from the beginning of the event: not every program knows RELATED=END.
        yield f"TRIGGER:{_duration(int(_SHOWN.total_seconds()) - seconds)}"
        yield "END:VALARM"
    yield "END:VEVENT"


def _moment(at: datetime) -> str:
    """Return a time in UTC (RFC 5545, 3.3.5)."""
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _duration(seconds: int) -> str:
    """Return a duration, negative for one before (RFC 5545, 3.3.6)."""
    days, rest = divmod(abs(seconds), 86400)
    hours, rest = divmod(rest, 3600)
    parts = [(days, "D"), (hours, "H"), (rest // 60, "M"), (rest % 60, "S")]
    date, *time = (f"{count}{unit}" if count else "" for count, unit in parts)
    clock = "".join(time)
    said = f"P{date}T{clock}" if clock else f"P{date or 'T0S'}"
    return f"-{said}" if seconds < 0 else said


def _text(*paragraphs: str) -> str:
    """Return paragraphs as a value of type TEXT (RFC 5545, 3.3.11): neither addresses, nor what steers a reader."""
    text = "\n".join(without_addresses(_clean(paragraph)) for paragraph in paragraphs if paragraph)
    return _ESCAPED.sub(lambda found: "\\n" if found[0] == "\n" else f"\\{found[0]}", text)


def _clean(text: str) -> str:
    """Return ``text`` on one line, without control characters and such as change the direction of writing."""
    return " ".join(OBEYED.sub(" ", text).split())


def _fold(line: str) -> str:
    """Return a line in parts of at most 75 octets, none of which ends within a character (RFC 5545, 3.1)."""
    octets = line.encode()
    parts = []
    start, end = 0, _LONGEST_LINE
    while end < len(octets):
        while octets[end] & 0xC0 == 0x80:  # this octet continues a character
            end -= 1
        parts.append(octets[start:end])
        start, end = end, end + _LONGEST_LINE - 1  # a blank stands before it
    return b"\r\n ".join((*parts, octets[start:])).decode()


def _place(directory: Path) -> Path:
    """Return the directory of all feeds."""
    return (directory / feed_page("any")).parent
