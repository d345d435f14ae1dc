"""Beginnings of stories that many tests share: each is played once, and its database copied."""

import shutil
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import Club, make_club
from tests.support.fakes import FakeClock, FakeDice

Beginning = Callable[[Club], object]
"""What happens in a club where nothing was."""

After = Callable[[Beginning], Club]
"""What makes a club that goes on from a beginning."""


@dataclass(frozen=True)
class _Played:
    """The database after a beginning, when that was, how many replies were written, and what the beginning returned."""

    path: Path
    now: datetime
    written: int
    result: object


class Laid:
    """Clubs that go on from where a beginning leaves them."""

    def __init__(self, settings: Settings, blank: Path, directory: Path) -> None:
        self._settings, self._blank, self._directory = settings, blank, directory
        self._played: dict[Hashable, _Played] = {}
        self._copies = 0
        self._open: list[Club] = []

    def after(self, begin: Beginning, settings: Mapping[str, object] | None = None) -> tuple[Club, object]:
        """Return a club after a beginning, and what that returned; always with the same ``settings``."""
        if begin not in self._played:
            club = self.fresh(settings=settings)
            result = begin(club)
            club.service.database.close()
            path = club.service.database.file
            assert path
            self._played[begin] = _Played(path, club.clock.now(), club.written, result)
        played = self._played[begin]
        club = self.fresh(played.path, now=played.now, dice=1000, written=played.written, settings=settings)
        return club, played.result

    def fresh(
        self,
        database: Path | None = None,
        *,
        now: datetime | None = None,
        dice: int = 1,
        written: int = 0,
        settings: Mapping[str, object] | None = None,
    ) -> Club:
        """Return a club over a copy of a database, a blank one unless told otherwise."""
        self._copies += 1
        path = shutil.copy(database or self._blank, self._directory / f"{self._copies}.db")
        chosen = changed(self._settings, database_url=f"sqlite:///{path}", **(settings or {}))
        club = make_club(chosen, clock=FakeClock(now) if now else FakeClock(), dice=FakeDice(dice))
        club.written = written
        self._open.append(club)
        return club

    def close(self) -> None:
        """Close the databases of all of them."""
        while self._open:
            self._open.pop().service.database.close()
