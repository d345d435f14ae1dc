"""A player who wants to be forgotten, and says so by email."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from db.packed import unpack
from pbem.match.player import Player
from pbem.running.service import Arrival
from tests.support.club import ADDRESS, Club
from tests.support.mails import message

WANDA = "Wandalina <wanda@zephyr.example>"
EMAIL = "wanda@zephyr.example"


def write(club: Club, text: str, sender: str = EMAIL, **headers: str) -> Arrival:
    """Hand in a message without a reply token."""
    club.written += 1
    given = {"From": sender, "To": ADDRESS, "Subject": "?", "Message_ID": f"<own-{club.written}@x.example>"} | headers
    return club.service.hand_in(message(text, **given))


def confirm(club: Club, text: str = "forget me", **headers: str) -> Arrival:
    """Answer the latest question whether its reader is to be forgotten."""
    return club.service.hand_in(club.answer(club.mail(club.queued(kind="forget")[-1]), text, **headers))


def be_forgotten(club: Club, sender: str = EMAIL) -> None:
    """Let a player ask for it and confirm it, and let the service do what is due, and an hour later what is left."""
    assert write(club, "forget me", sender).message.status == "accepted"
    assert confirm(club).message.status == "accepted"
    for _ in range(2):
        asyncio.run(club.service.deliver())
        club.clock.advance(timedelta(hours=2))


def is_forgotten(club: Club, number: int = 1) -> bool:
    """Do what is due; return whether the player with this number is forgotten."""
    club.service.run_due()
    return found_player(club, number).forgotten


def found_player(club: Club, number: int = 1) -> Player:
    """Return a player, the first one unless told otherwise."""
    with club.service.database.reading() as tx:
        found = tx.players.get(number)
    assert found is not None
    return found


def unpacked(database: Path) -> str:
    """Return all that stands in the tables of a database, in small letters, compressed bytes as what they hold."""
    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        values = [value for table in tables for row in connection.execute(f"SELECT * FROM {table}") for value in row]
    return "\n".join(unpack(one).decode("latin-1") if isinstance(one, bytes) else str(one) for one in values).lower()
