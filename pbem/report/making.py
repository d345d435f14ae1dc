"""A report from its plan to its files: plays what has not been played yet, measures, and writes page and figures."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pbem.archive.pages import write_if_changed, write_style
from pbem.mail.archive_paths import report_page
from pbem.report.course import Found
from pbem.report.keeping import keeping, read_other
from pbem.report.measures import measure, measure_profile
from pbem.report.plan import PROFILES, ROBOTS, Plan, Task, interleaved
from pbem.report.playing import Game
from pbem.report.running import count, play_games

_SPEED_SECONDS = 12.0
_SPEED_PART = 0.02
"""Of the time, at most so much goes into measuring the speed."""


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a run: the page, and how many of the games planned are played now."""

    page: Path
    played: int
    planned: int


def games_file(game: str, profile: str) -> str:
    """Return the name of the file with the games of a profile."""
    return f"{game}.jsonl" if profile == ROBOTS else f"{game}.{profile}.jsonl"


def make_report(
    plan: Plan,
    directory: Path,
    *,
    minutes: float,
    jobs: int,
    tell: Callable[[Task, int], None] = lambda task, played: None,
    archive: Path | None = None,
) -> Made:
    """Play for some ``minutes``, then write the report of all games so far: into ``directory``, or the ``archive``.

    The games lie in ``directory``, where the next run finds them. ``tell`` is called for each game planned that is
    played, with how many were. Raises BadInput, Busy, PbemError and OSError.
    """
    until = time.time() + 60 * minutes
    tasks = plan.tasks()
    planned = {(task.series.key, task.number): task for task in tasks}
    with keeping(directory / games_file(plan.game, plan.profile), plan) as kept:
        played: list[Game] = []

        def note(game: Game) -> None:
            # Of an earlier run with more games, only those that are planned now count.
            if task := planned.get((game.series, game.number)):
                played.append(game)
                tell(task, len(played))

        for game in kept.games:
            note(game)
        counted = _know_counts(plan, directory / f"{plan.game}.counts", 60 * minutes)
        done = {(game.series, game.number) for game in played}
        for game in play_games(plan, interleaved(tasks, done), jobs, until):
            kept.add(game)
            note(game)
    profiles = {plan.profile: measure_profile(plan, played)}
    for profile in PROFILES:
        if profile != plan.profile and (other := read_other(directory / games_file(plan.game, profile), plan)):
            profiles[profile] = measure_profile(*other)
    found = measure(plan, profiles, counted["perft"], counted["speed"])
    return Made(_write(found, directory, archive), len(played), len(tasks))


def _know_counts(plan: Plan, file: Path, seconds: float) -> Found:
    """Return ``speed`` and ``perft`` of a game: those of an earlier run of the same one, or found now and kept."""
    try:
        known = json.loads(file.read_text("utf-8"))
        if known["of"] == plan.subject:
            return {"speed": dict(known["speed"]), "perft": list(known["perft"])}
    except (OSError, ValueError, KeyError, TypeError):
        pass
    found = count(plan, min(_SPEED_SECONDS, _SPEED_PART * seconds))
    file.write_text(json.dumps({"of": plan.subject, **found}) + "\n", "utf-8")
    return found


def _write(found: Found, directory: Path, archive: Path | None) -> Path:
    """Write page and figures; return where the page is."""
    from pbem.report.page import write_page

    page = directory / f"{found['game']}.html" if archive is None else archive / report_page(str(found["game"]))
    figures = page.with_suffix(".json")
    if archive is None:
        write_style(directory)
    write_if_changed(figures, (json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n").encode())
    write_if_changed(page, write_page(found, figures.name, in_archive=archive is not None).encode())
    return page
