"""The systemd units: what they leave to a service that has been taken over; test_guide.py sees it work within that."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.confined import read_settings

pytestmark = pytest.mark.slow("has systemd rate the units")

ROOT = Path(__file__).resolve().parents[2]
UNITS = [ROOT / "deploy" / name for name in ("pbem.service", "pbem-backup.service", "pbem-worker.service")]
PBEM = str(Path(sys.executable).with_name("pbem"))
HOSTILE = """
import errno, mmap, os, socket

def refused(action):
    try:
        action()
    except OSError as error:
        return error.errno in (errno.EPERM, errno.EACCES)

print(
    refused(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC)),
    refused(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)),
    refused(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)),
    refused(lambda: os.chroot("/")),
    refused(lambda: os.chown("/", 0, 0)),
)
"""


def confined(unit: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a program with what the unit leaves it."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return subprocess.run(
        [sys.executable, "-m", "tests.e2e.confined", str(unit), *arguments],
        cwd=cwd,
        env=settings | {"PYTHONPATH": str(ROOT), "TMPDIR": str(cwd)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_service_that_is_taken_over_has_little_of_the_machine(unit: Path) -> None:
    """systemd rates the exposure of each unit under 2.5 of 10, and both have bounds for memory and tasks."""
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = re.search(r"Overall exposure level for .*: ([0-9.]+) ", rated)
    assert found, rated
    assert float(found[1]) < 2.5
    settings = read_settings(unit)
    assert {"MemoryMax", "TasksMax"} <= set(settings)
    assert (settings["UMask"], settings["StateDirectoryMode"]) == (["0077"], ["0700"])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_what_the_units_forbid_fails(unit: Path, tmp_path: Path) -> None:
    """Memory to write and run, sockets of other kinds, other roots and owners; else the trials below are none."""
    assert confined(unit, sys.executable, "-c", HOSTILE, cwd=tmp_path).stdout.split() == ["True"] * 5
    loose = subprocess.run([sys.executable, "-c", HOSTILE], capture_output=True, text=True, check=False)
    assert "None" in loose.stdout


def test_names_of_hosts_are_found_with_what_the_unit_allows(tmp_path: Path) -> None:
    """So are authorities of certificates; all else is done on the bare machine of test_guide.py."""
    names = "import socket, ssl; ssl.create_default_context(); print(socket.getaddrinfo('localhost', 25) != [])"
    assert confined(UNITS[0], sys.executable, "-c", names, cwd=tmp_path).stdout == "True\n"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_units_call_commands_that_there_are(unit: Path, tmp_path: Path) -> None:
    """Each names options that the program knows."""
    for name, values in read_settings(unit).items():
        for value in values if name.startswith("Exec") else ():
            program, *arguments = value.removeprefix("-").split()
            assert program == "/opt/pbem/bin/pbem"
            words = [word for word in arguments if not word.startswith("-")]
            shown = subprocess.run(
                [PBEM, *words[: 2 if words[0] == "db" else 1], "--help"], capture_output=True, text=True, check=True
            ).stdout
            assert all(option in shown for option in arguments if option.startswith("--"))
