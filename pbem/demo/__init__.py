"""The demonstration: a small world of mail servers and players on this machine alone."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console


def run(
    *,
    play: bool = False,
    stay: bool = False,
    quick: bool = False,
    directory: "Path | None" = None,
    console: "Console | None" = None,
) -> int:
    """Play four matches by mail and check them, and return the exit code: 0 when all is as it should be.

    ``play``: instead, somebody at the terminal takes a seat. ``stay``: instead, the servers stay up for any
    mail program. ``quick``: without pauses. ``directory``: where to keep files, a temporary one if not given.
    """
    # The servers and the database take a second to import, which is nobody's who asks for help alone.
    import shutil
    import tempfile
    from pathlib import Path

    from rich.console import Console

    from pbem.demo import doors

    out = console or Console(highlight=False)
    place = directory or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    keep = directory is not None
    try:
        if play:
            return doors.play(out, place)
        if stay:
            return doors.stay(out, place)
        keep = True
        return doors.demonstrate(out, place, quick=quick)
    finally:
        if not keep:
            shutil.rmtree(place, ignore_errors=True)
