"""The family of ladders: entering and leaving, looking at them, and challenging somebody above. Pure.

What comes of them depends on who stands where, so that the pipeline grants these wishes.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from pbem.commands.asking_effects import Wish
from pbem.commands.decision import Family, HelpRow, Keyword, Situation, Spelled
from pbem.match.game_names import find_game
from pbem.match.stints import read_robot, write_robot
from pbem.reading.move_phrases import BEFORE, THANKING, WISHING

LADDER_WORDS = ("ladder", "challenge")
"""Words of which every line of this holds one."""

_NAME = r"[a-z0-9][a-z0-9-]{1,29}"
_ENTER_BEFORE = re.compile(
    rf"{BEFORE}{WISHING}(?:enter|join)\s(?:the\s)?(?P<name>(?!the\s){_NAME})\sladder{THANKING}", re.IGNORECASE
)
_ENTER_BEHIND = re.compile(
    rf"{BEFORE}{WISHING}(?:(?:enter|join)\s(?:the\s)?)?ladder[\s:]{{1,9}}(?:of\s|for\s)?(?P<name>{_NAME}){THANKING}",
    re.IGNORECASE,
)
_ENTER_ANY = re.compile(rf"{BEFORE}{WISHING}(?:enter|join)\s(?:the\s)?ladder{THANKING}", re.IGNORECASE)
_LEAVE = re.compile(
    rf"{BEFORE}{WISHING}leave\s(?:the\s|my\s)?(?:ladder(?:[\s:]{{1,9}}(?:of\s|for\s)?(?P<behind>{_NAME}))?"
    rf"|(?P<before>{_NAME})\sladder){THANKING}",
    re.IGNORECASE,
)
_CHALLENGE = re.compile(
    rf"{BEFORE}{WISHING}challenge[\s:]{{1,9}}(?P<who>[^?!|@:;]{{1,60}}?)"
    rf"(?:[\s,]{{1,9}}(?:in|on|for|to)\s(?:the\s)?(?:ladder\s(?:of\s)?)?(?P<name>{_NAME})(?:\sladder)?)?{THANKING}",
    re.IGNORECASE,
)
_MOST_NAMES = 4  # words of one
_TALK = frozenset({"accepted", "me", "on", "you", "us", "is", "was", "the"})
_SIGNS = " \t.!*_\"'“”<>,"


@dataclass(frozen=True, slots=True)
class EnterLadder(Spelled):
    """The sender wants to be in a ladder, which is called like its game, or has more behind that."""

    name: str

    says = "ladder {it.name}"


@dataclass(frozen=True, slots=True)
class LeaveLadder(Spelled):
    """The sender leaves a ladder; ``name`` is "" for the only one that they are in."""

    name: str = ""

    says = "leave ladder {it.name}"


@dataclass(frozen=True, slots=True)
class ShowLadders(Spelled):
    """The sender asks how their ladders stand, or which there are."""

    says = "ladder"


@dataclass(frozen=True, slots=True)
class ChallengeRival:
    """The sender challenges ``who``, a name or a robot, in the ladder ``name``, "" for the only one of both."""

    who: str
    name: str = ""

    def __str__(self) -> str:
        return f"challenge {self.who}" + (f" in {self.name}" if self.name else "")


LadderWish: TypeAlias = EnterLadder | LeaveLadder | ShowLadders | ChallengeRival
"""What the pipeline can grant to a player."""


def parse_ladder(piece: str) -> LadderWish | None:
    """Return what a piece of a line asks for about ladders, or None."""
    text = piece.strip(_SIGNS)
    if len(text) > 120 or "?" in piece:
        return None
    if _ENTER_ANY.fullmatch(text):
        return ShowLadders()
    if found := _ENTER_BEHIND.fullmatch(text) or _ENTER_BEFORE.fullmatch(text):
        return EnterLadder(_ladder_name(found["name"]))
    if found := _LEAVE.fullmatch(text):
        return LeaveLadder(_ladder_name(found["behind"] or found["before"] or ""))
    if found := _CHALLENGE.fullmatch(text):
        return _read_challenge(found["who"].strip(_SIGNS), found["name"] or "")
    return None


def _ladder_name(typed: str) -> str:
    """Return the name of a ladder as it is stored: in small letters, a game by its key."""
    game = find_game(typed)
    return game.key if game else typed.lower()


def _read_challenge(who: str, name: str) -> ChallengeRival | None:
    """Return whom a line challenges; None for talk. The last word may name the game."""
    words = who.split()
    if len(words) > 1 and not name and find_game(words[-1]):
        *words, name = words
    robot = read_robot(":".join(words)) if len(words) < 3 else None
    if not words or len(words) > _MOST_NAMES or words[0].lower() in _TALK:
        return None
    return ChallengeRival(" ".join(words) if robot is None else write_robot(robot), _ladder_name(name))


def _wish(situation: Situation, command: LadderWish, now: datetime) -> Situation:
    """Hand the wish on to the pipeline."""
    return situation.carried(str(command), Wish(command))


FAMILY = Family(
    name="ladders",
    topic="matches",
    types=(EnterLadder, LeaveLadder, ShowLadders, ChallengeRival),
    apply=_wish,
    keywords=tuple(Keyword(word, ShowLadders()) for word in ("ladder", "ladders")),
    help=(HelpRow("ladder pipline"), HelpRow("challenge Bob")),
    parse=parse_ladder,
    scope="player",
)
