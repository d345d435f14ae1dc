"""Whatever stops a build of the archive, no half file is ever seen, and the next pass ends as an unbroken one does."""

import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.archive.lock import building
from pbem.errors import Busy, Unwritable
from pbem.running.operator_rulings import set_private
from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import PLAYERS, Club, make_club, settings_in
from tests.support.fakes import FakeClock
from tests.support.killed import build, publish_all

STEPS = 15
"""Places, evenly spread over a build, at which it is killed."""


def files(directory: Path) -> dict[str, bytes]:
    """Return all that readers can ask for, and what is left of files that were not finished, by path."""
    found = (path for path in directory.rglob("*") if path.is_file() and path.name not in (".lock", ".made", ".memory"))
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}


@dataclass(frozen=True)
class Works:
    """An archive as it was ``before``, as it is ``after``, at what time, and about how many changes that takes."""

    settings: Settings
    before: Path
    after: dict[str, bytes]
    at: datetime
    changes: int


@pytest.fixture(scope="module")
def works(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Works:
    """An archive of three matches, of which one goes on, one becomes private, and one is new."""
    top = tmp_path_factory.mktemp("works")
    settings = settings_in(top, blank_database)
    settings.archive_dir, settings.archive_url = str(top / "archive"), "https://games.example"
    club = make_club(settings)
    club.open()
    club.service.open("pipline", (PLAYERS[0], "Zoe <zoe@z.example>"), {"size": 5})
    club.reply(0, "a1")
    publish_all(club.service)
    shutil.copytree(settings.archive_dir, top / "before")
    club.clock.advance(timedelta(hours=1))
    club.reply(1, "b2\nA word.")
    club.open("zipline", PLAYERS)
    set_private(club.service, 2, True)
    again = make_club(settings, clock=club.clock)
    again.service.write_archive()
    seen, changes = files(top / "before"), 0
    publish_all(again.service)
    after = files(top / "archive")
    changes = 3 * sum(content != seen.get(path) for path, content in after.items())  # open, chmod, rename
    for one in (club, again):
        one.service.database.close()
    return Works(settings, top / "before", after, club.clock.now(), changes)


@pytest.fixture
def killed(works: Works, tmp_path: Path) -> Settings:
    """Settings with an archive of their own, as it was before the changes."""
    shutil.copytree(works.before, tmp_path / "archive")
    return changed(works.settings, archive_dir=str(tmp_path / "archive"))


def complete(settings: Settings, at: datetime) -> dict[str, bytes]:
    """Return what an archive has after the next passes of a new process."""
    club = make_club(settings, clock=FakeClock(at))
    publish_all(club.service)
    club.service.database.close()
    return files(Path(settings.archive_dir))


def check_whole(works: Works, directory: Path) -> set[str]:
    """Check that whatever has its name is whole: as it was, or as it will be; return the names of all other files."""
    before, now = files(works.before), files(directory)
    unfinished = {path for path in now if path.rpartition("/")[2].startswith(".")}
    for path in now.keys() - unfinished:
        assert now[path] in (before.get(path), works.after.get(path)), path
    return unfinished


@pytest.mark.sampled(7)
@pytest.mark.parametrize("place", range(STEPS))
def test_a_build_killed_between_two_steps_is_completed_by_the_next(works: Works, killed: Settings, place: int) -> None:
    """With SIGKILL: between the making, the opening and the naming of files, whichever they are."""
    assert build(killed, works.at, 1 + place * works.changes // STEPS) == -signal.SIGKILL
    assert len(check_whole(works, Path(killed.archive_dir))) <= 1
    assert complete(killed, works.at) == works.after


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [1, 700, 9_000])
def test_a_build_killed_within_a_file_leaves_no_half_one_to_see(works: Works, killed: Settings, size: int) -> None:
    """What it had written of the file lies under a hidden name, and the next pass takes it away."""
    assert build(killed, works.at, works.changes // 3, size) == -signal.SIGXFSZ
    (half,) = check_whole(works, Path(killed.archive_dir))
    assert (Path(killed.archive_dir) / half).stat().st_size == size
    assert complete(killed, works.at) == works.after


def test_only_what_a_build_left_is_taken_away(works: Works, killed: Settings) -> None:
    """Hidden files of the operator, or of a web server, have other names, and stay."""
    left = Path(killed.archive_dir) / "matches" / f".1.html.{'0123456789abcdef' * 2}"
    left.write_bytes(b"<!DOC")
    own = [
        Path(killed.archive_dir) / name for name in (".htaccess", "robots.txt", "matches/.1.html.swp", ".well-known")
    ]
    for path in own:
        path.write_bytes(b"mine")
    found = complete(killed, works.at)
    assert not left.exists()
    assert all(path.read_bytes() == b"mine" for path in own)
    assert found.items() >= works.after.items()


def test_a_service_takes_away_what_another_process_left(works: Works, killed: Settings) -> None:
    """``pbem archive``, killed while ``pbem run`` goes on: the next pass of that cleans up, not only its next start."""
    club = make_club(killed, clock=FakeClock(works.at))
    publish_all(club.service)
    for path in Path(killed.archive_dir).glob("matches/*"):
        path.unlink()  # so that there is something to write
    assert build(killed, works.at, 2, 700) == -signal.SIGXFSZ
    assert check_whole(works, Path(killed.archive_dir))
    club.service.write_archive()
    assert not check_whole(works, Path(killed.archive_dir))
    club.service.database.close()


def test_two_processes_never_write_at_the_same_time(tmp_path: Path) -> None:
    """The second waits a little, and then says in a sentence that it does not; the first knows nothing of it."""
    refused = pytest.raises(Busy, match=r"^Another process writes the archive in .*: try again")
    with building(tmp_path), refused, building(tmp_path, wait=0.1):
        pass
    with building(tmp_path, wait=0) as was_stopped:
        assert not was_stopped


def test_whoever_was_stopped_is_found_out_once(tmp_path: Path) -> None:
    """By the next, whether it was killed or met an error; a build that came to its end leaves nothing."""
    with pytest.raises(ZeroDivisionError), building(tmp_path):
        raise ZeroDivisionError
    found = []
    for _ in range(2):
        with building(tmp_path) as was_stopped:
            found.append(was_stopped)
    assert found == [True, False]


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes: to write it then fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_after_a_full_disk_the_archive_is_as_if_it_had_never_been_full(club: Club, tmp_path: Path) -> None:
    """A pass that could write only small files says why in a sentence; nothing that it had in mind to write is lost."""
    club.service.settings.archive_dir = str(tmp_path / "archive")
    club.open()
    publish_all(club.service)
    club.clock.advance(timedelta(hours=1))
    club.reply(0, "a1")
    club.open()
    with full_disk(2_000), pytest.raises(Unwritable, match=r"^The archive in \S+ can’t be written: [\w ]+\.$"):
        club.service.write_archive()
    assert not [path for path in files(tmp_path / "archive") if "/." in path]
    publish_all(club.service)
    found = files(tmp_path / "archive")
    shutil.rmtree(tmp_path / "archive")
    assert complete(club.service.settings, club.clock.now()) == found


@pytest.mark.nightly("starts processes and kills them, again and again")
@pytest.mark.parametrize("seed", range(2))
def test_pbem_archive_killed_again_and_again_ends_where_it_would_have(works: Works, tmp_path: Path, seed: int) -> None:
    """The program itself, at moments that nobody has chosen, until it is left alone."""
    shutil.copytree(works.before, tmp_path / "archive")
    environment = {
        "PBEM_ADDRESS": works.settings.address,
        "PBEM_SECRET": works.settings.secret,
        "PBEM_DATABASE_URL": works.settings.database_url,
        "PBEM_ARCHIVE_DIR": str(tmp_path / "archive"),
        "PBEM_ARCHIVE_URL": works.settings.archive_url,
        "PYTHONPATH": ":".join(sys.path),
    }
    command = [sys.executable, "-m", "pbem", "archive"]
    chance, began = random.Random(seed), time.monotonic()
    subprocess.run(command, env=environment | {"PBEM_ARCHIVE_DIR": str(tmp_path / "other")}, check=True)
    took = time.monotonic() - began
    for _ in range(6):
        process = subprocess.Popen(command, env=environment)
        time.sleep(took * chance.uniform(0.5, 1))
        process.kill()
        process.wait()
    subprocess.run(command, env=environment, check=True)
    assert files(tmp_path / "archive") == files(tmp_path / "other")
