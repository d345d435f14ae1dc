"""Lists are told page by page: the newest first of all, and how to see the older ones."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest

from pbem.cli.lists import Page, print_list
from pbem.storage.messages.records import DamagedRecord
from tests.support.command_line import ANN, BOB, Pbem
from tests.support.each import each


@pytest.fixture
def three(pbem: Pbem) -> Pbem:
    """Give a service with three running matches."""
    for _ in range(2):
        pbem.done("open", "zipline", ANN, BOB)
    return pbem


def ids(pbem: Pbem, *arguments: str) -> list[int]:
    """Return the numbers of what a command lists."""
    return [one["id"] for one in pbem.done(*arguments, "--json").json]


@pytest.fixture
def several(over: Pbem) -> Pbem:
    """Give a service with three matches, and some of all else that is listed."""
    over.done("open", "zipline", ANN, BOB)
    newest = ids(over, "outbound", "list")[0]
    over.done("receive", "--json", stdin=over.answer(newest, "new pipline c@z.example\nseek pippip", "<4@example.org>"))
    over.done("open", "zipline", ANN, BOB)
    return over


@each("command", ["matches", "players", "inbound list", "outbound list", "offers"])
def test_every_list_has_the_same_pages(several: Pbem, command: str) -> None:
    """The newest on top: ``--limit`` says how many, ``--before`` goes on with the older ones, ``--all`` has all."""
    words = command.split()
    newest = ids(several, *words)[0]
    assert newest > 1
    assert ids(several, *words) == [*range(newest, 0, -1)]
    assert ids(several, *words, "--limit", "1") == [newest]
    assert ids(several, *words, "--limit", "1", "--before", str(newest)) == [newest - 1]
    assert ids(several, *words, "--limit", "1", "--all") == [*range(newest, 0, -1)]
    assert ids(several, *words, "--before", "1") == []
    last = f"There are older ones: “pbem {command} --before {newest}” lists the next, --all all of them."
    assert several.done(*words, "-n", "1").out.splitlines()[-1] == last
    assert "older" not in several.done(*words).out + several.done(*words, "--all", "-n", "1").out
    assert "--before" in several.done(*words, "-n", str(newest - 1)).out
    assert "--before" not in several.done(*words, "-n", str(newest)).out


def test_a_program_misses_nothing() -> None:
    """A table shows the newest 50; JSON is everything, unless a limit is asked for."""
    for limit, everything, as_json, most in (
        (None, False, False, 50),
        (None, False, True, None),
        (7, False, True, 7),
        (7, True, False, None),
    ):
        assert Page(limit, None, everything, as_json).most == most


def test_a_long_list_is_read_and_printed_part_by_part(capsys: pytest.CaptureFixture[str]) -> None:
    """Emails of years don't have to fit into memory, and each is printed before the next is asked for."""
    asked: list[int | None] = []
    printed: list[str] = []

    def listed(*, before: int | None, limit: int) -> list[DamagedRecord]:
        asked.append(before)
        return [DamagedRecord(number) for number in range((before or 1201) - 1, 0, -1)][:limit]

    def watched() -> Iterator[DamagedRecord]:
        for one in found:
            printed.append(capsys.readouterr().out)
            yield one

    found, has_older = Page(None, None, False, True).read_on(listed)
    assert (asked, has_older) == ([], False)
    print_list(watched(), "emails", lambda one: {}, [], json=True)
    assert asked == [None, 701, 201]
    assert all(printed[1:])
    whole = "".join(printed) + capsys.readouterr().out
    assert whole == json.dumps([{"id": number, "status": "damaged"} for number in range(1200, 0, -1)], indent=2) + "\n"


@pytest.mark.parametrize("as_json", [False, True])
def test_a_column_shows_what_programs_get_or_what_a_function_makes_of_it(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Times in UTC, options as they are typed, names with commas; of a damaged record stands what is known."""
    told = {"at": datetime(2026, 5, 1, 12, 30, tzinfo=UTC), "options": {"size": 9, "days": 3}, "names": ["Ann", "Bob"]}
    found: list[int | DamagedRecord] = [7, DamagedRecord(5)]
    print_list(
        found,
        "things",
        lambda one: {"id": one, **told},
        ["id", ("since (UTC)", "at"), ("square", lambda one: one * one), "options", "names"],
        json=as_json,
        has_older=True,
        command="things",
    )
    out = capsys.readouterr().out
    if as_json:
        assert json.loads(out) == [
            {"id": 7, **told, "at": "2026-05-01T12:30:00+00:00"},
            {"id": 5, "status": "damaged"},
        ]
        return
    headings, sound, damaged, older = (line.rstrip() for line in out.splitlines())
    assert headings == "id  since (UTC)       square  options        names"
    assert sound == "7   2026-05-01 12:30  49      size=9 days=3  Ann, Bob"
    assert (damaged, older) == (
        "5",
        "There are older ones: “pbem things --before 5” lists the next, --all all of them.",
    )


@each(
    "arguments",
    [["matches", "--status", "running"], ["offers", "--status", "open"], ["outbound", "list", "--status", "queued"]],
)
def test_the_last_line_asks_for_the_same_again(three: Pbem, arguments: list[str]) -> None:
    """Below the table stands the command for the next page, with the conditions of this one."""
    three.done("receive", "--json", stdin=three.answer(1, "seek pipline\nseek pippip"))
    assert f"“pbem {' '.join(arguments)} --before " in three.done(*arguments, "-n", "1").out


def test_matches_are_listed_by_whether_they_are_over(over: Pbem) -> None:
    """One that is over is no older one of the running matches."""
    over.done("open", "zipline", ANN, BOB)
    assert ids(over, "matches", "--status", "running") == [2]
    assert ids(over, "matches", "--status", "over") == [1]
    assert "older" not in over.done("matches", "--status", "running", "-n", "1").out
    over.refuses("matches", "--status", "open", code=64, says="choose one of running, over")
    over.refuses("offers", "--status", "over", code=64, says="choose one of open, agreed")


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--player", "Ann"], {1}),
        (["--player", f"Ann <{ANN}>"], {1}),
        (["--player", "2"], {2, 3}),
        (["--match", "1"], {1, 2, 3}),
        (["--match", "1", "--player", BOB, "--status", "accepted"], {2, 3}),
        (["--match", "1", "--player", BOB, "--status", "rejected"], set()),
        (["--since", "1d"], {1, 2, 3}),
        (["--since", "2026-05-01", "--limit", "1"], {3}),
        (["--since", "1d", "--before", "3", "--player", "bob"], {2}),
        (["--player", "nobody@x.example"], set()),
    ],
)
def test_messages_are_found_by_player_match_and_time(over: Pbem, arguments: list[str], found: set[int]) -> None:
    """All conditions at once; an address that no player has is looked for, too."""
    assert {*ids(over, "inbound", "list", *arguments)} == found


def test_emails_are_found_by_player_match_and_time(over: Pbem) -> None:
    """Those to any address of the player; other matches of theirs are another matter."""
    over.done("open", "pipline", ANN, BOB)
    everything = over.done("outbound", "list", "--json").json
    to_bob = [one["id"] for one in everything if one["to"] == BOB]
    assert ids(over, "outbound", "list", "--player", "bob") == to_bob
    assert ids(over, "outbound", "list", "--match", "2") == [one["id"] for one in everything if one["match"] == 2]
    assert ids(over, "outbound", "list", "--player", "bob", "--match", "2") == to_bob[:1]
    assert ids(over, "outbound", "list", "--since", "1h") == [one["id"] for one in everything]
    assert ids(over, "outbound", "list", "--since", "1h", "--status", "refused") == []


def test_the_older_ones_are_listed_by_the_same_conditions(over: Pbem) -> None:
    """The last line has them all, as they have to be typed."""
    told = over.done("outbound", "list", "-n", "1", "--player", "Bob", "--match", "1", "--since", "3d").out
    assert "“pbem outbound list --player Bob --match 1 --since 3d --before" in told
    over.done("player", "rename", "Bob", "Robert Roe")
    told = over.done("outbound", "list", "-n", "1", "--player", "Robert Roe").out
    assert "“pbem outbound list --player 'Robert Roe' --before" in told


@each(
    "arguments, says",
    [
        (["--player", "Zoe"], "Nobody here is “Zoe”"),
        (["--player", "@"], "is not an email address"),
        (["--match", "99"], "There is no match 99"),
        (["--since", "yesterday"], "“yesterday” is no time: write a day, such as "),
        (["--since", "2026-02-31"], "“2026-02-31” is no day"),
        (["--since", "0d"], "“0d” is no time"),
    ],
)
@each("command", ["inbound", "outbound"])
def test_what_cannot_be_found_is_told(pbem: Pbem, command: str, arguments: list[str], says: str) -> None:
    """An empty list would say that there are no messages."""
    pbem.refuses(command, "list", *arguments, code=64, says=says)


def test_a_damaged_match_has_the_keys_of_a_sound_one(three: Pbem) -> None:
    """Programs find null where nothing is known, and in ``reason`` what is wrong."""
    with closing(sqlite3.connect("pbem.db")) as connection, connection:
        connection.execute("UPDATE match SET game = 'chess' WHERE id = 2")
    _, damaged, sound = three.done("matches", "--json").json
    assert damaged.keys() == sound.keys()
    known = {key: value for key, value in damaged.items() if value is not None}
    assert known.pop("reason").startswith("its game is “chess”")
    assert known == {"id": 2, "status": "damaged", "options": {}, "seats": [], "put_away": False}
