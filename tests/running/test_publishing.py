"""What is published follows every change of a clock, whatever caused it, and nothing else is touched."""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar as Feed

from pbem.commands.decision import MatchDecision
from pbem.commands.ruling import end_pause, pause_match
from pbem.due.outages import RECEIVES, SENDS, beat, note_outages
from pbem.mail.feed_key import feed_key
from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.match.time.calendar import Absence, Calendar
from pbem.match.timing import deadline_of
from pbem.running.archiving import turn_feeds
from pbem.running.operator_rulings import rule, seat_another
from tests.support.club import ADDRESS, PLAYERS, SECRET, Club
from tests.support.pages import Page

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def archive(club: Club, tmp_path: Path) -> Path:
    """Give the directory of the archive."""
    directory = tmp_path / "archive"
    club.service.settings.archive_dir = str(directory)
    return directory


def shown(archive: Path, number: int = 1) -> list[datetime]:
    """Return the moments on the page of a match that a reader's own zone matters for."""
    page = (archive / "matches" / f"{number}.html").read_text("utf-8")
    return [datetime.fromisoformat(found) for found in re.findall(r'datetime="([^"]+)" data-until', page)]


def listed(archive: Path) -> list[datetime]:
    """Return the same of all pages that list matches."""
    pages = sorted(page for page in archive.rglob("*.html") if page.parent.name != "matches")
    found = re.findall(r'datetime="([^"]+)" data-until', "".join(page.read_text("utf-8") for page in pages))
    return [*map(datetime.fromisoformat, dict.fromkeys(found))]


def feed(archive: Path, player: int, generation: int = 0) -> Any:
    """Return the feed of a player."""
    path = archive / "calendar" / f"{feed_key(player, generation, SECRET)}.ics"
    return Feed.from_ical(path.read_text("utf-8"))


def ends(archive: Path, player: int) -> list[datetime]:
    """Return when the turns end that the feed of a player shows."""
    return [event["DTEND"].dt for event in feed(archive, player).walk("VEVENT")]


def deadline(club: Club, number: int = 1) -> datetime:
    """Return when the time of whoever is to act is over."""
    found = deadline_of(club.match(number))
    assert found
    return found.astimezone(UTC)


def send(club: Club) -> None:
    """Send what is queued."""
    asyncio.run(club.service.deliver())


def publish(club: Club) -> int:
    """Publish what has changed, a while later: nothing is found only since it is recent."""
    club.clock.advance(10 * timedelta(minutes=1))
    return club.service.write_archive()


def in_transaction(club: Club, change: Callable[[Any], object]) -> None:
    """Change something in a transaction."""
    with club.service.database.transaction() as tx:
        change(tx)


def test_the_deadline_is_told_once_the_email_is_sent(club: Club, archive: Path) -> None:
    """Before that no clock runs; the sending changes nothing but the clock, and the next pass tells."""
    club.open()
    club.service.write_archive()
    assert (shown(archive), ends(archive, 1), ends(archive, 2)) == ([], [], [])
    publish(club)
    send(club)
    assert publish(club) > 0
    assert shown(archive) == listed(archive) == ends(archive, 1) == [deadline(club).replace(second=0)]
    assert ends(archive, 2) == []
    publish(club)
    assert publish(club) == 0


def test_a_move_takes_the_event_from_one_feed_to_another(club: Club, archive: Path) -> None:
    """Whoever has moved has nothing more to do; the other has, once the email about it is sent."""
    club.open()
    send(club)
    club.service.write_archive()
    club.reply(0, "a1")
    publish(club)
    assert (ends(archive, 1), ends(archive, 2), shown(archive)) == ([], [], [])
    send(club)
    publish(club)
    assert (ends(archive, 1), ends(archive, 2)) == ([], [deadline(club)])


def test_an_email_that_comes_back_takes_the_deadline_away(club: Club, archive: Path) -> None:
    """No clock runs then, so that neither the page nor the feed says until when."""
    club.open()
    send(club)
    club.service.write_archive()
    clock, now = club.match().clock, club.clock.now()
    assert clock
    in_transaction(club, lambda tx: tx.clocks.halt(1, 0, now, written_at=now, banks=clock.banks))
    publish(club)
    assert (shown(archive), ends(archive, 1)) == ([], [])
    pages = [Page(page.read_text("utf-8")).text for page in archive.rglob("*.html")]
    assert any("waiting for an email to arrive" in page for page in pages)


def test_what_a_player_says_of_their_time_moves_the_deadline(club: Club, archive: Path) -> None:
    """A vacation, in a match where it is their turn and in another that is not even named."""
    club.open()
    club.open()
    send(club)
    club.service.write_archive()
    before = shown(archive, 2)
    away = Absence(club.clock.now() + DAY, club.clock.now() + 4 * DAY)
    player = club.match().players[0]
    in_transaction(club, lambda tx: tx.players.set_calendar(player, Calendar(absences=(away,)), club.clock.now()))
    publish(club)
    assert shown(archive, 2) == shown(archive, 1) == [moment + 3 * DAY for moment in before]
    assert ends(archive, 1) == [deadline(club, 1), deadline(club, 2)]


def test_a_new_address_of_the_feed_and_the_end_of_the_old(club: Club, archive: Path) -> None:
    """``new address`` has nothing to do with any match, and is published all the same."""
    club.open()
    send(club)
    club.service.write_archive()
    player = club.match().players[0]
    club.clock.advance(DAY)
    in_transaction(club, lambda tx: tx.players.revoke_tokens(player, club.clock.now()))
    assert publish(club) == 2
    assert len(feed(archive, 1, generation=1).walk("VEVENT")) == 1
    assert not (archive / "calendar" / f"{feed_key(1, 0, SECRET)}.ics").exists()


def test_a_seat_that_passes_to_another_player_takes_its_turn_along(club: Club, archive: Path) -> None:
    """The former player's calendar shows the match no more, though they are seated in no match that has changed."""
    club.open()
    send(club)
    club.service.write_archive()
    club.clock.advance(DAY)
    seat_another(club.service, 1, "Ann", "Dora <dora@d.example>")
    send(club)
    publish(club)
    assert (ends(archive, 1), ends(archive, 3)) == ([], [deadline(club)])
    assert "Dora plays on for Ann" in Page((archive / "matches" / "1.html").read_text("utf-8")).text


def test_a_roll_on_a_page_is_that_of_whoever_had_the_seat_then(club: Club, archive: Path) -> None:
    """As the move is that stands beside it."""
    club.service.open("pippip", PLAYERS[:2], {})
    for seat in (0, 1):
        club.reply(seat, "ready")
    first = club.match().to_act
    assert isinstance(first, int)
    club.reply(first, str(next(club.match().position.legal_moves())))
    name = club.match().name(first)
    seat_another(club.service, 1, name, "Dora <dora@d.example>")
    club.service.write_archive()
    text = Page((archive / "matches" / "1.html").read_text("utf-8")).text
    assert f"{name} rolled a " in text
    assert "Dora rolled a " not in text


def test_a_pause_of_the_operator_is_published(club: Club, archive: Path) -> None:
    """And its end before its time."""
    club.open()
    send(club)
    club.service.write_archive()
    before = deadline(club).replace(second=0)
    until = club.clock.now() + 10 * DAY
    rule(club.service, 1, lambda match, now: pause_match(match, until, now))
    publish(club)
    assert listed(archive) == [until, before + 10 * DAY]
    rule(club.service, 1, end_pause)
    publish(club)
    assert listed(archive)[0] - before < HOUR


def _pause(match: Match, now: datetime, until: datetime) -> MatchDecision:
    """Return the decision that pauses a match."""
    return pause_match(match, until, now)


def test_the_end_of_a_pause_is_published_when_it_comes(club: Club, archive: Path) -> None:
    """Nothing has changed but the time; a match whose pause goes on is left alone."""
    club.open()
    club.open()
    send(club)
    for number in (1, 2):
        until = club.clock.now() + number * 10 * DAY
        rule(club.service, number, partial(_pause, until=until))
    club.service.write_archive()
    assert [len(shown(archive, number)) for number in (1, 2)] == [3, 3]
    club.clock.advance(9 * DAY)
    club.service.write_archive()
    told: list[tuple[str, int, int]] = []
    club.clock.advance(2 * DAY)
    club.service.write_archive(lambda *progress: told.append(progress))
    assert [progress for progress in told if progress[0] == "matches"] == [("matches", 1, 1)]
    assert [len(shown(archive, number)) for number in (1, 2)] == [2, 3]


def test_everybody_has_a_feed(club: Club, archive: Path) -> None:
    """Also a player without a turn, from the first pass on, and one who joins later."""
    club.open()
    club.service.write_archive()
    assert len(list(archive.glob("calendar/*.ics"))) == 2
    club.clock.advance(DAY)
    club.open("zipline", PLAYERS)
    publish(club)
    assert len(list(archive.glob("calendar/*.ics"))) == 3


def test_time_given_back_after_an_outage_is_published(club: Club, archive: Path) -> None:
    """Not while it goes on, since it gets longer with every pass; then for all clocks that run, once."""
    club.open()
    club.open()
    send(club)
    club.service.write_archive()
    publish(club)
    before = shown(archive)
    assert publish(club) == 0
    in_transaction(club, lambda tx: beat(tx, tx.heartbeats.last(), RECEIVES, club.clock.now()))
    for _ in range(3):
        club.clock.advance(5 * HOUR)
        in_transaction(club, lambda tx: note_outages(tx, club.clock.now()))
        assert club.service.write_archive() == 0
    in_transaction(club, lambda tx: beat(tx, tx.heartbeats.last(), RECEIVES, club.clock.now()))
    in_transaction(club, lambda tx: beat(tx, tx.heartbeats.last(), SENDS, club.clock.now()))
    assert club.service.write_archive() > 0
    assert shown(archive, 1) == shown(archive, 2) == [deadline(club).replace(second=0)]
    assert shown(archive)[0] - before[0] >= 15 * HOUR
    assert len(ends(archive, 1)) == 2
    told: list[tuple[str, int, int]] = []
    club.clock.advance(timedelta(minutes=1))
    club.service.write_archive(lambda *progress: told.append(progress))
    assert told == []


def test_a_reminder_changes_no_page(club: Club, archive: Path) -> None:
    """It is the player's own affair."""
    club.open()
    send(club)
    club.service.write_archive()
    publish(club)
    for _ in club.pass_time(13 * DAY):
        pass
    assert club.queued(kind="reminder")
    told: list[tuple[str, int, int]] = []
    club.service.write_archive(lambda *progress: told.append(progress))
    assert told == []


def test_what_happened_beside_the_moves_is_on_the_page(club: Club, archive: Path) -> None:
    """Time that was given stands between the moves; why somebody is away, and where they live, stands nowhere."""
    club.open()
    send(club)
    club.reply(0, "a1")
    send(club)
    club.reply(0, "give 3d")
    times = {"start": "2026-12-01T00:00:00+13:00", "end": "2026-12-04T00:00:00+13:00", "kind": "emergency"}
    away = LogEntry("absent", 1, times, ply=2, at=club.clock.now())
    one, far = club.match(), Calendar(zone="Pacific/Auckland")
    in_transaction(club, lambda tx: tx.players.set_calendar(one.players[1], far, club.clock.now()))
    in_transaction(club, lambda tx: tx.clocks.add_log(1, [away], None))
    club.reply(1, "b2")
    publish(club)
    text = Page((archive / "matches" / "1.html").read_text("utf-8")).text
    told = ("1 Ann a1", "Ann gave Bob extra time: 3 days", "2 Bob b2", "Bob is away from 1 Dec to 3 Dec")
    places = [text.find(words) for words in told]
    assert places == sorted(places)
    assert -1 not in places
    assert not re.search("vacation|emergency|Auckland", text)


def test_a_feed_has_an_end(club: Club, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a player with ever so many turns it shows those that end next."""
    monkeypatch.setattr(turn_feeds, "_MOST_TURNS", 2)
    for _ in range(4):
        club.open()
        send(club)
        club.clock.advance(timedelta(minutes=1))
    club.service.write_archive()
    assert ends(archive, 1) == [deadline(club, 1), deadline(club, 2)]


def test_the_page_of_a_match_leads_to_the_host(club: Club, archive: Path) -> None:
    """Whoever is to move can email their move from it: the address of the settings is in it, in two parts."""
    club.open()
    club.service.write_archive()
    page = (archive / "matches" / "1.html").read_text("utf-8")
    user, domain = ADDRESS.split("@")
    assert f'"host":["{user}","{domain}"]' in page


def test_a_match_under_way_is_shown_large_before_an_auction(club: Club, archive: Path) -> None:
    """The board that strangers see first shows what the game is about, though another match was moved in last."""
    for number, moves in enumerate(("c3 take a1 b1 b2 c2 d2", "c3"), 1):
        club.open()
        for ply, move in enumerate(moves.split()):
            club.reply(ply % 2, move, match=number)
        club.clock.advance(HOUR)
    club.service.write_archive()
    front = (archive / "index.html").read_text("utf-8")
    assert re.findall(r'<figcaption><a href="matches/(\d+).html">', front) == ["1"]
