"""A bare Debian in memory, as ``debootstrap --variant=minbase`` makes it, gone with what is done there. Needs root.

It gets its packages, and those of Python, wherever this machine does.
"""

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

_PATIENCE = 300  # seconds: packages are fetched
_MACHINE = r"""
set -e
mount -t tmpfs none "$PLACE"
tar --extract --file "$BASE" --directory "$PLACE"
cp /etc/resolv.conf /etc/hosts "$PLACE"/etc/
cp --recursive --parents /etc/apt/auth.conf.d /usr/local/share/ca-certificates $FILES "$PLACE"
apt-config dump | grep -E '^Acquire::(http|Check)' >"$PLACE"/etc/apt/apt.conf.d/90machine || true
for there in /proc /dev /sys /tmp $DIRECTORIES; do
    mkdir -p "$PLACE"$there
    mount --rbind $there "$PLACE"$there
done
exec chroot "$PLACE" /bin/bash -e "$SCRIPT"
"""


def make_base(place: Path) -> Path:
    """Return an archive of this machine's Debian with nothing in it but what is essential, and apt."""
    (codename,) = re.findall(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text("utf-8"), re.MULTILINE)
    if not (sources := _find_sources(codename)):
        _ask("apt-get", "update")  # whose lists tell them
        sources = _find_sources(codename)
    base, memory = place / "base.tar", place / "memory"
    memory.mkdir()
    making = f"mount -t tmpfs none {memory}; exec mmdebstrap --quiet --variant=minbase {codename} {base} -"
    subprocess.run(
        ["unshare", "--mount", "sh", "-c", making],
        input="\n".join(sources),
        env=os.environ | {"TMPDIR": str(memory)},
        text=True,
        check=True,
    )
    return base


def _find_sources(codename: str) -> list[str]:
    template = "deb $(REPO_URI) $(RELEASE) $(COMPONENT)"
    told = _ask("apt-get", "indextargets", "--format", template, "Created-By: Packages")
    return re.findall(rf"^deb \S+ {codename}(?:-updates|-security)? main$", told, re.MULTILINE)


def _ask(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _pip_reads() -> list[Path]:
    """Return which files and directories pip's settings are in, or name."""
    told = _ask(sys.executable, "-m", "pip", "config", "debug")
    named = {Path(path) for path in re.findall(r"(?<![\w:/])/[^\s',]+", told)}
    indexes = {Path(path).parent for path in re.findall(r"file://(/[^\s',]+)", told)}  # beside it lies what it lists
    return [path for path in sorted(named | indexes) if path.exists()]


class Terminal:
    """A shell script that runs as root on a bare machine, at a terminal at which somebody types.

    Its directory ``/tmp`` and its network are those of this machine.
    """

    def __init__(self, script: str, place: Path, base: Path) -> None:
        file = place / "script"
        file.write_text(script, encoding="utf-8")
        inherited = {name: value for name, value in os.environ.items() if re.match("(?i)PIP_|SSL_|.*_PROXY$", name)}
        environment = inherited | {
            "PLACE": str(place / "machine"),
            "BASE": str(base),
            "SCRIPT": str(file),
            "FILES": " ".join(str(path) for path in _pip_reads() if path.is_file()),
            "DIRECTORIES": " ".join(str(path) for path in _pip_reads() if path.is_dir()),
            "HOME": "/root",
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "xterm",
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
