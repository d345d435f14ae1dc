"""The command line keeps its contract: every command, every exit code, one sentence for what will not do."""

import asyncio
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from typing import Any

import pytest
import typer

import rules
from pbem.cli import app
from pbem.demo.servers import DemoServers
from tests.cli.conftest import ANN, BOB, CARL, GAMES, Pbem, dump

COMMANDS = (
    *("demo", "init", "run", "open", "matches", "show", "players", "receive", "poll", "deliver", "export", "verify"),
    *("inbound list", "inbound show", "inbound retry", "outbound list", "outbound show", "outbound retry"),
    *("archive", "doctor", "backup", "db upgrade"),
)


@pytest.fixture
def closed_port() -> int:
    """Give a port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _commands(group: Any, above: str = "") -> dict[str, Any]:
    """Return every command, by its words."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        found |= _commands(command, f"{above}{name} ") if hasattr(command, "commands") else {f"{above}{name}": command}
    return found


def test_there_is_every_command_and_no_other() -> None:
    """The commands are those that are promised, each with a sentence that says what it does."""
    found = _commands(typer.main.get_command(app))
    assert set(found) == set(COMMANDS)
    assert all(command.help and command.help.partition("\n")[0].rstrip().endswith(".") for command in found.values())


@pytest.mark.parametrize("command", ["", *COMMANDS, "inbound", "outbound", "db"])
def test_every_command_has_help(bare: Pbem, command: str) -> None:
    """``--help`` behind any command explains it, and needs no settings."""
    run = bare.done(*command.split(), "--help")
    assert f"Usage: pbem {command}".strip() in run.out
    assert bare.state() == {}


def test_help_imports_nothing_heavy() -> None:
    """Whoever asks for help does not wait for a database library."""
    code = "import sys, pbem.cli; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"sqlmodel", "sqlalchemy", "pydantic", "aioimaplib", "aiosmtplib", "apscheduler", "pymap"} & set(loaded)


def test_the_version_can_be_asked_for(bare: Pbem) -> None:
    """``pbem --version`` prints the version of the package."""
    assert re.fullmatch(r"pbem \d+\.\d+\.\d+\n", bare.done("--version").out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["opne"],
        ["open", "zipline"],
        ["matches", "--jsno"],
        ["export", "one"],
        ["inbound", "show", "1.5"],
        ["inbound", "list", "--limit", "0"],
        ["outbound", "list", "--limit", "99999999999999999999"],
        ["inbound", "frobnicate"],
    ],
    ids=" ".join,
)
def test_a_mistyped_command_is_explained(pbem: Pbem, arguments: list[str]) -> None:
    """A command, option or number that does not exist is told on standard error, and nothing is done."""
    before = pbem.state()
    run = pbem(*arguments)
    assert (run.code, run.out) == (64, "")
    assert "Error" in run.err
    assert "Traceback" not in run.err
    assert pbem.state() == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess", ANN, BOB], "There is no game “chess”; there are: pipline, zipline"),
        (["zipline", ANN], "2 or 3 players, not 1"),
        (["pipline", ANN, BOB, CARL], "2 players, not 3"),
        (["zipline", ANN, BOB, CARL, "dora@example.org"], "2 or 3 players, not 4"),
        (["zipline", ANN, BOB, "-o", "size=4"], "“4” will not do for size: it must be a whole number from 5 to 19"),
        (["zipline", ANN, BOB, "-o", "size=20"], "“20” will not do for size"),
        (["zipline", ANN, BOB, "-o", "size=big"], "“big” will not do for size"),
        (["zipline", ANN, BOB, "-o", "size="], "“” will not do for size"),
        (["zipline", ANN, BOB, "-o", "colour=red"], "no option “colour”; its options are: size"),
        (["pipline", ANN, BOB, "-o", "freestyle=yes"], "no option “freestyle”"),
        (["zipline", ANN, BOB, "-o", "size"], "“size” is no option: write it as name=value"),
        (["zipline", ANN, BOB, "-o", "=9"], "“=9” is no option"),
        (["zipline", ANN, "bob@"], "“bob@” is no mail address; one looks like ann@example.org"),
        (["zipline", ANN, "Bob <bob>"], "Nobody here is called “Bob <bob>”"),
        (["zipline", ANN, "bob@example.org, carl@example.org"], "is no mail address"),
        (["zipline", ANN, "bob@exam\nple.org"], "is no mail address"),
        (["zipline", ANN, "Bób@example.org"], "is no mail address"),
        (["zipline", ANN, f"x@y <{BOB}>"], "“x@y” is no name"),
        (["zipline", ANN, "Dora"], "Nobody here is called “Dora”; give an address"),
        (["zipline", ANN, ""], "Nobody here is called “”"),
        (["zipline", ANN, ANN], f"Ann ({ANN}) is named twice"),
        (["zipline", ANN, BOB, "ann"], f"Ann ({ANN}) is named twice"),
        (["zipline", "new@example.org", "New <NEW@example.org>"], "(new@example.org) is named twice"),
        (["zipline", ANN, GAMES], "is the address of this service itself"),
        (["zipline", ANN, f"Games <{GAMES.upper()}>"], "is the address of this service itself"),
        (["zipline", ANN, "games+1.0.0.abc@example.org"], "is the address of this service itself"),
        (["zipline", ANN, "\udcff\udcfe@example.org"], "is not text in UTF-8"),
    ],
    ids=lambda value: " ".join(value).encode("ascii", "replace").decode() if isinstance(value, list) else "",
)
def test_a_match_that_cannot_be_opened_leaves_nothing_behind(pbem: Pbem, arguments: list[str], says: str) -> None:
    """What is wrong with a new match is one sentence, and no player, match or mail is left of it."""
    pbem.refuses("open", *arguments, code=64, says=says)


def test_a_name_beside_the_services_own_address_can_play(pbem: Pbem) -> None:
    """An address that only begins or ends like the service's own is somebody else's."""
    run = pbem.done("open", "zipline", "games@sub.example.org", "games+chess@other-example.org", "--json")
    assert [seat["address"] for seat in run.json["seats"]] == ["games@sub.example.org", "games+chess@other-example.org"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["show", "99"], 64, "There is no match 99"),
        (["show", "1#1"], 64, "Match 1 has 0 moves so far, not 1"),
        (["show", "first"], 64, "“first” names no match"),
        (["show", "1#"], 64, "“1#” names no match"),
        (["show", "99999999999999999999"], 64, "names no match"),
        (["export", "99"], 64, "There is no match 99"),
        (["export", "99999999999999999999"], 64, "There is no match 99999999999999999999"),
        (["export", "--", "-1"], 64, "There is no match -1"),
        (["export", "1", "--output", "missing/file"], 74, "No such file or directory: missing/file"),
        (["verify", "missing"], 66, "missing cannot be read: No such file or directory"),
        (["verify", "."], 66, ". cannot be read: Is a directory"),
        (["verify", "pbem.toml"], 65, "Line 1 is not “pbem record 1”, so this is no record"),
        (["verify", "pbem.db"], 65, "pbem.db is no record"),
        (["inbound", "show", "99"], 64, "There is no letter 99"),
        (["inbound", "show", "99999999999999999999"], 64, "There is no letter 99999999999999999999"),
        (["inbound", "retry", "99"], 64, "There is no letter 99"),
        (["inbound", "list", "--status", "sent"], 64, "“sent” is no status; there are: received, accepted"),
        (["outbound", "show", "99"], 64, "There is no mail 99"),
        (["outbound", "show", "99999999999999999999"], 64, "There is no mail 99999999999999999999"),
        (["outbound", "retry", "99"], 64, "There is no mail 99"),
        (["outbound", "list", "--status", "accepted"], 64, "“accepted” is no status; there are: queued, sent"),
        (["receive", "missing"], 66, "missing cannot be read: No such file or directory"),
        (["init", GAMES], 64, "pbem.toml is here already; nothing was changed"),
        (["backup", "pbem.db"], 64, "pbem.db is here already; nothing was changed"),
        (["backup", "missing/copy.db"], 66, "The copy cannot be written to missing/copy.db"),
        (["poll"], 78, "The setting “imap_url” is missing: put it into pbem.toml, or set PBEM_IMAP_URL"),
        (["deliver"], 78, "The setting “smtp_url” is missing: put it into pbem.toml, or set PBEM_SMTP_URL"),
        (["run"], 78, "The setting “imap_url” is missing"),
        (["--config", "missing.toml", "matches"], 78, "There is no settings file missing.toml"),
        (["--config", ".", "matches"], 78, "There is no settings file ."),
        (["demo", "--play", "--stay"], 64, "Choose one of --play and --stay"),
        (["demo", "--game", "zipline"], 64, "--game goes with --play"),
        (["demo", "--play", "--game", "chess"], 64, "There is no game “chess”; there are: pipline, zipline"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_does_not_exist_is_told_in_one_sentence(pbem: Pbem, arguments: list[str], code: int, says: str) -> None:
    """A number, file or setting that is not there ends a command at once, with an exit code after sysexits.h."""
    pbem.refuses(*arguments, code=code, says=says)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"address = ", "pbem.toml is no valid TOML: "),
        (b"address = 'g@example.org'\naddress = 'h@example.org'", "pbem.toml is no valid TOML: "),
        (b"address = 'g\xe4mes@example.org'", "pbem.toml is not text in UTF-8"),
        (b"adress = 'games@example.org'", "“adress”, but there is no such setting; did you mean “address”?"),
        (b"frobnicate = 1", "“frobnicate”, but there is no such setting"),
        (b"[address]\nname = 'games'", "The setting “address”"),
        (b"address = 'games'", "The setting “address” will not do: “games” is no mail address"),
        (b"operator = 'me'", "The setting “operator” will not do: “me” is no mail address"),
        (b"secret = 'short'", "The setting “secret” will not do: it must have at least 16 characters"),
        (b"poll_seconds = 0", "The setting “poll_seconds” will not do: it must lie between 1 and 3600"),
        (b"poll_seconds = 'often'", "The setting “poll_seconds” “often” will not do"),
        (b"database_url = 'pbem.db'", "The setting “database_url” is no URL of a database"),
        (b"database_url = 'oracle://host/pbem'", "The setting “database_url” is no URL of a database"),
    ],
)
def test_a_settings_file_that_will_not_do_is_told_in_one_sentence(bare: Pbem, content: bytes, says: str) -> None:
    """A malformed file, an unknown setting and a senseless value are named, and nothing is made."""
    (bare.directory / "pbem.toml").write_bytes(content)
    bare.refuses("matches", code=78, says=says)


def test_a_secret_that_will_not_do_is_not_shown(bare: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is secret stands in no error message."""
    monkeypatch.setenv("PBEM_SECRET", "swordfish")
    monkeypatch.setenv("PBEM_IMAP_URL", "imap://games:swordfish@mail.example.org:port/INBOX")
    assert "swordfish" not in bare("matches").err
    monkeypatch.setenv("PBEM_SECRET", "0123456789abcdef")
    monkeypatch.setenv("PBEM_ADDRESS", GAMES)
    bare.done("db", "upgrade")
    run = bare("poll")
    assert run.code == 78
    assert "swordfish" not in run.err


@pytest.mark.parametrize("missing", ["address", "secret"])
def test_a_missing_setting_is_named(pbem: Pbem, missing: str) -> None:
    """Without its address or its secret the service neither opens matches nor takes messages in."""
    file = pbem.directory / "pbem.toml"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if not line.startswith(missing)), "utf-8")
    for arguments in (["open", "zipline", ANN, BOB], ["receive", "letter.eml"], ["inbound", "retry", "1"]):
        pbem.refuses(*arguments, code=78, says=f"The setting “{missing}” is missing: put it into pbem.toml")


def test_the_environment_outranks_the_settings_file(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting from the environment counts, though the file has another."""
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:///other.db")
    pbem.refuses("matches", code=78, says="There is no database other.db: run “pbem db upgrade” (or “pbem init”)")


def test_a_settings_file_elsewhere_brings_its_database_along(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path in a settings file is meant from where the file lies, wherever the command is called."""
    (pbem.directory / "sub").mkdir()
    monkeypatch.chdir(pbem.directory / "sub")
    pbem.refuses("matches", code=78, says="There is no database")
    assert len(pbem.done("--config", "../pbem.toml", "matches", "--json").json) == 1


def test_init_writes_settings_that_work_and_keeps_them_private(bare: Pbem) -> None:
    """``pbem init`` makes a file only its owner can read, with a new secret, and a database ready for use."""
    bare.refuses("init", "games", code=64, says="“games” is no mail address")
    assert "Wrote pbem.toml" in bare.done("init", GAMES).out
    file = bare.directory / "pbem.toml"
    assert file.stat().st_mode & 0o777 == 0o600
    settings = tomllib.loads(file.read_text("utf-8"))
    assert settings["address"] == GAMES
    assert len(settings["secret"]) >= 32
    assert bare.done("matches", "--json").json == []
    assert bare.done("matches").out == "No matches.\n"


def test_init_takes_the_address_from_the_environment(bare: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an address it asks for one; with PBEM_ADDRESS it needs none."""
    bare.refuses("init", code=64, says="Which address do players write to? Run “pbem init games@example.org”")
    monkeypatch.setenv("PBEM_ADDRESS", GAMES)
    bare.done("init")
    assert f'address = "{GAMES}"' in (bare.directory / "pbem.toml").read_text("utf-8")


def test_init_that_fails_can_be_repeated(bare: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the database cannot be made, no settings file is left in the way of the next try."""
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:///missing/pbem.db")
    bare.refuses("init", GAMES, code=75, says="The database cannot be used now: unable to open database file")
    monkeypatch.delenv("PBEM_DATABASE_URL")
    bare.done("init", GAMES)


@pytest.mark.parametrize(
    "arguments",
    [["matches"], ["open", "zipline", ANN, BOB], ["receive", "letter.eml"], ["archive"], ["backup", "copy.db"]],
)
def test_a_database_that_cannot_be_used_is_told_in_one_sentence(
    bare: Pbem, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """Missing, empty, no database at all, of a newer version, a directory, or in none: told, and left as it is."""
    (bare.directory / "empty.db").touch()
    (bare.directory / "text.db").write_bytes(b"This is no database. " * 500)
    (bare.directory / "directory.db").mkdir()
    for name, version in (("other.db", ""), ("newer.db", "INSERT INTO alembic_version VALUES ('9999')")):
        with closing(sqlite3.connect(bare.directory / name)) as connection:
            connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
            connection.execute(version)
            connection.commit()
    for name in ("ADDRESS", "SECRET", "ARCHIVE_DIR"):
        monkeypatch.setenv(f"PBEM_{name}", GAMES)
    for name, code, says in [
        ("missing.db", 78, "There is no database missing.db: run “pbem db upgrade” (or “pbem init”) first"),
        ("missing/missing.db", 78, "There is no database missing/missing.db"),
        ("empty.db", 78, "The database is empty: run “pbem db upgrade” (or “pbem init”) first"),
        ("text.db", 78, "The database cannot be read: file is not a database"),
        ("directory.db", 75, "The database cannot be used now: unable to open database file"),
        ("other.db", 78, "The database is empty"),
        ("newer.db", 78, "The database is of version 9999, which only a newer pbem knows"),
    ]:
        monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///{name}")
        bare.refuses(*arguments, code=code, says=says)


def test_a_database_that_cannot_be_upgraded_is_told_in_one_sentence(
    bare: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``pbem db upgrade`` neither breaks down nor touches what is no database of its own."""
    (bare.directory / "text.db").write_bytes(b"This is no database. " * 500)
    with closing(sqlite3.connect(bare.directory / "newer.db")) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
        connection.commit()
    for name, code, says in [
        ("missing/pbem.db", 75, "unable to open database file"),
        ("text.db", 78, "file is not a database"),
        ("newer.db", 78, "which only a newer pbem knows"),
    ]:
        monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///{name}")
        bare.refuses("db", "upgrade", code=code, says=says)


def test_a_database_that_cannot_be_written_can_still_be_read(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading goes on in a database that is read-only; what would write is refused, to be tried again."""
    message = pbem.answer(1, "c3")
    monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///file:{pbem.directory}/pbem.db?mode=ro&uri=true")
    assert len(pbem.done("matches", "--json").json) == 1
    pbem.refuses("open", "zipline", ANN, BOB, code=75, says="attempt to write a readonly database")
    pbem.refuses("receive", code=75, says="attempt to write a readonly database", stdin=message)


def test_db_upgrade_can_be_repeated(pbem: Pbem) -> None:
    """A second upgrade changes nothing."""
    before = pbem.state()
    assert pbem.done("db", "upgrade").out == "The database is of the newest version.\n"
    assert pbem.state() == before


def test_a_server_that_cannot_be_reached_is_told_in_one_sentence(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch, closed_port: int
) -> None:
    """With nobody listening, polling says so, and emails are put off, not lost."""
    monkeypatch.setenv("PBEM_IMAP_URL", f"imap://games:demo@127.0.0.1:{closed_port}/INBOX")
    monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{closed_port}")
    pbem.refuses("poll", code=69, says=f"No connection to the mail server 127.0.0.1:{closed_port}: nothing listens")
    run = pbem("deliver")
    assert (run.code, run.out) == (69, "0 sent, 3 put off, 0 refused.\n")
    assert run.err == "pbem: Not everything was sent: “pbem outbound list” shows why.\n"
    mails = pbem.done("outbound", "list", "--json").json
    assert {mail["status"] for mail in mails} == {"queued"}
    assert all("nothing listens there" in mail["error"] for mail in mails)


@pytest.mark.parametrize(
    "url", ["garbage", "imap://u:p@mail.example.org/INBOX", "imaps://mail.example.org", "imaps://u:p@host:x", "http://"]
)
def test_a_url_of_no_server_is_told_in_one_sentence(pbem: Pbem, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """A URL that makes no sense, or would send a password in the clear, is refused before anything is tried."""
    monkeypatch.setenv("PBEM_IMAP_URL", url)
    monkeypatch.setenv("PBEM_SMTP_URL", url.replace("imap", "smtp") + "/path?query")
    pbem.refuses("poll", code=78, says="The IMAP URL ")
    pbem.refuses("deliver", code=78, says="The SMTP URL ")
    pbem.refuses("run", code=78, says=" URL ")


async def test_a_wrong_password_is_told_in_one_sentence(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that refuses the login is named, and the password is not."""
    async with DemoServers([GAMES]) as servers:
        monkeypatch.setenv("PBEM_IMAP_URL", servers.imap_url(GAMES).replace("demo@", "swordfish@"))
        monkeypatch.setenv("PBEM_SMTP_URL", servers.smtp_url.replace("//", "//games:swordfish@"))
        for command in ("poll", "deliver"):
            run = await asyncio.to_thread(pbem, command)
            assert run.code == 77
            assert re.fullmatch(r"pbem: The (mail|SMTP) server 127\.0\.0\.1:\d+ [^\n]+\.\n", run.err)
            assert "swordfish" not in run.err
    assert {mail["status"] for mail in pbem.done("outbound", "list", "--json").json} == {"queued"}


async def test_the_doctor_finds_everything_well(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """With servers that let us in, ``pbem doctor`` has nothing to complain of; then poll and deliver work too."""
    async with DemoServers([GAMES, ANN, BOB, CARL]) as servers:
        monkeypatch.setenv("PBEM_IMAP_URL", servers.imap_url(GAMES))
        monkeypatch.setenv("PBEM_SMTP_URL", servers.smtp_url)
        run = await asyncio.to_thread(pbem.done, "doctor")
        assert [line[0] for line in run.out.splitlines()] == ["✓"] * 5
        assert (await asyncio.to_thread(pbem.done, "deliver")).out == "3 sent, 0 put off, 0 refused.\n"
        await servers.deliver(await asyncio.to_thread(pbem.answer, 1, "c3"), GAMES)
        assert (await asyncio.to_thread(pbem.done, "poll")).out == "1 new letter.\n"
        assert (await asyncio.to_thread(pbem.done, "poll")).out == "0 new letters.\n"
    pbem.refuses("outbound", "retry", "1", code=64, says="Mail 1 was sent at ")
    (message,) = pbem.done("inbound", "list", "--json").json
    assert (message["status"], message["commands"], message["match"]) == ("accepted", ["c3"], 1)


def test_the_doctor_says_what_is_wrong_and_what_to_do(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fault is listed at once, and the exit code tells that there is one."""
    monkeypatch.setenv("PBEM_ARCHIVE_DIR", str(pbem.directory / "pbem.db" / "archive"))
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:///missing.db")
    run = pbem("doctor")
    assert (run.code, run.err) == (1, "")
    marks = [line[0] for line in run.out.splitlines()]
    assert marks == ["✓", "✗", "✗", "✗", "✗"]
    for fault in ("There is no database", "PBEM_IMAP_URL", "PBEM_SMTP_URL", "cannot be written to"):
        assert fault in run.out


def test_open_prints_the_match_as_one_object(pbem: Pbem) -> None:
    """What ``open --json`` prints is what ``show --json`` and ``matches --json`` know of the match."""
    opened = pbem.done("open", "pipline", "ann", "Dora Müller <dora@example.org>", "-o", "size=7", "--json").json
    assert opened["id"] == 2
    assert (opened["game"], opened["options"], opened["status"]) == (
        "pipline",
        {"size": 7, "draw": "points", "order": "opened"},
        "running",
    )
    assert [(seat["seat"], seat["player"], seat["address"]) for seat in opened["seats"]] == [
        (0, "Ann", ANN),
        (1, "Dora Müller", "dora@example.org"),
    ]
    assert pbem.done("matches", "--json").json[1] == opened
    shown = pbem.done("show", "2", "--json").json
    assert shown == opened | {"record": []}


def test_every_list_is_an_array_of_objects_with_an_id(over: Pbem) -> None:
    """Programs find the same shape everywhere."""
    for arguments, count in [(["matches"], 1), (["players"], 3), (["inbound", "list"], 3), (["outbound", "list"], 12)]:
        found = over.done(*arguments, "--json").json
        assert isinstance(found, list)
        assert len(found) == count
        assert len({one["id"] for one in found}) == count
        assert all(isinstance(one["id"], int) for one in found)
        assert over.done(*arguments).out
    for group in ("inbound", "outbound"):
        shown = over.done(group, "show", "1", "--json").json
        listed = next(one for one in over.done(group, "list", "--json").json if one["id"] == 1)
        assert listed.items() <= shown.items()
        assert len(over.done(group, "list", "--json", "-n", "2").json) == 2
    assert over.done("matches", "--running", "--json").json == []


def test_show_goes_back_to_any_move(over: Pbem) -> None:
    """``1#1`` is the match after one move, whatever came later."""
    now, then = (over.done("show", which, "--json").json for which in ("1", "1#1"))
    assert (now["status"], now["ply"], [entry["text"] for entry in now["record"]]) == (
        "over",
        3,
        ["c3", "take", "resign"],
    )
    assert (then["status"], then["ply"], then["to_act"], then["winners"]) == ("running", 1, 1, None)
    assert [entry["text"] for entry in then["record"]] == ["c3"]
    assert "O" in over.done("show", "1#1").out
    assert "O" not in re.sub(r"[A-Z][a-z]+", "", over.done("show", "1#0").out.partition("\n\n")[2])
    over.refuses("show", "1#4", code=64, says="Match 1 has 3 moves so far, not 4")


def test_raw_prints_the_bytes_as_they_are(pbem: Pbem) -> None:
    """``inbound show --raw`` gives back the very message, to be handed in elsewhere."""
    message = pbem.answer(1, "c3")
    pbem.done("receive", stdin=message)
    assert pbem.done("inbound", "show", "1", "--raw").out.encode() == message
    assert pbem.mail(1).startswith(b"From: pbem <games@example.org>\r\n")


def test_an_exported_record_verifies(over: Pbem) -> None:
    """What ``export`` writes, to a file or standard output, ``verify`` replays."""
    text = over.done("export", "1").out
    over.done("export", "1", "--output", "record.txt")
    assert (over.directory / "record.txt").read_text("utf-8") == text
    told = "zipline, 3 players, 3 entries: a win of seats 1 and 3 (Zip resigned). It replays.\n"
    assert over.done("verify", "record.txt").out == told
    assert over.done("verify", "-", stdin=text.encode()).out == told
    assert over.done("verify", "-", stdin=text.replace("\n", "\r\n").encode()).out == told


@pytest.mark.parametrize(
    ("change", "to", "says"),
    [
        ("c3", "c9", "at entry 1"),
        ("take", "c3", "at entry 2"),
        ("2   resign", "2   take", "at entry 3"),
        ("  2  seat 2", "  2  seat 3", "at entry 2"),
        ("  3  seat 2", "  4  seat 2", "Line 20 is numbered 4, but entry 3 comes next"),
        ("  3  seat 2", "  3  chair 2", "Line 20 cannot be read"),
        ("winners: 1 3", "winners: 2", "it announces a win of seat 2, but its moves lead to a win of seats 1 and 3"),
        ("winners: 1 3\n", "", "it announces no result yet, but its moves lead to a win of seats 1 and 3"),
        ("  3  seat 2   resign\n", "", "it announces a win of seats 1 and 3, but its moves lead to no result yet"),
        ("game: zipline", "game: chess", "is a record of “chess”, which is no game here"),
        ("seats: 3", "seats: 9", "players"),
        ("seats: 3", "seats: many", "Line 3 says “many”, which is no number of players"),
        ("option size: 5", "option size: 50", "“50” will not do for size"),
        ("option size: 5", "option colour: red", "no option “colour”"),
        ("pbem record 1", "pbem record 2", "Line 1 is not “pbem record 1”"),
        ("winners: 1 3", "winners: 1 3\nwinners: 2", "a second time"),
    ],
)
def test_a_record_that_was_tampered_with_does_not_verify(over: Pbem, change: str, to: str, says: str) -> None:
    """A changed move, a changed result or a broken line is found, and the sentence says which."""
    text = over.done("export", "1").out
    assert text.count(change) == 1
    over.refuses("verify", "-", code=65, says=says, stdin=text.replace(change, to).encode())


def test_a_message_that_was_accepted_is_not_carried_out_again(over: Pbem) -> None:
    """``inbound retry`` refuses what would be to play twice, and settles anew what was rejected."""
    over.refuses("inbound", "retry", "1", code=64, says="Letter 1 was accepted: to carry it out again would be")
    over.done("receive", stdin=over.answer(8, "c4", "<late@example.org>"))
    assert over.done("inbound", "retry", "4").out == (
        "Letter 4: rejected already_over.\n“pbem inbound show 4” tells more.\n"
    )
    assert over.done("show", "1", "--json").json["ply"] == 3


def test_a_mail_that_was_put_off_can_be_sent_at_once(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch, closed_port: int
) -> None:
    """``outbound retry`` makes an email due now, and keeps why it was put off."""
    monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{closed_port}")
    pbem("deliver")
    put_off = pbem.done("outbound", "show", "2", "--json").json
    pbem.done("outbound", "retry", "2")
    due = pbem.done("outbound", "show", "2", "--json").json
    assert due["due_at"] < put_off["due_at"]
    assert (due["status"], due["error"]) == ("queued", put_off["error"])
    assert pbem("deliver").out == "0 sent, 1 put off, 0 refused.\n"


def test_a_backup_is_a_whole_database(over: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy opens, holds the same, and goes on where the original was."""
    over.done("backup", "copy.db")
    assert dump(over.directory / "copy.db") == dump(over.directory / "pbem.db")
    over.refuses("backup", "copy.db", code=64, says="copy.db is here already; nothing was changed")
    matches = over.done("matches", "--json").json
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:///copy.db")
    assert over.done("matches", "--json").json == matches
    over.done("open", "zipline", ANN, BOB)
    monkeypatch.delenv("PBEM_DATABASE_URL")
    over.done("backup")
    assert len(list(over.directory.glob("pbem-backup-*.db"))) == 1


def test_the_archive_is_written_once(over: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """``pbem archive`` writes what has changed, counts it, and refuses where it cannot."""
    directory = over.directory / "archive"
    assert over.done("archive").out == f"{2 + len(rules.GAMES)} pages written to {directory}.\n"
    assert over.done("archive").out == f"0 pages written to {directory}.\n"
    found = {path.name for path in directory.rglob("*") if path.is_file()}
    assert found == {"index.html", "1.html", "1.txt", *(f"{key}.html" for key in rules.GAMES)}
    assert over.done("verify", "archive/matches/1.txt").out.endswith("It replays.\n")
    monkeypatch.setenv("PBEM_ARCHIVE_DIR", "pbem.toml/archive")
    over.refuses("archive", code=74, says="Not a directory: pbem.toml/archive")
    monkeypatch.setenv("PBEM_ARCHIVE_DIR", "")
    (over.directory / "pbem.toml").write_text('address = "games@example.org"\nsecret = "0123456789abcdef"\n')
    over.refuses("archive", code=78, says="The setting “archive_dir” is missing")


def test_a_wrong_roll_is_named_by_its_line(pbem: Pbem) -> None:
    """``pbem verify`` recomputes every roll from the record alone, and says which line is wrong."""
    (match,) = [json.loads(pbem.done("open", "pippip", "ann@example.org", "bob@example.org", "--json").out)]
    assert len(match["lots"]["commitment"]) == 64
    assert match["lots"]["secret"] is None
    first = int(pbem.done("outbound", "list", "--json", "--limit", "2").json[0]["id"])
    for number, (mail, body) in enumerate([(first - 1, "ready"), (first, "salt a pinch"), (first, "resign")], 20):
        message = pbem.answer(mail, body, f"<{number}@example.org>")
        assert pbem.done("receive", "--json", stdin=message).lines[0]["status"] == "accepted"
    file = pbem.directory / "record.txt"
    pbem.done("export", str(match["id"]), "--output", str(file))
    record = file.read_text()
    assert "All 3 lots follow from the secret" in pbem.done("verify", str(file)).out
    wrong = re.sub(r"(  3  lot      )(\d)", lambda lot: f"{lot[1]}{int(lot[2]) % 6 + 1}", record)
    file.write_text(wrong)
    line = next(number for number, text in enumerate(wrong.splitlines(), 1) if text.startswith("  3  lot"))
    pbem.refuses("verify", str(file), code=65, says=f"Line {line}, entry 3, is wrong: the lot “die” fell on")
    said = []
    for count in range(2, 14):  # the secret is drawn, and one other salt in twenty-four leads to the same three rolls
        file.write_text(record.replace("salt 2: a pinch", f"salt 2: {count} pinches"))
        said.append(pbem("verify", str(file)).err)
    assert any("is wrong: the lot" in line for line in said)
    file.write_text(re.sub(r"secret: .*\n", "", record))
    pbem.refuses("verify", str(file), code=65, says="not the secret")


def test_output_that_nobody_reads_is_no_error(pbem: Pbem) -> None:
    """``pbem matches | head`` may close the pipe early, and no traceback tells of it."""
    running = []
    for arguments in (["matches", "--json"], ["--help"]):
        reading, transaction = os.pipe()
        os.close(reading)
        command = [sys.executable, "-c", "from pbem.cli import main; main()", *arguments]
        running.append(subprocess.Popen(command, stdout=transaction, stderr=subprocess.PIPE, text=True))
        os.close(transaction)
    for process in running:
        _, err = process.communicate(timeout=30)
        assert "Traceback" not in err
        assert "BrokenPipe" not in err


@pytest.mark.parametrize("streams", ["0<&-", "1>&-", "2>&-"])
def test_a_stream_that_is_closed_is_no_error(pbem: Pbem, streams: str) -> None:
    """Under a supervisor that closes standard streams the commands work, or say what they miss."""
    program = f"{sys.executable} -c 'from pbem.cli import main; main()'"
    receive = f"{program} receive --json {streams}"
    done = subprocess.run(
        ["sh", "-c", receive], input=pbem.answer(1, "c3"), capture_output=True, timeout=30, check=False
    )
    if streams == "0<&-":
        assert (done.returncode, done.stderr) == (75, b"pbem: There is no standard input to read.\n")
    else:
        assert (done.returncode, done.stderr) == (0, b"")


_IN_ANOTHER_LOCALE = """
import sys
from pbem.cli import main
for arguments in (line.split("|") for line in sys.stdin.read().splitlines()):
    try:
        main(arguments)
    except SystemExit as end:
        print(end.code or 0, file=sys.stderr)
"""


def test_a_locale_without_typographic_quotes_is_no_error(pbem: Pbem) -> None:
    """In the C locale everything works; at worst a question mark stands for a message, and JSON stays whole."""
    calls = ["--help", "open|zipline|J\u00f6rg <joerg@example.org>|Ann", "open|chess|Ann|Bob", "matches", "show|2"]
    calls += ["outbound|list", "export|2", "open|--help", "doctor", "players|--json"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    done = subprocess.run(
        [sys.executable, "-c", _IN_ANOTHER_LOCALE],
        input="\n".join(calls).encode(),
        env=environment | {"LC_ALL": "C", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert [int(line) for line in done.stderr.split() if line.isdigit()] == [0, 0, 64, 0, 0, 0, 0, 0, 1, 0]
    players = json.loads(done.stdout[done.stdout.rindex(b"[\n  {") :])
    assert players[-1]["name"] == "J\u00f6rg"
    assert pbem.done("players", "--json").json == players


def test_the_log_does_not_mix_with_the_answer(pbem: Pbem) -> None:
    """Nothing but the answer is printed to standard output, so that it can be piped into another program."""
    assert len(pbem.done("--verbose", "matches", "--json").json) == 1
