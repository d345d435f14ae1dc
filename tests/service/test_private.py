"""Private matches: what others may find out about them, which is nothing."""

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.archive.lists.index import page_of
from pbem.archive.sitemap import PART
from pbem.mail.archive_paths import PRIVATE, match_key
from pbem.running.operator_rulings import set_private
from tests.support.club import PLAYERS, SECRET, Club, make_club, settings_in
from tests.support.mails import message
from tests.support.pages import Page

URL = "https://games.example"
ZOE = "Zoe <zoe@z.example>"
OURS = frozenset({PRIVATE, "calendar", ".lock", ".made", ".memory"})
"""What nobody may list, and what is for the program alone."""

MakeHost = Callable[[], Club]


@pytest.fixture
def make_host(tmp_path: Path, blank_database: Path) -> Iterator[MakeHost]:
    """Return what makes a host of its own with an archive."""
    clubs: list[Club] = []

    def make() -> Club:
        directory = tmp_path / str(len(clubs))
        directory.mkdir()
        settings = settings_in(directory, blank_database)
        settings.archive_dir, settings.archive_url = str(directory / "archive"), URL
        clubs.append(make_club(settings))
        return clubs[-1]

    yield make
    for club in clubs:
        club.service.database.close()


@pytest.fixture
def host(make_host: MakeHost) -> Club:
    """A host with an archive."""
    return make_host()


def directory_of(club: Club) -> Path:
    """Return the directory of the archive of a host."""
    return Path(club.service.settings.archive_dir)


def files(club: Club, leave_out: frozenset[str] = OURS) -> dict[str, bytes]:
    """Return what an archive has, by path, but what lies below those to ``leave_out``."""
    top = directory_of(club)
    paths = {path.relative_to(top): path for path in top.rglob("*") if path.is_file()}
    return {str(own): path.read_bytes() for own, path in paths.items() if own.parts[0] not in leave_out}


def hidden(club: Club) -> set[str]:
    """Return the names of all that the archive has of private matches."""
    return {path.name for path in (directory_of(club) / PRIVATE).glob("*") if path.name != "index.html"}


def publish(club: Club) -> None:
    """Write the archive, a while later, pass after pass until nothing is left to do."""
    club.clock.advance(timedelta(minutes=10))
    while club.service.write_archive():
        pass


def play(club: Club, private: bool) -> None:
    """Play three matches: the second, ``private`` or not, is the one of Zoe, and the longest."""
    club.open()
    club.service.open("pipline", (PLAYERS[0], ZOE), {"size": 5}, private=private)
    for match, moves in ((1, ("b2", "take", "c3")), (2, ("a1", "take", "c3", "d4", "e5\nWell played, dear rival."))):
        for seat, move in enumerate((*moves, "resign")):
            assert club.reply(seat % 2, move, match=match).message.status == "accepted"
    club.open()
    club.clock.advance(timedelta(hours=1))


def forget_second(club: Club) -> None:
    """Take the second match out of the database, as if it had never been."""
    file = club.service.database.file
    assert file
    with closing(sqlite3.connect(file)) as connection, connection:
        for table, column in (("match", "id"), ("place", "match_id"), ("clock", "match_id")):
            connection.execute(f"DELETE FROM {table} WHERE {column} = 2")


def restart(club: Club) -> Club:
    """Return the same host after a restart; its database is closed with the former one's."""
    club.service.database.close()
    return make_club(club.service.settings, clock=club.clock)


def open_hidden(club: Club) -> Club:
    """Open the second match as a private one."""
    play(club, private=True)
    publish(club)
    return club


def hide_at_once(club: Club) -> Club:
    """Make the second match private while the service runs that has published it."""
    play(club, private=False)
    club.service.write_archive()
    set_private(club.service, 2, True)
    publish(club)
    return club


def hide_meanwhile(club: Club) -> Club:
    """Make it private while the service stands still."""
    play(club, private=False)
    club.service.write_archive()
    set_private(club.service, 2, True)
    again = restart(club)
    publish(again)
    again.service.database.close()
    return again


@pytest.mark.parametrize("become", [open_hidden, hide_at_once, hide_meanwhile])
def test_nothing_outside_its_own_directory_tells_of_a_private_match(
    make_host: MakeHost, become: Callable[[Club], Club]
) -> None:
    """Byte for byte the archive is that of a host on which it was never played, whenever it became private."""
    one, other = become(make_host()), make_host()
    play(other, private=False)
    forget_second(other)
    publish(other)
    found, wanted = files(one), files(other)
    assert sorted(found) == sorted(wanted)
    assert [path for path, content in found.items() if content != wanted[path]] == []
    key = match_key(2, SECRET)
    assert hidden(one) == {f"{key}.{kind}" for kind in ("html", "txt", "json", "sgf", "record.json", "atom")}
    assert not any(word in content for content in found.values() for word in (b"Zoe", b"rival", key.encode()))


def test_the_last_match_leaves_no_page_of_the_index_behind(make_host: MakeHost) -> None:
    """Not even an empty one, nor a part of the search or of the sitemap, whose numbers would tell of it."""
    club = make_host()
    club.open()
    last = PART + 1
    file = club.service.database.file
    assert file
    with closing(sqlite3.connect(file)) as connection, connection:
        for table, column, others in (
            (
                "match",
                "id",
                "game, seats, options, opened_at, changed_at, secret, standing, rewound, private, nonce, team_told,"
                " rated, seconded",
            ),
            ("place", "match_id", "seat, player_id"),
        ):
            connection.execute(
                f"INSERT INTO {table} ({column}, {others}) SELECT ?, {others} FROM {table} WHERE {column} = 1", (last,)
            )
    publish(club)
    page = page_of(last)
    assert {f"index-{page}.html", f"search/matches-{page}.js", "sitemap-2.xml"} <= files(club).keys()
    set_private(club.service, last, True)
    publish(club)
    other = make_host()
    other.open()
    publish(other)
    assert files(club) == files(other)


def test_a_match_that_is_public_again_is_as_it_was(make_host: MakeHost) -> None:
    """Its hidden pages are gone, and the archive is that of a host on which it was public all the time."""
    one, other = make_host(), make_host()
    for club in (one, other):
        play(club, private=club is one)
    one.service.write_archive()
    assert hidden(one)
    set_private(one.service, 2, False)
    publish(one)
    publish(other)
    assert hidden(one) == set()
    assert files(one) == files(other)


def test_its_page_is_kept_out_of_search_engines_and_cards(host: Club) -> None:
    """It names no other site where one came from, has no picture of itself, and leads to its own files alone."""
    open_hidden(host)
    key = match_key(2, SECRET)
    page = (directory_of(host) / PRIVATE / f"{key}.html").read_text("utf-8")
    metas = dict(re.findall(r'<meta name="(\w+)" content="([^"]*)">', page))
    assert set(metas["robots"].split(", ")) >= {"noindex", "nofollow"}
    assert metas["referrer"] == "no-referrer"
    assert not re.search("og:|twitter:|oembed|iframe", page)
    for link in Page(page).links:
        assert (directory_of(host) / PRIVATE / link).is_file(), link
    assert "dear rival" in page


def test_nobody_lists_what_is_hidden(host: Club) -> None:
    """Neither another user of the machine nor a web server: the directory can be entered, and not read."""
    open_hidden(host)
    place = directory_of(host) / PRIVATE
    assert place.stat().st_mode & 0o777 == 0o711
    assert (place / "index.html").read_bytes() == b""


def test_its_players_get_the_hidden_address_alone(host: Club) -> None:
    """In their emails, and in their calendars."""
    match = host.service.open("pipline", (PLAYERS[0], ZOE), {"size": 5}, private=True)
    host.reply(0, "a1")
    asyncio.run(host.service.deliver())
    host.reply(1, "status")
    publish(host)
    own = f"{URL}/{PRIVATE}/{match_key(match.id, SECRET)}.html"
    for mail in host.queued():
        parts = [part.get_content() for part in host.mail(mail).walk() if part.get_content_maintype() == "text"]
        assert not any("/matches/" in part for part in parts)
        assert any(own in part for part in parts), mail.kind
    feeds = (directory_of(host) / "calendar").glob("*.ics")
    shown = "".join(path.read_text("utf-8").replace("\r\n ", "") for path in feeds)
    assert f"URL:{own}" in shown
    assert "/matches/" not in shown


@pytest.mark.parametrize("words", ["status 2", "show 2", "help", "a1", "resign", "2", "record 2"])
@pytest.mark.parametrize("sender", ["stranger@s.example", "bob@b.example"])
def test_asking_for_a_private_match_by_email_finds_nothing_out(host: Club, sender: str, words: str) -> None:
    """Whoever has no seat in it is answered as about a number that no match has."""
    host.open()
    host.service.open("pipline", (PLAYERS[0], ZOE), {"size": 5}, private=True)

    def ask(number: int) -> list[object]:
        token = f"games+{number}.0.0.aaaaaaaaaa@play.example"
        text = words.replace("2", str(number))
        raw = message(text, From=sender, To=token, Subject=f"Re: [pbem {number}]", Message_ID=f"<{number}@s.example>")
        found = host.service.hand_in(raw)
        bodies = [host.mail(mail).get_body(("plain",)) for mail in found.outbound]
        texts = [body.get_content().replace(str(number), "#") for body in bodies if body]
        if sender != "bob@b.example":  # so that the answer to the first does not use up that to the second
            host.clock.advance(timedelta(days=31))
        return [found.message.status, found.message.reason, found.message.code, texts]

    assert str(ask(2)).replace("7", "#") == str(ask(7)).replace("2", "#")


def test_a_lost_wish_hides_a_match(host: Club) -> None:
    """Of what the database does not say is public nothing is shown."""
    play(host, private=False)
    file = host.service.database.file
    assert file
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE match SET private = 7 WHERE id = 2")
    publish(host)
    assert not any(b"Zoe" in content for content in files(host).values())


def test_a_comment_that_quotes_an_email_shows_no_hidden_address(host: Club) -> None:
    """Not to the readers of another match, whose page is public."""
    host.service.open("pipline", (PLAYERS[0], ZOE), {"size": 5}, private=True)
    host.open()
    key = match_key(1, SECRET)
    host.reply(0, f"a1\nLook at {URL}/{PRIVATE}/{key}.html and {key}.txt", match=2)
    publish(host)
    assert "Look at" in (directory_of(host) / "matches" / "2.html").read_text("utf-8")
    assert not any(key.encode() in content for content in files(host).values())
