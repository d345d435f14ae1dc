"""The wheel alone, in a new environment and an empty directory, is all that is needed."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

pytestmark = pytest.mark.slow("builds the wheel and installs it")

ROOT = Path(__file__).resolve().parents[2]
LIST = "import json, importlib.metadata as m; print(json.dumps([one.name for one in m.distributions()]))"
PIP_WHEEL = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir")
PATIENCE = 300
"""Seconds for an installation from a slow package index."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the tree, so that the checkout stays as it is."""
    place = tmp_path_factory.mktemp("wheel")
    unneeded = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info", "pbem-data", "*.db*")
    tree = shutil.copytree(ROOT, place / "tree", ignore=unneeded)
    run(*PIP_WHEEL, str(place / "dist"), ".", cwd=tree)
    (found,) = (place / "dist").iterdir()
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel and deploy/requirements.txt, as the hosting guide does; return the programs."""
    programs = make_environment(tmp_path_factory.mktemp("installed"))
    install(programs, "--require-hashes", "-r", str(ROOT / "deploy" / "requirements.txt"))
    install(programs, "--no-deps", str(wheel))
    run(sys.executable, "-m", "pip", "--python", str(programs / "python"), "check", cwd=programs)
    return programs


@pytest.fixture(scope="module")
def installed_with_demo(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel and demo-constraints.txt, as `make demo` does; return the programs."""
    programs = make_environment(tmp_path_factory.mktemp("demo"))
    install(programs, "--require-hashes", "-r", str(ROOT / "demo-constraints.txt"))
    install(programs, "--no-deps", f"pbem[demo] @ {wheel.as_uri()}")
    run(sys.executable, "-m", "pip", "--python", str(programs / "python"), "check", cwd=programs)
    return programs


def make_environment(place: Path) -> Path:
    """Make an environment in a directory, with nothing in it; return its programs."""
    run(sys.executable, "-m", "venv", "--without-pip", "environment", cwd=place)
    return place / "environment" / "bin"


def install(programs: Path, *what: str) -> None:
    """Let our pip install something into an environment; Python compiles what it imports, a small part of all."""
    pip = (sys.executable, "-m", "pip", "--python", str(programs / "python"))
    run(*pip, "install", "--quiet", "--no-compile", "--disable-pip-version-check", *what, cwd=programs)


def needed(name: str) -> set[NormalizedName]:
    """Return the names of all packages that ``name`` needs to run, and what these need, in this environment."""
    found: set[NormalizedName] = set()
    waiting = [Requirement(name)]
    while waiting:
        requirement = waiting.pop()
        try:
            declared = distribution(requirement.name).requires or []
        except PackageNotFoundError:
            continue  # for another platform
        for text in declared:
            next_one = Requirement(text)
            extras = {"", *requirement.extras}
            if next_one.marker is None or any(next_one.marker.evaluate({"extra": extra}) for extra in extras):
                if canonicalize_name(next_one.name) not in found:
                    waiting.append(next_one)
                found.add(canonicalize_name(next_one.name))
    return found


def run(*arguments: str, cwd: Path, **settings: str) -> str:
    """Run a program that must do, without anything of this checkout in its environment; return what it printed."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "PYTHON"))}
    done = subprocess.run(
        arguments,
        cwd=cwd,
        env=inherited | settings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_wheel_holds_all_that_is_not_code(wheel: Path) -> None:
    """Templates, migrations, type markers, license and the command are in the wheel; tests are not."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
        entry_points = archive.read(metadata.replace("METADATA", "entry_points.txt")).decode()
    templates = {str(path.relative_to(ROOT)) for path in (ROOT / "templates").rglob("*") if path.is_file()}
    migrations = {str(path.relative_to(ROOT)) for path in (ROOT / "db" / "migrations").rglob("*.py")}
    assert templates | migrations <= names
    assert {"pbem/py.typed", "rules/py.typed", "db/py.typed"} <= names
    assert metadata.replace("METADATA", "licenses/LICENSE") in names
    assert "pbem = pbem.__main__:main" in entry_points
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {
        "pbem",
        "rules",
        "db",
        "templates",
    }


def test_a_service_is_installed_without_tests_and_servers(installed: Path, tmp_path: Path) -> None:
    """Nothing else is there than what it declares; ``pbem demo`` says in a sentence what it lacks."""
    there = {canonicalize_name(name) for name in json.loads(run(str(installed / "python"), "-c", LIST, cwd=tmp_path))}
    assert there - {"pip", "setuptools"} == needed("pbem") | {"pbem"}
    assert not {"pytest", "mypy", "aiosmtpd", "pymap", "hypothesis", "ruff", "hatchling"} & there
    refused = subprocess.run(
        [str(installed / "pbem"), "demo"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (refused.returncode, len(refused.stderr.splitlines())) == (69, 1)
    assert "pbem[demo]" in refused.stderr


@pytest.mark.nightly("CI plays the demonstration from the project, and every other command from the wheel")
def test_the_demonstration_runs_from_the_wheel(installed_with_demo: Path, tmp_path: Path) -> None:
    """``pbem demo`` plays its matches by real mail servers, with nothing else installed but what builds."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "temporary").mkdir()
    run(str(installed_with_demo / "pbem"), "demo", cwd=tmp_path / "empty", TMPDIR=str(tmp_path / "temporary"))
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_service_is_set_up_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    """From an empty directory, ``pbem init``, ``open`` and ``db upgrade`` work, with the wheel's own files."""
    program = str(installed / "pbem")
    show = "from pbem.settings.places import TEMPLATES; print(TEMPLATES)"
    place = run(str(installed / "python"), "-c", show, cwd=tmp_path)
    assert Path(place.strip()).is_relative_to(installed.parent)
    assert "doctor" in run(program, "--help", cwd=tmp_path)
    run(program, "init", "games@example.org", cwd=tmp_path)
    examined = subprocess.run([program, "doctor"], cwd=tmp_path, capture_output=True, text=True, check=False)
    marks = {line[2:].split()[0]: line[0] for line in examined.stdout.splitlines() if line[0] != "–"}
    assert marks["settings"] == marks["database"] == marks["files"] == "✓", examined.stdout + examined.stderr
    match = json.loads(run(program, "open", "zipline", "ann@example.org", "bob@example.org", "--json", cwd=tmp_path))
    assert match["status"] == "running"
    run(program, "db", "upgrade", cwd=tmp_path)
    run(program, "archive", cwd=tmp_path)
    assert "Ann to move" in (tmp_path / "archive" / "index.html").read_text("utf-8")
    assert "you begin" in run(program, "outbound", "show", "1", cwd=tmp_path)
    run(program, "export", str(match["id"]), "--output", "record.txt", cwd=tmp_path)
    assert "Every move is legal." in run(program, "verify", "record.txt", cwd=tmp_path)
