"""Copies on another machine: the lines of deploy/README.md that fetch them, with the server of ssh left out.

A script stands for it: it runs what the key in authorized_keys allows, and hands over what was asked for, as sshd does.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow("fetches copies with rsync")

GUIDE = (Path(__file__).resolve().parents[2] / "deploy" / "README.md").read_text("utf-8")
STATE, KEPT = "/var/lib/pbem", "/srv/pbem"
_SSH = """#!/bin/sh
while [ "$1" != root@games.example.org ] && [ "$1" != games.example.org ]; do shift; done
shift
export SSH_ORIGINAL_COMMAND="$*"
exec {allowed}
"""


@pytest.fixture
def machines(tmp_path: Path) -> tuple[Path, Path]:
    """Give the directory of a service, with a copy, and that of another machine."""
    state, kept = tmp_path / "state", tmp_path / "kept"
    (state / "backups").mkdir(parents=True)
    kept.mkdir()
    (state / "backups" / "pbem-20261126-034000.db").write_bytes(b"first")
    (state / "pbem.toml").write_text('address = "games@example.org"\n')
    (allowed,) = re.findall(r'^    restrict,command="([^"]+)" ', GUIDE, re.MULTILINE)
    ssh = tmp_path / "ssh"
    ssh.write_text(_SSH.format(allowed=allowed.replace(STATE, str(state))))
    ssh.chmod(0o700)
    return state, kept


def run(command: str, kept: Path) -> int:
    """Run a command of the other machine; return its exit code."""
    environment = os.environ | {"RSYNC_RSH": str(kept.parent / "ssh")}
    done = subprocess.run(command.replace(KEPT, str(kept)), shell=True, env=environment, check=False, timeout=30)
    return done.returncode


def test_the_line_of_the_crontab_fetches_the_copies_and_the_settings(machines: tuple[Path, Path]) -> None:
    """Every night the new ones; what has changed or is gone here stays there as it was."""
    state, kept = machines
    (line,) = re.findall(r"^    \d+ \d+ \* \* \* (rsync .*)$", GUIDE, re.MULTILINE)
    assert run(line, kept) == 0
    (state / "backups" / "pbem-20261126-034000.db").write_bytes(b"encrypted by an intruder")
    (state / "backups" / "pbem-20261127-034000.db").write_bytes(b"second")
    assert run(line, kept) == 0
    assert {one.name: one.read_bytes() for one in (kept / "backups").iterdir()} == {
        "pbem-20261126-034000.db": b"first",
        "pbem-20261127-034000.db": b"second",
    }
    assert (kept / "pbem.toml").read_text() == (state / "pbem.toml").read_text()


def test_the_key_does_nothing_but_read_that_directory(machines: tuple[Path, Path]) -> None:
    """Neither does it write there, nor read elsewhere, nor run anything."""
    state, kept = machines
    (kept / "pbem.toml").write_text("another secret")
    (kept.parent / "outside").write_text("private")
    host = "root@games.example.org"
    for command in (
        f"rsync {KEPT}/pbem.toml {host}:",
        f"rsync --remove-source-files {host}:pbem.toml {KEPT}/new",
        f"rsync {host}:../outside {KEPT}/",
        f"rsync {host}:{kept.parent}/outside {KEPT}/",
        f'"$RSYNC_RSH" {host} cat {kept.parent}/outside > {KEPT}/outside && test -s {KEPT}/outside',
    ):
        assert run(command, kept) != 0, command
    assert (state / "pbem.toml").read_text() == 'address = "games@example.org"\n'
    assert not (kept / "outside").exists() or (kept / "outside").read_text() == ""
