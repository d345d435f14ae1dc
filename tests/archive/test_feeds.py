"""Calendar feeds, read back by a library that calendars are made with."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import permutations
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from pbem.archive.feeds import FeedEvent, feed_keys, feed_text, write_feeds
from pbem.archive.pages import write_if_changed
from pbem.log.redaction import OBEYED
from pbem.mail.compose import Site
from pbem.mail.feed_key import feed_key
from pbem.match.player import Player
from tests.support.club import ADDRESS, SECRET
from tests.support.each import each
from tests.support.examples import examples

BEGAN = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
HOUR, DAY = 3600, 86400
SITE = Site(ADDRESS, SECRET)
EVENT = FeedEvent(
    17,
    "Pipline",
    1,
    8,
    BEGAN,
    BEGAN + timedelta(days=7),
    BEGAN,
    "You have until Friday; then Ann may ask for the win.",
    "https://games.example/matches/17.html",
    (2 * DAY, 12 * HOUR),
)
ANN, BOB = (Player(seat, name, "", frozenset()) for seat, name in enumerate(("Ann", "Bob"), start=1))
HOSTILE = (
    'Ann "the, axe"; \\n Lee',
    "Ann\r\nEND:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x",
    "BEGIN:VEVENT",
    "Ann\x00\x1b[2J\x85\u2028Lee",
    "👩‍👩‍👧‍👦" * 20,
    "\u202eeeL\u2066 nnA",
    "אן לי, מחיפה",
    "x" * 500,
    "é" * 200,
    "\\",
    "Ann:Lee=1^n",
)
WRITTEN = 'aZ0 ,;:\\"\n\r\t^=|é自👩\u200d\u202e\x00'
TEXTS = st.text(st.sampled_from(WRITTEN) | st.characters(codec="utf-8"), max_size=120)


def read(text: str) -> Any:
    """Return the one calendar of a text."""
    return Calendar.from_ical(text)


def events(text: str) -> list[Any]:
    """Return the events of a feed."""
    return list(read(text).walk("VEVENT"))


def alarms(text: str) -> list[timedelta]:
    """Return how long before the deadline the alarms of the only event are."""
    (event,) = events(text)
    return [event.end - (event.start + alarm["TRIGGER"].dt) for alarm in event.walk("VALARM")]


def name_of(text: str) -> str:
    """Return the name of a calendar; the library does not know that it is text, as a summary is."""
    return str(read(text.replace("\r\nNAME:", "\r\nSUMMARY:", 1))["SUMMARY"])


def seen(words: str) -> str:
    """Return words as they can be seen: single blanks, nothing that steers."""
    return " ".join(OBEYED.sub(" ", words).split())


def files(directory: Path) -> dict[str, str]:
    """Return the feeds in a directory by key."""
    return {path.stem: path.read_text("utf-8") for path in directory.glob("calendar/*.ics")}


def test_a_turn_is_an_event_that_ends_at_its_deadline() -> None:
    """All its fields, as a calendar reads them."""
    (event,) = events(feed_text("Bob", [EVENT], "play.example"))
    assert (event.start, event.end) == (EVENT.due_at - timedelta(hours=1), EVENT.due_at)
    assert event["SUMMARY"] == "Your turn: Pipline, match 17"
    assert event["DESCRIPTION"].split("\n")[0] == EVENT.sentence
    assert len(event["DESCRIPTION"].split("\n")) == 2
    assert event["UID"] == "turn-17-1-8@play.example"
    assert event["URL"] == EVENT.url
    assert event["TRANSP"] == "TRANSPARENT"
    assert event["DTSTAMP"].dt == event["LAST-MODIFIED"].dt == BEGAN
    assert 0 < event["SEQUENCE"] < 2**31
    assert "ATTENDEE" not in event
    assert "ORGANIZER" not in event


def test_a_feed_has_a_name_and_says_how_often_to_fetch_it() -> None:
    """What programs show in their list of calendars."""
    calendar = read(feed_text("Bob", [EVENT], "play.example"))
    assert calendar["VERSION"] == "2.0"
    assert calendar["PRODID"]
    assert "Bob" in calendar["NAME"]
    assert calendar["X-WR-CALNAME"] == calendar["NAME"]
    assert calendar["REFRESH-INTERVAL"].dt == timedelta(hours=1)
    assert calendar["X-PUBLISHED-TTL"] == "PT1H"
    assert "METHOD" not in calendar


def test_the_alarms_are_the_steps_of_the_player() -> None:
    """Seconds before the deadline, once each, the longest first; each shows the title."""
    text = feed_text("Bob", [EVENT], "play.example")
    assert alarms(text) == [timedelta(days=2), timedelta(hours=12)]
    assert {alarm["ACTION"] for alarm in read(text).walk("VALARM")} == {"DISPLAY"}
    assert {alarm["DESCRIPTION"] for alarm in read(text).walk("VALARM")} == {"Your turn: Pipline, match 17"}


@each("seconds", [0, 1, 59, 60, 3599, HOUR, HOUR + 1, DAY, DAY + HOUR, DAY + HOUR + 61, 6 * DAY + 5])
def test_an_alarm_is_exact(seconds: int) -> None:
    """Whatever the step is: with days, without, less than an hour, none at all."""
    text = feed_text("Bob", [replace(EVENT, alarms=(seconds, seconds))], "play.example")
    assert alarms(text) == [timedelta(seconds=seconds)]


def test_no_alarm_comes_before_the_turn() -> None:
    """A step longer than the clock had when the turn began reminds of nothing."""
    steps = (7 * DAY, 7 * DAY + 1, 30 * DAY)
    assert alarms(feed_text("Bob", [replace(EVENT, alarms=steps)], "play.example")) == [timedelta(days=7)]


def test_a_moved_deadline_is_the_same_event_and_the_next_turn_another() -> None:
    """A calendar moves the one, and forgets it for the other."""
    resumed = BEGAN + timedelta(hours=5)
    later = replace(EVENT, due_at=EVENT.due_at + timedelta(days=3), starts_at=resumed, changed_at=resumed)
    following = replace(EVENT, ply=10)
    (was,), (moved,), (other,) = (events(feed_text("Bob", [one], "play.example")) for one in (EVENT, later, following))
    assert moved["UID"] == was["UID"] != other["UID"]
    assert moved["SEQUENCE"] > was["SEQUENCE"]
    assert moved["DTSTAMP"].dt > was["DTSTAMP"].dt
    assert moved.end == later.due_at


def test_a_time_of_another_zone_is_the_same_moment() -> None:
    """Everything is written in UTC, whatever zone a time came in."""
    zone = timezone(timedelta(hours=5, minutes=45))
    there = replace(EVENT, due_at=EVENT.due_at.astimezone(zone), starts_at=BEGAN.astimezone(zone))
    assert feed_text("Bob", [there], "play.example") == feed_text("Bob", [EVENT], "play.example")


def test_a_feed_without_turns_is_a_calendar_still() -> None:
    """It has the component that RFC 5545 asks for, and shows nothing."""
    text = feed_text("Bob", [], "play.example")
    assert events(text) == []
    assert len(read(text).subcomponents) == 1


def test_the_same_events_give_the_same_bytes() -> None:
    """In whatever order they come, and whenever: an unchanged file is not written again."""
    turns = [replace(EVENT, match=number, due_at=EVENT.due_at + timedelta(days=number % 2)) for number in (3, 1, 2)]
    assert len({feed_text("Bob", order, "play.example") for order in permutations(turns)}) == 1


def test_many_turns_are_cut_to_the_next_deadlines() -> None:
    """A feed stays small, and loses what is farthest away."""
    turns = [replace(EVENT, match=number, due_at=EVENT.due_at + timedelta(hours=number)) for number in range(1, 1001)]
    found = events(feed_text("Bob", turns[::-1], "play.example"))
    assert [event["UID"] for event in found] == [f"turn-{number}-1-8@play.example" for number in range(1, 201)]


@each("words", HOSTILE)
def test_no_name_breaks_out_of_its_line(words: str) -> None:
    """Neither the name of the reader nor one in a sentence adds a line, an event or a field, or turns the writing."""
    turn = replace(EVENT, sentence=f"{words} waits.", url=f"https://a.example/{words}")
    text = feed_text(words, [turn], "play.example")
    check_form(text)
    calendar = read(text)
    (event,) = calendar.walk("VEVENT")
    shown = seen(words)
    assert name_of(text) == f"{shown}’s board games"
    assert event["DESCRIPTION"].split("\n")[0] == f"{shown} waits."
    assert set(event) == set(events(feed_text("Bob", [EVENT], "play.example"))[0])
    assert len(calendar.subcomponents) == 1
    assert not OBEYED.search(text.replace("\r\n", "\n"))


@examples(250)
@given(TEXTS, TEXTS, TEXTS)
def test_whatever_is_written_is_read_again(name: str, game: str, sentence: str) -> None:
    """Escaped and folded, and back: only outer and doubled blanks, control characters and addresses are lost."""
    name, game, sentence = (each.replace("@", "") for each in (name, game, sentence))
    text = feed_text(name, [replace(EVENT, game=game, sentence=f"- {sentence}", url="")], "play.example")
    check_form(text)
    calendar = read(text)
    (event,) = calendar.walk("VEVENT")
    assert name_of(text) == seen(f"{name}’s board games")
    assert event["SUMMARY"] == seen(f"Your turn: {game}, match 17")
    assert event["DESCRIPTION"].split("\n")[0] == seen(f"- {sentence}")
    assert calendar.walk("VALARM")[0]["DESCRIPTION"] == event["SUMMARY"]


def check_form(text: str) -> None:
    """Assert the form of all lines: CRLF, at most 75 octets, each one whole characters (RFC 5545, 3.1)."""
    *lines, last = text.encode().split(b"\r\n")
    assert last == b""
    for line in lines:
        assert len(line) <= 75
        assert not set(line.decode()) & {"\r", "\n"}


def test_a_feed_holds_no_address() -> None:
    """A name can be one: the domain is cut off, as on every page of the archive."""
    text = feed_text("ann@a.example", [replace(EVENT, sentence="bob@b.example waits.")], "play.example")
    assert "a.example" not in text
    assert "b.example" not in text


def test_every_player_gets_a_file_of_their_own(tmp_path: Path) -> None:
    """Anybody can read it who knows its name, and nobody but the owner can list the names."""
    assert write_feeds([(ANN, []), (BOB, [EVENT])], tmp_path, SITE) == 2
    found = files(tmp_path)
    assert set(found) == {feed_key(ANN.id, 0, SECRET), feed_key(BOB.id, 0, SECRET)}
    assert "Your turn" in found[feed_key(BOB.id, 0, SECRET)]
    assert (tmp_path / "calendar").stat().st_mode & 0o777 == 0o711
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("calendar/*")} == {0o644}
    assert (tmp_path / "calendar" / "index.html").read_bytes() == b""


def test_an_unchanged_feed_is_not_written_again(tmp_path: Path) -> None:
    """A web server can tell calendars that there is nothing new."""
    write_feeds([(BOB, [EVENT])], tmp_path, SITE)
    (path,) = tmp_path.glob("calendar/*.ics")
    before = path.stat()
    assert write_feeds([(BOB, [EVENT])], tmp_path, SITE) == 0
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert write_feeds([(BOB, [])], tmp_path, SITE) == 1


def test_a_new_address_ends_the_feed(tmp_path: Path) -> None:
    """Whoever knows the old one finds nothing there any more, however many there have been."""
    for generation in (0, 1):
        write_feeds([(replace(BOB, generation=generation), [EVENT])], tmp_path, SITE)
    write_if_changed(tmp_path / "calendar" / f"{feed_key(BOB.id, 0, SECRET)}.ics", b"left by a crash")
    write_feeds([(replace(BOB, generation=3), [EVENT])], tmp_path, SITE)
    assert set(files(tmp_path)) == {feed_key(BOB.id, 3, SECRET)}


def test_feeds_of_nobody_are_those_that_were_not_written(tmp_path: Path) -> None:
    """Such as those under an old secret: whoever writes those of all players, in parts, knows which are left."""
    write_feeds([(ANN, []), (BOB, [EVENT])], tmp_path, replace(SITE, secret="the secret before this one"))
    strange = feed_keys(tmp_path)
    write_feeds([(ANN, [EVENT])], tmp_path, SITE, strange)
    write_feeds([(BOB, [])], tmp_path, SITE, strange)
    assert strange == {feed_key(player.id, 0, "the secret before this one") for player in (ANN, BOB)}
    assert set(files(tmp_path)) - strange == {feed_key(player.id, 0, SECRET) for player in (ANN, BOB)}


def test_whose_seat_was_given_to_somebody_else_sees_the_match_no_more(tmp_path: Path) -> None:
    """Their feed stays, without it; that of the new player has it."""
    write_feeds([(ANN, [EVENT])], tmp_path, SITE)
    write_feeds([(ANN, []), (BOB, [EVENT])], tmp_path, SITE)
    found = files(tmp_path)
    assert "match 17" not in found[feed_key(ANN.id, 0, SECRET)]
    assert "match 17" in found[feed_key(BOB.id, 0, SECRET)]
