"""The demonstration from the wheel alone, in a new environment and an empty directory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300
"""Seconds for an installation from a slow package index."""


def run(*arguments: str, cwd: Path, **settings: str) -> None:
    """Run a program that must do, without anything of this checkout in its environment."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "PYTHON"))}
    done = subprocess.run(
        arguments, cwd=cwd, env=inherited | settings, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"{arguments}:\n{done.stdout}\n{done.stderr}"


@pytest.mark.nightly("CI plays the demonstration from the project, and every other command from the wheel")
def test_the_demonstration_runs_from_the_wheel(tmp_path: Path) -> None:
    """``pbem demo`` plays its matches by real mail servers, with nothing else installed but what builds."""
    for name in ("empty", "temporary"):
        (tmp_path / name).mkdir()
    run("git", "clone", "--quiet", str(ROOT), "checkout", cwd=tmp_path)
    run("make", "wheel", cwd=tmp_path / "checkout")
    (wheel,) = (tmp_path / "checkout" / "dist").iterdir()
    run(sys.executable, "-m", "venv", "environment", cwd=tmp_path)
    programs = tmp_path / "environment" / "bin"
    install = (str(programs / "pip"), "install", "--quiet", "--no-compile", "--disable-pip-version-check")
    run(*install, "--require-hashes", "-r", str(ROOT / "demo-constraints.txt"), cwd=tmp_path)
    run(*install, "--no-deps", f"pbem[demo] @ {wheel.as_uri()}", cwd=tmp_path)
    run(str(programs / "pip"), "check", cwd=tmp_path)
    run(str(programs / "pbem"), "demo", cwd=tmp_path / "empty", TMPDIR=str(tmp_path / "temporary"))
    assert list((tmp_path / "empty").iterdir()) == []
