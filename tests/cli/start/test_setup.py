"""Settings and ``init``, and the archive."""

import re
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

import rules.games
from tests.support.command_line import ANN, BOB, GAMES, Pbem


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"address = ", "pbem.toml is not valid TOML: "),
        (b"address = 'g@example.org'\naddress = 'h@example.org'", "pbem.toml is not valid TOML: "),
        (b"address = 'g\xe4mes@example.org'", "pbem.toml is not UTF-8 text"),
        (b"adress = 'games@example.org'", "“adress”, but there is no such setting; did you mean “address”?"),
        (b"frobnicate = 1", "“frobnicate”, but there is no such setting"),
        (b"[address]\nname = 'games'", "The setting “address”"),
        (b"address = 'games'", "The setting “address” is wrong: “games” is not an email address"),
        (b"operator = 'me'", "The setting “operator” is wrong: “me” is not an email address"),
        (b"secret = 'short'", "The setting “secret” is wrong: it must have at least 16 characters"),
        (b"poll_seconds = 0", "The setting “poll_seconds” is wrong: it must be between 1 and 3600"),
        (b"poll_seconds = 'often'", "The setting “poll_seconds” (“often”) is wrong"),
        (b"database_url = 'pbem.db'", "The setting “database_url” is not the URL of a database"),
        (b"database_url = 'oracle://host/pbem'", "The setting “database_url” is not the URL of a database"),
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
    monkeypatch.setenv("PBEM_SECRET", "a secret for this test")
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
        pbem.refuses(*arguments, code=78, says=f"The setting “{missing}” is missing: add it to pbem.toml")


def test_the_environment_outranks_the_settings_file(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting from the environment counts, though the file has another."""
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:///other.db")
    pbem.refuses("matches", code=78, says="There is no database other.db: run “pbem init” first (“pbem db upgrade” if")


def test_a_settings_file_elsewhere_brings_its_database_along(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path in a settings file is meant from where the file lies, wherever the command is called."""
    (pbem.directory / "sub").mkdir()
    monkeypatch.chdir(pbem.directory / "sub")
    pbem.refuses("matches", code=78, says="There is no database")
    assert len(pbem.done("--config", "../pbem.toml", "matches", "--json").json) == 1


def test_init_writes_settings_that_work_and_keeps_them_private(bare: Pbem) -> None:
    """``pbem init`` makes files only their owner can read: settings with a new secret, and a database ready for use."""
    bare.refuses("init", "games", code=64, says="“games” is not an email address")
    assert "Wrote pbem.toml" in bare.done("init", GAMES).out
    file = bare.directory / "pbem.toml"
    assert [one.stat().st_mode & 0o777 for one in (file, bare.directory / "pbem.db")] == [0o600, 0o600]
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


def test_the_archive_is_written_once(over: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """``pbem archive`` writes what has changed, counts it, and refuses where it cannot."""
    directory = over.directory / "archive"
    assert over.done("archive").out == f"{24 + len(rules.games.GAMES) + 6} pages written to {directory}.\n"
    assert over.done("archive").out == f"0 pages written to {directory}.\n"
    assert len(list(directory.glob("calendar/*.ics"))) == 3
    found = {path.name for path in directory.rglob("*") if path.is_file() and path.suffix != ".ics"}
    assert found == {
        *(".lock", "index.html", "index-1.html", "search.html", "about.html", "key.html", "icon.svg"),
        *("style.css", "replay.js", "rolls.js", "deadlines.js", "search.js", "films.js", "grid.js", "explore.js"),
        *("common.js", "pipelines.js", "pippinzip.js", "pippip.js", "snipsnip.js"),
        *("names-1.js", "matches-1.js"),
        *("1.html", "2.html", "3.html", "1.txt", "1.json", "1.sgf", "1.record.json"),
        *("index.jsonl", "players.json", "offers.json"),
        *(f"{key}.html" for key in rules.games.GAMES),
        ".made",
        ".memory",
    }
    assert "Every move is legal.\n" in over.done("verify", "archive/matches/1.txt").out
    monkeypatch.setenv("PBEM_ARCHIVE_DIR", "pbem.toml/archive")
    over.refuses("archive", code=74, says="The archive in pbem.toml/archive can’t be written: Not a directory.")
    monkeypatch.setenv("PBEM_ARCHIVE_DIR", "")
    (over.directory / "pbem.toml").write_text('address = "games@example.org"\nsecret = "a secret for this test"\n')
    over.refuses("archive", code=78, says="The setting “archive_dir” is missing")


def test_all_that_is_public_makes_another_archive(over: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ``pbem export --all`` prints or writes is made an archive in an empty directory, and in no other."""
    over.refuses("export", code=64, says="Say which match, or --all")
    over.refuses("export", "1", "--all", code=64, says="Say which match, or --all")
    over.done("export", "--all", "--output", "all.jsonl")
    assert over.done("export", "--all").out == (over.directory / "all.jsonl").read_text("utf-8")
    monkeypatch.setenv("PBEM_ARCHIVE_DIR", "copy")
    files = len((over.directory / "all.jsonl").read_text("utf-8").splitlines()) - 1
    assert over.done("archive", "--from", "all.jsonl").out == f"{files} files written to copy.\n"
    assert (over.directory / "copy/index.html").read_bytes() == (over.directory / "archive/index.html").read_bytes()
    over.refuses("archive", "--from", "all.jsonl", code=64, says="copy isn’t empty")


def test_a_lost_database_is_not_replaced_by_an_empty_one(pbem: Pbem) -> None:
    """What runs before every start of the service refuses a missing and an empty file, and leaves both as they are."""
    assert pbem.done("db", "upgrade", "--existing").out == "The database is up to date.\n"
    for path in pbem.directory.glob("pbem.db*"):
        path.unlink()
    pbem.refuses("db", "upgrade", "--existing", code=78, says="There is no database")
    (pbem.directory / "pbem.db").touch()
    pbem.refuses("db", "upgrade", "--existing", code=78, says="pbem.db is empty: restore the newest copy")
    assert (pbem.directory / "pbem.db").read_bytes() == b""
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection:
        connection.execute("CREATE TABLE other (id INTEGER)")
    pbem.refuses("db", "upgrade", "--existing", code=78, says="is empty")
    pbem.done("db", "upgrade")
    pbem.done("db", "upgrade", "--existing")


def test_the_service_creates_no_database_when_it_starts() -> None:
    """Only a person does."""
    unit = (Path(__file__).resolve().parents[3] / "deploy" / "pbem.service").read_text("utf-8")
    assert re.findall(r"ExecStartPre=.*/pbem (.*)", unit) == ["db upgrade --existing"]
