"""What is remembered of an archive is never older than its pages, else they'd keep a private match or a former name."""

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.mail.archive_paths import PRIVATE
from pbem.running.archiving.pass_memory import FILE as MEMORY
from pbem.running.operator_rulings import forget_player, seat_another, set_private
from tests.support.club import PLAYERS, Club
from tests.support.publishers import publisher, texts


def publish(club: Club, seconds: float | None = None, *, dies: bool = False) -> None:
    """Publish as a process of its own; it ends on its way if it has ``seconds``, and keeps nothing if it ``dies``."""
    club.clock.advance(timedelta(minutes=10))
    process = publisher(club)
    process.publish(club.clock.now(), seconds=seconds)
    if not dies:
        process.keep()


def find_name(archive: Path) -> list[str]:
    """Return the pages that anybody can find with the newcomer's name on them."""
    found = texts(archive).items()
    return [path for path, text in found if b"Zephyrine" in text and not path.startswith((PRIVATE, "calendar"))]


def check_whole(club: Club, archive: Path) -> None:
    """Check that pages are those that somebody makes who remembers nothing."""
    found = texts(archive)
    archive.rename(archive.with_name("stale"))
    publisher(club).publish(club.clock.now())
    assert found == texts(archive)


def hide(club: Club) -> None:
    """Make the newest match private."""
    set_private(club.service, 2, True)


def replace(club: Club) -> None:
    """Let somebody have the seat of the newcomer, whom nobody is to find any more."""
    newcomer = club.match(2).players[0]
    seat_another(club.service, 2, "Zephyrine", "ann@a.example")
    forget_player(club.service, newcomer)


@pytest.mark.parametrize("change", [hide, replace])
@pytest.mark.parametrize("dies", [True, False])
@pytest.mark.parametrize("steps", [None, 2])
def test_what_changed_between_processes_leaves_no_trace(
    change: Callable[[Club], None], steps: int | None, dies: bool, club: Club, archive: Path
) -> None:
    """A match and a player that only a process knew that is dead, or one that ended well; the next ends on its way."""
    club.open()
    publish(club)
    club.service.open("pipline", ("Zephyrine <zoe@z.example>", PLAYERS[1]), {"size": 5})
    publish(club, dies=dies)
    assert find_name(archive)
    change(club)
    publish(club, steps)
    publish(club)
    assert find_name(archive) == []
    check_whole(club, archive)


@pytest.mark.parametrize("dies", [True, False])
def test_a_match_that_was_private_before_and_is_again_is_on_no_list(dies: bool, club: Club, archive: Path) -> None:
    """Meanwhile it was public, and lists told of it."""
    club.open()
    club.service.open("pipline", ("Zephyrine <zoe@z.example>", PLAYERS[1]), {"size": 5}, private=True)
    publish(club)
    set_private(club.service, 2, False)
    publish(club, dies=dies)
    assert b"Zephyrine" in texts(archive)["players.json"]
    hide(club)
    publish(club)
    check_whole(club, archive)


def test_it_lies_there_between_processes_alone(club: Club, archive: Path) -> None:
    """Whoever publishes takes it away, and what another process kept meanwhile stays: that one has seen more."""
    club.open()
    first = publisher(club)
    first.publish(club.clock.now())
    publish(club)
    kept = (archive / MEMORY).read_bytes()
    first.keep()
    assert (archive / MEMORY).read_bytes() == kept
    first.publish(club.clock.now())
    assert not (archive / MEMORY).exists()
    club.open()
    first.publish(club.clock.now(), seconds=1)
    first.keep()
    assert not (archive / MEMORY).exists()


@pytest.mark.parametrize("spoil", [os.mkfifo, lambda file: file.symlink_to("/dev/zero")], ids=["pipe", "link"])
def test_what_is_no_file_is_none(spoil: Callable[[Path], None], club: Club, archive: Path) -> None:
    """Nobody waits for it, or reads it for ever; it is replaced."""
    club.open()
    publish(club)
    before, file = texts(archive), archive / MEMORY
    file.unlink()
    spoil(file)
    publish(club)
    assert texts(archive) == before
    assert file.is_file()
    assert not file.is_symlink()


@pytest.mark.parametrize("error", [PermissionError, AttributeError])
def test_one_that_cannot_be_read_is_none(
    error: type[Exception], club: Club, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of root, who ran pbem once, or one with things that a newer Python or library has no longer."""

    def fail(*_: object) -> None:
        raise error

    club.open()
    publish(club)
    before = texts(archive)
    monkeypatch.setattr("pbem.running.archiving.pass_memory._Reader.load", fail)
    publish(club)
    assert texts(archive) == before
