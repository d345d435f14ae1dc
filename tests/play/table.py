"""A match at a terminal without a terminal: what is typed is written down, and the robots play what is suggested."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pbem.cli.start.play import converse
from pbem.match.preferences import Display
from pbem.play.session import Session, begin
from pbem.ports import Answer, Problem, Regret, Review
from pbem.robots.thinking import Pace
from rules.game import replay
from rules.games import GAMES
from rules.position import Entry, Position, Seat
from tests.support.fakes import FakeClock

SECRET = "5e" * 32


class Examples:
    """A mind that plays the example of the prompt, and regrets the first move that wasn't it.

    How fast it thinks it says when it is asked for the last of ``paces``, which are None before.
    """

    def __init__(self, *paces: Pace | None) -> None:
        self._paces = list(paces)

    def pace(self, seconds: float | None) -> Pace | None:
        """Return the next of the paces."""
        return self._paces.pop(0) if self._paces else None

    def answer(self, problem: Problem) -> Answer:
        """Return the example."""
        return Answer(_position(problem, len(problem.entries)).prompt().example, 500)

    def look_back(self, problem: Problem, seat: Seat) -> Review:
        """Return that the first move which was not the example cost 234 wins in 1000."""
        moves = [(ply, text) for ply, (one, text) in enumerate(problem.entries) if one == seat and text != "resign"]
        for ply, text in moves:
            position = _position(problem, ply)
            better = position.prompt().example
            if text != better:
                then = position.play(position.parse(better))
                following = [(then.to_act, then.prompt().example)] if isinstance(then.to_act, int) else []
                return Review(seat, len(moves), Regret(ply, text, 300, better, 534, tuple(following)))
        return Review(seat, len(moves), None)


def _position(problem: Problem, ply: int) -> Position[Any]:
    """Return the position after so many entries."""
    record = [Entry(seat, text) for seat, text in problem.entries[:ply]]
    return replay(GAMES[problem.game], seats=problem.seats, options=problem.options, record=record)


@dataclass
class Paper:
    """A screen that keeps what is shown; its lines are given, and after the last it ends."""

    typed: Iterable[str]
    display: Display = "plain"
    shown: list[str] = field(default_factory=list)
    interrupted: bool = False

    def __post_init__(self) -> None:
        self._lines: Iterator[str] = iter(self.typed)

    def show(self, text: str) -> None:
        """Keep a text."""
        if text.strip():
            self.shown.append(text)

    def read(self) -> str | None:
        """Return the next line; press Ctrl-C at the end if that is wanted."""
        line = next(self._lines, None)
        if line is not None:
            self.shown.append(f"> {line}\n")
        elif self.interrupted:
            raise KeyboardInterrupt
        return line

    def waiting(self, sentence: str) -> AbstractContextManager[object]:
        """Keep the sentence."""
        self.shown.append(f"({sentence})\n")
        return nullcontext()


def play(key: str, seats: int, seat: int, options: dict[str, str], paper: Paper, *paces: Pace | None) -> Session:
    """Play what is typed on paper, against robots of strength 2 that say ``paces``; ``seat`` counts from 1."""
    game = GAMES[key]
    clock = FakeClock(datetime(2026, 11, 26, 18, 30, tzinfo=UTC))
    told = begin(game, seats, game.normalise(options), seat - 1, 2, "Ann", SECRET, clock.now(), paper.display)
    return converse(told, Examples(*paces), paper, clock)
