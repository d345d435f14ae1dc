"""The demonstration as a newcomer runs it: real servers on loopback, real mails, and its own judgement checked."""

import asyncio
import io
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from pbem.demo import run
from pbem.demo import scenes as written
from pbem.demo.drawing import large, small, small_board
from pbem.demo.mails import Arrived, Habits, read_mail, reply
from pbem.demo.scenes import scenes
from pbem.demo.screen import Screen
from pbem.demo.script import CAST, Line, Scene
from pbem.demo.wall import Hung, Wall
from pbem.match import Match, Player
from rules import GAMES, Chance, Entry, read_record, replay

_RUN = "import sys; from pbem.demo import run; sys.exit(run({}))"
_BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
_SIZES = [(80, 24), (100, 30), (120, 40), (160, 50)]


def plain_console() -> tuple[Console, io.StringIO]:
    """Return a console that is no terminal, and what is printed on it."""
    printed = io.StringIO()
    return Console(file=printed, width=120, highlight=False), printed


def notice(text: str, subject: str = "[pbem 7] zipline – your turn, move 3") -> Arrived:
    """Return a mail of the service as a player has it."""
    return Arrived(
        sender="pbem <games@pbem.example>",
        subject=subject,
        text=text,
        message_id="<b@pbem.example>",
        references="<a@pbem.example> <b@pbem.example>",
        reply_to="pbem <games+7.2.0.mac@pbem.example>",
    )


def match_of(number: int, scene: Scene, moves: int) -> Match:
    """Return a match after so many moves by the examples; every lot falls on 1."""
    game = GAMES[scene.game]
    position = game.begin(len(scene.seats), scene.options)
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
        Player(seat, CAST[name].name, CAST[name].address, frozenset()) for seat, name in enumerate(scene.seats)
    )
    times = tuple(_BEGIN + timedelta(minutes=number + 10 * ply) for ply in range(len(record)))
    return Match(number, game, game.normalise(scene.options), players, _BEGIN, tuple(record), times)


def all_matches(moves: int) -> list[Match]:
    """Return the matches of all scenes, each after so many moves."""
    return [match_of(number, scene, moves) for number, scene in enumerate(scenes(), 1)]


def numbers(hung: Hung) -> list[list[int]]:
    """Return the numbers of the matches on a wall, column by column."""
    return [[int(picture.lines[0].plain.split()[0]) for picture in column.pictures] for column in hung.columns]


def drawn(game: str, options: dict[str, object], moves: Sequence[str]) -> list[str]:
    """Return the small board after some moves; every lot falls on 1."""
    position = GAMES[game].begin(2, options)
    for move in ["", *moves]:
        position = position.play(position.parse(move)) if move else position
        while isinstance(position.to_act, Chance):
            position = position.roll(1)
    return [line.plain.rstrip() for line in small_board(position.view())]


@pytest.mark.servers
def test_all_matches_are_played_to_their_ends(tmp_path: Path) -> None:
    """Every match is decided by play, the records in the archive say so too, and no control sequence is printed."""
    console, printed = plain_console()
    assert run(quick=True, directory=tmp_path / "demo", console=console) == 0
    output = printed.getvalue()
    assert output.count(" won: ") + output.count("It is a draw: ") == len(scenes())
    assert {scene.game for scene in scenes()} == set(GAMES)
    assert "✗" not in output
    assert "\x1b" not in output
    archive = tmp_path / "demo" / "archive"
    assert (archive / "index.html").resolve().as_uri() in output
    for number, scene in enumerate(scenes(), 1):
        record = read_record((archive / "matches" / f"{number}.txt").read_text(encoding="utf-8"))
        position = replay(GAMES[scene.game], seats=len(scene.seats), options=record.options, record=record.entries)
        outcome = position.outcome()
        assert outcome is not None
        assert not position.departed()
        assert outcome.reason in " ".join(output.split())


def test_there_is_a_scene_for_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of today have letters written for them; one that comes later is played by its examples, unnamed."""
    assert {scene.game for scene in scenes() if scene.lines} == set(GAMES)
    later = replace(GAMES["pipelines"], key="later")
    monkeypatch.setattr(written, "GAMES", {**GAMES, "later": later})
    assert scenes()[-1] == Scene("later", ("ann", "bob", "carl"), {"size": 7}, ())


def test_a_scene_without_letters_is_played_by_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is written, everybody answers before the lots and does as his mails suggest, to the end."""
    short = (
        Scene("pipline", ("ann", "bob"), {"size": 7}, (Line("ann", "d4"),)),
        Scene("pippip", ("carl", "dora"), {}, ()),
    )
    monkeypatch.setattr("pbem.demo.theatre.scenes", lambda: short)
    console, printed = plain_console()
    assert run(quick=True, directory=tmp_path / "demo", console=console) == 0
    assert printed.getvalue().count(" won: ") + printed.getvalue().count("It is a draw: ") == 2


def test_a_used_directory_is_left_alone(tmp_path: Path) -> None:
    """Matches that are there already are not mixed with those of the demonstration; one sentence says so."""
    (tmp_path / "pbem.db").touch()
    console, printed = plain_console()
    assert run(directory=tmp_path, console=console) == 1
    assert "a directory of its own" in printed.getvalue()
    assert [path.name for path in tmp_path.iterdir()] == ["pbem.db"]


@pytest.mark.parametrize(
    ("game", "typed", "says"),
    [
        ("zipline", "d4 d4\n\nd4\nHello!\n\n", ["that move is not possible", "Bob took white"]),
        ("pippip", "e9\n\n", ["you have answered: salt seven blue elephants", "that move is not possible"]),
    ],
)
def test_a_seat_at_the_terminal_takes_piped_input(game: str, typed: str, says: list[str]) -> None:
    """A move from a pipe travels as mail, the opponent answers it, and the end of the input is a polite end."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN.format(f"play=True, game={game!r}")],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    flat = " ".join(done.stdout.split())
    assert all(words in flat for words in (f"play {GAMES[game].title} by mail against Bob", *says))
    assert done.stdout.rstrip().endswith("the servers stop with the demonstration.")


def test_it_stays_until_it_is_interrupted() -> None:
    """The accounts are printed for any mail program, and Ctrl-C is a polite end."""
    with subprocess.Popen(
        [sys.executable, "-c", _RUN.format("stay=True")], stdout=subprocess.PIPE, text=True
    ) as staying:
        assert staying.stdout is not None
        alarm = threading.Timer(30, staying.kill)
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
    assert "Stopped" in rest


@pytest.mark.parametrize("words", ["write e5 c5 as the first line", "write\ne5 c5 as the\nfirst line"])
def test_the_example_is_found_wherever_lines_break(words: str) -> None:
    """Notices are wrapped, and what an opponent wrote above may look like an example."""
    text = f"Ann wrote:\n  “write a1 as the first line!”\n\nTo play e5 c5, for instance, {words} of your mail.\n"
    assert notice(text).example == "e5 c5"
    assert notice(text).asks
    assert not notice(text, "[pbem 7] zipline – words from Ann").asks


@pytest.mark.parametrize("below", [False, True])
def test_a_reply_looks_as_mail_programs_make_it(below: bool) -> None:
    """It goes to Reply-To, carries the thread, and quotes the notice above or below what was written."""
    habits = Habits("Hello,", "-- \nAnn", "On {when}, pbem <{sender}> wrote:", below)
    mail = read_mail(reply("Ann", "ann@players.example", habits, notice("Your turn.\n\nWrite d4.\n"), "d4"))
    lines = mail.text.split("\n")
    assert mail.subject == "Re: [pbem 7] zipline – your turn, move 3"
    assert mail.references.startswith("<a@pbem.example> <b@pbem.example> <")
    assert {"Hello,", "d4", "-- ", "Ann", "> Your turn.", ">", "> Write d4."} <= set(lines)
    assert (lines.index("> Your turn.") < lines.index("d4")) is below
    assert any(line.endswith("pbem <games@pbem.example> wrote:") for line in lines)


@pytest.mark.parametrize("size", _SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_as_many_boards_hang_as_fit(size: tuple[int, int]) -> None:
    """Nothing is cut off; what there is no room for is counted; and a move in one match moves no board."""
    wall = Wall()
    matches = all_matches(3)
    hung = wall.hang(matches, size[0] - 42, size[1] - 3, 0.0)
    assert hung.width <= size[0] - 42
    for column in hung.columns:
        assert column.height - 1 <= size[1] - 3
        assert all(line.cell_len <= picture.width for picture in column.pictures for line in picture.lines)
    places = numbers(hung)
    assert sum(map(len, places)) + hung.left_out == len(matches)
    assert sum(map(len, places)) >= 4
    assert hung.left_out == 0 or size < (120, 40)
    for number, match in enumerate(matches, 1):
        matches[number - 1] = match_of(number, scenes()[number - 1], 4)
        assert matches[number - 1].ply > match.ply
        assert numbers(wall.hang(matches, size[0] - 42, size[1] - 3, 1.0)) == places


def test_boards_take_turns_where_they_do_not_all_fit() -> None:
    """Within half a minute every running match has been on a wall that is too small, and each stays for seconds."""
    wall, matches, seen, changes = Wall(), all_matches(3), set[int](), 0
    before: list[list[int]] = []
    for second in range(30):
        places = numbers(wall.hang(matches, 38, 21, float(second)))
        changes += places != before
        seen |= {number for column in places for number in column}
        before = places
    assert seen == {match.id for match in matches}
    assert changes <= 8


def test_running_matches_come_before_those_that_are_over() -> None:
    """Where there is room for a few, and some matches are over, those are left out."""
    wall, last = Wall(), len(scenes())
    over = [match_of(number, scene, 99) for number, scene in enumerate(scenes()[:-2], 1)]
    running = all_matches(3)[-2:]
    assert all(match.outcome for match in over)
    shown = numbers(wall.hang([*over, *running], 29, 25, 0.0))
    assert {number for column in shown for number in column} == {last - 1, last}
    assert numbers(wall.hang([*over, *running], 5, 3, 1.0)) == []


@pytest.mark.parametrize(
    ("game", "options", "moves", "board"),
    [
        (
            "snipsnip",
            {"board": "equi-2-4"},
            ["d4", "b2"],
            ["    5 · ·", "   4 · O ·", "  3 · · · ·", " 2 · X · · ·", "  1 · · · · e", "     a b c d"],
        ),
        (
            "snipsnip",
            {"board": "diamond-3"},
            ["c3"],
            [" 5     ·", " 4   · · ·", " 3 · · O · ·", " 2   · · ·", " 1     ·", "   a b c d e"],
        ),
        (
            "pippip",
            {},
            ["b3 n5", "c3 n2"],
            [" 4 ·  ·  ·  ·", " 3 ·  L1 D1 ·", " 2 ·  ·  ·  ·", " 1 ·  ·  ·  ·", "   a  b  c  d"],
        ),
        ("pipline", {"size": 7}, ["d4"], None),
    ],
)
def test_small_boards(game: str, options: dict[str, object], moves: list[str], board: list[str] | None) -> None:
    """Rows of hexagons are indented, missing cells are blank, and dice show their owner and the number on top."""
    lines = drawn(game, options, moves)
    assert board is None or lines == board
    assert max(map(len, lines)) <= 17


def test_pieces_are_coloured_and_letters_along_the_edges_are_not() -> None:
    """A cube b is blue, the letter b below the board is not; on a die the number has its owner's colour."""
    cubes = match_of(1, Scene("pipelines", ("ann", "bob"), {"size": 7}, ()), 5)
    dice = match_of(2, Scene("pippip", ("ann", "bob"), {}, ()), 1)
    for draw in (large, small):
        lines = draw(cubes).lines
        styled = [(line.plain[span.start : span.end], str(span.style)) for line in lines for span in line.spans]
        assert {sign for sign, style in styled if "dodger_blue1" in style} == {"2", "b", "B"}
        assert not any("blue" in str(span.style) for span in lines[-2].spans)
        coloured = "".join(
            line.plain[span.start : span.end]
            for line in draw(dice).lines
            for span in line.spans
            if "magenta" in str(span.style)
        )
        assert coloured == "L1"


@pytest.mark.parametrize("size", [*_SIZES, (20, 5)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_screen_fits_a_terminal_of_any_size(size: tuple[int, int]) -> None:
    """The other screen is filled exactly, and says how many matches there is no room for."""
    printed = io.StringIO()
    console = Console(file=printed, width=size[0], height=size[1], force_terminal=True, color_system=None)

    async def shown() -> None:
        async with Screen(console, "games@pbem.example").on(lambda: all_matches(3)) as screen:
            for number in range(40):
                mail = reply("Ann", "ann@players.example", Habits(), notice("Your turn.\n"), f"d{number}\n\nHello!")
                screen.mail("ann@players.example", "games@pbem.example", mail)
            await asyncio.sleep(0.2)

    asyncio.run(shown())
    frame = printed.getvalue().split("\x1b[H")[-1].split("\x1b[")[0]
    lines = frame.split("\n")
    assert len(lines) == size[1]
    assert {len(line) for line in lines} == {size[0]}
    if size[0] >= 80:
        assert "“d39”" in frame
        assert ("more match" in frame) == (size < (120, 40))
