"""Plays a season twice, the second time with faults; prints what that came to, and fails if it does not balance."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from rich.console import Console

from tests.bench import report
from tests.bench.chaos.faults import OTHERS, schedule
from tests.bench.chaos.figures import tables
from tests.bench.chaos.ledger import audit
from tests.bench.chaos.run import play
from tests.bench.chaos.stage import SPEED, prepare

_WIDTH = 160
_FAULTS_A_MATCH = 11


def main() -> int:
    """Play as many matches as the kills need; return 1 if the ledger finds anything."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="how many; a third as many other faults come with them")
    parser.add_argument("--seed", type=int, default=7, help="from which moves and faults follow")
    parser.add_argument("--matches", type=int, help="how many, if not as many as the faults need")
    parser.add_argument("--postgresql", action="store_true", help="with a PostgreSQL server instead of an SQLite file")
    parser.add_argument("--connections", type=int, help="emails that are sent at once, if not as many as usual")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a Markdown file, too")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write what the service has logged")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # whose servers must not stay behind
    errors = Console(stderr=True)
    console = Console() if sys.stdout.isatty() else Console(width=_WIDTH)
    matches = chosen.matches or max(6, round(chosen.kills * (1 + sum(OTHERS.values()) / 100) / _FAULTS_A_MATCH))
    with (
        prepare(chosen.seed, matches, postgresql=chosen.postgresql, connections=chosen.connections) as ground,
        errors.status("") as status,
    ):
        faults = schedule(chosen.kills, chosen.seed, disk=ground.disk.is_mounted, postgresql=chosen.postgresql)
        status.update("the undisturbed season")
        undisturbed = asyncio.run(play(ground, "undisturbed"))
        played = asyncio.run(play(ground, "disturbed", faults, undisturbed.books, tell=status.update))
    if chosen.log:
        chosen.log.write_text(played.log, encoding="utf-8")
    findings = audit(played.books, undisturbed.books, played.spans, kills=chosen.kills)
    made = tables(played, undisturbed, findings, SPEED, connections=chosen.connections, postgresql=chosen.postgresql)
    for table in made:
        report.show(table, console)
    for finding in findings:
        console.print(finding, style="red")
    if chosen.write:
        report.write(made, chosen.write)
    return 1 if findings or played.last_code else 0


if __name__ == "__main__":
    sys.exit(main())
