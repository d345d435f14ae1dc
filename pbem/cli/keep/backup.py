"""The command that copies the database, checks the copy, and keeps the newest copies."""

import re
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pbem.cli import output
from pbem.errors import BadFile, BadInput

_COPY = re.compile(r"pbem-\d{8}-\d{6}\.db")
_UNFINISHED = re.compile(
    r"(?:pbem-\d{8}-\d{6}\.db\.unchecked|\.pbem-\d{8}-\d{6}\.db\.unchecked\.[0-9a-f]{32})(?:-journal|-wal|-shm)?"
)
_ABANDONED = timedelta(days=1)  # nothing is copied or checked for so long: it was interrupted
_DAMAGED = ".damaged"
_HEADER = b"SQLite format 3\0"


class _Limits(NamedTuple):
    """Which copies of a directory stay: the newest ones, the young ones, and as many as fit; None is no limit."""

    copies: int | None
    days: int | None
    megabytes: int | None

    @property
    def are_set(self) -> bool:
        """Whether any copy may go."""
        return any(limit is not None for limit in self)


class _Held(NamedTuple):
    """How much a copy holds: neither number falls in the life of a database."""

    matches: int
    entries: int


def backup(
    context: typer.Context,
    place: Annotated[
        Path | None,
        typer.Argument(metavar="PLACE", help="Where to: a new file or a directory, by default this one."),
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option(
            "--keep", metavar="N", min=1, max=100_000, help="With a directory: keep its newest N copies, else all."
        ),
    ] = None,
    days: Annotated[
        int | None,
        typer.Option("--days", metavar="N", min=1, max=36_500, help="With a directory: keep copies for N days."),
    ] = None,
    megabytes: Annotated[
        int | None,
        typer.Option("--megabytes", metavar="N", min=1, help="With a directory: keep copies of N MB together."),
    ] = None,
) -> None:
    """Write a consistent copy of the database, while the service goes on, and check it."""
    from pbem.due.gate import OLD_BYTES, gate_of
    from pbem.storage.damage import list_damaged_rows_in
    from pbem.storage.database import find_damage

    now, limits = output.now(), _Limits(keep, days, megabytes)
    if limits.are_set or (place and place.is_dir()):
        target = _make_directory(place) / f"pbem-{now:%Y%m%d-%H%M%S}.db"
    else:
        target = place or Path(f"pbem-backup-{now:%Y%m%d-%H%M%S}.db")
    if target.exists():
        raise BadInput(f"{target} already exists; nothing was changed.")
    if limits.are_set:
        _remove_unfinished(target.parent, now)
    unchecked = Path(f"{target}.unchecked")
    with output.open_database(context) as database:
        database.copy_to(unchecked)
        with database.reading() as tx:
            if gate_of(tx, now).is_put_off(OLD_BYTES):  # by a clock that is doubted no copy is old
                limits = limits._replace(days=None)
    try:
        damage = find_damage(unchecked)
    except BaseException:
        unchecked.unlink()  # nobody knows what it is worth
        raise
    if damage:
        damaged = unchecked.rename(f"{target}{_DAMAGED}")
        _remove_older(damaged, limits, now)
        raise BadFile(
            f"The database is damaged: {damage.rstrip('.')}. The copy is in {damaged}; older copies are still there."
        )
    unchecked.rename(target)
    if rows := list_damaged_rows_in(target):
        raise BadFile(f"Wrote {target}. But {rows[0]} No older copy was removed; “pbem doctor” tells all of it.")
    if limits.are_set and (loss := _find_loss(target)):
        raise BadFile(f"Wrote {target}. But {loss}")
    _remove_older(target, limits, now)
    typer.echo(f"Wrote {target}. Keep it with pbem.toml, whose secret recognises the replies to emails already sent.")


def _make_directory(place: Path | None) -> Path:
    """Return the directory for copies; make it, for its owner alone. Raise BadInput where there can be none."""
    if place is None:
        raise BadInput("To keep some copies only, say which directory they are in: “pbem backup --keep 30 backups”.")
    if place.exists() and not place.is_dir():
        raise BadInput(f"{place} is not a directory; --keep, --days and --megabytes need one.")
    place.mkdir(mode=0o700, exist_ok=True)
    return place


def _find_loss(newest: Path) -> str:
    """Return what another copy of the directory holds and the ``newest`` lacks; an empty text if there is none.

    All are asked, not just the one before: the copies of a database that was emptied would vouch for each other.
    """
    held = _count(newest) or _Held(0, 0)
    for path in sorted(newest.parent.iterdir(), reverse=True):
        if path == newest or not _is_copy(path, ""):
            continue
        other = _count(path) or held
        for what, here, there in zip(("matches", "moves and events"), held, other, strict=True):
            if here < there:
                return (
                    f"it holds fewer {what} than {path.name} ({here}, not {there}): no older copy was removed. Restore"
                    " that one, or, if this is as it should be, move all that hold more somewhere else."
                )
    return ""


def _remove_older(newest: Path, limits: _Limits, now: datetime) -> None:
    """Remove the copies beyond ``limits`` from the directory of the ``newest``, which always stays.

    Sound copies and damaged ones do not count for each other. What this command has not written is left alone.
    """
    if not limits.are_set:
        return
    suffix = newest.name.removeprefix(newest.name.removesuffix(_DAMAGED))
    others = [path for path in newest.parent.iterdir() if path != newest and _is_copy(path, suffix)]
    room = None if limits.megabytes is None else limits.megabytes * 1_000_000 - newest.stat().st_size
    for count, path in enumerate(sorted(others, reverse=True), 2):
        room = None if room is None else room - path.stat().st_size
        is_old = limits.days is not None and now - _time_of(path, now) > timedelta(days=limits.days)
        if is_old or (room is not None and room < 0) or (limits.copies is not None and count > limits.copies):
            path.unlink()


def _time_of(copy: Path, now: datetime) -> datetime:
    """Return when a copy was made, as its name says, whatever was done to it since; ``now`` where that is no time."""
    try:
        return datetime.strptime(copy.name[5:20], "%Y%m%d-%H%M%S").replace(tzinfo=now.tzinfo)
    except ValueError:
        return now


def list_copies(directory: Path) -> dict[Path, float]:
    """Return the sound copies in a directory, with when each was made (seconds since 1970)."""
    found = directory.iterdir() if directory.is_dir() else ()
    return {path: path.stat().st_mtime for path in found if _is_copy(path, "")}


def _remove_unfinished(directory: Path, now: datetime) -> None:
    """Remove what copies that were interrupted have left, unless it is young: it may be in the making."""
    for path in directory.iterdir():
        if not _UNFINISHED.fullmatch(path.name) or path.is_symlink() or not path.is_file():
            continue
        if now - datetime.fromtimestamp(path.stat().st_mtime, now.tzinfo) > _ABANDONED:
            path.unlink()


def _is_copy(path: Path, suffix: str) -> bool:
    """Return whether a file has the name and the contents of a copy; ``suffix`` follows the name of a damaged one."""
    if not (path.name.endswith(suffix) and _COPY.fullmatch(path.name.removesuffix(suffix))):
        return False
    if path.is_symlink() or not path.is_file():
        return False
    if not suffix:
        return _count(path) is not None
    with path.open("rb") as file:  # of a damaged one nothing more can be told
        return file.read(len(_HEADER)) == _HEADER


def _count(copy: Path) -> _Held | None:
    """Return how much a copy holds, which is not changed in any way; None for a file that is no sound copy of ours."""
    try:
        with closing(sqlite3.connect(f"{copy.resolve().as_uri()}?immutable=1", uri=True)) as connection:
            tables = {
                str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            if not {"alembic_version", "match"} <= tables:
                return None
            counts = [
                int(connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]) if table in tables else 0
                for table in ("match", "matchentry")
            ]
            return _Held(*counts)
    except sqlite3.Error:
        return None
