"""The family of seconding: who votes on the moves of a seat beside its player. Pure.

Whom a player names the pipeline finds, and asks.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from pbem.commands.asking_effects import AskSecond, LeaveSecond, StopAsking
from pbem.commands.decision import Command, Family, HelpRow, Keyword, MatchSituation, Spelled
from pbem.reading.move_phrases import BEFORE, THANKING

_NAME = r"[^\W\d_a-z][^\s:,;?!]{0,40}(?: [^\W\d_a-z][^\s:,;?!]{0,40}){0,3}"
_ADDRESS = r"[^\s<>:,;?!]{1,64}@[^\s<>:,;?!]{1,64}"
_SECOND = re.compile(rf"{BEFORE}(?i:second)[\s:]{{1,9}}<?(?P<who>{_ADDRESS}|{_NAME}|robot:?\d{{0,2}})>?(?i:{THANKING})")
_OFF = re.compile(rf"{BEFORE}second\s{{1,9}}off\s{{1,9}}(?P<who>\S.{{0,60}})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AskForSecond(Spelled):
    """The sender wants ``who`` to vote on their moves."""

    who: str

    says = "second {it.who}"


@dataclass(frozen=True, slots=True)
class SecondOff(Spelled):
    """The sender is a second no longer; or whoever has the seat wants ``who`` to be none, "" for all of them."""

    who: str = ""

    says = "second off {it.who}"


def parse_second(piece: str) -> Command | None:
    """Return what ``piece`` asks for about seconds, or None: a name begins with a capital, or it is talk."""
    bare = piece.rstrip(" .!*_")
    if found := _OFF.fullmatch(bare):
        return SecondOff(found["who"].strip(" *_\"'“”<>"))
    found = _SECOND.fullmatch(bare)
    return AskForSecond(found["who"]) if found else None


def _apply(situation: MatchSituation, command: AskForSecond | SecondOff, now: datetime) -> MatchSituation:
    """Have somebody asked, or let seconds go."""
    match, seat = situation.match, situation.seat
    if match.outcome is not None or seat in match.position.departed():
        return situation.told("second_too_late")
    if isinstance(command, AskForSecond):
        asking = AskSecond(match.id, seat, command.who)
        return situation.answered(str(command), "seat_asked", asking, who=command.who)
    wanted = command.who.casefold()
    found = [
        one
        for one in match.seconds_of(seat)
        if not wanted or wanted in (one.name.casefold(), one.name.casefold().partition(" ")[0])
    ]
    leaving = (LeaveSecond(match.id, seat, one, dismissed=True) for one in found)
    code = "second_off" if wanted else "seconds_off"
    stop = StopAsking(match.id, seat, command.who)
    return situation.answered(str(command), code, *leaving, stop, who=command.who)


FAMILY = Family(
    name="seconding",
    topic="agreeing",
    types=(AskForSecond, SecondOff),
    parse=parse_second,
    apply=_apply,
    keywords=(Keyword("second off", SecondOff(), consequential=True),),
    help=(HelpRow("second Carl"),),
)
