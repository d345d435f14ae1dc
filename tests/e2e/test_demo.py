"""The demo as a newcomer runs it: real servers on loopback, real emails, and its own judgement checked."""

import asyncio
import io
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from pbem.boards.text import text_board
from pbem.demo.main import play_script, run
from pbem.demo.players import Email, read_email, write_reply
from pbem.demo.script import PEOPLE, Person, ScriptedEmail, ScriptedMatch, list_matches
from pbem.demo.terminal import EmailLog, print_boards
from pbem.match.match import Match
from pbem.match.player import Player
from rules.game import replay
from rules.games import GAMES
from rules.phrase import listed
from rules.position import Chance, Entry
from rules.record import read_record

pytestmark = pytest.mark.slow("runs the program with its servers")

_RUN = "import sys; from pbem.demo.main import run; sys.exit(run({}))"
_BEGIN = datetime(2026, 3, 1, tzinfo=UTC)


def plain_console(width: int = 120) -> tuple[Console, io.StringIO]:
    """Return a console that is no terminal, and what is printed on it."""
    printed = io.StringIO()
    return Console(file=printed, width=width, highlight=False), printed


def notice(text: str, *, turn: bool = True) -> Email:
    """Return an email of the service as a player has it."""
    return Email(
        sender="pbem <games@pbem.example>",
        subject="[pbem 7] Zipline vs Bob",
        text=text,
        message_id="<b@pbem.example>",
        references="<a@pbem.example> <b@pbem.example>",
        reply_to="pbem <games+7.2.0.mac@pbem.example>",
        kind="your_turn" if turn else "move_made",
        turn=turn,
    )


def match_of(number: int, script: ScriptedMatch, moves: int) -> Match:
    """Return a match after so many moves by the examples; every roll is a 1."""
    game = GAMES[script.game]
    position = game.begin(len(script.seats), script.options)
    record: list[Entry] = []
    while (awaited := position.to_act) is not None and moves >= 0:
        if isinstance(awaited, Chance):
            record.append(Entry(None, "1"))
            position = position.roll(1)
        elif moves:
            record.append(Entry(awaited, position.prompt().example))
            position = position.play(position.parse(record[-1].text))
            moves -= 1
        else:
            break
    players = tuple(
        Player(seat, PEOPLE[name].name, PEOPLE[name].address, frozenset()) for seat, name in enumerate(script.seats)
    )
    options = game.normalise(script.options)
    return Match(number, game, options, players, _BEGIN, tuple(record), (_BEGIN,) * len(record))


def test_all_matches_are_played_to_their_ends(tmp_path: Path) -> None:
    """Every match is decided by play, each email has its line, and the records in the archive say so too."""
    console, printed = plain_console()
    ended = run(directory=tmp_path / "demo", console=console)
    output = printed.getvalue()
    assert ended == 0, output
    scripts = list_matches()
    told = re.findall(r"^\d+ .* in \d+ emails\. \S.*\.$", output, re.MULTILINE)  # what decided each match
    assert len(told) == len(scripts)
    assert {script.game for script in scripts} == set(GAMES)
    assert "✗" not in output
    assert "\x1b" not in output
    archive = tmp_path / "demo" / "archive"
    assert (archive / "index.html").resolve().as_uri() in output
    assert "demo --play" in output
    lines = [int(number) for number in re.findall(r"^ +(\d+) +\w+ → \w+", output, re.MULTILINE)]
    assert lines == sorted(lines)
    emails = {
        int(number): int(count) for number, count in re.findall(r"^(\d+) .* in (\d+) emails", output, re.MULTILINE)
    }
    assert Counter(lines) == emails
    for number, script in enumerate(scripts, 1):
        record = read_record((archive / "matches" / f"{number}.txt").read_text(encoding="utf-8"))
        position = replay(GAMES[script.game], seats=len(script.seats), options=record.options, record=record.entries)
        outcome = position.outcome()
        assert outcome is not None
        assert not position.departed()
        assert outcome.story is not None
        winners = listed(script.seats[seat].capitalize() for seat in sorted(outcome.winners))
        assert str(outcome.story.others.about(name=winners)) in output
        assert text_board(position.view()).split("\n")[1] in output


def test_there_is_a_match_of_every_game() -> None:
    """The games of today have a script; one that comes later is played by its examples, at its short options."""
    assert {script.game for script in list_matches() if script.emails} == set(GAMES)
    later = replace(GAMES["pipelines"], key="later")
    assert list_matches({**GAMES, "later": later})[-1] == ScriptedMatch("later", ("ann", "bob", "carl"), {"size": 7})


def test_a_match_without_a_script_is_played_by_the_examples(tmp_path: Path) -> None:
    """Where nothing is written, everybody answers before the rolls and does as their emails suggest, to the end."""
    short = [
        ScriptedMatch("pipline", ("ann", "bob"), {"size": 7}, (ScriptedEmail("ann", "d4"),)),
        ScriptedMatch("pippip", ("carl", "dora"), {}),
    ]
    console, printed = plain_console()
    assert asyncio.run(play_script(console, tmp_path / "demo", short)) == 0
    assert printed.getvalue().count(" moves in ") == 2
    assert "Not over." not in printed.getvalue()


def test_a_script_that_does_not_fit_is_a_failure(tmp_path: Path) -> None:
    """Words for a partner alone where there is none reach nobody: the review finds it, and the exit code says so."""
    wrong = ScriptedMatch("pipline", ("ann", "bob"), {"size": 7}, (ScriptedEmail("ann", "d4\nteam: nobody hears"),))
    console, printed = plain_console()
    assert asyncio.run(play_script(console, tmp_path / "demo", [wrong])) == 1
    assert "✗" in printed.getvalue()
    assert "✓" not in printed.getvalue()


def test_a_used_directory_is_left_alone(tmp_path: Path) -> None:
    """Matches that are there already are not mixed with those of the demo; one sentence says so."""
    (tmp_path / "pbem.db").touch()
    console, printed = plain_console()
    assert run(directory=tmp_path, console=console) == 1
    assert "a directory of its own" in printed.getvalue()
    assert [path.name for path in tmp_path.iterdir()] == ["pbem.db"]


@pytest.mark.parametrize(
    ("game", "typed", "says"),
    [
        ("zipline", "d4 d4\n\nd4\nHello!\n\n", ["that move wasn’t played", r"Robot 1 (took|placed)"]),
        ("zipline", "d4", [r"Robot 1 (took|placed)"]),
        ("pippip", "e9\n\n", ["you’ve answered: salt seven blue elephants", "that move wasn’t played"]),
    ],
)
def test_a_seat_at_the_terminal_takes_piped_input(game: str, typed: str, says: list[str]) -> None:
    """A move from a pipe travels as email, the opponent answers it, and the end of the input is a polite end."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN.format(f"play=True, game={game!r}")],
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    flat = " ".join(done.stdout.split())
    assert all(re.search(words, flat) for words in (f"play {GAMES[game].title} by email against Robot 1", *says))
    assert flat.endswith("the servers stop with the demonstration.")


def test_a_match_that_has_ended_stays_to_be_looked_at() -> None:
    """Its page is named, and is there; so are the other games."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN.format("play=True, game='pipline'")],
        input="resign\n\n",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = re.search(r"file://(\S+)/index\.html", done.stdout)
    assert found is not None
    archive = Path(found[1])
    assert (archive / "matches" / "1.html").is_file()
    shutil.rmtree(archive.parent)
    after = done.stdout[found.end() :]
    assert all(key in after for key in GAMES if key != "pipline")


def test_it_stays_until_it_is_interrupted() -> None:
    """The accounts are printed for any mail program, and Ctrl-C is a polite end."""
    with subprocess.Popen(
        [sys.executable, "-c", _RUN.format("stay=True")], stdout=subprocess.PIPE, text=True
    ) as staying:
        assert staying.stdout is not None
        alarm = threading.Timer(300, staying.kill)
        alarm.start()
        lines = iter(staying.stdout.readline, "")
        head = [next(lines)]
        while "Ctrl-C" not in head[-1]:
            head.append(next(lines))
        staying.send_signal(signal.SIGINT)
        rest, _ = staying.communicate()
        alarm.cancel()
    assert staying.returncode == 0
    assert any("ann@players.example" in line for line in head)
    assert any("IMAP" in line and "port" in line for line in head)
    assert rest.rstrip().endswith("Everything is stopped.")


@pytest.mark.parametrize("words", ["such as e5 c5.", "such\nas e5\nc5 – or tap one."])
def test_the_example_is_found_wherever_lines_break(words: str) -> None:
    """Notices are wrapped, and what an opponent wrote above may look like an example."""
    text = f"Ann wrote:\n  “Write something, such as a1.”\n\nReply with two points, {words}\n"
    assert notice(text).example == "e5 c5"
    assert notice(text).asks
    assert not notice(text, turn=False).asks


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("Reply with one, two or three points, such as c3 or\nc2 d2, or with\ntake.", True),
        ("Reply with one, two or three points, such as c3. You could take it.", False),
        ("Reply with a cell, such as b3 n6. The greater one takes over its neighbour.", False),
        ("> I take one more coffee\n\nReply with a free cell, such as a1.", False),
    ],
)
def test_only_the_offer_of_a_side_is_taken(words: str, offers: bool) -> None:
    """In games with dice and cubes, these take things too; whoever answered that with the word would never move."""
    assert notice(words).offers_side is offers


@pytest.mark.parametrize("below", [False, True])
def test_a_reply_looks_as_mail_programs_make_it(below: bool) -> None:
    """It goes to Reply-To, carries the thread, and quotes the notice above or below what was written."""
    ann = Person("Ann", "Hello,", "-- \nAnn", below=below)
    mail = read_email(write_reply(ann, notice("Your turn.\n\nWrite d4.\n"), "d4"))
    lines = mail.text.split("\n")
    assert mail.subject == "Re: [pbem 7] Zipline vs Bob"
    assert mail.references.startswith("<a@pbem.example> <b@pbem.example> <")
    assert {"Hello,", "d4", "-- ", "Ann", "> Your turn.", ">", "> Write d4."} <= set(lines)
    assert (lines.index("> Your turn.") < lines.index("d4")) is below
    assert any(line.endswith("pbem <games@pbem.example> wrote:") for line in lines)


def test_a_line_shows_what_a_player_wrote() -> None:
    """Greeting, signature and quotation are left out; lines of other matches wait until theirs is shown."""
    console, printed = plain_console()
    log = EmailLog(console, "games@pbem.example")
    raw = write_reply(PEOPLE["ann"], notice("Your turn.\n"), "d4\n\nHello, Bob!")
    log.show(6)
    log.add("ann@players.example", "games+7.2.0.mac@pbem.example", raw)
    assert printed.getvalue() == ""
    log.show(7)
    assert printed.getvalue().split(maxsplit=4) == ["7", "ann", "→", "games", "“d4 / Hello, Bob!”\n"]
    assert (log.from_players, log.from_service) == (1, 0)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_boards_stand_side_by_side_as_far_as_they_fit(width: int) -> None:
    """No line is longer than the terminal is wide, and every board is there as it is in the emails."""
    matches = [match_of(number, script, 3) for number, script in enumerate(list_matches(), 1)]
    console, printed = plain_console(width)
    print_boards(console, matches)
    lines = printed.getvalue().split("\n")
    assert max(map(len, lines)) <= width
    heads = [[int(number) for number in re.findall(r"(?:^| )(\d) (?=[A-Z])", line)] for line in lines]
    assert [number for head in heads for number in head] == [match.id for match in matches]
    assert max(map(len, heads)) == {60: 1, 80: 2, 120: 3, 200: 5}[width]
    for match in matches:
        board = text_board(replace(match.position.view(), captions=(), standing=())).split("\n\n")[0]
        assert all(any(row in line for line in lines) for row in board.rstrip("\n").split("\n"))
