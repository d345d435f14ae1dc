"""Standard streams: closed, a pipe, a terminal, or in another locale."""

import json
import os
import pty
import sqlite3
import subprocess
import sys
from base64 import b64encode
from contextlib import closing, redirect_stdout

import pytest

from pbem.cli.app import main
from tests.support.command_line import ANN, Pbem

pytestmark = pytest.mark.slow("most of them start interpreters")

_PROGRAM = "from pbem.cli.app import main; main()"

# Several calls in one process; at its end standard output is a pipe that nobody reads any longer.
_SEVERAL_CALLS = """
import os, sys
from pbem.cli.app import main
for arguments in (line.split("|") for line in sys.stdin.read().splitlines()):
    if arguments == ["nobody reads"]:
        sys.stdout.flush()
        reading, writing = os.pipe()
        os.close(reading)
        os.dup2(writing, 1)
        continue
    try:
        main(arguments)
    except SystemExit as end:
        print(end.code or 0, file=sys.stderr)
"""


def test_another_locale_and_a_pipe_that_nobody_reads_are_no_errors(pbem: Pbem) -> None:
    """In the C locale everything works, and JSON stays whole; ``pbem matches | head`` leads to no traceback.

    At worst a question mark stands for a character.
    """
    calls = ["--help", "open|zipline|J\u00f6rg <joerg@example.org>|Ann", "open|chess|Ann|Bob", "matches", "show|2"]
    calls += ["outbound|list", "export|2", "open|--help", "doctor", "players|--json"]
    calls += ["nobody reads", "matches|--json", "--help"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    done = subprocess.run(
        [sys.executable, "-c", _SEVERAL_CALLS],
        input="\n".join(calls).encode(),
        env=environment | {"LC_ALL": "C", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr
    codes = [int(line) for line in done.stderr.split() if line.isdigit()]
    assert codes[:10] == [0, 0, 64, 0, 0, 0, 0, 0, 1, 0]
    assert len(codes) == 12
    players = json.loads(done.stdout[done.stdout.rindex(b"[\n  {") :])
    assert players[0]["name"] == "J\u00f6rg"
    assert pbem.done("players", "--json").json == players


def test_a_message_is_taken_in_without_standard_output_and_error(pbem: Pbem) -> None:
    """Under a supervisor that closes both, ``pbem receive`` does its work."""
    receive = f"{sys.executable} -c '{_PROGRAM}' receive --json 1>&- 2>&-"
    done = subprocess.run(["sh", "-c", receive], input=pbem.answer(1, "c3"), timeout=30, check=False)
    assert done.returncode == 0
    assert [message["status"] for message in pbem.done("inbound", "list", "--json").json] == ["accepted"]


def test_a_missing_standard_input_is_said(pbem: Pbem) -> None:
    """Where standard input is closed there is nothing to read, and the mail server is to try again."""
    receive = f"{sys.executable} -c '{_PROGRAM}' receive --json 0<&-"
    done = subprocess.run(["sh", "-c", receive], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (75, b"pbem: There is no standard input to read.\n")


def test_the_log_does_not_mix_with_the_answer(pbem: Pbem) -> None:
    """Nothing but the answer is printed to standard output, so that it can be piped into another program."""
    assert len(pbem.done("--verbose", "matches", "--json").json) == 1


OBEYED = "\x1b[31m\x1b]0;title\x07\u202e\u2066\u009b2J\u200f"
"""What colours a terminal, names its window, clears it, and turns round what stands behind."""


def _as_header(text: str) -> str:
    """Return a text as a header may hold it."""
    return f"=?utf-8?b?{b64encode(text.encode()).decode()}?="


def test_nothing_from_a_message_or_server_is_obeyed_by_a_terminal(pbem: Pbem) -> None:
    """Neither escape sequences nor marks that turn the direction of writing are printed, from wherever they come."""
    message = pbem.answer(1, f"c3\nHello {OBEYED}!").replace(b"Subject:", b"X:")
    message = f"Subject: {_as_header(OBEYED)}\nFrom: {_as_header(OBEYED)} <{ANN}>\n".encode() + message.replace(
        b"From:", b"X-From:", 1
    )
    pbem.done("receive", stdin=message)
    pbem("receive", stdin=f"From: {OBEYED} {OBEYED}\nSubject: {OBEYED}\n\nHi\n".encode())
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection:
        connection.execute("UPDATE outbound SET error = ?", [f"550 {OBEYED} no"])
        connection.execute("UPDATE inbound SET detail = ?", [f"{OBEYED}\r\nfine"])
        connection.commit()
    for arguments in (
        *(["inbound", "list"], ["inbound", "show", "1"], ["inbound", "show", "2"]),
        *(["outbound", "list"], ["outbound", "show", "1"], ["outbound", "show", "5"]),
    ):
        for flags in ([], ["--json"]):
            printed = pbem.done(*arguments, *flags).out
            assert not [char for char in printed if not char.isprintable() and char != "\n"], arguments
    assert pbem.done("outbound", "list", "--json").json[0]["error"] == f"550 {OBEYED} no"


def test_raw_bytes_do_no_harm_to_a_terminal(pbem: Pbem) -> None:
    """``--raw`` gives a file or pipe the very bytes, and a person before a screen what can be shown of them."""
    raw = f"From: a@b.example\n\nHi {OBEYED}\n".encode()
    pbem("receive", stdin=raw)
    assert pbem.done("inbound", "show", "1", "--raw").out.encode() == raw
    ours, theirs = pty.openpty()
    with open(theirs, "w", encoding="utf-8") as terminal, redirect_stdout(terminal), pytest.raises(SystemExit):
        main(["inbound", "show", "1", "--raw"])
    seen = os.read(ours, 10_000).decode()
    os.close(ours)
    assert seen.startswith("From: a@b.example\r\n\r\nHi \ufffd[31m")
    assert not {"\x1b", "\u202e", "\u009b"} & set(seen)


def test_nothing_is_cut_in_a_pipe_or_file(pbem: Pbem) -> None:
    """However long an address is, a program that reads a table finds it whole, in one line a row."""
    long = f"x{'-long' * 10}@{'sub.' * 15}example.org"
    pbem.done("open", "pipline", ANN, f"Somebody Else :smile: [bold] <{long}>")
    for arguments, rows in [(["players"], 4), (["matches"], 2), (["outbound", "list"], 5)]:
        lines = pbem.done(*arguments).out.splitlines()
        assert len(lines) == 1 + rows
        assert "…" not in "".join(lines)
    assert long in pbem.done("outbound", "list").out
    assert f"Somebody Else :smile: [bold]  {long}" in pbem.done("players").out
