"""What players keep for themselves: nobody else sees it, in any email, on any page, in anything that is shown."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.commands.ruling import call_off, reinstate
from pbem.running.operator_rulings import rule, seat_another, take_back
from pbem.settings.model import Settings
from pbem.storage.tables import THOUGHT
from tests.support.club import PLAYERS, Club, make_club, settings_in, told
from tests.support.forgetting import be_forgotten
from tests.support.mails import text_of

WORDS = ("zugzwang", "b1, b2")
"""A word of a note, and a line as it is kept."""


@pytest.fixture
def host(tmp_path: Path, blank_database: Path) -> Iterator[Club]:
    """A host with an archive, in whose match of three Ann keeps a note and a line: Bob is Zip, Carl her partner."""
    settings: Settings = settings_in(tmp_path, blank_database)
    settings.archive_dir, settings.archive_url = str(tmp_path / "archive"), "https://games.example"
    club = make_club(settings)
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    club.reply(1, "take\n\nGood luck")
    club.reply(2, "a1\n\nHello")
    club.reply(0, "note zugzwang on the left\ntry b1 b2")
    yield club
    club.service.database.close()


def kept(club: Club) -> int:
    """Return how many thoughts the database has."""
    with club.service.database.reading() as tx:
        return len(tx.thoughts._rows(THOUGHT.select()))


def page(club: Club) -> str:
    """Return the page of the match as it is written now, with its record as text and JSON."""
    asyncio.run(club.service.deliver())
    club.service.write_archive()
    files = sorted(Path(club.service.settings.archive_dir).rglob("*"))
    return "\n".join(file.read_text(errors="replace") for file in files if file.is_file())


def shows(text: str) -> list[bool]:
    """Return of each thought whether a text shows it."""
    return [word in text for word in WORDS]


@pytest.mark.always("a core promise")
def test_nobody_else_sees_what_a_player_keeps(host: Club) -> None:
    """Not opponent, partner or stand-in, who ask for what they keep; not the operator; not the archive."""
    host.reply(1, "tree")
    host.reply(2, "tree\nhistory\nrecord")
    host.reply(0, "b1\n\nHello Bob")
    seat_another(host.service, 1, "Ann", "Dora <dora@d.example>")
    assert told(host.reply(0, "tree")) == [("tree", 0)]
    to_others = [mail for mail in host.queued() if mail.recipient != "ann@a.example"]
    assert not any(any(shows(host.mail(mail).as_string())) for mail in to_others)
    assert not any(any(shows(text_of(host.mail(mail)))) for mail in to_others)
    assert not any(shows(page(host)))
    with host.service.database.reading() as tx:
        arrivals = [row for number in range(1, 20) if (row := tx.inbound.get(number))]
    assert not any(any(shows(f"{row.commands} {row.detail} {row.subject}")) for row in arrivals)
    assert kept(host) == 2


def test_what_a_player_keeps_comes_to_their_own_address(host: Club) -> None:
    """Whoever writes with their reply token; the lines can be written again, since they are quoted as their own."""
    arrival = host.reply(0, "tree")
    (mail,) = arrival.outbound
    assert mail.recipient == "ann@a.example"
    assert all(shows(text_of(host.mail(mail))))
    again = host.reply(0, "b1\n\ntry 3: b1, b2")
    assert again.message.commands == ("b1", "try …")


def test_the_page_shows_it_when_its_player_says_so_after_the_end(host: Club) -> None:
    """And shows it no more when they say so; others keep what they keep."""
    host.reply(1, "note my own secret")
    assert [mail.kind for mail in host.reply(0, "publish").outbound] == ["answer"]
    assert shows(page(host)) == [False, False]
    rule(host.service, 1, call_off)
    assert shows(page(host)) == [False, False]
    host.reply(0, "publish")
    published = page(host)
    assert shows(published) == [True, True]
    assert '<a href="#3:b1,b2">b1, b2</a>' in published
    assert "my own secret" not in published
    host.reply(0, "unpublish")
    assert shows(page(host)) == [False, False]


def test_a_match_that_goes_on_shows_nothing_that_was_published(host: Club) -> None:
    """The operator may let a match go on that was over."""
    rule(host.service, 1, call_off)
    host.reply(0, "publish")
    assert shows(page(host)) == [True, True]
    rule(host.service, 1, lambda match, now: reinstate(match, "void", now))
    assert shows(page(host)) == [False, False]


def test_an_old_email_publishes_nothing_by_itself(host: Club) -> None:
    """Its reader is asked first, at the player's own address; so is whoever answers the last email a month later."""
    old = host.newest(0)
    host.reply(0, "b1")
    rule(host.service, 1, call_off)
    arrival = host.service.hand_in(host.answer(old, "publish"))
    assert (arrival.message.code, [mail.kind for mail in arrival.outbound]) == ("confirm", ["confirm"])
    assert shows(page(host)) == [False, False]
    host.serve(timedelta(days=31))
    late = host.reply(0, "publish")
    assert [mail.kind for mail in late.outbound] == ["confirm"]
    assert [mail.kind for mail in host.reply(0, "publish").outbound] == ["answer"]
    assert shows(page(host)) == [True, True]


def test_forgetting_erases_what_a_player_keeps(host: Club) -> None:
    """Published or not, and from the page as well."""
    rule(host.service, 1, call_off)
    host.reply(0, "publish")
    host.reply(1, "note of Bob")
    be_forgotten(host, "ann@a.example")
    assert kept(host) == 1
    assert shows(page(host)) == [False, False]


def test_what_is_about_moves_that_are_gone_stays_at_what_is_left(host: Club) -> None:
    """As comments do; a line that can no longer be played there is shown, and leads nowhere."""
    host.reply(0, "b1")
    host.reply(1, "b2")
    host.reply(2, "try 5: c1, d1")
    take_back(host.service, 1, 2, None)
    rule(host.service, 1, call_off)
    host.reply(0, "publish")
    host.reply(2, "publish")
    published = page(host)
    assert '<a href="#2:c1,d1">c1, d1</a>' in published
    assert shows(published) == [True, True]
