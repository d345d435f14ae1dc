"""A process that thinks for robots, so that whoever waits for it can be told so, and can stop it at once."""

import multiprocessing
import signal
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from types import TracebackType
from typing import TYPE_CHECKING, ParamSpec, Protocol, Self, TypeAlias, TypeVar

from pbem.errors import Unavailable
from pbem.play import Session, robot_seed
from rules import Entry, Seat, Value

if TYPE_CHECKING:
    from pbem.robots import Review

T = TypeVar("T")
P = ParamSpec("P")

_Described: TypeAlias = tuple[str, int, Mapping[str, Value], tuple[Entry, ...]]
"""The game, the number of seats, the options and the record of a match."""

_TICK = 0.1  # seconds


class Mind(Protocol):
    """Whatever thinks for the robots of a match."""

    def prepare(self, session: Session, secret: str) -> None:
        """Get ready for this match, without waiting."""

    def choose(self, session: Session, secret: str) -> str:
        """Return the move of the robot whose turn it is, in canonical notation."""
        ...

    def review(self, session: Session, secret: str) -> "Review":
        """Return what is to be said of the person's moves."""
        ...


class MindProcess:
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

    def prepare(self, session: Session, secret: str) -> None:
        """Let the process import and compile what it needs, meanwhile."""
        key, seats, options, _ = _describe(session)
        self._connection.send((_warm_up, (key, seats, options)))
        self._left_out += 1

    def choose(self, session: Session, secret: str) -> str:
        """Return the move of the robot whose turn it is. Raise Unavailable if its process has ended."""
        return self._ask(_choose, _describe(session), session.strength, robot_seed(secret, session.match.ply))

    def review(self, session: Session, secret: str) -> "Review":
        """Return what is to be said of the person's moves. Raise Unavailable if the process has ended."""
        return self._ask(_review, _describe(session), session.seat, robot_seed(secret, 0))

    def _ask(self, task: "Callable[P, T]", *arguments: P.args, **no: P.kwargs) -> T:
        """Return what the task gives there."""
        try:
            self._connection.send((task, arguments))
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


def _describe(session: Session) -> _Described:
    """Return the match of a session as values that can be sent to another process."""
    match = session.match
    return match.game.key, len(match.players), dict(match.options), match.record


def _warm_up(key: str, seats: int, options: Mapping[str, Value]) -> None:
    """Import and compile all that the search of this game needs."""
    from pbem.robots import warm_up

    warm_up(key, seats, options)


def _choose(described: _Described, strength: int, seed: int) -> str:
    """Return the move that a robot chooses."""
    from pbem.robots import choose

    return choose(*described, strength, seed).move


def _review(described: _Described, seat: Seat, seed: int) -> "Review":
    """Return the review of the moves of a seat."""
    from pbem.robots import review

    return review(*described, seat, None, seed)
