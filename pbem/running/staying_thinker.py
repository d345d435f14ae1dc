"""A process that thinks for robots and stays, so that nothing is compiled twice; whoever waits can stop it at once."""

import asyncio
import multiprocessing
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
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


class MindProcess:
    """A process for many thoughts, one at a time, which ends with this one, or when the context does.

    It begins by importing and compiling what such a match of ``game`` needs. A service on which people rely has a
    process for each thought instead.
    """

    def __init__(self, game: str, seats: int, options: Mapping[str, Value]) -> None:
        spawning = multiprocessing.get_context("spawn")  # a fork would inherit the state of a terminal, and threads
        self._connection, theirs = spawning.Pipe()
        self._news, telling = spawning.Pipe(duplex=False)
        arguments = theirs, telling, game, seats, options
        self._process = spawning.Process(target=_serve, args=arguments, daemon=True)
        # Ctrl-C is for whoever waits. What is ignored here stays so in the new process, from its first import on.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self._process.start()
        finally:
            signal.signal(signal.SIGINT, before)
        theirs.close()
        telling.close()

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
