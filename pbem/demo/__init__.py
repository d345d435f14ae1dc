"""The demonstration: a small world of mail servers and players on this machine alone."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console


def run(
    *,
    play: bool = False,
    game: str = "zipline",
    stay: bool = False,
    quick: bool = False,
    directory: "Path | None" = None,
    console: "Console | None" = None,
) -> int:
    """Play matches of every game by mail and check them; return the exit code, 0 when all is as it should be.

    ``play``: instead, somebody at the terminal takes a seat in a match of ``game``, a key of GAMES. ``stay``: instead,
    the servers stay up for any mail program. ``quick``: without pauses. ``directory``: where to keep files, a
    temporary one if not given.
    """
    # The servers and the database take a second to import, which is too long for somebody who asks for help.
    import asyncio
    import shutil
    import tempfile
    from pathlib import Path

    from rich.console import Console
    from rich.text import Text

    from pbem.demo.house import keep_open
    from pbem.demo.seat import take_a_seat
    from pbem.demo.theatre import demonstrate
    from pbem.errors import PbemError

    out = console or Console(highlight=False)
    place = directory or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    worth_keeping = directory is not None
    try:
        if play:
            return asyncio.run(take_a_seat(out, place, game))
        if stay:
            return asyncio.run(keep_open(out, place))
        code = asyncio.run(demonstrate(out, place, quick=quick))
        worth_keeping = True
        return code
    except PbemError as error:
        out.print(Text(str(error), "bold red"), soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        out.print(Text("\nStopped; the servers are down and nothing runs on."))
        return 0 if play or stay else 1
    finally:
        if not worth_keeping:
            shutil.rmtree(place, ignore_errors=True)
