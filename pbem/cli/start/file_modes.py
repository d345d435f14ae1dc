"""What other users of the machine may do to the files of the service, and the commands that end it."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from pbem.cli.finding import Finding
from pbem.cli.start.login import FILES

if TYPE_CHECKING:
    from pbem.settings.model import Settings

_ANYTHING, _WRITING = 0o007, 0o002  # the rights of whoever is neither the owner nor of the group
_MOST_NAMED = 4  # files in one sentence


def check_modes(settings: "Settings") -> Finding:
    """Check that other users can neither read what is private nor write to its directories."""
    from pbem.settings.lmtp_place import read_lmtp_place

    told = "other users of this machine can read neither the settings nor the database"
    place = read_lmtp_place(settings.lmtp_listen)
    notes = (
        f"All users of this machine can hand in emails at {place}, with any sender and any finding of a mail server: a"
        " socket with mode 660 keeps them out (lmtp_listen)."
    )
    return Finding(told, tuple(find_open_places(settings)), (notes,) if place and place.is_open else ())


def find_open_places(settings: "Settings") -> Iterator[str]:
    """Yield a sentence, with the command to run, for every file or directory that is open to other users.

    They may read a directory, and the archive, but neither the settings, if a secret stands in them, nor the database.
    """
    from pbem.storage.database import Database

    database = Database(settings.database_url)
    try:
        private = database.find_open_files()
        file = database.file
    finally:
        database.close()
    directories = [file.parent] if file else []
    if toml := settings.private_file:
        directories.append(toml.parent)
        if toml.stat().st_mode & _ANYTHING:
            yield f"The passwords in {toml} are open to all users of this machine: run “chmod o= {quote(str(toml))}”."
        for name in FILES.values():
            kept = toml.parent / name
            if kept.is_file() and kept.stat().st_mode & _ANYTHING:
                yield f"The login in {kept} is open to all users of this machine: run “chmod o= {quote(str(kept))}”."
    if len(private) > _MOST_NAMED:
        yield (
            f"{len(private)} files of the database and its copies are open to all users of this machine:"
            " run “pbem db upgrade”, which closes them."
        )
    elif private:
        names = " ".join(quote(str(path)) for path in private)
        yield f"The database is open to all users of this machine: run “chmod o= {names}”."
    if settings.archive_dir:
        directories.append(Path(settings.archive_dir))
    for directory in dict.fromkeys(place.resolve() for place in directories):
        if directory.is_dir() and directory.stat().st_mode & _WRITING:
            yield (
                f"All users of this machine can put files into {directory}, or take the place of ours:"
                f" run “chmod o-w {quote(str(directory))}”."
            )
