"""The command that makes a report on a game: programs play against themselves, and what they found is written."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.output import GameOptions, decode_argument, load_settings, read_options

if TYPE_CHECKING:
    from pbem.report.plan import Plan, Task


def report(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Its key: zipline.")],
    option: GameOptions = None,
    seats: Annotated[
        int | None, typer.Option("--seats", help="How many seats; as few as there can be unless you say.")
    ] = None,
    profile: Annotated[
        str,
        typer.Option(
            "--profile",
            help="“robots”, or “published”: plain search as in a published report, beside the robots’ games.",
        ),
    ] = "robots",
    games: Annotated[
        int, typer.Option("--games", min=1, max=100_000, help="Games between searching players; others go by it.")
    ] = 200,
    random_games: Annotated[
        int | None,
        typer.Option("--random-games", min=1, max=1_000_000, help="Games between random players; 1000 unless slow."),
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts",
            min=4,
            max=10_000_000,
            help="Continuations tried for each step; usually those of a middling robot, or 10,500 as published.",
        ),
    ] = None,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0.01, max=100_000, help="How long to play; the report is made then.")
    ] = 10,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**62, help="Another seed, other games.")] = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, max=512, help="Processes; as many as there are cores.")
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where page, figures and games go; a run goes on there.")
    ] = Path("reports"),
    archive: Annotated[
        bool, typer.Option("--archive", help="Write page and figures beside the game’s page in the archive instead.")
    ] = False,
) -> None:
    """Let programs play a game against themselves, and write a page on how it is: length, balance, strength and more.

    It can be stopped at any time: the same command goes on where it was.
    """
    from pbem.report.making import make_report
    from pbem.report.plan import make_plan

    place = Path(load_settings(context, "archive_dir").archive_dir) if archive else None
    chosen = read_options(option or [])
    plan = make_plan(decode_argument(game), seats, chosen, playouts, games, seed, random_games, profile)
    with _progress(plan) as tell:
        made = make_report(plan, out, minutes=minutes, jobs=jobs or os.cpu_count() or 1, tell=tell, archive=place)
    typer.echo(f"Wrote {made.page}, of {made.played:,} of {made.planned:,} games.")
    if made.played < made.planned:
        typer.echo("The same command again plays more of them.")
    if archive:
        typer.echo("The game’s page leads to it from the next “pbem archive” on.")


@contextmanager
def _progress(plan: "Plan") -> Iterator[Callable[["Task", int], None]]:
    """Show how far each series of games is, on a terminal; yield what is to be told of each game."""
    if not sys.stderr.isatty():
        yield lambda task, played: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        rows = {series.key: progress.add_task(series.key, total=series.games) for series in plan.series()}
        yield lambda task, played: progress.advance(rows[task.series.key])
