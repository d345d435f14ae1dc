"""The one list of everything that players can write, and lookups over it. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import get_args

from pbem.commands.decision import Command, Family, HelpRow, Keyword, Topic
from pbem.commands.families import (
    account,
    afterthoughts,
    agreement,
    digest,
    forgetting,
    info,
    looking,
    planning,
    play,
    profile,
    proposing,
    reporting,
    reviewing,
    seats,
    seconding,
    starting,
    talk,
    thoughts,
    time,
)
from pbem.commands.families.agreement import parse_agreement
from pbem.commands.families.contests import ladders, leagues
from pbem.commands.families.play import FreeText, read_free_text, read_seed
from pbem.commands.families.time_words import Claim, Give, Pause, PauseUntil, Vacation, Wait, parse_time
from pbem.reading.tokens import may_hold_move
from pbem.reading.typos import similar_word

COMMANDS: tuple[Family, ...] = (
    play.FAMILY,
    info.FAMILY,
    looking.FAMILY,
    planning.FAMILY,
    thoughts.FAMILY,
    reporting.FAMILY,
    reviewing.FAMILY,
    talk.FAMILY,
    time.FAMILY,
    time.STATUS,
    agreement.FAMILY,
    proposing.FAMILY,
    account.FAMILY,
    digest.FAMILY,
    digest.LETTER,
    profile.FAMILY,
    seats.FAMILY,
    seconding.FAMILY,
    forgetting.FAMILY,
    starting.FAMILY,
    ladders.FAMILY,
    leagues.FAMILY,
    afterthoughts.FAMILY,
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

_FIRST_WORDS: tuple[tuple[Family, str], ...] = (
    (looking.FAMILY, "show what"),
    (planning.FAMILY, "if else otherwise"),
    (thoughts.FAMILY, "try http https note notes"),
    (time.FAMILY, "give pause wait vacation vacations holiday holidays auto automatic autovacation autovacations"),
    (time.FAMILY, "automaticvacation automaticvacations tz time timezone remind reminder reminders quiet quiethours"),
    (time.FAMILY, "back claim win take"),
    (agreement.FAMILY, "draw offer propose suggest ask have call agree take undo undoing taking accept no decline"),
    (agreement.FAMILY, "refuse reject withdraw"),
    (proposing.FAMILY, "propose"),
    (account.FAMILY, "board boards display e email emails mail mails"),
    (digest.FAMILY, "digest"),
    (profile.FAMILY, "name address addresses"),
    (seats.FAMILY, "stand standin replace"),
    (afterthoughts.FAMILY, "comment comments line lines"),
    (seconding.FAMILY, "second"),
    (ladders.FAMILY, "ladder ladders enter join leave challenge"),
    (starting.FAMILY, "which what list show name games"),
    (starting.FAMILY, "new pair seek unseek offer offers join cancel block unblock again rematch"),
    (leagues.FAMILY, "league leave enter join"),
)
"""The words with which the lines of families begin, behind what ``_FIRST_WORD`` passes over, in their order."""

_PARSERS: dict[str, tuple[Callable[[str], Command | None], ...]] = {
    word: tuple(family.parse for family, others in _FIRST_WORDS if word in others.split())
    for _, words in _FIRST_WORDS
    for word in words.split()
}
"""Who may read a line, by its first word."""

_FIRST_WORD = re.compile(
    r"[\W\d_]*(?:(?:please|pls|i|d|ll|would|will|want|like|may|can|shall|we|let|s|ok|okay|yes|yeah|yep|sure|gladly"
    r"|to|my)\b[\W_]+)*"
    r"([^\W\d_]+)",
    re.IGNORECASE,
)
_PASSING = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")
"""Letters that pass for others where their case does not count."""

_HELP_ON = re.compile(
    r"[\s*_]*help:?\s(?:(?:on|with|about)\s)?[`'\"“‘]?([a-z]+\d{0,2})[`'\"”’]?[\s*_.!?]*", re.IGNORECASE | re.ASCII
)
_EXPLAINED = {first.rstrip(":") for family in COMMANDS for row in family.help for first in row.example.split()[:1]}

_NEAR_VACATION = range(7, 11)  # letters


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
    if isinstance(command, starting.HelpGames) and command.unsure:
        return False
    if isinstance(command, profile.TakeName):
        return not profile.may_be_words(command)
    family = family_of(command)
    return family is reviewing.FAMILY or family.topic in ("you", "matches")


def asks_for_something(text: str) -> bool:
    """Return whether a text is a command other than a move."""
    return not isinstance(parse_piece(text), FreeText)


def parse_piece(piece: str) -> Command:
    """Return what a line, or a piece of it between two ``;``, asks for."""
    if keyword := as_keyword(piece):
        return keyword.command
    return reporting.read_report(piece) or _help_on(piece) or _parse(piece) or read_free_text(piece)


def _help_on(piece: str) -> Command | None:
    """Return the help that ``help`` and a word of a game, or of a command, asks for: never what that word does."""
    found = _HELP_ON.fullmatch(piece)
    word = found[1].lower() if found else ""
    if not _EXPLAINED.isdisjoint((word, word.removesuffix("s"))):
        return info.Ask("help_commands")
    return info.Ask("help") if word and may_hold_move(word) else None


def _parse(piece: str) -> Command | None:
    """Return the command that a piece of a line is by its first word, or None."""
    for parse in _PARSERS.get(first_word(piece), ()):
        if (command := parse(piece)) is not None:
            return command
    return None


def first_word(text: str) -> str:
    """Return the first word of a text that tells anything, in small letters: "show" of ``1. Please show #12``.

    What may be "vacation", misspelled, with a day behind it, is that.
    """
    found = _FIRST_WORD.match(text)
    word = found[1].translate(_PASSING).lower() if found else ""
    if word not in _PARSERS and len(word) in _NEAR_VACATION and any(map(str.isdigit, text)):
        return similar_word(word, ("vacation",))
    return word
