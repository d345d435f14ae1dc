"""The family of who a player is: their name, their further addresses, and a copy of all that is kept of them. Pure."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from pbem.commands.decision import Command, Family, HelpRow, Keyword, MatchSituation, Spelled
from pbem.commands.effects import ClaimAddress, DropAddress, Export, Rename
from pbem.mail.headers import MAILBOX, to_address
from pbem.mail.names import clean_name
from pbem.reading.move_phrases import BEFORE
from pbem.reading.word_classes import load_classes
from pbem.reading.wording import is_listed

_NAME = re.compile(rf"{BEFORE}name(?:[\s*_]{{0,9}}[:=][\s*_\"'“]{{0,9}}|[\s*_\"'“]{{1,9}})(\S.{{0,99}})", re.IGNORECASE)
_LABEL = re.compile(r"\W{0,9}(?:my\s{1,9})?name\s{0,9}[:=]", re.IGNORECASE)
_MOST_WORDS, _MOST_SMALL = 6, 3  # words of a name, and of one that begins with a small letter: sentences are longer
_NO_NAME = re.compile(r"[:=/|,;{}<>]|(?<!\S)\d{3}")  # what forms and sentences have, and no name has
_PARTICLES = load_classes("name_particles")
_ADDRESS = re.compile(
    r"[\s*_\"'“”•(\[<#-]{0,9}(?:please\s{1,9})?address(?:es)?\s{1,9}(?P<how>add\s{1,9}|remove\s{1,9}|drop\s{1,9}|delete\s{1,9})?"
    rf"<?(?:mailto:)?(?P<email>{MAILBOX}|[^\s<>@]{{1,200}}@[^\s<>@,;:]{{1,300}})>?(?:\s*<mailto:[^\s<>]{{1,500}}>)?"
    r"(?:\s{1,9}(?:please|thanks))?[\s*_\"'“”!)\]]{0,9}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TakeName(Spelled):
    """The sender wants to be called ``name``; ``line`` is the line as it stands."""

    name: str
    line: str

    says = "name {it.name}"


@dataclass(frozen=True, slots=True)
class TakeAddress(Spelled):
    """The sender wants to write from ``email`` as well."""

    email: str

    says = "address {it.email}"


@dataclass(frozen=True, slots=True)
class LeaveAddress(Spelled):
    """The sender no longer writes from ``email``."""

    email: str

    says = "address remove {it.email}"


@dataclass(frozen=True, slots=True)
class SendExport(Spelled):
    """The sender wants a copy of all that is kept of them."""

    says = "export"


_Command: TypeAlias = TakeName | TakeAddress | LeaveAddress | SendExport


def may_be_words(command: TakeName) -> bool:
    """Return whether a line that asks for a name may be a sentence to others, or a signature."""
    return command.name[0].islower() or _LABEL.match(command.line) is not None


def _parse(piece: str) -> Command | None:
    """Return the name or the address that ``piece`` is about, or None."""
    if found := _ADDRESS.fullmatch(piece):
        typed = found["email"].rstrip(".!?*_\"'”)")
        email = to_address(typed) or typed
        leaves = (found["how"] or "").lower().startswith(("remove", "drop", "delete"))
        return LeaveAddress(email) if leaves else TakeAddress(email)
    if found := _NAME.fullmatch(piece):
        name = clean_name(found[1].strip(" \t*_\"'“”"))
        return None if _is_talk(name) else TakeName(name.rstrip("."), piece)
    return None


def _is_talk(name: str) -> bool:
    """Return whether what follows the word is more than a name: ``name it`` has one, ``name one!`` has none.

    So has no ``name is Bond``, and no line of a form: ``name of customer: Meier``.
    """
    words = name.split()
    if not words or name[-1] in "?!" or _NO_NAME.search(name):
        return True
    first = words[0]
    small = first[0].islower()
    if small and len(words) > 1 and first not in _PARTICLES and is_listed(first):
        return True
    return len(words) > (_MOST_SMALL if small else _MOST_WORDS)


def _apply(situation: MatchSituation, command: _Command, now: datetime) -> MatchSituation:
    """Ask for what only the pipeline can see: whether a name is free, and an address nobody else's."""
    player = situation.match.players[situation.seat]
    match command:
        case TakeName(_, line) if situation.moves and may_be_words(command):
            return replace(situation, words=(*situation.words, line))
        case TakeName(name):
            return situation.answered(str(command), "name_set", Rename(player, name), name=name)
        case TakeAddress(email) if email in player.emails:
            return situation.told("address_own", address=email)
        case TakeAddress(email):
            return situation.answered(str(command), "address_wanted", ClaimAddress(player, email), address=email)
        case LeaveAddress(email) if email == player.email:
            return situation.told("address_main", address=email)
        case LeaveAddress(email) if email not in player.emails:
            return situation.told("address_not_own", address=email)
        case LeaveAddress(email):
            return situation.answered(str(command), "address_removed", DropAddress(player, email), address=email)
    return situation.answered("export", "export_coming", Export(player), address=player.email)


FAMILY = Family(
    name="profile",
    topic="you",
    types=(TakeName, TakeAddress, LeaveAddress, SendExport),
    parse=_parse,
    apply=_apply,
    keywords=(Keyword("export", SendExport(), consequential=True),),
    help=(HelpRow("name Ann Lee"), HelpRow("address ann@work.example"), HelpRow("export")),
)
