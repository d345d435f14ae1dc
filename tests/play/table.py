"""A match at a terminal without a terminal: what is typed is written down, and the robots play what is suggested."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pbem.cli.play import converse
from pbem.match import Display
from pbem.play import Session, begin
from pbem.robots import Regret, Review
from rules import GAMES, Entry
from tests.support.fakes import FakeClock

SECRET = "5e" * 32


class Examples:
    """A mind that plays the example of the prompt, and regrets the first move that wasn't it."""

    def prepare(self, session: Session, secret: str) -> None:
        """There is nothing to do."""

    def choose(self, session: Session, secret: str) -> str:
        """Return the example."""
        return session.match.position.prompt().example

    def review(self, session: Session, secret: str) -> Review:
        """Return that the first move which was not the example cost 234 wins in 1000."""
        match, seat = session.match, session.seat
        moves = [ply for ply, entry in enumerate(match.record) if entry.seat == seat and entry.text != "resign"]
        for ply in moves:
            position = match.at(ply).position
            better = position.prompt().example
            if match.record[ply].text != better:
                then = position.play(position.parse(better))
                line = (
                    (Entry(then.to_act, then.prompt().example),)
                    if isinstance(then.to_act, int)
                    else tuple[Entry, ...]()
                )
                return Review(seat, len(moves), Regret(ply, match.record[ply].text, 300, better, 534, 20, line))
        return Review(seat, len(moves), None)


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


def play(key: str, seats: int, seat: int, options: dict[str, str], paper: Paper) -> Session:
    """Play what is typed on paper, against robots of strength 2; ``seat`` counts from 1."""
    game = GAMES[key]
    clock = FakeClock(datetime(2026, 11, 26, 18, 30, tzinfo=UTC))
    told = begin(game, seats, game.normalise(options), seat - 1, 2, "Ann", SECRET, clock.now(), paper.display)
    return converse(told, Examples(), SECRET, paper, clock)
