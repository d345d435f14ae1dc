"""The hosting guide, followed to the letter on a bare Debian, to the first email and to the next version. Needs root.

There is no systemd in it: ``systemctl`` starts what the units say, as the user and in the directories that they name,
with the system calls, sockets and memory that they allow. Containers are made of what their files say, without what
makes them elsewhere.
"""

import asyncio
import json
import re
import shlex
import subprocess
import time
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shutil import copy

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name
from packaging.version import Version

from pbem.demo.servers import DemoServers
from tests.e2e import confined
from tests.e2e.bare import Terminal, make_base
from tests.e2e.image import as_functions
from tests.e2e.program import GAMES, Player, Postbox

pytestmark = pytest.mark.slow("does the steps of the guide on a bare machine")

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "deploy" / "README.md").read_text("utf-8")
ANN, BOB = "ann@example.org", "bob@example.net"
_LIST = "import json, importlib.metadata as m; print(json.dumps([one.name for one in m.distributions()]))"
_PBEM = "runuser -u pbem -- /opt/pbem/bin/pbem"
LATER = f"{max(int(file.name[:4]) for file in (ROOT / 'db' / 'migrations' / 'versions').glob('0*.py')) + 1:04}"
_WAITING = 30
"""So many matches are opened while the service is down."""

_SYSTEMCTL = r"""#!/bin/bash -e
say() { sed -n "s/^$2=//p" "/etc/systemd/system/$1.service" | tail -1; }
run() {  # a command of a unit, with no more than what that leaves it
    local user=$(say $1 User)
    cd "$(say $1 WorkingDirectory)"
    exec setpriv --reuid $user --regid $user --init-groups -- python3 /opt/confined.py /opt/$1.service "${@:2}"
}
start() {
    local state=$(say $1 StateDirectory) cache=$(say $1 CacheDirectory) user=$(say $1 User)
    local before=$(say $1 ExecStartPre)
    install -d -m "$(say $1 StateDirectoryMode)" -o "$user" /var/lib/$state
    [ -z "$cache" ] || install -d -m "$(say $1 CacheDirectoryMode)" -o "$user" /var/cache/$cache
    [ -z "$before" ] || (run $1 $before)
    run $1 $(say $1 ExecStart) & echo $! >/run/$1.pid
}
end() {  # what a timer starts is over soon
    wait $!
    (run $1 $(say $1 ExecStopPost | sed s/^-//)) || true
}
stop() {
    [ -e /run/$1.pid ] || return 0
    kill "$(cat /run/$1.pid)"
    while kill -0 "$(cat /run/$1.pid)" 2>/dev/null; do sleep 0.1; done
    rm /run/$1.pid
}
case "$1 $2" in
    "enable --now")
        for unit in "${@:3}"; do
            start "${unit%.timer}"
            [ "${unit%.timer}" = "$unit" ] || end "${unit%.timer}"
        done ;;
    "stop pbem") stop pbem ;;
    "restart pbem") stop pbem; start pbem ;;
    "daemon-reload ") ;;
    *) exit 1 ;;
esac
"""
_NEXT = """
revision, down_revision = "{later}", "{latest}"

def upgrade() -> None:
    import sqlalchemy, alembic
    alembic.op.create_table("next", sqlalchemy.Column("id", sqlalchemy.Integer(), primary_key=True))
"""


def steps(title: str) -> list[str]:
    """Return the commands of a section, as they stand there."""
    section = GUIDE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    commands: list[str] = re.findall(r"^    (.+)$", section, re.MULTILINE)
    assert commands, title
    return commands


def timed(commands: list[str]) -> list[str]:
    """Return commands that are shown, with the seconds until then, before they are carried out."""
    return [line for one in commands for line in (f"printf '[%s s] $ %s\\n' $SECONDS {shlex.quote(one)}", one)]


def git(place: Path, *arguments: str) -> str:
    """Call git in a directory, as somebody; return what it says."""
    known = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    return subprocess.run(
        ["git", "-C", str(place), *known, *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


def publish(place: Path) -> Path:
    """Return a repository with this checkout as it is, known files that are changed included, and a branch ``next``.

    That one holds one more commit, which changes the tables.
    """
    git(ROOT, "clone", "--quiet", "--bare", str(ROOT), str(place / "repository"))
    as_it_is = git(ROOT, "stash", "create") or "HEAD"
    git(ROOT, "push", "--quiet", "--force", str(place / "repository"), f"{as_it_is}:refs/heads/main")
    git(place / "repository", "symbolic-ref", "HEAD", "refs/heads/main")
    git(place, "clone", "--quiet", "repository", "later")
    later = place / "later"
    tables = later / "db" / "migrations" / "versions" / f"{LATER}_next.py"
    tables.write_text(_NEXT.format(later=LATER, latest=f"{int(LATER) - 1:04}"), "utf-8")
    git(later, "add", ".")
    git(later, "commit", "--quiet", "--message", "The next version")
    git(later, "push", "--quiet", "origin", "HEAD:next")
    return place / "repository"


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


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What every bare machine is made of."""
    return make_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def followed(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Follow the guide from a bare machine to the next version; return a directory with what is found there."""
    place = tmp_path_factory.mktemp("guide")
    asyncio.run(follow(place, base))
    return place


async def answer_questions(terminal: Terminal, servers: DemoServers) -> None:
    """Answer what ``pbem init`` asks."""
    for asked, answer in (
        ("The address that players write to", GAMES),
        ("(IMAP)", servers.imap_url(GAMES)),
        ("(SMTP)", servers.smtp_url),
        ("Your own address", "op@example.org"),
    ):
        await asyncio.to_thread(terminal.wait_for, asked)
        terminal.type(answer)


async def read_until_turn(player: Player, *, match: int) -> None:
    """Let a player read their emails until it is their turn in a match."""
    while True:
        await player.read()
        if (player.mails[-1]["X-Pbem-Match"], player.mails[-1]["X-Pbem-Turn"]) == (str(match), "yes"):
            return


def lay_out(place: Path) -> None:
    """Lay what confines the units into ``place``, with the names of all system calls that they allow."""
    copy(Path(confined.__file__), place)
    for unit in (ROOT / "deploy").glob("pbem*.service"):
        text, calls = unit.read_text("utf-8"), confined.allowed_calls(confined.read_settings(unit)["SystemCallFilter"])
        named = re.sub("^SystemCallFilter=.*\n", "", text, flags=re.MULTILINE)
        (place / unit.name).write_text(f"{named}\nSystemCallFilter={' '.join(sorted(calls))}\n", "utf-8")


async def follow(place: Path, base: Path) -> None:
    """Do what the guide says, as somebody would who has a mailbox, a bare machine, and later a reason to upgrade."""
    repository = publish(place)
    lay_out(place)
    table = f"game,player 1,player 2\nzipline,{ANN},robot:1\n" + f"zipline,{ANN},{BOB}\n" * _WAITING
    script = [
        f"cp {place}/confined.py {place}/*.service /opt",
        f"cat >/usr/local/sbin/systemctl <<'END'\n{_SYSTEMCTL}END\nchmod 755 /usr/local/sbin/systemctl",
        *timed([step.replace("ADDRESS", str(repository)) for step in steps("Ten minutes")]),
        "echo Followed.",
        "read",  # until the players have their emails
        "grep --silent '^Seccomp:.*2' /proc/$(cat /run/pbem.pid)/status",  # it is confined
        f"{_PBEM} doctor",
        # What a host has now.
        f"cp ~/pbem/dist/pbem-*.whl {place}",
        f"/opt/pbem/bin/python -c {shlex.quote(_LIST)} >{place}/installed",
        f"{_PBEM} demo || echo It ended with $?.",
        f"{_PBEM} archive",
        f"{_PBEM} export 1 --output record.txt",
        f"{_PBEM} verify record.txt",
        f"/opt/pbem/bin/pbem --version >{place}/before",
        # Emails wait, and there is a next version.
        "systemctl stop pbem",
        f"printf {shlex.quote(table)} >table.csv",
        f"{_PBEM} open --csv table.csv --yes --again",
        f"git -C {repository} branch --force main next",
        *timed(steps("Upgrades")),
        f"/opt/pbem/bin/pbem --version >{place}/after",
        f"cd /var/lib/pbem; stat --format '%a %n' * archive/index.html backups/* >{place}/files; cd ~/pbem",
        *timed(steps("Extras")),
        *timed(steps("Robots")),
        "/opt/pbem/bin/pip check",
        "echo Upgraded.",
        "read",  # until a match has gone on
        "cd /var/lib/pbem",
        f"{_PBEM} doctor",
        "echo Done.",
        "sleep 300",
    ]
    postbox = Postbox()
    async with DemoServers([GAMES, ANN, BOB], on_mail=postbox) as servers:
        ann, bob = (Player(address, servers, postbox) for address in (ANN, BOB))
        began = time.monotonic()
        terminal = Terminal("\n".join(script), place, base)
        try:
            await answer_questions(terminal, servers)
            await asyncio.to_thread(terminal.wait_for, "\nFollowed.")
            await ann.read()
            (place / "seconds").write_text(str(round(time.monotonic() - began)))
            await postbox.reaches(BOB, 1)
            terminal.type("")
            await asyncio.to_thread(terminal.wait_for, "\nUpgraded.")
            await postbox.reaches(ANN, 2 + _WAITING)
            await postbox.reaches(BOB, 1 + _WAITING)
            await ann.answer("c3")
            await read_until_turn(bob, match=1)
            await read_until_turn(ann, match=2)
            await ann.answer("c3")
            await read_until_turn(ann, match=2)
            terminal.type("")
            await asyncio.to_thread(terminal.wait_for, "\nDone.")
        finally:
            terminal.close()
            (place / "shown").write_text(terminal.shown, "utf-8")
            print(terminal.shown)


def test_whoever_follows_the_guide_has_a_match_within_ten_minutes(followed: Path) -> None:
    """Every command of the first section, as it stands there: it installs, asks, starts, opens; two players have mail.

    Nothing is found wrong by the doctor, neither with the service nor with the copy of the night. Both do it all with
    the system calls, sockets and memory that their units leave them: email both ways, pages, copies, changed tables.
    """
    shown = (followed / "shown").read_text("utf-8")
    assert int((followed / "seconds").read_text()) < 600
    assert "✗" not in shown
    assert "pages written to /var/lib/pbem/archive." in shown
    assert "Every move is legal." in shown


def test_a_service_is_installed_without_tests_and_servers(followed: Path) -> None:
    """Nothing else is there than what it declares; ``pbem demo`` says in a sentence what it lacks."""
    there = {canonicalize_name(name) for name in json.loads((followed / "installed").read_text())}
    assert there - {"pip", "setuptools"} == needed("pbem") | {"pbem"}
    assert not {"pytest", "mypy", "aiosmtpd", "pymap", "hypothesis", "ruff", "hatchling"} & there
    shown = (followed / "shown").read_text("utf-8")
    assert "pbem[demo]" in shown
    assert "It ended with 69." in shown


def test_the_wheel_holds_all_that_is_not_code(followed: Path) -> None:
    """Templates, migrations, type markers, license and the command are in the wheel; tests are not."""
    with zipfile.ZipFile(next(followed.glob("*.whl"))) as archive:
        names = set(archive.namelist())
        metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
        entry_points = archive.read(metadata.replace("METADATA", "entry_points.txt")).decode()
    templates = {str(path.relative_to(ROOT)) for path in (ROOT / "templates").rglob("*") if path.is_file()}
    migrations = {str(path.relative_to(ROOT)) for path in (ROOT / "db" / "migrations").rglob("*.py")}
    assert templates | migrations <= names
    assert {"pbem/py.typed", "rules/py.typed", "db/py.typed"} <= names
    assert metadata.replace("METADATA", "licenses/LICENSE") in names
    assert "pbem = pbem.__main__:main" in entry_points
    tops = {name.partition("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"pbem", "rules", "db", "templates"}


def test_an_upgrade_loses_neither_matches_nor_emails(followed: Path) -> None:
    """The next commit's version is higher, its tables are made after a copy; the emails go out, and a match goes on."""
    before, after = (Version((followed / name).read_text().split()[-1]) for name in ("before", "after"))
    assert after > before
    modes = {name: mode for mode, name in map(str.split, (followed / "files").read_text().splitlines())}
    assert modes[f"pbem.db.before-{LATER}"] == "600"
    assert modes["archive/index.html"] == "644"
    assert {mode for name, mode in modes.items() if name.startswith("backups/")} == {"600"}


async def test_the_image_opens_a_match_as_a_user_without_rights(followed: Path, base: Path, tmp_path: Path) -> None:
    """Every command of the guide's section on containers, as it stands there; the image is built on a bare machine.

    Only its volumes can be written to, and the service in it is healthy. Where the database is lost, it doesn't start,
    and makes none.
    """
    script = [
        "EXTRAS=dns",
        as_functions(followed, tmp_path),
        *timed(steps("Containers")),
        "echo Followed.",
        "read",  # until the players have their emails
        "is_healthy && echo It is healthy.",
        "docker compose run --rm pbem archive",
        "docker compose stop serve",
        "mv /var/lib/pbem/pbem.db /var/lib/pbem/lost",
        "is_healthy || echo It is unhealthy.",
        "docker compose up --detach || echo It did not start: $?.",
        "ls /var/lib/pbem",
        "sleep 300",
    ]
    postbox = Postbox()
    async with DemoServers([GAMES, ANN, BOB], on_mail=postbox) as servers:
        terminal = Terminal("\n".join(script), tmp_path, base)
        try:
            await answer_questions(terminal, servers)
            await asyncio.to_thread(terminal.wait_for, "\nFollowed.")
            for player in (ANN, BOB):
                await postbox.reaches(player, 1)
            terminal.type("")
            await asyncio.to_thread(terminal.wait_for, "\nIt did not start: 78.")
        finally:
            terminal.close()
            print(terminal.shown)
    assert "pages written to /var/cache/pbem." in terminal.shown
    assert "\nIt is healthy." in terminal.shown
    assert "\nIt is unhealthy." in terminal.shown
