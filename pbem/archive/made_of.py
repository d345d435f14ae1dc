"""What each page was made of: a process that starts again, or goes on where another was killed, makes no page twice.

A file in the archive has two short hashes for each page: of its path, and of all that it was made of. They are keyed
with the secret of the host, so that nobody learns a path or a word from them, and a page is made anew after any change
of the program or of the settings. Without the file, or without a page, pages are made again: it can be deleted.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from functools import cache
from hashlib import blake2b, sha256
from pathlib import Path

from pbem.archive.standing import status
from pbem.archive.way_in import find_way_in
from pbem.mail.compose import Site
from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.match.summary import summarise
from pbem.match.thought import Shown
from pbem.match.time.calendar import Span
from pbem.settings.places import PROGRAM

FILE = ".made"
"""The path of the file within the archive; nobody but its owner may read it."""

UNSAVED = 50
"""Pages that a process that is killed may have made for nothing."""

_SIZE = 8  # bytes of a hash
_APART = {"game", "players", "folded", "ruling", "options", "plans", "agreements"}
"""Fields of a match that say more, or less, than it is; what is offered stands in its log."""


class Made:
    """What the pages in ``directory`` were made of, for the host ``site``; ``draws``: it can draw pictures.

    What was made is written now and then, and by ``save``. ``key`` is that of the host and the
    program.
    """

    def __init__(self, directory: Path, site: Site, *, draws: bool) -> None:
        self.directory = directory
        self.key = blake2b(
            repr((_program(), site.archive_url, site.address, find_way_in(site), draws, type(site.language))).encode(),
            key=sha256(site.secret.encode()).digest(),
        ).digest()
        self._stamps: dict[bytes, bytes] = {}
        self._fresh: list[tuple[bytes, bytes]] = []

    def read(self) -> None:
        """Read what earlier processes have made; without doublings it is written anew, so that it cannot grow for ever.

        Lines that were not written to their end are passed over. Raises OSError.
        """
        file = self.directory / FILE
        try:
            lines = file.read_text("ascii", "replace").splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            path, _, stamp = line.partition(" ")
            with suppress(ValueError):
                if len(line) == 4 * _SIZE + 1:
                    self._stamps[bytes.fromhex(path)] = bytes.fromhex(stamp)
        if len(lines) > 2 * len(self._stamps):
            file.unlink()
            self._fresh = list(self._stamps.items())
            self.save()

    def make(self, path: str, told: str, write: Callable[[], int]) -> int:
        """Call ``write`` unless the file with that path is there, and was last made of the same ``told``.

        Return the number of files that ``write`` says have changed.
        """
        name, stamp = self._hash(path), self._hash(told)
        if self._stamps.get(name) == stamp and (self.directory / path).is_file():
            return 0
        written = write()
        self._stamps[name] = stamp
        self._fresh.append((name, stamp))
        if len(self._fresh) >= UNSAVED:
            self.save()
        return written

    @property
    def is_known(self) -> bool:
        """Whether it's known of any page what it was made of."""
        return bool(self._stamps)

    def stamp(self, path: str) -> bytes:
        """Return the hash of what a page was last made of; nothing of one that was never made."""
        return self._stamps.get(self._hash(path), b"")

    def save(self) -> None:
        """Write what was made since the last time. Raises OSError."""
        if not self._fresh:
            return
        lines = "".join(f"\n{name.hex()} {stamp.hex()}" for name, stamp in self._fresh)
        with open(os.open(self.directory / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
            file.write(lines.encode())
        self._fresh.clear()

    def _hash(self, text: str) -> bytes:
        """Return the hash of a text under the key of the host and the program."""
        return blake2b(text.encode(), digest_size=_SIZE, key=self.key).digest()


def describe_match(
    match: Match,
    log: Sequence[LogEntry],
    outages: Sequence[Span],
    beside: Sequence[int | str],
    now: datetime,
    thoughts: Sequence[Shown] = (),
) -> str:
    """Return all that the pages of a match are made of.

    That are the match, its ``log``, the ``outages`` during it, where it leads, how it stands, and the ``thoughts``
    that were published under its moves.
    """
    said = [getattr(match, one.name) for one in fields(match) if one.name not in _APART]
    players = [(one.id, one.name, one.preferences, one.forgotten, one.calendar) for one in match.players]
    ruling = match.ruling and (match.ruling.kind, sorted(match.ruling.winners), match.ruling.reason, match.ruling.at)
    options = sorted(match.options.items())
    around = tuple(outages), tuple(beside), status(summarise(match), now)
    return repr((match.game.key, options, players, ruling, said, log, around, *thoughts))


@cache
def _program() -> str:
    """Return a hash of the program: what it makes of the same match, another version may make otherwise."""
    found = sha256()
    for path in sorted(_sources()):
        found.update(path.read_bytes())
    return found.hexdigest()


def _sources() -> Iterator[Path]:
    """Yield the files of the program and its templates."""
    for directory in PROGRAM:
        yield from (path for path in directory.rglob("*.*") if path.suffix != ".pyc" and path.is_file())
