"""Access tokens (OAuth 2.0), which a command of the operator prints; they stand in no log and in no error."""

import asyncio
import os
import shlex
import signal
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress

from pbem.errors import ConfigError, NoToken
from pbem.log.redaction import redacted
from pbem.transport.network import one_line

_KEPT_SECONDS = 45 * 60  # providers let a token live for an hour or more


class TokenCommand:
    """A command that prints an access token: a program with its arguments, quoted as for a shell, which runs none.

    ``setting`` is the setting that names it, for errors. It may take ``timeout`` seconds. A token is kept for 45
    minutes, and no longer than until a server refuses it. Raises ConfigError for a command that can't be read.
    """

    def __init__(self, command: str, setting: str, *, timeout: float = 30) -> None:
        try:
            self._argv = shlex.split(command)
        except ValueError:
            self._argv = []
        if not self._argv:
            raise ConfigError(f"The command in {setting} can't be read: its quotation marks don't match.")
        self._setting = setting
        self._timeout = timeout
        self._kept: tuple[str, float] | None = None
        self._is_new = False

    async def token(self) -> str:
        """Return a token: the one that is kept, or a new one. Raise NoToken if the command gives none."""
        now = time.monotonic()
        if self._kept is not None and now < self._kept[1]:
            self._is_new = False
        else:
            self._kept = await self._ask(), now + _KEPT_SECONDS
            self._is_new = True
        return self._kept[0]

    def drop_refused(self) -> bool:
        """Forget the token, which a server has refused; return whether it was an old one, so that a new one may do."""
        was_old = self._kept is not None and not self._is_new
        self._kept = None
        return was_old

    async def _ask(self) -> str:
        """Run the command, and return what it prints."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._argv, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, start_new_session=True
            )
        except OSError as error:
            raise NoToken(f"The command in {self._setting} can't be started: {error.strerror}.") from None
        printed, complaints = await self._finish(process)
        token = printed.decode(errors="replace").strip()
        if process.returncode:
            lines = complaints.decode(errors="replace").strip().splitlines()
            words = redacted(one_line(lines[-1]), token.split()) if lines else ""
            ended = f"ended with exit code {process.returncode}" if process.returncode > 0 else "was killed"
            raise NoToken(f"The command in {self._setting} {ended}{words and ': '}{words}.")
        if not token.isascii() or not token.isprintable() or len(token.split()) != 1:
            raise NoToken(f"The command in {self._setting} printed no access token, one word on a line of its own.")
        return token

    async def _finish(self, process: Process) -> tuple[bytes, bytes]:
        """Return what the command prints and complains of; however that goes, nothing of it runs afterwards."""
        try:
            async with asyncio.timeout(self._timeout):
                return await process.communicate()
        except TimeoutError:
            raise NoToken(f"The command in {self._setting} didn't end within {self._timeout:g} seconds.") from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # what it has started, too
                await process.wait()
