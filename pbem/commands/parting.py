"""How a reply to an email about several matches is parted: each line is for the match that it names. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from pbem.commands.catalogue import asks_for_something, family_of, first_word
from pbem.commands.decision import Command
from pbem.commands.families.play import FreeText, Resign, Seed
from pbem.commands.families.seats import StandInAll, StandInOff, parse_seats
from pbem.commands.families.talk import Say, UnclearRecipient
from pbem.commands.families.time_words import Claim, Give, Pause, PauseOff, PauseUntil, Wait
from pbem.commands.grammar import begins_words, read_commands
from pbem.reading.match_names import MatchName, holds_move, is_word_move, name_match, names_unclearly, split_by_match
from pbem.reading.move_phrases import looks_like_a_move

TALK = (FreeText, Say, UnclearRecipient)
"""What is said, if it is no move."""

_OF_A_MATCH = (*TALK, Resign, Seed, Claim, Give, Pause, PauseOff, PauseUntil, Wait)
_FEW = 2  # words
_TOPICS_OF_A_MATCH = frozenset({"agreeing", "ahead"})


@dataclass(slots=True)
class Parted:
    """A reply to an email about several matches: the lines ``beside`` all of them, and those for each.

    ``unlisted`` are lines for others, by their numbers; ``unclear`` those of which nobody can tell for which they are.
    """

    beside: list[str] = field(default_factory=list)
    by_match: dict[int, list[str]] = field(default_factory=dict)
    unlisted: list[tuple[int, str]] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)


def part_reply(lines: Iterable[str], listed: Collection[int]) -> Parted:
    """Return the ``lines`` of a reply by the ``listed`` matches that they are for.

    A line that names none belongs to the one above it, as a comment stands below a move; where a single match was
    listed, all that is said is for that one. A number of no listed match, with what may be a move behind it, is for no
    match at all. Below words for the own side only the beginning of a line names a match: nobody else may read them.
    """
    parted, private = Parted(), False
    current = parted.beside
    for line in (part for whole in lines for part in split_by_match(whole, listed)):
        named = name_match(line)
        private = _keeps(line) or (private and bool(line.strip()) and not (named and named.heads))
        if named and private and not named.heads:
            named = None
        if named and named.number in listed and (named.heads or _may_ask(named)):
            current = parted.by_match.setdefault(named.number, [])
            current += [named.rest] if named.rest else []
        elif named and (off := _read_off(named)):
            parted.beside.append(str(off))
        elif named and _is_for_other(named, line):
            parted.unlisted.append((named.number, line))
        elif not named and not private and len(listed) > 1 and names_unclearly(line) and holds_move(line):
            parted.unclear.append(line)
        else:
            current.append(line)
    return _settled(parted, listed)


def is_for_all(command: Command) -> bool:
    """Return whether a command needs no match: it is about its sender, or asks for help."""
    if isinstance(command, _OF_A_MATCH):
        return False
    return isinstance(command, StandInAll | StandInOff) or family_of(command).topic not in _TOPICS_OF_A_MATCH


def _settled(parted: Parted, listed: Collection[int]) -> Parted:
    """Return a reply in which all that is said above is for the one match that was listed, if it was one.

    But nobody gives a match up without naming it.
    """
    (*others, only) = listed or (0,)
    beside = [line for line in parted.beside if line.strip()]
    commands = read_commands(beside)
    if only and not others and Resign() not in commands and not all(map(is_for_all, commands)):
        parted.by_match[only] = [*parted.beside, *parted.by_match.get(only, [])]
        parted.beside = []
    return parted


def _keeps(line: str) -> bool:
    """Return whether a line begins words that are not for everybody."""
    return begins_words(line) and first_word(line) != "say"


def _may_ask(named: MatchName) -> bool:
    """Return whether what is said of a match may be a move, or a command; a plain number may stand behind any words."""
    return holds_move(named.rest) or (not named.plain and asks_for_something(named.rest))


def _is_for_other(named: MatchName, line: str) -> bool:
    """Return whether a line is for a match that was not listed: a plain number may be part of what is said."""
    if named.plain:
        is_move = looks_like_a_move(named.rest) or is_word_move(named.rest)
        few = len(named.rest.split()) <= _FEW
        return (is_move or asks_for_something(named.rest)) if named.heads else is_move and few
    return holds_move(named.rest) or (asks_for_something(named.rest) and (named.heads or not asks_for_something(line)))


def _read_off(named: MatchName) -> StandInOff | None:
    """Return ``standin off`` for the match of this number: somebody else has that seat, so no board of it waits."""
    command = parse_seats(f"{named.rest.rstrip(' .!*_')} {named.number}")
    return command if isinstance(command, StandInOff) else None
