"""An upgrade that fails changes nothing and says so; a copy is made before each, and none is lost."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from db import engine as engines
from pbem.cli.app import main
from tests.support.fixture import Fixture
from tests.support.migrations import NEXT, let_come_next, rows, upgrade, version_of

FAILING = {
    "a statement": (NEXT + '    op.execute("INSERT INTO nowhere VALUES (1)")\n', "no such table: nowhere"),
    "a reference": (
        NEXT + '    op.execute("DELETE FROM match WHERE id = 1")\n',
        "refers to a row of match that is not there, and so do",
    ),
    "anything": (NEXT + '    raise RuntimeError("no\\n more")\n', "(no); it is unchanged"),
}


@pytest.fixture
def file(filled: Fixture, tmp_path: Path) -> Path:
    """A filled database of today."""
    return filled.load(tmp_path / "pbem.db")


@pytest.fixture
def next_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return what lets a migration with such steps come next, and returns its version."""

    return lambda steps: let_come_next(steps, tmp_path / "next" / "migrations", monkeypatch)


def copies(file: Path) -> list[Path]:
    """Return the copies beside a database."""
    return sorted(path for path in file.parent.iterdir() if ".before-" in path.name)


def upgrade_by_command(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str, str]:
    """Run ``pbem db upgrade`` on a database; return its exit code, output and errors."""
    monkeypatch.chdir(file.parent)
    monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///{file}")
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(["db", "upgrade"])
    printed = capsys.readouterr()
    return int(end.value.code or 0), printed.out, printed.err


@pytest.mark.usefixtures("next_version")
def test_a_copy_is_made_first(file: Path) -> None:
    """It holds all that was in the database, only its owner can read it, and its name tells the version to come."""
    before, found = rows(file), version_of(file)
    copy = upgrade(file)
    assert copy == file.with_name(f"pbem.db.before-{engines.newest_version()}")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert rows(copy) == before != rows(file)
    assert (version_of(copy), version_of(file)) == (found, engines.newest_version())


@pytest.mark.usefixtures("next_version")
def test_the_command_names_the_copy(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator is told where it lies."""
    code, output, errors = upgrade_by_command(file, capsys, monkeypatch)
    (copy,) = copies(file)
    assert (code, errors) == (0, "")
    assert output == f"A copy of the old database is in {copy}.\nThe database is up to date.\n"


def test_where_nothing_is_to_be_done_nothing_is_changed(file: Path, tmp_path: Path) -> None:
    """A new database, and a filled one of the newest version, are left as they are, and no copy is made."""
    for known in (file, tmp_path / "new.db"):
        assert upgrade(known) is None
        before, files = rows(known), set(tmp_path.iterdir())
        assert upgrade(known) is None
        assert rows(known) == before
        assert set(tmp_path.iterdir()) == files
    assert copies(file) == []


@pytest.mark.usefixtures("next_version")
def test_an_older_copy_is_never_overwritten(file: Path) -> None:
    """A second copy gets another name, whatever the first one is."""
    first = file.with_name(f"pbem.db.before-{engines.newest_version()}")
    first.write_bytes(b"kept")
    assert upgrade(file) == first.with_name(f"{first.name}-2")
    assert first.read_bytes() == b"kept"


@pytest.mark.parametrize("what", FAILING)
def test_an_upgrade_that_fails_changes_nothing_and_says_so(
    what: str,
    file: Path,
    next_is: Callable[[str], str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One sentence quotes what failed after half was done, and names the copy; tried again, it makes no second one."""
    steps, says = FAILING[what]
    before, found, version = rows(file), version_of(file), next_is(steps)
    for _ in range(2):
        code, output, errors = upgrade_by_command(file, capsys, monkeypatch)
        assert (code, output) == (78, "")
        assert rows(file) == before
        (copy,) = copies(file)
        assert rows(copy) == before
        assert errors.startswith(f"pbem: The database cannot be brought from version {found} to {version} (")
        assert errors.count("\n") == 1
        assert says in errors
        assert errors.endswith(f"it is unchanged, and a copy of it lies in {copy}.\n")


@pytest.mark.usefixtures("next_version")
def test_what_is_broken_before_is_told_by_an_upgrade(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that refers to a match which is not there, and a table that stands in the way."""
    for spoil, says in (
        ("INSERT INTO place (match_id, seat, player_id) VALUES (99, 0, 1)", "row of match that is not there)"),
        ("CREATE TABLE _alembic_tmp_match (id INTEGER)", "table _alembic_tmp_match already exists"),
    ):
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(spoil)
            connection.commit()
        before = rows(file)
        code, _, errors = upgrade_by_command(file, capsys, monkeypatch)
        assert code == 78
        assert says in errors
        assert rows(file) == before


@pytest.mark.usefixtures("next_version")
def test_without_room_for_a_copy_nothing_is_changed(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no copy can be written, as its name is too long for one, the database is not touched."""
    file = file.rename(file.with_name(f"{'x' * 243}.db"))
    before = rows(file)
    code, output, errors = upgrade_by_command(file, capsys, monkeypatch)
    assert (code, output) == (78, "")
    assert "no copy can be written to" in errors
    assert errors.endswith("it is unchanged.\n")
    assert rows(file) == before


@pytest.mark.usefixtures("next_version")
def test_a_database_of_the_version_before_is_not_used(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator is told which command brings it to the version of the program."""
    before, found = rows(file), version_of(file)
    monkeypatch.chdir(file.parent)
    monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///{file}")
    with pytest.raises(SystemExit) as end:
        main(["matches"])
    assert end.value.code == 78
    said = f"pbem: The database has tables of version {found}: run “pbem db upgrade” first.\n"
    assert capsys.readouterr().err == said
    assert rows(file) == before
