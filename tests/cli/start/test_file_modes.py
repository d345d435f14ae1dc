"""What other users of the machine can read or write of what pbem makes, whatever umask it is called with."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from db import engine as engines
from pbem.archive.lists.rules_pages import write_rules
from pbem.running.intake import open_intake
from pbem.running.scheduler import exclusive_lock
from pbem.running.short_way import socket_beside
from pbem.settings.loading import load
from tests.support.club import Club
from tests.support.command_line import GAMES, Pbem
from tests.support.migrations import NEXT, let_come_next


@pytest.fixture(params=[0o022, 0o000], ids=["022", "000"])
def loose(request: pytest.FixtureRequest) -> Iterator[None]:
    """Set a umask that lets others read new files, or write to them."""
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(directory: Path) -> dict[str, str]:
    """Return the mode of everything in a directory, in octal digits."""
    return {path.name: f"{path.stat().st_mode & 0o777:o}" for path in directory.iterdir()}


@pytest.mark.usefixtures("loose")
def test_another_user_can_read_nothing_that_init_and_open_make(bare: Pbem) -> None:
    """Settings, database, and the journals that lie beside it while it is in use are for their owner alone."""
    bare.done("init", GAMES)
    engine = engines.connect("sqlite:///pbem.db")
    with closing(engine.connect()) as connection:
        connection.begin()
        connection.exec_driver_sql("UPDATE player SET name = name")
        with exclusive_lock(bare.directory / "pbem.db"):
            found = modes(bare.directory)
    engine.dispose()
    assert set(found) >= {"pbem.toml", "pbem.db", "pbem.db-wal", "pbem.db-shm", "pbem.db.lock"}
    assert set(found.values()) == {"600"}


@pytest.mark.usefixtures("loose")
async def test_another_user_can_hand_in_nothing_over_the_socket(club: Club) -> None:
    """The socket of the running service is closed to others from its first moment."""
    assert club.service.database.file
    path = Path(socket_beside(str(club.service.database.file)))
    async with open_intake(club.service, lambda: None):
        assert modes(path.parent)[path.name] == "600"


@pytest.mark.usefixtures("loose")
def test_another_user_can_read_no_copy(
    over: Pbem, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies before an upgrade, backups to a file and to a directory, which is made 700; the group keeps its rights."""
    over.done("backup", "copy.db")
    over.done("backup", "--keep", "3", "backups")
    assert (over.directory / "copy.db").stat().st_mode & 0o777 == 0o600
    assert modes(over.directory)["backups"] == "700"
    assert set(modes(over.directory / "backups").values()) == {"600"}
    version = let_come_next(NEXT, tmp_path_factory.mktemp("next") / "migrations", monkeypatch)
    with exclusive_lock(over.directory / "pbem.db"):  # a program of the old version would go on with new tables
        over.refuses("db", "upgrade", code=75, says="Another “pbem run” serves this database already")
    (over.directory / "pbem.db").chmod(0o644)
    over.done("db", "upgrade")
    assert modes(over.directory)[f"pbem.db.before-{version}"] == "640"


def test_a_copy_belongs_to_whom_the_database_belongs_to(pbem: Pbem) -> None:
    """Root may make it, and the service has to restore it, as may whoever else of its group."""
    database = pbem.directory / "pbem.db"
    if os.geteuid() == 0:
        os.chown(database, 12345, 23456)
    database.chmod(0o660)
    pbem.done("backup", "copy.db")
    found, whose = (pbem.directory / "copy.db").stat(), database.stat()
    assert (found.st_uid, found.st_gid, found.st_mode) == (whose.st_uid, whose.st_gid, whose.st_mode)


def test_an_open_database_is_closed_by_an_upgrade(pbem: Pbem) -> None:
    """Others lose their rights to it, its lock and older copies, and the operator is told; the group keeps its own."""
    for name, mode in [("pbem.db", 0o664), ("pbem.db.lock", 0o644), ("pbem.db.before-0101-2", 0o644)]:
        (pbem.directory / name).touch()
        (pbem.directory / name).chmod(mode)
    (pbem.directory / "pbem.dbx").touch(0o644)
    told = pbem.done("db", "upgrade").out
    assert "pbem.db, pbem.db.before-0101-2 and pbem.db.lock" in told
    found = modes(pbem.directory)
    assert [found[name] for name in ("pbem.db", "pbem.db.lock", "pbem.db.before-0101-2")] == ["660", "640", "640"]
    assert found["pbem.dbx"] == "644"
    assert pbem.done("db", "upgrade").out == "The database is up to date.\n"


@pytest.mark.parametrize(
    ("name", "mode", "command"),
    [
        ("pbem.toml", 0o644, "chmod o= pbem.toml"),
        ("pbem.toml", 0o602, "chmod o= pbem.toml"),
        ("pbem.db", 0o604, "chmod o= "),
        ("pbem.db.before-0101", 0o644, "chmod o= "),
        ("pbem-backup-20200101-034000.db", 0o644, "chmod o= "),
        ("pbem-20200101-034000.db-journal", 0o644, "chmod o= "),
        ("copy.db.damaged", 0o644, "chmod o= "),
        ("", 0o777, "chmod o-w "),
        ("", 0o1777, "chmod o-w "),
        ("archive", 0o777, "chmod o-w "),
    ],
)
def test_the_doctor_tells_what_is_open_to_other_users(pbem: Pbem, name: str, mode: int, command: str) -> None:
    """It says which command ends it, and that command does."""
    place = pbem.directory / name
    if name == "archive":
        place.mkdir()
    elif name:
        place.touch()
    place.chmod(mode)
    (told,) = [line for line in pbem("doctor").out.splitlines() if line[2:7] == "files"]
    assert told[0] == "✗"
    assert command in told
    place.chmod(
        mode & ~0o007
        if command == "chmod o= pbem.toml" or name.startswith(("pbem.db", "pbem-", "copy"))
        else mode & ~0o002
    )
    (told,) = [line for line in pbem("doctor").out.splitlines() if line[2:7] == "files"]
    assert told[0] == "✓"


def test_another_user_cannot_read_copies_in_a_directory(pbem: Pbem) -> None:
    """The doctor names the directory, however many copies are open in it, and an upgrade closes it."""
    backups = pbem.directory / "backups"
    backups.mkdir(mode=0o755)
    backups.chmod(0o755)
    assert "✓ files" in pbem("doctor").out
    for day in range(10, 20):
        (backups / f"pbem-202001{day}-034000.db").touch()
        (backups / f"pbem-202001{day}-034000.db").chmod(0o644)
    (told,) = [line for line in pbem("doctor").out.splitlines() if line[2:7] == "files"]
    assert told.endswith("backups”.")
    assert "backups" in pbem.done("db", "upgrade").out
    assert modes(pbem.directory)["backups"] == "750"
    assert "✓ files" in pbem("doctor").out


def test_the_doctor_is_brief_about_many_open_copies(pbem: Pbem) -> None:
    """It names the command that closes all of them, which does."""
    for day in range(10, 20):
        (pbem.directory / f"pbem-backup-202001{day}-034000.db").touch()
        (pbem.directory / f"pbem-backup-202001{day}-034000.db").chmod(0o644)
    (told,) = [line for line in pbem("doctor").out.splitlines() if line[2:7] == "files"]
    assert (told[0], len(told) < 200, "pbem db upgrade" in told) == ("✗", True, True)
    pbem.done("db", "upgrade")
    assert "✓ files" in pbem("doctor").out


def test_the_doctor_lets_others_read_what_is_not_private(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A readable directory is no fault while the files in it are closed, nor are settings without anything secret."""
    pbem.directory.chmod(0o755)
    monkeypatch.setenv("PBEM_SECRET", "a secret for this test")
    (pbem.directory / "pbem.toml").write_text(f'address = "{GAMES}"\n', encoding="utf-8")
    (pbem.directory / "pbem.toml").chmod(0o644)
    assert "✓ files" in pbem("doctor").out


@pytest.mark.parametrize(
    ("line", "private"),
    [
        ('secret = "a secret for this test"', True),
        ('imap_url = "imaps://games:x@mail.example.org"', True),
        ('smtp_url = "smtps://games:x@mail.example.org"', True),
        ('database_url = "postgresql://games:x@host/pbem"', True),
        ('database_url = "postgresql://host/pbem?password=x"', True),
        ('smtp_url = "smtp://127.0.0.1"', False),
        ('secret = ""', False),
    ],
)
def test_settings_are_private_as_soon_as_something_secret_stands_in_them(bare: Pbem, line: str, private: bool) -> None:
    """A secret, or a URL with a password; what comes from the environment does not count."""
    file = bare.directory / "pbem.toml"
    file.write_text(line, encoding="utf-8")
    assert (load(file).private_file is not None) == private


def test_the_service_warns_of_settings_that_others_can_read(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """``pbem run`` logs one warning, which says what to do, and shows no secret."""
    monkeypatch.setenv("PBEM_SMTP_URL", "smtps://games:x@127.0.0.1:port")
    (pbem.directory / "pbem.toml").chmod(0o644)
    assert pbem("run", "--no-mailbox").code == 78
    (warned,) = [record for record in caplog.records if record.levelname == "WARNING"]
    assert "chmod o= pbem.toml" in warned.getMessage()
    assert load(pbem.directory / "pbem.toml").secret not in warned.getMessage()


def test_another_user_cannot_lock_the_service_out(tmp_path: Path) -> None:
    """Whoever can open the lock can take it: so only the owner can."""
    before = os.umask(0)
    try:
        with exclusive_lock(tmp_path / "pbem.db"):
            assert modes(tmp_path) == {"pbem.db.lock": "600"}
    finally:
        os.umask(before)


@pytest.mark.parametrize("mask", [0o077, 0o022, 0o000])
def test_a_web_server_can_read_the_archive_and_not_change_it(mask: int, tmp_path: Path) -> None:
    """Pages are 644, their directories 755, whatever umask the service has; and no temporary file is left."""
    before = os.umask(mask)
    try:
        write_rules(tmp_path / "web" / "archive")
    finally:
        os.umask(before)
    made = list((tmp_path / "web").rglob("*"))
    assert {path.stat().st_mode & 0o777 for path in made if path.is_file()} == {0o644}
    assert {path.stat().st_mode & 0o777 for path in [tmp_path / "web", *made] if path.is_dir()} == {0o755}
    assert not [path for path in made if path.name.startswith(".")]
