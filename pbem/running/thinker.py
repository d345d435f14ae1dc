"""Where robots think: in a process of its own for each thought, which is ended when it takes too long."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from pbem.errors import ThoughtLost
from pbem.ports import Answer, Problem, Regret, Review

_COMMAND = (sys.executable, "-P", "-m", "pbem.robots")
_LONGEST_COMPLAINT = 300  # characters of what a process says at its end
_LOWEST = 19  # priority
_LONGER = 60  # seconds; where nobody is left to end a process, it ends itself


class _Failed(ThoughtLost):
    """A process ended without an answer, before its time was over."""


class ProcessThinker:
    """The thinker of a running service: a process for each thought, of lowest priority, for so many ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def think(self, problem: Problem) -> Answer:
        """Return what a robot plays. Raise ThoughtLost; a process that is of no use any more is killed."""
        return _read(await self._ask(asdict(problem)))

    async def review(self, problem: Problem, seat: int, others: Sequence[int] = ()) -> Review:
        """Return what is to be said of a seat's moves, but for those after ``others`` entries. Raise ThoughtLost."""
        return _read_review(await self._ask(asdict(problem) | {"reviewed": seat, "others": list(others)}))

    async def _ask(self, problem: Mapping[str, object]) -> bytes:
        """Return what a process answers; a second one is tried where the first has failed."""
        # It needs none of the settings, among which there are passwords.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        try:
            return await self._think(problem, environment)
        except _Failed:
            # A compiler that breaks is no reason not to move.
            return await self._think(problem, environment | {"NUMBA_DISABLE_JIT": "1"})

    async def _think(self, problem: Mapping[str, object], environment: Mapping[str, str]) -> bytes:
        """Return what one process answers."""
        pipe = asyncio.subprocess.PIPE
        command = *_COMMAND, str(int(self._seconds) + _LONGER)
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment
            )
        except OSError as error:
            raise ThoughtLost(f"Its process did not start: {error.strerror}.") from error
        with suppress(OSError):  # where no process may change a priority, it keeps that
            os.setpriority(os.PRIO_PROCESS, process.pid, _LOWEST)  # from its first import on, which takes a second
        try:
            async with asyncio.timeout(self._seconds):
                written, complaint = await process.communicate(json.dumps(problem).encode())
        except TimeoutError:
            raise ThoughtLost(f"It was not done within {self._seconds:g} seconds.") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            last = complaint.decode(errors="replace").strip().rpartition("\n")[2][:_LONGEST_COMPLAINT]
            raise _Failed(f"Its process ended with {process.returncode}: {last}")
        return written


def _read(written: bytes) -> Answer:
    """Return the answer that a process has written. Raise ThoughtLost for anything else."""
    try:
        found = json.loads(written)
        answer = Answer(found["move"], found["value"])
    except (ValueError, TypeError, KeyError) as error:
        raise ThoughtLost(f"Its process wrote no answer ({type(error).__name__}).") from error
    if type(answer.move) is not str or type(answer.value) is not int:
        raise ThoughtLost("Its process wrote no move.")
    return answer


def _read_review(written: bytes) -> Review:
    """Return the review that a process has written. Raise ThoughtLost for anything else."""
    try:
        found = json.loads(written)
        return review_from(found)
    except (ValueError, TypeError, KeyError) as error:
        raise ThoughtLost(f"Its process wrote no review ({type(error).__name__}).") from error


def review_from(found: Mapping[str, Any]) -> Review:
    """Return the review that the fields of one of `pbem.robots` make."""
    regret = found["regret"]
    if regret is not None:
        line = tuple((entry["seat"], str(entry["text"])) for entry in regret["line"])
        move, better = str(regret["move"]), str(regret["better"])
        regret = Regret(int(regret["ply"]), move, int(regret["value"]), better, int(regret["best"]), line)
    return Review(int(found["seat"]), int(found["moves"]), regret)
