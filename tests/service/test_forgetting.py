"""Who is forgotten has left nothing behind but moves: neither in the database’s bytes nor in the archive."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.rulings import seat_another
from pbem.service import Arrival
from pbem.settings import Settings
from pbem.storage.tables import FOLLOWER
from tests.support.club import ADDRESS, Club, settings_in
from tests.support.mails import message

WANDA, BOB, CARL = "Wandalina <wanda@zephyr.example>", "Bob <bob@b.example>", "Carl <carl@c.example>"
EMAIL, PHONE = "wanda@zephyr.example", "wanda@quixotic.example"
TRACES = ("wandalina", "zephyr", "quixotic", "balderdash", "hullabaloo", "kerfuffle", "lollygag")
"""Her name, the domains of her addresses, and a word of each of her comments, of her subject and of her seed."""


def write(club: Club, text: str, sender: str = EMAIL, **headers: str) -> Arrival:
    """Hand in a message without a reply token."""
    club.written += 1
    given = {"From": sender, "To": ADDRESS, "Subject": "?", "Message_ID": f"<own-{club.written}@x.example>"} | headers
    return club.service.hand_in(message(text, **given))


def asked(club: Club, sender: str = EMAIL) -> None:
    """Let a player ask to be forgotten, by a message of no match."""
    assert write(club, "forget me", sender).message.status == "accepted"


def confirm(club: Club, text: str = "forget me", **headers: str) -> Arrival:
    """Answer the latest question whether they want that."""
    return club.service.hand_in(club.answer(club.mail(club.queued(kind="forget")[-1]), text, **headers))


def forgotten(club: Club) -> None:
    """Let Wandalina ask for it, confirm it, and let the service do what is due."""
    asked(club)
    assert confirm(club).message.status == "accepted"
    asyncio.run(club.service.deliver())


def players(club: Club) -> list[tuple[str, str]]:
    """Return the names of all players, with their addresses."""
    with club.service.database.reading() as tx:
        return [(player.name, player.email) for player in tx.players.all()]


def found_in(*places: Path) -> dict[str, list[str]]:
    """Return in which files beneath these places a trace of her stands."""
    files = [file for place in places for file in (place.rglob("*") if place.is_dir() else [place]) if file.is_file()]
    assert files
    found = {file.name: file.read_bytes().lower() for file in files}
    return {
        name: here
        for name, content in found.items()
        if (here := [trace for trace in TRACES if trace.encode() in content or trace in file_name(name)])
    }


def file_name(name: str) -> str:
    """Return the name of a file in small letters."""
    return name.lower()


def unpacked(database: Path) -> str:
    """Return all that stands in the database, compressed bytes included."""
    from db.packed import unpack

    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        values = [value for table in tables for row in connection.execute(f"SELECT * FROM {table}") for value in row]
    return "\n".join(unpack(one).decode("latin-1") if isinstance(one, bytes) else str(one) for one in values).lower()


@pytest.fixture
def settings(blank_database: Path, tmp_path: Path) -> Settings:
    """Settings with an archive, which has an address."""
    published = {"archive_dir": str(tmp_path / "archive"), "archive_url": "https://p.example"}
    return settings_in(tmp_path, blank_database).model_copy(update=published)


@pytest.fixture
def busy(club: Club) -> Club:
    """A club in which Wandalina has left traces everywhere: matches of all kinds, a phone, settings, emails."""
    club.open("pipline", (WANDA, BOB))  # 1: over
    club.reply(0, "c3\n\nbalderdash my friend, such a fine day")
    club.reply(1, "resign\n\nwell played")
    club.open("zipline", (BOB, WANDA, CARL), days=3)  # 2: runs, with a word to a partner
    club.reply(0, "d4", match=2)
    club.reply(1, "say: hullabaloo over here everybody", match=2)
    club.open("pipline", (WANDA, CARL), order="lot")  # 3: before the first roll
    club.reply(0, "salt lollygag", match=3)
    club.open("pipline", (WANDA, BOB))  # 4: passed on to Dora
    club.reply(0, "c3\n\nkerfuffle in the kitchen again", match=4)
    seat_another(club.service, 4, "wandalina", "Dora <dora@d.example>")
    club.reply(1, "vacation 3-17 dec; tz Lisbon", match=2)
    with club.service.database.transaction() as tx:
        player = tx.players.find(EMAIL)
        assert player
        tx.players.add_address(player, PHONE)
        tx.forgetting._write(FOLLOWER.insert(), match_id=1, email=EMAIL, since=club.clock.now())
    asyncio.run(club.service.deliver())
    for seat in (0, 2):
        club.reply(seat, "status", match=2)
    write(club, "where is wandalina’s hullabaloo?", PHONE, Subject="balderdash")
    club.service.write_archive()
    asyncio.run(club.service.deliver())
    return club


def database_of(club: Club) -> Path:
    """Return the file of the database."""
    assert club.service.database.file
    return club.service.database.file


def test_nothing_is_left_of_them_in_any_byte(busy: Club) -> None:
    """Neither in the file of the database, nor in its log, nor packed in a row, nor on any page or in its name."""
    file, archive = database_of(busy), Path(busy.service.settings.archive_dir)
    assert all(trace in unpacked(file) for trace in TRACES)
    before = found_in(file, archive)
    assert {trace for traces in before.values() for trace in traces} >= {"wandalina", "balderdash", "hullabaloo"}
    forgotten(busy)
    busy.clock.advance(timedelta(hours=2))
    asyncio.run(busy.service.deliver())
    busy.service.write_archive()
    assert [trace for trace in TRACES if trace in unpacked(file)] == []
    beside = [path for path in file.parent.glob("pbem.db*") if path.stat().st_size]
    assert found_in(*beside, archive) == {}
