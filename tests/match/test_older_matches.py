"""Matches as earlier versions stored them go on under the rules they began with; the order of turns by lot, by mail."""

import json
import sqlite3
from contextlib import closing

from pbem.match import record_text
from pbem.settings import Settings
from rules import Chance, read_record
from tests.support.club import PLAYERS, Club
from tests.support.mails import text_of


def strip_options(settings: Settings, *names: str) -> None:
    """Take options out of the first match, as if they had not been known when it was opened."""
    with closing(sqlite3.connect(settings.database_url.removeprefix("sqlite:///"))) as connection, connection:
        ((stored,),) = connection.execute("SELECT options FROM match WHERE id = 1").fetchall()
        left = {key: value for key, value in json.loads(stored).items() if key not in names}
        connection.execute("UPDATE match SET options = ? WHERE id = 1", [json.dumps(left)])


def test_a_match_stored_without_a_version_keeps_the_first_rules(club: Club, settings: Settings) -> None:
    """A new match of Pipelines names its version; one that names none is played, and told, as before."""
    club.open("pipelines", size=7)
    assert club.match().options["rules"] == 2
    assert "\nrules: 2\n" in record_text(club.match())
    strip_options(settings, "rules", "order")
    assert not club.match().position.lenient  # type: ignore[attr-defined]  # it is Pipelines
    assert "rules" not in read_record(record_text(club.match())).options
    for seat in (0, 1):
        club.reply(seat, "ready")
    club.reply(0, "show")
    told = " ".join(text_of(club.newest(0)).split())
    standing = [str(sentence) for sentence in club.match().position.view().standing]
    assert standing
    assert [sentence for sentence in standing if sentence not in told] == []


def test_the_order_of_turns_is_drawn_like_any_lot(club: Club) -> None:
    """Players are asked for words first; then whoever was drawn begins, and the record can be checked."""
    club.open("zipline", PLAYERS, order="lot")
    assert club.match().to_act == Chance("order of turns", 6)
    assert club.match().secret
    for seat in (0, 1, 2):
        club.reply(seat, "ready")
    first = club.match().to_act
    assert club.match().position.turn_order()[0] == first
    club.reply(int(str(first)), "take")
    assert club.moves()[1] == "take"
    assert club.match().position.roles()[int(str(first))] == "Zip"
    assert "option order: lot" in record_text(club.match())
