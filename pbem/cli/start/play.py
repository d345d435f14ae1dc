"""The command ``play``: a match against robots at the terminal, with no email at all."""

import getpass
import hashlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from pbem.cli import output
from pbem.cli.game_help import PlayCommand
from pbem.errors import BadInput, Unwritable

if TYPE_CHECKING:
    from pbem.cli.start.screen import Screen
    from pbem.play.session import Session, Told
    from pbem.ports import Answer, Clock, Problem, Review
    from pbem.robots.thinking import Pace
    from rules.game import Game
    from rules.position import Seat

_LONGEST_NAME = 40  # characters
_PACE_SECONDS = 0.5  # on an idle machine it's known when the first board is shown


class Mind(Protocol):
    """Whatever thinks for the robots of a match."""

    def pace(self, seconds: float | None) -> "Pace | None":
        """Return how fast it will think, which it says once; None if it hasn't after so many seconds, or has."""
        ...

    def answer(self, problem: "Problem") -> "Answer":
        """Return what a robot plays."""
        ...

    def look_back(self, problem: "Problem", seat: "Seat") -> "Review":
        """Return what is to be said of the moves of a seat."""
        ...


CLASSES = {"play": PlayCommand}
"""The classes of commands that are more than others."""


def play(
    game: Annotated[str, typer.Argument(help="Which game; they are listed below.")],
    options: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Options of the game, such as size=9.")
    ] = None,
    option: output.GameOptions = None,
    seats: Annotated[
        int | None, typer.Option("--seats", help="How many play, you included; else as few as can.")
    ] = None,
    strength: Annotated[int, typer.Option("--strength", min=1, max=3, help="How strong the robots are.")] = 1,
    seat: Annotated[int, typer.Option("--seat", min=1, help="Which seat is yours; 1 begins.")] = 1,
    seed: Annotated[
        str | None, typer.Option("--seed", help="The same seed gives the same dice, and the same robots.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="What you’re called; else as you’ve logged in.")] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Write the record of the match.")] = None,
) -> None:
    """Play a match against robots here in the terminal: no email, no settings; on a small board, unless you choose one.

    Example: `pbem play zipline size=13`
    """
    from pbem.cli.start.screen import make_screen
    from pbem.match.game_names import find_game
    from pbem.play.session import begin
    from pbem.running.machine import SecretSource, SystemClock
    from pbem.running.staying_thinker import EagerMind
    from rules.errors import InvalidOption
    from rules.games import GAMES

    found = find_game(output.decode_argument(game))
    if found is None:
        raise BadInput(f"There is no game “{game}”; choose one of {', '.join(GAMES)}.")
    count = _count_seats(found, seats, seat)
    try:
        typed = [output.decode_argument(one) for one in options or []]
        chosen = found.normalise({**found.short, **output.read_options([*typed, *(option or [])])})
        found.begin(count, chosen)
    except InvalidOption as error:
        raise BadInput(str(error)) from error
    called = _choose_name(name)
    secret = SecretSource().secret() if seed is None else hashlib.sha256(f"pbem play {seed}".encode()).hexdigest()
    if save is not None:
        _check_place(save)
    screen, clock = make_screen(), SystemClock()
    with EagerMind(found.key, count, chosen) as mind:
        told = begin(found, count, chosen, seat - 1, strength, called, secret, clock.now(), screen.display)
        session = converse(told, mind, screen, clock)
    if save is not None and session.match.record:
        _keep(session, save, screen)


def converse(told: "Told", mind: Mind, screen: "Screen", clock: "Clock") -> "Session":
    """Play a match until the person stops, and return it as it is then."""
    from pbem.notices.reviewing import draw_review
    from pbem.notices.terminal import say_seconds, tell_at_terminal
    from pbem.play.session import Told
    from pbem.version import describe_extra

    session, reviewed, hinted, paced = told.session, "", False, False
    with suppress(KeyboardInterrupt):
        while told.wish != "quit":
            screen.show(told.text)
            session = told.session
            if session.asks and session.shown is not session.match:
                screen.show(session.situation())
                session = session.seen()
            if not paced and (pace := mind.pace(_PACE_SECONDS if session.asks else None)):
                paced = True
                if pace.kind != "kept":
                    strength = max(player.robot for player in session.match.players)
                    wait = say_seconds(pace.of(strength))
                    extra = describe_extra("robots")
                    said = tell_at_terminal(pace.kind, game=session.match.game.title, wait=wait, extra=extra)
                    screen.show(f"{said}\n")
            if not session.asks:
                sentence = tell_at_terminal("thinking", name=session.match.name(session.acting))
                with screen.waiting(sentence):
                    move = mind.answer(session.problem()).move
                told = session.play(move, clock.now())
                continue
            if session.is_over and not hinted:
                screen.show(f"{tell_at_terminal('after_the_end')}\n")
                hinted = True
            if (line := screen.read()) is None:
                break
            told = session.answer(line, clock.now())
            if told.wish == "review":
                if not reviewed:
                    with screen.waiting(tell_at_terminal("reviewing")):
                        found = mind.look_back(session.problem(), session.seat)
                    reviewed = draw_review(found, session.match, screen.display).text
                told = Told(session, reviewed)
            if not told.session.is_over:  # the last move was taken back
                reviewed, hinted = "", False
    screen.show(f"{tell_at_terminal('goodbye_after' if session.is_over else 'goodbye')}\n")
    return session


def _count_seats(game: "Game", seats: int | None, seat: int) -> int:
    """Return how many play. Raise BadInput for a number that the game isn't for, or a seat that isn't there."""
    from pbem.notices.sentences.match import describe_seats

    count = game.seats[0] if seats is None else seats
    if count not in game.seats:
        raise BadInput(f"{game.title} is for {describe_seats(game)}, not for {count}.")
    if seat > count:
        raise BadInput(f"There is no seat {seat} in a match of {count}; choose one of 1 to {count}.")
    return count


def _choose_name(name: str | None) -> str:
    """Return what the person is called. Raise BadInput for a name that can't stand on a line."""
    if name is None:
        try:
            name = getpass.getuser().capitalize()
        except (OSError, KeyError, ImportError):
            return "Player"
    called = " ".join(output.make_printable(output.decode_argument(name)).split())
    if not called or len(called) > _LONGEST_NAME:
        raise BadInput(f"“{called[:_LONGEST_NAME]}” is no name: it needs 1 to {_LONGEST_NAME} characters.")
    return called


def _check_place(file: Path) -> None:
    """Raise BadInput where no record can be kept: better before a match than after it."""
    if file.exists():
        raise BadInput(f"{file} exists already; nothing was changed.")
    if not file.parent.is_dir():
        raise BadInput(f"There is no directory “{file.parent}” to keep the record in.")


def _keep(session: "Session", file: Path, screen: "Screen") -> None:
    """Write the record of a match; raise Unwritable, with the record printed, where that can't be done."""
    from pbem.notices.terminal import tell_at_terminal

    record = session.record()
    try:
        with file.open("x", encoding="utf-8") as kept:
            kept.write(record)
    except OSError as error:
        screen.show(record)
        raise Unwritable(f"{file} can’t be written: {error.strerror}. The record stands above.") from error
    if session.is_over:
        screen.show(f"{tell_at_terminal('saved', file=str(file))}\n\n    pbem verify {file}\n")
    else:
        screen.show(f"{tell_at_terminal('saved_unfinished', file=str(file))}\n")
