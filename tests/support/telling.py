"""What stands beside the pages of matches, written as a pass does it."""

from collections.abc import Iterable
from pathlib import Path

from pbem.archive.publicity import Publicity
from pbem.match.match import Match
from tests.support.matches import NOW


def tell(publicity: Publicity, directory: Path, *matches: Match, hidden: Iterable[int] = ()) -> int:
    """Write what tells of these matches, and all that waits; return how many files are new."""
    written = 0
    for match in matches:
        publicity.note(match, NOW)
        written += publicity.write_match(match, directory, NOW)
        publicity.look(match.id, directory)
    return written + sum(publicity.write(directory, hidden)) + sum(publicity.draw(directory))
