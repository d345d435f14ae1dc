"""The line beside GNU Mailman core: what a message costs there that two subscribers of a list get.

Mailman is installed from PyPI into a virtual environment in a temporary directory, so this is measured only when asked
for: ``python -m tests.bench --only mailman``.
"""

import os
import smtplib
import socket
import subprocess
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from email import message_from_bytes
from pathlib import Path
from statistics import median

from tests.bench.line import Line
from tests.bench.ratio import USUAL
from tests.bench.report import Table
from tests.bench.sink import Sink

_LIST, _READERS = "club@lists.example", ("ann@players.example", "bob@players.example")
_NEEDED = ("lmtp", "in", "pipeline", "out")  # runners by which a post goes
_PATIENCE = 120  # seconds
_TICKS = os.sysconf("SC_CLK_TCK")
_CONFIGURATION = """[mailman]
layout: here
site_owner: owner@lists.example
[paths.here]
var_dir: {directory}/var
[mta]
incoming: mailman.mta.null.NullMTA
lmtp_host: 127.0.0.1
lmtp_port: {lmtp}
smtp_host: 127.0.0.1
smtp_port: {smtp}
[runner.rest]
start: no
"""

_TAKE_LARGE = """import sys
from mailman.core.initialize import initialize
from mailman.database.transaction import transaction
from mailman.interfaces.listmanager import IListManager
from zope.component import getUtility
initialize(sys.argv[1])
with transaction():
    getUtility(IListManager).get(sys.argv[2]).max_message_size = 0
"""
"""Run by its own Python: else replies that quote an email in HTML are held for its moderator."""


def by_program(seats: int, rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of both programs, which get the same replies in turns."""
    line_took, list_took = list[float](), list[tuple[float, float]]()
    with tempfile.TemporaryDirectory() as name:
        made = Line(Path(name) / "line", USUAL, seats // 2)
        with _mailman(Path(name), tell) as post:
            for number in range(rounds + 1):
                tell(f"mailman: round {number} of {rounds}")
                replies = made.prepare("mix")
                took = made.run(replies).line
                cost = post(list(replies.values()))
                if number:  # the first one warms both up
                    line_took.append(took)
                    list_took.append(cost)
        made.close()
    names = "its four runners that a post goes through", "all that it starts, but for the web service"
    rows = [("pbem", f"{median(line_took):.2f}", "")]
    for name, costs in zip(names, zip(*list_took, strict=True), strict=True):
        times = median(theirs / ours for theirs, ours in zip(costs, line_took, strict=True))
        rows.append((f"GNU Mailman core, {name}", f"{median(costs):.1f}", f"{times:.1f}"))
    meaning = (
        "Milliseconds of CPU, system calls included, that a message takes from its receipt until both of its readers"
        " have it by SMTP. The same replies, a *mix*, go to both in turns; the median of"
        f" {rounds} rounds. pbem reads the moves, plays them, and renders an email with a board for each of two"
        " players. Mailman sends the post as it is, but for headers, to a list of two in one go, with its defaults and"
        " SQLite."
    )
    return Table("Beside GNU Mailman", ("program", "ms a message", "times as much"), tuple(rows), meaning)


@contextmanager
def _mailman(
    directory: Path, tell: Callable[[str], None]
) -> Iterator[Callable[[Sequence[bytes]], tuple[float, float]]]:
    """Yield what posts replies to a list, and returns what that took, in milliseconds a message; see ``_cpu``."""
    tell("mailman: installing it")
    venv.create(directory / "venv", with_pip=True)
    programs, sink, lmtp = directory / "venv" / "bin", Sink(), _free_port()
    subprocess.run([programs / "pip", "install", "--quiet", "mailman"], check=True, stderr=subprocess.DEVNULL)
    settings = directory / "mailman.cfg"
    settings.write_text(_CONFIGURATION.format(directory=directory, lmtp=lmtp, smtp=sink.port))
    (directory / "members").write_text("\n".join(_READERS))
    allowed = ["--run-as-root"] if os.geteuid() == 0 else []
    for order in (["create", "--domain", _LIST], ["addmembers", str(directory / "members"), _LIST]):
        asked = [str(programs / "mailman"), "-C", str(settings), *allowed, *order]
        subprocess.run(asked, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([programs / "python", "-c", _TAKE_LARGE, settings, _LIST], check=True)
    tell("mailman: starting it")
    with subprocess.Popen([programs / "master", "-C", settings], cwd=directory) as master:
        try:
            client = _connect(lmtp)

            def post(raws: Sequence[bytes]) -> tuple[float, float]:
                begun = _cpu(master.pid)
                for raw in raws:
                    client.sendmail(_READERS[0], [_LIST], _addressed(raw))
                arrived, until = 0, time.monotonic() + _PATIENCE
                while arrived < len(raws):
                    time.sleep(0.2)
                    arrived += len(sink.collect())
                    assert time.monotonic() < until, f"only {arrived} of {len(raws)} posts arrived"
                few, every = (
                    1000 * (end - start) / len(raws) for start, end in zip(begun, _cpu(master.pid), strict=True)
                )
                return few, every

            yield post
            client.close()
        finally:
            master.terminate()
            master.wait()
            sink.end()


def _addressed(raw: bytes) -> bytes:
    """Return a reply as a post of a member to the list; whatever else it holds stays."""
    message = message_from_bytes(raw)
    for name, address in (("From", _READERS[0]), ("To", _LIST)):
        message.replace_header(name, address)
    return message.as_bytes(policy=message.policy.clone(linesep="\r\n"))


def _connect(port: int) -> smtplib.LMTP:
    """Return a connection to a server that has just been started."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        with suppress(OSError):
            return smtplib.LMTP("127.0.0.1", port)
        time.sleep(0.2)
    raise TimeoutError("Mailman does not start")


def _cpu(pid: int) -> tuple[float, float]:
    """Return the seconds of CPU that Mailman has taken: the runners that a post goes through, and all processes."""
    needed = every = 0.0
    for process in (str(pid), *Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        # Its name, in parentheses, may hold anything.
        user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
        seconds = (int(user) + int(system)) / _TICKS
        every += seconds
        command = Path(f"/proc/{process}/cmdline").read_bytes().decode()
        needed += seconds if any(f"runner={name}:" in command for name in _NEEDED) else 0
    return needed, every


def _free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
