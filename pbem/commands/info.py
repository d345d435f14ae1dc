"""The family of asking: the board again, the rules, how rolls can be checked, and moves that are only tried. Pure."""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.commands.command import Family, HelpRow, Keyword, MatchSituation
from pbem.commands.effects import Reply
from pbem.commands.phrasing import WORD_MOVES

_WORDS = "|".join(sorted(WORD_MOVES | {"use"}))
_TRIED = rf"(?:\d{{1,6}}\s*:\s*)?(?:[a-z]\d{{1,2}}(?:x[a-z]\d{{1,2}})?|{_WORDS}|\d+)\b.*"
_TRY = re.compile(
    rf"[^\w;]{{0,9}}(try\s+{_TRIED}|(?:try\s+)?https?://[^\s#]+#\d{{1,6}}:\S+)", re.IGNORECASE | re.DOTALL
)
"""What the page of a match copies: ``try d4, e5``, ``try 12: d4`` from an earlier position, or an address."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A wish for an email of that kind."""

    kind: str

    def __str__(self) -> str:
        return self.kind.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Try:
    """Moves to look at, on a page of the archive; they are never played. ``line`` is the line as it stands."""

    line: str

    def __str__(self) -> str:
        return self.line


def read_try(line: str) -> Try | None:
    """Return the tried moves that ``line`` holds, or None: ``try d4, e5``, but not ``try again: d4``."""
    return Try(found[1].strip()) if (found := _TRY.fullmatch(line)) else None


def joined_try(tried: Try, line: str) -> Try:
    """Return ``tried`` with a further ``line`` that the email program broke off."""
    return Try(f"{tried.line} {line}")


def _apply(situation: MatchSituation, command: Ask | Try, now: datetime) -> MatchSituation:
    """Send what was asked for, or say that tried moves aren't played; below a move these are words for everybody."""
    if isinstance(command, Try):
        if situation.moves:
            return replace(situation, words=(*situation.words, command.line))
        return situation.told("only_tried", text=command.line)
    return situation.carried(str(command), Reply(command.kind))


FAMILY = Family(
    name="info",
    types=(Ask, Try),
    parse=read_try,
    apply=_apply,
    keywords=(
        *(Keyword(words, Ask("help")) for words in ("help", "help rules", "help commands", "help moves", "help game")),
        Keyword("show", Ask("show")),
        Keyword("history", Ask("history")),
        *(Keyword(words, Ask("help_dice")) for words in ("help dice", "help rolls", "help lots")),
    ),
    help=(
        HelpRow("show"),
        HelpRow("history"),
        HelpRow("help"),
        HelpRow("help dice", lambda match, seat: bool(match.possible_rolls)),
    ),
)
