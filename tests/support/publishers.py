"""A process that publishes the archive, and what is in it then."""

from itertools import count
from pathlib import Path

from pbem.archive.made_of import FILE
from pbem.running.archiving.pass_memory import FILE as MEMORY
from pbem.running.archiving.publishing import Publisher
from tests.support.club import Club


def publisher(club: Club) -> Publisher:
    """Return what publishes in another process, in which a second passes whenever somebody looks at the time."""
    return Publisher(club.service.settings, club.service.database, club.service.site, count().__next__)


def pages(archive: Path) -> dict[str, tuple[int, bytes]]:
    """Return inode and content of every page: one that is written again is another file."""
    files = (path for path in archive.rglob("*") if path.is_file() and path.name not in (FILE, MEMORY))
    return {str(path.relative_to(archive)): (path.stat().st_ino, path.read_bytes()) for path in files}


def texts(archive: Path) -> dict[str, bytes]:
    """Return the content of every page."""
    return {name: content for name, (_, content) in pages(archive).items()}
