"""The demonstration as a newcomer runs it: real servers on loopback, real mails, and its own judgement checked."""

import io
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rich.console import Console

from pbem.demo import run
from pbem.demo.mails import Arrived, Habits, read_mail, reply
from pbem.demo.script import scenes
from rules import GAMES, read_record, replay

_RUN = "import sys; from pbem.demo import run; sys.exit(run(play='play' in sys.argv, stay='stay' in sys.argv))"


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
        assert not position.left()
        assert outcome.reason in " ".join(output.split())


def test_a_used_directory_is_left_alone(tmp_path: Path) -> None:
    """Matches that are there already are not mixed with those of the demonstration; one sentence says so."""
    (tmp_path / "pbem.db").touch()
    console, printed = plain_console()
    assert run(directory=tmp_path, console=console) == 1
    assert "a directory of its own" in printed.getvalue()
    assert [path.name for path in tmp_path.iterdir()] == ["pbem.db"]


def test_a_seat_at_the_terminal_takes_piped_input() -> None:
    """A move from a pipe travels as mail, the opponent answers it, and the end of the input is a polite end."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN, "play"],
        input="d4 d4\n\nd4\nHello!\n\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "that move is not possible" in done.stdout
    assert "Bob took white" in done.stdout
    assert done.stdout.rstrip().endswith("the servers stop with the demonstration.")


def test_it_stays_until_it_is_interrupted() -> None:
    """The accounts are printed for any mail program, and Ctrl-C is a polite end."""
    with subprocess.Popen([sys.executable, "-c", _RUN, "stay"], stdout=subprocess.PIPE, text=True) as staying:
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
