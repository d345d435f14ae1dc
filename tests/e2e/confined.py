"""Runs a program with the system calls that a systemd unit leaves it: ``python -m tests.e2e.confined UNIT PROGRAM …``.

It does what ``SystemCallFilter``, ``RestrictAddressFamilies``, ``MemoryDenyWriteExecute``, ``NoNewPrivileges`` and
``UMask`` of the unit say. What needs mounts or control groups is left to systemd.
"""

import ctypes
import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

_NO_NEW_PRIVILEGES, _DENY_WRITE_EXECUTE = 38, 65  # prctl(2)
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000  # seccomp(2): what becomes of a system call
_EQUAL = 4  # a comparison of libseccomp


class _Comparison(ctypes.Structure):
    """A condition on an argument of a system call, as libseccomp takes it."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def read_settings(unit: Path) -> dict[str, list[str]]:
    """Return the settings of a unit, each with all its values in order."""
    found: dict[str, list[str]] = {}
    for line in unit.read_text(encoding="utf-8").splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith(("#", "[")):
            found.setdefault(name, []).append(value)
    return found


def allowed_calls(filters: list[str]) -> set[str]:
    """Return the names of the system calls that ``SystemCallFilter`` allows, its groups resolved by systemd-analyze."""
    allowed: set[str] = set()
    for words in filters:
        calls = {call for word in words.removeprefix("~").split() for call in _members(word)}
        allowed = allowed - calls if words.startswith("~") else allowed | calls
    return allowed


def _members(name: str) -> set[str]:
    """Return the system calls of a group, those of the groups in it included; any other name is itself a call."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(
        ["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True
    ).stdout
    words = [line.strip() for line in listed.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
    return {call for word in words for call in _members(word)}


def confine(unit: Path) -> None:
    """Confine this process, and whatever it executes, as the unit says."""
    settings = read_settings(unit)
    families = [getattr(socket, name) for name in settings["RestrictAddressFamilies"][-1].split()]
    refusal = _FAIL | int(getattr(errno, settings["SystemCallErrorNumber"][-1]))
    calls = allowed_calls(settings["SystemCallFilter"])
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(refusal)))
    allowed: list[tuple[str, tuple[_Comparison, ...]]] = [(name, ()) for name in sorted(calls - {"socket"})]
    allowed += [("socket", (_Comparison(0, _EQUAL, family, 0),)) for family in families]
    for name, comparisons in allowed:
        number = library.seccomp_syscall_resolve_name(name.encode())
        given = (_Comparison * len(comparisons))(*comparisons)
        if number >= 0:  # others are those of other machines
            _check(library.seccomp_rule_add_array(rules, ctypes.c_uint32(_ALLOW), number, len(given), given), name)
    os.umask(int(settings["UMask"][-1], 8))
    process = ctypes.CDLL(None)
    _check(process.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no new privileges")
    if settings["MemoryDenyWriteExecute"] == ["yes"]:
        _check(process.prctl(_DENY_WRITE_EXECUTE, 1, 0, 0, 0), "memory")
    _check(library.seccomp_load(rules), "system calls")


def _check(result: int, what: str) -> None:
    """Raise OSError for a call of C that has failed."""
    if result:
        raise OSError(f"{what}: {result}")


if __name__ == "__main__":
    confine(Path(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])
