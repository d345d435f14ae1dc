"""What goes from the archive: files of matches now private or public, of shorter lists, of killed processes.

Only names that this program gives are looked at; whatever else lies in the directory stays.
"""

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from pbem.mail.archive_paths import PRIVATE, match_key

_PLACES = ("", "calendar", "contests", "games", "matches", "players", PRIVATE, "search")
"""The directories of the archive."""

_OF_MATCH = re.compile(r"matches/(\d{1,10})[.-].+", re.ASCII)
_OF_PLAYER = re.compile(r"players/(\d{1,10})[.-].+", re.ASCII)
_OF_PRIVATE = re.compile(rf"{PRIVATE}/([a-z2-7]{{26}})[.-].+", re.ASCII)
_OF_LISTS = re.compile(
    r"(?:contests\.html|contests/\d+(?:-\d+)?\.(?:html|atom)|index-\d+\.html|sitemap-\d+\.xml|search/[a-z]+-\d+\.js|players/\d+-\d+\.html|(?:index|games/\w+|players/\d+)\.atom)"
)
_UNFINISHED = re.compile(r"\..+\.[0-9a-f]{32}", re.ASCII)


def remove_hidden(directory: Path, matches: Collection[int], players: Collection[int], secret: str) -> int:
    """Remove what tells of private ``matches``, and of all but the ``players`` of others; return how many files it was.

    And what was hidden of matches that are not private any more. Raises OSError.
    """
    keys = {match_key(number, secret) for number in matches} if matches else set()

    def is_wrong(path: str) -> bool:
        if found := _OF_MATCH.fullmatch(path):
            return int(found[1]) in matches
        if found := _OF_PLAYER.fullmatch(path):
            return int(found[1]) not in players
        found = _OF_PRIVATE.fullmatch(path)
        return found is not None and found[1] not in keys

    return _remove(directory, ("matches", "players", PRIVATE), is_wrong)


def remove_revealed(directory: Path, matches: Collection[int], secret: str) -> int:
    """Remove what was hidden of ``matches``, which are not private any more; return how many files it was."""
    keys = {match_key(number, secret) for number in matches}
    return _remove(directory, (PRIVATE,), lambda path: path.removeprefix(f"{PRIVATE}/").split(".")[0] in keys)


def remove_outdated(directory: Path, lists: Collection[str]) -> int:
    """Remove pages of lists that are not among the paths of ``lists``; return how many it was. Raises OSError."""
    return _remove(
        directory,
        ("", "contests", "games", "players", "search"),
        lambda path: bool(_OF_LISTS.fullmatch(path)) and path not in lists,
    )


def remove_unfinished(directory: Path) -> int:
    """Remove the files that a process was writing when it was killed; return how many it was. Raises OSError.

    Nobody else may be writing.
    """
    return _remove(directory, _PLACES, lambda path: bool(_UNFINISHED.fullmatch(path.rpartition("/")[2])))


def _remove(directory: Path, places: Collection[str], is_wrong: Callable[[str], bool]) -> int:
    """Remove the files in some places whose paths are wrong."""
    found = [path for path in _paths(directory, places) if is_wrong(path)]
    for path in found:
        (directory / path).unlink(missing_ok=True)
    return len(found)


def _paths(directory: Path, places: Collection[str]) -> Iterator[str]:
    """Yield the paths within the archive of what is in some places."""
    for place in places:
        inside = directory / place
        for path in inside.iterdir() if inside.is_dir() else ():
            yield f"{place}/{path.name}" if place else path.name
