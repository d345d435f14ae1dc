"""The one list of everything that players can write, and lookups over it. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import get_args

from pbem.commands.decision import Command, Family, HelpRow, Keyword, Topic
from pbem.commands.families import (
    account,
    agreement,
    digest,
    forgetting,
    info,
    looking,
    planning,
    play,
    profile,
    proposing,
    reviewing,
    seats,
    starting,
    talk,
    thoughts,
    time,
)
from pbem.commands.families.agreement_words import parse_agreement
from pbem.commands.families.play import FreeText, read_free_text, read_seed
from pbem.commands.families.time_words import Claim, Give, Pause, PauseOff, PauseUntil, Vacation, Wait, parse_time

COMMANDS: tuple[Family, ...] = (
    play.FAMILY,
    info.FAMILY,
    looking.FAMILY,
    planning.FAMILY,
    thoughts.FAMILY,
    reviewing.FAMILY,
    talk.FAMILY,
    time.FAMILY,
    time.STATUS,
    agreement.FAMILY,
    proposing.FAMILY,
    account.FAMILY,
    digest.FAMILY,
    profile.FAMILY,
    seats.FAMILY,
    forgetting.FAMILY,
    starting.FAMILY,
)
"""Every command family. A new one is a module and its line here."""

WITHOUT_EMAIL = (FreeText, play.Resign, *info.FAMILY.types, *looking.FAMILY.types, *talk.FAMILY.types)
"""Commands that mean something where a match is played with no email at all: to move, to look, to talk."""

KEYWORDS: dict[str, Keyword] = {keyword.word: keyword for family in COMMANDS for keyword in family.keywords}
"""Every word that is a command by itself."""

# Politeness around a word that does no harm; "please resign" is rather said to somebody else.
_POLITE = re.compile(
    rf"(?:please |pls )?({'|'.join(sorted(KEYWORDS.keys() - {'resign', 'claim', 'back'}))})(?:(?<!help) me)?"
    r"(?: please| pls| thanks| thank you)?"
)

_CONSEQUENTIAL = (Claim, Give, Pause, PauseOff, PauseUntil, Wait, Vacation)


def family_of(command: Command, families: Iterable[Family] = COMMANDS) -> Family:
    """Return the one of ``families`` that carries ``command`` out."""
    return next(family for family in families if type(command) in family.types)


def help_rows() -> tuple[HelpRow, ...]:
    """Return the rows of what help lists, family by family."""
    return tuple(row for family in COMMANDS for row in family.help)


def help_topics() -> dict[Topic, tuple[HelpRow, ...]]:
    """Return the same rows by what they are about, but for the one that leads here."""
    return {topic: tuple(row for row in _rows_of(topic) if row.example != "help commands") for topic in get_args(Topic)}


def _rows_of(topic: Topic) -> Iterable[HelpRow]:
    """Return the rows of the families of a topic."""
    return (row for family in COMMANDS if family.topic == topic for row in family.help)


def as_keyword(text: str) -> Keyword | None:
    """Return the keyword that ``text`` consists of, or None: ``I resign.``, ``show, please``; never ``resign?``."""
    bare = text.strip(" .!?*_\"'“”").lower().removeprefix("i ")
    if polite := _POLITE.fullmatch(re.sub(r"[\s,]+", " ", bare)):
        bare = polite[1]
    found = KEYWORDS.get(bare)
    return None if found is None or (found.consequential and "?" in text) else found


def is_keyword(text: str, word: str) -> bool:
    """Return whether ``text`` consists of that keyword."""
    return (found := as_keyword(text)) is not None and found.word == word


def meant_by_yes(offered: Sequence[str]) -> str:
    """Return what a yes to an email that proposed ``offered`` asks for: the one move or word; "" for several.

    A word that changes more than what its sender sees, ``resign`` for instance, has to be written out.
    """
    alone = offered[0] if len(offered) == 1 else ""
    found = KEYWORDS.get(alone)
    return "" if found and found.consequential else alone


def is_consequential(line: str) -> bool:
    """Return whether ``line`` changes more than what its sender sees."""
    found = as_keyword(line)
    if found:
        return found.consequential
    timed = isinstance(parse_time(line), Claim | Give | Pause | PauseUntil | Wait | Vacation)
    return timed or read_seed(line) is not None or parse_agreement(line) is not None


def is_personal(command: Command) -> bool:
    """Return whether a command is about its sender or about other matches, and its line can be nothing else."""
    if isinstance(command, FreeText | starting.Again):  # people hope to play again
        return False
    if isinstance(command, profile.TakeName):
        return not profile.may_be_words(command)
    family = family_of(command)
    return family is reviewing.FAMILY or family.topic in ("you", "matches")


def asks_for_something(text: str) -> bool:
    """Return whether a text is a command other than a move."""
    return as_keyword(text) is not None or any(family.parse(text) is not None for family in COMMANDS)


def parse_piece(piece: str) -> Command:
    """Return what a line, or a piece of it between two ``;``, asks for."""
    if keyword := as_keyword(piece):
        return keyword.command
    parsed = (family.parse(piece) for family in COMMANDS)
    return next((command for command in parsed if command is not None), None) or read_free_text(piece)
