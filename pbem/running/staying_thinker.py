"""A process that thinks for robots and stays, so that nothing is compiled twice; whoever waits can stop it at once."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict
from multiprocessing.connection import Connection
from types import TracebackType
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from pbem.errors import ThoughtLost
from pbem.ports import Answer, Problem, Review
from pbem.running.thinker import review_from
from rules.game import Value
from rules.position import Entry, Seat

if TYPE_CHECKING:
    from pbem.robots.thinking import Pace

T = TypeVar("T")
P = ParamSpec("P")

_TICK = 0.1  # seconds
_SOON = 5.0  # seconds; for longer thoughts in plain Python it's better to wait until they are compiled
_SWITCH = "NUMBA_DISABLE_JIT"


class MindProcess:
    """A process for many thoughts, one at a time, which ends with this one, or when the context does.

    It begins by importing and compiling what such a match of ``game`` needs, or, ``plainly``, compiles nothing. A
    service on which people rely has a process for each thought instead.
    """

    def __init__(self, game: str, seats: int, options: Mapping[str, Value], *, plainly: bool = False) -> None:
        spawning = multiprocessing.get_context("spawn")  # a fork would inherit the state of a terminal, and threads
        self._connection, theirs = spawning.Pipe()
        self._news, telling = spawning.Pipe(duplex=False)
        arguments = theirs, telling, game, seats, options
        self._process = spawning.Process(target=_serve, args=arguments, daemon=True)
        # Ctrl-C is for whoever waits. What is ignored here stays so in the new process, from its first import on.
        before, switch = signal.signal(signal.SIGINT, signal.SIG_IGN), os.environ.get(_SWITCH)
        try:
            if plainly:
                os.environ[_SWITCH] = "1"
            self._process.start()
        finally:
            signal.signal(signal.SIGINT, before)
            if plainly and switch is None:
                del os.environ[_SWITCH]
            elif plainly and switch is not None:
                os.environ[_SWITCH] = switch
        theirs.close()
        telling.close()
        self.is_ready = False
        """Whether ``pace`` has found out that nothing is compiled any more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.join()
        self._connection.close()
        self._news.close()

    def pace(self, seconds: float | None) -> "Pace | None":
        """Return how fast it will think, which it says once; None if it hasn't after so many ``seconds``, or has.

        With None instead of seconds, wait until it has been said, or never will be.
        """
        try:
            return self._news.recv() if self._news.poll(seconds) else None
        except (EOFError, OSError):
            self.is_ready = True
            return None

    def answer(self, problem: Problem) -> Answer:
        """Return what a robot plays. Raise ThoughtLost if the process has ended, or failed."""
        return self._ask(_think, problem)

    def look_back(self, problem: Problem, seat: Seat, others: Sequence[int] = ()) -> Review:
        """Return what is to be said of the moves of a seat, but for those after ``others`` entries.

        Raise ThoughtLost if the process has ended, or failed.
        """
        return self._ask(_review, problem, seat, others)

    async def think(self, problem: Problem) -> Answer:
        """Return what a robot plays, as the port of a service. Raise ThoughtLost."""
        return await asyncio.to_thread(self.answer, problem)

    async def review(self, problem: Problem, seat: Seat, others: Sequence[int] = ()) -> Review:
        """Return what is to be said of the moves of a seat, as the port of a service. Raise ThoughtLost."""
        return await asyncio.to_thread(self.look_back, problem, seat, others)

    def _ask(self, task: "Callable[P, T]", *arguments: P.args, **no: P.kwargs) -> T:
        """Return what the task gives there."""
        try:
            self._connection.send((task, arguments))
            while not self._connection.poll(_TICK):
                pass  # so that Ctrl-C is noticed
            found = self._connection.recv()
        except (EOFError, OSError, TypeError):  # a connection that was closed meanwhile has no number any more
            raise ThoughtLost("The process that thinks for the robots has ended.") from None
        if isinstance(found, Exception):
            raise ThoughtLost(f"The robot has no move ({type(found).__name__}: {found}).")
        return found  # type: ignore[no-any-return]  # a connection carries anything


class EagerMind:
    """Thinks in plain Python while a process compiles what such a match needs: whoever has moved hears at once.

    All think the same. A thought that would take longer so than compiling does waits for that, and so does a review.
    """

    def __init__(self, game: str, seats: int, options: Mapping[str, Value]) -> None:
        self._minds, self._opened = ExitStack(), (game, seats, options)
        self._compiled = self._minds.enter_context(MindProcess(game, seats, options))
        self._plain: MindProcess | None = None
        self._expected: Pace | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._minds.close()

    def pace(self, seconds: float | None) -> "Pace | None":
        """Return how fast it will think, as ``MindProcess`` does."""
        pace = self._compiled.pace(seconds)
        if pace and pace.kind in ("compiles", "compiles_once"):
            self._plain = self._minds.enter_context(MindProcess(*self._opened, plainly=True))
        return pace

    def answer(self, problem: Problem) -> Answer:
        """Return what a robot plays, once the pace is known. Raise ThoughtLost if the process has ended, or failed."""
        if self._plain and not self._compiled.is_ready and self._compiled.pace(0) is None:
            self._expected = self._expected or self._plain.pace(None)
            if self._expected and not self._compiled.is_ready and self._expected.of(problem.strength) < _SOON:
                return self._plain.answer(problem)
        return self._compiled.answer(problem)

    def look_back(self, problem: Problem, seat: Seat) -> Review:
        """Return what is to be said of the moves of a seat. Raise ThoughtLost if the process has ended, or failed."""
        return self._compiled.look_back(problem, seat)


def _serve(connection: Connection, telling: Connection, game: str, seats: int, options: Mapping[str, Value]) -> None:
    """Prepare for thinking about such a match, and carry out tasks until the other end is closed."""
    with suppress(Exception):  # the first thought meets it again, and whoever asked for that is told
        from pbem.robots.thinking import warm_up

        warm_up(game, seats, options, telling.send)
    telling.close()
    while True:
        try:
            task, arguments = connection.recv()
        except EOFError:
            return
        try:
            connection.send(task(*arguments))
        except Exception as error:  # it is told where the task was asked for
            connection.send(RuntimeError(f"{type(error).__name__}: {error}"))


def _entries(problem: Problem) -> list[Entry]:
    """Return the record of a problem."""
    return [Entry(seat, text) for seat, text in problem.entries]


def _think(problem: Problem) -> Answer:
    """Return what a robot plays."""
    from pbem.robots.thinking import choose

    thought = choose(problem.game, problem.seats, problem.options, _entries(problem), problem.strength, problem.seed)
    return Answer(thought.move, thought.value)


def _review(problem: Problem, seat: Seat, others: Sequence[int]) -> Review:
    """Return the review of the moves of a seat, but for those after ``others`` entries."""
    from pbem.robots.review import review

    known = problem.game, problem.seats, problem.options, _entries(problem)
    return review_from(asdict(review(*known, seat, problem.strength, problem.seed, others=others)))
