"""What programs read of the archive as the service keeps it: lists, and everything in one file; nothing private."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.whole import rebuild, write_lines
from pbem.errors import BadFile
from pbem.running.operator_rulings import forget_player, set_private
from tests.support.chosen import changed
from tests.support.club import ADDRESS, PLAYERS, Club, make_club, settings_in
from tests.support.schemas import validator

HIDDEN = ("Zephyrine", "Wanda", "Carl", "sekret", *(f"{letter}.example" for letter in "abcdzw"))
"""Who is in a private match alone, who was forgotten, what was said there, and where people get their email."""


@dataclass(frozen=True)
class Read:
    """The archive of a club, as programs read it."""

    club: Club
    directory: Path

    def matches(self) -> list[dict[str, Any]]:
        """Return all matches of the list."""
        return [json.loads(line) for line in (self.directory / "matches/index.jsonl").read_text("utf-8").splitlines()]

    def load(self, name: str) -> Any:
        """Return what a file tells."""
        return json.loads((self.directory / name).read_text("utf-8"))


@pytest.fixture(scope="module")
def read(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    """Give an archive whose second match was public once, whose third has one without a page, and one forgotten."""
    top = tmp_path_factory.mktemp("programs")
    archive = {"archive_dir": str(top / "archive"), "archive_url": "https://games.example", "new_matches": "anybody"}
    club = make_club(changed(settings_in(top, blank_database), **archive))
    club.open()
    club.open(players=("Zephyrine <zoe@z.example>", "Wanda <wanda@w.example>"))
    club.open("zipline", ("dora@d.example", *PLAYERS[1:]))
    club.reply(0, "a1\n\nsekret", match=2)
    club.service.open("pippip", PLAYERS[:2], {})
    club.reply(0, "page off", match=3)
    club.reply(0, "seek zipline players=3 size=9 days=3", match=1)
    club.service.write_archive()
    assert [one["id"] for one in Read(club, top / "archive").matches()] == [1, 2, 3, 4]
    set_private(club.service, 2, True)
    forget_player(club.service, club.match(3).players[2])
    club.reply(0, "a1 b2", match=1)
    club.service.write_archive()
    yield Read(club, top / "archive")
    club.service.database.close()


def test_each_list_fits_its_schema(read: Read) -> None:
    """And tells what there is."""
    for match in read.matches():
        validator("listed_match")(match)
    validator("players")(read.load("players.json"))
    validator("offers")(read.load("offers.json"))
    assert [(one["name"], one["matches"]) for one in read.load("players.json")["players"]] == [("Ann", 2), ("Bob", 3)]
    (offer,) = read.load("offers.json")["offers"]
    told = {"game": "zipline", "player": "Ann", "seats": 3, "free": 2, "robots": [], "time_control": "days=3"}
    assert offer | told == offer
    assert read.load("offers.json")["address"] == ADDRESS


def test_a_private_match_and_a_forgotten_player_are_in_no_list_any_more(read: Read) -> None:
    """Nor who was in that match alone; who has no page, or no name any more, has no number either."""
    names = [[(seat["player"], seat["name"]) for seat in match["seats"]] for match in read.matches()]
    both = [(1, "Ann"), (2, "Bob")]
    assert names == [both, [(None, "Dora"), (2, "Bob"), (None, "Former player")], both]


def test_nothing_private_is_in_what_leaves(read: Read) -> None:
    """No name, no word, no address, no key of a private match or a calendar, and no secret of rolls to come."""
    match = read.club.match(2)
    hidden = [*HIDDEN, match.page(read.club.service.site.secret).removesuffix(".html"), match.nonce]
    hidden += [read.club.match(4).secret, read.club.service.site.secret]
    whole = "".join(line for line in write_lines(read.directory) if '"base64"' not in line)
    assert [word for word in hidden if word in whole] == []
    assert '"path":"matches/1.html"' in whole


def test_the_archive_is_rebuilt_byte_for_byte(read: Read, tmp_path: Path) -> None:
    """All that anybody can find; what somebody else has put there stays where it is, as does what nobody can find."""
    (read.directory / "matches" / "notes.txt").write_text("sekret")
    lines = list(write_lines(read.directory))
    for line in lines:
        validator("export")(json.loads(line))
    count = rebuild(lines, tmp_path)
    kept = {"private", "calendar", ".made", ".memory", ".lock", "notes.txt"}
    files = {path.relative_to(read.directory) for path in read.directory.rglob("*") if path.is_file()}
    public = {path for path in files if not kept & {*path.parts}}
    assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()} == public
    assert [path for path in public if (tmp_path / path).read_bytes() != (read.directory / path).read_bytes()] == []
    assert count == len(public) > 30


def test_lists_are_left_alone_until_they_change(read: Read) -> None:
    """A move changes none of them, the end of a match that of matches: what a pass costs doesn't grow with them."""
    names = ("matches/index.jsonl", "players.json", "offers.json")
    inodes = []
    for line in ("b2", "resign"):
        before = [(read.directory / name).stat().st_ino for name in names]
        read.club.reply(1, line, match=1)
        read.club.service.write_archive()
        inodes.append([(read.directory / name).stat().st_ino == one for name, one in zip(names, before, strict=True)])
    assert inodes == [[True, True, True], [False, True, True]]
    assert read.matches()[0]["winners"] == [0]


@pytest.mark.parametrize(
    "line",
    [
        '{"path": "../pbem.toml", "text": ""}',
        '{"path": "/etc/passwd", "text": ""}',
        '{"path": "matches/../../x.js", "text": ""}',
        '{"path": "matches/1.html/../../../x", "text": ""}',
        '{"path": ".made", "text": ""}',
        '{"path": "private/aaaaaaaaaaaaaaaaaaaaaaaaaa.html", "text": ""}',
        '{"path": 7}',
        "[]",
        "no JSON",
        "",
    ],
)
def test_a_file_that_leads_elsewhere_is_refused(line: str, tmp_path: Path) -> None:
    """Whoever made it may have meant harm; and one that was cut off is told."""
    with pytest.raises(BadFile):
        rebuild(['{"version":1,"files":1}', *([line] if line else [])], tmp_path / "archive")
    assert [*tmp_path.rglob("*")] == []


@pytest.mark.parametrize("head", ["", '{"version":2,"files":0}', "{}", "[]"])
def test_another_version_is_refused(head: str, tmp_path: Path) -> None:
    """Nobody knows what it means."""
    with pytest.raises(BadFile, match="1"):
        rebuild([head], tmp_path)
