"""Copies of the database: whole, checked, private, and as many as are wanted."""

import os
import re
import resource
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.command_line import ANN, BOB, Pbem, dump

HEADER = b"SQLite format 3\0"


def make_copy(path: Path, matches: int = 0) -> None:
    """Write what is a copy by its tables, with so many matches."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute('CREATE TABLE "match" (id INTEGER PRIMARY KEY)')
        connection.executemany('INSERT INTO "match" VALUES (?)', [(number,) for number in range(1, matches + 1)])
        connection.commit()


def spoil(database: Path) -> None:
    """Damage the middle of a database, which can still be opened afterwards."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'outbound'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(database.read_bytes())
    content[(page - 1) * size : (page - 1) * size + 64] = b"\xff" * 64
    database.write_bytes(content)


def names(directory: Path) -> list[str]:
    """Return the names of all files in a directory, in order."""
    return sorted(path.name for path in directory.iterdir())


def test_a_backup_is_a_whole_database(over: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy opens, holds the same, and goes on where the original was."""
    over.done("backup", "copy.db")
    assert dump(over.directory / "copy.db") == dump(over.directory / "pbem.db")
    over.refuses("backup", "copy.db", code=64, says="copy.db already exists; nothing was changed")
    matches = over.done("matches", "--json").json
    monkeypatch.setenv("PBEM_DATABASE_URL", "sqlite:///copy.db")
    assert over.done("matches", "--json").json == matches
    over.done("open", "zipline", ANN, BOB)
    monkeypatch.delenv("PBEM_DATABASE_URL")
    over.done("backup")
    assert len(list(over.directory.glob("pbem-backup-*.db"))) == 1


def test_only_the_newest_copies_are_kept(pbem: Pbem) -> None:
    """The copy that was just made is one of them, even where a clock once was ahead of this one."""
    backups = pbem.directory / "backups"
    backups.mkdir()
    for day in range(1, 6):
        make_copy(backups / f"pbem-2020010{day}-034000.db")
    make_copy(backups / "pbem-20990101-034000.db")
    made = pbem.done("backup", "backups", "--keep", "3").out
    found = re.search(r"pbem-\d{8}-\d{6}\.db", made)
    assert found
    assert names(backups) == ["pbem-20200105-034000.db", found[0], "pbem-20990101-034000.db"]


def test_copies_rotate_by_age_and_by_size_too(pbem: Pbem) -> None:
    """What is older than asked for goes, and then the oldest until the rest fits; the new one stays in any case."""
    backups = pbem.directory / "backups"
    backups.mkdir()
    now = datetime.now(UTC)
    young, old = (f"pbem-{now - timedelta(days=days):%Y%m%d}-034000.db" for days in (5, 50))
    for name in (young, old):
        make_copy(backups / name)
    pbem.done("backup", "backups", "--days", "30")
    assert (len(names(backups)), young in names(backups), old in names(backups)) == (2, True, False)
    with (backups / young).open("ab") as file:
        file.truncate(3_000_000)
    elsewhere = pbem.directory / "elsewhere"
    elsewhere.mkdir()
    (backups / young).rename(elsewhere / young)
    made = re.search(r"pbem-\d{8}-\d{6}\.db", pbem.done("backup", "elsewhere", "--megabytes", "2").out)
    assert made
    assert names(elsewhere) == [made[0]]


def test_no_file_is_removed_that_backup_has_not_written(pbem: Pbem) -> None:
    """Other names, other contents, links and directories stay, however old they are."""
    backups = pbem.directory / "backups"
    backups.mkdir()
    (backups / "pbem-20200101-034000.db").write_bytes(b"a diary")
    (backups / "pbem-20200102-034000.db").mkdir()
    (backups / "pbem-20200103-034000.db").symlink_to(pbem.directory / "pbem.db")
    (backups / "pbem-20200104-034000.db.before-the-move").write_bytes(HEADER)
    (backups / "my-pbem-20200105-034000.db").write_bytes(HEADER)
    (backups / "pbem-20200106-034000.db.damaged").write_bytes(HEADER)
    (backups / "pbem-20200107-034000.db").write_bytes(HEADER)
    with closing(sqlite3.connect(backups / "pbem-20190101-000000.db")) as connection:
        connection.execute("CREATE TABLE photos (name TEXT)")
    before = names(backups)
    pbem.done("backup", "backups", "--keep", "1")
    assert set(before) < set(names(backups))
    assert len(names(backups)) == len(before) + 1


def test_rotation_needs_a_directory(pbem: Pbem) -> None:
    """Without one, or with a file in its place, nothing is written or removed."""
    pbem.refuses("backup", "--keep", "3", code=64, says="“pbem backup --keep 30 backups”")
    pbem.refuses("backup", "--days", "3", code=64, says="“pbem backup --keep 30 backups”")
    pbem.refuses("backup", "--keep", "3", "pbem.db", code=64, says="pbem.db is not a directory")
    assert pbem("backup", "--keep", "0", "backups").code == 64


def test_a_directory_gets_a_copy_with_a_name_of_its_own(pbem: Pbem) -> None:
    """Without --keep every copy stays."""
    (pbem.directory / "backups").mkdir()
    (pbem.directory / "backups" / "pbem-20200101-034000.db").write_bytes(HEADER)
    pbem.done("backup", "backups")
    assert len(names(pbem.directory / "backups")) == 2


def test_a_copy_of_a_damaged_database_says_so_and_costs_no_sound_one(over: Pbem) -> None:
    """It fails, the copy is called damaged, and the sound copies stay, however often that happens."""
    backups = over.directory / "backups"
    over.done("backup", "backups", "--keep", "2")
    sound = "pbem-20191231-034000.db"
    next(backups.iterdir()).rename(backups / sound)
    spoil(over.directory / "pbem.db")
    (backups / "pbem-20200101-034000.db").write_bytes(HEADER)
    for day in range(1, 5):
        (backups / f"pbem-2020010{day}-034000.db.damaged").write_bytes(HEADER)
    run = over("backup", "backups", "--keep", "2")
    assert (run.code, run.out) == (65, "")
    assert len(run.err.splitlines()) == 1
    assert "damaged" in run.err
    left = names(backups)
    assert {sound, "pbem-20200101-034000.db"} <= set(left)
    assert [name for name in left if name.endswith(".damaged")][0:-1] == ["pbem-20200104-034000.db.damaged"]
    assert len(left) == 4


def test_half_a_copy_never_has_the_name_of_a_whole_one(over: Pbem) -> None:
    """Where the disk takes only the beginning of a copy, nothing is left of it, and no older one is removed."""
    backups = over.directory / "backups"
    backups.mkdir()
    (backups / "pbem-20200101-034000.db").write_bytes(HEADER)
    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, allowed[1]))
    try:
        run = over("backup", "backups", "--keep", "1")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, allowed)
    assert (run.code, len(run.err.splitlines())) == (66, 1)
    assert names(backups) == ["pbem-20200101-034000.db"]


@pytest.mark.parametrize("left", ["an empty file", "nothing"])
def test_an_emptied_database_costs_no_full_copy(over: Pbem, left: str) -> None:
    """However often it is copied: two empty copies do not vouch for each other."""
    backups = over.directory / "backups"
    over.done("backup", "backups", "--keep", "2")
    full = backups / "pbem-20191231-034000.db"
    next(backups.iterdir()).rename(full)
    for path in over.directory.glob("pbem.db*"):
        path.unlink()
    if left == "an empty file":
        (over.directory / "pbem.db").touch()
    over.done("db", "upgrade")
    for day in range(1, 4):
        run = over("backup", "backups", "--keep", "2")
        assert (run.code, run.out) == (65, "")
        assert f"fewer matches than {full.name} (0, not 1): no older copy was removed" in run.err
        (made,) = [path for path in backups.iterdir() if path.stem > "pbem-2021"]
        made.rename(backups / f"pbem-2020010{day}-034000.db")
    assert full.exists()
    assert len(names(backups)) == 4


def test_a_match_that_lost_its_moves_costs_no_copy(over: Pbem) -> None:
    """The matches are all there, but not what happened in them."""
    backups = over.directory / "backups"
    over.done("backup", "backups", "--keep", "1")
    full = backups / "pbem-20191231-034000.db"
    next(backups.iterdir()).rename(full)
    with closing(sqlite3.connect(over.directory / "pbem.db")) as connection:
        connection.execute("DELETE FROM matchentry WHERE id = (SELECT max(id) FROM matchentry)")
        connection.commit()
    assert over("backup", "backups", "--keep", "1").code == 65
    assert full.exists()


def test_copying_an_emptied_database_goes_on_once_the_full_copy_is_put_away(pbem: Pbem) -> None:
    """The operator decides that a smaller database is as it should be."""
    backups = pbem.directory / "backups"
    backups.mkdir()
    make_copy(backups / "pbem-20200101-034000.db", matches=17)
    run = pbem("backup", "backups", "--keep", "1")
    assert run.code == 65
    assert "(1, not 17)" in run.err
    (backups / "pbem-20200101-034000.db").rename(pbem.directory / "elsewhere.db")
    for path in backups.iterdir():
        path.rename(backups / "pbem-20200102-034000.db")
    pbem.done("backup", "backups", "--keep", "1")
    assert len(names(backups)) == 1


def test_what_an_interrupted_copy_left_is_removed(pbem: Pbem) -> None:
    """After a day, when nobody is at it any more; similar names stay."""
    backups = pbem.directory / "backups"
    backups.mkdir()
    name = "pbem-20200101-034000.db.unchecked"
    left = [name, f"{name}-journal", f".{name}.{'0a' * 16}"]
    others = [f"my-{name}", f"{name}.mine", f".{name}.notes", "pbem-20200101-034000.db.unchecked.old"]
    for each in [*left, *others]:
        (backups / each).touch()
        os.utime(backups / each, (0, 0))
    young = f".pbem-20200102-034000.db.unchecked.{'0a' * 16}"
    (backups / young).touch()
    pbem.done("backup", "backups", "--keep", "3")
    assert not {*left} & {*names(backups)}
    assert {*others, young} <= {*names(backups)}
