"""The disk under the database: filled up, and made read-only."""

import os
import resource
import subprocess
from contextlib import suppress
from pathlib import Path

_BYTES = 512 << 20
_PAGE = 4096
_TRIES = 50


class Disk:
    """A directory for the database: a file system in memory, where this process may mount one.

    Elsewhere only the files of one process can be kept from growing, and nothing is made read-only.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir()
        self.directory = directory
        self.is_mounted = _call("mount", "-t", "tmpfs", "-o", f"size={_BYTES},mode=700", "tmpfs", str(directory))

    def fill(self, pid: int) -> None:
        """Leave no room: nothing can be written that is not overwritten; without a file system, for process ``pid``."""
        if self.is_mounted:
            assert any(self._take_the_rest() for _ in range(_TRIES)), "the files grow faster than they are measured"
        elif pid:
            with suppress(ProcessLookupError):  # its files may not grow
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (_PAGE, resource.RLIM_INFINITY))

    def _take_the_rest(self) -> bool:
        """Return whether the file system is no larger now than what it holds; a file may have grown meanwhile."""
        found = os.statvfs(self.directory)
        size = (found.f_blocks - found.f_bfree) * found.f_frsize
        return _call("mount", "-o", f"remount,size={size}", str(self.directory))

    def free(self, pid: int) -> None:
        """Give the room back."""
        if self.is_mounted:
            self._remount(f"size={_BYTES}")
        elif pid:
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def freeze(self) -> None:
        """Let nothing be written at all; nobody may have a file open for writing."""
        self._remount("ro")

    def thaw(self) -> None:
        """Let everything be written again."""
        self._remount("rw")

    def remove(self) -> None:
        """Take the file system away."""
        if self.is_mounted:
            assert _call("umount", "-l", str(self.directory))

    def _remount(self, option: str) -> None:
        assert _call("mount", "-o", f"remount,{option}", str(self.directory)), option


def _call(*command: str) -> bool:
    """Return whether a command did what it should."""
    with suppress(FileNotFoundError):
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    return False
