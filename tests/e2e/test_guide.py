"""The hosting guide, followed to the letter on a machine whose every change is thrown away. Needs root, as it does.

The machine is this one, seen through an overlay: what the guide creates lies in memory, and is gone with the test.
There is no systemd in it: ``systemctl enable --now`` starts what the units say, as the user and with the umask and the
directories that they name.
"""

import asyncio
import os
import pty
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from pbem.demo.servers import DemoServers
from tests.e2e.program import GAMES, Postbox, without_settings

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "deploy" / "README.md"
PATIENCE = 300  # seconds: packages are fetched
READY = "The guide is done."

_MACHINE = r"""
set -e
mount -t tmpfs none "$PLACE"
mkdir "$PLACE"/changes "$PLACE"/work "$PLACE"/root
mount -t overlay overlay -o lowerdir=/,upperdir="$PLACE"/changes,workdir="$PLACE"/work "$PLACE"/root
for there in proc dev sys tmp; do mount --rbind /$there "$PLACE"/root/$there; done
exec chroot "$PLACE"/root /bin/bash -e "$SCRIPT"
"""
_SUDO = """#!/bin/bash
exec runuser -u "$2" -- "${@:3}"
"""
_SYSTEMCTL = r"""#!/bin/bash -e
[ "$1 $2" = "enable --now" ]
say() { sed -n "s/^$2=//p" "/etc/systemd/system/$1.service" | tail -1; }
for unit in "${@:3}"; do
    name=${unit%.timer}
    state=$(say $name StateDirectory) cache=$(say $name CacheDirectory) user=$(say $name User)
    install -d -m "$(say $name StateDirectoryMode)" -o "$user" /var/lib/$state
    [ -z "$cache" ] || install -d -m "$(say $name CacheDirectoryMode)" -o "$user" /var/cache/$cache
    cd "$(say $name WorkingDirectory)"
    umask "$(say $name UMask)"
    before=$(say $name ExecStartPre)
    [ -z "$before" ] || runuser -u "$user" -- $before
    runuser -u "$user" -- $(say $name ExecStart) &
    [ "$unit" = "$name" ] || wait $!  # a timer: what it starts is over soon
done
"""


def steps() -> list[str]:
    """Return the commands of the first section, as they stand there."""
    section = GUIDE.read_text("utf-8").partition("## Ten minutes\n")[2].partition("\n## ")[0]
    return re.findall(r"^    (.+)$", section, re.MULTILINE)


class Terminal:
    """A shell script that runs in the overlay, at a terminal at which somebody types."""

    def __init__(self, script: str, place: Path) -> None:
        checkout = place / "checkout"
        checkout.write_text(script, encoding="utf-8")
        environment = without_settings() | {
            "PLACE": str(place / "machine"),
            "SCRIPT": str(checkout),
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
        deadline = time.monotonic() + PATIENCE
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


async def test_whoever_follows_the_guide_has_a_match_in_the_end(tmp_path: Path) -> None:
    """Every command of the first section, as it stands there: it installs, asks, starts, opens; two players have mail.

    Nothing is found wrong by the doctor afterwards, neither with the service running nor with the copy of the night.
    """
    commands = steps()
    assert len(commands) > 10
    script = [
        "mkdir -p /root/operator",
        f"ln -s {ROOT} /root/operator/pbem",
        *(
            f"cat > /usr/local/sbin/{name} <<'END'\n{text}END\nchmod 755 /usr/local/sbin/{name}"
            for name, text in (("sudo", _SUDO), ("systemctl", _SYSTEMCTL))
        ),
        "cd ~/pbem",
        *commands,
        "sleep 2",
        "sudo -u pbem /opt/pbem/bin/pbem doctor",
        f'echo "{READY}"',
        "sleep 300",
    ]
    postbox = Postbox()
    async with DemoServers([GAMES, "ann@example.org", "bob@example.net"], on_mail=postbox) as servers:
        terminal = Terminal("\n".join(script), tmp_path)
        try:
            for asked, answer in (
                ("The address that players write to", GAMES),
                ("(IMAP)", servers.imap_url(GAMES)),
                ("(SMTP)", servers.smtp_url),
                ("Your own address", "op@example.org"),
            ):
                await asyncio.to_thread(terminal.wait_for, asked)
                terminal.type(answer)
            for player in ("ann@example.org", "bob@example.net"):
                await postbox.reaches(player, 1)
            await asyncio.to_thread(terminal.wait_for, READY)
        finally:
            terminal.close()
    print(terminal.shown)
    assert "✗" not in terminal.shown
    assert shutil.which("pbem", path="/opt/pbem/bin") is None  # of the machine itself nothing was changed
