"""The page of a player."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.archive.lists.ledger import Changes, Ledger
from pbem.archive.lists.listing import PAGE
from pbem.archive.lists.players import write_players
from pbem.archive.pages import without_addresses
from pbem.match.endings import Ruling
from pbem.match.match import Match, is_move
from rules.games import GAMES
from tests.support.ledgers import played, random_matches, winners_of
from tests.support.pages import HOSTILE_NAMES, Page


def page(directory: Path, player: int, *matches: Match) -> Page:
    """Return the page of a player of these matches."""
    ledger = Ledger()
    for match in matches:
        ledger.note(match)
    write_players(ledger, directory)
    return Page((directory / "players" / f"{player}.html").read_text("utf-8"))


def test_a_page_tells_of_matches_games_roles_and_others(tmp_path: Path) -> None:
    """It leads to each match, to the rules of each game, and to the pages of the others."""
    found = page(
        tmp_path,
        0,
        played(1, (0, 1), "a1", "take", "b2", "resign"),
        played(2, (2, 0), "a1", "take", "resign"),
        played(3, (0, 1), "a1"),
        played(4, (1, 0), "a1", "resign"),
    )
    assert "Matches: 4, finished: 3, won: 2." in found.text
    assert [link for link in found.links if "matches" in link] == [
        f"../matches/{number}.html" for number in (3, 4, 2, 1)
    ]
    assert {link for link in found.links if "players" in link} == {"../players/1.html", "../players/2.html"}
    assert "Pipline 3 2" in found.text  # played and won
    assert "Bob 2 1 1 0 Carl 1 1 0 0" in found.text  # played, won, lost, on the same side


def test_partners_win_and_lose_together(tmp_path: Path) -> None:
    """Who shares a win has not beaten the other, and a match that was lost on one side was played together, too."""
    won = played(1, (0, 1, 2), "c3", "take", "a1", "a2", "resign", key="zipline")
    lost = played(2, (0, 1, 2), "c3", "take", "resign", "resign", key="zipline")
    assert "Bob 1 1 0 0 Carl 1 0 0 1" in page(tmp_path / "won", 0, won).text
    assert "Bob 2 1 1 0 Carl 2 0 0 2" in page(tmp_path / "both", 0, won, lost).text


def test_a_match_that_was_called_off_counts_for_nobody(tmp_path: Path) -> None:
    """It is listed, without a winner, and in no score."""
    found = page(tmp_path, 0, replace(played(1, (0, 1), "a1", "take"), ruling=Ruling("void")))
    assert "Matches: 1, finished: 1, won: 0." in found.text
    assert "no winner" in found.text
    assert "Roles" not in found.text


def test_scores_are_those_of_a_plain_count(tmp_path: Path) -> None:
    """Of random matches of all games: by game, by role, with each of the others, and moves by month."""
    matches = [
        replace(match, id=100 * game + match.id) for game, key in enumerate(GAMES) for match in random_matches(key, 12)
    ]
    found = page(tmp_path, 0, *matches)
    own = [match for match in matches if any(player.id == 0 for player in match.players)]
    seats = {match.id: [player.id for player in match.players].index(0) for match in own}
    counted = [match for match in own if match.outcome and not match.ruling]
    assert 10 < len(counted) < len(own) < len(matches)

    def score(chosen: list[Match]) -> str:
        return f"{len(chosen)} {sum(seats[match.id] in winners_of(match) for match in chosen)}"

    for key, game in GAMES.items():
        of_game = [match for match in counted if match.game.key == key]
        assert f" {game.title} {score(of_game)} " in found.text
        for role in {match.position.roles()[seats[match.id]] for match in of_game} - {None}:
            chosen = [match for match in of_game if match.position.roles()[seats[match.id]] == role]
            assert f" {role} {game.title} {score(chosen)} " in found.text
    for other in range(1, 5):
        met = [match for match in counted if any(player.id == other for player in match.players)]
        ends, sides = [], []
        for match in met:
            theirs = next(seat for seat, player in enumerate(match.players) if player.id == other)
            sides.append(theirs in match.position.side(seats[match.id]))
            ends.append((seats[match.id] in winners_of(match), theirs in winners_of(match)))
        name = next(player.name for player in met[0].players if player.id == other)
        numbers = (len(met), ends.count((True, False)), ends.count((False, True)), sum(sides))
        assert f" {name} {' '.join(map(str, numbers))} " in found.text
    moves = sum(entry.seat == seats[match.id] and is_move(entry) for match in own for entry in match.record)
    text = (tmp_path / "players" / "0.html").read_text("utf-8")
    assert sum(map(int, re.findall(r"\d{4}-\d{2}: (\d+)</title>", text))) == moves


def test_every_match_of_a_player_is_listed(tmp_path: Path) -> None:
    """Beside what the page shows there are parts, by number; a match that goes on, or is over, changes its own part."""
    ledger = Ledger()
    for number in range(1, 2 * PAGE + 2):
        ledger.note(played(number, (1, 2), "a1", "take", *(["resign"] if number % 3 else [])))
    write_players(ledger, tmp_path)
    pages = {path.name: Page(path.read_text("utf-8")) for path in (tmp_path / "players").iterdir()}
    assert set(pages) == {f"{player}{part}.html" for player in (1, 2) for part in ("", "-1", "-2", "-3")}
    assert "../players/1-3.html" in pages["1.html"].links
    assert pages["1-3.html"].links.count("../players/1-2.html") == 2
    listed = [link for part in (1, 2, 3) for link in pages[f"1-{part}.html"].links if "matches" in link]
    assert sorted(listed) == sorted(f"../matches/{number}.html" for number in range(1, 2 * PAGE + 2))
    before = {path: path.stat().st_ino for path in tmp_path.rglob("*.html")}
    ledger.changes = Changes()
    ledger.note(played(PAGE + 5, (1, 2), "a1", "take", "b2"))
    write_players(ledger, tmp_path)
    written = {path.name for path, inode in before.items() if path.stat().st_ino != inode}
    assert written == {"1.html", "2.html", "1-2.html", "2-2.html"}


def test_the_lists_of_who_wants_no_page_are_gone(tmp_path: Path) -> None:
    """Those of a process before, too; they come again with the page."""
    matches = [played(number, (1, 2), "a1", "take", "resign") for number in range(1, 32)]
    last = matches[-1]
    hidden = last.players[0].preferring(replace(last.players[0].preferences, page=False))
    for ledger in (Ledger(), Ledger()):
        for match in matches:
            ledger.note(match)
        write_players(ledger, tmp_path)
        assert (tmp_path / "players/1-1.html").is_file()
        ledger.note_players([hidden])
        write_players(ledger, tmp_path)
        assert not (tmp_path / "players/1-1.html").exists()
        write_players(ledger, tmp_path)
        ledger.note_players([last.players[0]])
        write_players(ledger, tmp_path)
        assert (tmp_path / "players/1-1.html").is_file()
    other = Ledger()
    for match in matches:
        other.note(replace(match, players=(hidden, match.players[1])))
    write_players(other, tmp_path)
    assert not (tmp_path / "players/1-1.html").exists()
    assert (tmp_path / "players/2-1.html").is_file()
    assert not [link for link in Page((tmp_path / "players/2-1.html").read_text("utf-8")).links if "players/1" in link]


def test_only_pages_of_those_who_played_are_written(tmp_path: Path) -> None:
    """A move costs the pages of the players of its match, however many others there are."""
    ledger = Ledger()
    for number in range(1, 20):
        ledger.note(played(number, (number, number + 1), "a1", "take"))
    assert write_players(ledger, tmp_path) == 20
    ledger.changes = Changes()
    ledger.note(played(3, (3, 4), "a1", "take", "resign"))
    assert write_players(ledger, tmp_path) == 2


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_is_text_on_every_page_that_has_it(name: str, tmp_path: Path) -> None:
    """On the player's own and on those of others; an address loses its domain."""
    match = played(1, (0, 1), "a1", "take", "resign", name=name)
    for player in (0, 1):
        found = page(tmp_path, player, match)
        assert " ".join(without_addresses(name).split()) in found.text
        assert all(link.startswith("../") for link in found.links)
