"""The hosting guide, followed to the letter on a machine whose every change is thrown away. Needs root, as it does.

There is no systemd in it: ``systemctl enable --now`` starts what the units say, as the user and with the umask and the
directories that they name.
"""

import asyncio
import re
import shutil
from pathlib import Path

import pytest

from pbem.demo.servers import DemoServers
from tests.e2e.overlay import Terminal
from tests.e2e.program import GAMES, Postbox

pytestmark = pytest.mark.slow("does the steps of the guide in a shell")

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "deploy" / "README.md"
READY = "The guide is done."

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


async def test_whoever_follows_the_guide_has_a_match_in_the_end(tmp_path: Path) -> None:
    """Every command of the first section, as it stands there: it installs, asks, starts, opens; two players have mail.

    Nothing is found wrong by the doctor afterwards, neither with the service running nor with the copy of the night.
    """
    commands = steps()
    assert len(commands) > 10
    script = [
        "mkdir -p /root/operator",
        f"ln -s {ROOT} /root/operator/pbem",
        f"cat > /usr/local/sbin/systemctl <<'END'\n{_SYSTEMCTL}END\nchmod 755 /usr/local/sbin/systemctl",
        "cd ~/pbem",
        *commands,
        "sleep 2",
        "runuser -u pbem -- /opt/pbem/bin/pbem doctor",
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
