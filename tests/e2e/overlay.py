"""This machine, seen through an overlay: what a script changes lies in memory, and is gone with it. Needs root."""

import os
import pty
import select
import subprocess
import time
from pathlib import Path

from tests.e2e.program import without_settings

_PATIENCE = 300  # seconds: packages are fetched
_MACHINE = r"""
set -e
mount -t tmpfs none "$PLACE"
mkdir "$PLACE"/changes "$PLACE"/work "$PLACE"/root
mount -t overlay overlay -o lowerdir=/,upperdir="$PLACE"/changes,workdir="$PLACE"/work "$PLACE"/root
for there in proc dev sys tmp; do mount --rbind /$there "$PLACE"/root/$there; done
exec chroot "$PLACE"/root /bin/bash -e "$SCRIPT"
"""


class Terminal:
    """A shell script that runs in the overlay, at a terminal at which somebody types."""

    def __init__(self, script: str, place: Path) -> None:
        file = place / "script"
        file.write_text(script, encoding="utf-8")
        environment = without_settings() | {
            "PLACE": str(place / "machine"),
            "SCRIPT": str(file),
            "HOME": "/root/operator",
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
        }
        (place / "machine").mkdir()
        self._process, self._screen = pty.fork()
        if not self._process:
            command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", _MACHINE]
            os.execvpe(command[0], command, environment)
        self.shown = ""

    def wait_for(self, words: str) -> None:
        """Wait until these words are shown; AssertionError with all that was shown if they never are."""
        deadline = time.monotonic() + _PATIENCE
        start = len(self.shown)
        while words not in self.shown[start:]:
            assert time.monotonic() < deadline, self.shown
            if select.select([self._screen], [], [], 1)[0]:
                try:
                    self.shown += os.read(self._screen, 65536).decode(errors="replace")
                except OSError:  # the script has ended
                    raise AssertionError(self.shown) from None

    def type(self, answer: str) -> None:
        """Type a line."""
        os.write(self._screen, f"{answer}\n".encode())

    def close(self) -> None:
        """End everything that runs there."""
        os.close(self._screen)
        subprocess.run(["kill", "-KILL", str(self._process)], check=False)
        os.waitpid(self._process, 0)
