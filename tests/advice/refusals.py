"""Reads ``refusals.txt``, the measured set: replies that are refused, each with what its answer should suggest."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from pbem.advice.advice import Advice, advice
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge
from pbem.commands.rejections import Rejection
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.notices.rejected import list_answers
from pbem.reading.reason import Reason
from rules.errors import RulesError
from rules.games import GAMES
from rules.phrase import Argument, Listed
from rules.position import Entry, Seat

NOW = datetime(2026, 11, 20, tzinfo=UTC)
_POSITION = re.compile(r"(?P<game>\w+) of (?P<seats>\d)(?:, (?P<options>[^:]+))?:(?P<record>.*)")


@dataclass(frozen=True)
class Refusal:
    """A refused ``reply`` in a match, and the answers that are right: each holds some texts to write, or none."""

    match: Match
    reply: str
    right: tuple[frozenset[str], ...]

    def __str__(self) -> str:
        return f"{self.match.game.key}: {self.reply}"

    @property
    def seat(self) -> int:
        """The seat that sent the reply: the seat to act, or the first while all may answer."""
        return self.match.to_act if isinstance(self.match.to_act, int) else 0

    def answered(self) -> tuple[Rejection, Advice]:
        """Return why the reply is refused, and the advice beside it."""
        commands = read_commands(self.reply.split(" / "))
        try:
            decision = judge(self.match, self.seat, self.match.ply, commands, now=NOW)
        except Rejection as rejection:
            return rejection, advice(self.match, self.seat, rejection, commands)
        raise AssertionError(f"{self} is not refused: {decision.done}")


def grade(right: tuple[frozenset[str], ...], suggested: frozenset[str]) -> str:
    """Return whether an answer is right, wrong, or silent where it should suggest something."""
    if any(texts <= suggested if texts else not suggested for texts in right):
        return "right"
    return "wrong" if suggested else "silent"


def suggestions(match: Match, seat: Seat, rejection: Rejection, said: Advice) -> frozenset[str]:
    """Return everything that an answer tells its reader to write: what is guessed, what the rules say, and its list.

    What every email of that turn lists is no suggestion of this answer.
    """
    told = said.why if isinstance(said.why, RulesError) else getattr(rejection, "error", None)
    write = told.arguments.get("write") if told else None
    answers = list_answers(match, seat, rejection)
    usual = match.position.suggestions() if answers else ()
    listed = (choice.move for choice in answers if choice not in usual)
    return frozenset((*_moves_in(write), *suggested_by(said), *listed))


def suggested_by(said: Advice) -> tuple[str, ...]:
    """Return what an answer suggests to write."""
    reasons = [reason for reason in (said.why, said.meant) if isinstance(reason, Reason)]
    told = [dict(reason.arguments).get(name) for reason in reasons for name in ("choices", "together", "move")]
    return tuple(move for argument in told for move in _moves_in(argument))


def _moves_in(argument: Argument | None) -> tuple[str, ...]:
    """Return the moves that an argument of a sentence holds."""
    if isinstance(argument, Listed):
        return tuple(map(str, argument.items))
    text = str(argument or "")
    return tuple(re.findall("“([^”]+)”", text)) or ((text,) if text else ())


@cache
def read_refusals() -> tuple[Refusal, ...]:
    """Return the measured set."""
    return tuple(_read(Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8").splitlines()))


def _read(lines: list[str]) -> Iterator[Refusal]:
    """Yield the refusals of a file; each stands below its position."""
    match: Match | None = None
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if position := _POSITION.fullmatch(line):
            match = _match(position["game"], int(position["seats"]), position["options"], position["record"])
            continue
        reply, _, right = line.partition("=>")
        assert match is not None
        answers = (frozenset(text.strip() for text in one.split(",")) for one in right.split("|"))
        yield Refusal(match, reply.strip(), tuple(one - {"nothing"} for one in answers))


def _match(game: str, seats: int, options: str | None, record: str) -> Match:
    """Return a match with a record: moves of the seats to act, and numbers that were rolled."""
    chosen = dict(pair.split("=") for pair in (options or "").split())
    match = Match(1, GAMES[game], GAMES[game].normalise(chosen), _players(seats), NOW)
    for text in filter(None, (one.strip() for one in record.split(","))):
        seat = match.to_act if isinstance(match.to_act, int) else None
        match = match.after(Entry(seat, text), NOW)
    return match


def _players(seats: int) -> tuple[Player, ...]:
    """Return that many players."""
    return tuple(
        Player(seat, name, "", frozenset()) for seat, name in enumerate(("Ann", "Bob", "Carl", "Dora")[:seats])
    )
