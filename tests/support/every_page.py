"""An archive with every kind of page; its names and comments are markup where a page forgets that they are text."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from pbem.archive.lists.index import RUNNING
from pbem.running.operator_rulings import merge_players
from pbem.settings.model import Settings
from rules.games import GAMES
from tests.support.chosen import changed
from tests.support.club import PLAYERS, Club, make_club
from tests.support.leagues import decide
from tests.support.pages import HOSTILE_NAMES
from tests.support.sundays import begin_ladder, begin_league, challenge

RUDE = "</script><script>alert(1)</script> <b onclick=alert(1)>& “so on”</b>\n\n{{ 7 * 7 }} javascript:alert(1)"
"""What somebody writes beside a move."""

KINDS = {
    "index.html": "the first page",
    "index-1.html": "a part of all matches",
    "search.html": "the search",
    "about.html": "the page about the host",
    "key.html": "the page of the key",
    "games/pipelines.html": "a game that was played",
    "games/snipsnip.html": "a game that was not",
    "matches/1.html": "a match that is over",
    "matches/2.html": "a match that goes on",
    "matches/4.html": "a match without a move",
    "matches/1-embed.html": "a match in a frame",
    "players/1.html": "a player",
    "players/1-1.html": "a part of all matches of a player",
    "players/3.html": "a player who wants no page",
    "players/4.html": "a player who turned out to be another one",
    "contests.html": "all ladders and leagues",
    "contests/1.html": "a league",
    "contests/1-1.html": "a season that goes on",
    "contests/2.html": "a ladder",
}
"""A page of each kind, by its path."""


def write_every_page(settings: Settings, directory: Path, *, moves: int = 40) -> Path:
    """Play, and return the directory of the archive; the match that is over had so many moves at most."""
    archive = directory / "archive"
    site = {"archive_dir": str(archive), "archive_url": "https://games.example/archive", "new_matches": "anybody"}
    club = make_club(changed(settings, **site))
    club.service.open("pipelines", PLAYERS, dict(GAMES["pipelines"].short))
    for seat in range(3):
        club.reply(seat, "ready")
    while isinstance(acting := (match := club.match()).to_act, int):
        club.reply(acting, match.position.prompt().example if match.moves_made < moves else "resign")
    club.open()
    club.service.open("zipline", PLAYERS, {"size": 5})
    club.reply(2, "page off", match=3)
    for _ in range(RUNNING + 2):
        club.open()
    club.reply(0, "a1", match=5)
    club.clock.advance(timedelta(minutes=1))
    club.reply(0, f"a1\n\n{RUDE}", match=2)
    club.open(players=("Zoe <zoe@z.example>", "Yan <yan@y.example>"))
    club.reply(0, "seek zipline players=3 size=9", match=2)
    play_contests(club)
    _rename_players(club)
    merge_players(club.service, "4", "1")
    club.service.write_archive()
    club.service.database.close()
    return archive


def play_contests(club: Club) -> None:
    """Let a season of a league be played, and a ladder; in each a match is over."""
    matches = begin_league(club)
    decide(club, club.match(matches[frozenset(("Dora", "Eve"))]), "Eve")
    ladder = begin_ladder(club)
    challenge(club, ladder, "Carl", "Bob")
    decide(club, club.match(challenge(club, ladder, "Eve", "Dora")), "Eve")


def _rename_players(club: Club) -> None:
    """Give players the names that no operator would type; each has another one."""
    file = club.service.database.file
    assert file
    with closing(sqlite3.connect(file)) as connection, connection:
        for number, name in enumerate(HOSTILE_NAMES, 1):
            connection.execute("UPDATE player SET name = ? WHERE id = ?", (name, number))
