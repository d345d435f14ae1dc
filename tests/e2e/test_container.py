"""The image of deploy/Containerfile: its instructions, carried out without a builder of images. Needs root.

They run in an overlay over this machine, which is Debian as well; what a builder does beside them, such as fetching the
image that they begin with, is not tried, and neither is deploy/compose.yaml.
"""

import asyncio
import re
import shlex
from pathlib import Path

import pytest

from tests.e2e.overlay import Terminal
from tests.e2e.program import GAMES

pytestmark = pytest.mark.slow("does the steps of the container in a shell")

ROOT = Path(__file__).resolve().parents[2]
READY = "The image does."


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the file, each a word and what follows it."""
    text = (ROOT / "deploy" / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def as_script(commands: list[list[str]]) -> str:
    """Return a script that does what the image is built of, and then runs it with each of the ``commands``."""
    lines, user, place, entry, variables = ["set -x", f"cd {ROOT}", "make wheel"], "root", "/", [], []
    for word, rest in instructions():
        match word:
            case "FROM":
                assert rest == "debian:bookworm-slim"
            case "COPY":
                *sources, target = rest.split()
                lines.append(f"mkdir -p {target} && (cd {ROOT} && cp {' '.join(sources)} {target})")
            case "RUN":
                # The packages are on this machine; their lists are shared with it.
                lines.append(re.sub(r"apt-get .*?/var/lib/apt/lists/\*", "python3 -m venv --help >/dev/null", rest))
            case "ENV":
                variables += rest.split()
            case "USER":
                user = rest
            case "WORKDIR":
                place = rest
            case "ENTRYPOINT":
                entry = re.findall(r'"([^"]+)"', rest)
            case "CMD":
                assert re.findall(r'"([^"]+)"', rest) == ["run"]
            case _:
                raise AssertionError(f"{word} is not carried out here")
    for command in commands:
        called = shlex.join(["env", "-i", *variables, *entry, *command])
        lines.append(f"cd {place} && runuser -u {user} -- {called}")
    return "\n".join([*lines, f'echo "{READY}"', "sleep 300"])


async def test_the_image_opens_a_match_as_a_user_without_rights(tmp_path: Path) -> None:
    """From the packages to a match that is open, and an archive where the web server looks for it."""
    terminal = Terminal(
        as_script(
            [
                ["init", GAMES, "--no-ask"],
                ["db", "upgrade", "--existing"],
                ["open", "zipline", "ann@example.org", "bob@example.net"],
                ["archive"],
                ["matches"],
            ]
        ),
        tmp_path,
    )
    try:
        await asyncio.to_thread(terminal.wait_for, f"\n{READY}")
    finally:
        terminal.close()
    assert "pages written to /var/cache/pbem." in terminal.shown
    assert "Ann to move" in terminal.shown
