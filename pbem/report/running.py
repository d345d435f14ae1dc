"""Plays the games of a plan in several processes until all are played or the time is over."""

import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from threading import Thread

from pbem.errors import PbemError
from pbem.report.course import Found
from pbem.report.perft import perft
from pbem.report.plan import Plan, Task
from pbem.report.playing import Game, OutOfTimeError, play
from pbem.report.speeds import measure_speeds

_WAITING = 2
"""Games that wait for each process, so that none is idle."""
_NICE = 10


def play_games(plan: Plan, tasks: Iterator[Task], jobs: int, until: float) -> Iterator[Game]:
    """Yield games as they end, in ``jobs`` processes, of one in this; no more of them after ``until`` (time.time()).

    Games that have not ended by then are dropped. Raises PbemError if a process ends by itself.
    """
    if jobs == 1:
        for task in tasks:
            if (game := _play(plan, task, until)) is None:
                return
            yield game
        return
    with _processes(jobs) as pool:
        waiting: set[Future[Game | None]] = set()
        try:
            while True:
                room = _WAITING * jobs - len(waiting)
                waiting |= {pool.submit(_play, plan, task, until) for task in islice(tasks, room)}
                if not waiting:
                    return
                ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (game for future in ended if (game := future.result()) is not None)
        except BrokenProcessPool as error:
            raise PbemError(
                "A process that played games has ended by itself; the same command again goes on where it was."
            ) from error
        finally:
            for future in waiting:
                future.cancel()


def count(plan: Plan, seconds: float) -> Found:
    """Return the ``speed`` of one core and the boards of a ``perft``, in a process of its own, with nothing beside."""
    with _processes(1) as pool:
        return pool.submit(_count, plan, seconds).result()


def _count(plan: Plan, seconds: float) -> Found:
    return {"speed": measure_speeds(plan, seconds), "perft": perft(plan)}


def _processes(jobs: int) -> ProcessPoolExecutor:
    """Return new processes, of low priority; a fork would share what the compiler has open."""
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    """Let this process give way to others, and end with the one that started it, even if that is killed."""
    os.nice(_NICE)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the process that started this one; a worker of a pool would wait for it forever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _play(plan: Plan, task: Task, until: float) -> Game | None:
    """Return one game; None if the time is over before its end."""

    def is_late() -> bool:
        return time.time() >= until

    try:
        return play(plan, task, is_late)
    except OutOfTimeError:
        return None
