"""The whole archive in a file of JSON Lines, from which it is rebuilt byte for byte: what anybody can find, no more.

It is made of the archive's own files, and not of the database: what pages follow from is more than they show, such as
the secrets of rolls to come, the time zones of players, and words to a side.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pbem.archive.match.formats import VERSION
from pbem.archive.pages import write_if_changed
from pbem.errors import BadFile

_PUBLIC = re.compile(
    r"(?:(?:index|search|about|key|contests)(?:-\d+)?\.(?:html|atom)|sitemap(?:-\d+)?\.xml|(?:players|offers|contests)\.json"
    r"|style\.css|icon\.svg|(?:twins/)?[a-z]+\.js|search/[a-z]+-\d+\.js|games/[a-z]+(?:-report)?\.(?:html|atom)"
    r"|matches/index\.jsonl|(?:matches|players|contests)/\d+[-.][a-z0-9.]+)",
    re.ASCII,
)
"""The paths of all files that anybody can find; whatever else lies there is somebody's own, or private."""


def write_lines(directory: Path) -> Iterator[str]:
    """Yield the lines: how many files there are, then each with its path. Nobody may write meanwhile. OSError."""
    paths = [path for path in sorted(directory.rglob("*.*")) if path.is_file()]
    found = {name: path for path in paths if _PUBLIC.fullmatch(name := path.relative_to(directory).as_posix())}
    yield _encode({"version": VERSION, "files": len(found)})
    for name, path in found.items():
        content = path.read_bytes()
        try:
            yield _encode({"path": name, "text": content.decode()})
        except UnicodeDecodeError:
            yield _encode({"path": name, "base64": b64encode(content).decode()})


def rebuild(lines: Iterable[str], directory: Path) -> int:
    """Write the files that ``lines`` tell into a directory; return how many. Raises OSError.

    Raise BadFile for lines that no pbem of this version writes; a path that leads anywhere else is none of ours.
    """
    rest = iter(lines)
    head = _read(next(rest, ""), 1)
    if head.get("version") != VERSION:
        raise BadFile(f"Line 1 names no version {VERSION} of an archive: “pbem export --all” writes such a file.")
    count = 0
    for count, line in enumerate(rest, 1):
        told = _read(line, count + 1)
        path, text, packed = (told.get(key) for key in ("path", "text", "base64"))
        if not (isinstance(path, str) and _PUBLIC.fullmatch(path)):
            raise BadFile(f"Line {count + 1} names no file of an archive.")
        if isinstance(text, str):
            write_if_changed(directory / path, text.encode())
        elif isinstance(packed, str):
            write_if_changed(directory / path, b64decode(packed))
    if count != head.get("files"):
        raise BadFile(f"It was cut off: it has {count} of {head.get('files')} files.")
    return count


def _encode(data: dict[str, Any]) -> str:
    """Return a line, in ASCII: no letter of a name ends it."""
    return json.dumps(data, separators=(",", ":")) + "\n"


def _read(line: str, number: int) -> dict[str, Any]:
    """Return what a line tells. Raise BadFile for one that is no object."""
    try:
        told = json.loads(line)
    except ValueError as error:
        raise BadFile(f"Line {number} is not JSON.") from error
    if not isinstance(told, dict):
        raise BadFile(f"Line {number} is no object.")
    return told
