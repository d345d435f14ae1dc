"""No address that somebody ever had is left when they are forgotten, wherever others wrote it."""

import asyncio
import base64
import quopri
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.asking.forgetting import search_for
from pbem.cli.keep.backup import list_copies
from pbem.running.operator_rulings import (
    change_player_addresses,
    find_stranger,
    find_to_forget,
    forget_player,
    forget_stranger,
    merge_players,
)
from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import Club, settings_in
from tests.support.forgetting import EMAIL, WANDA, unpacked

BOB, CARL, ZOE = "bob@b.example", "carl@c.example", "zoe@z.example"
OLD = "wanda@quixotic.example"
"""An address that the operator has taken from Wandalina."""

_MIXED = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\n'


def of_bob(club: Club, body: str, **headers: str) -> None:
    """Hand in an email of Bob’s at his seat, with a body of his own, which may be encoded."""
    head = club.answer(club.newest(1), "x", **headers).partition(b"\n\n")[0]
    for name in (b"Content-Type", b"Content-Transfer-Encoding", b"MIME-Version"):
        head = b"\n".join(line for line in head.splitlines() if not line.lower().startswith(name.lower()))
    club.service.hand_in(head + b"\n" + body.encode())


def encoded(address: str, encoding: str) -> str:
    """Return a body that names an address, encoded."""
    words = f"say: write to {address}, all of you, as I do whenever there is something to talk about with them."
    packed = base64.encodebytes(words.encode()) if encoding == "base64" else quopri.encodestring(words.encode())
    soft = packed.decode() if encoding == "base64" else packed.decode().replace("@", "=40")
    return (
        f"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n{soft}"
    )


def attached(address: str) -> str:
    """Return a body with an email in it that names an address, encoded twice."""
    inner = base64.encodebytes(f"Subject: hi\n\n{address.upper()}\n".encode()).decode()
    return f"{_MIXED}c3\n--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{inner}--b--\n"


def header_word(text: str, kind: str) -> str:
    """Return a text as an encoded word of a field (RFC 2047)."""
    packed = base64.b64encode(text.encode()).decode() if kind == "b" else text.replace("@", "=40")
    return f"=?utf-8?{kind}?{packed}?="


PLACES: dict[str, Callable[[Club, str], object]] = {
    "comment": lambda club, it: club.reply(1, f"c3\nsay: write to {it} now"),
    "comment in capitals": lambda club, it: club.reply(1, f"say: {it.upper()} or {it.title()}"),
    "note": lambda club, it: club.reply(1, f"note {it} plays well"),
    "quotation": lambda club, it: club.reply(1, f"c3\n\n> From: Wandalina <{it}>\n> c3"),
    "base64": lambda club, it: of_bob(club, encoded(it, "base64")),
    "quoted-printable": lambda club, it: of_bob(club, encoded(it, "quoted-printable")),
    "email within an email": lambda club, it: of_bob(club, attached(it)),
    "HTML": lambda club, it: of_bob(club, f"Content-Type: text/html\n\nhi <b>wanda</b>&#64;{it.partition('@')[2]}"),
    "subject": lambda club, it: club.reply(1, "c3", Subject=f"Re: {it}"),
    "encoded subject": lambda club, it: of_bob(club, "\nc3", Subject=header_word(f"about {it}", "b")),
    "display name": lambda club, it: club.reply(1, "show", From=f'"{it}" <{BOB}>'),
    "encoded display name": lambda club, it: club.reply(1, "show", From=f"{header_word(it, 'q')} <{BOB}>"),
    "carbon copy": lambda club, it: club.reply(1, "c3", Cc=f"Wanda <{it}>"),
    "plus variant": lambda club, it: club.reply(1, f"say: or {it.replace('@', '+games@')} instead"),
    "follower with a plus": lambda club, it: club.write("watch 1", it.replace("@", "+w@")),
    "wish of a player": lambda club, it: club.write(f"new pipline {it}", BOB),
    "wish of a stranger": lambda club, it: club.write(f"new pipline {it}", ZOE),
    "wish to follow": lambda club, it: club.reply(1, f"watch 1 {it}"),
    "command in a match": lambda club, it: club.reply(1, f"standin {it} until 2 dec"),
    "block": lambda club, it: club.reply(1, f"block {it}"),
    "two addresses": lambda club, it: club.reply(1, f"address {it}"),
    "refused line": lambda club, it: club.reply(1, f"c3 and {it} c4?"),
    "web address": lambda club, it: club.reply(1, f"say: mailto:{it.replace('@', '%40')}?subject=x"),
    "bounce": lambda club, it: club.write(f"{it}: user unknown", "mailer-daemon@b.example", Subject="undelivered"),
}
"""Where others may have written an address, or somebody written from it."""


@pytest.fixture
def settings(blank_database: Path, tmp_path: Path) -> Settings:
    """Settings with an archive, which has an address."""
    published = {"archive_dir": str(tmp_path / "archive"), "archive_url": "https://p.example"}
    return changed(settings_in(tmp_path, blank_database), **published)


@pytest.fixture
def old(club: Club) -> Club:
    """A club in which Wandalina once had another address, which wrote, and was written to; Bob is to act."""
    club.open("pipline", (WANDA.replace(EMAIL, OLD), f"Bob <{BOB}>"))
    club.open("pipline", (f"Bob <{BOB}>", f"Carl <{CARL}>"))
    change_player_addresses(club.service, "wandalina", add=[EMAIL], main=EMAIL)
    asyncio.run(club.service.deliver())
    club.write("where is my match?", OLD)
    change_player_addresses(club.service, "wandalina", remove=[OLD])
    club.reply(0, "c3")
    return club


def traces(club: Club) -> list[str]:
    """Return which domains of hers stand in the tables."""
    assert club.service.database.file
    return [trace for trace in ("zephyr", "quixotic") if trace in unpacked(club.service.database.file)]


def send_all(club: Club) -> None:
    """Send what is queued, and let two hours pass in which nothing is written."""
    for _ in range(2):
        asyncio.run(club.service.deliver())
        club.clock.advance(timedelta(hours=2))


@pytest.mark.parametrize("place", PLACES)
def test_no_address_of_somebody_forgotten_is_left(old: Club, place: str) -> None:
    """Neither one of today nor one that the operator took away, wherever somebody wrote it."""
    for address in (OLD, EMAIL):
        PLACES[place](old, address)
    assert traces(old) == ["zephyr", "quixotic"]
    forget_player(old.service, find_to_forget(old.service, EMAIL))
    send_all(old)
    assert traces(old) == []


def test_nor_one_that_others_write_between_the_search_and_the_erasing(old: Club) -> None:
    """While all emails are searched anybody may write."""
    with old.service.database.reading() as tx:
        wanda = tx.players.find(EMAIL)
    assert wanda
    search_for(old.service.database, wanda.id)
    of_bob(old, encoded(OLD, "base64"))
    old.reply(1, f"c3\n\n> From: Wandalina <{OLD}>\n> c3")
    forget_player(old.service, wanda)
    send_all(old)
    assert traces(old) == []


@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("block", "two addresses")])
def test_nor_one_of_a_stranger(club: Club, place: str) -> None:
    """It may only have been named, by others; whoever has it follows nothing, and never wrote."""
    club.open("pipline", (f"Carl <{CARL}>", f"Bob <{BOB}>"))
    club.reply(0, "c3")
    PLACES[place](club, EMAIL)
    found = find_stranger(club.service, EMAIL)
    assert found == EMAIL
    forget_stranger(club.service, found)
    send_all(club)
    assert traces(club) == []
    assert find_stranger(club.service, EMAIL) == ""


def test_files_of_the_database_pages_feeds_log_and_the_next_copy_hold_none(
    old: Club, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even where SQLite has freed the room; copies from before are the operator’s to remove."""
    caplog.set_level("DEBUG")
    service, file = old.service, old.service.database.file
    assert file
    old.reply(1, f"c4\nsay: write to {EMAIL}, or to {OLD}, for ever")
    service.write_archive()
    assert any(b"for ever" in page.read_bytes() for page in (tmp_path / "archive").rglob("*.html"))
    forget_player(service, find_to_forget(service, EMAIL))
    send_all(old)
    service.write_archive()
    service.database.drop_traces()
    copies = tmp_path / "backups"
    copies.mkdir()
    service.database.copy_to(copies / "pbem-20261128-000000.db")
    (newest,) = list_copies(copies)
    files = [
        newest,
        *file.parent.glob("pbem.db*"),
        *(one for one in (tmp_path / "archive").rglob("*") if one.is_file()),
    ]
    left = {one.name for one in files for trace in (b"zephyr", b"quixotic") if trace in one.read_bytes().lower()}
    assert left == set()
    assert [record for record in caplog.messages if "zephyr" in record or "quixotic" in record] == []


@pytest.mark.parametrize(
    ("words", "stays"),
    [
        ("say: ask xwanda@zephyr.example", "xwanda@zephyr.example"),
        ("say: ask wanda@zephyr.example.org", "wanda@zephyr.example.org"),
        ("say: ask wanda.b@zephyr.example", "wanda.b@zephyr.example"),
        ("say: ask b.wanda@zephyr.example", "b.wanda@zephyr.example"),
        ("say: ask wanda@zephyr.examples", "wanda@zephyr.examples"),
        ("say: ask wanda+two@zephyr.example", "wanda+two@zephyr.example"),
        ("say: wanda at zephyr", "wanda at zephyr"),
    ],
)
def test_addresses_of_others_stay(club: Club, words: str, stays: str) -> None:
    """One that only looks like it is another one; and one with a plus may be another player’s."""
    club.open("pipline", (WANDA, f"Bob <{BOB}>"))
    club.open("pipline", ("Two <wanda+two@zephyr.example>", f"Bob <{BOB}>"))
    club.reply(1, words)
    forget_player(club.service, find_to_forget(club.service, EMAIL))
    assert [comment.text for comment in club.match().comments] == [f"{words[5:]}"]
    assert stays in words


def test_an_address_that_is_another_players_by_now_stays_theirs(old: Club) -> None:
    """It was taken from one, and given to the other."""
    change_player_addresses(old.service, "carl", add=[OLD])
    forget_player(old.service, find_to_forget(old.service, EMAIL))
    with old.service.database.reading() as tx:
        found = tx.players.find(OLD)
    assert found
    assert found.emails == {CARL, OLD}


def test_an_address_of_before_is_forgotten_with_whom_its_player_was_merged_into(old: Club) -> None:
    """They are one person."""
    old.open("pipline", ("Wendy <wendy@w.example>", f"Carl <{CARL}>"))
    merge_players(old.service, EMAIL, "wendy")
    forget_player(old.service, find_to_forget(old.service, "wendy"))
    send_all(old)
    assert traces(old) == []


@pytest.mark.parametrize(
    "damage", ["about = '{x'", "asked_at = 'x'", "about = '[]'", "about = '{x wanda@zephyr.example'"]
)
def test_a_damaged_question_stops_no_forgetting(old: Club, damage: str) -> None:
    """What cannot be read is emptied where it names them; otherwise it stays, and can be restored."""
    old.write("sign up", ZOE)
    assert old.service.database.file
    with closing(sqlite3.connect(old.service.database.file)) as connection, connection:
        connection.execute(f"UPDATE question SET {damage}")
    forget_player(old.service, find_to_forget(old.service, EMAIL))
    send_all(old)
    assert traces(old) == []


@pytest.mark.parametrize("damage", ["X'FF' || 'wanda zephyr example'", "CAST(X'FF' || 'wanda zephyr example' AS BLOB)"])
def test_no_email_of_a_stranger_and_no_damage_stops_a_forgetting(old: Club, damage: str) -> None:
    """Not one with a character of more digits than a number may have; nor do damaged words that replies may quote."""
    old.write(f"Hello wanda zephyr.example &#{'1' * 5000};", ZOE)
    old.reply(1, f"c4\nsay: {EMAIL}")
    assert old.service.database.file
    with closing(sqlite3.connect(old.service.database.file)) as connection, connection:
        connection.execute(f"UPDATE outbound SET quotable = {damage} WHERE id = 1")
    assert find_stranger(old.service, "nobody@zephyr.example") == ""
    forget_player(old.service, find_to_forget(old.service, EMAIL))
    send_all(old)
    with closing(sqlite3.connect(old.service.database.file)) as connection:
        assert connection.execute("SELECT quotable FROM outbound WHERE id = 1").fetchall() == [(b"",)]
    assert "wanda@zephyr" not in unpacked(old.service.database.file)


@pytest.mark.parametrize("written", ["wanda@müller.example", '"wanda"@MÜLLER.example', "wanda＠müller.example"])
def test_an_address_in_letters_of_its_own_is_forgotten(club: Club, written: str) -> None:
    """It is stored in ASCII, and others write it as they read it."""
    club.open("pipline", ("Wandalina <wanda@müller.example>", f"Bob <{BOB}>"))
    club.reply(1, f"say: write to {written} now")
    forget_player(club.service, club.match().players[0])
    assert [comment.text for comment in club.match().comments] == ["write to … now"]


def test_an_email_to_others_that_names_them_is_sent_and_then_dropped(old: Club) -> None:
    """Its reader would miss it; nor does a retry by the operator need more than it."""
    old.reply(1, f"c4\nsay: {EMAIL} is hers")
    old.open("pipline", (f"Bob <{BOB}>", f"Carl <{CARL}>"))
    old.reply(0, f"say: {EMAIL} is hers", match=3)
    forget_player(old.service, find_to_forget(old.service, EMAIL))
    assert traces(old) == ["zephyr"]
    asyncio.run(old.service.deliver())
    assert any(b"zephyr" in raw for recipient, raw in old.courier.carried if recipient == CARL)
    send_all(old)
    assert traces(old) == []


def test_what_a_stranger_wrote_of_them_stays_while_its_player_can_say_that_it_was_theirs(old: Club) -> None:
    """It waits to be carried out, for two weeks at most; once it is over, retention drops it like any other."""
    old.reply(1, f"say: {EMAIL}", From="bob@elsewhere.example")
    forget_player(old.service, find_to_forget(old.service, EMAIL))
    send_all(old)
    assert traces(old) == ["zephyr"]
    for _ in old.pass_time(timedelta(days=100)):
        pass
    asyncio.run(old.service.drop_old_bytes(pause=0))
    assert traces(old) == []
