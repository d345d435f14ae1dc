"""A process that thinks for robots, so that whoever waits for it can be told so, and can stop it at once."""

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from pbem.errors import Unavailable

if TYPE_CHECKING:
    from pbem.play import Session
    from pbem.robots import Review

T = TypeVar("T")

_TICK = 0.1  # seconds


class Mind(Protocol):
    """Whatever thinks for the robots of a match."""

    def prepare(self, session: "Session", secret: str) -> None:
        """Get ready for this match, without waiting."""

    def choose(self, session: "Session", secret: str) -> str:
        """Return the move of the robot whose turn it is, in canonical notation."""
        ...

    def review(self, session: "Session", secret: str) -> "Review":
        """Return what is to be said of the person's moves."""
        ...


class Thinker:
    """A mind in a process of its own, which ends with this one, or when the context does."""

    def __init__(self) -> None:
        spawning = multiprocessing.get_context("spawn")  # a fork would inherit the terminal's state, and threads
        self._connection, theirs = spawning.Pipe()
        self._process = spawning.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._left_out = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.join()

    def prepare(self, session: "Session", secret: str) -> None:
        """Let the process import and compile what it needs, meanwhile."""
        self._connection.send((_prepare, (session, secret)))
        self._left_out += 1

    def choose(self, session: "Session", secret: str) -> str:
        """Return the move of the robot whose turn it is. Raise Unavailable if its process has ended."""
        return self._ask(_choose, session, secret)

    def review(self, session: "Session", secret: str) -> "Review":
        """Return what is to be said of the person's moves. Raise Unavailable if the process has ended."""
        return self._ask(_review, session, secret)

    def _ask(self, task: "Callable[[Session, str], T]", session: "Session", secret: str) -> T:
        """Return what the task gives there."""
        try:
            self._connection.send((task, (session, secret)))
            while True:
                while not self._connection.poll(_TICK):
                    pass  # so that Ctrl-C is noticed
                found = self._connection.recv()
                if not self._left_out:
                    break
                self._left_out -= 1
        except (EOFError, OSError):
            raise Unavailable("The process that thinks for the robots has ended; nothing can be played on.") from None
        if isinstance(found, Exception):
            raise found
        return found  # type: ignore[no-any-return]  # a connection carries anything


def _serve(connection: "Connection") -> None:
    """Carry out tasks until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever waits
    while True:
        try:
            task, arguments = connection.recv()
        except EOFError:
            return
        try:
            connection.send(task(*arguments))
        except Exception as error:  # it is raised where the task was asked for
            connection.send(error)


def _prepare(session: "Session", secret: str) -> None:
    """Compile all that the search of this game needs."""
    from pbem.robots import warm_up

    match = session.match
    warm_up(match.game.key, len(match.players), match.options)


def _choose(session: "Session", secret: str) -> str:
    from pbem.play import robot_seed
    from pbem.robots import choose

    match = session.match
    seed = robot_seed(secret, match.ply)
    return choose(match.game.key, len(match.players), match.options, match.record, session.strength, seed).move


def _review(session: "Session", secret: str) -> "Review":
    from pbem.play import robot_seed
    from pbem.robots import review

    match = session.match
    seed = robot_seed(secret, 0)
    return review(match.game.key, len(match.players), match.options, match.record, session.seat, None, seed)
