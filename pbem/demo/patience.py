"""How long the demo waits: as long as anything happens, and two minutes more; then it says what it waited for."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from pbem.errors import PbemError
from rules.text import listed

SILENCE_SECONDS = 120.0
"""After so long a time in which nothing happened, the demo is stopped."""

NO_LIMIT = 86_400.0
"""Seconds, for libraries that want a time limit: on a busy machine any shorter one can be too short."""


class WaitedInVain(PbemError):
    """Nothing has happened for so long that nothing will."""


class Patience:
    """Ends when nothing has happened for ``seconds``; whoever waits says for what, and what happens is marked here."""

    def __init__(self, limit: asyncio.Timeout, seconds: float) -> None:
        self._limit, self._seconds = limit, seconds
        self._awaited: list[str] = []
        self._busy = 0
        self.mark()

    def mark(self) -> None:
        """Begin to wait anew: an email has come in or was read, or pages were written."""
        if not self._limit.expired():
            self._limit.reschedule(None if self._busy else asyncio.get_running_loop().time() + self._seconds)

    @contextmanager
    def awaiting(self, what: str) -> Iterator[None]:
        """Note what is waited for in the context: “an email to Bob in match 3”."""
        self._awaited.append(what)
        yield
        self._awaited.remove(what)  # what was broken off stays, to be told of

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Let all of the context count as happening: a robot thinks, or somebody types."""
        self._busy += 1
        self.mark()
        try:
            yield
        finally:
            self._busy -= 1
            self.mark()

    def complaint(self) -> str:
        """Return in a sentence what was waited for."""
        awaited = listed(dict.fromkeys(self._awaited)) or "its servers"
        return f"Nothing has happened for {self._seconds:g} seconds, so it was stopped; it waited for {awaited}."


@asynccontextmanager
async def being_patient(seconds: float = SILENCE_SECONDS) -> AsyncIterator[Patience]:
    """Let the context last as long as anything happens; raise WaitedInVain when nothing has for so many ``seconds``."""
    patience: Patience | None = None
    try:
        async with asyncio.timeout(None) as limit:
            patience = Patience(limit, seconds)
            yield patience
    except TimeoutError:
        if patience is None or not limit.expired():
            raise
        raise WaitedInVain(patience.complaint()) from None
