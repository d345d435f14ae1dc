"""A database that cannot be used, read-only, or of another version."""

import sqlite3
from contextlib import closing

import pytest

from tests.support.command_line import ANN, BOB, GAMES, Pbem


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
    for name, value in {"ADDRESS": GAMES, "SECRET": "a secret for this test", "ARCHIVE_DIR": "archive"}.items():
        monkeypatch.setenv(f"PBEM_{name}", value)
    for name, code, says in [
        ("missing.db", 78, "There is no database missing.db: run “pbem init” first"),
        ("missing/missing.db", 78, "There is no database missing/missing.db"),
        ("empty.db", 78, "The database is empty: run “pbem db upgrade” first"),
        ("text.db", 78, "The database cannot be read: file is not a database"),
        ("directory.db", 75, "The database cannot be used now: unable to open database file"),
        ("other.db", 78, "The database is empty"),
        ("newer.db", 78, "The database has tables of version 9999, which only a newer pbem knows"),
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
    assert pbem.done("db", "upgrade").out == "The database is up to date.\n"
    assert pbem.state() == before
