"""Measures, prints tables, and writes them to a file with ``--write``."""

import argparse
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from tests.bench import (
    auctions,
    coldstart,
    contest_pages,
    counts,
    deadlines,
    elsewhere,
    endurance,
    growth,
    hostile,
    imap,
    mailman,
    notices,
    overlap,
    page_weight,
    playouts,
    ratio,
    report,
    robot_matches,
    robots,
    stages,
    sundays,
    workers,
)
from tests.bench.report import Table

_WIDTH = 160  # columns, where nobody says how wide the output is


def main() -> None:
    """Measure what was asked for, and print each table when it is done."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "--growth", action="store_true", help="measure what takes long, instead: large databases, memory"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a Markdown file, too")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which the median is taken")
    parser.add_argument("--only", default="", metavar="WORD", help="measure only the parts whose names contain this")
    parser.add_argument("--archived", type=int, default=10_000, help="matches in the archive that --growth builds")
    parser.add_argument("--messages", type=int, help="hostile ones, or with --growth until memory is looked at")
    parser.add_argument("--games", type=int, default=4, help="games of each strength of robots, and auctions")
    parser.add_argument("--game", default="", metavar="GAME", help="let robots play only this game")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes in which robots play")
    parser.add_argument("--against", type=Path, metavar="DIRECTORY", help="measure the line of another checkout, too")
    chosen = parser.parse_args()
    logging.disable(logging.CRITICAL)  # the line logs each message
    errors = Console(stderr=True)
    console = Console() if sys.stdout.isatty() else Console(width=_WIDTH)
    tables = []
    with errors.status("") as status:
        for name, part in _parts(chosen, lambda text: status.update(text)):
            if chosen.only in name:
                started = time.perf_counter()
                tables.append(part())
                report.show(tables[-1], console)
                errors.print(f"[dim]{name}: {time.perf_counter() - started:.0f} s[/dim]")
    if chosen.write:
        report.write(tables, chosen.write)


def _parts(chosen: argparse.Namespace, tell: Callable[[str], None]) -> Iterator[tuple[str, Callable[[], Table]]]:
    """Yield what is to be measured, by name."""
    rounds, other = chosen.rounds, chosen.against
    yield "machine", report.machine_table
    if other:
        yield "notices against", lambda: elsewhere.notices_against(other, rounds, tell)
        yield "against 24", lambda: elsewhere.against(other, 24, rounds, tell)
        yield "against 120", lambda: elsewhere.against(other, 120, max(2, rounds - 2), tell)
        return
    if chosen.only == "mailman":  # which is installed for it
        yield "mailman", lambda: mailman.by_program(48, rounds, tell)
    if chosen.growth:
        yield "growth", lambda: growth.by_size(max(2, rounds - 2), tell)
        yield "forgetting", lambda: growth.by_forgetting(tell)
        yield "replay", lambda: growth.by_replay(tell)
        yield "archive", lambda: growth.by_archive([chosen.archived // part for part in (100, 10, 1)], tell)
        yield "pages", lambda: page_weight.by_length(tell)
        yield "contests", lambda: contest_pages.by_club(((40, 400), (200, 2_000)), tell)
        yield "letters", lambda: sundays.by_club(((40, 400), (200, 2_000)), tell)
        yield "memory", lambda: growth.by_messages(chosen.messages or 20_000, tell)
        yield "endurance", lambda: endurance.by_messages(chosen.messages or max(endurance.CHECKPOINTS), tell)
        return
    yield "24 seats", lambda: ratio.by_kind(24, rounds, tell)
    yield "120 seats", lambda: ratio.by_kind(120, max(2, rounds - 2), tell)
    yield "stages", lambda: stages.by_stage(12, rounds, tell)
    yield "notices", lambda: notices.by_game(rounds, tell)
    yield "imap", lambda: imap.by_imap(12, rounds, tell)
    yield "waiting", lambda: overlap.by_waiting(500, tell)
    yield "workers", lambda: workers.by_workers(160, rounds, tell)
    yield "cold start", lambda: coldstart.cold_starts(tell)
    yield "playouts", lambda: playouts.by_game(tell)
    yield "robots", lambda: robots.by_board(tell)
    yield "hundred games", lambda: robot_matches.by_hundred(100, chosen.game, chosen.jobs, tell)
    yield "strengths", lambda: robot_matches.by_strength(chosen.games, chosen.game, chosen.jobs, tell)
    yield "naive", lambda: robot_matches.by_naive(chosen.games, chosen.game, chosen.jobs, tell)
    yield "new against old", lambda: robot_matches.by_former(chosen.games, chosen.game, chosen.jobs, tell)
    yield "auction", lambda: auctions.by_taker(chosen.games, chosen.game, chosen.jobs, tell)
    yield "counts", lambda: counts.by_kind(6, tell)
    yield "deadlines", lambda: deadlines.by_what_is_due(rounds, tell)
    yield "deadlines of one", lambda: deadlines.by_own_matches(max(2, rounds - 2), tell)
    yield "games", lambda: ratio.by_game(12, max(2, rounds - 2), tell)
    yield "hostile", lambda: hostile.by_messages(chosen.messages or 10_000, tell)
    yield "lengths", lambda: ratio.by_length(12, max(2, rounds - 2), tell)


if __name__ == "__main__":
    main()
