"""The check how much room the database has left, and how long it lasts."""

import os
import shutil
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli import output
from pbem.errors import BadInput

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.settings.model import Settings
    from pbem.storage.database import Database
    from pbem.storage.disk import Growth

_WEEK, _MONTH = timedelta(days=7), timedelta(days=30)
_LEAST_DAYS, _LEAST_ROOM = 30, 200_000_000
_ENOUGH_MOVES = 100
_LONG = 3650  # days: further nobody can see


def check_disk(settings: "Settings", database: "Database", free: int | None = None) -> str:
    """Return what the database takes, how fast it grows, and how long the disk lasts.

    ``free`` are the bytes that are free on it, None to ask the disk. Raise BadInput for less than 200 MB, for less than
    30 days, and where nothing can be written.
    """
    if database.file is None or not database.file.exists():
        return "the database is not a file on this machine: its server has to watch its own disk"
    if not all(os.access(path, os.W_OK) for path in (database.file, database.file.resolve().parent)):
        raise BadInput(
            f"Nothing can be written to {database.file}: the disk is read-only, or the file is somebody else’s."
        )
    now = output.now()
    with database.reading() as tx:
        unused = tx.disk.count_unused()
        weekly, monthly = (
            [
                (tx.disk.measure_inbound(now - time), settings.keep_inbound_days),
                (tx.disk.measure_outbound(now - time), settings.keep_outbound_days),
            ]
            for time in (_WEEK, _MONTH)
        )
        moves = tx.disk.count_entries(now - _MONTH)
    taken = sum(path.stat().st_size for path in (database.file, Path(f"{database.file}-wal")) if path.exists())
    free = shutil.disk_usage(database.file.resolve().parent).free if free is None else free
    a_week = sum(growth.rows * (growth.dropped + growth.stays) for growth, _ in weekly)
    a_month = sum(growth.rows * (growth.dropped + growth.stays) for growth, _ in monthly)
    days = min(count_days(weekly, _WEEK, free + unused, now), count_days(monthly, _MONTH, free + unused, now))
    lasts = "for years" if days >= _LONG else f"about {days:,} days"
    told = (
        f"the database takes {_size(taken)}, of which {_size(unused)} can be used again; {_size(free)} are free."
        f" {_size(a_week)} came in 7 days, {_size(a_month)} in 30; at this rate it lasts {lasts}"
        f"{_tell_of_moves(monthly, moves)}"
    )
    if free + unused < _LEAST_ROOM or days < _LEAST_DAYS:
        raise BadInput(
            f"Little room is left: {told}. Make room, or lower keep_inbound_days and keep_outbound_days:"
            f" they are now {settings.keep_inbound_days} and {settings.keep_outbound_days}."
        )
    return told + _tell_of_archive(settings, database.file)


def _tell_of_moves(grown: "list[tuple[Growth, int]]", moves: int) -> str:
    """Return a clause about what a thousand moves take with their emails, once there were enough to tell."""
    if moves < _ENOUGH_MOVES:
        return ""
    stays = sum(growth.rows * growth.stays for growth, _ in grown) / moves * 1000
    dropped = sum(growth.rows * growth.dropped for growth, _ in grown) / moves * 1000
    return f"; a thousand moves take {_size(stays)} for good, and {_size(dropped)} until old emails are dropped"


def count_days(grown: "list[tuple[Growth, int]]", within: timedelta, room: float, now: "datetime") -> int:
    """Return for how many days the room lasts, up to ten years, if as much comes as ``within`` that time.

    ``grown`` are tables with the days for which they keep bytes. What they drop takes more room only until the first of
    their rows is older than that.
    """
    steps = []
    for growth, keep in grown:
        age = (now - growth.oldest) / timedelta(days=1) if growth.oldest else 0
        a_day = growth.rows / max(min(age, within / timedelta(days=1)), 1)
        steps.append((a_day * growth.dropped, max(keep - age, 0), a_day * growth.stays))
    return next(
        (
            days
            for days in range(_LONG)
            if sum(dropped * min(days + 1, still) + stays * (days + 1) for dropped, still, stays in steps) > room
        ),
        _LONG,
    )


def _tell_of_archive(settings: "Settings", file: Path) -> str:
    """Return a clause about the disk of the archive, if it has one of its own. Raise BadInput where it is full."""
    directory = Path(settings.archive_dir) if settings.archive_dir else None
    if directory is None or not directory.is_dir() or directory.stat().st_dev == file.stat().st_dev:
        return ""
    free = shutil.disk_usage(directory).free
    if free < _LEAST_ROOM:
        raise BadInput(f"Only {_size(free)} are free on the disk of the archive, {directory}.")
    return f"; {_size(free)} are free on the disk of the archive"


def _size(count: float) -> str:
    """Return a number of bytes for people: ``12 MB``."""
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}" if count < 100 * unit else f"{count / unit:,.0f} {name}"
    return f"{count / 1000:.0f} kB"
