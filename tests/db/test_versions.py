"""The versions of the tables are read without alembic, and are those that it names; each release leaves a fixture."""

import re
from pathlib import Path

from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from db import engine as engines
from tests.support.fixture import list_fixtures

CHANGES = Path(__file__).resolve().parents[2] / "CHANGELOG.md"


def test_the_versions_in_file_names_are_those_of_the_migrations() -> None:
    """Every migration is named after its revision, and the last of them is the one that alembic upgrades to."""
    config = Config()
    config.set_main_option("script_location", str(engines.MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    assert engines.known_versions() == {script.revision for script in scripts.walk_revisions()}
    assert engines.newest_version() == scripts.get_current_head()


def test_the_version_read_is_the_one_that_alembic_reads(tmp_path: Path) -> None:
    """Before the tables are made, while the table of the version is empty, and afterwards."""
    engine = engines.connect(f"sqlite:///{tmp_path / 'a.db'}")

    def agreed() -> str | None:
        with engine.connect() as connection:
            read = MigrationContext.configure(connection).get_current_revision()
        assert engines.version(engine) == read
        return read

    assert agreed() is None
    engines.upgrade(engine)
    assert agreed() == engines.newest_version()
    with engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM alembic_version")
    assert agreed() is None
    engine.dispose()


def test_every_release_has_left_a_fixture_and_nothing_else_has() -> None:
    """What is not yet released is tried as the program of today."""
    told = re.findall(r"^## (\S+), (.+)$", CHANGES.read_text("utf-8"), re.MULTILINE)
    assert told
    released = {version for version, when in told if when != "not yet released"}
    assert {fixture.name for fixture in list_fixtures()} == released
